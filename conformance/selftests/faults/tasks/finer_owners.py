"""
Finer faults in whose a task is, and in what becomes of it when its owner goes.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

from typing import Any

from dsh_reference.errors import Rejected
from dsh_reference.host.agents import AgentRegistry
from dsh_reference.tasks.entries import Entry
from dsh_reference.tasks.notices import notice
from dsh_reference.tasks.records import KILLED
from dsh_reference.tasks.registry import TaskRegistry
from dsh_reference.tasks.teardown import Teardown
from faults.kit import Patch, memory
from faults.kit import tasks as fault
from faults.tasks.notices import tells

# Whose it is


@fault("tasks.access.fence")
def a_refused_wait_counts_as_told(patch: Patch) -> None:
    def wait(sound: Any, self: TaskRegistry, task_id: str, *given: Any, **more: Any) -> Any:
        entry, caller = self._shelves.get(task_id), more.get("caller")
        if entry is not None and caller is not None and entry.session is not None:
            entry.reported = entry.reported or entry.session != caller.session.id
        return sound(self, task_id, *given, **more)

    patch.around(TaskRegistry, "wait", wait)


@fault("tasks.access.unowned")
def work_of_nobody_goes_to_who_reads_it_first(patch: Patch) -> None:
    readers = memory(patch)

    def read(sound: Any, self: TaskRegistry, task_id: str, *, caller: Any = None) -> Any:
        reading = sound(self, task_id, caller=caller)
        if caller is not None:
            readers.setdefault(task_id, caller.session.id)
        return reading

    def kill(sound: Any, self: TaskRegistry, task_id: str, *given: Any, **more: Any) -> Any:
        entry, caller = self._find(task_id, more.get("caller")), more.get("caller")
        reader = readers.get(task_id) if entry.owner is None else None
        if reader is not None and caller is not None and caller.session.id != reader:
            raise Rejected(f"task {task_id} belongs to another session")
        return sound(self, task_id, *given, **more)

    patch.around(TaskRegistry, "read", read)
    patch.around(TaskRegistry, "kill", kill)


@fault("tasks.access.unowned")
def nobody_kills_nothing(patch: Patch) -> None:
    def kill(sound: Any, self: TaskRegistry, task_id: str, *given: Any, **more: Any) -> Any:
        if more.get("caller") is None:
            raise Rejected("a kill needs an agent")
        return sound(self, task_id, *given, **more)

    patch.around(TaskRegistry, "kill", kill)


# Who is told


@fault("tasks.notice.suppressed.kill")
def a_minute_after_a_kill_its_end_is_announced(patch: Patch) -> None:
    killed = memory(patch)

    def kill(sound: Any, self: TaskRegistry, task_id: str, *given: Any, **more: Any) -> Any:
        answer = sound(self, task_id, *given, **more)
        killed[task_id] = self._clock.now
        return answer

    def settle(sound: Any, self: TaskRegistry, entry: Entry, outcome: Any) -> None:
        if self._clock.now - killed.get(entry.id, self._clock.now) >= 60_000:
            entry.reported = False
        sound(self, entry, outcome)

    patch.around(TaskRegistry, "kill", kill)
    patch.around(TaskRegistry, "_settle", settle)


@fault("tasks.notice.once")
def a_kill_after_the_end_announces_it_again(patch: Patch) -> None:
    def kill(sound: Any, self: TaskRegistry, task_id: str, *given: Any, **more: Any) -> Any:
        entry = self._find(task_id, more.get("caller"))
        answer = sound(self, task_id, *given, **more)
        if not answer[0] and entry.owner is not None and entry.owner.alive:
            entry.owner.inbox.inject(notice(entry.snapshot(), self.words))
        return answer

    patch.around(TaskRegistry, "kill", kill)


# When the owner goes


@fault("tasks.notice.owner-gone")
def unread_notices_are_handed_on(patch: Patch) -> None:
    def dispose(sound: Any, self: AgentRegistry, agent_id: str) -> Any:
        agent = self.get(agent_id)
        unread = agent.inbox.messages if agent is not None else []
        for other in list(self):
            for message in unread if other is not agent else ():
                other.inbox.inject(message)
        return sound(self, agent_id)

    patch.around(AgentRegistry, "dispose", dispose)


@fault("tasks.owner.cancels")
def finished_work_is_asked_to_stop(patch: Patch) -> None:
    def drain(sound: Any, self: Teardown, entries: Any, reason: str) -> Any:
        entries = list(entries)
        ended = sound(self, entries, reason)
        for entry in entries:
            if entry.outcome is not None and entry.outcome.status == "completed":
                entry.work.cancel(reason)
        return ended

    patch.around(Teardown, "drain", drain)


tells(
    "agents_that_were_stopped_are_not_announced",
    "tasks.notice.text",
    lambda sound, self, task, owner: (
        None if (task.kind, task.status) == ("agent", KILLED) else sound(self, task, owner)
    ),
)
