"""
Faults in the three tools and their arguments.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dsh_reference.errors import Rejected
from dsh_reference.host import tools as host
from dsh_reference.host.tools import ToolRegistry
from dsh_reference.tasks import bodies, catalog, plugin, registry
from dsh_reference.tasks.bodies import TaskTools
from dsh_reference.tasks.registry import Reading, TaskRegistry
from faults.kit import Patch
from faults.kit import tasks as fault

Arguments = dict[str, Any]


# The three tools


def built(name: str, clauses: str, change: Callable[[list[Any]], list[Any]]) -> None:
    """
    Register a fault in the tools as they are registered.
    """
    fault.after(name, clauses, plugin, "build_tools", change)


built("offers_no_kill", "tasks.tools.three", lambda tools: tools[:2])
built("offers_a_wait_tool", "tasks.tools.three", lambda t: [*t, replace(t[1], name="task_wait")])
built(
    "lists_by_a_filter",
    "tasks.schema.list",
    lambda t: [t[0], replace(t[1], parameters=_with(t[1].parameters, status="string")), t[2]],
)


def _with(schema: dict[str, Any], **types: str) -> dict[str, Any]:
    more = {name: {"type": kind, "description": name} for name, kind in types.items()}
    return {**schema, "properties": {**schema["properties"], **more}}


def _without(schema: dict[str, Any], name: str) -> dict[str, Any]:
    kept = {key: value for key, value in schema["properties"].items() if key != name}
    return {**schema, "properties": kept}


@fault("tasks.tools.kind-independent")
def knows_bash_alone(patch: Patch) -> None:
    def read(sound: Any, self: TaskRegistry, task_id: str, **who: Any) -> Reading:
        if not task_id.startswith("bash"):
            raise Rejected(f"{task_id} is no shell")
        return sound(self, task_id, **who)

    patch.around(TaskRegistry, "read", read)


fault.after(
    "schema_lacks_wait",
    "tasks.schema.output",
    catalog,
    "_output_parameters",
    lambda schema: _without(schema, "wait"),
)
fault.after(
    "schema_lacks_reason",
    "tasks.schema.kill",
    catalog,
    "_kill_parameters",
    lambda schema: _without(schema, "reason"),
)
fault.after(
    "reason_is_required",
    "tasks.schema.kill",
    catalog,
    "_kill_parameters",
    lambda schema: {**schema, "required": [*schema["required"], "reason"]},
)
fault.after(
    "timeout_is_an_integer",
    "tasks.schema.types",
    catalog,
    "_output_parameters",
    lambda schema: _with(schema, timeout_ms="integer"),
)
fault.after(
    "arguments_are_closed",
    "tasks.arguments.extra",
    catalog,
    "_parameters",
    lambda schema: {**schema, "additionalProperties": False},
)


@fault("tasks.arguments.required")
def takes_the_latest_task_where_none_is_named(patch: Patch) -> None:
    def find(sound: Any, self: TaskTools, arguments: Arguments) -> str:
        known = [entry.id for entry in self._registry._shelves.everything()]
        given = {**dict.fromkeys([self._words.parameter], known[-1] if known else "x"), **arguments}
        return sound(self, given)

    patch.after(catalog, "_parameters", lambda schema: {**schema, "required": []})
    patch.around(TaskTools, "_id", find)


fault.after(
    "words_a_missing_id_otherwise",
    "tasks.arguments.required.text",
    host,
    "violations",
    lambda wrong: [text.replace("missing required property", "got no") for text in wrong],
)


def arguments_become(name: str, clauses: str, change: Callable[[Arguments], Arguments]) -> None:
    """
    Register a fault that repairs arguments before they meet the schema.
    """

    def run(sound: Any, self: ToolRegistry, tool: str, given: Any, call: Any) -> Any:
        return sound(self, tool, change(given) if isinstance(given, dict) else given, call)

    fault.around(name, clauses, ToolRegistry, "_run", run)


arguments_become(
    "ids_are_converted_to_text",
    "tasks.arguments.type",
    lambda given: {k: str(v) if k == "task_id" else v for k, v in given.items()},
)
arguments_become(
    "waits_for_whatever_is_not_false",
    "tasks.arguments.type",
    lambda given: {k: bool(v) if k == "wait" else v for k, v in given.items()},
)
arguments_become(
    "times_are_converted_to_numbers",
    "tasks.arguments.type",
    lambda given: {k: float(v or 1) if k == "timeout_ms" else v for k, v in given.items()},
)
arguments_become(
    "reasons_are_converted_to_text",
    "tasks.arguments.type",
    lambda given: {k: str(v) if k == "reason" else v for k, v in given.items()},
)
fault.text(
    "quotes_an_empty_id_as_python_does",
    "tasks.arguments.empty-id",
    bodies,
    "_BAD_ID",
    "{value}",
    "''",
)
fault.around(
    "empty_id_is_unknown",
    "tasks.arguments.empty-id",
    TaskTools,
    "_id",
    lambda _, self, given: given[self._words.parameter],
)
fault.after("ids_are_trimmed", "tasks.arguments.id-verbatim", TaskTools, "_id", str.strip)


@fault("tasks.arguments.order")
def looks_at_the_time_before_the_id(patch: Patch) -> None:
    def output(sound: Any, self: TaskTools, given: Arguments, call: Any) -> Any:
        if given.get("wait") is True:
            registry.check_timeout(given.get("timeout_ms", 1))
        return sound(self, given, call)

    patch.around(TaskTools, "output", output)
