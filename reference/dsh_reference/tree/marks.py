"""
What holds a session back: a pause, or a stop by the user that nobody has answered yet.
"""

from __future__ import annotations

import logging
from dataclasses import replace

from dsh_reference.errors import Rejected
from dsh_reference.tree.codec import SessionState
from dsh_reference.tree.store import Store

log = logging.getLogger(__name__)


class Marks:
    """
    The marks of every session; they outlive a restart, or a stopped session would start again.

    Every change is stored at once. Where it cannot be, it raises `Rejected`, or with `or_in_memory`
    holds in this process alone: a state folder out of order lets nothing run that was stopped.
    """

    def __init__(self, store: Store, *, or_in_memory: bool = False) -> None:
        self._store = store
        self._or_in_memory = or_in_memory

    def paused(self, session: str) -> bool:
        """
        Whether steps of the session wait.
        """
        return self._store.state(session).paused

    def stopped(self, session: str) -> bool:
        """
        Whether the user stopped the session and nobody has written since.
        """
        return self._store.state(session).stopped

    def pause(self, session: str) -> None:
        """
        Hold the session.
        """
        state = self._store.state(session)
        self._save(session, state, replace(state, paused=True))

    def resume(self, session: str) -> None:
        """
        Lift a pause; a stop by the user stays.
        """
        state = self._store.state(session)
        self._save(session, state, replace(state, paused=False))

    def stop(self, session: str) -> None:
        """
        Note that the user stopped a turn.
        """
        state = self._store.state(session)
        self._save(session, state, replace(state, stopped=True))

    def clear(self, session: str) -> None:
        """
        Lift both: a person has written.
        """
        state = self._store.state(session)
        self._save(session, state, replace(state, paused=False, stopped=False))

    def _save(self, session: str, old: SessionState, new: SessionState) -> None:
        if new == old:
            return
        try:
            self._store.save_state(session, new)
        except Rejected as error:
            if not self._or_in_memory:
                raise
            log.warning("%s", error)
            self._store.hold_state(session, new)
