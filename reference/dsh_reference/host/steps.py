"""
Steps: the host asks, before each model request, whether the agent may go on.

Listeners form a chain, the first one outermost. Each gets the step and `proceed`, the rest of the
chain, and returns a decision now or later; while one is out, the step is held.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dsh_reference.host.agents import Agent
from dsh_reference.host.deferred import Deferred
from dsh_reference.host.listeners import Disposer, Listeners
from dsh_reference.host.log import Message
from dsh_reference.host.signals import AbortSignal

ENTER = "enter"
REJECT = "reject"

ENTERED = "entered"
REJECTED = "rejected"
HELD = "held"


@dataclass(frozen=True)
class Decision:
    """
    Whether the step may be entered (`kind`), and with which claimed messages.
    """

    kind: str
    messages: tuple[Message, ...] = ()


Verdict = Decision | Deferred[Decision]
Proceed = Callable[[], Verdict]
StepListener = Callable[["Step", Proceed], Verdict]
IdleListener = Callable[[Agent, int], None]
StopListener = Callable[[Agent, bool], None]


def following(verdict: Verdict, function: Callable[[Decision], Decision]) -> Verdict:
    """
    Apply a function to a decision, at once or when it has fallen.
    """
    if isinstance(verdict, Decision):
        return function(verdict)
    later: Deferred[Decision] = Deferred()
    verdict.then(lambda decision: later.resolve(function(decision)), later.reject)
    return later


class Step:
    """
    One step of an agent, with the messages that were claimed for it.
    """

    def __init__(self, agent: Agent, messages: tuple[Message, ...]) -> None:
        self.agent = agent
        self.messages = messages
        self.signal = AbortSignal()
        self.state = HELD
        self.release: Disposer = lambda: None


class Steps:
    """
    The moments of an agent's work that plugins listen to.
    """

    def __init__(self) -> None:
        self._chain: Listeners[StepListener] = Listeners()
        self._idle: Listeners[IdleListener] = Listeners()
        self._stops: Listeners[StopListener] = Listeners()
        self._held: set[Step] = set()

    def on_enter(self, listener: StepListener) -> Disposer:
        """
        Join the chain as its innermost listener.
        """
        return self._chain.add(listener)

    def on_idle(self, listener: IdleListener) -> Disposer:
        """
        Hear that an agent is idle, and how many inputs are queued for it.
        """
        return self._idle.add(listener)

    def on_turn_stop(self, listener: StopListener) -> Disposer:
        """
        Hear that a turn ends, and whether because the user stopped it.
        """
        return self._stops.add(listener)

    def enter(
        self,
        agent: Agent,
        messages: Sequence[Message] = (),
        *,
        aborted: bool = False,
        decision: str = ENTER,
    ) -> Step:
        """
        Claim what is queued, ask the chain, and enter the step if and when it agrees.

        `messages` are claimed beside the queued ones; `decision` is what the host itself thinks.
        """
        step = Step(agent, (*agent.inbox.claim(), *messages))
        if aborted:
            step.signal.abort()
        self._held.add(step)
        step.release = agent.scope.on_dispose(step.signal.abort)
        verdict = self._ask(step, list(self._chain), Decision(decision, step.messages))
        following(verdict, lambda final: self._finish(step, final))
        return step

    def stop_turn(self, agent: Agent, *, aborted: bool) -> None:
        """
        End an agent's turn; a user's stop aborts the step that it waits in.
        """
        if aborted:
            for step in [held for held in self._held if held.agent is agent]:
                step.signal.abort()
        for listener in self._stops:
            listener(agent, aborted)

    def idle(self, agent: Agent, *, queued: int = 0) -> list[Message]:
        """
        Report an agent idle, with so many inputs beside its inbox; return what was queued on that.
        """
        before = len(agent.inbox.queue)
        for listener in self._idle:
            listener(agent, queued + before)
        return agent.inbox.messages[before:]

    def _ask(self, step: Step, chain: list[StepListener], own: Decision) -> Verdict:
        if not chain:
            return own
        return chain[0](step, lambda: self._ask(step, chain[1:], own))

    def _finish(self, step: Step, final: Decision) -> Decision:
        self._held.discard(step)
        step.release()
        step.state = ENTERED if final.kind == ENTER and step.agent.alive else REJECTED
        if step.state == ENTERED:
            for message in final.messages:
                step.agent.session.say(message)
        return final
