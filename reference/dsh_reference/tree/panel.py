"""
The strip above the input box, as data: one row when closed, the tree when open.

Whoever draws it needs no rule of the plan: phase, marks, what is open and which actions a row
offers are all worked out here.
"""

from __future__ import annotations

from typing import Any

from dsh_reference.host.agents import Agent
from dsh_reference.tree import texts
from dsh_reference.tree.codec import SessionState
from dsh_reference.tree.model import Status, TreeNode, TreePlan
from dsh_reference.tree.path import ActivePath, active_path
from dsh_reference.tree.store import Store

BAR_HEIGHT = 36  # Pixels, as the document has it.
POLL_MS = 4000  # As above.

PAUSED = ("paused", "已暂停")
CHECKPOINT = ("checkpoint", "检查点")
COMPLETE = ("complete", "已全部完成")
RUNNING = ("running", "进行中")

Strip = dict[str, Any]


class Panel:
    """
    What a host's screen asks for.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def read(self, agent: Agent) -> Strip | None:
        """
        Return the strip of an agent's session; None takes no room.
        """
        return self.strip(agent.session.id)

    def strip(self, session: str) -> Strip | None:
        """
        Return the strip of a session; None takes no room.
        """
        plan = self._store.plan(session)
        return None if plan is None else strip(plan, self._store.state(session))


def strip(plan: TreePlan, state: SessionState) -> Strip:
    """
    Return the bar (`phase` to `buttons`) and the body (`notes`, `goals`, whose rows nest).
    """
    path = active_path(plan)
    phase, label = _phase(path, state)
    return {
        "phase": phase,
        "label": label,
        "heading": _heading(plan),
        "progress": _progress(plan, path),
        "paused": state.paused,
        "stopped": state.paused or state.stopped,
        "height": BAR_HEIGHT,
        "poll": POLL_MS,
        "buttons": ["继续" if state.paused or state.stopped else "暂停", "清空计划", "展开"],
        "notes": _notes(path, state),
        "goals": [_row(goal, path) for goal in plan.goals],
    }


def _phase(path: ActivePath, state: SessionState) -> tuple[str, str]:
    if state.paused or state.stopped:
        return PAUSED
    if path.checkpoint:
        return CHECKPOINT
    return RUNNING if path.head else COMPLETE


def _heading(plan: TreePlan) -> str:
    return plan.goals[0].title if len(plan.goals) == 1 else f"{len(plan.goals)} 个目标"


def _progress(plan: TreePlan, path: ActivePath) -> str:
    nodes = list(plan.walk())
    counted = f"{sum(node.status is Status.DONE for node in nodes)}/{len(nodes)}"
    return f"{counted} · {path.head.title}" if path.head else counted


def _notes(path: ActivePath, state: SessionState) -> list[str]:
    notes = []
    if node := path.checkpoint:
        notes.append(f"检查点：{texts.named(node.level, node.title)}")
        notes.append(
            f"「{node.title}」的子节点已全部结束。要么继续给它拆子节点，要么提交结果并完成它。"
        )
    if state.paused:
        notes.append(
            "已暂停：正在跑的工具会跑完，之后不再往下走。点「继续」从原处接着跑，不会往会话里插消息。"
        )
    elif state.stopped:
        notes.append("你停止过这个会话：在你再发一条消息之前，不会自动续行。")
    return notes


def _row(node: TreeNode, path: ActivePath) -> Strip:
    current = any(node is one for one in (path.goal, path.task, path.step))
    checkpoint = node is path.checkpoint
    return {
        "id": node.id,
        "level": node.level.value,
        "title": node.title,
        "status": node.status.value,
        "current": current,
        "tags": [tag for tag, holds in (("当前", current), ("检查点", checkpoint)) if holds],
        "open": current,
        "detail": node.detail,
        "result": node.result.text if node.result else None,
        "resultAt": node.result.at if node.result else None,
        "actions": ["done", "drop"] if node.pending else [],
        "children": [_row(child, path) for child in node.children],
    }
