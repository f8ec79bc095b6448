"""
Faults in notices: who is told of an end, when, and how.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dsh_reference.errors import Rejected
from dsh_reference.host.agents import Agent, Inbox
from dsh_reference.host.composition import Composition
from dsh_reference.host.log import Session
from dsh_reference.tasks import notices, registry
from dsh_reference.tasks.entries import Entry
from dsh_reference.tasks.notices import Notifier, notice
from dsh_reference.tasks.registry import TaskRegistry
from dsh_reference.tasks.waits import WaitingRoom
from dsh_reference.tasks.words import JOBS, TASKS
from faults.kit import Patch, stage
from faults.kit import tasks as fault
from faults.tasks.editions import words

# Notices

fault.text("the_notice_has_other_words", "tasks.notice.text", notices, "_TEXT", "finished", "ended")
fault.after(
    "the_notice_lacks_the_detail",
    "tasks.notice.detail",
    notices,
    "status_line",
    lambda line: line.split(",")[0].rstrip("]") + "]",
)


def said(name: str, clauses: str, change: Callable[[Any], Any], **more: Any) -> None:
    """
    Register a fault in the message of a notice.
    """
    fault.after(name, clauses, notices, "notice", change, **more)


fault.around(
    "labels_are_cut_in_notices",
    "tasks.notice.label-verbatim",
    notices,
    "notice",
    lambda sound, task, with_: sound(replace(task, label=task.label.split("\n")[0][:20]), with_),
)
said(
    "notices_speak_as_a_person", "tasks.notice.source", lambda m: {**m, "source": {"kind": "user"}}
)
said(
    "notices_are_system_messages",
    "tasks.notice.text",
    lambda m: {"kind": "system", "text": m["text"]},
)


def tells(
    name: str, clauses: str, tell: Callable[[Any, Notifier, Any, Any], Any], **more: Any
) -> None:
    """
    Register a fault in who is told of what.
    """
    fault.around(name, clauses, Notifier, "__call__", tell, **more)


tells(
    "only_failures_are_announced",
    "tasks.notice.each",
    lambda sound, self, task, owner: (
        None if task.status == "completed" else sound(self, task, owner)
    ),
)
tells(
    "only_successes_are_announced",
    "tasks.notice.each",
    lambda sound, self, task, owner: (
        sound(self, task, owner) if task.status == "completed" else None
    ),
)
tells(
    "completions_are_announced_twice",
    "tasks.notice.once",
    lambda sound, self, task, owner: (sound(self, task, owner), sound(self, task, owner)),
)


@fault("tasks.notice.each")
def one_notice_for_an_instant(patch: Patch) -> None:
    now = stage(patch)
    told: dict[Any, float] = {}

    def tell(sound: Any, self: Notifier, task: Any, owner: Any) -> None:
        time = now["now"].clock.now
        if told.get(owner) != time or not owner.inbox.queue:
            sound(self, task, owner)
        told[owner] = time

    patch.around(Notifier, "__call__", tell)


@fault("tasks.notice.once")
def completions_are_announced_again_after_a_restart(patch: Patch) -> None:
    def reload(sound: Any, self: Composition) -> Composition:
        fresh = sound(self)
        tasks = self.services.get("tasks")
        fresh.__dict__["due"] = [
            e for e in (tasks._shelves.everything() if tasks else ()) if e.owner
        ]
        return fresh

    def create(sound: Any, self: Composition, *given: Any, **more: Any) -> Agent:
        agent = sound(self, *given, **more)
        for entry in self.__dict__.get("due", ()):
            if entry.session == agent.session.id:
                agent.inbox.inject(notice(entry.snapshot(), TASKS))
        return agent

    patch.around(Composition, "reload", reload)
    patch.around(Composition, "create_agent", create)


@fault("tasks.notice.at-settlement")
def a_start_is_announced(patch: Patch) -> None:
    def start(sound: Any, self: TaskRegistry, **given: Any) -> Any:
        task = sound(self, **given)
        if given.get("owner") is not None:
            given["owner"].inbox.inject(notice(task, self.words))
        return task

    patch.around(TaskRegistry, "start", start)


def is_notice(message: dict[str, Any]) -> bool:
    return (message.get("source") or {}).get("plugin") in {TASKS.plugin, JOBS.plugin}


fault.after(
    "notices_reach_no_request",
    "tasks.notice.next-request",
    Inbox,
    "claim",
    lambda messages: [m for m in messages if not is_notice(m)],
)
fault.after(
    "notices_are_shown_once",
    "tasks.notice.durable",
    Session,
    "messages",
    lambda messages: [m for m in messages if not is_notice(m) or m is messages[-1]],
)
words("notices_wake_idle_owners", "tasks.notice.no-wake-up", wakes=True)


def _successor(now: dict[str, Composition], owner: Agent) -> Agent:
    found = [agent for agent in now["now"].agents if agent.session is owner.session]
    return found[-1] if found else owner


@fault("tasks.notice.exact-owner")
def notices_go_to_the_session(patch: Patch) -> None:
    now = stage(patch)
    patch.around(
        Notifier,
        "__call__",
        lambda sound, self, task, owner: sound(self, task, owner and _successor(now, owner)),
    )


@fault("tasks.notice.owner-gone")
def late_outcomes_go_to_a_successor(patch: Patch) -> None:
    now = stage(patch)

    def settle(sound: Any, self: TaskRegistry, entry: Entry, outcome: Any) -> None:
        late = not entry.live
        sound(self, entry, outcome)
        if late and entry.owner is not None:
            heir = _successor(now, entry.owner)
            heir.inbox.inject(notice(entry.snapshot(), self.words))

    patch.around(TaskRegistry, "_settle", settle)


@fault("tasks.notice.unowned")
def tasks_of_nobody_are_announced_to_all(patch: Patch) -> None:
    now = stage(patch)

    def tell(sound: Any, self: Notifier, task: Any, owner: Any) -> None:
        for agent in [owner] if owner is not None else now["now"].agents:
            sound(self, task, agent)

    patch.around(Notifier, "__call__", tell)


fault.set("waiters_do_not_count", "tasks.notice.suppressed.wait", registry, "bool", lambda _: False)


def reading(name: str, clauses: str, mark: Callable[[Entry], bool]) -> None:
    """
    Register a fault in which reads count as a report.
    """

    def read(sound: Any, self: TaskRegistry, task_id: str, *, caller: Any = None) -> Any:
        entry = self._find(task_id, caller)
        entry.reported = entry.reported or mark(entry)
        return sound(self, task_id, caller=caller)

    fault.around(name, clauses, TaskRegistry, "read", read)


reading(
    "every_read_is_a_report", "tasks.notice.due.read tasks.notice.suppressed.read", lambda _: True
)
reading(
    "a_read_beside_the_settlement_is_a_report",
    "tasks.notice.suppressed.read",
    lambda entry: entry.work.done.settled and entry.live,
)
fault.set(
    "waits_that_ran_out_count",
    "tasks.notice.due.timeout",
    WaitingRoom,
    "_time_out",
    lambda _self, answer, look: answer.resolve(look()),
)
fault.set(
    "aborted_waits_count",
    "tasks.notice.due.abort tasks.wait.race",
    WaitingRoom,
    "_abort",
    lambda _self, answer: answer.reject(Rejected("wait aborted")),
)
