"""
The machine of the fold: logs of every shape, and steps that fold them.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from hypothesis import strategies as st

from dsh_conformance.generate.blame import blamed
from dsh_conformance.generate.blame_tree import FOLD_BLAME
from dsh_conformance.generate.laws_all import request_grows, restarts
from dsh_conformance.generate.laws_fold import CLAUSES, folds_are_lawful
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
    work_call,
)

BOUNDARIES = ("tree_task_done", "tree_task_done", "tree_task_plan", "tree_task_create")


def fill(stage: Stage) -> None:
    """
    Draw a program.
    """
    stage.plugins = ("tree",)
    create_agent(stage)
    _opening(stage)
    walk(stage, RULES)
    if stage.chance(2):
        _end(stage)
    closing_looks(stage)
    if stage.chance(4):
        reload(stage)
        closing_looks(stage)


def _opening(stage: Stage) -> None:
    events: list[dict[str, Any]] = [{"system": "You are careful."}, {"human": "Build it."}]
    kept = events[stage.draw(st.integers(0, 2)) :]
    if kept:
        stage.add({"append": stage.agents[0], "events": kept})


def _boundary(stage: Stage, *, name: str | None = None) -> None:
    names = [name or stage.pick(BOUNDARIES)]
    if stage.chance(5):
        names.append(stage.pick(BOUNDARIES))
    calls: list[dict[str, Any]] = [{"name": one, "with": {}} for one in names]
    if stage.chance(4):
        calls.insert(stage.draw(st.integers(0, len(calls))), work_call(stage))
    if stage.chance(10):
        calls[0]["result"] = None
    stage.add({"work": stage.agent(), "calls": calls})


def _end(stage: Stage) -> None:
    _boundary(stage, name="tree_task_done")
    stage.add({"enter": stage.steps[-1]["work"]})


def _marked(stage: Stage) -> None:
    name = stage.new("seq")
    stage.facts[name] = agent = stage.agent()
    stage.add({"append": agent, "events": [{"assistant": "I note."}], "bind": {name: "seqs.0"}})


def _replaced(stage: Stage) -> None:
    # As a compaction of the host would: some messages become one.
    first, last = sorted(
        (stage.pick(stage.names("seq")), stage.pick(stage.names("seq"))),
        key=lambda one: int(one[3:]),
    )
    if stage.facts[first] == stage.facts[last]:
        event = {
            "plugin": "compaction",
            "text": "In short.",
            "replaces": {"from": f"{{{first}}}", "to": f"{{{last}}}"},
        }
        stage.add({"append": stage.facts[first], "events": [event]})


LOG = frozenset({"log"})

RULES = (
    Rule(_boundary, weight=3, always=True),
    Rule(work, weight=3),
    Rule(message),
    Rule(enter, weight=3, always=True),
    Rule(_end),
    Rule(_marked),
    Rule(_replaced, ready=lambda stage: bool(stage.names("seq"))),
    Rule(create_agent, ready=lambda stage: len(stage.agents) < 2),
    Rule(partial(look, verb="surface"), needs=frozenset({"surface"})),
    Rule(partial(look, verb="request"), needs=frozenset({"request"})),
    Rule(partial(look, verb="log")),
    Rule(reload),
)

FOLD = Machine(
    name="fold",
    plugin="tree",
    needs=frozenset({"tree", "tree.fold", "log", "surface"}),
    fill=fill,
    laws=(
        folds_are_lawful,
        request_grows("tree.prompt.stable", folds=True),
        restarts({"surface": "tree.log.append-only", "request": "tree.log.append-only"}),
    ),
    blame=partial(blamed, FOLD_BLAME, "tree.fold.range"),
    clauses=tuple(dict.fromkeys((*CLAUSES, *(row.clause for row in FOLD_BLAME)))),
    rules=len(RULES),
)
