"""
Faults in what the plugin shows of itself: schema, description, card, exports, setting.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any

from dsh_reference import catalog
from dsh_reference import todo as T  # noqa: N812  # Named at every turn below.
from dsh_reference.errors import LoadFailed, ToolError
from dsh_reference.host.log import Session
from dsh_reference.host.tools import ToolRegistry
from faults.kit import JOBS_EDITION, Patch
from faults.kit import todo as fault


def declares(name: str, clauses: str, change: Callable[[dict[str, Any]], Any], **more: Any) -> None:
    """
    Register a fault in the parameters as the model sees them; the check stays as it is.
    """

    def shown(listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
        listed = deepcopy(listed)
        for tool in listed:
            change(tool["parameters"])
        return listed

    fault.after(name, clauses, ToolRegistry, "list", shown, **more)


# What the model and a client see

declares("list_is_optional", "todo.schema.todos-required", lambda schema: schema.pop("required"))


@fault("todo.schema.todos-required")
def list_is_called_items(patch: Patch) -> None:
    inner = T.PARAMETERS["properties"]["todos"]
    patch.set(
        T, "PARAMETERS", {**T.PARAMETERS, "properties": {"items": inner}, "required": ["items"]}
    )
    patch.around(T, "_write", lambda sound, a, c, **k: sound({"todos": a["items"]}, c, **k))


def _item(schema: dict[str, Any]) -> dict[str, Any]:
    return schema["properties"]["todos"]["items"]


declares(
    "status_is_optional",
    "todo.schema.item-fields",
    lambda schema: _item(schema).update(required=["content"]),
)
declares(
    "says_items_are_open",
    "todo.schema.items-closed",
    lambda schema: _item(schema).update(additionalProperties=True),
)
declares(
    "describes_the_list_otherwise",
    "todo.schema.texts",
    lambda schema: schema["properties"]["todos"].update(description="All todos."),
)
declares(
    "describes_statuses_otherwise",
    "todo.schema.texts",
    lambda schema: _item(schema)["properties"]["status"].update(description="Its state."),
)


@fault("todo.schema.fixed-cost")
def description_counts_the_calls(patch: Patch) -> None:
    calls = [0]

    def run(sound: Any, *given: Any, **more: Any) -> Any:
        calls[0] += 1
        return sound(*given, **more)

    def shown(listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{**t, "description": f"{t['description']} ({calls[0]} calls)"} for t in listed]

    patch.around(T, "_write", run)
    patch.after(ToolRegistry, "list", shown)


fault.text(
    "description_calls_it_an_update",
    "todo.description.whole-list",
    T,
    "DESCRIPTION",
    "Send the ENTIRE list every call — it REPLACES",
    "Send what changes — it updates",
)
fault.set(
    "description_wants_exactly_one",
    "todo.description.one-active",
    T,
    "ONE_ACTIVE",
    "Keep EXACTLY ONE todo `in_progress`.",
)


def _card(name: str, clauses: str, change: Callable[[dict[str, Any]], Any], **more: Any) -> None:
    fault.after(name, clauses, T, "_card", lambda card: card | change(card), **more)


_card("card_is_called_todos", "todo.card.shape", lambda _: {"title": "Todos"})
_card("card_is_of_another_kind", "todo.card.shape", lambda _: {"kind": "edit"})
_card(
    "card_shows_trimmed_contents",
    "todo.card.shape",
    lambda card: {"rawInput": [{**t, "content": t["content"].strip()} for t in card["rawInput"]]},
)


@fault("todo.card.soft")
def withholds_the_card_of_a_bad_list(patch: Patch) -> None:
    def present(sound: Any, arguments: Any) -> Any:
        try:
            T.checked(arguments["todos"], count="{}")
        except ToolError:
            return None
        return sound(arguments)

    patch.around(T, "_card", present)


def _form(name: str, clauses: str, change: Callable[[Any], Any], **more: Any) -> None:
    fault.after(name, clauses, T, "for_edition", change, **more)


_form(
    "exports_no_inject",
    "todo.exports.names",
    lambda f: replace(f, exports=[each for each in f.exports if each != "inject"]),
)
_form(
    "has_a_default_export",
    "todo.exports.no-default",
    lambda f: replace(f, exports=[*f.exports, "default"]),
)
fault.after(
    "injects_the_projections",
    "todo.exports.values",
    catalog,
    "describe",
    lambda described: {**described, "inject": ["tools", "sessionProjections"]},
)


# The required setting of the older edition

fault.set(
    "setting_is_off_by_default",
    "todo.config.required",
    T,
    "_allows_parallel",
    lambda config: bool(config.get(T.SETTING)),
    edition=JOBS_EDITION,
)


@fault("todo.config.boolean", edition=JOBS_EDITION)
def setting_is_converted(patch: Patch) -> None:
    def read(config: Any) -> bool:
        if config.get(T.SETTING) is None:
            raise LoadFailed(T.CONFIG_REFUSED.format(T.SETTING, "missing required value"))
        return bool(config[T.SETTING])

    patch.set(T, "_allows_parallel", read)


fault.around(
    "setting_is_ignored",
    "todo.config.parallel-allowed",
    T,
    "_allows_parallel",
    lambda sound, config: sound(config) and False,
    edition=JOBS_EDITION,
)


@fault("todo.config.parallel-still-checked", edition=JOBS_EDITION)
def parallel_lists_are_not_checked(patch: Patch) -> None:
    patch.around(
        T, "checked", lambda sound, todos, *, count: sound(todos, count=count) if count else todos
    )


fault.set(
    "parallel_lists_are_not_described",
    "todo.config.parallel-described",
    T,
    "MANY_ACTIVE",
    T.ONE_ACTIVE,
    edition=JOBS_EDITION,
)


# What stays in the context


def _messages(name: str, clauses: str, change: Callable[[list[Any]], list[Any]]) -> None:
    fault.after(name, clauses, Session, "messages", change)


def _shortened(messages: list[Any]) -> list[Any]:
    ours = [
        i for i, m in enumerate(messages) if any(c["name"] == T.TOOL for c in m.get("calls", ()))
    ]
    kept = list(messages)
    for i in ours:
        kept[i] = {**kept[i], "calls": [{**c, "arguments": "{}"} for c in kept[i]["calls"]]}
    return kept


def _without_refused(messages: list[Any]) -> list[Any]:
    refused = {m["call"] for m in messages if m["kind"] == "tool" and m["text"].startswith("Error")}
    if not messages or messages[-1].get("call") in refused:
        return messages
    return [
        m
        for m in messages
        if m.get("call") not in refused and not any(c["id"] in refused for c in m.get("calls", ()))
    ]


_messages("cuts_the_arguments_of_the_call", "todo.call.arguments-stay", _shortened)
_messages("takes_refused_calls_out_of_the_context", "todo.request.append-only", _without_refused)
