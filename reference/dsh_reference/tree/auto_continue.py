"""
Auto-continue: takes up the work again when the model stopped although a step is open.

It is a fallback with three gates: off by default, silent after the user stopped a turn until a
person writes, and bounded in a row.
"""

from __future__ import annotations

import logging
from collections import Counter

from dsh_reference.errors import Rejected
from dsh_reference.host.agents import Agent
from dsh_reference.tree import texts
from dsh_reference.tree.marks import Marks
from dsh_reference.tree.origin import own_message
from dsh_reference.tree.path import active_path, next_sentence
from dsh_reference.tree.store import Store

log = logging.getLogger(__name__)


class AutoContinue:
    """
    Counts the rounds of each session; only a person's message gives them back.
    """

    def __init__(self, store: Store, marks: Marks, *, rounds: int) -> None:
        self._store = store
        self._marks = marks
        self._rounds = rounds
        self._used: Counter[str] = Counter()

    def person_wrote(self, session: str) -> None:
        """
        Begin to count anew.
        """
        del self._used[session]

    def idle(self, agent: Agent, queued: int) -> None:
        """
        Push what comes next to an idle agent, if nothing speaks against it.
        """
        session = agent.session.id
        if queued or self._used[session] >= self._rounds:
            return
        if self._marks.paused(session) or self._marks.stopped(session):
            return
        plan = self._store.plan(session)
        if plan is not None and active_path(plan).step is not None:
            self._used[session] += 1
            self._push(agent, next_sentence(plan))

    def _push(self, agent: Agent, sentence: str) -> None:
        try:
            agent.inbox.followup(own_message(sentence, texts.CONTINUE_SUMMARY))
        except Rejected as error:
            log.warning("dsh-tree-task-flow: %s", error)
