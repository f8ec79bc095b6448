"""
Faults in the state files of the tree.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from dsh_reference.errors import Rejected
from dsh_reference.tree import codec, folding, store
from dsh_reference.tree.folding import Folding
from dsh_reference.tree.model import LastIds, TreePlan
from dsh_reference.tree.store import Store
from faults.kit import Patch, memory
from faults.kit import tree as fault

# State

fault.after(
    "plan_files_have_another_name",
    "tree.state.plan-file",
    store,
    "file_name",
    lambda name: f"plan-{name}",
)
fault.set("plan_files_are_of_version_three", "tree.state.plan-shape", codec, "VERSION", 3)
fault.after(
    "plan_files_lack_their_times",
    "tree.state.plan-shape",
    store,
    "plan_to_json",
    lambda value: {key: inner for key, inner in value.items() if key != "updatedAt"},
)
fault.after(
    "cursor_files_lack_the_step",
    "tree.state.cursors-follow",
    store,
    "state_to_json",
    lambda value: {key: inner for key, inner in value.items() if key != "step"},
)
fault.after(
    "cursors_are_called_nodes",
    "tree.state.cursor-file",
    store,
    "state_to_json",
    lambda value: {
        key: {"node": inner["key"]} if isinstance(inner, dict) else inner
        for key, inner in value.items()
    },
)
fault.after(
    "cursor_files_name_no_session",
    "tree.state.cursor-shape",
    store,
    "state_to_json",
    lambda value: {key: inner for key, inner in value.items() if key != "sessionId"},
)
fault.around(
    "cursors_stay_behind",
    "tree.state.cursors-follow",
    folding,
    "align",
    lambda sound, cursors, path, _: sound(cursors, path, 0),
)
fault.around(
    "a_level_keeps_its_cursor",
    "tree.state.cursors-follow",
    folding,
    "align",
    lambda sound, cursors, *given: (
        replace(sound(cursors, *given), goal=cursors.goal)
        if cursors.goal
        else sound(cursors, *given)
    ),
)


@fault("tree.state.cursors-follow")
def cursors_are_taken_before_the_fold(patch: Patch) -> None:
    def decided(sound: Any, self: Folding, step: Any, decision: Any) -> Any:
        surface = step.agent.session.nodes()
        if decision.kind == "enter" and surface:
            self._align(step.agent.session.id, surface[-1]["seq"])
        return sound(self, step, decision)

    patch.around(Folding, "_decided", decided)
    patch.around(
        folding, "align", lambda sound, cursors, path, tail: sound(cursors, path, tail - 1)
    )


@fault("tree.state.only-these-files")
def a_copy_stays_beside_each_file(patch: Patch) -> None:
    def write(sound: Any, path: Path, value: Any) -> None:
        sound(path, value)
        sound(path.with_suffix(".bak"), value)

    patch.around(store, "_write", write)


fault.set(
    "all_sessions_share_a_file",
    "tree.state.session-owns-plan",
    store,
    "file_name",
    lambda _: "plan",
)


@fault("tree.state.survives-restart")
def plans_live_in_memory(patch: Patch) -> None:
    plans = memory(patch)

    def save(sound: Any, self: Store, session: str, plan: TreePlan) -> None:
        sound(self, session, plan)
        plans[session] = True

    patch.around(Store, "save_plan", save)
    patch.around(
        Store,
        "plan",
        lambda sound, self, session: sound(self, session) if session in plans else None,
    )


def _is_broken(self: Store, session: str) -> bool:
    path = self._path("plans", session)
    return path.exists() and path.read_bytes().strip() not in {b"", b"null"}


@fault("tree.state.broken-is-no-plan")
def a_broken_file_is_an_empty_plan(patch: Patch) -> None:
    def plan(sound: Any, self: Store, session: str) -> Any:
        found = sound(self, session)
        if found is None and _is_broken(self, session):
            return TreePlan(goals=(), created_at=0, updated_at=0)
        return found

    patch.around(Store, "plan", plan)


@fault("tree.state.broken-stops-nothing")
def a_broken_file_stops_the_step(patch: Patch) -> None:
    def align(sound: Any, self: Folding, session: str, tail: Any) -> None:
        if self._store.plan(session) is None and _is_broken(self._store, session):
            raise Rejected("the plan file is broken")
        sound(self, session, tail)

    patch.around(Folding, "_align", align)


fault.set(
    "session_ids_are_paths", "tree.state.session-id-inside", store, "file_name", lambda name: name
)
fault.set(
    "odd_characters_become_a_dash",
    "tree.state.odd-session-ids",
    store,
    "file_name",
    lambda name: re.sub(r"[^A-Za-z0-9._-]", "-", name)[:200].strip(".") or "-",
)
fault.around(
    "the_first_layout_is_foreign",
    "tree.state.first-layout",
    store,
    "plan_from_json",
    lambda sound, value: sound(value) if isinstance(value, dict) and "goals" in value else None,
)


@fault("tree.ids.unique")
def ids_are_counted_anew_after_a_reset(patch: Patch) -> None:
    patch.after(Store, "state", lambda state: replace(state, last_ids=LastIds()))
