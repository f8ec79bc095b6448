"""
Faults in when cursors move, and in what becomes of a state file that cannot be written.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dsh_reference.tree import folding, store
from dsh_reference.tree.cursors import Cursor, Cursors
from dsh_reference.tree.folding import Folding
from dsh_reference.tree.marks import Marks
from dsh_reference.tree.model import TreePlan
from faults.kit import Patch
from faults.kit import tree as fault


class _NeverRaised(Exception):  # It stands for no error.
    """
    What is caught in the place of a refusal.
    """


# When they move


def _step_goes_on(sound: Any, cursors: Cursors, path: Any, tail: int | None) -> Cursors:
    moved = sound(cursors, path, tail)
    return replace(moved, step=Cursor(moved.step.key, tail)) if moved.step else moved


fault.around(
    "the_cursor_of_a_step_follows_the_work",
    "tree.state.cursors-follow",
    folding,
    "align",
    _step_goes_on,
)


def _only_to_later_ids(sound: Any, cursors: Cursors, path: Any, tail: int | None) -> Cursors:
    moved = sound(cursors, path, tail)
    back = cursors.task and moved.task and moved.task.key < cursors.task.key
    return replace(moved, task=cursors.task) if back else moved


fault.around(
    "cursors_move_to_later_ids_alone",
    "tree.state.cursors-follow",
    folding,
    "align",
    _only_to_later_ids,
)


# When they are written


@fault("tree.state.cursor-shape")
def cursors_are_written_at_every_step(patch: Patch) -> None:
    def align(sound: Any, self: Folding, session: str, tail: Any) -> None:
        sound(self, session, tail)
        if self._store.plan(session) is not None:
            self._store.save_state(session, self._store.state(session))

    patch.around(Folding, "_align", align)


fault.set(
    "marks_are_written_at_every_message",
    "tree.state.cursor-shape",
    Marks,
    "_save",
    lambda self, session, _, new: self._store.save_state(session, new),
)
fault.set(
    "an_unwritable_cursor_stops_the_step",
    "tree.state.unwritable-stops-no-step",
    folding,
    "Rejected",
    _NeverRaised,
)


# Files made elsewhere


fault.around(
    "a_file_without_goals_is_a_plan",
    "tree.state.broken-is-no-plan",
    store,
    "plan_from_json",
    lambda sound, value: (
        TreePlan(goals=(), created_at=0, updated_at=0)
        if isinstance(value, dict) and value.get("goals") == []
        else sound(value)
    ),
)
