"""
Finer faults in the result of `todo_write`, in its event and in its projection.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

import json
from typing import Any

from dsh_reference import todo as T  # noqa: N812  # Named at every turn below.
from dsh_reference.host.composition import Composition
from dsh_reference.host.projections import ProjectionRegistry
from dsh_reference.host.tools import ToolOutcome
from faults.kit import Patch, memory
from faults.kit import todo as fault
from faults.todo.projection import folds
from faults.todo.write import outcome

Todo = dict[str, Any]

# The result and the event

outcome(
    "an_empty_list_has_no_counts",
    "todo.result.value",
    lambda text, v: ToolOutcome(text, v if v["todos"] else {**v, "counts": {}}),
)
outcome(
    "counts_say_whether_there_are_any",
    "todo.result.value",
    lambda text, v: ToolOutcome(
        text, {**v, "counts": {key: min(n, 1) for key, n in v["counts"].items()}}
    ),
)


# The projection


def _is_note(event: dict[str, Any]) -> bool:
    return event["type"] == "message" and event["message"]["kind"] == "user"


folds(
    "an_unfinished_list_of_two_outlives_the_turn",
    "todo.projection.turn-start-clears",
    lambda state, event: (
        state
        if event["type"] == "turn/start"
        and {"in_progress", "pending"} == {todo["status"] for todo in state or ()}
        else ...
    ),
)
folds(
    "plugins_that_speak_clear",
    "todo.projection.other-events-keep",
    lambda _, event: (
        None
        if _is_note(event) and (event["message"].get("source") or {}).get("plugin") == "tool-tasks"
        else ...
    ),
)


@fault("todo.projection.takes-list")
def an_empty_list_reads_as_nothing(patch: Patch) -> None:
    patch.after(ProjectionRegistry, "value", lambda value: None if value == [] else value)


@fault("todo.projection.takes-list")
def an_empty_list_folds_to_nothing(patch: Patch) -> None:
    patch.after(
        ProjectionRegistry,
        "fold",
        lambda found: ([None if value == [] else value for value in found[0]], found[1]),
    )


def late(name: str, clauses: str, method: str, value: Any) -> None:
    """
    Register a fault of a registry that comes late: `method` of the composition brings it.
    """

    def apply(patch: Patch) -> None:
        came = memory(patch)

        def bring(sound: Any, self: Composition, *given: Any) -> Any:
            result = sound(self, *given)
            came["late"] = True
            return result

        def read(sound: Any, self: ProjectionRegistry, session: Any, key: str) -> Any:
            return value(session.events) if came else sound(self, session, key)

        patch.around(Composition, method, bring)
        patch.around(ProjectionRegistry, "value", read)

    fault.plant(name, clauses, apply, {})


def _writes(events: list[dict[str, Any]]) -> list[Any]:
    return [event["todos"] for event in events if event["type"] == T.EVENT]


def _latest(events: list[dict[str, Any]]) -> Any:
    return (_writes(events) or [None])[-1]


def _first(events: list[dict[str, Any]]) -> Any:
    begun = [i for i, event in enumerate(events) if event["type"] == "turn/start"]
    return (_writes(events[begun[-1] if begun else 0 :]) or [None])[0]


late(
    "a_restart_brings_the_first_write_back",
    "todo.replay.last-write-wins",
    "reload",
    _first,
)
late("a_restart_overlooks_turns", "todo.replay.last-write-wins", "reload", _latest)


BROKEN: tuple[()] = ()


def _end_at_broken_calls(state: Any, event: dict[str, Any]) -> Any:
    for call in event.get("message", {}).get("calls", ()):
        try:
            json.loads(call["arguments"])
        except ValueError:
            return BROKEN
    return BROKEN if state is BROKEN else ...


folds("calls_that_do_not_parse_end_the_fold", "todo.projection.takes-list", _end_at_broken_calls)


def mounted(name: str, clauses: str, value: Any) -> None:
    """
    Register a fault of a registry that is mounted while agents are there.
    """

    def apply(patch: Patch) -> None:
        came = memory(patch)

        def mount(sound: Any, self: Composition, service: str) -> Any:
            result = sound(self, service)
            if service == "projections" and list(self.agents):
                came["late"] = True
            return result

        def read(sound: Any, self: ProjectionRegistry, session: Any, key: str) -> Any:
            return value(session.events) if came else sound(self, session, key)

        patch.around(Composition, "mount", mount)
        patch.around(ProjectionRegistry, "value", read)

    fault.plant(name, clauses, apply, {})


mounted("a_registry_that_comes_late_overlooks_turns", "todo.projection.late-registry", _latest)
mounted("a_registry_that_comes_late_is_empty", "todo.projection.late-registry", lambda _: None)


@fault("todo.projection.turn-start-clears")
def an_empty_list_stands_over_the_turn(patch: Patch) -> None:
    def read(sound: Any, self: ProjectionRegistry, session: Any, key: str) -> Any:
        value = sound(self, session, key)
        last = session.events[-1]["type"] if session.events else ""
        return [] if last == "turn/start" and _latest(session.events) == [] else value

    patch.around(ProjectionRegistry, "value", read)
