"""
Folding in the running host: after a step was decided, before its request is built.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

from dsh_reference.errors import Rejected
from dsh_reference.host.log import Message, Session
from dsh_reference.host.steps import ENTER, Decision, Proceed, Step, Verdict, following
from dsh_reference.tree import texts
from dsh_reference.tree.cursors import align
from dsh_reference.tree.fold import FoldRange, look
from dsh_reference.tree.notice import fold_notice
from dsh_reference.tree.path import active_path
from dsh_reference.tree.store import Store

log = logging.getLogger(__name__)


class Folding:
    """
    Folds the surface of a session and keeps its cursors.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def enter(self, step: Step, proceed: Proceed) -> Verdict:
        """
        Await the rest of the chain; if the step goes on, fold, then align the cursors.
        """
        return following(proceed(), lambda decision: self._decided(step, decision))

    def _decided(self, step: Step, decision: Decision) -> Decision:
        if decision.kind == ENTER and not step.signal.aborted:
            session = step.agent.session
            surface = session.surface
            fold(session, surface)
            # No fold reaches the last message: a done call is behind every range.
            self._align(session.id, surface[-1]["seq"] if surface else None)
        return decision

    def _align(self, session: str, tail: int | None) -> None:
        plan = self._store.plan(session)
        if plan is None:
            return
        state = self._store.state(session)
        cursors = align(state.cursors, active_path(plan), tail)
        if cursors != state.cursors:
            try:
                self._store.save_state(session, replace(state, cursors=cursors))
            except Rejected as error:
                log.warning("%s", error)


def fold(session: Session, surface: Sequence[Message]) -> None:
    """
    Replace the finished range of a session's surface by its notice, if there is one.
    """
    found = look(surface)
    if not isinstance(found, FoldRange) or found.stay is not None:
        return
    hidden = surface[found.first : found.last + 1]
    replaces = {"from": hidden[0]["seq"], "to": hidden[-1]["seq"]}
    event = {"type": "message", "message": fold_notice(hidden), "replaces": replaces}
    try:
        session.append(event)
    except Rejected as error:
        log.warning("%s%s", texts.FOLD_FAILED, error)
