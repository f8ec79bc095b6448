"""
A protocol line to data and back: JSON as the protocol allows it, and nothing else.
"""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

# Nothing in the contract nests deeper than a handful; what comes later (copies, comparisons,
# reports) recurses, and must not run out of stack on an adapter's behalf.
DEPTH_LIMIT = 128


class NotJson(Exception):
    """
    A line, or a value, that is not JSON as the protocol allows it; the text says why.
    """


def encode(value: Any) -> bytes:
    """
    Return a value as one line of ASCII, without the line's end.

    Raises:
        NotJson: It holds something that JSON does not know.
    """
    try:
        return _encode(value).encode("ascii")
    except RecursionError:
        raise NotJson(f"it nests deeper than {DEPTH_LIMIT}") from None
    except (TypeError, ValueError) as error:
        raise NotJson(str(error)) from error


def decode(line: bytes) -> Any:
    """
    Read a line.

    Raises:
        NotJson: It is not UTF-8, not JSON, repeats a key, holds a number that is none (`NaN`) or
            that no computer keeps (`1e999`), or nests too deeply.
    """
    try:
        value = _decode(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise NotJson(f"not UTF-8: {error.reason} at byte {error.start}") from error
    except RecursionError:
        raise NotJson(f"it nests deeper than {DEPTH_LIMIT}") from None
    except ValueError as error:
        raise NotJson(f"not JSON: {error}") from error
    # Brackets bound the depth and are counted a thousand times faster than it.
    if line.count(b"[") + line.count(b"{") > DEPTH_LIMIT and nests_deeper(value, DEPTH_LIMIT):
        raise NotJson(f"it nests deeper than {DEPTH_LIMIT}")
    return value


def nests_deeper(value: Any, limit: int) -> bool:
    """
    Whether lists and objects stand inside each other more than `limit` times.
    """
    level = [value]
    for _ in range(limit + 1):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return False
    return True


def _inside(value: Any) -> Any:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {json.dumps(twice)} stands twice in one object")
    return found


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"the number {text[:40]} is out of range")
    return number


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode
_decode = json.JSONDecoder(
    parse_constant=_no_constant, parse_float=_finite, object_pairs_hook=_once_each
).decode
