"""
Faults in what a read returns, and in the statuses of tasks.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dsh_reference.tasks import bodies, registry
from dsh_reference.tasks.bodies import TaskTools
from dsh_reference.tasks.entries import Entry
from dsh_reference.tasks.producers import Producer, ProducerControl
from dsh_reference.tasks.records import Outcome
from dsh_reference.tasks.registry import Reading, TaskRegistry
from dsh_reference.tasks.streams import DeltaBuffer
from faults.kit import Patch, memory
from faults.kit import tasks as fault

# Reads


def output_gets(
    name: str, clauses: str, change: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    """
    Register a fault in what `task_output` takes its arguments for.
    """
    fault.around(
        name,
        clauses,
        TaskTools,
        "output",
        lambda sound, self, given, call: sound(self, change(given), call),
    )


def reads(name: str, clauses: str, change: Callable[[Entry, str], str], **more: Any) -> None:
    """
    Register a fault in the text of a read.
    """
    fault.around(
        name, clauses, Entry, "read", lambda sound, self: change(self, sound(self)), **more
    )


def is_final(entry: Entry) -> bool:
    """
    Whether its output comes with its outcome.
    """
    return entry.work.read_output is None


output_gets("every_read_waits", "tasks.read.non-blocking", lambda given: {**given, "wait": True})
output_gets(
    "a_time_starts_a_wait",
    "tasks.read.timeout-alone",
    lambda given: {**given, "wait": given.get("wait", "timeout_ms" in given)},
)
fault.set(
    "reads_all_from_the_beginning",
    "tasks.read.delta",
    DeltaBuffer,
    "take",
    lambda self: "".join(self._pieces),
)


@fault("tasks.read.delta")
def holds_unfinished_lines_back(patch: Patch) -> None:
    def take(sound: Any, self: DeltaBuffer) -> str:
        whole, line_break, rest = sound(self).rpartition("\n")
        self._pieces = [rest] if rest else []
        return whole + line_break

    patch.around(DeltaBuffer, "take", take)


@fault("tasks.read.delta")
def keeps_the_tail_of_long_output(patch: Patch) -> None:
    patch.after(DeltaBuffer, "take", lambda text: text[-1000:])


@fault("tasks.read.single-consumer")
def each_session_has_its_own_place(patch: Patch) -> None:
    everything, places = memory(patch), {}

    def read(sound: Any, self: TaskRegistry, task_id: str, *, caller: Any = None) -> Reading:
        reading = sound(self, task_id, caller=caller)
        if is_final(self._find(task_id, caller)):
            return reading
        text = everything[self, task_id] = everything.get((self, task_id), "") + reading.text
        key = self, task_id, caller and caller.session.id
        place, places[key] = places.get(key, 0), len(text)
        return replace(reading, text=text[place:])

    patch.around(TaskRegistry, "read", read)


@fault("tasks.read.per-task")
def all_streams_share_one_buffer(patch: Patch) -> None:
    shared = memory(patch)

    def begin(sound: Any, self: Producer, *given: Any) -> None:
        sound(self, *given)
        self.buffer = shared.setdefault("buffer", self.buffer)

    patch.around(Producer, "__init__", begin)


reads("results_are_not_shown", "tasks.read.final", lambda e, text: "" if is_final(e) else text)
reads(
    "unsettled_results_say_so",
    "tasks.read.final.early",
    lambda entry, text: "still working" if is_final(entry) and entry.live else text,
)


@fault("tasks.read.final.again")
def results_are_shown_once(patch: Patch) -> None:
    shown = memory(patch)

    def once(sound: Any, self: Entry) -> str:
        if is_final(self) and not self.live:
            first, shown[self] = self not in shown, True
            return sound(self) if first else ""
        return sound(self)

    patch.around(Entry, "read", once)


reads(
    "no_result_reads_null",
    "tasks.read.final.nothing",
    lambda entry, text: text or "null" if is_final(entry) and not entry.live else text,
)
reads(
    "streams_end_with_their_result",
    "tasks.read.stream-result",
    lambda entry, text: (
        text + ((entry.outcome and entry.outcome.output) or "") if not is_final(entry) else text
    ),
)
reads("line_ends_are_normalised", "tasks.read.verbatim", lambda _, text: text.replace("\r\n", "\n"))
reads(
    "output_is_escaped_to_ascii",
    "tasks.read.verbatim",
    lambda _, text: text.encode("ascii", "backslashreplace").decode(),
)


def renders(name: str, clauses: str, render: Callable[[str, Any], str], **more: Any) -> None:
    """
    Register a fault in how output and status are put together.
    """
    fault.set(name, clauses, bodies, "render", render, **more)


def line(task: Any) -> str:
    return bodies.status_line(task)


renders("status_comes_first", "tasks.read.status-line", lambda t, task: f"{line(task)}\n{t}")
renders(
    "status_is_shown_while_running",
    "tasks.read.status-line",
    lambda text, task: f"{text or bodies.NO_OUTPUT}\n{line(task)}" if task.live else text,
)
renders(
    "a_line_break_is_always_added",
    "tasks.read.joint",
    lambda text, task: f"{text or bodies.NO_OUTPUT}\n{line(task)}",
)
renders(
    "a_line_break_is_never_added",
    "tasks.read.joint",
    lambda text, task: f"{text or bodies.NO_OUTPUT}{line(task)}",
)
renders(
    "trailing_line_breaks_are_cut",
    "tasks.read.joint",
    lambda text, task: f"{text.rstrip() or text or bodies.NO_OUTPUT}\n{line(task)}",
)
SOUND_RENDER = bodies.render
renders(
    "blank_output_counts_as_none",
    "tasks.read.blank",
    lambda text, task: SOUND_RENDER(text if text.strip() else "", task),
)
fault.text(
    "says_no_output",
    "tasks.read.no-new-output",
    bodies,
    "NO_OUTPUT",
    "(no new output)",
    "(No output)",
)


def status_lines(name: str, clauses: str, change: Callable[[str], str], **more: Any) -> None:
    """
    Register a fault in the status line of a read.
    """
    fault.after(name, clauses, bodies, "status_line", change, **more)


status_lines(
    "details_are_dropped", "tasks.read.detail", lambda line: line.split(",")[0].rstrip("]") + "]"
)
status_lines(
    "details_follow_a_dash", "tasks.read.detail.form", lambda line: line.replace(", ", " — ")
)
status_lines(
    "empty_details_are_dropped", "tasks.read.detail.empty", lambda line: line.replace(", ]", "]")
)
status_lines(
    "running_is_called_pending",
    "tasks.status.running",
    lambda line: line.replace("running", "pending"),
)
status_lines("status_has_no_brackets", "tasks.read.status-line", lambda line: line.strip("[]"))


@fault("tasks.read.split-character")
def decodes_piece_by_piece(patch: Patch) -> None:
    def write(self: DeltaBuffer, data: bytes) -> None:
        self._pieces.append(data.decode("utf-8", "replace"))

    patch.set(DeltaBuffer, "write_bytes", write)


@fault("tasks.read.split-character")
def one_decoder_serves_all_streams(patch: Patch) -> None:
    shared = memory(patch)

    def write(sound: Any, self: DeltaBuffer, data: bytes) -> None:
        self._decoder = shared.get("decoder")
        sound(self, data)
        shared["decoder"] = self._decoder

    patch.around(DeltaBuffer, "write_bytes", write)


@fault("tasks.read.tail tasks.kill.finished.keeps-output")
def unread_output_goes_at_settlement(patch: Patch) -> None:
    patch.set(DeltaBuffer, "close", lambda self: self._pieces.clear())


fault.text(
    "an_unknown_task_is_quoted", "tasks.read.unknown", registry, "_UNKNOWN", "{id}", "'{id}'"
)


# Statuses

fault.set(
    "a_task_to_be_killed_keeps_running", "tasks.status.stopping", registry, "STOPPING", "running"
)


@fault("tasks.status.final")
def a_second_outcome_stands(patch: Patch) -> None:
    def settle(sound: Any, self: ProducerControl, task_id: str, **given: Any) -> None:
        entry = self._registry._shelves.get(task_id)
        if entry is not None and not entry.live:
            entry.finish(Outcome(status=given.get("status", "completed")), 0)
        sound(self, task_id, **given)

    patch.around(ProducerControl, "settle", settle)


fault.set(
    "a_broken_producer_leaves_its_task_running",
    "tasks.settle.rejected",
    TaskRegistry,
    "_break",
    lambda _self, _entry, _error: None,
)
fault.set(
    "a_broken_producer_gives_no_detail",
    "tasks.settle.rejected",
    registry,
    "error_text",
    lambda _: "failed",
)
