"""
Faults of auto-continue, and in the settings.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from dsh_reference.tree import auto_continue, config, plugin, texts
from dsh_reference.tree.auto_continue import AutoContinue
from dsh_reference.tree.marks import Marks
from dsh_reference.tree.presence import Presence
from dsh_reference.tree.store import Store
from faults.kit import Patch
from faults.kit import tree as fault

# Auto-continue

fault.set(
    "continues_by_default",
    "tree.autocontinue.off-by-default",
    config,
    "DEFAULTS",
    {**config.DEFAULTS, "autoContinue": True},
)
fault.set(
    "six_rounds_by_default",
    "tree.autocontinue.cap-default",
    config,
    "DEFAULTS",
    {**config.DEFAULTS, "maxAutoRounds": 6},
)


def reads_config(name: str, clauses: str, change: Callable[[Any, Any], Any]) -> None:
    """
    Register a fault in the settings: `change` gets those that were read, and those given.
    """
    fault.around(
        name,
        clauses,
        plugin,
        "read_config",
        lambda sound, given, folder: change(sound(given, folder), given),
    )


reads_config(
    "anything_true_continues",
    "tree.autocontinue.only-true",
    lambda read, given: replace(read, auto_continue=bool(given.get("autoContinue"))),
)
reads_config(
    "anything_true_is_on",
    "tree.config.enabled-only-true",
    lambda read, given: replace(read, enabled=bool(given.get("enabled", True))),
)
reads_config(
    "one_more_round", "tree.autocontinue.cap", lambda read, _: replace(read, rounds=read.rounds + 1)
)
reads_config(
    "no_rounds_is_no_cap",
    "tree.autocontinue.cap",
    lambda read, _: replace(read, rounds=read.rounds or 1000),
)
reads_config(
    "written_settings_stand_alone",
    "tree.config.field-by-field",
    lambda read, given: (
        replace(read, enabled="enabled" in given and read.enabled) if given else read
    ),
)
fault.set(
    "is_off_until_switched_on",
    "tree.config.on-by-default",
    config,
    "DEFAULTS",
    {**config.DEFAULTS, "enabled": False},
)


fault.set(
    "the_defaults_are_others",
    "tree.config.defaults",
    config,
    "DEFAULTS",
    {**config.DEFAULTS, "promptOrder": 1000},
)
fault.set(
    "pushes_nothing",
    "tree.autocontinue.pushes",
    AutoContinue,
    "_push",
    lambda _self, _agent, _sentence: None,
)
fault.around(
    "pushes_twice",
    "tree.autocontinue.pushes",
    AutoContinue,
    "_push",
    lambda sound, *given: (sound(*given), sound(*given)),
)
fault.around(
    "pushes_words_of_its_own",
    "tree.autocontinue.text",
    AutoContinue,
    "_push",
    lambda sound, self, agent, _: sound(self, agent, "继续"),
)
fault.text(
    "the_push_has_another_title",
    "tree.autocontinue.text",
    texts,
    "CONTINUE_SUMMARY",
    "续行",
    "继续",
)


@fault("tree.autocontinue.needs-step")
def pushes_at_any_open_node(patch: Patch) -> None:
    def path(sound: Any, plan: Any) -> Any:
        found = sound(plan)
        return found if found.step else SimpleNamespace(step=found.head)

    patch.around(auto_continue, "active_path", path)


fault.set(
    "a_stop_is_forgotten",
    "tree.autocontinue.stop-is-stop",
    Marks,
    "stopped",
    lambda _self, _session: False,
)


@fault("tree.autocontinue.human-reopens")
def a_stop_is_for_ever(patch: Patch) -> None:
    def clear(self: Marks, session: str) -> None:
        self.resume(session)

    patch.set(Marks, "clear", clear)


fault.around(
    "every_end_of_a_turn_is_a_stop",
    "tree.autocontinue.normal-end tree.autocontinue.human-reopens",
    Presence,
    "turn_stops",
    lambda sound, self, agent, _: sound(self, agent, aborted=True),
)
fault.set(
    "a_person_gives_no_rounds_back",
    "tree.autocontinue.human-resets-cap",
    AutoContinue,
    "person_wrote",
    lambda _self, _session: None,
)


@fault("tree.autocontinue.only-humans-reset-cap")
def any_message_gives_rounds_back(patch: Patch) -> None:
    def queued(sound: Any, self: Presence, agent: Any, message: Any) -> None:
        sound(self, agent, message)
        self._auto.person_wrote(agent.session.id)

    patch.around(Presence, "queued", queued)


@fault("tree.autocontinue.only-humans-reset-cap")
def progress_gives_rounds_back(patch: Patch) -> None:
    counts: list[Counter[str]] = []

    def begin(sound: Any, self: AutoContinue, *given: Any, **more: Any) -> None:
        sound(self, *given, **more)
        counts[:] = [self._used]

    def save(sound: Any, self: Store, session: str, plan: Any) -> None:
        sound(self, session, plan)
        for count in counts:
            del count[session]

    patch.around(AutoContinue, "__init__", begin)
    patch.around(Store, "save_plan", save)


fault.around(
    "queued_input_is_overlooked",
    "tree.autocontinue.queued-first",
    AutoContinue,
    "idle",
    lambda sound, self, agent, _: sound(self, agent, 0),
)
fault.around(
    "the_inbox_is_overlooked",
    "tree.autocontinue.queued-first",
    AutoContinue,
    "idle",
    lambda sound, self, agent, n: sound(self, agent, n - len(agent.inbox.queue)),
)


@fault("tree.autocontinue.queued-costs-nothing")
def queued_input_costs_a_round(patch: Patch) -> None:
    def idle(sound: Any, self: AutoContinue, agent: Any, queued: int) -> None:
        self._used[agent.session.id] += bool(queued)
        sound(self, agent, queued)

    patch.around(AutoContinue, "idle", idle)


@fault("tree.autocontinue.pause-holds")
def continues_during_a_pause(patch: Patch) -> None:
    def idle(sound: Any, self: AutoContinue, agent: Any, queued: int) -> None:
        marks = self._marks
        self._marks = SimpleNamespace(paused=lambda _: False, stopped=marks.stopped)
        try:
            sound(self, agent, queued)
        finally:
            self._marks = marks

    patch.around(AutoContinue, "idle", idle)


class _OneCount(Counter[str]):
    def __getitem__(self, _: str) -> int:
        return self.get("all", 0)

    def __setitem__(self, _: str, value: int) -> None:
        super().__setitem__("all", value)

    def __delitem__(self, _: object) -> None:
        super().__delitem__("all")


@fault("tree.autocontinue.session-apart")
def all_sessions_share_the_rounds(patch: Patch) -> None:
    def begin(sound: Any, self: AutoContinue, *given: Any, **more: Any) -> None:
        sound(self, *given, **more)
        self._used = _OneCount()

    patch.around(AutoContinue, "__init__", begin)
