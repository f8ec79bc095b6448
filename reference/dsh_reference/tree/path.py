"""
What is derived from a plan: the active path, the checkpoint, and what comes next.
"""

from __future__ import annotations

from dataclasses import dataclass

from dsh_reference.tree import texts
from dsh_reference.tree.model import TreeNode, TreePlan


@dataclass(frozen=True)
class ActivePath:
    """
    The first pending node on each level, from the outside in; None where there is none.
    """

    goal: TreeNode | None = None
    task: TreeNode | None = None
    step: TreeNode | None = None

    @property
    def head(self) -> TreeNode | None:
        """
        The node to be advanced: the innermost of the path.
        """
        return self.step or self.task or self.goal

    @property
    def checkpoint(self) -> TreeNode | None:
        """
        The head, if it has children and all of them are finished.
        """
        return self.head if self.head and self.head.children and not self.step else None


def active_path(plan: TreePlan | None) -> ActivePath:
    """
    Return the one path along which the plan is worked.
    """
    goal = _first_pending(plan.goals if plan else ())
    task = _first_pending(goal.children if goal else ())
    step = _first_pending(task.children if task else ())
    return ActivePath(goal, task, step)


def next_sentence(plan: TreePlan) -> str:
    """
    Say what is to be done next: a checkpoint, a node, or the final report.
    """
    path = active_path(plan)
    if path.head is None:
        return texts.REPORT_FINALLY
    if path.checkpoint:
        return checkpoint_sentence(path.checkpoint)
    return texts.next_up(path.head.level, path.head.title, path.head.id)


def checkpoint_sentence(node: TreeNode) -> str:
    """
    Ask whether the node at its checkpoint is complete.
    """
    return texts.checkpoint(node.level, node.title, node.id)


def _first_pending(nodes: tuple[TreeNode, ...]) -> TreeNode | None:
    return next((node for node in nodes if node.pending), None)
