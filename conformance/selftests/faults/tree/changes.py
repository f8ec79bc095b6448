"""
Faults in done, update and drop.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dsh_reference.tree import plan as ops
from dsh_reference.tree import replies, texts
from dsh_reference.tree.levels import Level
from dsh_reference.tree.model import Status, TreeNode, TreePlan, TreeResult
from dsh_reference.tree.path import active_path
from dsh_reference.tree.plan import Change, Refusal
from dsh_reference.tree.replies import Replies
from faults.kit import Patch, memory
from faults.kit import tree as fault

# Done


def completes(name: str, clauses: str, complete: Callable[..., Any], **more: Any) -> None:
    """
    Register a fault of done; `complete` gets the sound operation, the plan, the node, the result.
    """

    def changed(sound: Any, plan: TreePlan, node_id: str, *, result: str, now: int) -> Any:
        def again(text: str = result) -> Any:
            return sound(plan, node_id, result=text, now=now)

        return complete(again, plan, plan.find(node_id), result)

    fault.around(name, clauses, ops, "complete", changed, **more)


def _forgotten(complete: Any, plan: TreePlan, node: Any, _: str) -> Any:
    change = complete()
    if isinstance(change, Refusal):
        return change
    return replace(change, plan=ops._with(plan, replace(node, status=Status.DONE), plan.updated_at))


completes("results_are_forgotten", "tree.done.completes", _forgotten)
completes(
    "an_empty_result_is_fine",
    "tree.done.needs-result",
    lambda complete, _, __, result: complete(result.strip() or "done"),
)
completes(
    "the_first_line_of_a_result_is_kept",
    "tree.done.result-trimmed",
    lambda complete, _, __, result: complete(result.strip().split("\n")[0]),
)
completes(
    "nodes_are_finished_in_order",
    "tree.done.any-open-node",
    lambda complete, plan, node, _: (
        complete()
        if node is None or not node.pending or node is active_path(plan).head
        else Refusal(texts.no_such_node(node.id))
    ),
)
completes(
    "open_children_hold_a_parent_open",
    "tree.done.any-open-node",
    lambda complete, _, node, __: (
        Refusal(texts.no_such_node(node.id))
        if node and node.pending and any(child.pending for child in node.children)
        else complete()
    ),
)
completes(
    "looks_at_the_result_before_the_node",
    "tree.done.refusals",
    lambda complete, _, __, result: (
        complete() if result.strip() else Refusal(texts.needs_a_result(Level.STEP))
    ),
)


def _again(complete: Any, plan: TreePlan, node: Any, result: str) -> Any:
    if node is None or node.status is not Status.DONE or not result.strip():
        return complete()
    again = replace(node, result=TreeResult(result, plan.updated_at))
    return Change(ops._with(plan, again, plan.updated_at), (again,))


completes(
    "a_finished_node_is_finished_again",
    "tree.done.refusals tree.tools.refused-changes-nothing",
    _again,
)


def says_next(name: str, clauses: str, say: Callable[..., str], **more: Any) -> None:
    """
    Register a fault in the sentence after done; `say` gets the sound one, the plan and the node.
    """

    def apply(patch: Patch) -> None:
        last = memory(patch)

        def complete(sound: Any, *given: Any, **more: Any) -> Any:
            change = sound(*given, **more)
            last["node"] = change.nodes[0] if isinstance(change, Change) else None
            return change

        def sentence(sound: Any, plan: TreePlan) -> str:
            node = last.get("node")
            return say(lambda: sound(plan), plan, node) if node else sound(plan)

        patch.around(ops, "complete", complete)
        patch.around(replies, "next_sentence", sentence)

    fault.plant(name, clauses, apply, more)


def _named(node: TreeNode) -> str:
    return texts.next_up(node.level, node.title, node.id)


says_next(
    "names_the_task_of_an_open_step",
    "tree.done.next-step",
    lambda sound, plan, _: _named(at.task) if (at := active_path(plan)).step else sound(),
)
says_next(
    "names_the_next_goal_itself",
    "tree.done.next-goal",
    lambda sound, plan, node: (
        _named(active_path(plan).goal)
        if node.level is Level.GOAL and active_path(plan).goal
        else sound()
    ),
)
says_next(
    "reports_while_a_goal_is_open",
    "tree.done.next-goal",
    lambda sound, _, node: texts.REPORT_FINALLY if node.level is Level.GOAL else sound(),
)


def _sibling(sound: Any, plan: TreePlan, node: TreeNode) -> str:
    for parent in plan.walk():
        if any(child.id == node.id for child in parent.children):
            nearest = next((child for child in parent.children if child.pending), None)
            return _named(nearest) if nearest else sound()
    return sound()


says_next("speaks_of_the_siblings", "tree.done.reply-follows-path", _sibling)
says_next(
    "reports_at_an_empty_goal",
    "tree.done.reply-of-empty-goal",
    lambda sound, plan, _: (
        texts.REPORT_FINALLY
        if (head := active_path(plan).head) and head.level is Level.GOAL and not head.children
        else sound()
    ),
)
fault.set(
    "names_the_next_node_without_its_id",
    "tree.done.next-step",
    texts,
    "next_up",
    lambda level, title, _: f"接下来需要进行{level.spoken}：「{title}」。",
)
fault.after(
    "words_a_checkpoint_otherwise",
    "tree.done.checkpoint",
    texts,
    "checkpoint",
    lambda text: text.replace("已全部结束", "都完成了"),
)
fault.text(
    "asks_for_another_report", "tree.done.all-finished", texts, "REPORT_FINALLY", "最终", "全部"
)
fault.around(
    "the_reply_echoes_the_result",
    "tree.done.no-echo",
    Replies,
    "done",
    lambda sound, self, session, given: sound(self, session, given) + given["result"],
)


fault.text(
    "a_missing_plan_is_told_in_other_words",
    "tree.done.refusals tree.update.refusals tree.drop.refusals",
    texts,
    "NO_PLAN",
    "还没有计划",
    "没有计划",
)


# Update and drop

fault.after(
    "details_are_not_changed",
    "tree.update.changes",
    ops,
    "edits",
    lambda fields: {k: v for k, v in fields.items() if k != "detail"},
)
fault.around(
    "a_blank_title_is_a_change",
    "tree.update.refusals tree.tools.refused-changes-nothing",
    ops,
    "edits",
    lambda sound, title, detail: (
        sound(title, detail) | ({} if title is None else {"title": title.strip()})
    ),
)
fault.around(
    "an_empty_detail_is_no_change",
    "tree.update.reply",
    ops,
    "edits",
    lambda sound, title, detail: sound(title, detail or None),
)
fault.text(
    "no_change_has_other_words", "tree.update.refusals", texts, "NOTHING_TO_EDIT", "没有", "未"
)
fault.around(
    "ended_nodes_are_not_edited",
    "tree.update.ended-nodes",
    ops,
    "edit",
    lambda sound, plan, node, **more: (
        sound(plan, node, **more)
        if (found := plan.find(node)) is None or found.pending
        else Refusal(texts.already_done(node))
    ),
)
fault.set(
    "a_dropped_node_leaves_its_children_open",
    "tree.drop.cascades",
    ops,
    "_dropped",
    lambda node: replace(node, status=Status.DROPPED),
)


@fault("tree.drop.keeps-finished")
def a_drop_takes_finished_nodes_along(patch: Patch) -> None:
    def dropped(node: TreeNode) -> TreeNode:
        children = tuple(dropped(child) for child in node.children)
        return replace(node, status=Status.DROPPED, result=None, children=children)

    patch.set(ops, "_dropped", dropped)


fault.set(
    "a_drop_names_its_node_alone",
    "tree.drop.reply",
    replies,
    "dropped_line",
    lambda change: texts.dropped([texts.named(change.nodes[0].level, change.nodes[0].title)]),
)


@fault("tree.drop.refusals tree.tools.refused-changes-nothing")
def finished_nodes_are_dropped(patch: Patch) -> None:
    def drop(sound: Any, plan: TreePlan, node_id: str, *, now: int) -> Any:
        node = plan.find(node_id)
        if node is None or node.status is not Status.DONE:
            return sound(plan, node_id, now=now)
        gone = replace(node, status=Status.DROPPED, result=None)
        return Change(ops._with(plan, gone, now), (gone,))

    patch.around(ops, "drop", drop)
