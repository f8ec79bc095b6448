"""
What the buttons of the panel do to the state files.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dsh_reference.tree import plan as ops
from dsh_reference.tree.marks import Marks
from dsh_reference.tree.model import TreePlan
from dsh_reference.tree.plan import Change, Refusal
from dsh_reference.tree.store import Store

NO_PLAN = "这个会话没有计划"


class Actions:
    """
    Pause, resume, clear, done and drop of the sessions that have a plan.
    """

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self._store = store
        self._now = now
        marks = Marks(store)
        self._on_session: dict[str, Callable[[str], None]] = {
            "pause": marks.pause,
            "resume": marks.resume,
            "clear": store.clear,
        }

    def run(self, wanted: dict[str, Any]) -> str | None:
        """
        Do what `{session, action, id?, result?}` asks for; return why not, where refused.

        Raises:
            Rejected: A state file cannot be written.
        """
        session, action, node_id, result = (
            _text(wanted, field) for field in ("session", "action", "id", "result")
        )
        plan = self._store.plan(session)
        if plan is None:
            return NO_PLAN
        if action in self._on_session:
            self._on_session[action](session)
            return None
        change = self._change(plan, action, node_id, result)
        if isinstance(change, Refusal):
            return change.reason
        self._store.save_plan(session, change.plan)
        return None

    def _change(self, plan: TreePlan, action: str, node_id: str, result: str) -> Change | Refusal:
        if action == "done":
            return ops.complete(plan, node_id, result=result, now=self._now())
        if action == "drop":
            return ops.drop(plan, node_id, now=self._now())
        return Refusal(f"不认识的动作：{action}")


def _text(wanted: dict[str, Any], field: str) -> str:
    value = wanted.get(field)
    return value if isinstance(value, str) else ""
