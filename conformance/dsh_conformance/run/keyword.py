"""
`-k`: words joined by `and`, `or`, `not` and brackets, as pytest has them.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable

from dsh_conformance.errors import UsageError

Test = Callable[[str], bool]

_PART = re.compile(r"[()]|[\w:+.\[\]\\/-]+")
_JOINS = frozenset({"and", "or", "not", "(", ")"})


def keyword_test(text: str) -> Test:
    """
    Return what tells whether a case's id fits an expression; a word fits wherever it stands in it.

    Raises:
        UsageError: It is no expression.
    """
    if not text.strip():
        return lambda _: True
    return _Expression(text).whole()


class _Expression:
    """
    An expression that is being read, from left to right.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._parts = deque(_PART.findall(text))
        if _PART.sub("", text).strip():
            raise self._wrong(f"{_PART.sub('', text).split()[0]!r} belongs to no word")

    def whole(self) -> Test:
        test = self._either()
        if self._parts:
            raise self._wrong(f"{self._parts[0]!r} follows a whole expression")
        return test

    def _either(self) -> Test:
        tests = [self._both()]
        while self._took("or"):
            tests.append(self._both())
        return lambda name: any(test(name) for test in tests)

    def _both(self) -> Test:
        tests = [self._one()]
        while self._took("and"):
            tests.append(self._one())
        return lambda name: all(test(name) for test in tests)

    def _one(self) -> Test:
        if self._took("not"):
            negated = self._one()
            return lambda name: not negated(name)
        if self._took("("):
            inside = self._either()
            if not self._took(")"):
                raise self._wrong("a bracket is never closed")
            return inside
        return self._word()

    def _word(self) -> Test:
        if not self._parts or self._parts[0] in _JOINS:
            found = f"{self._parts[0]!r} stands" if self._parts else "the end comes"
            raise self._wrong(f"{found} where a word is expected")
        word = self._parts.popleft().lower()
        return lambda name: word in name.lower()

    def _took(self, part: str) -> bool:
        if self._parts and self._parts[0] == part:
            self._parts.popleft()
            return True
        return False

    def _wrong(self, reason: str) -> UsageError:
        return UsageError(
            f"not an expression: {reason}",
            "-k",
            value=self._text,
            hint="write words joined by and, or, not",
        )
