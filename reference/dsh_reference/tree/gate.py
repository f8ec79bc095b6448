"""
The pause gate: while a session is paused, its steps wait before the next model request.

It holds back what goes on by itself, never a person: a message that someone writes lifts the pause,
also for a step that waits already. Nothing is said to the model, neither on pause nor on resume.
"""

from __future__ import annotations

from dsh_reference.host.clock import Clock
from dsh_reference.host.deferred import Deferred
from dsh_reference.host.steps import Decision, Proceed, Step, Verdict
from dsh_reference.tree.marks import Marks


class _Waiting:
    """
    A step at the gate, and the rest of its chain.
    """

    def __init__(self, step: Step, proceed: Proceed) -> None:
        self.session = step.agent.session.id
        self.verdict: Deferred[Decision] = Deferred()
        self._proceed = proceed

    def go_on(self) -> None:
        try:
            verdict = self._proceed()
        except Exception as error:  # noqa: BLE001  # The chain's own fault goes to who asked.
            self.verdict.reject(error)
            return
        if isinstance(verdict, Decision):
            self.verdict.resolve(verdict)
        else:
            verdict.then(self.verdict.resolve, self.verdict.reject)


class PauseGate:
    """
    The gate of every session.
    """

    def __init__(self, marks: Marks, clock: Clock) -> None:
        self._marks = marks
        self._clock = clock
        self._waiting: list[_Waiting] = []

    def enter(self, step: Step, proceed: Proceed) -> Verdict:
        """
        Go on at once, or wait for a resume, a person, or the end of the turn.
        """
        if step.signal.aborted or not self._marks.paused(step.agent.session.id):
            return proceed()
        waiting = _Waiting(step, proceed)
        self._waiting.append(waiting)
        step.signal.on_abort(lambda: self._let_go([waiting]))
        return waiting.verdict

    def pause(self, session: str) -> None:
        """
        Hold the next step; what runs is left alone.
        """
        self._marks.pause(session)

    def resume(self, session: str) -> None:
        """
        Let every waiting step of the session go.
        """
        self._marks.resume(session)
        self.release(session)

    def release(self, session: str) -> None:
        """
        Let the waiting steps go, whatever the marks say.
        """
        self._let_go([waiting for waiting in self._waiting if waiting.session == session])

    def release_all(self) -> None:
        """
        Let every step go: the plugin leaves, and holds nothing back any more.
        """
        self._let_go(self._waiting)

    def _let_go(self, free: list[_Waiting]) -> None:
        free = [waiting for waiting in free if waiting in self._waiting]
        self._waiting = [waiting for waiting in self._waiting if waiting not in free]
        for waiting in free:
            self._clock.soon(waiting.go_on)
