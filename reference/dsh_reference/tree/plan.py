"""
The operations on a plan: each returns the changed plan, or why it was refused.

The order of the checks is part of the contract. A parent may be finished, a node may be completed
whatever its children: only the model judges whether a level is done.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dsh_reference.tree import texts
from dsh_reference.tree.js_text import trim
from dsh_reference.tree.levels import Level
from dsh_reference.tree.model import LastIds, Status, TreeNode, TreePlan, TreeResult


@dataclass(frozen=True)
class Draft:
    """
    A node as the model asks for it.
    """

    title: str
    detail: str = ""


@dataclass(frozen=True)
class Change:
    """
    A changed plan, with the nodes that were added, completed, edited or dropped.
    """

    plan: TreePlan
    nodes: tuple[TreeNode, ...]


@dataclass(frozen=True)
class Refusal:
    """
    Why an operation changed nothing.
    """

    reason: str


def add_goal(
    plan: TreePlan | None, goal: Draft, *, tasks: Sequence[Draft], last: LastIds, now: int
) -> Change | Refusal:
    """
    Add a goal and its tasks behind the goals that are there.
    """
    if not tasks:
        return Refusal(texts.NEEDS_A_TASK)
    last = last.at_least(LastIds.of(plan))
    bare = _nodes(Level.GOAL, [goal], last, now)[0]
    node = replace(bare, children=_nodes(Level.TASK, tasks, last, now))
    if plan is None:
        return Change(TreePlan(goals=(node,), created_at=now, updated_at=now), (node,))
    return Change(replace(plan, goals=(*plan.goals, node), updated_at=now), (node,))


def add_children(
    plan: TreePlan, parent_id: str, *, drafts: Sequence[Draft], last: LastIds, now: int
) -> Change | Refusal:
    """
    Add tasks to a goal, or steps to a task, behind those that are there.
    """
    parent = plan.find(parent_id)
    if parent is None:
        return Refusal(texts.no_such_node(parent_id))
    if parent.level.below is None:
        return Refusal(texts.lowest_level(parent_id))
    if not drafts:
        return Refusal(texts.NEEDS_A_CHILD)
    nodes = _nodes(parent.level.below, drafts, last.at_least(LastIds.of(plan)), now)
    grown = replace(parent, children=(*parent.children, *nodes))
    return Change(_with(plan, grown, now), nodes)


def complete(plan: TreePlan, node_id: str, *, result: str, now: int) -> Change | Refusal:
    """
    Complete a node with its result; its children stay as they are.
    """
    node = plan.find(node_id)
    if node is None:
        return Refusal(texts.no_such_node(node_id))
    if node.status is Status.DONE:
        return Refusal(texts.already_done(node_id))
    if node.status is Status.DROPPED:
        return Refusal(texts.dropped_not_done(node_id))
    text = trim(result)
    if not text:
        return Refusal(texts.needs_a_result(node.level))
    done = replace(node, status=Status.DONE, completed_at=now, result=TreeResult(text, now))
    return Change(_with(plan, done, now), (done,))


def edits(title: str | None, detail: str | None) -> dict[str, str]:
    """
    Return the fields that a request really changes: a blank title is ignored, a blank detail not.
    """
    wanted = {"title": trim(title or "") or None, "detail": detail}
    return {field: text for field, text in wanted.items() if text is not None}


def edit(plan: TreePlan, node_id: str, *, fields: dict[str, str], now: int) -> Change | Refusal:
    """
    Set the title or detail of a node, finished or not.
    """
    node = plan.find(node_id)
    if node is None:
        return Refusal(texts.no_such_node(node_id))
    if not fields:
        return Refusal(texts.NOTHING_TO_EDIT)
    edited = replace(
        node, title=fields.get("title", node.title), detail=fields.get("detail", node.detail)
    )
    return Change(_with(plan, edited, now), (edited,))


def drop(plan: TreePlan, node_id: str, *, now: int) -> Change | Refusal:
    """
    Drop a pending node and every pending node below it; what is finished stays.
    """
    node = plan.find(node_id)
    if node is None:
        return Refusal(texts.no_such_node(node_id))
    if node.status is Status.DONE:
        return Refusal(texts.done_not_dropped(node_id))
    if node.status is Status.DROPPED:
        return Refusal(texts.already_dropped(node_id))
    gone = tuple(below for below in node.walk() if below.pending)
    return Change(_with(plan, _dropped(node), now), gone)


def _nodes(level: Level, drafts: Sequence[Draft], last: LastIds, now: int) -> tuple[TreeNode, ...]:
    ids = last.following(level, len(drafts))
    return tuple(
        TreeNode(
            id=node_id,
            level=level,
            title=trim(draft.title) or texts.untitled(level),
            detail=draft.detail,
            created_at=now,
        )
        for node_id, draft in zip(ids, drafts, strict=True)
    )


def _with(plan: TreePlan, changed: TreeNode, now: int) -> TreePlan:
    goals = tuple(_put(goal, changed) for goal in plan.goals)
    return replace(plan, goals=goals, updated_at=now)


def _put(node: TreeNode, changed: TreeNode) -> TreeNode:
    if node.id == changed.id:
        return changed
    children = tuple(_put(child, changed) for child in node.children)
    return replace(node, children=children)


def _dropped(node: TreeNode) -> TreeNode:
    status = Status.DROPPED if node.pending else node.status
    return replace(node, status=status, children=tuple(_dropped(child) for child in node.children))
