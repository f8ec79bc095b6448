"""
Which calls belong to which line of a script.
"""

from __future__ import annotations

from typing import Any


def line_numbers(case: dict[str, Any]) -> list[int | None]:
    """
    Return for each call of a case the line of its script, from 0; None before the first.

    A call belongs to the next line at its place; those of inner steps, to the line around them.
    """
    numbers: list[int | None] = []
    places, current = case["places"], None
    for exchange in case["transcript"]:
        start = 0 if current is None else current
        ahead = (at for at in range(start, len(places)) if places[at] == exchange["step"])
        current = next(ahead, current)
        numbers.append(current)
    return numbers
