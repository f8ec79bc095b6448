"""
Laws of the tree that need no other implementation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from dsh_conformance.generate.finding import Violation
from dsh_conformance.generate.record import CALLS, Record

_PAUSE = re.compile(r"^/task-tree\s+(pause|stop)\s*$")
_RESUME = re.compile(r"^/task-tree\s+resume\s*$")
_RESET = re.compile(r"^/task-tree\s+reset\s*$")
_OPEN = "pending"
_NODE = frozenset({"id", "title", "status"})

CLAUSES = (
    "tree.ids.unique",
    "tree.path.one",
    "tree.pause.holds",
    "tree.state.plan-file",
    "tree.state.survives-restart",
    "tree.done.completes",
    "tree.drop.cascades",
)


def states_only_end(history: Sequence[Record]) -> Violation | None:
    """
    A node that is done or dropped stays so, as the plan files tell.
    """
    ended: dict[tuple[str, str], str] = {}
    for record in history:
        if record.verb != "file" or not isinstance(record.raw, dict):
            continue
        for node in nodes_of(record.raw):
            before = ended.get((record.value, node["id"]))
            if before is not None and node["status"] != before:
                law = "states only move from pending to done or dropped"
                clause = "tree.done.completes" if before == "done" else "tree.drop.cascades"
                seen = record.facts["shows"]
                wanted = {"$not": seen}
                return Violation(law, clause, record.index, "shows", wanted, seen)
            if node["status"] != _OPEN:
                ended[record.value, node["id"]] = node["status"]
    return None


def nodes_of(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """
    Yield the nodes of a plan file, parents first; what has not a node's shape is left out.
    """
    for goal in _nodes(plan, "goals"):
        yield goal
        for task in _nodes(goal, "tasks"):
            yield task
            yield from _nodes(task, "steps")


def _nodes(parent: dict[str, Any], key: str) -> list[dict[str, Any]]:
    listed = parent.get(key)
    found = listed if isinstance(listed, list) else []
    return [node for node in found if isinstance(node, dict) and set(node) >= _NODE]


def disk_says_what_status_says(history: Sequence[Record]) -> Violation | None:
    """
    Every node of the plan file stands in the status with its title, and no other.
    """
    last: Record | None = None
    for record in history:
        if last is not None and record.verb == "file" and isinstance(record.raw, dict):
            if record.value == f"plans/{last.step['by']}.json":
                found = _same(last.raw["text"], record)
                if found is not None:
                    return found
        elif record.verb == "file" and last is not None and record.value.startswith("plans/"):
            continue
        is_status = record.value == "tree_task_status" and "says" in record.facts
        last = record if is_status else None
    return None


def _same(text: str, record: Record) -> Violation | None:
    ids = [node["id"] for node in nodes_of(record.raw)]
    law = "what is on disk is what status says"
    if len(set(ids)) != len(ids):
        seen = record.facts["shows"]
        return Violation(
            "ids are unique", "tree.ids.unique", record.index, "shows", {"$not": seen}, seen
        )
    for node in nodes_of(record.raw):
        if f"{node['id']}  {node['title']}" not in text:
            seen = record.facts["shows"]
            wanted = {"$not": seen}
            return Violation(law, "tree.state.plan-file", record.index, "shows", wanted, seen)
    return None


def nothing_passes_a_pause(history: Sequence[Record]) -> Violation | None:
    """
    While a session is paused, no step is entered that no person asked for.
    """
    paused: set[str] = set()
    said: set[str] = set()
    for record in history:
        by = record.step.get("by")
        if record.verb == "reload":
            paused.clear()
        elif record.verb == "command" and by is not None:
            if _PAUSE.match(record.value) and "says" in record.facts:
                paused.add(by)
            elif _RESUME.match(record.value):
                paused.discard(by)
        elif record.verb == "say":
            said.add(str(by))
        elif record.verb == "enter" and (_human(record) or record.value in said):
            paused.discard(record.value)
            said.discard(record.value)
        elif record.verb == "enter" and record.value in paused:
            free = record.step.get("aborted") or record.step.get("decision") == "reject"
            if not free and record.facts.get("shows") == "entered":
                law = "while paused no request is made"
                return Violation(law, "tree.pause.holds", record.index, "shows", "held", "entered")
    return None


def _human(record: Record) -> bool:
    return any("human" in message for message in record.step.get("messages", ()))


@dataclass
class _Node:
    name: str
    children: list[_Node] = field(default_factory=list)
    open: bool = True


class _Plan:
    """
    One session's plan, as the accepted calls make it.
    """

    def __init__(self) -> None:
        self.goals: list[_Node] = []
        self.murky = False

    def find(self, name: str) -> _Node | None:
        return next((node for node in self._all(self.goals) if node.name == name), None)

    def _all(self, nodes: list[_Node]) -> Iterator[_Node]:
        for node in nodes:
            yield node
            yield from self._all(node.children)

    def active(self) -> _Node | None:
        """
        Return the step or task that comes next, None at a checkpoint or the end.
        """
        goal = _first_open(self.goals)
        task = _first_open(goal.children) if goal is not None else None
        if task is None:
            return None
        return _first_open(task.children) if task.children else task


def _first_open(nodes: list[_Node]) -> _Node | None:
    return next((node for node in nodes if node.open), None)


def _drop(node: _Node) -> None:
    node.open = False
    for child in node.children:
        _drop(child)


def first_open_is_active(history: Sequence[Record]) -> Violation | None:
    """
    After a node ends, the reply names the first open one of the plan.
    """
    plans: dict[str, _Plan] = {}
    for record in history:
        by = str(record.step.get("by"))
        plan = plans.setdefault(by, _Plan())
        says = record.facts.get("says")
        if record.verb == "command" and isinstance(says, str):
            if _RESET.match(record.value):
                plans[by] = _Plan()
            plan.murky = plan.murky or " done " in record.value or " drop " in record.value
        if record.verb not in CALLS or not isinstance(says, str):
            continue
        _apply(plan, record, says)
        found = _named_next(plan, record, says)
        if found is not None:
            return found
    return None


def _apply(plan: _Plan, record: Record, says: str) -> None:
    arguments = record.step.get("with", {})
    named = str(arguments.get("id", arguments.get("parentId", ""))).strip("{}")
    bound = list(record.step.get("bind", ()))
    if record.value == "tree_task_create" and says.startswith(("计划已建立", "已新增目标")):
        if len(bound) != 1 + len(arguments["tasks"]):
            plan.murky = True
        elif bound:
            plan.goals.append(_Node(bound[0], [_Node(name) for name in bound[1:]]))
    elif record.value == "tree_task_plan" and says.startswith("已添加"):
        parent = plan.find(named)
        if parent is None or len(bound) != len(arguments["children"]):
            plan.murky = True
        else:
            parent.children += [_Node(name) for name in bound]
    elif record.value == "tree_task_done" and says.startswith("tree_task消息"):
        _end(plan, named, dropped=False)
    elif record.value == "tree_task_drop" and says.startswith("已丢弃"):
        _end(plan, named, dropped=True)


def _end(plan: _Plan, named: str, *, dropped: bool) -> None:
    node = plan.find(named)
    if node is None:
        plan.murky = True
    elif dropped:
        _drop(node)
    else:
        node.open = False


def _named_next(plan: _Plan, record: Record, says: str) -> Violation | None:
    ended = says.startswith(("tree_task消息", "已丢弃"))
    active = plan.active()
    if plan.murky or not ended or active is None or f"({{{active.name}}})" in says:
        return None
    law = "the active path is the first open one"
    wanted = {"$contains": f"({{{active.name}}})"}
    return Violation(law, "tree.path.one", record.index, "says", wanted, says)


LAWS = (
    states_only_end,
    disk_says_what_status_says,
    nothing_passes_a_pause,
    first_open_is_active,
)
