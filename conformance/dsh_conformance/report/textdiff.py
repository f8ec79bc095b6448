"""
Two texts, character by character, with what cannot be seen made visible.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from dsh_conformance.errors import visible

# Beyond this the comparison of every character with every other would take longer than reading.
DIFF_LIMIT = 4000
# Letters that two unrelated texts happen to share say nothing.
LEAST_ALIKE = 0.4
# Of a longer stretch the two ends say enough; the transcript has the whole.
SHOWN_LIMIT = 600
OPEN, CLOSE = "⟦", "⟧"


@dataclass(frozen=True)
class Piece:
    """
    A stretch of text, the same on both sides or not.
    """

    text: str
    differs: bool


def text_diff(expected: str, seen: str) -> tuple[list[Piece], list[Piece]]:
    """
    Return both texts in pieces that say where they part.
    """
    if max(len(expected), len(seen)) > DIFF_LIMIT:
        return _by_ends(expected, seen)
    matcher = SequenceMatcher(None, expected, seen, autojunk=False)
    shorter = min(len(expected), len(seen))
    if matcher.ratio() < LEAST_ALIKE and matcher.find_longest_match().size * 2 < shorter:
        return _split(expected, 0), _split(seen, 0)
    left: list[Piece] = []
    right: list[Piece] = []
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        differs = tag != "equal"
        if i2 > i1:
            left.append(Piece(expected[i1:i2], differs))
        if j2 > j1:
            right.append(Piece(seen[j1:j2], differs))
    return left, right


def _by_ends(expected: str, seen: str) -> tuple[list[Piece], list[Piece]]:
    head = next(
        (i for i, (a, b) in enumerate(zip(expected, seen, strict=False)) if a != b),
        min(len(expected), len(seen)),
    )
    return _split(expected, head), _split(seen, head)


def _split(text: str, head: int) -> list[Piece]:
    pieces = [Piece(text[:head], differs=False), Piece(text[head:], differs=True)]
    return [piece for piece in pieces if piece.text]


def shown(text: str, *, everything: bool = False) -> str:
    """
    Return a text with invisible characters shown: all, or only those that move the cursor.
    """
    return "".join(_shown(text, everything))


def shown_lines(text: str) -> str:
    """
    Return a message of several lines with what an adapter said made harmless.
    """
    return "\n".join(shown(line) for line in text.split("\n"))


def _shown(text: str, everything: bool) -> Iterator[str]:  # noqa: FBT001  # Private, one caller.
    for char in text:
        if char == " ":
            yield "·" if everything else " "
        elif char.isprintable():
            yield char
        else:
            yield visible(char)


def bracketed(pieces: list[Piece], limit: int = SHOWN_LIMIT) -> str:
    """
    Return pieces as plain text, differing ones in brackets, long equal ones shortened.
    """
    parts = []
    for piece in pieces:
        text = shortened(piece.text, limit)
        if piece.differs:
            parts.append(f"{OPEN}{shown(text, everything=True)}{CLOSE}")
        else:
            parts.append(shown(text))
    return "".join(parts)


def shortened(text: str, limit: int = SHOWN_LIMIT) -> str:
    """
    Return a text, or its beginning and its end where it is longer than anybody reads.
    """
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]}…({len(text) - 2 * half} characters)…{text[-half:]}"
