"""
State files as JSON values, both ways; a file from elsewhere that does not fit reads as None.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, TypeVar

from dsh_reference.tree.cursors import Cursor, Cursors
from dsh_reference.tree.levels import Level
from dsh_reference.tree.model import LastIds, Status, TreeNode, TreePlan, TreeResult

VERSION = 2
_CHILDREN = {Level.GOAL: "tasks", Level.TASK: "steps"}

Json = Any
T = TypeVar("T")


@dataclass(frozen=True)
class SessionState:
    """
    What is kept of a session beside its plan.

    `stopped`: the user stopped a turn and nobody has written since. `last_ids` outlives a reset.
    """

    cursors: Cursors = field(default_factory=Cursors)
    paused: bool = False
    stopped: bool = False
    last_ids: LastIds = field(default_factory=LastIds)


def plan_to_json(plan: TreePlan) -> Json:
    """
    Return the second layout of plan files: a list of goals.
    """
    return {
        "version": VERSION,
        "createdAt": plan.created_at,
        "updatedAt": plan.updated_at,
        "goals": [_node_to_json(goal) for goal in plan.goals],
    }


def plan_from_json(value: Json) -> TreePlan | None:
    """
    Read a plan of the second or first layout; anything else, or no goals, is no plan.
    """
    return _or_none(_plan, value)


def state_to_json(session: str, state: SessionState, now: int) -> Json:
    """
    Return the cursors, and of the rest what differs from a fresh session.
    """
    extra: dict[str, Json] = {}
    if state.paused:
        extra["paused"] = True
    if state.stopped:
        extra["stopped"] = True
    if state.last_ids != LastIds():
        extra["lastIds"] = asdict(state.last_ids)
    return {"sessionId": session, **asdict(state.cursors), "updatedAt": now, **extra}


def state_from_json(value: Json) -> SessionState | None:
    """
    Read what `state_to_json` wrote.
    """
    return _or_none(_state, value)


def _or_none(read: Callable[[Json], T], value: Json) -> T | None:
    try:
        return read(value)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        return None


def _node_to_json(node: TreeNode) -> Json:
    value: Json = {
        "id": node.id,
        "title": node.title,
        "detail": node.detail,
        "status": node.status.value,
        "createdAt": node.created_at,
        "completedAt": node.completed_at,
        "result": asdict(node.result) if node.result else None,
    }
    if node.level.below is not None:
        value[_CHILDREN[node.level]] = [_node_to_json(child) for child in node.children]
    return value


def _plan(value: Json) -> TreePlan | None:
    goals = value["goals"] if "goals" in value else [value["goal"]]
    if not isinstance(goals, list) or not goals:
        return None
    plan = TreePlan(
        goals=tuple(_node(goal, Level.GOAL) for goal in goals),
        created_at=_time(value.get("createdAt")) or 0,
        updated_at=_time(value.get("updatedAt")) or 0,
    )
    ids = [node.id for node in plan.walk()]
    return plan if len(set(ids)) == len(ids) else None


def _node(value: Json, level: Level) -> TreeNode:
    children: list[Json] = value.get(_CHILDREN[level]) or [] if level.below else []
    return TreeNode(
        id=_text(value["id"]),
        level=level,
        title=_text(value["title"]),
        detail=_text(value.get("detail") or ""),
        status=Status(value["status"]),
        created_at=_time(value.get("createdAt")) or 0,
        completed_at=_time(value.get("completedAt")),
        result=_result(value.get("result")),
        children=tuple(_node(child, level.below) for child in children) if level.below else (),
    )


def _result(value: Json) -> TreeResult | None:
    return None if value is None else TreeResult(_text(value["text"]), _time(value.get("at")) or 0)


def _state(value: Json) -> SessionState:
    cursors = Cursors(*(_cursor(value.get(level.value)) for level in Level))
    numbers = value.get("lastIds") or {}
    return SessionState(
        cursors=cursors,
        paused=value.get("paused") is True,
        stopped=value.get("stopped") is True,
        last_ids=LastIds(*(_time(numbers.get(level.value)) or 0 for level in Level)),
    )


def _cursor(value: Json) -> Cursor | None:
    return None if value is None else Cursor(_text(value["key"]), _time(value.get("cursor")))


def _text(value: Json) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected text, found {value!r}")
    return value


def _time(value: Json) -> int | None:
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
