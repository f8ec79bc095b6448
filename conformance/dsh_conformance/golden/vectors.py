"""
The record: reading it, and its symbols and texts in the words of scenarios.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dsh_conformance.errors import DataError

KINDS = ("fold", "plan", "commands", "pause", "autocontinue", "prestep")

_SYMBOL = re.compile(r"<([gts][0-9]+)>")
_TASK_AT_CHECKPOINT = re.compile(r"(任务「[^」]*」)(\{t[0-9]+\})(?= 的| 是否)")
_MARK = " ← 当前"

Vector = dict[str, Any]
Step = dict[str, Any]


def read_vectors(folder: Path, kind: str) -> Iterator[tuple[int, Vector]]:
    """
    Yield each vector of a kind with its line, from 1.

    Raises:
        DataError: The file is missing or a line is not JSON.
    """
    path = folder / f"{kind}.jsonl"
    try:
        lines = path.read_text("utf-8").split("\n")
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", str(path)) from error
    for number, line in enumerate(lines, 1):
        if line:
            try:
                yield number, json.loads(line)
            except ValueError as error:
                raise DataError(f"not JSON: {error}", f"{path}:{number}") from error


def named(value: Any) -> Any:
    """
    Put names in braces for the record's symbols: `<g1>` becomes `{g1}`.
    """
    if isinstance(value, str):
        return _SYMBOL.sub(r"{\1}", value)
    if isinstance(value, list):
        return [named(item) for item in value]
    if isinstance(value, dict):
        return {key: named(inner) for key, inner in value.items()}
    return value


def symbols(text: str) -> list[str]:
    """
    Return the names that stand in a recorded text, each once.
    """
    return list(dict.fromkeys(_SYMBOL.findall(text)))


def accepted(text: str, checkpoint: str | None = None) -> Any:
    """
    Return the pattern of a recorded text: itself, or any of the forms that the decisions allow.

    Args:
        text: As recorded.
        checkpoint: The recorded id of the node at its checkpoint, if known.
    """
    forms = [named(text)]
    short = _TASK_AT_CHECKPOINT.sub(r"任务\2", forms[0])
    if short != forms[0]:
        forms.append(short)
    if checkpoint is None or checkpoint.startswith("<g"):
        forms += [marked for form in list(forms) if (marked := _marked(form)) != form]
    return forms[0] if len(forms) == 1 else {"$oneOf": forms}


def _marked(text: str) -> str:
    # The first open goal is the one at its checkpoint, if a goal is.
    open_goal = r"(\[ \] 目标  \{g[0-9]+\}  .*?)(?=\n  \[|\n {7})"
    return re.sub(open_goal, rf"\1{_MARK}", text, count=1, flags=re.DOTALL)


class Names:
    """
    Which symbols have been bound, in the order of a script.
    """

    def __init__(self) -> None:
        self._bound: set[str] = set()

    def bind(self, text: str) -> dict[str, list[str]]:
        """
        Return the `bind` that a step with this text needs.
        """
        new = [name for name in symbols(text) if name not in self._bound]
        self._bound.update(new)
        return {"bind": new} if new else {}


def message(event: Vector) -> Vector:
    """
    Return a recorded event as a message to append.
    """
    text = event.get("text", "")
    if event["kind"] == "system":
        return {"system": text}
    if event["kind"] == "result":
        return {"result": text}
    if event["kind"] == "assistant":
        calls = [{"name": call["name"], "raw": call["args"]} for call in event.get("calls", ())]
        return {"assistant": text, **({"calls": calls} if calls else {})}
    return from_source(event.get("source", "none"), text)


def from_source(source: str, text: str = "…") -> Vector:
    """
    Return a user message of a recorded source.
    """
    if source == "human":
        return {"human": text}
    if source == "self":
        return {"plugin": "dsh-tree-task-flow", "form": "notice", "summary": "…", "text": text}
    if source == "other-plugin":
        return {"plugin": "dsh-time-context", "text": text}
    return {"user": text}
