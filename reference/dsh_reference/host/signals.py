"""
The wish that something stop: of a tool call, or of a step.
"""

from __future__ import annotations

from collections.abc import Callable

from dsh_reference.host.listeners import Disposer, Listeners


class AbortSignal:
    """
    Raised at most once; whoever waits listens to it.
    """

    def __init__(self) -> None:
        self.aborted = False
        self._listeners: Listeners[Callable[[], None]] = Listeners()

    def on_abort(self, callback: Callable[[], None]) -> Disposer:
        """
        Call back on the abort, at once if it is past; return what takes the callback off again.
        """
        if self.aborted:
            callback()
        return self._listeners.add(callback)

    def abort(self) -> None:
        """
        Raise the signal.
        """
        if not self.aborted:
            self.aborted = True
            for callback in self._listeners:
                callback()
