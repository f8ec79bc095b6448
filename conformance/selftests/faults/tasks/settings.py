"""
Faults in the prompt, the settings, the wake-ups and the limits.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dsh_reference.errors import LoadFailed
from dsh_reference.host.log import Session
from dsh_reference.host.prompt import PromptSections
from dsh_reference.host.tools import ToolRegistry
from dsh_reference.tasks import bodies, config, delivery, guidance, notices, plugin
from dsh_reference.tasks.delivery import Delivery, Turns
from dsh_reference.tasks.records import Work
from dsh_reference.tasks.registry import TaskRegistry
from dsh_reference.tasks.shelves import Shelf
from faults.kit import JOBS_EDITION, Patch, stage
from faults.kit import tasks as fault
from faults.tasks.editions import jobs
from faults.tasks.notices import is_notice

# The prompt, and what a request costs

fault.text(
    "the_guidance_has_other_words",
    "tasks.prompt.guidance",
    guidance,
    "_GUIDANCE",
    "Track every",
    "Remember every",
)
fault.set("the_guidance_stands_elsewhere", "tasks.prompt.order", plugin, "ORDER", 90)
fault.around(
    "the_guidance_stands_twice",
    "tasks.prompt.one",
    PromptSections,
    "add",
    lambda sound, *given, **more: (sound(*given, **more), sound(*given, **more))[1],
)


@fault("tasks.prompt.stable")
def the_guidance_counts_the_tasks(patch: Patch) -> None:
    now = stage(patch)

    def text(sound: Any, with_: Any) -> Callable[[Any], str]:
        return lambda _: sound(with_) + str(len(now["now"].services.get("tasks").list()) or "")

    patch.around(plugin, "guidance", text)


@fault("tasks.cost.schemas")
def the_schemas_name_the_tasks(patch: Patch) -> None:
    now = stage(patch)

    def listed(sound: Any, self: ToolRegistry) -> Any:
        tasks = now["now"].services.get("tasks")
        known = "".join(each.id for each in tasks._shelves.everything()) if tasks else ""
        return [{**tool, "description": tool["description"] + known} for tool in sound(self)]

    patch.around(ToolRegistry, "list", listed)


@fault("tasks.cost.results")
def results_count_the_reads(patch: Patch) -> None:
    count = [0]

    def render(sound: Any, text: str, task: Any) -> str:
        count[0] += 1
        return sound(text + "." * (count[0] % 50), task)

    patch.around(bodies, "render", render)


fault.after(
    "notices_come_first",
    "tasks.cost.append-only",
    Session,
    "messages",
    lambda messages: sorted(messages, key=lambda m: not is_notice(m)),
)


# Settings


@fault("tasks.config.default-above-cap")
def a_default_above_the_cap_is_clamped(patch: Patch) -> None:
    def load(sound: Any, given: Any, with_: Any) -> Any:
        both = config.defaults(with_) | {k: v for k, v in given.items() if isinstance(v, int)}
        if both["waitTimeoutMs"] > both["maxWaitTimeoutMs"]:
            given = {**given, "waitTimeoutMs": both["maxWaitTimeoutMs"]}
        return sound(given, with_)

    patch.around(plugin, "load_config", load)


fault.text(
    "the_refusal_lacks_the_numbers",
    "tasks.config.default-above-cap.text",
    config,
    "_ABOVE_CAP",
    " ({default})",
    "",
)


def _refusing(when: Callable[[Any], bool]) -> Callable[..., Any]:
    def load(sound: Any, given: Any, with_: Any) -> Any:
        if when(given):
            raise LoadFailed("refused")
        return sound(given, with_)

    return load


fault.around(
    "a_default_equal_to_the_cap_is_refused",
    "tasks.config.equal",
    plugin,
    "load_config",
    _refusing(lambda g: 0 < g.get("waitTimeoutMs", 0) == g.get("maxWaitTimeoutMs")),
)
fault.around(
    "settings_of_null_are_refused",
    "tasks.config.lenient",
    plugin,
    "load_config",
    _refusing(lambda given: None in given.values()),
)
fault.around(
    "unknown_settings_are_refused",
    "tasks.config.lenient",
    plugin,
    "load_config",
    _refusing(lambda given: bool(set(given) - {"waitTimeoutMs", "maxWaitTimeoutMs"})),
)


@fault("tasks.config.minimum")
def any_number_is_fine(patch: Patch) -> None:
    def check(sound: Any, key: str, value: Any) -> None:
        if not isinstance(value, int | float):
            sound(key, value)

    patch.around(config, "_check", check)


# Wake-ups and limits of the older edition

fault.around(
    "only_the_default_wakes",
    "tasks.wake.idle",
    plugin,
    "load_config",
    lambda sound, given, with_: (
        replace(sound(given, with_), wakes=0)
        if given.get("completionDelivery")
        else sound(given, with_)
    ),
    edition=JOBS_EDITION,
)
fault.set(
    "summaries_are_not_cut",
    "tasks.notice.form",
    notices,
    "_cut",
    lambda summary: summary,
    edition=JOBS_EDITION,
)
jobs("notices_have_no_form", "tasks.notice.form", summaries=False)
fault.set(
    "idle_owners_are_not_woken",
    "tasks.wake.idle",
    Delivery,
    "deliver",
    lambda _self, owner, message: owner.inbox.inject(message),
    edition=JOBS_EDITION,
)
fault.set(
    "busy_owners_are_woken",
    "tasks.wake.busy",
    Turns,
    "is_open",
    lambda _self, _session: False,
    edition=JOBS_EDITION,
)
fault.set(
    "quiet_is_ignored",
    "tasks.wake.quiet",
    config,
    "_wakes",
    lambda merged, _words: int(merged["maxConsecutiveWakes"]),
    edition=JOBS_EDITION,
)
fault.around(
    "wake_ups_have_no_end",
    "tasks.wake.budget",
    Delivery,
    "__init__",
    lambda sound, self, budget: sound(self, 1000 if budget else 0),
    edition=JOBS_EDITION,
)
fault.around(
    "three_wake_ups_whatever_is_set",
    "tasks.wake.budget",
    Delivery,
    "__init__",
    lambda sound, self, budget: sound(self, 3 if budget else 0),
    edition=JOBS_EDITION,
)
fault.set(
    "a_person_gives_no_wake_ups_back",
    "tasks.wake.refill",
    Delivery,
    "on_enter",
    lambda _self, _step, proceed: proceed(),
    edition=JOBS_EDITION,
)


@fault("tasks.wake.budget", edition=JOBS_EDITION)
def any_message_gives_wake_ups_back(patch: Patch) -> None:
    def enter(self: Delivery, step: Any, proceed: Any) -> Any:
        if step.messages:
            self._spent.pop(step.agent, None)
        return proceed()

    patch.set(delivery.Delivery, "on_enter", enter)


KNOWN = {config.QUIET, config.WAKEUP}


@fault("tasks.wake.config", edition=JOBS_EDITION)
def any_delivery_is_fine(patch: Patch) -> None:
    def check(sound: Any, key: str, value: Any) -> None:
        if key not in {"completionDelivery", "maxConsecutiveWakes"}:
            sound(key, value)

    def odd(merged: Any) -> bool:
        wakes = merged.get("maxConsecutiveWakes", 3)
        return not isinstance(wakes, int) or merged.get("completionDelivery") not in KNOWN

    patch.around(config, "_check", check)
    patch.around(
        config, "_wakes", lambda sound, merged, words: 3 if odd(merged) else sound(merged, words)
    )


jobs("owners_have_no_limit", "tasks.limit.per-owner", live_limit=None)
jobs("owners_have_another_limit", "tasks.limit.per-owner", live_limit=11)


def limits(name: str, clauses: str, count: Callable[[TaskRegistry, Shelf], int]) -> None:
    """
    Register a fault in what counts against the limit.
    """

    def check(sound: Any, self: TaskRegistry, shelf: Shelf) -> None:
        live, shelf.live = shelf.live, count(self, shelf)
        try:
            sound(self, shelf)
        finally:
            shelf.live = live

    fault.around(name, clauses, TaskRegistry, "_check_limit", check, edition=JOBS_EDITION)


limits("finished_jobs_count", "tasks.limit.freed", lambda _, shelf: len(shelf.entries))
limits(
    "stopping_jobs_do_not_count",
    "tasks.limit.stopping",
    lambda _, shelf: sum(entry.status == "running" for entry in shelf.entries),
)
limits(
    "jobs_of_nobody_have_no_limit",
    "tasks.limit.unowned",
    lambda _, shelf: shelf.live if shelf.owner else 0,
)
limits(
    "all_owners_share_a_limit",
    "tasks.limit.per-owner",
    lambda self, _: sum(entry.live for entry in self._shelves.everything()),
)


@fault("tasks.limit.order", edition=JOBS_EDITION)
def the_producer_runs_before_the_limit(patch: Patch) -> None:
    def start(sound: Any, self: TaskRegistry, *, run: Callable[[], Work], **given: Any) -> Any:
        shelf = self._shelves.of(given.get("owner"))
        work = run() if shelf.live >= self.words.live_limit else None
        return sound(self, run=(lambda: work) if work else run, **given)

    patch.around(TaskRegistry, "start", start)
