"""
Faults in what a call of `todo_write` does with a list that is in order.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

from typing import Any

from dsh_reference import todo as T  # noqa: N812  # Named at every turn below.
from dsh_reference.errors import ToolError
from dsh_reference.host.agents import Agent
from dsh_reference.host.log import Session
from dsh_reference.host.tools import Call, ToolOutcome
from faults.kit import Patch, memory
from faults.kit import todo as fault

Todo = dict[str, str]
SOUND = T._write
HELLO = {
    "kind": "user",
    "text": "list updated",
    "source": {"kind": "plugin", "plugin": "tool-todo"},
}


def write_nothing(arguments: dict[str, Any], call: Call, **more: Any) -> ToolOutcome:
    """
    Answer as the tool does, without its event.
    """
    agent, call.agent = call.agent, None if call.agent is None else Agent("", Session(""), print)
    try:
        return SOUND(arguments, call, **more)
    finally:
        call.agent = agent


def outcome(name: str, clauses: str, change: Any, **more: Any) -> None:
    """
    Register a fault in what a call returns.
    """
    fault.after(name, clauses, T, "_write", lambda o: change(o.text, o.value), **more)


def stored(name: str, clauses: str, change: Any, **more: Any) -> None:
    """
    Register a fault in the list that is stored.
    """
    fault.after(name, clauses, T, "checked", change, **more)


# The event


@fault("todo.write.one-event")
def appends_the_event_twice(patch: Patch) -> None:
    def run(sound: Any, arguments: Any, call: Call, **more: Any) -> ToolOutcome:
        sound(arguments, call, **more)
        return sound(arguments, call, **more)

    patch.around(T, "_write", run)


@fault("todo.write.one-event")
def appends_one_event_an_item(patch: Patch) -> None:
    def run(sound: Any, arguments: Any, call: Call, **more: Any) -> ToolOutcome:
        for count in range(1, len(arguments["todos"])):
            sound({"todos": arguments["todos"][:count]}, call, **more)
        return sound(arguments, call, **more)

    patch.around(T, "_write", run)


fault.set("appends_no_event", "todo.write.one-event", T, "_write", write_nothing)


@fault("todo.write.empty-list todo.projection.takes-list")
def empty_list_appends_no_event(patch: Patch) -> None:
    patch.around(
        T, "_write", lambda sound, a, c, **k: (sound if a["todos"] else write_nothing)(a, c, **k)
    )


@fault("todo.write.one-event")
def same_list_again_appends_no_event(patch: Patch) -> None:
    last = memory(patch)

    def run(sound: Any, arguments: Any, call: Call, **more: Any) -> ToolOutcome:
        before, last[call.agent] = last.get(call.agent), arguments["todos"]
        return (write_nothing if before == arguments["todos"] else sound)(arguments, call, **more)

    patch.around(T, "_write", run)


@fault("todo.event.log-only")
def says_so_in_a_message(patch: Patch) -> None:
    def run(sound: Any, arguments: Any, call: Call, **more: Any) -> ToolOutcome:
        result = sound(arguments, call, **more)
        call.agent.session.say(HELLO)
        return result

    patch.around(T, "_write", run)


stored(
    "items_gain_an_id",
    "todo.write.event-is-snapshot",
    lambda todos: [{**todo, "id": str(i)} for i, todo in enumerate(todos)],
)
stored(
    "only_open_items_are_stored",
    "todo.write.event-is-snapshot",
    lambda todos: [todo for todo in todos if todo["status"] != "completed"],
)
stored(
    "items_are_sorted_by_content",
    "todo.write.keeps-order",
    lambda todos: sorted(todos, key=lambda todo: todo["content"]),
)
stored(
    "items_are_sorted_by_status",
    "todo.write.keeps-order",
    lambda todos: sorted(todos, key=lambda todo: todo["status"]),
)
stored(
    "items_are_keyed_by_their_words",
    "todo.write.event-is-snapshot",
    lambda todos: list(
        {" ".join(sorted(t["content"].replace("-", " ").split())): t for t in todos}.values()
    ),
)
stored(
    "contents_that_look_false_are_left_out",
    "todo.write.event-is-snapshot",
    lambda todos: [todo for todo in todos if todo["content"] not in {"0", "null"}],
)


# The earlier list


@fault("todo.write.replaces-whole-list")
def merges_into_the_earlier_list(patch: Patch) -> None:
    kept = memory(patch)

    def run(sound: Any, arguments: Any, call: Call, **more: Any) -> ToolOutcome:
        mine = kept.setdefault(call.agent, {})
        T.checked(arguments["todos"], **more)
        mine |= {todo["content"].strip(): todo["status"] for todo in arguments["todos"]}
        merged = [{"content": content, "status": status} for content, status in mine.items()]
        return sound({"todos": merged}, call, **more)

    patch.around(T, "_write", run)


@fault("todo.write.stands-alone")
def earlier_contents_are_duplicates(patch: Patch) -> None:
    seen = memory(patch)

    def run(sound: Any, arguments: Any, call: Call, **more: Any) -> ToolOutcome:
        mine = seen.setdefault(call.agent, set())
        for todo in arguments["todos"]:
            if todo["content"] in mine:
                raise ToolError(T.DUPLICATE.format(T.quote(todo["content"])))
        result = sound(arguments, call, **more)
        mine |= {todo["content"] for todo in arguments["todos"]}
        return result

    patch.around(T, "_write", run)


@fault("todo.write.stands-alone")
def earlier_active_items_count(patch: Patch) -> None:
    active = memory(patch)

    def run(sound: Any, arguments: Any, call: Call, **more: Any) -> ToolOutcome:
        mine = active.setdefault(call.agent, set())
        result = sound(arguments, call, **more)
        mine |= {t["content"] for t in arguments["todos"] if t["status"] == "in_progress"}
        if len(mine) > 1:
            raise ToolError(T.TOO_MANY_ACTIVE + f", got {len(mine)}")
        return result

    patch.around(T, "_write", run)


@fault("todo.write.progress-is-the-models")
def completed_items_stay_completed(patch: Patch) -> None:
    done = memory(patch)

    def run(sound: Any, arguments: Any, call: Call, **more: Any) -> ToolOutcome:
        mine = done.setdefault(call.agent, set())
        if any(t["content"] in mine and t["status"] != "completed" for t in arguments["todos"]):
            raise ToolError("a completed task cannot be reopened")
        mine |= {t["content"] for t in arguments["todos"] if t["status"] == "completed"}
        return sound(arguments, call, **more)

    patch.around(T, "_write", run)


@fault("todo.write.progress-is-the-models")
def one_item_must_be_active(patch: Patch) -> None:
    def check(todos: list[Todo]) -> list[Todo]:
        statuses = {todo["status"] for todo in todos}
        if "pending" in statuses and "in_progress" not in statuses:
            raise ToolError("exactly one task must be in_progress")
        return todos

    patch.after(T, "checked", check)


@fault("todo.write.progress-is-the-models")
def items_are_worked_in_order(patch: Patch) -> None:
    ranks = ["completed", "in_progress", "pending"]

    def check(todos: list[Todo]) -> list[Todo]:
        found = [ranks.index(todo["status"]) for todo in todos]
        if found != sorted(found):
            raise ToolError("tasks are worked in order")
        return todos

    patch.after(T, "checked", check)


# Limits


@fault("todo.write.empty-list")
def refuses_an_empty_list(patch: Patch) -> None:
    def check(todos: list[Todo]) -> list[Todo]:
        if not todos:
            raise ToolError("todos must not be empty")
        return todos

    patch.after(T, "checked", check)


@fault("todo.write.no-limits")
def refuses_more_than_twenty_items(patch: Patch) -> None:
    def check(todos: list[Todo]) -> list[Todo]:
        if len(todos) > 20:
            raise ToolError("at most 20 todos")
        return todos

    patch.after(T, "checked", check)


stored(
    "long_contents_are_cut",
    "todo.write.no-limits",
    lambda todos: [{**todo, "content": todo["content"][:200]} for todo in todos],
)


# The result

fault.text(
    "pending_and_completed_change_places",
    "todo.result.text",
    T,
    "UPDATED",
    "{pending} pending, {inProgress} in progress, {completed}",
    "{completed} pending, {inProgress} in progress, {pending}",
)
fault.text("says_the_list_was_written", "todo.result.text", T, "UPDATED", "Updated", "Wrote")
fault.set(
    "counts_everything_as_pending",
    "todo.result.text",
    T,
    "Counter",
    lambda all_: {"pending": len(list(all_)), "in_progress": 0, "completed": 0},
)
outcome("returns_text_alone", "todo.result.value", lambda text, _: ToolOutcome(text))
outcome(
    "counts_are_spelt_in_progress",
    "todo.result.value",
    lambda text, v: ToolOutcome(
        text, {**v, "counts": {k.replace("P", "_p"): n for k, n in v["counts"].items()}}
    ),
)
outcome(
    "leaves_out_counts_of_zero",
    "todo.result.value",
    lambda text, v: ToolOutcome(text, {**v, "counts": {k: n for k, n in v["counts"].items() if n}}),
)
fault.around(
    "value_echoes_the_arguments",
    "todo.result.value-as-stored",
    T,
    "_write",
    lambda sound, a, c, **k: ToolOutcome(
        (o := sound(a, c, **k)).text, {**o.value, "todos": a["todos"]}
    ),
)
outcome(
    "result_restates_the_list",
    "todo.result.fixed-shape",
    lambda text, v: ToolOutcome(text + "".join(f"\n- {t['content']}" for t in v["todos"]), v),
)
outcome(
    "long_lists_get_other_words",
    "todo.result.fixed-shape",
    lambda text, v: ToolOutcome("Updated a long list." if len(v["todos"]) > 99 else text, v),
)
