"""
Faults in waiting for a task.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dsh_reference.adapter_tools import Offers
from dsh_reference.errors import Rejected, ToolError
from dsh_reference.host.deferred import Deferred
from dsh_reference.host.tools import ToolOutcome, ToolResult
from dsh_reference.tasks import bodies, registry
from dsh_reference.tasks.entries import Entry
from dsh_reference.tasks.producers import ProducerControl
from dsh_reference.tasks.records import STOPPING
from dsh_reference.tasks.registry import TaskRegistry
from dsh_reference.tasks.waits import WAIT_ABORTED, WaitingRoom
from faults.kit import Patch
from faults.kit import tasks as fault
from faults.tasks.reads import line, output_gets

# Waits

output_gets("waits_are_reads", "tasks.wait.settlement", lambda given: {**given, "wait": False})


def waits(name: str, clauses: str, answer: Callable[[Any, Any], Any], **more: Any) -> None:
    """
    Register a fault in the answer of a wait; it is given the task and what the sound answer is.
    """
    fault.around(
        name,
        clauses,
        bodies,
        "_then",
        lambda sound, waited, then: sound(waited, lambda task: answer(task, then)),
        **more,
    )


waits(
    "a_wait_answers_with_the_status_alone",
    "tasks.wait.settlement",
    lambda task, then: then(task) if task.live else ToolOutcome(line(task)),
)


def _timed_out(task: Any, then: Any) -> Any:
    if task.live:
        raise ToolError("timed out")
    return then(task)


waits("a_wait_that_runs_out_is_an_error", "tasks.wait.timeout-alive", _timed_out)
waits(
    "a_wait_that_runs_out_reads_nothing",
    "tasks.wait.timeout-reads",
    lambda task, then: ToolOutcome(bodies.render("", task)) if task.live else then(task),
)


@fault("tasks.wait.timeout-alive")
def a_wait_that_runs_out_kills(patch: Patch) -> None:
    def wait(sound: Any, self: TaskRegistry, task_id: str, *given: Any, **more: Any) -> Any:
        answer = sound(self, task_id, *given, **more)
        entry = self._find(task_id, more.get("caller"))
        answer.then(
            lambda task: entry.work.cancel("timeout") if task.live else None, lambda _: None
        )
        answer.then(lambda task: setattr(entry, "status", STOPPING) if task.live else None, str)
        return answer

    patch.around(TaskRegistry, "wait", wait)


output_gets(
    "waits_a_minute_by_default",
    "tasks.wait.default",
    lambda given: {"timeout_ms": 60_000, **given},
)
output_gets(
    "ignores_the_time_given",
    "tasks.wait.given",
    lambda given: {key: value for key, value in given.items() if key != "timeout_ms"},
)
output_gets(
    "takes_milliseconds_for_seconds",
    "tasks.wait.given",
    lambda given: {k: v * 1000 if k == "timeout_ms" else v for k, v in given.items()},
)
output_gets(
    "zero_is_the_default_time",
    "tasks.wait.invalid",
    lambda given: {k: v for k, v in given.items() if k != "timeout_ms" or v},
)
output_gets(
    "negative_times_are_raised_to_a_floor",
    "tasks.wait.invalid",
    lambda given: {k: max(v, 1) if k == "timeout_ms" else v for k, v in given.items()},
)
output_gets(
    "whole_milliseconds_only",
    "tasks.wait.fraction",
    lambda given: {k: int(v) if k == "timeout_ms" else v for k, v in given.items()},
)
fault.set("waits_have_no_cap", "tasks.wait.cap", bodies, "min", lambda wished, _: wished)
fault.set(
    "a_wait_above_the_cap_is_refused",
    "tasks.wait.cap",
    bodies,
    "min",
    lambda wished, cap: wished if wished <= cap else -1,
)
fault.set(
    "a_huge_wait_returns_at_once",
    "tasks.wait.cap",
    bodies,
    "min",
    lambda wished, cap: min(wished, cap) if wished < 2**31 else 1,
)


@fault("tasks.wait.output-is-no-end tasks.wait.settlement")
def output_ends_a_wait(patch: Patch) -> None:
    def emit(sound: Any, self: ProducerControl, task_id: str, **given: Any) -> None:
        sound(self, task_id, **given)
        entry = self._registry._shelves.get(task_id)
        for answer in list(entry.room._inside if entry else ()):
            entry.room._time_out(answer, entry.snapshot)

    patch.around(ProducerControl, "emit", emit)


@fault("tasks.wait.invalid")
def a_finished_task_takes_any_time(patch: Patch) -> None:
    def wait(sound: Any, self: TaskRegistry, task_id: str, time: Any, **more: Any) -> Any:
        live = self._find(task_id, more.get("caller")).live
        return sound(self, task_id, time if live else 1, **more)

    patch.around(TaskRegistry, "wait", wait)


def _enter(self: TaskRegistry, entry: Entry, time: Any, more: dict[str, Any]) -> Any:
    return entry.room.enter(self._clock, time, look=entry.snapshot, signal=more.get("signal"))


@fault("tasks.wait.finished")
def a_finished_task_is_waited_for(patch: Patch) -> None:
    def wait(sound: Any, self: TaskRegistry, task_id: str, time: Any, **more: Any) -> Any:
        entry = self._find(task_id, more.get("caller"))
        if entry.live:
            return sound(self, task_id, time, **more)
        registry.check_timeout(time)
        return _enter(self, entry, time, more)

    patch.around(TaskRegistry, "wait", wait)


@fault("tasks.wait.stopping")
def a_stopping_task_counts_as_finished(patch: Patch) -> None:
    def wait(sound: Any, self: TaskRegistry, task_id: str, time: Any, **more: Any) -> Any:
        entry = self._find(task_id, more.get("caller"))
        if entry.status != STOPPING:
            return sound(self, task_id, time, **more)
        answer: Deferred[Any] = Deferred()
        answer.resolve(entry.snapshot())
        return answer

    patch.around(TaskRegistry, "wait", wait)


@fault("tasks.wait.several")
def one_waiter_is_woken(patch: Patch) -> None:
    def clear(self: WaitingRoom) -> list[Any]:
        answers = list(self._inside)[:1]
        for answer in answers:
            self._leave(answer)
        return answers

    patch.set(WaitingRoom, "clear", clear)


@fault("tasks.wait.several tasks.wait.given")
def one_wait_running_out_ends_all(patch: Patch) -> None:
    def time_out(sound: Any, self: WaitingRoom, _: Any, look: Any) -> None:
        for answer in list(self._inside):
            sound(self, answer, look)

    patch.around(WaitingRoom, "_time_out", time_out)


fault.around(
    "aborts_are_ignored",
    "tasks.wait.abort",
    WaitingRoom,
    "enter",
    lambda sound, *given, **more: sound(*given, **{**more, "signal": None}),
)


@fault("tasks.wait.abort tasks.wait.race")
def an_abort_ends_all_waits(patch: Patch) -> None:
    def abort(sound: Any, self: WaitingRoom, _: Any) -> None:
        for answer in list(self._inside):
            sound(self, answer)

    patch.around(WaitingRoom, "_abort", abort)


@fault("tasks.wait.abort-late")
def a_late_abort_takes_the_answer_back(patch: Patch) -> None:
    def abort(sound: Any, self: Offers, *, call: str) -> Any:
        look = sound(self, call=call)
        found = self._stage.calls.get(call)
        found.result = ToolResult(f"Error: {WAIT_ABORTED}", is_error=True)
        return look

    patch.around(Offers, "tools_abort", abort)


@fault("tasks.wait.race")
def an_aborted_waiter_leaves_a_moment_later(patch: Patch) -> None:
    def enter(
        sound: Any, self: WaitingRoom, clock: Any, *given: Any, signal: Any, **more: Any
    ) -> Any:
        answer = sound(self, clock, *given, signal=None, **more)

        def abort() -> None:
            answer.reject(Rejected(WAIT_ABORTED))
            clock.soon(lambda: self._leave(answer) if answer in self._inside else None)

        signal.on_abort(abort)
        return answer

    patch.around(WaitingRoom, "enter", enter)
