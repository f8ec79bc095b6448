"""
Faults in how arguments meet the schema of `todo_write`.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from dsh_reference import todo as T  # noqa: N812  # Named at every turn below.
from dsh_reference.errors import ToolError
from dsh_reference.host import tools
from dsh_reference.host.tools import ToolRegistry
from faults.kit import Patch
from faults.kit import todo as fault

Todo = dict[str, Any]


def repairs(name: str, clauses: str, change: Callable[[Any], Any], **more: Any) -> None:
    """
    Register a fault that repairs arguments before they meet the schema.
    """

    def run(sound: Any, self: ToolRegistry, tool: str, arguments: Any, call: Any) -> Any:
        return sound(self, tool, change(arguments) if tool == T.TOOL else arguments, call)

    fault.around(name, clauses, ToolRegistry, "_run", run, **more)


def repairs_list(name: str, clauses: str, change: Callable[[Any], Any], **more: Any) -> None:
    """
    Register a fault that repairs the list.
    """

    def whole(arguments: Any) -> Any:
        if not isinstance(arguments, dict) or "todos" not in arguments:
            return arguments
        return {**arguments, "todos": change(arguments["todos"])}

    repairs(name, clauses, whole, **more)


def repairs_items(name: str, clauses: str, change: Callable[[Todo], Any], **more: Any) -> None:
    """
    Register a fault that repairs each item.
    """

    def each(todos: Any) -> Any:
        if not isinstance(todos, list):
            return todos
        return [change(todo) if isinstance(todo, dict) else todo for todo in todos]

    repairs_list(name, clauses, each, **more)


def repairs_statuses(name: str, change: Callable[[str], str]) -> None:
    """
    Register a fault that maps statuses.
    """

    def item(todo: Todo) -> Todo:
        status = todo.get("status")
        return {**todo, "status": change(status)} if isinstance(status, str) else todo

    repairs_items(name, "todo.item.status-known", item)


def tells(name: str, clauses: str, change: Callable[[list[str]], list[str]], **more: Any) -> None:
    """
    Register a fault in how violations are told.
    """
    fault.after(name, clauses, tools, "violations", change, **more)


# Items


def _closed(todo: Todo) -> Todo:
    return {key: value for key, value in todo.items() if key in {"content", "status"}}


repairs_items("drops_extra_keys", "todo.item.closed", _closed)
repairs_list(
    "looks_for_extra_keys_in_the_first_item_only",
    "todo.item.closed",
    lambda todos: (
        todos[:1] + [_closed(t) if isinstance(t, dict) else t for t in todos[1:]]
        if isinstance(todos, list)
        else todos
    ),
)


@fault("todo.item.closed todo.schema.items-closed")
def stores_extra_keys(patch: Patch) -> None:
    item = T.PARAMETERS["properties"]["todos"]["items"]
    patch.set(item, "additionalProperties", value=True)
    patch.around(
        T,
        "checked",
        lambda sound, todos, **k: [a | b for a, b in zip(todos, sound(todos, **k), strict=True)],
    )


repairs_statuses(
    "takes_unknown_statuses_for_pending", lambda s: s if s in T.STATUSES else "pending"
)
repairs_statuses("lower_cases_statuses", str.lower)
repairs_statuses("trims_statuses", str.strip)
repairs_statuses("spells_statuses_for_you", lambda s: "in_progress" if s == "in-progress" else s)


@fault("todo.item.status-known")
def stores_unknown_statuses(patch: Patch) -> None:
    status = T.PARAMETERS["properties"]["todos"]["items"]["properties"]["status"]
    patch.set(
        status, "enum", [*T.STATUSES, "done", "blocked", "PENDING", "in-progress", "", "cancelled"]
    )


repairs_items(
    "statuses_are_pending_by_default",
    "todo.item.required",
    lambda todo: {"status": "pending", **todo},
)
repairs_list(
    "skips_items_without_content",
    "todo.item.required",
    lambda todos: (
        [t for t in todos if not isinstance(t, dict) or "content" in t]
        if isinstance(todos, list)
        else todos
    ),
)
repairs_items(
    "converts_contents_to_text",
    "todo.item.types",
    lambda t: {**t, "content": str(t["content"])} if "content" in t else t,
)
repairs_list(
    "takes_text_for_an_item",
    "todo.item.types",
    lambda todos: (
        [{"content": t, "status": "pending"} if isinstance(t, str) else t for t in todos]
        if isinstance(todos, list)
        else todos
    ),
)


def _parsed(todos: Any) -> Any:
    try:
        return json.loads(todos) if isinstance(todos, str) else todos
    except ValueError:
        return todos


repairs_list("parses_a_list_in_text", "todo.item.types", _parsed)
repairs_list(
    "takes_a_map_for_a_list",
    "todo.item.types",
    lambda todos: list(todos.values()) if isinstance(todos, dict) else todos,
)
repairs(
    "a_missing_list_clears_the_plan",
    "todo.list.required",
    lambda given: (
        {"todos": []} | {k: v for k, v in given.items() if v is not None}
        if isinstance(given, dict)
        else given
    ),
)


# The host's check of arguments


def _object(given: Any) -> Any:
    if given is None:
        return {"todos": []}
    if isinstance(given, list):
        return {"todos": given}
    return json.loads(given) if isinstance(given, str) else given


repairs("takes_anything_for_arguments", "host.arguments.object", _object)
tells(
    "says_required_for_missing",
    "host.arguments.missing",
    lambda wrong: [text.replace("missing required property", "required:") for text in wrong],
)


@fault("host.arguments.type todo.item.closed")
def takes_null_for_absent(patch: Patch) -> None:
    def without(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: without(inner) for key, inner in value.items() if inner is not None}
        return [without(inner) for inner in value] if isinstance(value, list) else value

    patch.around(tools, "violations", lambda sound, schema, value: sound(schema, without(value)))


tells(
    "lists_statuses_without_quotes",
    "host.arguments.enum",
    lambda wrong: [text.replace('["pending","in_progress","completed"]', "any") for text in wrong],
)
tells(
    "says_unknown_for_undeclared",
    "host.arguments.undeclared",
    lambda wrong: [text.partition(" is not a declared")[0] for text in wrong],
)
repairs_items(
    "takes_inherited_names_for_declared",
    "host.arguments.own-keys",
    lambda todo: {k: v for k, v in todo.items() if k not in {"constructor", "toString"}},
)
fault.set(
    "closes_the_top_level",
    "host.arguments.top-level-open",
    T.PARAMETERS,
    "additionalProperties",
    value=False,
)
tells("tells_the_first_violation_only", "host.arguments.all-joined", lambda wrong: wrong[:1])


def _with_commas(sound: Any, *given: Any) -> Any:
    try:
        return sound(*given)
    except ToolError as error:
        raise ToolError(str(error).replace("; ", ", ")) from error


fault.around(
    "joins_violations_by_commas",
    "host.arguments.all-joined",
    ToolRegistry,
    "_run",
    _with_commas,
)


tells(
    "tells_violations_in_order_of_declaration",
    "host.arguments.order",
    lambda wrong: sorted(wrong, key=lambda text: ".status" in text),
)
tells(
    "tells_undeclared_keys_first",
    "host.arguments.order",
    lambda wrong: sorted(wrong, key=lambda text: "declared" not in text),
)
tells(
    "sorts_undeclared_keys",
    "host.arguments.order",
    lambda wrong: [
        *(text for text in wrong if "declared" not in text),
        *sorted(text for text in wrong if "declared" in text),
    ],
)
tells(
    "tells_type_and_enumeration",
    "host.arguments.one-violation-a-node",
    lambda wrong: [
        both
        for text in wrong
        for both in (
            [text, text.replace("a string", 'one of ["pending","in_progress","completed"]')]
            if text.endswith('status" must be a string')
            else [text]
        )
    ],
)


@fault("host.tool.unknown")
def words_an_unknown_tool_otherwise(patch: Patch) -> None:
    def run(sound: Any, self: ToolRegistry, name: str, arguments: Any, call: Any) -> Any:
        if name not in self._tools:
            raise ToolError(f"no tool of the name {name!r}")
        return sound(self, name, arguments, call)

    patch.around(ToolRegistry, "_run", run)


fault.around(
    "presents_broken_arguments",
    "host.arguments.card",
    ToolRegistry,
    "present",
    lambda sound, self, name, given: (
        sound(self, name, given)
        or {"card": "generic", "title": "Update todo list", "kind": "other"}
    ),
)
