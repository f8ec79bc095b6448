"""
Faults in the active path, its checkpoint, and in how the tree is shown.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dsh_reference.tree import js_text, path, render, replies, texts
from dsh_reference.tree import plan as ops
from dsh_reference.tree.levels import Level
from dsh_reference.tree.model import Status, TreeNode, TreePlan
from dsh_reference.tree.path import ActivePath, active_path
from dsh_reference.tree.plan import Change
from dsh_reference.tree.replies import Replies
from faults.kit import Patch
from faults.kit import tree as fault

# The active path and its checkpoint

fault.set(
    "the_last_open_node_is_active",
    "tree.path.one",
    path,
    "_first_pending",
    lambda nodes: next((node for node in reversed(nodes) if node.pending), None),
)


def checkpoints(name: str, clauses: str, find: Callable[[ActivePath], Any], **more: Any) -> None:
    """
    Register a fault in which node is at its checkpoint.
    """
    fault.set(name, clauses, ActivePath, "checkpoint", property(find), **more)


checkpoints(
    "dropped_children_hold_a_checkpoint_off",
    "tree.checkpoint.dropped-count-as-ended",
    lambda at: (
        at.head
        if at.head and at.head.children and all(c.status is Status.DONE for c in at.head.children)
        else None
    ),
)
checkpoints(
    "a_node_without_children_is_at_its_checkpoint",
    "tree.checkpoint.needs-children tree.done.next-step",
    lambda at: at.head if at.head and not at.step else None,
)


@fault("tree.checkpoint.active-path-only")
def any_node_may_be_at_its_checkpoint(patch: Patch) -> None:
    def sentence(sound: Any, plan: TreePlan) -> str:
        for node in plan.walk():
            if node.pending and node.children and not any(c.pending for c in node.children):
                return path.checkpoint_sentence(node)
        return sound(plan)

    patch.around(replies, "next_sentence", sentence)


@fault("tree.checkpoint.parent-stays-open")
def a_parent_ends_with_its_children(patch: Patch) -> None:
    def complete(sound: Any, plan: TreePlan, node_id: str, **more: Any) -> Any:
        change = sound(plan, node_id, **more)
        while isinstance(change, Change) and (node := active_path(change.plan).checkpoint):
            change = Change(sound(change.plan, node.id, **more).plan, change.nodes)
        return change

    patch.around(ops, "complete", complete)


@fault("tree.checkpoint.blocks-nothing")
def a_checkpoint_blocks_the_other_tools(patch: Patch) -> None:
    def body(sound: Any, self: Replies, session: Any, given: Any) -> str:
        node = active_path(self._plan(session)).checkpoint
        return path.checkpoint_sentence(node) if node else sound(self, session, given)

    for name in ("status", "create", "update", "drop"):
        patch.around(Replies, name, body)


# Status


def rows(name: str, clauses: str, change: Callable[[TreeNode, list[str]], list[str]]) -> None:
    """
    Register a fault in the lines of a node.
    """
    fault.around(
        name, clauses, render, "_lines", lambda sound, node, path: change(node, sound(node, path))
    )


rows(
    "finished_nodes_are_hidden",
    "tree.status.whole-tree",
    lambda node, lines: [] if node.status is Status.DONE else lines,
)
rows(
    "dropped_nodes_are_hidden",
    "tree.drop.stays-visible",
    lambda node, lines: [] if node.status is Status.DROPPED else lines,
)
rows(
    "results_are_hidden",
    "tree.status.whole-tree",
    lambda _, lines: [line for line in lines if texts.RESULT not in line],
)
rows(
    "details_of_goals_are_hidden",
    "tree.status.details",
    lambda node, lines: [line for line in lines if not node.detail or node.detail not in line],
)
rows(
    "all_details_are_shown",
    "tree.status.details",
    lambda n, lines: [*lines, n.detail] if n.detail and n.level is not Level.GOAL else lines,
)
rows(
    "lines_are_indented_by_tabs",
    "tree.status.form",
    lambda _, lines: [line.replace("    ", "\t") for line in lines],
)
fault.set("finished_nodes_have_another_mark", "tree.status.form", render._MARKS, Status.DONE, "[✓]")
fault.set("nothing_marks_the_active_node", "tree.status.current", texts, "CURRENT", "")
fault.set(
    "goals_are_never_marked",
    "tree.status.current",
    render,
    "_is_current",
    lambda node, path: node is path.task or node is path.step,
)
fault.text(
    "no_plan_has_other_words",
    "tree.status.no-plan",
    texts,
    "NO_PLAN_TREE",
    "还没有计划",
    "没有计划",
)
fault.set(
    "results_are_shown_whole", "tree.status.result-first-line", render, "first_line", str.strip
)
fault.set(
    "the_first_long_character_counts_as_short",
    "tree.status.cut-keeps-characters",
    js_text,
    "_FIRST_ASTRAL",
    0x10001,
)
fault.set("results_are_cut_early", "tree.status.result-first-line", render, "FIRST_LINE_UNITS", 100)
fault.set(
    "a_cut_splits_characters",
    "tree.status.cut-keeps-characters",
    render,
    "cut",
    lambda text, units: text.encode("utf-16-le")[: 2 * units].decode("utf-16-le", "surrogatepass"),
)
