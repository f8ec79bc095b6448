"""
Producers under control: work that does nothing but what it is told, for whoever drives the tasks.
"""

from __future__ import annotations

from base64 import b64decode

from dsh_reference.errors import Rejected
from dsh_reference.host.agents import Agent
from dsh_reference.host.deferred import Deferred
from dsh_reference.tasks.records import COMPLETED, KILLED, Outcome, Work
from dsh_reference.tasks.registry import TaskRegistry
from dsh_reference.tasks.streams import DeltaBuffer

STREAM = "stream"
FINAL = "final"

IGNORE = "ignore"
SETTLE = "settle"
THROW = "throw"

START_THREW = "start refused"
CANCEL_THREW = "cancel refused"


class Producer:
    """
    The work of one task; `reasons` are the cancellations it was asked for, in order.
    """

    __slots__ = ("_done", "_mode", "_on_cancel", "buffer", "reasons")

    def __init__(self, mode: str, on_cancel: str) -> None:
        self.buffer = DeltaBuffer()
        self.reasons: list[str | None] = []
        self._on_cancel = on_cancel
        self._mode = mode
        self._done: Deferred[Outcome] = Deferred()

    def work(self) -> Work:
        """
        Return what the registry is given.
        """
        read = self.buffer.take if self._mode == STREAM else None
        return Work(done=self._done, cancel=self._cancel, read_output=read)

    def settle(self, outcome: Outcome) -> None:
        """
        End the work; only the first end counts.
        """
        self.buffer.close()
        self._done.resolve(outcome)

    def fail(self, message: str) -> None:
        """
        Break the promise that work always ends with an outcome.
        """
        self._done.reject(Exception(message))

    def _cancel(self, reason: str | None) -> None:
        self.reasons.append(reason)
        if self._on_cancel == THROW:
            raise Rejected(CANCEL_THREW)
        if self._on_cancel == SETTLE:
            self.settle(Outcome(status=KILLED))


class ProducerControl:
    """
    Starts tasks with producers under control, and drives these by task id.

    A producer outlives its record: its cancellations can be read when its owner is gone.
    """

    def __init__(self, registry: TaskRegistry) -> None:
        self._registry = registry
        self._producers: dict[str, Producer] = {}

    def start(
        self,
        *,
        kind: str,
        label: str,
        owner: Agent | None = None,
        mode: str = STREAM,
        on_cancel: str = IGNORE,
        on_start: str = "ok",
    ) -> str:
        """
        Start a task and return its id.

        Args:
            kind: The kind, the first half of the id.
            label: What the task is, for people and models.
            owner: The agent whose task it is, None for everyone's.
            mode: `stream`, or `final` for a task whose output comes with its outcome.
            on_cancel: `ignore` a cancellation, `settle` as killed at once, or `throw`.
            on_start: `ok`, or `throw` instead of beginning.

        Raises:
            Rejected: The registry refused the task, or the producer threw.
        """
        producer = Producer(mode, on_cancel)

        def run() -> Work:
            if on_start == THROW:
                raise Rejected(START_THREW)
            return producer.work()

        task = self._registry.start(kind=kind, label=label, run=run, owner=owner)
        self._producers[task.id] = producer
        return task.id

    def emit(self, task_id: str, *, text: str | None = None, base64: str | None = None) -> None:
        """
        Produce output, as text or as bytes that need not end with a whole character.
        """
        buffer = self._find(task_id).buffer
        if text is not None:
            buffer.write(text)
        if base64 is not None:
            buffer.write_bytes(b64decode(base64, validate=True))

    def settle(
        self,
        task_id: str,
        *,
        status: str = COMPLETED,
        reject: str | None = None,
        detail: str | None = None,
        output: str | None = None,
    ) -> None:
        """
        End the work with a status, or, given a message, `reject` the promise of one.
        """
        producer = self._find(task_id)
        if reject is None:
            producer.settle(Outcome(status=status, detail=detail, output=output))
        else:
            producer.fail(reject)

    def cancellations(self, task_id: str) -> list[str | None]:
        """
        Return the reasons of all cancellations the producer was asked for, None for none given.
        """
        return list(self._find(task_id).reasons)

    def _find(self, task_id: str) -> Producer:
        producer = self._producers.get(task_id)
        if producer is None:
            raise Rejected(f"no producer was ever started as {task_id}")
        return producer
