"""
The machine of the todo tool: lists of every sort, from several agents, looked at from every side.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from hypothesis import strategies as st

from dsh_conformance.generate import texts
from dsh_conformance.generate.blame_todo import BLAME, CONTENTS, blame
from dsh_conformance.generate.laws_all import request_grows, restarts
from dsh_conformance.generate.laws_todo import (
    counts_add_up,
    log_is_the_accepted_calls,
    projection_is_the_log,
)
from dsh_conformance.generate.machine import Machine
from dsh_conformance.generate.stage import Rule, Stage, walk
from dsh_conformance.scenario.verbs import NOBODY

STATUSES = ("pending", "in_progress", "completed")
_ODD: tuple[Any, ...] = (None, 0, True, 1.5, [], {}, "x")
_NO_STATUSES: tuple[Any, ...] = (
    "Pending",
    "in-progress",
    "done",
    "pending ",
    " completed",
    None,
    0,
)
_KEYS = ("id", "activeForm", "priority", "constructor", "toString", "notes")

_statuses = st.sampled_from(STATUSES)
_contents = st.one_of(texts.words, texts.words, texts.anything)
_items = st.fixed_dictionaries({"content": _contents, "status": _statuses})
_lists = st.lists(_items, max_size=4)


def _distinct(todos: list[dict[str, str]]) -> list[dict[str, str]]:
    kept: dict[str, dict[str, str]] = {}
    for index, todo in enumerate(todos):
        if texts.trimmed(todo["content"]):
            status = "completed" if index and todo["status"] == "in_progress" else todo["status"]
            kept.setdefault(texts.trimmed(todo["content"]), {**todo, "status": status})
    return list(kept.values())


_good_lists = _lists.map(_distinct)


def fill(stage: Stage) -> None:
    """
    Draw a program.
    """
    stage.plugins, stage.services = ("todo",), ("projections",)
    _agent(stage)
    walk(stage, RULES)
    _close(stage)


def _agent(stage: Stage) -> None:
    name = ("alice", "bob", "carol")[len(stage.agents)]
    stage.agents.append(name)
    stage.add({"agent": name})


def _caller(stage: Stage) -> str:
    return NOBODY if stage.chance(6) else stage.agent()


def _write(stage: Stage, arguments: Any) -> None:
    by = _caller(stage)
    logged = by != NOBODY and stage.has("log") and stage.chance(4)
    verb = "model-call" if logged else "call"
    stage.add({verb: "todo_write", "by": by, "with": arguments})


def _good(stage: Stage) -> None:
    _write(stage, {"todos": stage.draw(_good_lists)})


def _any_list(stage: Stage) -> None:
    _write(stage, {"todos": stage.draw(_lists)})


_TWINS = (("é", "e\u0301"), ("a", "A"), ("ß", "ss"), ("a", "a\u200b"), ("x y", "x  y"), ("a", "а"))


def _edges(stage: Stage) -> None:
    content = stage.draw(texts.nearly_padded if stage.chance(2) else texts.trouble)
    _write(stage, {"todos": [{"content": content, "status": "pending"}]})


def _busy(stage: Stage) -> None:
    todos = [
        {"content": content, "status": "in_progress"}
        for content in texts.WORDS[: 2 + stage.draw(st.integers(0, 2))]
    ]
    odd = stage.draw(st.integers(0, 2))
    if odd:
        todos.append({"content": ("", "a", " a")[odd], "status": "pending"})
    _write(stage, {"todos": todos})


def _many(stage: Stage) -> None:
    # More than anybody plans, and still allowed.
    count = stage.pick((21, 51, 101))
    states = ("completed", "pending")
    todos = [{"content": f"{n}", "status": states[n % 2]} for n in range(count)]
    _write(stage, {"todos": todos})


def _twins(stage: Stage) -> None:
    pair = stage.pick(_TWINS)
    _write(stage, {"todos": [{"content": one, "status": "pending"} for one in pair]})


def _twice(stage: Stage) -> None:
    todos = stage.draw(_lists)
    if stage.chance(2):
        todos = [{"content": stage.draw(texts.trouble), "status": "completed"}, *todos]
    pad = stage.draw(st.text(st.sampled_from(texts.WHITE_SPACE), max_size=1))
    again = {"content": (todos[0]["content"] if todos else "a") + pad, "status": "pending"}
    _write(stage, {"todos": [*todos, again]})


def _broken(stage: Stage) -> None:
    todos: list[Any] = stage.draw(_lists) or [{"content": "a", "status": "pending"}]
    item = dict(stage.pick(todos))
    where = todos.index(item)
    match stage.draw(st.integers(0, 4)):
        case 0:
            item.pop(stage.pick(("content", "status")))
        case 1:
            item[stage.pick(_KEYS)] = stage.pick(_ODD)
        case 2:
            item["status"] = stage.pick(_NO_STATUSES)
        case 3:
            item["content"] = stage.pick(_ODD[:6])
        case _:
            item = stage.pick(_ODD)
    _write(stage, {"todos": [*todos[:where], item, *todos[where + 1 :]]})


def _no_list(stage: Stage) -> None:
    arguments: Any = stage.pick(
        ({}, {"todos": None}, {"todos": "[]"}, {"todos": {}}, {"todos": 3}, {"todos": [], "x": 1})
    )
    _write(stage, arguments)


def _append(stage: Stage) -> None:
    event = stage.pick(
        (
            {"turn": "start"},
            {"turn": "end"},
            {"human": "Go on."},
            {"assistant": "I do."},
            {"other": "step/start"},
            {"todos": [{"content": "old", "status": "pending"}]},
            {"todos": []},
        )
    )
    stage.add({"append": stage.agent(), "events": [event]})


def _look(stage: Stage, verb: str) -> None:
    agent = stage.agent()
    looks = {"projection": {"projection": "todos", "of": agent}}
    stage.add(looks.get(verb, {verb: agent}))


def _card(stage: Stage) -> None:
    stage.add({"present": "todo_write", "with": {"todos": stage.draw(_lists)}})


def _reload(stage: Stage) -> None:
    stage.add({"reload": "all"})
    for agent in stage.agents:
        stage.add({"agent": agent})


LOG, SURFACE, REQUEST = frozenset({"log"}), frozenset({"surface"}), frozenset({"request"})
PROJECTION = frozenset({"todo.projection"})

RULES = (
    Rule(_good, weight=3, always=True),
    Rule(_any_list, weight=2),
    Rule(_twice, weight=4),
    Rule(_many),
    Rule(_twins),
    Rule(_busy),
    Rule(_edges, weight=2),
    Rule(_broken, weight=2),
    Rule(_no_list),
    Rule(_agent, ready=lambda stage: len(stage.agents) < 3),
    Rule(_append, needs=LOG),
    Rule(partial(_look, verb="log"), needs=LOG),
    Rule(partial(_look, verb="projection"), needs=PROJECTION),
    Rule(partial(_look, verb="request"), needs=REQUEST),
    Rule(_card, needs=frozenset({"todo.present"})),
    Rule(_reload, needs=LOG),
)


def _close(stage: Stage) -> None:
    _look_at_all(stage)
    if stage.chance(3) and stage.has("log"):
        _reload(stage)
        _look_at_all(stage)


def _look_at_all(stage: Stage) -> None:
    for agent in stage.agents:
        if stage.has("log"):
            stage.add({"log": agent})
        if stage.has("todo.projection"):
            stage.add({"projection": "todos", "of": agent})
        if stage.has("surface"):
            stage.add({"surface": agent})
        # The costliest look, and the one that changes least.
        if stage.has("request") and stage.chance(2):
            stage.add({"request": agent})


LAWS = (
    log_is_the_accepted_calls,
    projection_is_the_log,
    counts_add_up,
    request_grows("todo.request.append-only"),
    restarts(
        {
            "projection": "todo.replay.last-write-wins",
            "surface": "todo.event.log-only",
            "request": "todo.request.append-only",
        }
    ),
)

_LAW_CLAUSES = (
    "todo.write.one-event",
    "todo.refused.writes-nothing",
    "todo.write.keeps-order",
    "todo.projection.turn-start-clears",
    "todo.request.append-only",
    "todo.replay.last-write-wins",
)

TODO = Machine(
    name="todo",
    plugin="todo",
    needs=frozenset({"todo"}),
    fill=fill,
    laws=LAWS,
    blame=blame,
    clauses=tuple(dict.fromkeys((*_LAW_CLAUSES, *CONTENTS, *(row.clause for row in BLAME)))),
    rules=len(RULES),
)
