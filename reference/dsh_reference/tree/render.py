"""
The tree as text.
"""

from __future__ import annotations

from dsh_reference.tree import texts
from dsh_reference.tree.js_text import cut, trim
from dsh_reference.tree.levels import Level
from dsh_reference.tree.model import Status, TreeNode, TreePlan
from dsh_reference.tree.path import ActivePath, active_path

FIRST_LINE_UNITS = 120  # Of UTF-16: a result shows on one line of the tree.

_MARKS = {Status.PENDING: "[ ]", Status.DONE: "[x]", Status.DROPPED: "[-]"}
_INDENTS = {Level.GOAL: 0, Level.TASK: 2, Level.STEP: 4}
_NOTE_INDENTS = {Level.GOAL: 7, Level.TASK: 8, Level.STEP: 10}


def tree_text(plan: TreePlan | None) -> str:
    """
    Return every node with its state and result, and a mark on what is to be advanced.
    """
    if plan is None:
        return texts.NO_PLAN_TREE
    path = active_path(plan)
    return "\n".join(line for node in plan.walk() for line in _lines(node, path))


def first_line(text: str) -> str:
    """
    Return the first line of a text, shortened if it is long.
    """
    line = trim(text.split("\n", 1)[0])
    short = cut(line, FIRST_LINE_UNITS)
    return line if short == line else f"{short}…"


def _lines(node: TreeNode, path: ActivePath) -> list[str]:
    mark = texts.CURRENT if _is_current(node, path) else ""
    head = f"{_MARKS[node.status]} {node.level.label}  {node.id}  {node.title}{mark}"
    lines = [" " * _INDENTS[node.level] + head]
    lines.extend(" " * _NOTE_INDENTS[node.level] + note for note in _notes(node))
    return lines


def _is_current(node: TreeNode, path: ActivePath) -> bool:
    if node.level is Level.GOAL:
        return node is path.head
    return node is path.task or node is path.step


def _notes(node: TreeNode) -> list[str]:
    notes = []
    if node.level is Level.GOAL and node.detail:
        notes.append(node.detail)
    if node.result:
        notes.append(texts.RESULT + first_line(node.result.text))
    if node.level is Level.TASK and node.pending and not node.children:
        notes.append(texts.LEAF_HINT)
    return notes
