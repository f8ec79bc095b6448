"""
Faults in whose list a call writes, and in what a refusal leaves behind.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

from typing import Any

from dsh_reference import todo as T  # noqa: N812  # Named at every turn below.
from dsh_reference.errors import ToolError
from dsh_reference.host.tools import Call, Tool, ToolOutcome, ToolRegistry
from faults.kit import Patch, memory
from faults.kit import todo as fault

# Whose list it is

fault.text("no_agent_is_told_otherwise", "todo.owner.required", T, "NO_AGENT", "an owning", "some")


@fault("todo.owner.required")
def claims_success_without_an_agent(patch: Patch) -> None:
    patch.around(T, "_write", lambda sound, a, c, **k: (sound if c.agent else _claim)(a, c, **k))


def _claim(arguments: Any, _: Call, **more: Any) -> ToolOutcome:
    count = len(T.checked(arguments["todos"], **more))
    return ToolOutcome(f"Updated todo list: {count} pending, 0 in progress, 0 completed.")


@fault("todo.owner.required")
def takes_an_empty_list_from_nobody(patch: Patch) -> None:
    patch.around(
        T,
        "_write",
        lambda sound, a, c, **k: (sound if c.agent or a["todos"] else _claim)(a, c, **k),
    )


@fault("todo.owner.nowhere-to-write")
def writes_for_nobody_to_the_first_session(patch: Patch) -> None:
    first = memory(patch)

    def run(sound: Any, arguments: Any, call: Call, **more: Any) -> ToolOutcome:
        if call.agent is not None:
            first.setdefault("agent", call.agent)
        elif first:
            first["agent"].session.append({"type": T.EVENT, "todos": arguments["todos"]})
        return sound(arguments, call, **more)

    patch.around(T, "_write", run)


@fault("todo.owner.calling-session todo.owner.no-shared-scope")
def all_agents_share_one_list(patch: Patch) -> None:
    first = memory(patch)

    def run(sound: Any, arguments: Any, call: Call, **more: Any) -> ToolOutcome:
        if call.agent is not None:
            call.agent = first.setdefault("agent", call.agent)
        return sound(arguments, call, **more)

    patch.around(T, "_write", run)


@fault("todo.owner.calling-session")
def writes_to_the_first_session_too(patch: Patch) -> None:
    first = memory(patch)

    def run(sound: Any, arguments: Any, call: Call, **more: Any) -> ToolOutcome:
        result = sound(arguments, call, **more)
        agent = first.setdefault("agent", call.agent)
        if agent is not call.agent:
            agent.session.append({"type": T.EVENT, "todos": result.value["todos"]})
        return result

    patch.around(T, "_write", run)


@fault("todo.owner.calling-session")
def contents_are_unique_across_sessions(patch: Patch) -> None:
    owners = memory(patch)

    def run(sound: Any, arguments: Any, call: Call, **more: Any) -> ToolOutcome:
        for todo in arguments["todos"]:
            if owners.get(todo["content"], call.agent) is not call.agent:
                raise ToolError(T.DUPLICATE.format(T.quote(todo["content"])))
        result = sound(arguments, call, **more)
        owners.update({todo["content"]: call.agent for todo in arguments["todos"]})
        return result

    patch.around(T, "_write", run)


# What a refusal leaves behind


@fault("todo.refused.writes-nothing")
def clears_the_list_before_the_checks(patch: Patch) -> None:
    def run(sound: Any, arguments: Any, call: Call, **more: Any) -> ToolOutcome:
        try:
            return sound(arguments, call, **more)
        except ToolError:
            if call.agent is not None:
                call.agent.session.append({"type": T.EVENT, "todos": []})
            raise

    patch.around(T, "_write", run)


@fault("todo.refused.writes-nothing")
def appends_before_the_checks(patch: Patch) -> None:
    def run(sound: Any, arguments: Any, call: Call, **more: Any) -> ToolOutcome:
        try:
            return sound(arguments, call, **more)
        except ToolError:
            if call.agent is not None:
                call.agent.session.append({"type": T.EVENT, "todos": arguments["todos"]})
            raise

    patch.around(T, "_write", run)


@fault("todo.write.stands-alone")
def a_refusal_spoils_the_next_call(patch: Patch) -> None:
    refused = memory(patch)

    def run(sound: Any, arguments: Any, call: Call, **more: Any) -> ToolOutcome:
        if refused.pop("yes", False):
            raise ToolError("the last call was refused")
        try:
            return sound(arguments, call, **more)
        except ToolError:
            refused["yes"] = True
            raise

    patch.around(T, "_write", run)


# The tool among others


def _none(_: Any, __: Call) -> ToolOutcome:
    return ToolOutcome("(no todos)")


@fault("todo.tool.only-one")
def offers_a_tool_to_read_the_list(patch: Patch) -> None:
    def apply(sound: Any, ctx: Any, config: Any) -> None:
        sound(ctx, config)
        tool = Tool(name="todo_read", description="Read.", parameters={"type": "object"}, run=_none)
        ctx.on_dispose(ctx.tools.register(tool))

    patch.around(T, "apply", apply)


fault.around(
    "tool_outlives_the_plugin",
    "todo.tool.leaves-with-plugin",
    ToolRegistry,
    "register",
    lambda sound, self, tool: (sound(self, tool), lambda: None)[1],
)


@fault("todo.tool.no-prompt-section")
def adds_a_prompt_section(patch: Patch) -> None:
    def apply(sound: Any, ctx: Any, config: Any) -> None:
        sound(ctx, config)
        ctx.on_dispose(ctx.prompt.add("tool:todo", 100, text="Plan your work."))

    patch.around(T, "apply", apply)
