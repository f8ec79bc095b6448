"""
The plan of one session as frozen values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from dsh_reference.tree.levels import Level


class Status(Enum):
    """
    What is stored of a node's state; which node is current is derived.
    """

    PENDING = "pending"
    DONE = "done"
    DROPPED = "dropped"


@dataclass(frozen=True)
class TreeResult:
    """
    What a finished node produced, and when that was handed in (milliseconds).
    """

    text: str
    at: int


@dataclass(frozen=True, kw_only=True)
class TreeNode:
    """
    A goal, task or step with what lies below it.
    """

    id: str
    level: Level
    title: str
    detail: str = ""
    status: Status = Status.PENDING
    created_at: int
    completed_at: int | None = None
    result: TreeResult | None = None
    children: tuple[TreeNode, ...] = ()

    @property
    def pending(self) -> bool:
        """
        Whether the node is neither done nor dropped.
        """
        return self.status is Status.PENDING

    def walk(self) -> Iterator[TreeNode]:
        """
        Yield the node and all below it, depth first.
        """
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True, kw_only=True)
class TreePlan:
    """
    The goals of one session in order of creation; there is always at least one.
    """

    goals: tuple[TreeNode, ...]
    created_at: int
    updated_at: int

    def walk(self) -> Iterator[TreeNode]:
        """
        Yield every node, depth first.
        """
        for goal in self.goals:
            yield from goal.walk()

    def find(self, node_id: str) -> TreeNode | None:
        """
        Return the node of that exact id.
        """
        return next((node for node in self.walk() if node.id == node_id), None)


@dataclass(frozen=True)
class LastIds:
    """
    The highest number given out on each level of a session, so that no id comes twice.
    """

    goal: int = 0
    task: int = 0
    step: int = 0

    @classmethod
    def of(cls, plan: TreePlan | None) -> LastIds:
        """
        Return the highest numbers that stand in a plan.
        """
        highest = dict.fromkeys(Level, 0)
        for node in plan.walk() if plan else ():
            highest[node.level] = max(highest[node.level], _number(node))
        return cls(highest[Level.GOAL], highest[Level.TASK], highest[Level.STEP])

    def at_least(self, other: LastIds) -> LastIds:
        """
        Return the higher number of the two on each level.
        """
        return LastIds(
            max(self.goal, other.goal), max(self.task, other.task), max(self.step, other.step)
        )

    def following(self, level: Level, count: int) -> list[str]:
        """
        Return the next `count` ids of a level.
        """
        last: int = getattr(self, level.value)
        return [f"{level.prefix}-{last + place}" for place in range(1, count + 1)]


def _number(node: TreeNode) -> int:
    found = re.fullmatch(rf"{node.level.prefix}-([0-9]{{1,15}})", node.id)
    return int(found[1]) if found else 0
