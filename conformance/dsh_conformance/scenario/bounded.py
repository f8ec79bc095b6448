"""
Regular expressions that end: some texts and patterns would keep Python's own engine for years.
"""

from __future__ import annotations

from typing import Any

# An ordinary comparison takes microseconds.
MATCH_SECONDS = 5.0
_SHOWN = 200


class MatchingTooLong(Exception):
    """
    Nobody knows whether a text matches: finding out takes too long.
    """


def search(pattern: str, text: str, *, whole: bool = False) -> Any:
    """
    Return a match as `re.search` does, or as `re.fullmatch` with `re.DOTALL`, or None.

    Args:
        pattern: In the syntax of `re`; it compiles.
        text: Any text.
        whole: Whether all of the text must match.

    Raises:
        MatchingTooLong: It is not known within `MATCH_SECONDS`.
    """
    import regex  # noqa: PLC0415  # Many cases compare no pattern.

    try:
        if whole:
            return regex.fullmatch(pattern, text, regex.DOTALL, timeout=MATCH_SECONDS)
        return regex.search(pattern, text, timeout=MATCH_SECONDS)
    except TimeoutError as error:
        shown = pattern if len(pattern) <= _SHOWN else f"{pattern[:_SHOWN]}…"
        raise MatchingTooLong(
            f"after {MATCH_SECONDS:g} s it is not known whether {len(text)} characters match"
            f" {shown}: make the pattern or the answer simpler"
        ) from error
