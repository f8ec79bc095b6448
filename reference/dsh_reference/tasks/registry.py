"""
The registry of background tasks: it starts none itself, and keeps account of all.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dsh_reference.errors import Rejected
from dsh_reference.host.agents import Agent, AgentRegistry
from dsh_reference.host.clock import Clock
from dsh_reference.host.deferred import Deferred
from dsh_reference.host.listeners import Disposer, Listeners
from dsh_reference.host.scope import INACTIVE
from dsh_reference.host.signals import AbortSignal
from dsh_reference.tasks.completions import Completions, Listener, Warn
from dsh_reference.tasks.entries import Entry
from dsh_reference.tasks.preflight import TaskSpec, check_owner, check_spec
from dsh_reference.tasks.records import (
    FAILED,
    STOPPING,
    TERMINAL,
    Outcome,
    Snapshot,
    Work,
)
from dsh_reference.tasks.shelves import Shelf, Shelves
from dsh_reference.tasks.teardown import OWNER_DISPOSED, SERVICE_DISPOSED, Teardown
from dsh_reference.tasks.waits import check_timeout
from dsh_reference.tasks.wording import error_text
from dsh_reference.tasks.words import TASKS, Words

_UNKNOWN = "unknown {noun} {id}"
_FOREIGN = "{noun} {id} belongs to another session"
_LIMIT = (
    "{background} limit reached for this owner (limit: {limit}); use {kill} to stop an unneeded"
    " {noun}, wait for it to finish, then retry"
)

_DONE_REJECTED = "{noun}s: {noun} {id} 'done' rejected (producer contract violation): {error}"
_NO_OUTCOME = "producer ended with an invalid outcome: {!r}"


_log = logging.getLogger("dsh_reference")


@dataclass(frozen=True)
class Reading:
    """
    What a read returned, and the task as it was then.
    """

    text: str
    snapshot: Snapshot


class TaskRegistry:
    """
    The task service of one composition.

    Access goes by session id: a task of an owner is open to callers of the owner's session, a task
    without owner to everyone. Refusals are raised as `Rejected`.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        agents: AgentRegistry | None = None,
        words: Words = TASKS,
        warn: Warn = _log.warning,
    ) -> None:
        self.words = words
        self._clock = clock
        self._agents = agents
        self._warn = warn
        self._counters: Counter[str] = Counter()
        self._started = 0
        self._shelves = Shelves()
        self._surfaces: Listeners[str] = Listeners()
        self._completions = Completions(warn, words)
        self._teardown = Teardown(self._settle, warn=warn, noun=words.noun)

    def attach_surface(self, name: str) -> Disposer:
        """
        Open the registry for starts until the result is called; every attachment counts.
        """
        return self._surfaces.add(name)

    def on_task_done(self, listener: Listener) -> Disposer:
        """
        Tell `listener` of each task's end, once, with its exact owner; the result stops that.
        """
        return self._completions.add(listener)

    def start(
        self, *, kind: str, label: str, run: Callable[[], Work], owner: Agent | None = None
    ) -> Snapshot:
        """
        Check everything, then `run` the producer, once, and register what it began.

        A refused or failed start leaves nothing behind and uses up no id.
        """
        spec = TaskSpec(kind=kind, label=label, run=run, owner=owner)
        shelf = self._preflight(spec)
        work = spec.run()
        if not isinstance(work, Work):
            raise TypeError(f"a task producer must return Work, got {type(work).__name__}")
        if shelf.closed:
            work.cancel(OWNER_DISPOSED)
            raise Rejected(INACTIVE)
        entry = self._register(spec, shelf, work)
        work.done.then(
            lambda outcome: self._clock.soon(lambda: self._settle(entry, _checked(outcome))),
            lambda error: self._clock.soon(lambda: self._break(entry, error)),
        )
        return entry.snapshot()

    def list(self, caller: Agent | None = None) -> list[Snapshot]:
        """
        Return the caller's tasks and those without owner, in the order they were started.
        """
        session = None if caller is None else caller.session.id
        return [entry.snapshot() for entry in self._shelves.visible(session)]

    def get(self, task_id: str, *, caller: Agent | None = None) -> Snapshot:
        """
        Return a task as it is now.
        """
        return self._find(task_id, caller).snapshot()

    def read(self, task_id: str, *, caller: Agent | None = None) -> Reading:
        """
        Take the new output of a task; once it has ended that counts as its report.
        """
        entry = self._find(task_id, caller)
        text = entry.read()
        entry.reported = entry.reported or not entry.live
        return Reading(text, entry.snapshot())

    def kill(
        self, task_id: str, reason: str | None = None, *, caller: Agent | None = None
    ) -> tuple[bool, Snapshot]:
        """
        Ask the producer to stop and return whether it was asked: a task that has ended is not.

        An error of the producer passes through, and then nothing has changed.
        """
        entry = self._find(task_id, caller)
        requested = entry.live
        if requested:
            entry.work.cancel(reason)
        if entry.live:
            entry.status = STOPPING
        entry.reported = True
        return requested, entry.snapshot()

    def wait(
        self,
        task_id: str,
        timeout_ms: Any,
        *,
        caller: Agent | None = None,
        signal: AbortSignal | None = None,
    ) -> Deferred[Snapshot]:
        """
        Wait until the task ends or the time, in milliseconds, is over; the task itself lives on.
        """
        entry = self._find(task_id, caller)
        check_timeout(timeout_ms)
        if entry.live:
            return entry.room.enter(self._clock, timeout_ms, look=entry.snapshot, signal=signal)
        entry.reported = True
        answer: Deferred[Snapshot] = Deferred()
        answer.resolve(entry.snapshot())
        return answer

    def dispose(self) -> Deferred[None]:
        """
        End all tasks silently and forget them; the answer comes when they have ended.
        """
        self._completions.close()
        self._surfaces = Listeners()
        reason = SERVICE_DISPOSED.format(noun=self.words.noun)
        ended = self._teardown.drain(self._shelves.everything(), reason)
        ended.then(lambda _: self._forget(), lambda _: None)
        return ended

    def _find(self, task_id: str, caller: Agent | None) -> Entry:
        entry = self._shelves.get(task_id)
        if entry is None:
            raise Rejected(_UNKNOWN.format(noun=self.words.noun, id=task_id))
        if entry.owner is not None and (caller is None or caller.session.id != entry.session):
            raise Rejected(_FOREIGN.format(noun=self.words.noun, id=task_id))
        return entry

    def _preflight(self, spec: TaskSpec) -> Shelf:
        if not len(self._surfaces):
            raise Rejected(self.words.no_surface)
        check_spec(spec, self.words)
        shelf = self._shelves.of(spec.owner)
        if spec.owner is not None:
            check_owner(spec.owner, self._agents, self.words)
            self._open(shelf, spec.owner)
        self._check_limit(shelf)
        return shelf

    def _open(self, shelf: Shelf, owner: Agent) -> None:
        if shelf.closed:
            raise Rejected(INACTIVE)
        if not self._shelves.is_open(shelf):
            self._shelves.open(shelf, owner.scope.on_dispose(lambda: self._clean_up(shelf)))

    def _check_limit(self, shelf: Shelf) -> None:
        words, limit = self.words, self.words.live_limit
        if limit is not None and shelf.live >= limit:
            raise Rejected(
                _LIMIT.format(
                    background=words.background, limit=limit, kill=words.kill, noun=words.noun
                )
            )

    def _register(self, spec: TaskSpec, shelf: Shelf, work: Work) -> Entry:
        self._counters[spec.kind] += 1
        self._started += 1
        entry = Entry(
            number=self._started,
            id=f"{spec.kind}-{self._counters[spec.kind]}",
            kind=spec.kind,
            label=spec.label,
            owner=spec.owner,
            work=work,
            started_at=self._clock.now,
        )
        self._shelves.put(entry, shelf)
        return entry

    def _settle(self, entry: Entry, outcome: Outcome) -> None:
        """
        Record the first outcome, tell the listeners, then let the waiters go.
        """
        if not entry.live:
            return
        answers = entry.room.clear()
        entry.finish(outcome, self._clock.now)
        entry.reported = entry.reported or bool(answers)
        self._shelves.of(entry.owner).live -= 1
        self._completions.tell(entry.snapshot(), entry.owner)
        for answer in answers:
            answer.resolve(entry.snapshot())
        entry.close()

    def _break(self, entry: Entry, error: Exception) -> None:
        if entry.live:
            text = error_text(error)
            self._warn(_DONE_REJECTED.format(noun=self.words.noun, id=entry.id, error=text))
            self._settle(entry, Outcome(status=FAILED, detail=text))

    def _clean_up(self, shelf: Shelf) -> Deferred[None]:
        shelf.closed = True
        ended = self._teardown.drain(shelf.entries, OWNER_DISPOSED)
        ended.then(lambda _: self._shelves.drop(shelf), lambda _: None)
        return ended

    def _forget(self) -> None:
        for shelf in self._shelves.clear():
            shelf.detach()


def _checked(outcome: Any) -> Outcome:
    """
    Return the outcome, or a failure that says what was wrong with it.
    """
    if isinstance(outcome, Outcome) and outcome.status in TERMINAL:
        return outcome
    return Outcome(status=FAILED, detail=_NO_OUTCOME.format(outcome))
