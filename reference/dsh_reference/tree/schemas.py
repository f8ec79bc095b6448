"""
The six tools as the model sees them: names, descriptions, parameters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

STATUS = "tree_task_status"
CREATE = "tree_task_create"
PLAN = "tree_task_plan"
DONE = "tree_task_done"
UPDATE = "tree_task_update"
DROP = "tree_task_drop"

_TEXT = {"type": "string"}


@dataclass(frozen=True)
class ToolSchema:
    """
    What a host needs to offer a tool.
    """

    name: str
    description: str
    parameters: dict[str, Any]


def _object(properties: dict[str, Any], required: tuple[str, ...] = ()) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = list(required)
    return schema | {"additionalProperties": False}


def _described(text: str) -> dict[str, Any]:
    return _TEXT | {"description": text}


def _drafts(text: str) -> dict[str, Any]:
    item = _object(
        {"title": _described("标题，写明要产出什么。"), "detail": _described("补充说明。")},
        ("title",),
    )
    return {"type": "array", "description": text, "items": item}


SCHEMAS = (
    ToolSchema(
        STATUS,
        "查看任务树：每个节点的状态、已交的结果，以及现在该推进的节点。",
        _object({}),
    ),
    ToolSchema(
        CREATE,
        "新增一个目标和它下面的任务。已有的目标都保留，新目标排在最后。"
        "任务是一件能独立验收的交付物，别拆得太碎。",
        _object(
            {
                "title": _described("目标：最终要交付什么。"),
                "detail": _described("目标的补充说明。"),
                "tasks": _drafts("这个目标下的任务，至少一个，按执行顺序排。"),
            },
            ("title", "tasks"),
        ),
    ),
    ToolSchema(
        PLAN,
        "给目标追加任务，或给任务追加子任务。子任务是一两次工具调用能做完的一步，不能再往下拆。",
        _object(
            {
                "parentId": _described("要追加到哪个目标或任务下面。"),
                "children": _drafts("要追加的节点，至少一个，按执行顺序排。"),
            },
            ("parentId", "children"),
        ),
    ),
    ToolSchema(
        DONE,
        "完成一个节点并交上它的结果，返回接下来要做什么。这次调用和返回会留在上下文里，"
        "它前面的执行过程会被收走，所以结果要能独立看懂："
        "任务写交付物和验收办法，子任务一句话即可。",
        _object(
            {
                "id": _described("要完成的节点。"),
                "result": _described("这个节点产出了什么，不能为空。"),
            },
            ("id", "result"),
        ),
    ),
    ToolSchema(
        UPDATE,
        "修改一个节点的标题或说明，状态与结果不变。",
        _object(
            {
                "id": _described("要修改的节点。"),
                "title": _described("新标题；空白会被忽略。"),
                "detail": _described("新说明；可以清空。"),
            },
            ("id",),
        ),
    ),
    ToolSchema(
        DROP,
        "丢弃一个不再需要的节点，它下面还没完成的节点一起丢弃，已完成的保留。"
        "需求变了就丢弃旧节点再追加新节点。",
        _object({"id": _described("要丢弃的节点。")}, ("id",)),
    ),
)
