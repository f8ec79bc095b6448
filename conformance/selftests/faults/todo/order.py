"""
Faults in how active items are counted, and in the order of the checks.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dsh_reference import todo as T  # noqa: N812  # Named at every turn below.
from dsh_reference.errors import ToolError
from dsh_reference.host.tools import ToolRegistry
from faults.kit import Patch
from faults.kit import todo as fault
from faults.todo.contents import Todo, before, refuse, trim

# Active items


@fault("todo.active.at-most-one")
def any_number_may_be_active(patch: Patch) -> None:
    patch.around(T, "checked", lambda sound, todos, **_: sound(todos, count=None))


@fault("todo.active.at-most-one")
def further_active_items_wait(patch: Patch) -> None:
    def check(sound: Any, todos: Any, **_: Any) -> list[Todo]:
        kept: list[Todo] = sound(todos, count=None)
        for later in [todo for todo in kept if todo["status"] == "in_progress"][1:]:
            later["status"] = "pending"
        return kept

    patch.around(T, "checked", check)


def _counts(name: str, clauses: str, tell: Callable[[list[Todo], int], int | None]) -> None:
    def check(sound: Any, todos: Any, *, count: Any) -> list[Todo]:
        kept: list[Todo] = sound(todos, count=None)
        told = tell(kept, sum(todo["status"] == "in_progress" for todo in kept))
        if told is not None and count is not None:
            raise ToolError(T.TOO_MANY_ACTIVE + count.format(told))
        return kept

    fault.around(name, clauses, T, "checked", check)


_counts("stops_counting_at_two", "todo.active.count", lambda _, active: 2 if active > 1 else None)
_counts("counts_the_whole_list", "todo.active.count", lambda kept, n: len(kept) if n > 1 else None)
_counts("no_item_may_be_active", "todo.active.at-most-one", lambda _, active: active or None)
fault.set(
    "counts_in_brackets",
    "todo.active.at-most-one",
    T,
    "COUNTS",
    {"2026-08": " (got {})", "0.1.0-rc.8": " (got {})"},
)


# The order of the checks


def _is_empty(todo: Todo) -> bool:
    return not trim(todo["content"])


@fault("todo.order.items-in-turn")
def looks_for_duplicates_first(patch: Patch) -> None:
    def check(sound: Any, todos: Any, *, count: Any) -> list[Todo]:
        sound([todo for todo in todos if not _is_empty(todo)], count=None)
        return sound(todos, count=count)

    patch.around(T, "checked", check)


before(
    "looks_for_emptiness_first",
    "todo.order.items-in-turn",
    lambda todos: refuse(T.EMPTY) if any(map(_is_empty, todos)) else todos,
)


@fault("todo.order.items-in-turn")
def names_the_last_duplicate(patch: Patch) -> None:
    def check(sound: Any, todos: Any, *, count: Any) -> list[Todo]:
        contents = [trim(todo["content"]) for todo in todos]
        repeated = [text for i, text in enumerate(contents) if text and text in contents[:i]]
        if len(repeated) > 1:
            raise ToolError(T.DUPLICATE.format(T.quote(repeated[-1])))
        return sound(todos, count=count)

    patch.around(T, "checked", check)


@fault("todo.order.count-after-items")
def counts_active_items_first(patch: Patch) -> None:
    def check(sound: Any, todos: Any, *, count: Any) -> list[Todo]:
        active = sum(todo["status"] == "in_progress" for todo in todos)
        if count is not None and active > 1:
            raise ToolError(T.TOO_MANY_ACTIVE + count.format(active))
        return sound(todos, count=count)

    patch.around(T, "checked", check)


@fault("todo.order.agent-last")
def asks_for_the_agent_first(patch: Patch) -> None:
    patch.around(
        T,
        "_write",
        lambda sound, a, c, **k: sound(a, c, **k) if c.agent else refuse(T.NO_AGENT),
    )


@fault("todo.order.agent-last")
def counts_active_items_after_the_agent(patch: Patch) -> None:
    patch.around(
        T, "_write", lambda sound, a, c, *, count: sound(a, c, count=count if c.agent else None)
    )


@fault("todo.order.schema-first")
def asks_for_the_agent_before_the_schema(patch: Patch) -> None:
    def run(sound: Any, self: ToolRegistry, name: str, arguments: Any, call: Any) -> Any:
        if name == T.TOOL and call.agent is None:
            raise ToolError(T.NO_AGENT)
        return sound(self, name, arguments, call)

    patch.around(ToolRegistry, "_run", run)


@fault("todo.order.schema-first")
def looks_at_contents_before_the_schema(patch: Patch) -> None:
    def run(sound: Any, self: ToolRegistry, name: str, arguments: Any, call: Any) -> Any:
        todos = arguments.get("todos") if isinstance(arguments, dict) else None
        for todo in todos if isinstance(todos, list) else ():
            if isinstance(todo, dict) and trim(str(todo.get("content", "x"))) == "":
                raise ToolError(T.EMPTY)
        return sound(self, name, arguments, call)

    patch.around(ToolRegistry, "_run", run)
