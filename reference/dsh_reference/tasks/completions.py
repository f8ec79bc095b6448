"""
Who is told when a task ends; one that fails does no harm to the others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dsh_reference.host.agents import Agent
from dsh_reference.host.deferred import Deferred
from dsh_reference.host.listeners import Disposer, Listeners
from dsh_reference.tasks.records import Snapshot
from dsh_reference.tasks.wording import error_text
from dsh_reference.tasks.words import Words

Listener = Callable[[Snapshot, Agent | None], Deferred[Any] | None]
Warn = Callable[[str], None]

_FAILED = "{noun}s: on{Noun}Done listener {how} for {id}: {error}"


class Completions:
    """
    Completion listeners, told in the order in which they came.
    """

    def __init__(self, warn: Warn, words: Words) -> None:
        self._noun = words.noun
        self._warn = warn
        self._listeners: Listeners[Listener] = Listeners()

    def add(self, listener: Listener) -> Disposer:
        """
        Tell this one from now on; the result, which may be called again, stops that.
        """
        return self._listeners.add(listener)

    def close(self) -> None:
        """
        Tell nobody any more.
        """
        self._listeners = Listeners()

    def tell(self, snapshot: Snapshot, owner: Agent | None) -> None:
        """
        Tell everyone that a task ended; nobody's answer is waited for.
        """
        for listener in self._listeners:
            self._tell_one(listener, snapshot, owner)

    def _tell_one(self, listener: Listener, snapshot: Snapshot, owner: Agent | None) -> None:
        try:
            answer = listener(snapshot, owner)
        except Exception as error:  # noqa: BLE001  # Contained: others must still be told.
            self._report("threw", snapshot, error)
            return
        if isinstance(answer, Deferred):
            answer.then(
                lambda _: None,
                lambda error: self._report("rejected", snapshot, error),
            )

    def _report(self, how: str, snapshot: Snapshot, error: Exception) -> None:
        noun = self._noun
        facts = {"how": how, "id": snapshot.id, "error": error_text(error)}
        self._warn(_FAILED.format(noun=noun, Noun=noun.capitalize(), **facts))
