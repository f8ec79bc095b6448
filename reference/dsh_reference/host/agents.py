"""
Agents: who is alive, on which session, and what waits for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from dsh_reference.errors import Rejected
from dsh_reference.host.deferred import Deferred
from dsh_reference.host.json_values import snapshot
from dsh_reference.host.listeners import Disposer, Listeners
from dsh_reference.host.log import Message, Session
from dsh_reference.host.scope import Scope

NEXT_STEP = "next-step"
NEXT_TURN = "next-turn"


@dataclass(frozen=True)
class Queued:
    """
    A message on its way to an agent; one for the next turn also wakes an idle agent.
    """

    message: Message
    lane: str


class Inbox:
    """
    What is queued for one agent and not yet claimed by a step, in order of arrival.
    """

    def __init__(self, agent: Agent, announce: Callable[[Agent, Message], None]) -> None:
        self._agent = agent
        self._announce = announce
        self.queue: list[Queued] = []

    @property
    def messages(self) -> list[Message]:
        """
        The queued messages.
        """
        return [queued.message for queued in self.queue]

    def inject(self, message: Message) -> None:
        """
        Queue context for the next step, whenever that is; nobody is woken.
        """
        self._put(message, NEXT_STEP)

    def followup(self, message: Message) -> None:
        """
        Queue input for the next turn.
        """
        self._put(message, NEXT_TURN)

    def say(self, text: str) -> None:
        """
        Queue what a person writes.
        """
        self.followup({"kind": "user", "text": text, "source": {"kind": "user"}})

    def claim(self) -> list[Message]:
        """
        Take all that is queued.
        """
        messages = self.messages
        self.queue.clear()
        return messages

    def _put(self, message: Message, lane: str) -> None:
        if not self._agent.alive:
            raise Rejected(f'agent "{self._agent.id}" is disposed')
        kept = snapshot(message)
        self.queue.append(Queued(kept, lane))
        self._announce(self._agent, kept)


class Agent:
    """
    One agent: its session outlives it, its scope is its life.
    """

    def __init__(
        self, agent_id: str, session: Session, announce: Callable[[Agent, Message], None]
    ) -> None:
        self.id = agent_id
        self.session = session
        self.scope = Scope()
        self.inbox = Inbox(self, announce)

    @property
    def alive(self) -> bool:
        """
        Whether its disposal has not begun.
        """
        return not self.scope.disposed


class AgentRegistry:
    """
    The agents of one composition, by id.
    """

    def __init__(self) -> None:
        self._agents: dict[str, Agent] = {}
        self._inbox_listeners: Listeners[Callable[[Agent, Message], None]] = Listeners()

    def get(self, agent_id: str) -> Agent | None:
        """
        Return the live agent of this id, or None.
        """
        return self._agents.get(agent_id)

    def create(self, agent_id: str, session: Session) -> Agent:
        """
        Register an agent; the id of a disposed one is free again.

        Raises:
            Rejected: A live agent has this id.
        """
        if agent_id in self._agents:
            raise Rejected(f'agent "{agent_id}" is already registered')
        self._agents[agent_id] = agent = Agent(agent_id, session, self._announce)
        return agent

    def dispose(self, agent_id: str) -> Deferred[None]:
        """
        End an agent: it is gone at once, and the answer settles when all its cleanups have.
        """
        return self._agents.pop(agent_id).scope.dispose()

    def on_inbox(self, listener: Callable[[Agent, Message], None]) -> Disposer:
        """
        Hear of each message queued for any agent, right after it was queued.
        """
        return self._inbox_listeners.add(listener)

    def __iter__(self) -> Iterator[Agent]:
        """
        Go over the live agents.
        """
        return iter(list(self._agents.values()))

    def _announce(self, agent: Agent, message: dict[str, Any]) -> None:
        for listener in self._inbox_listeners:
            listener(agent, message)
