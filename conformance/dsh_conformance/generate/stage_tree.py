"""
Steps that the machines of the tree share: agents with sessions, looks, messages, work.
"""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from dsh_conformance.generate import texts
from dsh_conformance.generate.stage import Stage

PLUGIN = "dsh-tree-task-flow"
NAMES = ("alice", "bob")
PATHS = ("a.js", "b.js", "src/ä.py", "C:\\new\\t.txt", " a.js", "x、y", "", "a\nb")
READERS = ("read", "read_image")
WRITERS = ("write", "edit", "str_replace_editor")
OTHERS = ("bash", "pwsh", "grep", "Read", "tree_task_status", "tree_task_update", "tree_task_drop")
_RAW = ('{"file_path": "a.js"', "[]", "null", '"a.js"', "", '{"path": 3}')

_tools = st.sampled_from((*READERS, *WRITERS, *READERS, *WRITERS, *OTHERS))
_paths = st.sampled_from(PATHS)


def create_agent(stage: Stage) -> None:
    """
    Add an agent on a session of its own.
    """
    name = NAMES[len(stage.agents)]
    stage.agents.append(name)
    stage.add(agent_step(name))


def agent_step(name: str) -> dict[str, Any]:
    """
    Return the step that creates an agent on the session of its name.
    """
    return {"agent": name, "session": name}


def reload(stage: Stage) -> None:
    """
    Restart, with nothing left in any inbox.
    """
    stage.add({"reload": "all"})
    stage.known["step"] = []
    for agent in stage.agents:
        stage.add(agent_step(agent))


def work_call(stage: Stage) -> dict[str, Any]:
    """
    Draw a call of some tool that may read or write a file.
    """
    name = stage.draw(_tools)
    if stage.chance(8):
        return {"name": name, "raw": stage.pick(_RAW)}
    path = stage.draw(_paths)
    odd: tuple[Any, ...] = (
        {"file_path": path},
        {"path": path},
        {"file_path": path, "path": "other.js"},
        {"file_path": None, "path": path},
        {"file_path": 3},
        {},
    )
    return {"name": name, "with": stage.pick(odd)}


def work(stage: Stage) -> None:
    """
    Add an assistant message with calls, and their results.
    """
    step: dict[str, Any] = {"work": stage.agent()}
    if stage.chance(3):
        step["text"] = stage.draw(texts.words)
    step["calls"] = [work_call(stage) for _ in range(stage.draw(st.integers(0, 2)))]
    if not step["calls"]:
        step |= {"text": "I think."}
        del step["calls"]
    stage.add(step)


def message(stage: Stage) -> None:
    """
    Add a message that is no work of the model.
    """
    stage.add({"append": stage.agent(), "events": [some_message(stage)]})


def some_message(stage: Stage) -> dict[str, Any]:
    """
    Draw a user message: a person's, a plugin's, this plugin's own, or nobody's.
    """
    return stage.pick(
        (
            {"human": "Go on."},
            {"human": "tree_task消息：隐藏了2条过程上下文。"},
            {"plugin": "tool-tasks", "text": "background task bash-1 finished"},
            {
                "plugin": PLUGIN,
                "text": "接下来需要进行步骤",
                "form": "notice",
                "summary": "计划续行",
            },
            {"user": "nobody said this"},
            {"plugin": "time", "text": "12:00"},
        )
    )


def enter(stage: Stage) -> None:
    """
    Ask for a step.
    """
    step: dict[str, Any] = {"enter": stage.agent()}
    if stage.chance(3):
        step["messages"] = [some_message(stage) for _ in range(1 + stage.chance(3))]
    if stage.chance(8):
        step["aborted"] = True
    if stage.chance(8):
        step["decision"] = "reject"
    stage.add({**step, "bind": {stage.new("step"): "step"}})


def look(stage: Stage, verb: str) -> None:
    """
    Look at an agent's log, surface, request or inbox.
    """
    agent = stage.agent()
    if verb == "surface" and stage.has("log"):
        stage.add({"log": agent})
    stage.add({verb: agent})


def closing_looks(stage: Stage) -> None:
    """
    Look at everything of everyone.
    """
    for agent in stage.agents:
        for verb in ("log", "surface"):
            if stage.has(verb):
                stage.add({verb: agent})
        # The costliest look, and the one that changes least.
        if stage.has("request") and stage.chance(3):
            stage.add({"request": agent})
        stage.add({"inbox": agent})


def paths_of(arguments: str) -> str | None:
    """
    Return the path that a call's raw arguments name, as the contract reads them, or None.
    """
    try:
        found = json.loads(arguments)
    except ValueError:
        return None
    if not isinstance(found, dict):
        return None
    path = found.get("file_path")
    path = found.get("path") if path is None else path
    return path if isinstance(path, str) and texts.trimmed(path) else None
