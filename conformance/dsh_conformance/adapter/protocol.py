"""
The protocol's words: version, method names, error codes, and what comes back from a call.

`docs/adapter-protocol.md` describes it for authors; the schemas under `spec/schemas/protocol/`
state it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

PROTOCOL_VERSION = 1

METHODS = (
    "initialize",
    "reset",
    "reload",
    "plugin.unload",
    "service.mount",
    "together",
    "plugin.describe",
    "shutdown",
    "agent.create",
    "agent.dispose",
    "agent.say",
    "agent.inbox",
    "agent.idle",
    "log.append",
    "log.read",
    "surface.read",
    "request.read",
    "step.enter",
    "step.poll",
    "step.abort",
    "turn.stop",
    "tools.list",
    "tools.call",
    "tools.poll",
    "tools.abort",
    "tools.present",
    "projection.read",
    "projection.fold",
    "tasks.start",
    "tasks.emit",
    "tasks.settle",
    "tasks.cancellations",
    "commands.list",
    "commands.run",
    "clock.advance",
    "panel.read",
)

CAPABILITIES = (
    "todo",
    "todo.projection",
    "todo.present",
    "todo.exports",
    "tasks",
    "tasks.present",
    "tasks.dispose",
    "tree",
    "tree.fold",
    "tree.commands",
    "tree.pause",
    "tree.autocontinue",
    "tree.state",
    "tree.panel",
    "log",
    "surface",
    "request",
)

METHOD_NOT_FOUND = -32601
INTERNAL_ERROR = -32603
UNSUPPORTED = 1
LOAD_FAILED = 2
REJECTED = 3

OBSERVATIONS = frozenset({LOAD_FAILED, REJECTED})


@dataclass(frozen=True, slots=True)
class Reply:
    """
    One answer: a `result`, or an error with `code`, `message` and `data`.
    """

    result: Any = None
    code: int | None = None
    message: str = ""
    data: Any = None

    @property
    def ok(self) -> bool:
        """
        Whether the call was carried out.
        """
        return self.code is None


@dataclass(frozen=True, slots=True)
class AdapterInfo:
    """
    What an adapter said of itself in `initialize`.
    """

    name: str
    version: str
    language: str
    editions: tuple[str, ...]
    capabilities: frozenset[str]
    clock: str
    homepage: str | None = None

    @classmethod
    def from_result(cls, result: dict[str, Any]) -> AdapterInfo:
        """
        Read the (schema-checked) result of `initialize`.
        """
        implementation = result["implementation"]
        return cls(
            name=implementation["name"],
            version=implementation["version"],
            language=implementation["language"],
            homepage=implementation.get("homepage"),
            editions=tuple(result["editions"]),
            capabilities=frozenset(result["capabilities"]),
            clock=result["clock"],
        )
