"""
Finer faults of the state files: each goes wrong with one kind of file, session or moment.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from dsh_reference.errors import Rejected
from dsh_reference.host.agents import AgentRegistry
from dsh_reference.host.composition import Composition
from dsh_reference.host.log import Session
from dsh_reference.tree import codec, folding, store
from dsh_reference.tree.codec import SessionState
from dsh_reference.tree.folding import Folding
from dsh_reference.tree.model import LastIds, TreePlan
from dsh_reference.tree.store import Store
from faults.kit import Patch, memory, stage
from faults.kit import tree as fault

# Files out of order


@fault("tree.state.broken-stops-nothing")
def a_cursor_file_of_another_shape_stops_the_step(patch: Patch) -> None:
    def align(sound: Any, self: Folding, session: str, tail: Any) -> None:
        found = store._read(self._store._path("surfaces", session))
        if isinstance(found, dict) and codec.state_from_json(found) is None:
            raise Rejected("the cursor file is of another shape")
        sound(self, session, tail)

    patch.around(Folding, "_align", align)


@fault("tree.state.broken-is-no-plan")
def a_plan_file_that_does_not_parse_is_an_error(patch: Patch) -> None:
    def read(sound: Any, path: Path) -> Any:
        found = sound(path)
        is_plan = path.parent.name == "plans" and path.is_file()
        if found is None and is_plan and path.read_bytes().strip() != b"null":
            raise Rejected("the plan file does not parse")
        return found

    patch.around(store, "_read", read)


@fault("tree.state.broken-is-no-plan")
def a_list_without_goals_is_an_error(patch: Patch) -> None:
    def read(sound: Any, value: Any) -> Any:
        if isinstance(value, dict) and None in (value.get("goals") or ()):
            raise Rejected("a goal is nothing")
        return sound(value)

    patch.around(store, "plan_from_json", read)


# What the files hold


fault.after(
    "every_node_is_stamped_anew",
    "tree.state.plan-shape",
    codec,
    "_node_to_json",
    lambda value: {**value, "createdAt": 99},
)


# Cursors

fault.around(
    "a_finished_plan_keeps_its_cursors",
    "tree.state.cursors-follow",
    folding,
    "align",
    lambda sound, cursors, path, tail: (
        sound(cursors, path, tail) if path.head is not None else cursors
    ),
)


@fault("tree.state.cursors-follow")
def a_rejected_step_moves_the_cursors(patch: Patch) -> None:
    def decided(sound: Any, self: Folding, step: Any, decision: Any) -> Any:
        session = step.agent.session
        if decision.kind != "enter" and session.surface:
            self._align(session.id, session.surface[-1]["seq"])
        return sound(self, step, decision)

    patch.around(Folding, "_decided", decided)


@fault("tree.state.cursors-follow")
def a_step_without_a_plan_writes_its_state(patch: Patch) -> None:
    def align(sound: Any, self: Folding, session: str, tail: Any) -> None:
        if self._store.plan(session) is None:
            self._store.save_state(session, SessionState())
        sound(self, session, tail)

    patch.around(Folding, "_align", align)


# Restarts and agents


@fault("tree.ids.unique")
def ids_are_counted_anew_after_a_restart(patch: Patch) -> None:
    again = memory(patch)

    def reload(sound: Any, self: Composition) -> Composition:
        fresh: Composition = sound(self)
        again["yes"] = True
        return fresh

    patch.around(Composition, "reload", reload)
    patch.around(
        LastIds,
        "at_least",
        lambda sound, self, other: self if again else sound(self, other),
    )


@fault("tree.fold.range")
def boundaries_before_a_restart_are_forgotten(patch: Patch) -> None:
    again = memory(patch)

    def reload(sound: Any, self: Composition) -> Composition:
        fresh: Composition = sound(self)
        again.update({each: len(log.events) for each, log in self.sessions.items()})
        return fresh

    def run(sound: Any, session: Session, surface: Any) -> None:
        since = again.get(session.id, 0)
        if not since or all(
            message["seq"] >= since or not message.get("calls") for message in surface
        ):
            sound(session, surface)

    patch.around(Composition, "reload", reload)
    patch.around(folding, "fold", run)


@fault("tree.state.session-owns-plan")
def plans_go_with_their_agent(patch: Patch) -> None:
    now = stage(patch)

    def dispose(sound: Any, self: AgentRegistry, agent_id: str) -> Any:
        agent = self.get(agent_id)
        folder = now["now"].state_dir
        if agent is not None and folder is not None:
            (folder / "plans" / f"{store.file_name(agent.session.id)}.json").unlink(missing_ok=True)
        return sound(self, agent_id)

    patch.around(AgentRegistry, "dispose", dispose)


# Session ids


@fault("tree.state.odd-session-ids")
def a_session_of_dots_keeps_nothing(patch: Patch) -> None:
    patch.around(
        Store,
        "save_plan",
        lambda sound, self, session, plan: sound(self, session, plan) if session != ".." else None,
    )


@fault("tree.state.session-id-inside")
def plans_are_looked_for_by_the_raw_id(patch: Patch) -> None:
    def plan(sound: Any, self: Store, session: str) -> Any:
        raw = self.root / "plans" / f"{session}.json"
        found = sound(self, session)
        is_odd = ".." in session and len(session) < 100
        return found or (store.plan_from_json(store._read(raw)) if is_odd else None)

    patch.around(Store, "plan", plan)


@fault("tree.state.session-id-inside")
def a_reset_follows_the_raw_id(patch: Patch) -> None:
    def clear(sound: Any, self: Store, session: str) -> None:
        sound(self, session)
        if "/" in session:
            store._write(self.root / "plans" / f"{session}.json", None)

    patch.around(Store, "clear", clear)


@fault("tree.state.plan-shape")
def ids_of_files_made_elsewhere_are_overlooked(patch: Patch) -> None:
    def of(plan: TreePlan | None) -> LastIds:
        nodes = list(plan.walk()) if plan else []
        foreign = any(not re.fullmatch("[gts]-[0-9]+", node.id) for node in nodes)
        return LastIds(task=1) if foreign else sound(plan)

    sound = LastIds.of
    patch.set(LastIds, "of", of)


fault.after(
    "a_dropped_node_is_stored_with_a_time",
    "tree.state.plan-shape",
    codec,
    "_node_to_json",
    lambda value: {**value, "completedAt": 7} if value["status"] == "dropped" else value,
)
