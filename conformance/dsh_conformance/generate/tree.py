"""
The machine of the tree: plans that grow and shrink, commands, pauses, continuations, restarts.
"""

from __future__ import annotations

import string
from functools import partial
from typing import Any

from hypothesis import strategies as st

from dsh_conformance.generate import texts
from dsh_conformance.generate.blame import blamed
from dsh_conformance.generate.blame_tree import TREE_BLAME
from dsh_conformance.generate.laws_all import STATUS, request_grows, restarts
from dsh_conformance.generate.laws_fold import folds_are_lawful
from dsh_conformance.generate.laws_tree import CLAUSES, LAWS
from dsh_conformance.generate.machine import Machine
from dsh_conformance.generate.stage import Rule, Stage, walk
from dsh_conformance.generate.stage_tree import (
    closing_looks,
    create_agent,
    enter,
    look,
    message,
    reload,
    work,
)
from dsh_conformance.scenario.verbs import NOBODY

_NO_NODES = ("x", "g-0", "", " ")
_BLANKS = ("", " ", "\n", "\u3000")
_cores = st.one_of(texts.words, texts.words, texts.trouble, texts.padded)
_pads = st.sampled_from(("", "", "", " ", "\u3000", "\n"))
_results = st.one_of(texts.words, texts.trouble, texts.padded, st.sampled_from(_BLANKS))


def fill(stage: Stage) -> None:
    """
    Draw a program.
    """
    stage.plugins, stage.services = (_loaded(stage),), ("commands",)
    create_agent(stage)
    if not stage.chance(5):
        _create(stage)
    walk(stage, RULES)
    _close(stage)
    if stage.chance(2):
        reload(stage)
        _close(stage)


def _loaded(stage: Stage) -> Any:
    if stage.chance(2) or not stage.has("tree.autocontinue"):
        return "tree"
    config: dict[str, Any] = {"autoContinue": stage.pick((True, True, True, False, "yes"))}
    if stage.chance(2):
        config["maxAutoRounds"] = stage.pick((0, 1, 2))
    return {"tree": config}


# The plan


def _title(stage: Stage, kind: str) -> tuple[dict[str, str], str | None, str]:
    # Where ids are read from a reply, no title may be the beginning of another.
    if stage.chance(20):
        return {"title": stage.pick(_BLANKS)}, None, ""
    name = stage.new(kind)
    core = f"{texts.trimmed(stage.draw(_cores))}{name[0]}{name.strip(string.ascii_letters)}."
    title = stage.draw(_pads) + core + stage.draw(_pads)
    node = {"title": title}
    if stage.chance(4):
        node["detail"] = stage.draw(texts.words)
    return node, name, texts.trimmed(title)


def _call(stage: Stage, tool: str, arguments: Any, by: str | None = None) -> dict[str, Any]:
    verb = "model-call" if stage.has("log") and stage.chance(2) else "call"
    return {verb: tool, "by": by or stage.agent(), "with": arguments}


def _nodes(stage: Stage, kind: str, least: int) -> tuple[list[dict[str, str]], list[str], str]:
    made = [_title(stage, kind) for _ in range(stage.draw(st.integers(least, 2)))]
    named = [(name, title) for _, name, title in made if name is not None]
    pattern = "".join(f" {{{name}}}  {title}{{rest}}" for name, title in named)
    return [node for node, _, _ in made], [name for name, _ in named], pattern


def _create(stage: Stage) -> None:
    goal, name, title = _title(stage, "goal")
    tasks, names, pattern = _nodes(stage, "task", 0 if stage.chance(8) else 1)
    step = _call(stage, "tree_task_create", {**goal, "tasks": tasks})
    if not tasks:
        _forget(stage, "goal", [name] if name else [])
    elif name or names:
        head = f" {{{name}}}  {title}{{rest}}" if name else ""
        step |= {"says": f"{{rest}}{head}{pattern}", "bind": [*([name] if name else []), *names]}
        _own(stage, step["by"], [*([name] if name else []), *names])
    stage.add(step)


def _own(stage: Stage, agent: str, names: list[str]) -> None:
    for name in names:
        stage.facts[name] = agent


def _forget(stage: Stage, kind: str, names: list[str]) -> None:
    stage.known[kind] = [name for name in stage.names(kind) if name not in names]


def _plan(stage: Stage) -> None:
    parent = _node(stage, "goal", "task", "task", "task")
    kind = "task" if parent.startswith("{goal") else "step_"
    children, names, pattern = _nodes(stage, kind, 1)
    by = _caller(stage, parent)
    step = _call(stage, "tree_task_plan", {"parentId": parent, "children": children}, by)
    if parent.startswith("{") and names:
        step |= {"says": f"{{rest}}{pattern}", "bind": names}
        _own(stage, by, names)
    else:
        _forget(stage, kind, names)
    stage.add(step)


def _no_plan(stage: Stage) -> None:
    parent = _node(stage, "step_")
    children = [{"title": "x"}] if stage.chance(2) or parent.startswith("{step") else []
    by = _caller(stage, parent)
    stage.add(_call(stage, "tree_task_plan", {"parentId": parent, "children": children}, by))


def _node(stage: Stage, *kinds: str) -> str:
    found = [name for kind in kinds for name in stage.names(kind)]
    if not found or stage.chance(15):
        return stage.pick(_NO_NODES)
    return f"{{{stage.pick(found)}}}"


def _any_node(stage: Stage) -> str:
    return _node(stage, "goal", "task", "step_", "step_", "step_")


def _caller(stage: Stage, node: str) -> str:
    # Another session may have a node of its own by that id (docs/decisions/0018).
    owner: str = stage.facts.get(node.strip("{}"), stage.agents[0])
    return owner


def _done(stage: Stage) -> None:
    node = _any_node(stage)
    arguments = {"id": node, "result": stage.draw(_results)}
    stage.add(_call(stage, "tree_task_done", arguments, _caller(stage, node)))


def _finish(stage: Stage) -> None:
    # Several in a row lead to checkpoints and to the end.
    for node in stage.names("step_", "task", "goal")[:3]:
        arguments = {"id": f"{{{node}}}", "result": "done"}
        stage.add(_call(stage, "tree_task_done", arguments, stage.facts[node]))


def _drop(stage: Stage) -> None:
    node = _any_node(stage)
    stage.add(_call(stage, "tree_task_drop", {"id": node}, _caller(stage, node)))


def _update(stage: Stage) -> None:
    node = _any_node(stage)
    arguments = {"id": node}
    if stage.chance(2):
        arguments["title"] = stage.pick(_BLANKS) if stage.chance(3) else stage.draw(_cores)
    if stage.chance(2):
        arguments["detail"] = stage.pick(("", "more"))
    stage.add(_call(stage, "tree_task_update", arguments, _caller(stage, node)))


def _status(stage: Stage) -> None:
    stage.add({"call": "tree_task_status", "by": stage.agent(), "with": {}})


# People

_WORDS = ("", " status", " help", " reset", " nonsense", " done", " drop", " Pause", " done x")


def _command(stage: Stage) -> None:
    node = _any_node(stage)
    by = NOBODY if stage.chance(15) else _caller(stage, node)
    line = stage.pick((*_WORDS, f" drop {node}"))
    stage.add({"command": f"/task-tree{line}", "by": by})


def _command_done(stage: Stage) -> None:
    node = _any_node(stage)
    line = f"/task-tree done {node} all   is well"
    stage.add({"command": line, "by": _caller(stage, node)})


def _pause(stage: Stage) -> None:
    stage.add({"command": "/task-tree pause", "by": stage.agent()})


def _resume(stage: Stage) -> None:
    stage.add({"command": "/task-tree resume", "by": stage.agent()})


def _say(stage: Stage) -> None:
    stage.add({"say": "Please go on.", "by": stage.agent()})


def _idle(stage: Stage) -> None:
    step: dict[str, Any] = {"idle": stage.agent()}
    if stage.chance(6):
        step["queued"] = 1
    stage.add(step)


def _stop(stage: Stage) -> None:
    stage.add({"stop": stage.agent(), "aborted": stage.chance(2)})


def _step_then(stage: Stage, verb: str) -> None:
    stage.add({verb: f"{{{stage.pick(stage.names('step'))}}}"})


def _has_step(stage: Stage) -> bool:
    return bool(stage.names("step"))


def _files(stage: Stage) -> None:
    agent = stage.agent()
    stage.add({"call": "tree_task_status", "by": agent, "with": {}})
    stage.add({"file": f"plans/{agent}.json", "json": True})


LOG = frozenset({"log"})
COMMANDS, PAUSE = frozenset({"tree.commands"}), frozenset({"tree.pause", "tree.commands"})
CONTINUE = frozenset({"tree.autocontinue"})

RULES = (
    Rule(_create),
    Rule(_plan, weight=3, always=True),
    Rule(_no_plan),
    Rule(_done, weight=3, always=True),
    Rule(_finish, ready=lambda stage: bool(stage.names("step_", "task"))),
    Rule(_drop),
    Rule(_update),
    Rule(_status),
    Rule(create_agent, ready=lambda stage: len(stage.agents) < 2),
    Rule(_command, needs=COMMANDS),
    Rule(_command_done, needs=COMMANDS),
    Rule(_pause, needs=PAUSE),
    Rule(_resume, needs=PAUSE),
    Rule(_say),
    Rule(enter, weight=2),
    Rule(partial(_step_then, verb="poll-step"), ready=_has_step),
    Rule(partial(_step_then, verb="abort-step"), ready=_has_step),
    Rule(_idle, weight=2, needs=CONTINUE),
    Rule(_stop, needs=CONTINUE),
    Rule(work, needs=LOG),
    Rule(message, needs=LOG),
    Rule(_files, needs=frozenset({"tree.state"})),
    Rule(partial(look, verb="request"), needs=frozenset({"request"})),
    Rule(reload, needs=LOG),
)


def _close(stage: Stage) -> None:
    for step in stage.names("step"):
        stage.add({"poll-step": f"{{{step}}}"})
    closing_looks(stage)
    for agent in stage.agents:
        stage.add({"call": "tree_task_status", "by": agent, "with": {}})
        if stage.has("tree.state"):
            stage.add({"file": f"plans/{agent}.json", "json": True})
            stage.add({"file": f"surfaces/{agent}.json", "json": True})


TREE = Machine(
    name="tree",
    plugin="tree",
    needs=frozenset({"tree"}),
    fill=fill,
    laws=(
        *LAWS,
        folds_are_lawful,
        request_grows("tree.prompt.stable", folds=True),
        restarts(
            {
                STATUS: "tree.state.survives-restart",
                "surface": "tree.log.append-only",
                "request": "tree.log.append-only",
            }
        ),
    ),
    blame=partial(blamed, TREE_BLAME, "tree.status.form"),
    clauses=tuple(dict.fromkeys((*CLAUSES, *(row.clause for row in TREE_BLAME)))),
    rules=len(RULES),
)
