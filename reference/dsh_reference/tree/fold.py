"""
What a fold would take away: one look at the surface, independent of any plan.

From behind the previous boundary call to before the following `tree_task_done`: that part goes.
Nothing goes if nothing lies between, or if a person spoke there. The look starts at the end of the
surface and goes back two boundaries, so what earlier folds left behind costs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from dsh_reference.host.log import Message
from dsh_reference.tree import schemas
from dsh_reference.tree.origin import is_human, is_own

BOUNDARIES = frozenset({schemas.CREATE, schemas.PLAN, schemas.DONE})


class Stay(Enum):
    """
    Why a look folds nothing.
    """

    NO_BOUNDARY = "no-boundary"
    LAST_BOUNDARY_NOT_DONE = "last-boundary-not-done"
    NOTHING_BETWEEN = "nothing-between"
    HUMAN_INSIDE = "human-inside"


@dataclass(frozen=True)
class FoldRange:
    """
    Positions on the surface, inclusive; `stay` says why the range must be left alone, if it must.
    """

    first: int
    last: int
    stay: Stay | None = None


def look(surface: Sequence[Message]) -> FoldRange | Stay:
    """
    Return the range before the last `tree_task_done`, or why there is none.
    """
    end = _last_boundary(surface, len(surface))
    if end is None:
        return Stay.NO_BOUNDARY
    if not _calls_any(surface[end], {schemas.DONE}):
        return Stay.LAST_BOUNDARY_NOT_DONE
    first = _first_behind(surface, _last_boundary(surface, end) or 0, end)
    if first >= end:
        return Stay.NOTHING_BETWEEN
    human = any(is_human(surface[place]) for place in range(first, end))
    return FoldRange(first, end - 1, Stay.HUMAN_INSIDE if human else None)


def _last_boundary(surface: Sequence[Message], before: int) -> int | None:
    for place in range(before - 1, -1, -1):
        if _calls_any(surface[place], BOUNDARIES):
            return place
    return None


def _first_behind(surface: Sequence[Message], boundary: int, end: int) -> int:
    """
    Step over what belongs to the boundary: its results, and our own messages among them.
    """
    place = boundary + 1
    while place < end and (surface[place]["kind"] == "tool" or is_own(surface[place])):
        place += 1
    return place


def _calls_any(message: Message, names: frozenset[str] | set[str]) -> bool:
    return any(call["name"] in names for call in message.get("calls", ()))
