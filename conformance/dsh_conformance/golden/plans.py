"""
Vectors over the plan: the six tools (`plan`) and the command (`commands`).
"""

from __future__ import annotations

from collections.abc import Iterator

from dsh_conformance.golden.vectors import Names, Step, Vector, accepted, named

AGENT = "alice"

REPLY = {
    "tree_task_status": "tree.status.form",
    "tree_task_create": "tree.create.reply",
    "tree_task_plan": "tree.plan.reply",
    "tree_task_done": "tree.done.reply-follows-path",
    "tree_task_update": "tree.update.reply",
    "tree_task_drop": "tree.drop.reply",
}
REFUSED = {
    "建立目标失败": "tree.create.needs-a-task",
    "没有添加": "tree.plan.refusals",
    "没有完成": "tree.done.refusals",
    "没有修改": "tree.update.refusals",
    "没有丢弃": "tree.drop.refusals",
    "（还没有计划": "tree.status.no-plan",
}
NO_PLAN = {
    "tree_task_plan": "tree.plan.refusals",
    "tree_task_done": "tree.done.refusals",
    "tree_task_update": "tree.update.refusals",
    "tree_task_drop": "tree.drop.refusals",
}
COMMAND = {
    "done": "tree.command.done-form",
    "drop": "tree.command.drop-form",
    "pause": "tree.command.pause-form",
    "stop": "tree.command.pause-form",
    "resume": "tree.command.pause-form",
    "reset": "tree.command.reset-form",
    "help": "tree.command.usage",
    "": "tree.command.status-form",
    "status": "tree.command.status-form",
}
MARKS = {"pending": "[ ]", "done": "[x]", "dropped": "[-]"}
LEVELS = ("目标", "任务", "子任务")
MODES = {
    "on": {},
    "on+auto": {"autoContinue": True},
    "off": {"enabled": False},
    "off-string": {"enabled": "true"},
}


def plan_steps(vector: Vector) -> list[Step]:
    """
    Return the script of a `plan` vector: the calls with their texts, and the tree at the end.

    It ends before a call that breaks the schema, which a host refuses before the tool sees it.
    """
    names = Names()
    steps: list[Step] = [{"agent": AGENT}]
    for call in vector["calls"]:
        if "schema" in call:
            return steps
        steps.append(tool_step(call, names))
    lines = [line for goal in vector["status"] for line in _lines(goal, 0)]
    if lines:
        whole = {"$contains": lines}
        steps.append({"call": "tree_task_status", "says": whole, "clause": "tree.status.form"})
    return steps


def tool_step(call: Vector, names: Names, agent: str = AGENT) -> Step:
    """
    Return a tool call with its recorded text.
    """
    return {
        "call": call["tool"],
        "by": agent,
        "with": named(call["args"]),
        "says": accepted(call["text"], call.get("checkpoint") or None),
        **names.bind(call["text"]),
        "clause": _clause(call),
    }


def _clause(call: Vector) -> str:
    text: str = call["text"]
    if text.startswith("还没有计划"):
        return NO_PLAN[call["tool"]]
    found = next((clause for prefix, clause in REFUSED.items() if text.startswith(prefix)), None)
    return found or REPLY[call["tool"]]


def _lines(node: list[object], depth: int) -> Iterator[str]:
    ident, state, *children = node
    yield f"{'  ' * depth}{MARKS[str(state)]} {LEVELS[depth]}  {named(ident)}  "
    for group in children:
        for child in group:  # type: ignore[attr-defined]  # A list of nodes, by the record's form.
            yield from _lines(child, depth + 1)


def command_steps(vector: Vector) -> list[Step]:
    """
    Return the script of a `commands` vector.

    Where the plugin is switched off, the plan is made while it is on; a vector that goes back and
    forth ends where it would go back.
    """
    names = Names()
    config = MODES[vector["mode"]]
    off = vector["mode"].startswith("off")
    steps: list[Step] = [{"agent": AGENT, "session": "golden"}]
    switched = not off
    for step in vector["steps"]:
        if "tool" in step:
            if off and switched:
                return steps
            steps.append(tool_step(step, names))
            continue
        if not switched:
            steps += [{"load": [{"tree": config}]}, {"agent": AGENT, "session": "golden"}]
            switched = True
        steps.append(_command_step(step, names, off=off))
    return steps


def _command_step(step: Vector, names: Names, *, off: bool) -> Step:
    words = (step["command"] or "").split()
    verb = words[0] if words else ""
    known = COMMAND.get(verb, "tree.command.unknown")
    refused = {"done": "tree.command.done-refusals", "drop": "tree.command.drop-form"}
    clause = refused.get(verb, known) if step["kind"] == "error" else known
    if off:
        clause = "tree.off.command-form"
    no_session = "session" in step and step["session"] is None
    return {
        "command": f"/task-tree {named(step['command'])}" if step["command"] else "/task-tree",
        "by": "nobody" if no_session else AGENT,
        "says" if step["kind"] == "success" else "error": accepted(step["text"]),
        **names.bind(step["text"]),
        "clause": "tree.command.no-session" if no_session else clause,
    }
