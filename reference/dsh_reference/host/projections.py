"""
Projections: a value that is folded from a session's log, event by event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from dsh_reference.errors import Rejected
from dsh_reference.host.listeners import Disposer
from dsh_reference.host.log import Session
from dsh_reference.host.surface import Event


@dataclass(frozen=True, kw_only=True)
class ProjectionUnit:
    """
    How one key is folded.

    `apply` returns the same object where an event means nothing to it: that is how the registry
    knows that nothing changed. `view` turns a state into the value that is shown.
    """

    key: str
    init: Any
    apply: Callable[[Any, Event], Any]
    view: Callable[[Any], Any] = lambda state: state
    state_version: int


@dataclass
class _Cell:
    state: Any
    folded: int = 0


class ProjectionRegistry:
    """
    The units of one composition; states are folded when asked for, and kept.
    """

    def __init__(self) -> None:
        self._units: dict[str, ProjectionUnit] = {}
        self._cells: dict[tuple[str, str], _Cell] = {}

    def register(self, unit: ProjectionUnit) -> Disposer:
        """
        Add a unit and return what removes it, with all that was folded for it.

        Raises:
            Rejected: The key is taken, or the version is not a number of versions.
        """
        version = unit.state_version
        if unit.key in self._units:
            raise Rejected(f'session projection key "{unit.key}" is already registered')
        if version < 0:
            raise Rejected(
                f'session projection "{unit.key}" stateVersion must be a non-negative integer,'
                f" got {version}"
            )
        self._units[unit.key] = unit
        return lambda: self._remove(unit.key)

    def unit(self, key: str) -> ProjectionUnit | None:
        """
        Return the unit of a key, or None.
        """
        return self._units.get(key)

    def value(self, session: Session, key: str) -> Any:
        """
        Return the value of a registered key, folded up to the end of the log.
        """
        unit = self._units[key]
        cell = self._cells.setdefault((session.id, key), _Cell(unit.init))
        for event in session.events[cell.folded :]:
            cell.state = unit.apply(cell.state, event)
        cell.folded = len(session.events)
        return unit.view(cell.state)

    def fold(self, key: str, events: Iterable[Event]) -> tuple[list[Any], list[bool]]:
        """
        Fold events from the start: the value after each, and whether the state stayed the same.
        """
        unit = self._units[key]
        state, values, same = unit.init, [], []
        for event in events:
            before, state = state, unit.apply(state, event)
            values.append(unit.view(state))
            same.append(state is before)
        return values, same

    def _remove(self, key: str) -> None:
        self._units.pop(key, None)
        for cell in [cell for cell in self._cells if cell[1] == key]:
            del self._cells[cell]
