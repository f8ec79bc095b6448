"""
Who has the say: what a person writes sets a session free, what a person stops stays stopped.
"""

from __future__ import annotations

from dsh_reference.host.agents import Agent
from dsh_reference.host.log import Message
from dsh_reference.host.steps import Decision, Proceed, Step, Verdict, following
from dsh_reference.tree.auto_continue import AutoContinue
from dsh_reference.tree.gate import PauseGate
from dsh_reference.tree.marks import Marks
from dsh_reference.tree.origin import is_human


class Presence:
    """
    Hears persons: in the inbox, among the messages of a step, and when they end a turn.
    """

    def __init__(self, marks: Marks, gate: PauseGate, auto: AutoContinue) -> None:
        self._marks = marks
        self._gate = gate
        self._auto = auto

    def queued(self, agent: Agent, message: Message) -> None:
        """
        A message was queued: a live host claims none while a step waits at the gate.
        """
        if is_human(message):
            self._person_wrote(agent.session.id)

    def enter(self, step: Step, proceed: Proceed) -> Verdict:
        """
        Hear the persons in a step's messages, and afterwards whether the step was aborted.
        """
        if any(is_human(message) for message in step.messages):
            self._person_wrote(step.agent.session.id)
        return following(proceed(), lambda decision: self._decided(step, decision))

    def turn_stops(self, agent: Agent, aborted: bool) -> None:  # noqa: FBT001  # The host calls so.
        """
        A turn ends; `aborted`: because the user stopped it.
        """
        if aborted:
            self._marks.stop(agent.session.id)

    def _decided(self, step: Step, decision: Decision) -> Decision:
        # A host may tell of a stop by nothing but the step's signal; a dying agent aborts too.
        if step.signal.aborted and step.agent.alive:
            self._marks.stop(step.agent.session.id)
        return decision

    def _person_wrote(self, session: str) -> None:
        self._marks.clear(session)
        self._auto.person_wrote(session)
        self._gate.release(session)
