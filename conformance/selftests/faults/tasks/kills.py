"""
Faults in kills, lists, cards and canonical values.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dsh_reference.errors import Rejected
from dsh_reference.tasks import bodies, catalog
from dsh_reference.tasks.bodies import TaskTools
from dsh_reference.tasks.entries import Entry
from dsh_reference.tasks.records import STOPPING, Outcome
from dsh_reference.tasks.registry import TaskRegistry
from dsh_reference.tasks.words import EDITIONS, JOBS
from faults.kit import JOBS_EDITION, Patch
from faults.kit import tasks as fault

# Kills


def kills(name: str, clauses: str, kill: Callable[..., Any], **more: Any) -> None:
    """
    Register a fault of a kill, which is given the sound one, the registry, the task and a reason.
    """

    def run(sound: Any, self: Any, task_id: str, reason: Any = None, *, caller: Any = None) -> Any:
        entry = self._find(task_id, caller)
        return kill(lambda why=reason: sound(self, task_id, why, caller=caller), entry, reason)

    fault.around(name, clauses, TaskRegistry, "kill", run, **more)


def _silently(sound: Any, entry: Entry, _: Any) -> Any:
    work, entry.work = entry.work, replace(entry.work, cancel=lambda _: None)
    try:
        return sound()
    finally:
        entry.work = work


kills("a_kill_asks_nobody", "tasks.kill.requests", _silently)
kills("reasons_are_not_forwarded", "tasks.kill.reason", lambda sound, _, __: sound(None))
kills(
    "reasons_are_trimmed",
    "tasks.kill.reason",
    lambda sound, _, reason: sound(reason and " ".join(reason.split())),
)
kills("no_reason_is_an_empty_one", "tasks.kill.reason.absent", lambda s, _, why: s(why or ""))
kills("an_empty_reason_is_none", "tasks.kill.reason.absent", lambda s, _, why: s(why or None))
kills(
    "a_second_kill_is_swallowed",
    "tasks.kill.again",
    lambda sound, entry, why: _silently(sound, entry, why) if entry.status == STOPPING else sound(),
)


def _already(sound: Any, entry: Entry, _: Any) -> Any:
    if not entry.live:
        raise Rejected(f"task {entry.id} is over")
    return sound()


kills("a_kill_of_a_finished_task_is_an_error", "tasks.kill.finished", _already)
fault.set(
    "finished_is_called_terminal",
    "tasks.kill.finished.text",
    bodies._KILL_ANSWERS,
    attribute=False,
    value=("{noun} {id} is already terminal {status}", "already-finished"),
)
kills(
    "a_kill_of_a_finished_task_reads_it",
    "tasks.kill.finished.keeps-output",
    lambda sound, entry, _: ("" if entry.live else entry.read(), sound())[1],
)
kills(
    "a_finished_producer_is_asked_to_stop",
    "tasks.kill.finished.silent",
    lambda sound, entry, why: (None if entry.live else entry.work.cancel(why), sound())[1],
)
kills(
    "a_kill_of_a_live_task_reads_it",
    "tasks.kill.keeps-output",
    lambda sound, entry, _: (entry.read() if entry.live else "", sound())[1],
)


@fault("tasks.kill.producer-decides")
def what_was_killed_ends_killed(patch: Patch) -> None:
    def settle(sound: Any, self: TaskRegistry, entry: Entry, outcome: Outcome) -> None:
        killed = replace(outcome, status="killed")
        sound(self, entry, killed if entry.status == STOPPING else outcome)

    patch.around(TaskRegistry, "_settle", settle)


@fault("tasks.kill.settles-inside")
def stopping_overwrites_the_end(patch: Patch) -> None:
    def kill(sound: Any, self: TaskRegistry, task_id: str, *given: Any, **more: Any) -> Any:
        answer = sound(self, task_id, *given, **more)
        entry = self._shelves.get(task_id)
        if answer[0]:
            self._clock.soon(lambda: setattr(entry, "status", STOPPING))
        return answer

    patch.around(TaskRegistry, "kill", kill)


def _first_stopping(sound: Any, entry: Entry, _: Any) -> Any:
    if entry.live:
        entry.status = STOPPING
    return sound()


def _first_reported(sound: Any, entry: Entry, _: Any) -> Any:
    entry.reported = True
    return sound()


def _never_reported(sound: Any, entry: Entry, _: Any) -> Any:
    before = entry.reported
    answer = sound()
    entry.reported = before
    return answer


kills("a_failed_kill_leaves_its_mark", "tasks.kill.throws", _first_stopping)
kills("a_failed_kill_suppresses_the_notice", "tasks.notice.due.failed-kill", _first_reported)
kills("a_kill_suppresses_no_notice", "tasks.notice.suppressed.kill", _never_reported)


@fault("tasks.kill.requests")
def a_kill_stops_all_of_the_kind(patch: Patch) -> None:
    def kill(sound: Any, self: TaskRegistry, task_id: str, *given: Any, **more: Any) -> Any:
        answer = sound(self, task_id, *given, **more)
        for entry in self._shelves.everything():
            if entry.id != task_id and entry.kind == answer[1].kind and entry.live:
                entry.work.cancel(None)
        return answer

    patch.around(TaskRegistry, "kill", kill)


# Lists

fault.text("the_dash_is_a_hyphen", "tasks.list.line", bodies, "_ROW", "—", "-")
fault.text(
    "status_stands_in_front",
    "tasks.list.line",
    bodies,
    "_ROW",
    "{id} [{kind}] {status}",
    "{status} {id} [{kind}]",
)
fault.text(
    "an_empty_list_has_other_words",
    "tasks.list.empty",
    bodies,
    "_NO_TASKS",
    "(no {background}s)",
    "No {background}s.",
)


def lists(name: str, clauses: str, change: Callable[[list[Any]], list[Any]], **more: Any) -> None:
    """
    Register a fault in which tasks are listed, and how.
    """
    fault.after(name, clauses, TaskRegistry, "list", change, **more)


lists("lists_in_order_of_ids", "tasks.list.order", lambda tasks: sorted(tasks, key=lambda t: t.id))
lists("finished_tasks_vanish", "tasks.list.finished", lambda tasks: [t for t in tasks if t.live])
lists(
    "completed_is_called_done",
    "tasks.status.vocabulary",
    lambda tasks: [replace(t, status=t.status.replace("completed", "done")) for t in tasks],
)
lists(
    "statuses_are_in_capitals",
    "tasks.status.vocabulary",
    lambda tasks: [replace(t, status=t.status.upper()) for t in tasks],
)
lists(
    "labels_are_put_on_one_line",
    "tasks.list.label-verbatim",
    lambda tasks: [replace(t, label=" ".join(t.label.split())) for t in tasks],
)
lists(
    "details_stand_in_the_list",
    "tasks.list.no-detail",
    lambda tasks: [
        replace(t, status=f"{t.status}, {t.detail}" if t.detail else t.status) for t in tasks
    ],
)
fault.set(
    "lists_everything",
    "tasks.list.visible",
    TaskRegistry,
    "list",
    lambda self, _caller=None: [e.snapshot() for e in self._shelves.everything()],
)


@fault("tasks.list.visible")
def nobody_sees_everything(patch: Patch) -> None:
    def list_(sound: Any, self: TaskRegistry, caller: Any = None) -> Any:
        if caller is None:
            return [entry.snapshot() for entry in self._shelves.everything()]
        return sound(self, caller)

    patch.around(TaskRegistry, "list", list_)


def _over_listed(change: Callable[[Entry], Any]) -> Callable[..., Any]:
    def list_(sound: Any, self: TaskRegistry, caller: Any = None) -> Any:
        listed = sound(self, caller)
        for task in listed:
            change(self._shelves.get(task.id))
        return listed

    return list_


fault.around(
    "a_list_reads",
    "tasks.list.consumes-nothing",
    TaskRegistry,
    "list",
    _over_listed(lambda entry: entry.read()),
)
fault.around(
    "a_list_suppresses_notices",
    "tasks.notice.due.list",
    TaskRegistry,
    "list",
    _over_listed(lambda entry: setattr(entry, "reported", True)),
)


# Cards


def cards(name: str, clauses: str, change: Callable[[Any], Any], **more: Any) -> None:
    """
    Register a fault in the cards.
    """
    fault.after(name, clauses, catalog, "_card", change, **more)


cards("cards_are_terminals", "tasks.card.generic", lambda card: {**card, "card": "terminal"})
cards("all_cards_are_reads", "tasks.card.kind", lambda card: {**card, "kind": "read"})
cards(
    "titles_lack_the_id",
    "tasks.card.title",
    lambda card: {**card, "title": card["title"].rpartition(" ")[0]},
)
cards("lists_show_an_empty_input", "tasks.card.raw-input", lambda card: {"rawInput": "", **card})
cards(
    "input_is_all_arguments",
    "tasks.card.raw-input",
    lambda card: {**card, "rawInput": json.dumps(card.get("rawInput"))},
)
cards(
    "an_empty_id_has_no_card",
    "tasks.card.lenient",
    lambda card: None if card.get("rawInput") == "" else card,
)


# Canonical values of the older edition


def outcomes(name: str, clauses: str, change: Callable[[Any], Any]) -> None:
    """
    Register a fault in the values of results.
    """
    fault.around(
        name,
        clauses,
        TaskTools,
        "_outcome",
        lambda sound, self, text, value: sound(self, text, change(value)),
        edition=JOBS_EDITION,
    )


outcomes(
    "reads_have_no_text_in_their_value",
    "tasks.value.output",
    lambda v: {"job": v["job"]} if isinstance(v, dict) and "text" in v else v,
)
outcomes(
    "lists_have_ids_as_their_value",
    "tasks.value.list",
    lambda v: [job["id"] for job in v] if isinstance(v, list) else v,
)
outcomes(
    "kills_have_one_outcome",
    "tasks.value.kill",
    lambda v: {**v, "outcome": "killed"} if isinstance(v, dict) and "outcome" in v else v,
)
fault.set(
    "results_have_no_values",
    "tasks.value.output tasks.value.list tasks.value.kill",
    EDITIONS,
    JOBS_EDITION,
    replace(JOBS, values=False),
    edition=JOBS_EDITION,
)
