"""
Two sides' answers to one step, held against each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dsh_conformance.scenario.patterns import ABSENT, Matching, Mismatch

_HOW_IT_ENDED = ("says", "error", "pending", "refused")
_TEXTS = frozenset({"says", "error", "refused"})


@dataclass(frozen=True)
class Unlike:
    """
    Where two answers part.

    Attributes:
        key: The scenario key under which the first answer would be expected.
        expected: The first answer there.
        seen: The second.
        mismatches: Every difference between them.
    """

    key: str
    expected: Any
    seen: Any
    mismatches: tuple[Mismatch, ...]

    @property
    def words_only(self) -> bool:
        """
        Whether only texts differ.
        """
        return all(one.wording for one in self.mismatches)


def unlike(expected: dict[str, Any], seen: dict[str, Any]) -> Unlike | None:
    """
    Return where two observations of a step part, or None.

    Args:
        expected: What one side showed, by scenario key.
        seen: What the other showed.
    """
    if expected == seen:
        return None
    ended, other = _ended(expected), _ended(seen)
    if ended != other:
        return _ended_otherwise(ended, other, expected, seen)
    for key, value in expected.items():
        matching = Matching()
        path = ("text",) if key in _TEXTS else ()
        if not matching.compare(value, seen.get(key, ABSENT), path):
            return Unlike(key, value, seen.get(key), tuple(matching.mismatches))
    return None


def _ended(facts: dict[str, Any]) -> str | None:
    return next((key for key in _HOW_IT_ENDED if key in facts), None)


def _ended_otherwise(
    ended: str | None, other: str | None, expected: dict[str, Any], seen: dict[str, Any]
) -> Unlike:
    want = expected[ended] if ended is not None else "it works"
    have = f"{_WORDS[other]}{seen[other] if other not in {None, 'pending'} else ''}"
    return Unlike(ended or "works", want, have, (Mismatch((), want, have, wording=False),))


_WORDS = {
    "says": "no error: ",
    "error": "an error: ",
    "pending": "not finished yet",
    "refused": "refused: ",
    None: "carried out",
}
