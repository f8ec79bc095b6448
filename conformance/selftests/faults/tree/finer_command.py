"""
Finer faults of the command, of the settings and of the panel: each goes wrong in one situation.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dsh_reference.host.commands import ERROR, CommandResult, Commands
from dsh_reference.tree import panel, texts
from dsh_reference.tree import plan as ops
from dsh_reference.tree.command import OffCommand, TreeCommand
from dsh_reference.tree.levels import Level
from dsh_reference.tree.model import Status, TreePlan
from dsh_reference.tree.panel import Panel
from dsh_reference.tree.store import Store
from faults.kit import Patch, memory
from faults.kit import tree as fault
from faults.tree.panel import rows
from faults.tree.rounds import reads_config

# The status line


def line(name: str, function: str, level: Level, change: Callable[[str], str]) -> None:
    """
    Register a fault in the status line of one level.
    """

    def say(sound: Any, of: Level, *given: Any) -> str:
        text: str = sound(of, *given)
        return change(text) if of is level else text

    fault.around(name, "tree.command.status-form", texts, function, say)


line(
    "status_words_the_checkpoint_of_a_goal_otherwise",
    "checkpoint_status",
    Level.GOAL,
    lambda text: text.split("\n")[0],
)
line(
    "status_words_the_checkpoint_of_a_task_otherwise",
    "checkpoint_status",
    Level.TASK,
    lambda text: text.split("\n")[0],
)
line(
    "status_names_a_step_otherwise",
    "current_status",
    Level.STEP,
    lambda text: text.replace("子任务", "步骤"),
)
line(
    "status_tells_no_way_on_from_a_task",
    "current_status",
    Level.TASK,
    lambda text: text.split("（")[0],
)
line(
    "status_tells_no_way_on_from_a_goal",
    "current_status",
    Level.GOAL,
    lambda text: text.split("（")[0],
)
fault.text(
    "status_words_a_finished_plan_otherwise",
    "tree.command.status-form",
    texts,
    "ALL_FINISHED_STATUS",
    "请向用户汇报最终结果。",
    "",
)
fault.text(
    "status_words_a_missing_plan_otherwise",
    "tree.command.status-form",
    texts,
    "NO_SESSION_PLAN_STATUS",
    "用 tree_task_create 建立目标与任务。",
    "",
)


# Sessions and words


def _goes_to_the_last_changed(patch: Patch, verb: str) -> None:
    last = memory(patch)

    def save(sound: Any, self: Store, session: str, plan: TreePlan) -> None:
        sound(self, session, plan)
        last["session"] = session

    patch.around(Store, "save_plan", save)
    patch.around(
        TreeCommand,
        verb,
        lambda sound, self, session, rest: sound(self, last.get("session", session), rest),
    )


@fault("tree.command.status")
def status_shows_the_plan_that_was_changed_last(patch: Patch) -> None:
    _goes_to_the_last_changed(patch, "_status")


@fault("tree.command.done")
def done_goes_to_the_plan_that_was_changed_last(patch: Patch) -> None:
    _goes_to_the_last_changed(patch, "_done")


@fault("tree.command.done-form")
def blanks_between_the_words_of_a_result_stay(patch: Patch) -> None:
    def run(sound: Any, self: TreeCommand, agent: Any, given: str) -> CommandResult:
        verb, _, rest = given.strip().partition(" ")
        if agent is None or verb != "done" or len(rest.split()) < 2:
            return sound(self, agent, given)
        node, text = rest.strip().split(None, 1)
        return self._done(agent.session.id, [node, text])

    patch.around(TreeCommand, "__call__", run)


@fault("tree.command.done-refusals")
def looks_for_the_plan_before_the_result(patch: Patch) -> None:
    def done(sound: Any, self: TreeCommand, session: str, rest: list[str]) -> CommandResult:
        if rest and self._store.plan(session) is None:
            return CommandResult(ERROR, texts.NO_SESSION_PLAN)
        return sound(self, session, rest)

    patch.around(TreeCommand, "_done", done)


@fault("tree.command.reset-form")
def reset_needs_a_plan(patch: Patch) -> None:
    def reset(sound: Any, self: TreeCommand, session: str, rest: list[str]) -> CommandResult:
        if self._store.plan(session) is None:
            return CommandResult(ERROR, texts.NO_SESSION_PLAN)
        return sound(self, session, rest)

    patch.around(TreeCommand, "_reset", reset)


@fault("tree.command.drop-form")
def a_finished_node_is_dropped_by_command(patch: Patch) -> None:
    def run(sound: Any, self: TreeCommand, session: str, rest: list[str]) -> CommandResult:
        plan = self._store.plan(session)
        node = plan.find(rest[0]) if plan and rest else None
        if plan and node and node.status is Status.DONE:
            opened = replace(node, status=Status.PENDING, result=None)
            self._store.save_plan(session, ops._with(plan, opened, plan.updated_at))
        return sound(self, session, rest)

    patch.around(TreeCommand, "_drop", run)


fault.text(
    "pause_promises_something_else",
    "tree.command.pause-form",
    texts,
    "PAUSED",
    "点继续就从停住的地方接着跑",
    "下一轮再继续",
)
fault.around(
    "answers_leave_out_brackets",
    "tree.command.done-form",
    texts,
    "completed",
    lambda sound, level, title: sound(level, title.strip("「」")),
)


def unlisted(name: str, clauses: str, form: type) -> None:
    """
    Register a fault that lets a command run, but not be found.
    """
    fault.around(
        name,
        clauses,
        Commands,
        "names",
        lambda sound, self: [
            each for each in sound(self) if not isinstance(self._commands[each], form)
        ],
    )


unlisted("the_command_is_not_listed", "tree.command.registered", TreeCommand)
unlisted("the_command_is_not_listed_when_off", "tree.command.registered", OffCommand)


# Settings

reads_config(
    "a_written_null_is_a_folder",
    "tree.config.defaults",
    lambda read, given: (
        replace(read, root=read.root / "null")
        if given.get("rootDir", "") is None and len(given) > 4
        else read
    ),
)


# The panel


@fault("tree.panel.nothing-without-plan")
def a_session_without_a_plan_shows_another(patch: Patch) -> None:
    def strip(sound: Any, self: Panel, session: str) -> Any:
        found = sound(self, session)
        others = self._store.sessions() if found is None else []
        return next(filter(None, (sound(self, other) for other in others)), found)

    patch.around(Panel, "strip", strip)


@fault("tree.panel.nothing-without-plan")
def the_panel_outlives_a_reset(patch: Patch) -> None:
    last = memory(patch)

    def strip(sound: Any, self: Panel, session: str) -> Any:
        last[session] = sound(self, session) or last.get(session)
        return last[session]

    patch.around(Panel, "strip", strip)


rows(
    "open_nodes_are_open",
    "tree.panel.open-by-default",
    lambda row: {"open": row["open"] or (row["level"] == "goal" and bool(row["actions"]))},
)
rows(
    "a_checkpoint_is_closed",
    "tree.panel.open-by-default",
    lambda row: {"open": row["open"] and "检查点" not in row["tags"]},
)
fault.around(
    "a_stop_does_not_show",
    "tree.panel.phase-order",
    panel,
    "_phase",
    lambda sound, path, state: sound(path, replace(state, stopped=False)),
)


@fault("tree.command.done-refusals")
def done_by_command_needs_no_result(patch: Patch) -> None:
    def done(sound: Any, self: TreeCommand, session: str, rest: list[str]) -> CommandResult:
        bare = len(rest) == 1 and self._store.plan(session) is not None
        return sound(self, session, [*rest, "done"] if bare else rest)

    patch.around(TreeCommand, "_done", done)
