"""
The tool registry: who is called, with which arguments, and how the outcome reads.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dsh_reference.errors import Rejected, ToolError
from dsh_reference.host.agents import Agent
from dsh_reference.host.deferred import Deferred
from dsh_reference.host.json_values import LossyValueError, snapshot
from dsh_reference.host.listeners import Disposer
from dsh_reference.host.schema import violations
from dsh_reference.host.signals import AbortSignal

ERROR_PREFIX = "Error: "
NOT_LOSSLESS = "tool execution arguments must be losslessly JSON-serializable"


@dataclass(frozen=True)
class ToolOutcome:
    """
    What a tool returns: text for the model, and its canonical value where it has one.
    """

    text: str
    value: Any = None


@dataclass(frozen=True)
class ToolResult:
    """
    How a call ended, as the model sees it.
    """

    text: str
    is_error: bool = False
    value: Any = None


class Call:
    """
    One call of a tool by an agent, or by a caller that is none; `result` is None while it runs.
    """

    def __init__(self, agent: Agent | None) -> None:
        self.agent = agent
        self.signal = AbortSignal()
        self.result: ToolResult | None = None

    def succeed(self, outcome: ToolOutcome) -> None:
        """
        End with what the tool returned.

        An abort that came too late to reach the tool changes nothing: what it has consumed, its
        caller gets to see.
        """
        self.result = ToolResult(outcome.text, value=outcome.value)

    def fail(self, error: Exception) -> None:
        """
        End with a refusal; anything else is a fault of the tool, and is raised.
        """
        if not isinstance(error, ToolError):
            raise error
        self.result = ToolResult(f"{ERROR_PREFIX}{error}", is_error=True)


@dataclass(frozen=True, kw_only=True)
class Tool:
    """
    A tool as it is registered.

    Attributes:
        parameters: JSON Schema of the arguments, an object.
        run: The body; it raises `ToolError` to refuse, and may answer later.
        present: Says how a client shows a call, or None.
    """

    name: str
    description: str
    parameters: dict[str, Any]
    run: Callable[[dict[str, Any], Call], ToolOutcome | Deferred[ToolOutcome]]
    present: Callable[[dict[str, Any]], dict[str, Any] | None] = lambda _: None


class ToolRegistry:
    """
    The tools of one composition, in order of registration.
    """

    def __init__(self) -> None:
        self._tools: dict[str, Tool] = {}

    def register(self, tool: Tool) -> Disposer:
        """
        Add a tool and return what removes it.

        Raises:
            Rejected: The name is taken.
        """
        if tool.name in self._tools:
            raise Rejected(
                f'tool "{tool.name}" is already registered (for a per-agent variant, register'
                " through that agent's `agent.ctx` instead)"
            )
        self._tools[tool.name] = tool

        def remove() -> None:
            if self._tools.get(tool.name) is tool:
                del self._tools[tool.name]

        return remove

    def list(self) -> list[dict[str, Any]]:
        """
        Return what the model is told of each tool.
        """
        return [
            {"name": each.name, "description": each.description, "parameters": each.parameters}
            for each in self._tools.values()
        ]

    def call(self, name: str, arguments: Any, *, agent: Agent | None = None) -> Call:
        """
        Begin a call: it has its result already, or gets it when the tool answers.
        """
        call = Call(agent)
        try:
            outcome = self._run(name, arguments, call)
        except ToolError as error:
            call.fail(error)
            return call
        if isinstance(outcome, Deferred):
            outcome.then(call.succeed, call.fail)
        else:
            call.succeed(outcome)
        return call

    def present(self, name: str, arguments: Any) -> dict[str, Any] | None:
        """
        Return the card of a call, or None where the tool or its arguments give none.
        """
        tool = self._tools.get(name)
        if tool is None or violations(tool.parameters, arguments):
            return None
        return tool.present(arguments)

    def _run(self, name: str, arguments: Any, call: Call) -> ToolOutcome | Deferred[ToolOutcome]:
        try:
            kept = snapshot(arguments)
        except LossyValueError as error:
            raise ToolError(NOT_LOSSLESS) from error
        tool = self._tools.get(name)
        if tool is None:
            raise ToolError(f'unknown tool "{name}"')
        if wrong := violations(tool.parameters, kept):
            raise ToolError(f"invalid arguments: {'; '.join(wrong)}")
        return tool.run(kept, call)
