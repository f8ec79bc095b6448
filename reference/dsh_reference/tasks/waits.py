"""
Waiting for a task to end: who counts as a waiter, and the three ways a wait is over.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from dsh_reference.errors import Rejected
from dsh_reference.host.clock import Clock
from dsh_reference.host.deferred import Deferred
from dsh_reference.host.listeners import Disposer
from dsh_reference.host.signals import AbortSignal
from dsh_reference.tasks.records import Snapshot
from dsh_reference.tasks.wording import json_text

WAIT_ABORTED = "wait aborted"
_BAD_TIMEOUT = "invalid wait timeout: expected a positive number of milliseconds, got {}"


def check_timeout(timeout_ms: Any) -> None:
    """
    Refuse what is not a positive, finite number of milliseconds.
    """
    number = isinstance(timeout_ms, (int, float)) and not isinstance(timeout_ms, bool)
    if not (number and math.isfinite(timeout_ms) and timeout_ms > 0):
        raise Rejected(_BAD_TIMEOUT.format(json_text(timeout_ms)))


class WaitingRoom:
    """
    The waiters of one task. Whoever leaves, by timeout or abort, stops counting at once.
    """

    __slots__ = ("_inside",)

    def __init__(self) -> None:
        self._inside: dict[Deferred[Snapshot], list[Disposer]] = {}

    def __len__(self) -> int:
        """
        Count who waits.
        """
        return len(self._inside)

    def enter(
        self,
        clock: Clock,
        timeout_ms: float,
        *,
        look: Callable[[], Snapshot],
        signal: AbortSignal | None,
    ) -> Deferred[Snapshot]:
        """
        Wait; the answer is what `look` shows at the timeout, or an error when `signal` aborts.
        """
        answer: Deferred[Snapshot] = Deferred()
        if signal is not None and signal.aborted:
            raise Rejected(WAIT_ABORTED)
        timer = clock.after(timeout_ms, lambda: self._time_out(answer, look))
        self._inside[answer] = [timer.cancel]
        if signal is not None:
            self._inside[answer].append(signal.on_abort(lambda: self._abort(answer)))
        return answer

    def clear(self) -> list[Deferred[Snapshot]]:
        """
        Send everyone out and return their answers, still to be resolved.
        """
        answers = list(self._inside)
        for answer in answers:
            self._leave(answer)
        return answers

    def _leave(self, answer: Deferred[Snapshot]) -> None:
        for release in self._inside.pop(answer):
            release()

    def _time_out(self, answer: Deferred[Snapshot], look: Callable[[], Snapshot]) -> None:
        self._leave(answer)
        answer.resolve(look())

    def _abort(self, answer: Deferred[Snapshot]) -> None:
        if answer in self._inside:
            self._leave(answer)
            answer.reject(Rejected(WAIT_ABORTED))
