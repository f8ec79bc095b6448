"""
Virtual time: timers, and work that is ready to run.

Nothing in the reference sleeps or runs on its own. Work is queued with `soon` or `after`, and runs
when the adapter lets it: `run_ready` before every answer, `advance` when the runner moves time.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable
from itertools import count

Callback = Callable[[], None]


class Timer:
    """
    A callback due at a moment of the clock, in milliseconds; `cancel` makes it void.
    """

    __slots__ = ("callback", "due")

    def __init__(self, due: float, callback: Callback) -> None:
        self.due = due
        self.callback: Callback | None = callback

    def cancel(self) -> None:
        """
        Drop the callback; harmless once it has run.
        """
        self.callback = None


class Clock:
    """
    The time of one composition, in milliseconds from 0.
    """

    def __init__(self) -> None:
        self.now = 0.0
        self._ready: deque[Callback] = deque()
        self._timers: list[tuple[float, int, Timer]] = []
        self._order = count()

    def soon(self, callback: Callback) -> None:
        """
        Queue work for this instant, after what is queued already (a microtask).
        """
        self._ready.append(callback)

    def after(self, ms: float, callback: Callback) -> Timer:
        """
        Queue work for `ms` milliseconds from now; timers of one moment run in order of setting.
        """
        timer = Timer(self.now + ms, callback)
        heapq.heappush(self._timers, (timer.due, next(self._order), timer))
        return timer

    def run_ready(self) -> None:
        """
        Run queued work, and what it queues in turn, until nothing is ready.
        """
        while self._ready:
            self._ready.popleft()()

    def advance(self, ms: float) -> float:
        """
        Move time forward by `ms`, running each timer at its own moment, and return the new time.
        """
        end = self.now + ms
        self.run_ready()
        while self._timers and self._timers[0][0] <= end:
            due, _, timer = heapq.heappop(self._timers)
            if timer.callback is not None:
                self.now = due
                timer.callback()
                self.run_ready()
        self.now = end
        return self.now
