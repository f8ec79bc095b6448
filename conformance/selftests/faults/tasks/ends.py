"""
Faults at the end of an owner, of the plugin, of the process.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

from typing import Any

from dsh_reference.host.composition import Composition
from dsh_reference.host.prompt import PromptSections
from dsh_reference.host.tools import ToolRegistry
from dsh_reference.tasks import registry
from dsh_reference.tasks.entries import Entry
from dsh_reference.tasks.records import STOPPING
from dsh_reference.tasks.registry import TaskRegistry
from dsh_reference.tasks.shelves import Shelf, Shelves
from dsh_reference.tasks.teardown import Teardown
from faults.kit import Patch
from faults.kit import tasks as fault

# The end of an owner, of the plugin, of the process

fault.set(
    "the_end_of_an_owner_has_other_words",
    "tasks.owner.cancels",
    registry,
    "OWNER_DISPOSED",
    "agent disposed",
)
fault.around(
    "work_outlives_its_owner",
    "tasks.owner.cancels",
    Teardown,
    "drain",
    lambda sound, self, _entries, reason: sound(self, [], reason),
)
fault.around(
    "what_is_stopping_is_not_asked_again",
    "tasks.owner.cancels",
    Teardown,
    "drain",
    lambda sound, self, entries, reason: sound(
        self, [entry for entry in entries if entry.status != STOPPING], reason
    ),
)
fault.set(
    "tasks_outlive_their_owner",
    "tasks.owner.drops",
    Shelves,
    "drop",
    lambda self, shelf: self._by_owner.pop(id(shelf.owner), None),
)


@fault("tasks.owner.exact")
def an_owner_takes_its_namesakes_along(patch: Patch) -> None:
    def clean_up(sound: Any, self: TaskRegistry, shelf: Shelf) -> Any:
        for entry in self._shelves.everything():
            if (
                entry.session == shelf.owner.session.id
                and entry not in shelf.entries
                and entry.live
            ):
                entry.work.cancel(registry.OWNER_DISPOSED)
        return sound(self, shelf)

    patch.around(TaskRegistry, "_clean_up", clean_up)


@fault("tasks.owner.exact")
def an_owner_takes_all_along(patch: Patch) -> None:
    def clean_up(sound: Any, self: TaskRegistry, shelf: Shelf) -> Any:
        for entry in self._shelves.everything():
            if entry.owner is not shelf.owner and entry.live:
                entry.work.cancel(registry.OWNER_DISPOSED)
        return sound(self, shelf)

    patch.around(TaskRegistry, "_clean_up", clean_up)


@fault("tasks.owner.throws")
def a_throwing_producer_stops_the_teardown(patch: Patch) -> None:
    def stop(_: Teardown, entry: Entry, reason: str) -> None:
        entry.reported = True
        entry.work.cancel(reason)
        entry.status = STOPPING

    patch.set(Teardown, "_stop", stop)


@fault("tasks.owner.late-outcome")
def a_late_outcome_revives_the_record(patch: Patch) -> None:
    def settle(sound: Any, self: TaskRegistry, entry: Entry, outcome: Any) -> None:
        late = not entry.live
        sound(self, entry, outcome)
        if late or (entry.owner is not None and not entry.owner.alive):
            self._shelves.put(entry, self._shelves.of(None))

    patch.around(TaskRegistry, "_settle", settle)


def _for_ever(sound: Any, *given: Any, **more: Any) -> Any:
    sound(*given, **more)
    return lambda: None


fault.around("tools_outlive_the_plugin", "tasks.unload.tools", ToolRegistry, "register", _for_ever)
fault.around(
    "guidance_outlives_the_plugin", "tasks.unload.prompt", PromptSections, "add", _for_ever
)
fault.around(
    "notices_outlive_the_plugin", "tasks.unload.silent", TaskRegistry, "on_task_done", _for_ever
)


@fault("tasks.restart.empty")
def tasks_survive_a_restart(patch: Patch) -> None:
    def reload(sound: Any, self: Composition) -> Composition:
        fresh = sound(self)
        old, new = self.services.get("tasks"), fresh.services.get("tasks")
        if old is not None:
            new._shelves, new._counters = old._shelves, old._counters
        return fresh

    patch.around(Composition, "reload", reload)


@fault("tasks.restart.throws")
def a_throwing_producer_stops_a_restart(patch: Patch) -> None:
    def reload(sound: Any, self: Composition) -> Composition:
        tasks = self.services.get("tasks")
        for entry in tasks._shelves.everything() if tasks else ():
            if entry.live:
                entry.work.cancel("restart")
        return sound(self)

    patch.around(Composition, "reload", reload)
