"""
What the rules of background tasks draw on: agents and owners, starts, ids, reads and waits.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from dsh_conformance.generate import texts
from dsh_conformance.generate.stage import Stage
from dsh_conformance.scenario.verbs import NOBODY

NAMES = ("alice", "bob")
KINDS = ("bash", "bash", "subagent", "a b", " ")
_LABELS = st.one_of(texts.words, texts.trouble, texts.padded)
TIMEOUTS = (1, 500, 0.5, 30_000, 600_000, 700_000, 3_000_000_000, 0, -1)
NOT_IDS = ("", "bash-99", "nope", " ")


def create_agent(stage: Stage) -> None:
    """
    Add an agent, on a session of its own or on the first one's.
    """
    name = next(one for one in NAMES if one not in stage.agents)
    stage.agents.append(name)
    session = stage.facts.setdefault(f"session of {name}", _session(stage, name))
    stage.add({"agent": name, "session": session})


def _session(stage: Stage, name: str) -> str:
    # Sometimes two agents share a session: the fence is the session, the owner is the agent.
    return NAMES[0] if stage.chance(3) else name


def caller(stage: Stage) -> str:
    """
    Return who calls: mostly an agent.
    """
    return NOBODY if stage.chance(8) else stage.agent()


def some_owner(stage: Stage) -> str:
    """
    Return who a task is to be for.
    """
    found = NOBODY if stage.chance(5) else stage.agent()
    if stage.chance(12) and len(stage.agents) == 1 and stage.facts.get("disposed"):
        found = NAMES[1 - NAMES.index(stage.agents[0])]
    return found


def start_for(stage: Stage, owner: str) -> None:
    """
    Start a task for an owner, bind it if the start is not to be refused.
    """
    label = "" if stage.chance(15) else stage.draw(_LABELS)
    step: dict[str, Any] = {"start": stage.pick(KINDS), "label": label}
    step |= {"owner": owner, "mode": stage.pick(("stream", "final"))}
    cancel = stage.pick(("ignore", "ignore", "settle", "throw"))
    if cancel != "ignore":
        step["onCancel"] = cancel
    if stage.chance(10):
        step["onStart"] = "throw"
    elif stage.chance(12):
        step["start"] = ""
    elif not label:
        pass  # Refused, so nothing is bound.
    else:
        name = stage.new("task")
        stage.facts[name] = owner
        step["bind"] = {name: "id"}
    stage.add(step)


def some_task(stage: Stage) -> str:
    """
    Return the name, in braces, of a task whose producer is there.
    """
    return f"{{{stage.pick(stage.names('task'))}}}"


def some_ident(stage: Stage) -> str:
    """
    Return the name of a task, perhaps one of before a restart, or an id that nobody has.
    """
    if stage.chance(8):
        return stage.pick(NOT_IDS)
    return f"{{{stage.pick(stage.names('task', 'old'))}}}"


def read_of(stage: Stage, ident: str) -> None:
    """
    Read a task.
    """
    arguments: dict[str, Any] = {"task_id": ident}
    if stage.chance(10):
        arguments["timeout_ms"] = stage.pick(TIMEOUTS)
    stage.add({"call": "task_output", "by": reader_of(stage, ident), "with": arguments})


def reader_of(stage: Stage, ident: str) -> str:
    """
    Return who reads a task, waits for it or ends it.
    """
    # Mostly the owner: what the fence refuses is soon seen, what lies behind it is not.
    owner: str = stage.facts.get(ident.strip("{}"), "")
    known = owner == NOBODY or owner in stage.agents
    return owner if known and not stage.chance(4) else caller(stage)


def wait_on(stage: Stage, ident: str, timeout: float | None) -> str:
    """
    Wait for a task and return the name of the wait, in braces.
    """
    arguments: dict[str, Any] = {"task_id": ident, "wait": True}
    if timeout is not None:
        arguments["timeout_ms"] = timeout
    name = stage.new("wait")
    stage.facts[name] = ident
    step = {"call": "task_output", "by": reader_of(stage, ident), "with": arguments}
    stage.add({**step, "bind": {name: "call"}})
    return f"{{{name}}}"
