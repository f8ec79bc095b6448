"""
How values and errors read inside the contract's texts, which were written for ECMAScript.
"""

from __future__ import annotations

import json
import math
from decimal import Decimal
from typing import Any

from dsh_reference.host.json_values import quote

# Where ECMAScript begins to write an exponent: behind so many digits, and behind so many zeros.
_MOST_DIGITS = 21
_MOST_ZEROS = 5

_WORDS = {None: "null", True: "true", False: "false"}
_NO_JSON = frozenset({"NaN", "Infinity", "-Infinity"})


def json_text(value: Any) -> str:
    """
    Write a value as `JSON.stringify` does; what is no finite number is null.
    """
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, list):
        return f"[{','.join(map(json_text, value))}]"
    if isinstance(value, dict):
        return f"{{{','.join(f'{quote(key)}:{json_text(one)}' for key, one in value.items())}}}"
    shown = _plain(value)
    return "null" if shown in _NO_JSON else shown


def plain_text(value: Any) -> str:
    """
    Write a value as a template does: text bare, a list without brackets, an object unseen.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return ",".join("" if item is None else plain_text(item) for item in value)
    if isinstance(value, dict):
        return "[object Object]"
    return _plain(value)


def _plain(value: float | None) -> str:
    if value is None or isinstance(value, bool):
        return _WORDS[value]
    number = float(str(value))  # So one beyond all doubles is infinite.
    return _number(number) if math.isfinite(number) else json.dumps(number)


def _number(number: float) -> str:
    """
    Write a number with the fewest digits that tell it apart, as `Number.prototype.toString` does.
    """
    sign, digits, exponent = Decimal(repr(number)).normalize().as_tuple()
    shown = "".join(map(str, digits))
    point = len(shown) + int(exponent)  # How many digits stand before the point.
    if number == 0:
        return "0"
    if not -_MOST_ZEROS <= point <= _MOST_DIGITS:
        shown = f"{shown[0]}{'.' if shown[1:] else ''}{shown[1:]}e{point - 1:+d}"
    elif point <= 0:
        shown = f"0.{'0' * -point}{shown}"
    elif point < len(shown):
        shown = f"{shown[:point]}.{shown[point:]}"
    else:
        shown += "0" * (point - len(shown))
    return f"{'-' if sign else ''}{shown}"


def error_text(error: Exception) -> str:
    """
    Write an error as `String(error)` does.
    """
    return f"Error: {error}" if str(error) else "Error"
