"""
JSON values as the harness sees them: lossless copies, and text quoted as by `JSON.stringify`.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_LONE = re.compile("[\ud800-\udfff]")


class LossyValueError(ValueError):
    """
    A value that JSON cannot carry and give back unchanged.
    """


def snapshot(value: Any) -> Any:
    """
    Return a copy of a JSON value that shares nothing mutable with it, however deep it is nested.

    Raises:
        LossyValueError: It holds something other than JSON, or a number that JSON loses.
    """
    root: list[Any] = [None]
    pending: list[tuple[Any, Any, Any]] = [(value, root, 0)]
    while pending:
        item, holder, key = pending.pop()
        if isinstance(item, dict):
            holder[key] = copy = dict.fromkeys(map(_key, item))
            pending.extend((child, copy, name) for name, child in item.items())
        elif isinstance(item, list | tuple):
            holder[key] = row = [None] * len(item)
            pending.extend((child, row, index) for index, child in enumerate(item))
        else:
            holder[key] = _leaf(item)
    return root[0]


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise LossyValueError(f"object keys are text, got {key!r}")
    return key


def _leaf(value: Any) -> Any:
    if isinstance(value, str):
        return _PAIR.sub(_join, value)
    if isinstance(value, float) and _is_lossy(value):
        raise LossyValueError(f"JSON has no {value!r}")
    if value is None or isinstance(value, bool | int | float):
        return value
    raise LossyValueError(f"not a JSON value: {value!r}")


def _is_lossy(value: float) -> bool:
    return not math.isfinite(value) or (value == 0 and math.copysign(1, value) < 0)


def _join(pair: re.Match[str]) -> str:
    return pair[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def quote(text: str) -> str:
    """
    Quote text as `JSON.stringify` does: raw beyond ASCII, lone surrogates escaped in lower case.
    """
    quoted = json.dumps(text, ensure_ascii=False)
    return _LONE.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)
