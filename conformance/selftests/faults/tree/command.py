"""
Faults of the command.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dsh_reference import tree
from dsh_reference.host.commands import CommandResult
from dsh_reference.host.composition import Composition
from dsh_reference.tree import command, plugin, texts
from dsh_reference.tree import plan as ops
from dsh_reference.tree.command import TreeCommand
from dsh_reference.tree.path import next_sentence
from dsh_reference.tree.store import Store
from faults.kit import Patch, stage
from faults.kit import tree as fault

# The command

fault.set("the_command_has_another_name", "tree.command.registered", plugin, "NAME", "tasktree")


def results(name: str, clauses: str, verb: str, change: Callable[[str], str]) -> None:
    """
    Register a fault in what a verb of the command answers.
    """

    def run(sound: Any, self: TreeCommand, session: str, rest: list[str]) -> CommandResult:
        result = sound(self, session, rest)
        return CommandResult(result.kind, change(result.text))

    fault.around(name, clauses, TreeCommand, verb, run)


def _unstored(sound: Any, self: TreeCommand, session: str, rest: list[str]) -> CommandResult:
    before = self._store.plan(session)
    result: CommandResult = sound(self, session, rest)
    if before is not None:
        self._store.save_plan(session, before)
    return result


results(
    "status_shows_no_tree", "tree.command.status", "_status", lambda text: text.split("\n\n", 1)[1]
)
results(
    "status_shows_no_usage",
    "tree.command.status-form",
    "_status",
    lambda text: text.rsplit("\n\n", 1)[0],
)
fault.set(
    "status_tells_of_no_checkpoint",
    "tree.command.status-form",
    command,
    "status_line",
    lambda plan: "进行中" if plan else texts.NO_SESSION_PLAN_STATUS,
)
fault.text("the_usage_lacks_a_verb", "tree.command.usage", texts, "USAGE", "reset ", "clear ")
fault.around("done_is_not_stored", "tree.command.done", TreeCommand, "_done", _unstored)
fault.around("drop_is_not_stored", "tree.command.drop", TreeCommand, "_drop", _unstored)
fault.set(
    "done_tells_of_no_checkpoint",
    "tree.command.done-form",
    command,
    "_done_lines",
    lambda change: texts.completed(change.nodes[0].level, change.nodes[0].title),
)
fault.text(
    "a_missing_result_has_other_words",
    "tree.command.done-refusals",
    texts,
    "RESULT_MISSING",
    "必须",
    "应当",
)


@fault("tree.command.drop-form")
def drop_says_what_comes_next(patch: Patch) -> None:
    def drop(sound: Any, self: TreeCommand, session: str, rest: list[str]) -> CommandResult:
        result = sound(self, session, rest)
        plan = self._store.plan(session)
        more = f"\n\n{next_sentence(plan)}" if plan and result.kind == "success" else ""
        return CommandResult(result.kind, result.text + more)

    patch.around(TreeCommand, "_drop", drop)


fault.text("pause_has_other_words", "tree.command.pause-form", texts, "PAUSED", "已暂停", "暂停了")
fault.set(
    "resume_answers_alike", "tree.command.pause-form", texts, "RESUMED_AUTO", texts.RESUMED_PLAIN
)
fault.text("reset_has_other_words", "tree.command.reset-form", texts, "RESET", "已清掉", "清掉了")
fault.set(
    "reset_clears_nothing", "tree.command.reset", Store, "clear", lambda _self, _session: None
)


@fault("tree.command.reset")
def reset_drops_everything(patch: Patch) -> None:
    def clear(self: Store, session: str) -> None:
        plan = self.plan(session)
        for goal in plan.goals if plan else ():
            if goal.pending:
                plan = ops.drop(plan, goal.id, now=0).plan
        if plan is not None:
            self.save_plan(session, plan)

    patch.set(Store, "clear", clear)


@fault("tree.command.reset-cursors")
def reset_leaves_the_cursors(patch: Patch) -> None:
    def clear(sound: Any, self: Store, session: str) -> None:
        before = self.state(session)
        sound(self, session)
        self.save_state(session, replace(self.state(session), cursors=before.cursors))

    patch.around(Store, "clear", clear)


fault.around(
    "verbs_ignore_letter_case",
    "tree.command.words",
    TreeCommand,
    "__call__",
    lambda sound, self, agent, line: sound(
        self, agent, re.sub(r"^\s*\S+", lambda verb: verb[0].lower(), line)
    ),
)
fault.around(
    "blanks_hide_the_verb",
    "tree.command.words",
    TreeCommand,
    "__call__",
    lambda sound, self, agent, line: sound(
        self, agent, f"x{line}" if line[:1] == " " and line.strip() else line
    ),
)


@fault("tree.command.words")
def stop_is_no_verb(patch: Patch) -> None:
    def begin(sound: Any, self: TreeCommand, *given: Any, **more: Any) -> None:
        sound(self, *given, **more)
        del self._verbs["stop"]

    patch.around(TreeCommand, "__init__", begin)


fault.set(
    "an_unknown_verb_has_other_words",
    "tree.command.unknown",
    texts,
    "unknown_verb",
    lambda verb: f"未知：{verb}",
)


@fault("tree.command.no-session")
def nobody_acts_for_the_first_agent(patch: Patch) -> None:
    now: dict[str, Composition] = stage(patch)

    def run(sound: Any, self: TreeCommand, agent: Any, line: str) -> CommandResult:
        agents = list(now["now"].agents)
        return sound(self, agent or (agents[0] if agents else None), line)

    patch.around(TreeCommand, "__call__", run)


@fault("tree.command.optional-service tree.tools.six")
def needs_the_commands(patch: Patch) -> None:
    def apply(sound: Any, ctx: Any, given: Any) -> None:
        if ctx.service("commands") is not None:
            sound(ctx, given)

    patch.around(tree, "apply", apply)
