"""
The methods of the protocol about agents: their log, their context, their steps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dsh_reference.adapter_stage import Json, Stage
from dsh_reference.host.log import Message

Look = Callable[[], Json]


class Agents:
    """
    `agent.*`, `log.*`, `surface.read`, `request.read`, `step.*` and `turn.stop`.
    """

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    def agent_create(self, *, agent: str, session: str | None = None) -> Json:
        """
        Create an agent, by default on a session of its own name.
        """
        return {"session": self._stage.composition.create_agent(agent, session=session).session.id}

    def agent_dispose(self, *, agent: str) -> Json:
        """
        Dispose an agent; what its cleanups wait for, they wait for behind the answer.
        """
        gone = self._stage.agent(agent)
        self._stage.gone[agent] = gone
        self._stage.composition.agents.dispose(gone.id)
        return {}

    def agent_say(self, *, agent: str, text: str) -> Json:
        """
        Queue what a person says.
        """
        self._stage.agent(agent).inbox.say(text)
        return {}

    def agent_inbox(self, *, agent: str) -> Json:
        """
        Return what is queued.
        """
        return {"messages": self._stage.agent(agent).inbox.messages}

    def agent_idle(self, *, agent: str, queued: int = 0) -> Json:
        """
        Report an agent idle and return what that made plugins push.
        """
        steps = self._stage.composition.steps
        return {"pushed": steps.idle(self._stage.agent(agent), queued=queued)}

    def log_append(self, *, agent: str, events: list[Json]) -> Json:
        """
        Append events one by one; the first that is refused ends it.
        """
        session = self._stage.agent(agent).session
        return {"seqs": [session.append(event) for event in events]}

    def log_read(self, *, agent: str, after: int = -1) -> Json:
        """
        Return the events behind a number.
        """
        return {"events": self._stage.agent(agent).session.read(after=after)}

    def surface_read(self, *, agent: str) -> Json:
        """
        Return what the model would be sent, each message with its number.
        """
        return {"messages": self._stage.agent(agent).session.messages()}

    def request_read(self, *, agent: str) -> Json:
        """
        Return the next request as the model would get it.
        """
        found, composition = self._stage.agent(agent), self._stage.composition
        return {
            "system": composition.prompt.render(found),
            "tools": composition.tools.list(),
            "messages": [_plain(message) for message in found.session.messages()],
        }

    def step_enter(
        self,
        *,
        agent: str,
        messages: list[Message] | None = None,
        aborted: bool = False,
        decision: str = "enter",
    ) -> Look:
        """
        Ask whether a step may go on.
        """
        step = self._stage.composition.steps.enter(
            self._stage.agent(agent), messages or (), aborted=aborted, decision=decision
        )
        handle = self._stage.steps.add(step)
        return lambda: {"step": handle, "state": step.state}

    def step_poll(self, *, step: str) -> Look:
        """
        Return how a step stands.
        """
        found = self._stage.steps.get(step)
        return lambda: {"state": found.state}

    def step_abort(self, *, step: str) -> Look:
        """
        Raise a step's signal.
        """
        found = self._stage.steps.get(step)
        found.signal.abort()
        return lambda: {"state": found.state}

    def turn_stop(self, *, agent: str, aborted: bool) -> Json:
        """
        End the turn.
        """
        self._stage.composition.steps.stop_turn(self._stage.agent(agent), aborted=aborted)
        return {}


def _plain(message: Message) -> dict[str, Any]:
    return {key: value for key, value in message.items() if key != "seq"}
