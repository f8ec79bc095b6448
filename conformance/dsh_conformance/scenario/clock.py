"""
Times as scenarios write them.
"""

from __future__ import annotations

import re

_UNITS = {"ms": 1.0, "s": 1000.0, "m": 60_000.0, "h": 3_600_000.0}
_TIME = re.compile(r"([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)")


def milliseconds(time: str | float) -> float:
    """
    Return a time in milliseconds: a number of them, or a text such as `500ms`, `30s`, `10m`.

    Raises:
        ValueError: It is not a time.
    """
    if not isinstance(time, str):
        return time
    match = _TIME.fullmatch(time)
    if match is None:
        raise ValueError(f"not a time: {time}")
    return float(match[1]) * _UNITS[match[2]]
