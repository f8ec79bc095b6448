"""
Text as ECMAScript sees it: which characters are blank, and how long a text is.
"""

from __future__ import annotations

import re

# The WhiteSpace and LineTerminator productions; `str.strip` alone knows more characters and lacks
# the byte order mark.
BLANKS = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_BLANK_RUN = re.compile(f"[{BLANKS}]+")
_FIRST_ASTRAL = 0x10000


def trim(text: str) -> str:
    """
    Drop blanks at both ends.
    """
    return text.strip(BLANKS)


def words(text: str) -> list[str]:
    """
    Split at runs of blanks.
    """
    return [word for word in _BLANK_RUN.split(text) if word]


def cut(text: str, units: int) -> str:
    """
    Return the longest beginning of at most `units` UTF-16 units that splits no character.
    """
    used = 0
    for index, char in enumerate(text):
        used += 1 if ord(char) < _FIRST_ASTRAL else 2
        if used > units:
            return text[:index]
    return text
