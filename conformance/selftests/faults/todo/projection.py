"""
Faults in the projection `todos`.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dsh_reference import todo as T  # noqa: N812  # Named at every turn below.
from dsh_reference.errors import ToolError
from dsh_reference.host.composition import Composition
from dsh_reference.host.projections import ProjectionRegistry
from faults.kit import Patch, memory
from faults.kit import todo as fault

Event = dict[str, Any]
SOUND = T._fold


def unit(name: str, clauses: str, **changes: Any) -> None:
    """
    Register a fault in the unit's parts.
    """
    fault.set(name, clauses, T, "PROJECTION", replace(T.PROJECTION, **changes))


def folds(name: str, clauses: str, step: Callable[[Any, Event], Any]) -> None:
    """
    Register a fault of the fold; `step` returns `...` where the sound fold should decide.
    """

    def apply(state: Any, event: Event) -> Any:
        odd = step(state, event)
        return SOUND(state, event) if odd is ... else odd

    unit(name, clauses, apply=apply)


def values(name: str, clauses: str, value: Callable[[Any, Any], Any]) -> None:
    """
    Register a fault in how a session's value is worked out.
    """
    fault.set(
        name,
        clauses,
        ProjectionRegistry,
        "value",
        lambda self, session, key: value(session, self._units[key]),
    )


def _folded(of: Any, events: list[Event]) -> Any:
    state = of.init
    for event in events:
        state = of.apply(state, event)
    return of.view(state)


# The value

unit("is_empty_before_the_first_write", "todo.projection.initial-null", init=[])
unit(
    "view_adds_ids",
    "todo.projection.view-identity",
    view=lambda state: state and [{**todo, "id": str(i)} for i, todo in enumerate(state)],
)
unit(
    "view_hides_finished_items",
    "todo.projection.view-identity",
    view=lambda state: state and [todo for todo in state if todo["status"] != "completed"],
)
unit(
    "view_of_an_empty_list_is_null", "todo.projection.takes-list", view=lambda state: state or None
)
unit("state_version_is_one", "todo.projection.state-version", state_version=1)


# The fold


@fault("todo.projection.takes-list")
def fold_merges(patch: Patch) -> None:
    def apply(state: Any, event: Event) -> Any:
        if event["type"] != T.EVENT or not state:
            return T._fold(state, event)
        return list({t["content"]: t for t in [*state, *event["todos"]]}.values())

    patch.set(T, "PROJECTION", replace(T.PROJECTION, apply=apply))


folds(
    "first_write_wins",
    "todo.projection.takes-list todo.replay.last-write-wins",
    lambda state, event: state if event["type"] == T.EVENT and state is not None else ...,
)
folds(
    "turns_clear_nothing",
    "todo.projection.turn-start-clears",
    lambda state, event: state if event["type"] == "turn/start" else ...,
)
folds(
    "turns_clear_finished_plans_only",
    "todo.projection.turn-start-clears",
    lambda state, event: (
        state
        if event["type"] == "turn/start" and any(t["status"] != "completed" for t in state or ())
        else ...
    ),
)
folds(
    "turns_clear_no_empty_list",
    "todo.projection.turn-start-clears",
    lambda state, event: state if event["type"] == "turn/start" and state == [] else ...,
)
folds(
    "turns_clear_to_an_empty_list",
    "todo.projection.turn-start-clears",
    lambda _, event: [] if event["type"] == "turn/start" else ...,
)
folds(
    "clears_at_the_end_of_a_turn",
    "todo.projection.turn-end-keeps",
    lambda _, event: None if event["type"] == "turn/end" else ...,
)
folds(
    "human_messages_clear",
    "todo.projection.other-events-keep",
    lambda _, event: (
        None if event["type"] == "message" and event["message"]["kind"] == "user" else ...
    ),
)
folds(
    "compactions_clear",
    "todo.projection.other-events-keep",
    lambda _, event: None if "replaces" in event else ...,
)
folds(
    "copies_the_state",
    "todo.projection.same-reference",
    lambda state, event: (
        list(state) if state is not None and event["type"] not in {T.EVENT, "turn/start"} else ...
    ),
)


def _from_calls(state: Any, event: Event) -> Any:
    for call in event.get("message", {}).get("calls", ()):
        try:
            return json.loads(call["arguments"])["todos"]
        except (ValueError, KeyError, TypeError):
            return state
    return ...


folds("follows_calls_in_place_of_events", "todo.projection.other-events-keep", _from_calls)


def _judging(state: Any, event: Event) -> Any:
    if event["type"] == T.EVENT:
        try:
            T.checked(event["todos"], count="{}")
        except ToolError:
            return state
    return ...


folds("judges_stored_lists_again", "todo.replay.no-refusal", _judging)
folds(
    "trims_stored_contents",
    "todo.replay.no-refusal",
    lambda _, event: (
        [{**t, "content": t["content"].strip()} for t in event["todos"]]
        if event["type"] == T.EVENT
        else ...
    ),
)


# The log it is folded from

values(
    "replays_the_last_page_only",
    "todo.replay.last-write-wins",
    lambda session, of: _folded(of, session.events[-50:]),
)
values(
    "looks_for_the_latest_write",
    "todo.projection.turn-start-clears",
    lambda session, _: next(
        (event["todos"] for event in reversed(session.events) if event["type"] == T.EVENT), None
    ),
)


@fault("todo.replay.last-write-wins")
def lists_live_in_memory(patch: Patch) -> None:
    seen = memory(patch)

    def reload(sound: Any, self: Composition) -> Composition:
        fresh = sound(self)
        seen.update({s.id: len(s.events) for s in fresh.sessions.values()})
        return fresh

    patch.around(Composition, "reload", reload)
    patch.set(
        ProjectionRegistry,
        "value",
        lambda self, session, key: _folded(
            self._units[key], session.events[seen.get(session.id, 0) :]
        ),
    )


@fault("todo.projection.late-registry todo.replay.last-write-wins")
def a_late_registry_sees_new_writes_only(patch: Patch) -> None:
    seen = memory(patch)

    def mount(sound: Any, self: Composition, name: str) -> None:
        seen.update({s.id: len(s.events) for s in getattr(self, "sessions", {}).values()})
        sound(self, name)

    patch.around(Composition, "mount", mount)
    patch.set(
        ProjectionRegistry,
        "value",
        lambda self, session, key: _folded(
            self._units[key], session.events[seen.get(session.id, 0) :]
        ),
    )


@fault("todo.projection.turn-start-clears")
def all_sessions_share_one_value(patch: Patch) -> None:
    class Shared:
        id = "shared"

        def __init__(self) -> None:
            self.events: list[Event] = []

    shared = memory(patch)

    def value(self: ProjectionRegistry, session: Any, key: str) -> Any:
        one = shared.setdefault("one", Shared())
        seen = shared.get(session.id, 0)
        one.events += session.events[seen:]
        shared[session.id] = len(session.events)
        return _folded(self._units[key], one.events)

    patch.set(ProjectionRegistry, "value", value)


@fault("todo.projection.optional")
def needs_the_registry(patch: Patch) -> None:
    mounted = memory(patch)

    def apply(sound: Any, ctx: Any, config: Any) -> None:
        sound(ctx, config)
        mounted["composition"] = ctx.composition

    def run(sound: Any, *given: Any, **more: Any) -> Any:
        if mounted["composition"].projections is None:
            raise ToolError("no projection registry is mounted")
        return sound(*given, **more)

    patch.around(T, "apply", apply)
    patch.around(T, "_write", run)


fault.set(
    "key_outlives_the_plugin",
    "todo.projection.leaves-with-plugin",
    ProjectionRegistry,
    "_remove",
    lambda _self, _key: None,
)


@fault("todo.request.append-only")
def prompt_restates_the_list(patch: Patch) -> None:
    def apply(sound: Any, ctx: Any, config: Any) -> None:
        sound(ctx, config)
        ctx.on_dispose(
            ctx.prompt.add("todos", 100, text=lambda agent: _restated(agent.session.events))
        )

    patch.around(T, "apply", apply)


def _restated(events: list[Event]) -> str:
    lists = [event["todos"] for event in events if event["type"] == T.EVENT]
    return json.dumps(lists[-1]) if lists else ""
