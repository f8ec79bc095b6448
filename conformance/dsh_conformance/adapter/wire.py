"""
A protocol line to data and back: JSON as the protocol allows it, and nothing else.
"""

from __future__ import annotations

import codecs
import json
import math
from collections.abc import Iterable
from typing import Any, NoReturn

# Nothing in the contract nests deeper than a handful; what comes later (copies, comparisons,
# reports) recurses, and must not run out of stack on an adapter's behalf.
DEPTH_LIMIT = 128
# The largest double has so many digits; what is longer is no quantity.
DIGITS_LIMIT = 309

LINE_ADVICE = "print protocol lines only to standard output, everything else to standard error"
NUMBER_ADVICE = "JSON numbers are finite and fit a double; leave the field out or write null"
DEPTH_ADVICE = "answer what was asked for; no answer is nested like this"
TWICE_ADVICE = "write each key once"


class NotJson(Exception):
    """
    A line, or a value, that is not JSON as the protocol allows it.

    Args:
        why: What is wrong with it.
        advice: What its author can do.
    """

    def __init__(self, why: str, advice: str = LINE_ADVICE) -> None:
        super().__init__(why)
        self.advice = advice


def encode(value: Any) -> bytes:
    """
    Return a value as one line of ASCII, without the line's end.

    Raises:
        NotJson: It holds something that JSON does not know.
    """
    try:
        return _encode(value).encode("ascii")
    except RecursionError:
        raise _too_deep() from None
    except (TypeError, ValueError) as error:
        raise NotJson(str(error), "answer with JSON values only") from error


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
        raise _too_deep() from None
    except ValueError as error:
        raise NotJson(_why(line, error)) from error
    # Brackets bound the depth and are counted a thousand times faster than it.
    if line.count(b"[") + line.count(b"{") > DEPTH_LIMIT and nests_deeper(value, DEPTH_LIMIT):
        raise _too_deep()
    return value


def nests_deeper(value: Any, limit: int) -> bool:
    """
    Whether lists and objects stand inside each other more than `limit` times.
    """
    level = _holders([value])
    for _ in range(limit):
        level = [inner for outer in level for inner in _holders(_inside(outer))]
        if not level:
            return False
    return bool(level)


def _holders(values: Iterable[Any]) -> list[Any]:
    return [value for value in values if isinstance(value, dict | list)]


def _inside(holder: dict[str, Any] | list[Any]) -> Iterable[Any]:
    return holder.values() if isinstance(holder, dict) else holder


def _too_deep() -> NotJson:
    return NotJson(f"it nests deeper than {DEPTH_LIMIT}", DEPTH_ADVICE)


def _why(line: bytes, error: ValueError) -> str:
    if not line.strip():
        return "it is empty"
    if line.startswith(codecs.BOM_UTF8):
        return "it begins with a byte order mark"
    return f"not JSON: {error}"


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        shown = json.dumps(twice[:DIGITS_LIMIT])
        raise NotJson(f"the key {shown} stands twice in one object", TWICE_ADVICE)
    return found


def _integer(text: str) -> int:
    if len(text) > DIGITS_LIMIT:
        raise NotJson(f"a number of more than {DIGITS_LIMIT} digits", NUMBER_ADVICE)
    return int(text)


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise NotJson(f"the number {text[:40]} is out of range", NUMBER_ADVICE)
    return number


def _no_constant(name: str) -> NoReturn:
    raise NotJson(f"{name} is no JSON number", NUMBER_ADVICE)


_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode
_decode = json.JSONDecoder(
    parse_constant=_no_constant,
    parse_int=_integer,
    parse_float=_finite,
    object_pairs_hook=_once_each,
).decode
