"""
Finer faults in reads, lists, kills and starts: each goes wrong in one situation.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dsh_reference.host.tools import ToolRegistry
from dsh_reference.tasks import bodies
from dsh_reference.tasks.entries import Entry
from dsh_reference.tasks.producers import ProducerControl
from dsh_reference.tasks.records import COMPLETED, FAILED, KILLED, STOPPING, Outcome
from dsh_reference.tasks.registry import TaskRegistry
from dsh_reference.tasks.streams import DeltaBuffer
from faults.kit import Patch, memory
from faults.kit import tasks as fault
from faults.tasks.reads import is_final, reads

# Reads

reads(
    "decomposed_letters_are_composed",
    "tasks.read.verbatim",
    lambda _, text: unicodedata.normalize("NFC", text),
)
reads(
    "statuses_in_the_output_are_taken_out",
    "tasks.read.verbatim",
    lambda _, text: text.replace("[status: completed]\n", ""),
)
reads("a_line_break_alone_is_nothing", "tasks.read.blank", lambda _, t: "" if t == "\n" else t)
reads(
    "blanks_alone_are_nothing", "tasks.read.blank", lambda _, t: "" if t and set(t) == {" "} else t
)


@fault("tasks.read.blank")
def an_empty_write_is_a_line(patch: Patch) -> None:
    patch.around(DeltaBuffer, "write", lambda sound, self, text: sound(self, text or "\n"))


def joints(name: str, when: Callable[[str, Any], bool], joint: str) -> None:
    """
    Register a fault in what stands between output and status.
    """

    def render(sound: Any, text: str, task: Any) -> str:
        if text and when(text, task):
            return f"{text.rstrip(chr(10))}{joint}{bodies.status_line(task)}"
        return sound(text, task)

    fault.around(name, "tasks.read.joint", bodies, "render", render)


joints("blank_lines_at_the_end_are_lost", lambda text, _: text.endswith("\n\n"), "\n")
joints(
    "an_unfinished_line_takes_the_status",
    lambda text, task: not text.endswith("\n") and task.status == "running",
    " ",
)
joints(
    "a_result_takes_the_status",
    lambda text, task: not text.endswith("\n") and task.status == FAILED,
    " ",
)


@fault("tasks.read.tail")
def a_task_that_broke_loses_its_output(patch: Patch) -> None:
    patch.around(
        Entry,
        "read",
        lambda sound, self: (
            "" if self.status == FAILED and "bug" in (self.outcome.detail or "") else sound(self)
        ),
    )


@fault("tasks.read.tail")
def the_last_words_of_a_failure_are_lost(patch: Patch) -> None:
    patch.around(
        Entry,
        "read",
        lambda sound, self: (
            ""
            if self.status == FAILED and (self.outcome.detail or "").startswith("exit")
            else sound(self)
        ),
    )


# Bytes


def written(name: str, when: Callable[[bytes], bool]) -> None:
    """
    Register a fault that decodes some writes of bytes on their own.
    """

    def write(sound: Any, self: DeltaBuffer, data: bytes) -> None:
        if when(data):
            self.write(data.decode("utf-8", "replace"))
        else:
            sound(self, data)

    fault.around(name, "tasks.read.split-character", DeltaBuffer, "write_bytes", write)


written(
    "three_bytes_of_four_are_decoded_alone", lambda data: data[:1] == b"\xf0" and len(data) == 3
)
written("a_begun_character_behind_others_is_decoded_alone", lambda data: data == b"a\xe4\xbb")


# Lists


# Kills and ends


def ends(name: str, when: Callable[[Entry, Outcome], bool]) -> None:
    """
    Register a fault that forces the status of a task which was killed.
    """

    def settle(sound: Any, self: TaskRegistry, entry: Entry, outcome: Outcome) -> None:
        forced = entry.status == STOPPING and when(entry, outcome)
        sound(self, entry, replace(outcome, status=KILLED) if forced else outcome)

    fault.around(name, "tasks.kill.producer-decides", TaskRegistry, "_settle", settle)


ends("a_killed_task_never_completes", lambda _, outcome: outcome.status == COMPLETED)
ends("a_killed_task_never_fails", lambda _, outcome: outcome.status == FAILED)


@fault("tasks.kill.finished.keeps-output")
def a_late_kill_drops_the_result(patch: Patch) -> None:
    def kill(sound: Any, self: TaskRegistry, task_id: str, *given: Any, **more: Any) -> Any:
        entry = self._find(task_id, more.get("caller"))
        answer = sound(self, task_id, *given, **more)
        if not answer[0] and is_final(entry) and entry.status == COMPLETED:
            entry.outcome = replace(entry.outcome, output=None)
        return answer

    patch.around(TaskRegistry, "kill", kill)


@fault("tasks.status.final")
def a_kill_is_taken_back(patch: Patch) -> None:
    def settle(sound: Any, self: ProducerControl, task_id: str, **given: Any) -> None:
        sound(self, task_id, **given)
        entry = self._registry._shelves.get(task_id)
        if entry is not None and entry.status == KILLED:
            entry.status = given.get("status", COMPLETED)

    patch.around(ProducerControl, "settle", settle)


@fault("tasks.status.final")
def a_late_failure_counts(patch: Patch) -> None:
    def settle(sound: Any, self: ProducerControl, task_id: str, **given: Any) -> None:
        entry = self._registry._shelves.get(task_id)
        completed = entry is not None and entry.status == COMPLETED
        sound(self, task_id, **given)
        if completed and given.get("status") == FAILED:
            entry.status = FAILED

    patch.around(ProducerControl, "settle", settle)


# Starts


@fault("tasks.id.not-reused")
def a_free_number_is_given_again(patch: Patch) -> None:
    def register(sound: Any, self: TaskRegistry, spec: Any, *given: Any) -> Any:
        own = [entry for entry in self._shelves.everything() if entry.kind == spec.kind]
        if own and not any(entry.live for entry in own):
            self._counters[spec.kind] = 0
        return sound(self, spec, *given)

    patch.around(TaskRegistry, "_register", register)


# Arguments


def takes(name: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """
    Register a fault that repairs the arguments of `task_output` before the schema is asked.
    """

    def run(sound: Any, self: ToolRegistry, tool: str, given: Any, call: Any) -> Any:
        repaired = change(given) if tool == "task_output" and isinstance(given, dict) else given
        return sound(self, tool, repaired, call)

    fault.around(name, "tasks.arguments.type", ToolRegistry, "_run", run)


takes(
    "a_time_of_null_is_no_time",
    lambda given: {k: v for k, v in given.items() if k != "timeout_ms" or v is not None},
)
takes(
    "one_is_a_truth",
    lambda given: {k: bool(v) if k == "wait" and v == 1 else v for k, v in given.items()},
)


# Owners


@fault("tasks.owner.exact")
def an_owner_takes_along_what_is_nobodys(patch: Patch) -> None:
    def clean(sound: Any, self: TaskRegistry, shelf: Any) -> Any:
        ended = sound(self, shelf)
        self._shelves.drop(self._shelves.of(None))
        return ended

    patch.around(TaskRegistry, "_clean_up", clean)


@fault("tasks.start.live-owner")
def work_of_the_dead_is_nobodys(patch: Patch) -> None:
    def start(sound: Any, self: TaskRegistry, **given: Any) -> Any:
        owner = given.get("owner")
        alone = owner is not None and not any(
            each.session is owner.session for each in self._agents or ()
        )
        return sound(self, **({**given, "owner": None} if alone else given))

    patch.around(TaskRegistry, "start", start)


@fault("tasks.read.delta")
def a_line_that_was_completed_is_read_whole(patch: Patch) -> None:
    begun = memory(patch)

    def take(sound: Any, self: DeltaBuffer) -> str:
        text: str = sound(self)
        line = begun.pop(self, "") if text.endswith("\n") else ""
        if text and not text.endswith("\n"):
            begun[self] = text.rpartition("\n")[2]
        return line + text

    patch.around(DeltaBuffer, "take", take)
