"""
Where each level of the active path began on the surface; shown by panels, never used to fold.
"""

from __future__ import annotations

from dataclasses import dataclass

from dsh_reference.tree.model import TreeNode
from dsh_reference.tree.path import ActivePath


@dataclass(frozen=True)
class Cursor:
    """
    The active node of a level, and the seq of the last surface message when it became active.
    """

    key: str
    cursor: int | None


@dataclass(frozen=True)
class Cursors:
    """
    One cursor a level; None where no node is active.
    """

    goal: Cursor | None = None
    task: Cursor | None = None
    step: Cursor | None = None


def align(cursors: Cursors, path: ActivePath, tail: int | None) -> Cursors:
    """
    Move the cursor of each level whose node changed, and of the levels below it, to the tail.
    """
    goal = _aligned(cursors.goal, path.goal, tail, moved=False)
    task = _aligned(cursors.task, path.task, tail, moved=goal != cursors.goal)
    moved = goal != cursors.goal or task != cursors.task
    return Cursors(goal, task, _aligned(cursors.step, path.step, tail, moved=moved))


def _aligned(
    cursor: Cursor | None, node: TreeNode | None, tail: int | None, *, moved: bool
) -> Cursor | None:
    if node is None:
        return None
    if cursor is not None and cursor.key == node.id and not moved:
        return cursor
    return Cursor(node.id, tail)
