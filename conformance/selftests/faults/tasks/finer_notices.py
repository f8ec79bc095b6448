"""
Finer faults in notices, waits and wake-ups: each goes wrong in one situation.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

from typing import Any

from dsh_reference.errors import Rejected
from dsh_reference.host.agents import Inbox
from dsh_reference.host.composition import Composition
from dsh_reference.tasks import bodies, notices
from dsh_reference.tasks.delivery import Delivery, Turns
from dsh_reference.tasks.entries import Entry
from dsh_reference.tasks.notices import notice
from dsh_reference.tasks.records import KILLED, STOPPING
from dsh_reference.tasks.registry import TaskRegistry
from dsh_reference.tasks.teardown import Teardown
from dsh_reference.tasks.waits import WaitingRoom
from dsh_reference.tasks.words import TASKS
from faults.kit import JOBS_EDITION, Patch, memory
from faults.kit import tasks as fault
from faults.tasks.notices import is_notice

# Who is told


@fault("tasks.notice.next-request")
def a_notice_beside_a_message_is_lost(patch: Patch) -> None:
    def claim(messages: list[Any]) -> list[Any]:
        people = [message for message in messages if not is_notice(message)]
        return people or messages

    patch.after(Inbox, "claim", claim)


@fault("tasks.notice.suppressed.kill")
def a_kill_that_works_at_once_is_announced(patch: Patch) -> None:
    def kill(sound: Any, self: TaskRegistry, task_id: str, *given: Any, **more: Any) -> Any:
        entry = self._find(task_id, more.get("caller"))
        answer = sound(self, task_id, *given, **more)
        entry.reported = entry.reported and not entry.work.done.settled
        return answer

    patch.around(TaskRegistry, "kill", kill)


@fault("tasks.notice.due.timeout")
def a_refused_wait_counts_as_a_report(patch: Patch) -> None:
    def wait(sound: Any, self: TaskRegistry, task_id: str, time: Any, **more: Any) -> Any:
        entry = self._find(task_id, more.get("caller"))
        entry.reported = entry.reported or not time
        return sound(self, task_id, time, **more)

    patch.around(TaskRegistry, "wait", wait)


@fault("tasks.notice.due.timeout")
def many_waits_that_ran_out_count(patch: Patch) -> None:
    count = memory(patch)

    def wait(sound: Any, self: TaskRegistry, task_id: str, time: Any, **more: Any) -> Any:
        entry = self._find(task_id, more.get("caller"))
        count[entry] = count.get(entry, 0) + 1
        entry.reported = entry.reported or count[entry] > 5
        return sound(self, task_id, time, **more)

    patch.around(TaskRegistry, "wait", wait)


@fault("tasks.notice.suppressed.wait")
def a_wait_that_runs_out_forgets_the_others(patch: Patch) -> None:
    ran_out = memory(patch)

    def time_out(sound: Any, self: WaitingRoom, answer: Any, look: Any) -> None:
        sound(self, answer, look)
        ran_out[self] = True

    def settle(sound: Any, self: TaskRegistry, entry: Entry, outcome: Any) -> None:
        if entry.room in ran_out and entry.live:
            answers = entry.room.clear()
            sound(self, entry, outcome)
            for answer in answers:
                answer.resolve(entry.snapshot())
        else:
            sound(self, entry, outcome)

    patch.around(WaitingRoom, "_time_out", time_out)
    patch.around(TaskRegistry, "_settle", settle)


@fault("tasks.notice.suppressed.wait")
def waits_of_others_do_not_count(patch: Patch) -> None:
    foreign = memory(patch)

    def wait(sound: Any, self: TaskRegistry, task_id: str, *given: Any, **more: Any) -> Any:
        entry = self._find(task_id, more.get("caller"))
        if entry.live and entry.owner is not None and more.get("caller") is not entry.owner:
            foreign[entry] = True
        return sound(self, task_id, *given, **more)

    def settle(sound: Any, self: TaskRegistry, entry: Entry, outcome: Any) -> None:
        if entry not in foreign or not entry.live:
            sound(self, entry, outcome)
            return
        answers = entry.room.clear()
        sound(self, entry, outcome)
        for answer in answers:
            answer.resolve(entry.snapshot())

    patch.around(TaskRegistry, "wait", wait)
    patch.around(TaskRegistry, "_settle", settle)


# Waits


@fault("tasks.wait.abort")
def an_abort_kills(patch: Patch) -> None:
    def wait(sound: Any, self: TaskRegistry, task_id: str, *given: Any, **more: Any) -> Any:
        answer = sound(self, task_id, *given, **more)
        entry = self._find(task_id, more.get("caller"))
        if more.get("signal") is not None and entry.live:
            more["signal"].on_abort(
                lambda: entry.work.cancel("aborted") if not len(entry.room) else None
            )
        return answer

    patch.around(TaskRegistry, "wait", wait)


@fault("tasks.wait.settlement")
def the_end_of_any_task_answers(patch: Patch) -> None:
    def settle(sound: Any, self: TaskRegistry, entry: Entry, outcome: Any) -> None:
        sound(self, entry, outcome)
        for other in self._shelves.everything():
            if other.live and other.session == entry.session:
                for answer in other.room.clear():
                    answer.resolve(other.snapshot())

    patch.around(TaskRegistry, "_settle", settle)


@fault("tasks.wait.settlement")
def a_kill_answers_the_waits(patch: Patch) -> None:
    def kill(sound: Any, self: TaskRegistry, task_id: str, *given: Any, **more: Any) -> Any:
        answer = sound(self, task_id, *given, **more)
        entry = self._find(task_id, more.get("caller"))
        if entry.live and entry.owner is not None:
            for waiter in entry.room.clear():
                waiter.resolve(entry.snapshot())
        return answer

    patch.around(TaskRegistry, "kill", kill)


def times(name: str, clauses: str, change: Any) -> None:
    """
    Register a fault in how long a wait lasts, in milliseconds.
    """

    def wait(sound: Any, self: TaskRegistry, task_id: str, time: Any, **more: Any) -> Any:
        return sound(self, task_id, change(self, task_id, time), **more)

    fault.around(name, clauses, TaskRegistry, "wait", wait)


times("small_defaults_are_raised", "tasks.wait.default", lambda _, __, t: 250 if t == 200 else t)
times(
    "parts_of_a_millisecond_below_zero_are_one",
    "tasks.wait.invalid",
    lambda _, __, t: 1 if -1 < t < 0 else t,
)


@fault("tasks.wait.stopping")
def a_wait_for_a_stopping_task_does_not_run_out(patch: Patch) -> None:
    patch.around(
        WaitingRoom,
        "_time_out",
        lambda sound, self, answer, look: (
            None if look().status == STOPPING else sound(self, answer, look)
        ),
    )


@fault("tasks.wait.stopping")
def a_stopping_task_wakes_nobody(patch: Patch) -> None:
    def wait(sound: Any, self: TaskRegistry, task_id: str, *given: Any, **more: Any) -> Any:
        entry = self._find(task_id, more.get("caller"))
        answer = sound(self, task_id, *given, **more)
        if entry.status == STOPPING:
            entry.room._inside.pop(answer, None)
        return answer

    patch.around(TaskRegistry, "wait", wait)


@fault("tasks.wait.several")
def two_may_wait(patch: Patch) -> None:
    def enter(sound: Any, self: WaitingRoom, *given: Any, **more: Any) -> Any:
        if len(self) > 1:
            raise Rejected("too many waits")
        return sound(self, *given, **more)

    patch.around(WaitingRoom, "enter", enter)


# Owners that go


@fault("tasks.notice.owner-gone")
def what_ends_with_its_owner_is_told_to_a_successor(patch: Patch) -> None:
    ended = memory(patch)

    def stop(sound: Any, self: Teardown, entry: Entry, reason: str) -> None:
        sound(self, entry, reason)
        if entry.owner is not None and entry.work.done.settled:
            ended.setdefault(entry.session, []).append(entry)

    def create(sound: Any, self: Composition, *given: Any, **more: Any) -> Any:
        agent = sound(self, *given, **more)
        for entry in ended.pop(agent.session.id, ()):
            if entry.status == KILLED:
                agent.inbox.inject(notice(entry.snapshot(), TASKS))
        return agent

    patch.around(Teardown, "_stop", stop)
    patch.around(Composition, "create_agent", create)


# Form and wake-ups, in the older edition


@fault("tasks.notice.form", edition=JOBS_EDITION)
def the_form_is_a_message(patch: Patch) -> None:
    def change(message: dict[str, Any]) -> dict[str, Any]:
        return {**message, "source": {**message["source"], "form": "message"}}

    patch.after(notices, "notice", change)


@fault("tasks.wake.budget", edition=JOBS_EDITION)
def three_wake_ups_are_four(patch: Patch) -> None:
    patch.around(
        Delivery,
        "__init__",
        lambda sound, self, budget: sound(self, budget + 1 if budget == 3 else budget),
    )


@fault("tasks.wake.busy", edition=JOBS_EDITION)
def a_turn_that_a_person_began_is_no_turn(patch: Patch) -> None:
    def is_open(sound: Any, self: Turns, session: Any) -> bool:
        kinds = [event["type"] for event in session.events]
        return sound(self, session) and kinds[-2:] != ["turn/start", "message"]

    patch.around(Turns, "is_open", is_open)


# Caps

fault.set(
    "hours_have_no_cap",
    "tasks.wait.cap",
    bodies,
    "min",
    lambda wished, cap: wished if wished % 3_600_000 == 0 else min(wished, cap),
)


@fault("tasks.wait.several")
def one_reader_of_a_stream_is_woken(patch: Patch) -> None:
    def settle(sound: Any, self: TaskRegistry, entry: Entry, outcome: Any) -> None:
        if entry.live and entry.work.read_output is not None:
            for answer in list(entry.room._inside)[1:]:
                entry.room._leave(answer)
        sound(self, entry, outcome)

    patch.around(TaskRegistry, "_settle", settle)
