"""
Ending tasks whose owner or registry ends: ask each to stop, wait for all, never for ever in vain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from dsh_reference.host.deferred import Deferred
from dsh_reference.tasks.entries import Entry
from dsh_reference.tasks.records import FAILED, STOPPING, Outcome
from dsh_reference.tasks.wording import error_text

OWNER_DISPOSED = "owner disposed"
SERVICE_DISPOSED = "{noun}s service disposed"

_FORCED = "cancel threw during teardown; work may be orphaned: {}"
_WARNING = (
    "{noun}s: cancel of {id} threw during teardown;"
    " {noun} record forced failed and work may be orphaned: {error}"
)


class Teardown:
    """
    Stops tasks on the way out; `settle` records an outcome, `warn` hears of work left behind.
    """

    def __init__(
        self, settle: Callable[[Entry, Outcome], None], *, warn: Callable[[str], None], noun: str
    ) -> None:
        self._settle = settle
        self._warn = warn
        self._noun = noun

    def drain(self, entries: Iterable[Entry], reason: str) -> Deferred[None]:
        """
        Cancel every live task; the answer comes when all have ended.
        """
        live = [entry for entry in entries if entry.live]
        ends = [entry.ended() for entry in live]
        for entry in live:
            self._stop(entry, reason)
        return all_of(ends)

    def _stop(self, entry: Entry, reason: str) -> None:
        """
        Cancel one task, and end it by force if that throws.

        Its end counts as reported: whoever could be told is going away.
        """
        entry.reported = True
        try:
            entry.work.cancel(reason)
        except Exception as error:  # noqa: BLE001  # A producer's fault must not stop a teardown.
            text = error_text(error)
            self._warn(_WARNING.format(noun=self._noun, id=entry.id, error=text))
            self._settle(entry, Outcome(status=FAILED, detail=_FORCED.format(text)))
        else:
            if entry.live:
                entry.status = STOPPING


def all_of(parts: list[Deferred[None]]) -> Deferred[None]:
    """
    Return what settles when all of these have; none of them may fail.
    """
    whole: Deferred[None] = Deferred()
    left = len(parts)

    def count(_: object) -> None:
        nonlocal left
        left -= 1
        if not left:
            whole.resolve(None)

    for part in parts:
        part.then(count, count)
    if not parts:
        whole.resolve(None)
    return whole
