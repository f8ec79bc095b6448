"""
What a history tells of background tasks: who owns each, what is unread, how it stands.

The book notes what was asked and what was answered; it does not say what ought to have been.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from dsh_conformance.generate.record import Record
from dsh_conformance.scenario.verbs import NOBODY

STATUS = re.compile(r"\[status: (running|stopping|completed|killed|failed)(, .*)?\]\Z", re.DOTALL)
TERMINAL = frozenset({"completed", "killed", "failed"})
DEFAULT_WAIT, LONGEST_WAIT = 30_000.0, 600_000.0


def called(record: Record, what: str) -> bool:
    """
    Whether a step calls the tool `task_<what>`, which an edition may name `job_<what>`.
    """
    return record.verb == "call" and record.value in {f"task_{what}", f"job_{what}"}


def inner_first(history: Sequence[Record]) -> Iterator[Record]:
    """
    Yield records, those inside a `together` before it.
    """
    for record in history:
        yield from record.inner
        yield record


def arguments_of(record: Record) -> dict[str, Any]:
    """
    Return a call's arguments, `{}` if they are no map.
    """
    arguments = record.step.get("with")
    return arguments if isinstance(arguments, dict) else {}


def named_by(record: Record) -> str:
    """
    Return the name of the task that a call is about, or an empty text.
    """
    arguments = arguments_of(record)
    ident = arguments.get("task_id", arguments.get("job_id"))
    return ident.strip("{}") if isinstance(ident, str) else ""


def name_in(value: Any) -> str:
    """
    Return the name in a verb's value, without its braces.
    """
    return str(value).strip("{}")


def _wait_in(record: Record) -> str:
    """
    Return the name of the wait that a poll or an abort is about, or an empty text.
    """
    return name_in(record.value) if record.verb in {"poll", "abort"} else ""


@dataclass
class Task:
    """
    One task.

    `murky` means that the history does not tell what became of it, `shared` that it does not tell
    who read what.
    """

    name: str
    owner: str
    stream: bool
    obedient: bool
    unread: bytes = b""
    settled: bool = False
    murky: bool = False
    excuses: set[str] = field(default_factory=set)
    raced: bool = False
    shared: bool = False


@dataclass
class Wait:
    """
    One wait: whose task, when it runs out, and what there was to read when it did.
    """

    task: str
    by: str
    due: float
    took: bytes | None = None


class Book:
    """
    All tasks and waits while a history is gone through.
    """

    def __init__(self) -> None:
        self.tasks: dict[str, Task] = {}
        self.waits: dict[str, Wait] = {}
        self.now = 0.0
        self.sessions: dict[str, str] = {}

    def note(self, record: Record) -> None:
        """
        Take in one step.
        """
        if record.verb in {"agent", "dispose", "reload"}:
            self._came_or_went(record)
        elif record.verb == "start" and record.raw is not None and record.step.get("bind"):
            self._started(record)
        elif record.verb in {"emit", "settle"} and "refused" not in record.facts:
            self._produced(record)
        elif record.verb == "advance":
            self.now += record.value
            self._run_out()
        elif record.verb == "together":
            self._raced(record)
        elif called(record, "kill") and "says" in record.facts:
            self._killed(record)
        elif called(record, "output"):
            self._waits(record)
            self._consumed(record)
        elif record.verb in {"poll", "abort"}:
            self._consumed(record)

    def asked(self, record: Record) -> Task | None:
        """
        Return the task that a read, poll or abort is about.
        """
        if called(record, "output"):
            return self.tasks.get(named_by(record))
        wait = self.waits.get(_wait_in(record))
        return self.tasks.get(wait.task) if wait is not None else None

    def taken(self, record: Record) -> bytes | None:
        """
        Return what a wait that ran out before it was asked after had to read.
        """
        wait = self.waits.get(_wait_in(record))
        return wait.took if wait is not None else None

    def is_foreign(self, task: Task, caller: str) -> bool:
        """
        Whether an owned task lies behind the fence for a caller.
        """
        if task.owner == NOBODY:
            return False
        return self.sessions.get(caller) != self.sessions.get(task.owner, task.owner)

    def sessions_are_shared(self) -> bool:
        """
        Whether some agents share a session, and so a log.
        """
        return len(set(self.sessions.values())) < len(self.sessions)

    def pending_on(self, task: Task) -> bool:
        """
        Whether a wait on a task has not been heard of since.
        """
        return any(wait.task == task.name for wait in self.waits.values())

    def answered(self, record: Record) -> None:
        """
        Forget a wait that was answered.
        """
        if "pending" not in record.facts:
            self.waits.pop(_wait_in(record), None)

    def _came_or_went(self, record: Record) -> None:
        if record.verb == "agent":
            self.sessions[record.value] = record.step.get("session", record.value)
        elif record.verb == "reload":
            self.tasks.clear()
            self.waits.clear()
        else:
            for task in self.tasks.values():
                task.murky = task.murky or task.owner == record.value

    def _started(self, record: Record) -> None:
        step = record.step
        name = next(iter(step["bind"]))
        stream = step.get("mode", "stream") == "stream"
        obedient = step.get("onCancel") == "settle"
        self.tasks[name] = Task(name, step.get("owner", NOBODY), stream, obedient)

    def _produced(self, record: Record) -> None:
        task = self.tasks.get(name_in(record.value))
        if task is None:
            return
        if record.verb == "settle":
            task.settled = True
        elif task.settled:
            task.murky = True
        else:
            raw, text = record.step.get("base64"), record.step.get("output", "")
            data = text.encode("utf-8", "surrogatepass")
            task.unread += data if raw is None else base64.b64decode(raw)

    def _killed(self, record: Record) -> None:
        task = self.tasks.get(named_by(record))
        if task is not None and not task.settled:
            task.excuses.add("kill")
            task.settled = task.obedient

    def _waits(self, record: Record) -> None:
        if "pending" in record.facts:
            given = arguments_of(record).get("timeout_ms", DEFAULT_WAIT)
            wait = Wait(named_by(record), record.step["by"], self.now + min(given, LONGEST_WAIT))
            # One that nobody can ask after reads all the same.
            for name in record.step.get("bind", (f"step {record.index}",)):
                self.waits[name] = wait

    def _run_out(self) -> None:
        # What is written afterwards is for the next reader, however late the wait is asked after.
        for task in self.tasks.values():
            waits = list(self._reading(task).values())
            if task.settled or all(one.due > self.now for one in waits):
                continue
            if len(waits) == 1:
                waits[0].took, task.unread = task.unread, b""
            else:
                task.shared = True

    def _reading(self, task: Task) -> dict[str, Wait]:
        return {
            name: wait
            for name, wait in self.waits.items()
            if wait.task == task.name and wait.took is None
        }

    def _consumed(self, record: Record) -> None:
        # A wait reads when it ends, which the history tells only later.
        task = self.asked(record)
        if task is None or "pending" in record.facts:
            return
        task.shared = task.shared or bool(set(self._reading(task)) - {_wait_in(record)})

    def _raced(self, record: Record) -> None:
        for one in record.inner:
            if one.verb == "settle" and name_in(one.value) in self.tasks:
                task = self.tasks[name_in(one.value)]
                task.raced = task.raced or not task.settled
                task.settled = True
