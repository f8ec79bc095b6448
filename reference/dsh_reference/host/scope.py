"""
A stretch of life, of an agent or a plugin, and what is to be undone when it ends.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dsh_reference.errors import Rejected
from dsh_reference.host.deferred import Deferred
from dsh_reference.host.listeners import Disposer, Listeners

Cleanup = Callable[[], Deferred[None] | None]

INACTIVE = "cannot create effect on inactive context"


class Scope:
    """
    Collects cleanups, and runs them when disposed, the last one first.
    """

    def __init__(self) -> None:
        self.disposed = False
        self._cleanups: Listeners[Cleanup] = Listeners()

    def on_dispose(self, cleanup: Cleanup) -> Disposer:
        """
        Hang a cleanup on this life and return what takes it off again.

        Raises:
            Rejected: The life is over.
        """
        if self.disposed:
            raise Rejected(INACTIVE)
        return self._cleanups.add(cleanup)

    def dispose(self) -> Deferred[None]:
        """
        End this life: every cleanup begins now, and the answer settles when all have finished.
        """
        if self.disposed:
            return _all_settled([])
        self.disposed = True
        begun = [cleanup() for cleanup in reversed(list(self._cleanups))]
        return _all_settled([pending for pending in begun if pending is not None])


def _all_settled(pending: Sequence[Deferred[None]]) -> Deferred[None]:
    finished: Deferred[None] = Deferred()
    open_ends = set(range(len(pending)))

    def close(index: int) -> None:
        open_ends.discard(index)
        if not open_ends:
            finished.resolve(None)

    for index, one in enumerate(pending):
        one.then(lambda _, index=index: close(index), lambda _, index=index: close(index))  # type: ignore[misc]
    if not pending:
        finished.resolve(None)
    return finished
