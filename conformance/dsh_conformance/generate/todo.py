"""
The machine of the todo tool: lists of every sort, from several agents, looked at from every side.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from hypothesis import strategies as st

from dsh_conformance.generate import texts
from dsh_conformance.generate.blame import Blame, blamed
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
_ODD: tuple[Any, ...] = (
    None,
    0,
    True,
    1.5,
    [],
    {},
    "x",
    "Pending",
    "in-progress",
    "done",
    "pending ",
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
    return NOBODY if stage.chance(8) else stage.agent()


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
            item["status"] = stage.pick(_ODD)
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
    Rule(_twice, weight=2),
    Rule(_twins),
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
        if stage.has("request"):
            stage.add({"request": agent})


_MANY_VIOLATIONS = "; "
_BLAME: Sequence[Blame] = (
    Blame("todo.card.soft", verb="present"),
    Blame(
        "todo.order.schema-first",
        key="error",
        expected="invalid arguments",
        seen="invalid todo|owning",
    ),
    Blame("todo.order.agent-last", key="error", expected="invalid", seen="owning agent"),
    Blame(
        "todo.order.agent-last",
        key="error",
        expected="owning agent",
        seen="an error: .*invalid|^Error: invalid",
    ),
    Blame(
        "todo.order.count-after-items",
        key="error",
        expected="non-empty|duplicate",
        seen="in_progress",
    ),
    Blame("todo.order.items-in-turn", key="error", expected="non-empty", seen="duplicate"),
    Blame("todo.order.items-in-turn", key="error", expected="duplicate", seen="non-empty"),
    Blame("todo.content.duplicate-quoted", key="error", expected="duplicate", words=True),
    Blame("todo.active.count", key="error", expected="in_progress", words=True),
    Blame("host.arguments.all-joined", key="error", expected="invalid arguments.*; ", words=True),
    Blame("host.arguments.enum", key="error", expected="must be one of", words=True),
    Blame("host.arguments.missing", key="error", expected="missing required", words=True),
    Blame("host.arguments.undeclared", key="error", expected="not a declared", words=True),
    Blame("host.arguments.type", key="error", expected="must be an? ", words=True),
    Blame("todo.content.non-empty", key="error", expected="non-empty"),
    Blame("todo.content.unique", key="error", expected="duplicate"),
    Blame("todo.active.at-most-one", key="error", expected="may be in_progress"),
    Blame("todo.owner.required", key="error", expected="owning agent"),
    Blame("todo.item.closed", key="error", expected="not a declared"),
    Blame("todo.item.required", key="error", expected=r'missing required property "todos\['),
    Blame("todo.list.required", key="error", expected="missing required"),
    Blame("todo.item.status-known", key="error", expected="must be one of"),
    Blame("todo.item.types", key="error", expected="must be an? "),
    Blame("todo.content.exact-equality", key="says", seen="duplicate"),
    Blame("todo.white-space.kept", key="says", seen="non-empty"),
    Blame("todo.write.progress-is-the-models", key="says", seen="in_progress"),
    Blame("host.arguments.top-level-open", key="says", seen="an error: .*not a declared"),
    Blame("todo.write.no-limits", key="says", seen="an error"),
    Blame("todo.result.text", key="says"),
    Blame("todo.result.value-as-stored", key="value", path="content"),
    Blame("todo.result.value", key="value"),
    Blame("todo.write.stores-trimmed", verb="log", path="content"),
    Blame("todo.write.event-is-snapshot", verb="log", path="todos"),
    Blame("todo.write.one-event", verb="log"),
    Blame("todo.projection.takes-list", verb="projection"),
    Blame("todo.event.log-only", verb="surface|request"),
)

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
    blame=partial(blamed, _BLAME, "todo.write.one-event"),
    clauses=tuple(dict.fromkeys((*_LAW_CLAUSES, *(row.clause for row in _BLAME)))),
    rules=len(RULES),
)
