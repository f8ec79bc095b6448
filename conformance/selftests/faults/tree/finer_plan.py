"""
Finer faults of the tools and of the tree: each goes wrong in one situation.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from dsh_reference.tree import js_text, render, texts
from dsh_reference.tree import plan as ops
from dsh_reference.tree.levels import Level
from dsh_reference.tree.model import Status, TreeNode, TreePlan
from dsh_reference.tree.path import ActivePath, active_path
from dsh_reference.tree.plan import Refusal
from dsh_reference.tree.replies import Replies
from faults.kit import Patch
from faults.kit import tree as fault
from faults.tree.changes import completes, says_next
from faults.tree.status import rows
from faults.tree.tools import answers

# What comes next


def _named(node: TreeNode) -> str:
    return texts.next_up(node.level, node.title, node.id)


def _is_first(plan: TreePlan, at: ActivePath) -> bool:
    return at.goal is plan.goals[0] and at.task is at.goal.children[0]


says_next(
    "names_the_next_task_though_it_has_steps",
    "tree.done.reply-follows-path",
    lambda sound, plan, _: (
        _named(at.task)
        if (at := active_path(plan)).step and at.goal is plan.goals[0] and not _is_first(plan, at)
        else sound()
    ),
)
says_next(
    "names_the_task_of_the_next_goal_though_it_has_steps",
    "tree.done.next-goal",
    lambda sound, plan, _: (
        _named(at.task)
        if (at := active_path(plan)).step and at.goal is not plan.goals[0]
        else sound()
    ),
)
says_next(
    "speaks_of_a_goal_that_was_dropped",
    "tree.path.one",
    lambda sound, plan, _: (
        _named(plan.goals[0]) if plan.goals[0].status is Status.DROPPED else sound()
    ),
)


# Done


def _has_earlier(plan: TreePlan, node: TreeNode) -> bool:
    families = [parent.children for parent in plan.walk()]
    mine = next((family for family in families if node in family), ())
    return any(each.pending for each in mine[: mine.index(node)]) if mine else False


completes(
    "steps_are_finished_in_order",
    "tree.done.any-open-node",
    lambda complete, plan, node, _: (
        Refusal(texts.no_such_node(node.id))
        if node and node.level is Level.STEP and _has_earlier(plan, node)
        else complete()
    ),
)
completes(
    "looks_at_the_result_before_a_dropped_node",
    "tree.done.refusals",
    lambda complete, _, node, result: (
        Refusal(texts.needs_a_result(node.level))
        if node and node.status is Status.DROPPED and not result.strip()
        else complete()
    ),
)


@fault("tree.tools.refused-changes-nothing")
def a_refused_done_keeps_its_result(patch: Patch) -> None:
    def done(sound: Any, self: Replies, session: Any, given: Any) -> str:
        text: str = sound(self, session, given)
        plan = self._plan(session)
        node = plan.find(given["id"]) if plan else None
        if session and plan and node and node.result and text.startswith(texts.DONE_REFUSED):
            result = replace(node.result, text=given["result"])
            changed = ops._with(plan, replace(node, result=result), plan.updated_at)
            self._store.save_plan(session, changed)
        return text

    patch.around(Replies, "done", done)


# Create, plan, update and drop


@fault("tree.create.reply")
def a_further_goal_is_answered_like_the_first(patch: Patch) -> None:
    def create(sound: Any, self: Replies, session: Any, given: Any) -> str:
        working = active_path(self._plan(session)).head
        text: str = sound(self, session, given)
        return re.sub("^已新增目标「.*」。", texts.PLAN_CREATED, text) if working else text

    patch.around(Replies, "create", create)


@fault("tree.plan.reply")
def dropped_siblings_are_counted_as_added(patch: Patch) -> None:
    def plan(sound: Any, self: Replies, session: Any, given: Any) -> str:
        found = self._plan(session)
        parent = found.find(given["parentId"]) if found else None
        gone = sum(c.status is Status.DROPPED for c in parent.children) if parent else 0
        text: str = sound(self, session, given)
        return re.sub("^已添加 (\\d+)", lambda m: f"已添加 {int(m[1]) + gone}", text)

    patch.around(Replies, "plan", plan)


@fault("tree.update.refusals")
def looks_at_the_change_before_the_node(patch: Patch) -> None:
    def edit(sound: Any, plan: TreePlan, node_id: str, *, fields: Any, now: int) -> Any:
        if not fields:
            return Refusal(texts.NOTHING_TO_EDIT)
        return sound(plan, node_id, fields=fields, now=now)

    patch.around(ops, "edit", edit)


def _noted(text: str, call: Any) -> str:
    if call.agent is not None and text.startswith("已丢弃"):
        call.agent.session.say({"kind": "user", "text": text})
    return text


answers("a_drop_is_noted_in_the_log", "tree.tools.write-no-events", _noted)


# Titles and the tree as text

fault.set(
    "titles_keep_their_tabs",
    "tree.titles.trimmed",
    ops,
    "trim",
    lambda text: text.strip(js_text.BLANKS.replace("\t", "")) if js_text.trim(text) else "",
)
rows(
    "every_line_of_a_detail_is_indented",
    "tree.status.details",
    lambda _, lines: [lines[0], *(line.replace("\n", "\n       ") for line in lines[1:])],
)
fault.around(
    "a_task_at_its_checkpoint_is_not_marked",
    "tree.status.current",
    render,
    "_is_current",
    lambda sound, node, path: (
        sound(node, path) and not (node.level is Level.TASK and node is path.checkpoint)
    ),
)
fault.around(
    "every_open_step_is_marked",
    "tree.status.current",
    render,
    "_is_current",
    lambda sound, node, path: (
        sound(node, path) or (node.level is Level.STEP and node.pending and path.step is not None)
    ),
)


# The rest


@fault("tree.drop.refusals tree.tools.refused-changes-nothing")
def a_finished_node_is_dropped_by_its_tool(patch: Patch) -> None:
    def drop(sound: Any, self: Replies, session: Any, given: Any) -> str:
        plan = self._plan(session)
        node = plan.find(given["id"]) if plan else None
        if session and plan and node and node.status is Status.DONE:
            opened = replace(node, status=Status.PENDING, result=None)
            self._store.save_plan(session, ops._with(plan, opened, plan.updated_at))
        return sound(self, session, given)

    patch.around(Replies, "drop", drop)


fault.around(
    "titles_name_nodes_too",
    "tree.titles.trimmed",
    TreePlan,
    "find",
    lambda sound, self, node_id: (
        sound(self, node_id)
        or next((node for node in self.walk() if f"  {node_id}  " in node.title), None)
    ),
)
