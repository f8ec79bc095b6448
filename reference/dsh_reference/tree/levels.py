"""
The three fixed levels of the tree, and the words they go by.
"""

from __future__ import annotations

from enum import Enum


class Level(Enum):
    """
    A level of the tree; the value is its name in state files.
    """

    GOAL = "goal"
    TASK = "task"
    STEP = "step"

    @property
    def prefix(self) -> str:
        """
        The letter that node ids of this level begin with.
        """
        return self.value[0]

    @property
    def below(self) -> Level | None:
        """
        The level of the children; None for steps, which are never split.
        """
        return _BELOW[self]

    @property
    def label(self) -> str:
        """
        The level in trees, refusals and events.
        """
        return _LABELS[self]

    @property
    def spoken(self) -> str:
        """
        The level in sentences on what comes next, where a step is 步骤 instead of 子任务.
        """
        return _SPOKEN[self]


_BELOW = {Level.GOAL: Level.TASK, Level.TASK: Level.STEP, Level.STEP: None}
_LABELS = {Level.GOAL: "目标", Level.TASK: "任务", Level.STEP: "子任务"}
_SPOKEN = {Level.GOAL: "目标", Level.TASK: "任务", Level.STEP: "步骤"}
