"""
How a notice gets to its owner: always into the inbox, and in one edition by waking an idle owner.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

from dsh_reference.host.agents import Agent
from dsh_reference.host.log import Message, Session
from dsh_reference.host.steps import Proceed, Step, Verdict


class Turns:
    """
    Tells whether a turn is open in a log; each event is looked at once.
    """

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[Session, tuple[int, bool]] = WeakKeyDictionary()

    def is_open(self, session: Session) -> bool:
        """
        Whether the last turn that was started has not ended.
        """
        seen, is_open = self._known.get(session, (0, False))
        for event in session.events[seen:]:
            if event["type"] in {"turn/start", "turn/end"}:
                is_open = event["type"] == "turn/start"
        self._known[session] = (len(session.events), is_open)
        return is_open


class Delivery:
    """
    Puts notices into inboxes; wakes an idle owner, `budget` times between two human messages.

    This host runs no turns of its own, so the turn that a wake opens is opened, and ended when it
    is stopped, here.
    """

    def __init__(self, budget: int) -> None:
        self._budget = budget
        self._spent: WeakKeyDictionary[Agent, int] = WeakKeyDictionary()
        self._opened: WeakKeyDictionary[Agent, None] = WeakKeyDictionary()
        self._turns = Turns()

    def deliver(self, owner: Agent, message: Message) -> None:
        """
        Queue a message for its owner, who is woken by it if idle.
        """
        spent = self._spent.get(owner, 0)
        if spent >= self._budget or self._turns.is_open(owner.session):
            owner.inbox.inject(message)
            return
        owner.inbox.followup(message)
        self._spent[owner] = spent + 1
        self._opened[owner] = None
        owner.session.append({"type": "turn/start"})

    def on_enter(self, step: Step, proceed: Proceed) -> Verdict:
        """
        Give an agent its budget back when it claims what a person wrote.
        """
        if any((message.get("source") or {}).get("kind") == "user" for message in step.messages):
            self._spent.pop(step.agent, None)
        return proceed()

    def on_turn_stop(self, agent: Agent, _aborted: bool) -> None:  # noqa: FBT001  # The host's call.
        """
        End the turn that a wake opened, if it is open still.
        """
        if agent in self._opened:
            del self._opened[agent]
            if self._turns.is_open(agent.session):
                agent.session.append({"type": "turn/end"})
