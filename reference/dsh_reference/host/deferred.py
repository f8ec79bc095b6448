"""
A value that is not there yet: what a tool returns when its call cannot finish at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Deferred(Generic[T]):
    """
    Settles once, with a value or an error; later attempts are ignored.

    Callbacks run synchronously, in the order they were added: whoever wants an instant in between
    queues it on the clock.
    """

    def __init__(self) -> None:
        self.settled = False
        self._value: T | None = None
        self._error: Exception | None = None
        self._callbacks: list[tuple[Callable[[T], None], Callable[[Exception], None]]] = []

    def then(self, on_value: Callable[[T], None], on_error: Callable[[Exception], None]) -> None:
        """
        Call one of the two when settled, at once if that is already so.
        """
        self._callbacks.append((on_value, on_error))
        if self.settled:
            self._flush()

    def resolve(self, value: T) -> None:
        """
        Settle with a value.
        """
        self._settle(value, None)

    def reject(self, error: Exception) -> None:
        """
        Settle with an error.
        """
        self._settle(None, error)

    def _settle(self, value: T | None, error: Exception | None) -> None:
        if self.settled:
            return
        self.settled, self._value, self._error = True, value, error
        self._flush()

    def _flush(self) -> None:
        callbacks, self._callbacks = self._callbacks, []
        for on_value, on_error in callbacks:
            if self._error is not None:
                on_error(self._error)
            else:
                on_value(self._value)  # type: ignore[arg-type]  # Settled without error: a T.
