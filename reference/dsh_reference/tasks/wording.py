"""
How values and errors read inside the contract's texts, which were written for ECMAScript.
"""

from __future__ import annotations

import json
import math
from typing import Any

from dsh_reference.host.json_values import quote

# ECMAScript writes whole numbers from here on as 1e+21 and so on, as Python does for floats.
_FIRST_WITH_EXPONENT = 1e21


def json_text(value: Any) -> str:
    """
    Write a value as `JSON.stringify` does: whole numbers bare, null for what is no number.
    """
    if _is_no_number(value):
        return "null"
    if isinstance(value, float) and value.is_integer() and abs(value) < _FIRST_WITH_EXPONENT:
        value = int(value)
    if isinstance(value, str):
        return quote(value)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


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
    return json.dumps(value) if _is_no_number(value) else json_text(value)


def _is_no_number(value: Any) -> bool:
    return isinstance(value, float) and not math.isfinite(value)


def error_text(error: Exception) -> str:
    """
    Write an error as `String(error)` does.
    """
    return f"Error: {error}" if str(error) else "Error"
