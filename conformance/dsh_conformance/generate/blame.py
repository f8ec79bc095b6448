"""
From a difference to the clause it breaks: tables of what was expected, seen, and where.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dsh_conformance.generate.compare import Unlike
from dsh_conformance.generate.record import Record


@dataclass(frozen=True)
class Blame:
    """
    One row: all that is given must fit.

    Attributes:
        clause: The clause to blame.
        verb: The step's verb, as a regular expression.
        value: The verb's own value, as a regular expression.
        key: What was expected (`says`, `error`, `shows`, …), as a regular expression.
        expected: What the expectation's text holds, as a regular expression.
        seen: What was seen holds, as a regular expression.
        path: Where the first difference is, as a regular expression over `a.0.b`.
        words: Whether only words differ; None is either.
    """

    clause: str
    verb: str = ""
    value: str = ""
    key: str = ""
    expected: str = ""
    seen: str = ""
    path: str = ""
    words: bool | None = None


def blamed(table: Sequence[Blame], default: str, record: Record, found: Unlike) -> str:
    """
    Return the clause of the first row that fits, or the default.
    """
    path = ".".join(map(str, found.mismatches[0].path))
    first = found.mismatches[0]
    seen = first.seen if not first.path else found.seen
    for row in table:
        fits = (
            (row.words is None or row.words == found.words_only)
            and _fits(row.verb, record.verb)
            and _fits(row.value, record.value)
            and _fits(row.key, found.key)
            and _fits(row.path, path)
            and _fits(row.expected, found.expected)
            and _fits(row.seen, seen)
        )
        if fits:
            return row.clause
    return default


def _fits(pattern: str, value: Any) -> bool:
    return not pattern or re.search(pattern, str(value), re.DOTALL) is not None
