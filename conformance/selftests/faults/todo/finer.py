"""
Finer faults of `todo_write`: each goes wrong in one situation, which one case alone looks at.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

import json
from typing import Any

from dsh_reference import todo as T  # noqa: N812  # Named at every turn below.
from dsh_reference.errors import ToolError
from dsh_reference.host.tools import ToolRegistry
from faults.kit import Patch
from faults.kit import todo as fault
from faults.todo.arguments import repairs_items, repairs_statuses
from faults.todo.contents import judges, refuse, shows, trim

Todo = dict[str, Any]

# Contents and statuses


def _less(chars: str) -> str:
    return "".join(char for char in T.WHITE_SPACE if char not in chars)


judges(
    "blanks_alone_are_a_content",
    "todo.content.trimmed-first",
    empty=lambda todo: not trim(todo["content"]) and set(todo["content"]) != {" "},
)
judges(
    "compares_with_their_blanks",
    "todo.content.trimmed-first",
    key=lambda todo: todo["content"].strip(_less(" ")),
)
judges(
    "compares_as_ascii_trims",
    "todo.white-space.stripped",
    key=lambda todo: todo["content"].strip(" \t\n\v\f\r"),
)
fault.set("keeps_vertical_tabs", "todo.white-space.stripped", T, "WHITE_SPACE", _less("\v"))
for _name, _char in {
    "a_no_break_space_is_a_content": "\u00a0",
    "an_ideographic_space_is_a_content": "\u3000",
    "a_byte_order_mark_is_a_content": "\ufeff",
}.items():
    judges(
        _name,
        "todo.white-space.stripped",
        empty=lambda todo, char=_char: not trim(todo["content"]) and char not in todo["content"],
    )
judges(
    "keeps_single_blanks_alone",
    "todo.write.content-verbatim",
    keep=lambda text: trim(text).replace(" \t ", " "),
)
judges(
    "takes_lone_surrogates_for_equal",
    "todo.content.exact-equality",
    key=lambda todo: trim(todo["content"]).encode("utf-16", "replace"),
)
shows(
    "escapes_beyond_the_basic_plane",
    "todo.content.duplicate-quoted",
    lambda text: "".join(c if ord(c) < 0x10000 else json.dumps(c)[1:-1] for c in text),
)
shows("escapes_apostrophes", "todo.content.duplicate-quoted", lambda t: t.replace("'", "\\'"))
shows(
    "escapes_carriage_returns",
    "todo.content.duplicate-quoted",
    lambda t: t.replace("\\r", "\\u000d"),
)


# Arguments

repairs_items(
    "joins_a_list_to_a_content",
    "todo.item.types",
    lambda t: (
        {**t, "content": ", ".join(t["content"])} if isinstance(t.get("content"), list) else t
    ),
)
repairs_items(
    "drops_extra_keys_of_null",
    "todo.item.closed",
    lambda t: {k: v for k, v in t.items() if k in {"content", "status"} or v is not None},
)


def asks(name: str, clauses: str, wrong: Any) -> None:
    """
    Register a fault that looks at the arguments before the schema does.
    """

    def run(sound: Any, self: ToolRegistry, tool: str, arguments: Any, call: Any) -> Any:
        todos = arguments.get("todos") if isinstance(arguments, dict) else None
        if tool == T.TOOL and isinstance(todos, list):
            wrong([todo for todo in todos if isinstance(todo, dict)], call)
        return sound(self, tool, arguments, call)

    fault.around(name, clauses, ToolRegistry, "_run", run)


asks(
    "looks_at_a_content_before_extra_keys",
    "todo.order.schema-first",
    lambda todos, _: (
        refuse(T.EMPTY) if any(t.get("content") == "" and len(t) > 2 for t in todos) else None
    ),
)
asks(
    "looks_at_contents_before_later_statuses",
    "todo.order.schema-first",
    lambda todos, _: (
        refuse(T.EMPTY)
        if todos and todos[0].get("content") == "" and todos[-1].get("status") not in T.STATUSES
        else None
    ),
)
asks(
    "asks_for_the_agent_before_the_statuses",
    "todo.order.schema-first",
    lambda todos, call: (
        refuse(T.NO_AGENT)
        if call.agent is None and any(t.get("status") not in T.STATUSES for t in todos)
        else None
    ),
)
asks(
    "asks_for_the_agent_before_duplicates",
    "todo.order.agent-last",
    lambda todos, call: (
        refuse(T.NO_AGENT)
        if call.agent is None and len({t.get("content") for t in todos}) < len(todos)
        else None
    ),
)


# The order of the checks


def _active(todos: list[Todo]) -> int:
    return sum(todo["status"] == "in_progress" for todo in todos)


def counts_before(name: str, is_wrong: Any) -> None:
    """
    Register a fault that counts active items before it looks at one mistake in the contents.
    """

    def check(sound: Any, todos: Any, *, count: Any) -> Any:
        if (
            count is not None
            and _active(todos) > 1
            and is_wrong([trim(t["content"]) for t in todos])
        ):
            raise ToolError(T.TOO_MANY_ACTIVE + count.format(_active(todos)))
        return sound(todos, count=count)

    fault.around(name, "todo.order.count-after-items", T, "checked", check)


counts_before("counts_before_it_looks_for_empty_contents", lambda texts: "" in texts)
counts_before("counts_before_it_compares", lambda texts: len(set(texts)) < len(texts))


@fault("host.tool.unknown")
def tools_of_its_own_that_are_not_there_are_refused_otherwise(patch: Patch) -> None:
    def run(sound: Any, self: ToolRegistry, name: str, arguments: Any, call: Any) -> Any:
        if name.startswith("todo_") and name != T.TOOL:
            raise ToolError(f"{name} is no tool of todo lists")
        return sound(self, name, arguments, call)

    patch.around(ToolRegistry, "_run", run)


repairs_statuses("takes_failed_for_completed", lambda s: "completed" if s == "failed" else s)
