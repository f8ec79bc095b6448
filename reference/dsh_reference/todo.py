"""
The `todo_write` tool: an agent's whole task list, replaced by every call.

A call that succeeds appends one `todo/write` event to the caller's session; a call that is refused
appends nothing. Where the host has projections, the standing list is served under `todos`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from dsh_reference.errors import LoadFailed, ToolError
from dsh_reference.host.composition import PluginContext, PluginForm
from dsh_reference.host.json_values import quote
from dsh_reference.host.projections import ProjectionUnit
from dsh_reference.host.tools import Call, Tool, ToolOutcome

__all__ = ["apply", "inject", "name"]

name = "tool-todo"
inject = ("tools",)
defaults: Mapping[str, Any] = {}

Todo = dict[str, str]

TOOL = "todo_write"
EVENT = "todo/write"
STATUSES = ("pending", "in_progress", "completed")

EMPTY = "invalid todo: `content` must be a non-empty string"
DUPLICATE = "invalid todos: duplicate content {}"
TOO_MANY_ACTIVE = "invalid todos: at most one task may be in_progress"
NO_AGENT = "todo_write requires an owning agent session"
UPDATED = "Updated todo list: {pending} pending, {inProgress} in progress, {completed} completed."

# How an edition tells the number of active items; the older one has no say in how many there are.
COUNTS = {"2026-08": ", got {}", "0.1.0-rc.8": " (got {})"}
SETTING = "allowParallelInProgress"
CONFIG_REFUSED = "invalid config:\n  - $.{0} {1} (at {0})"

# What ECMAScript's `trim` strips. Python's own set differs from it at both ends.
WHITE_SPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)

DESCRIPTION = (
    "Record and update a structured task list for the current work. Send the ENTIRE list every"
    " call — it REPLACES the previous list, and nothing of that one is kept. Use it for work of"
    " several steps, and update it as soon as a step begins or ends. {active}"
)
ONE_ACTIVE = "Keep AT MOST ONE todo `in_progress` at a time."
MANY_ACTIVE = "Mark every todo being actively worked on `in_progress`."

PARAMETERS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "todos": {
            "type": "array",
            "description": "The COMPLETE task list, replacing any previous list.",
            "items": {
                "type": "object",
                "properties": {
                    "content": {
                        "type": "string",
                        "description": "What the task is — a short imperative line.",
                    },
                    "status": {
                        "type": "string",
                        "enum": list(STATUSES),
                        "description": (
                            "pending (not started) | in_progress (now) | completed (done)."
                        ),
                    },
                },
                "required": ["content", "status"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["todos"],
}


def apply(ctx: PluginContext, config: Mapping[str, Any]) -> None:
    """
    Register the tool, and the projection wherever a registry is or will be.

    Raises:
        LoadFailed: The edition wants the setting `allowParallelInProgress`, and it is not given.
    """
    parallel = _allows_parallel(config) if ctx.edition == "0.1.0-rc.8" else False
    tool = Tool(
        name=TOOL,
        description=DESCRIPTION.format(active=MANY_ACTIVE if parallel else ONE_ACTIVE),
        parameters=PARAMETERS,
        run=partial(_write, count=None if parallel else COUNTS[ctx.edition]),
        present=_card,
    )
    ctx.on_dispose(ctx.tools.register(tool))
    ctx.on_service("projections", lambda registry: registry.register(PROJECTION))


def for_edition(edition: str) -> PluginForm:
    """
    Return the plugin with the face that it has in an edition.
    """
    exports = ["apply", "inject", "name"]
    if edition == "0.1.0-rc.8":
        exports.insert(1, "Config")
    return PluginForm(name=name, inject=inject, apply=apply, exports=exports)


def checked(todos: Sequence[Todo], *, count: str | None) -> list[Todo]:
    """
    Return the list as it is stored, each content trimmed.

    Args:
        todos: Items of the schema's shape.
        count: How the number of active items is told; None allows any number.

    Raises:
        ToolError: A content is empty or repeated, or too many items are active.
    """
    seen: set[str] = set()
    kept: list[Todo] = []
    for todo in todos:
        content = todo["content"].strip(WHITE_SPACE)
        if not content:
            raise ToolError(EMPTY)
        if content in seen:
            raise ToolError(DUPLICATE.format(quote(content)))
        seen.add(content)
        kept.append({"content": content, "status": todo["status"]})
    active = sum(todo["status"] == "in_progress" for todo in kept)
    if count is not None and active > 1:
        raise ToolError(TOO_MANY_ACTIVE + count.format(active))
    return kept


def _write(arguments: dict[str, Any], call: Call, *, count: str | None) -> ToolOutcome:
    todos = checked(arguments["todos"], count=count)
    if call.agent is None:
        raise ToolError(NO_AGENT)
    call.agent.session.append({"type": EVENT, "todos": todos})
    found = Counter(todo["status"] for todo in todos)
    counts = {
        "pending": found["pending"],
        "inProgress": found["in_progress"],
        "completed": found["completed"],
    }
    return ToolOutcome(UPDATED.format(**counts), value={"todos": todos, "counts": counts})


def _card(arguments: dict[str, Any]) -> dict[str, Any]:
    return {
        "card": "generic",
        "title": "Update todo list",
        "kind": "other",
        "rawInput": arguments["todos"],
    }


def _fold(state: list[Todo] | None, event: dict[str, Any]) -> list[Todo] | None:
    if event["type"] == EVENT:
        todos: list[Todo] = event["todos"]
        return todos
    return None if event["type"] == "turn/start" else state


PROJECTION = ProjectionUnit(key="todos", init=None, apply=_fold, state_version=2)


def _allows_parallel(config: Mapping[str, Any]) -> bool:
    value = config.get(SETTING)
    if value is None:
        raise LoadFailed(CONFIG_REFUSED.format(SETTING, "missing required value"))
    if not isinstance(value, bool):
        shown = value if isinstance(value, str) else json.dumps(value)
        raise LoadFailed(CONFIG_REFUSED.format(SETTING, f"expected boolean but got {shown}"))
    return value
