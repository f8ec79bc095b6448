"""
Steps and values as people read them.
"""

from __future__ import annotations

import json
from typing import Any

from dsh_conformance.errors import visible
from dsh_conformance.scenario.messages import BUT_SEQ
from dsh_conformance.scenario.model import Step
from dsh_conformance.scenario.patterns import ABSENT, Mismatch
from dsh_conformance.scenario.results import Difference

# A line of a script is looked at, not searched: the transcript has the whole.
VALUE_LIMIT = 400
_GROUPS = frozenset({"together", "any-of"})  # What stands inside has lines of its own.
_DETAILS = frozenset({"clause", "note", "editions", "bind", "remember", "unchanged"})


def step_line(step: Step, params: dict[str, Any] | None = None) -> str:
    """
    Return a step as one line of a script, its expectations left out.
    """
    if step.verb.name in _GROUPS:
        return step.verb.name
    skipped = _DETAILS | set(step.expects) | {"steps"}
    parts = [
        f"{key}: {value_text(value)}"
        for key, value in {**step.source, **(params or {})}.items()
        if key not in skipped
    ]
    return ", ".join(parts)


def value_text(value: Any, limit: int = VALUE_LIMIT) -> str:
    """
    Return a value on one line, control characters shown and long values cut.
    """
    text = value if isinstance(value, str) else compact(value)
    shown = "".join(c if c.isprintable() else visible(c) for c in text[:limit])
    return shown if len(text) <= limit else f"{shown}… ({len(text)} characters)"


def compact(value: Any) -> str:
    """
    Return a value as JSON that keeps every language readable.
    """
    if value is ABSENT:
        return "nothing"
    return json.dumps(_plain(value), ensure_ascii=False, default=repr)


def _plain(value: Any) -> Any:
    if value is ABSENT:
        return "nothing"
    if isinstance(value, dict):
        if set(value) == {BUT_SEQ}:
            return _plain(value[BUT_SEQ])
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value


def difference(mismatch: Mismatch) -> Difference:
    """
    Return a mismatch as texts.
    """
    both_text = isinstance(mismatch.expected, str) and isinstance(mismatch.seen, str)
    return Difference(
        path=path_text(mismatch.path),
        expected=mismatch.expected if both_text else compact(mismatch.expected),
        seen=mismatch.seen if both_text else compact(mismatch.seen),
        text=both_text,
    )


def path_text(path: tuple[str | int, ...]) -> str:
    """
    Return a path such as `messages[2].text`.
    """
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.lstrip(".")
