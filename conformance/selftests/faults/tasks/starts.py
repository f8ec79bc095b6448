"""
Faults in who may use a task, and in how one starts.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dsh_reference.errors import Rejected
from dsh_reference.tasks import registry
from dsh_reference.tasks.entries import Entry
from dsh_reference.tasks.records import Work
from dsh_reference.tasks.registry import TaskRegistry
from dsh_reference.tasks.shelves import Shelf
from faults.kit import Patch
from faults.kit import tasks as fault
from faults.tasks.editions import words

# Who may use a task


def finds(name: str, clauses: str, look: Callable[[Any, Entry | None, Any], bool | str]) -> None:
    """
    Register a fault of the fence: `look` says whether a caller passes, or the text of a refusal.
    """

    def find(sound: Any, self: TaskRegistry, task_id: str, caller: Any) -> Entry:
        entry = self._shelves.get(task_id)
        verdict = False if entry is None else look(entry, caller, caller and caller.session.id)
        if isinstance(verdict, str):
            raise Rejected(verdict.format(noun=self.words.noun, id=task_id))
        return entry if entry is not None and verdict else sound(self, task_id, caller)

    fault.around(name, clauses, TaskRegistry, "_find", find)


finds(
    "the_fence_stands_on_one_side",
    "tasks.access.fence",
    lambda entry, _, session: session is not None and entry.owner and session < entry.session,
)
finds("everyone_uses_every_task", "tasks.access.fence", lambda _, __, ___: True)
finds("finished_tasks_are_open", "tasks.access.fence", lambda entry, _, __: not entry.live)
finds("nobody_uses_every_task", "tasks.access.no-agent", lambda _, caller, __: caller is None)
finds(
    "tasks_of_nobody_are_hidden",
    "tasks.access.unowned",
    lambda entry, caller, _: registry._UNKNOWN if entry.owner is None and caller else False,
)
finds(
    "a_task_belongs_to_its_agent_alone",
    "tasks.access.by-session",
    lambda e, caller, _: registry._FOREIGN if e.owner and e.owner is not caller else False,
)
finds(
    "a_foreign_task_is_unknown",
    "tasks.access.fence.text",
    lambda e, _, session: registry._UNKNOWN if e.owner and e.session != session else False,
)


@fault("tasks.access.fence")
def a_refused_kill_counts_as_told(patch: Patch) -> None:
    def kill(sound: Any, self: TaskRegistry, task_id: str, *given: Any, **more: Any) -> Any:
        entry = self._shelves.get(task_id)
        try:
            return sound(self, task_id, *given, **more)
        except Rejected:
            if entry is not None and entry.owner is not more.get("caller"):
                entry.reported = True
            raise

    patch.around(TaskRegistry, "kill", kill)


# Starts


@fault("tasks.start.needs-surface")
def work_starts_without_tools(patch: Patch) -> None:
    def begin(sound: Any, self: TaskRegistry, *given: Any, **more: Any) -> None:
        sound(self, *given, **more)
        self._surfaces.add("always")

    patch.around(TaskRegistry, "__init__", begin)


fault.around(
    "tools_are_counted_once_for_all",
    "tasks.start.needs-surface",
    TaskRegistry,
    "attach_surface",
    lambda sound, *given: (sound(*given), lambda: None)[1],
)
words(
    "does_not_say_what_to_load",
    "tasks.start.needs-surface.text",
    no_surface="background tasks unavailable",
)


def specs(name: str, clauses: str, change: Callable[[Any], Any]) -> None:
    """
    Register a fault in what is checked of kind and label.
    """
    fault.around(
        name,
        clauses,
        registry,
        "check_spec",
        lambda sound, spec, said: sound(change(spec), said),
    )


specs("an_empty_kind_is_fine", "tasks.start.kind", lambda s: replace(s, kind=s.kind or "x"))
specs("an_empty_label_is_fine", "tasks.start.label", lambda s: replace(s, label=s.label or "x"))
specs(
    "kind_and_label_are_trimmed",
    "tasks.start.untrimmed",
    lambda s: replace(s, kind=s.kind.strip(), label=s.label.strip()),
)


def _only_label_empty(spec: Any) -> Any:
    return replace(spec, kind="x") if not spec.label else spec


specs("looks_at_the_label_first", "tasks.start.order", _only_label_empty)
fault.set(
    "any_owner_is_fine",
    "tasks.start.live-owner",
    registry,
    "check_owner",
    lambda _owner, _agents, _words: None,
)


@fault("tasks.start.order")
def the_producer_runs_before_the_checks(patch: Patch) -> None:
    def start(sound: Any, self: TaskRegistry, *, run: Callable[[], Work], **given: Any) -> Any:
        work = run()
        return sound(self, run=lambda: work, **given)

    patch.around(TaskRegistry, "start", start)


@fault("tasks.start.throws")
def a_failed_start_uses_up_a_number(patch: Patch) -> None:
    def start(sound: Any, self: TaskRegistry, **given: Any) -> Any:
        before = self._counters[given["kind"]]
        try:
            return sound(self, **given)
        except Rejected:
            self._counters[given["kind"]] = before + 1
            raise

    patch.around(TaskRegistry, "start", start)


def numbers(name: str, clauses: str, count: Callable[[TaskRegistry, Any], int]) -> None:
    """
    Register a fault in the numbers that are given: `count` says how many were given before.
    """

    def register(sound: Any, self: TaskRegistry, spec: Any, shelf: Shelf, work: Work) -> Entry:
        self._counters = Counter({spec.kind: count(self, spec)})
        return sound(self, spec, shelf, work)

    fault.around(name, clauses, TaskRegistry, "_register", register)


numbers("one_count_for_all_kinds", "tasks.id.form", lambda self, _: self._started)
numbers("numbers_count_from_zero", "tasks.id.form", lambda self, _: self._started - 1)
numbers(
    "each_owner_has_numbers_of_its_own",
    "tasks.id.shared-count",
    lambda self, spec: len(
        [e for e in self._shelves.of(spec.owner).entries if e.kind == spec.kind]
    ),
)
numbers(
    "free_numbers_are_given_again",
    "tasks.id.not-reused",
    lambda self, spec: sum(
        entry.live and entry.kind == spec.kind for entry in self._shelves.everything()
    ),
)
numbers(
    "numbers_are_counted_from_what_is_left",
    "tasks.id.not-reused",
    lambda self, spec: sum(entry.kind == spec.kind for entry in self._shelves.everything()),
)
