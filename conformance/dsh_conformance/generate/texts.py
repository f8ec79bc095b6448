"""
Texts that love trouble.
"""

from __future__ import annotations

from hypothesis import strategies as st

# What ECMAScript trims, and what looks like it and stays.
WHITE_SPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
LOOKALIKES = "\x00\x1c\x1d\x1e\x1f\x7f\x85\u180e\u200b\u200d\u2060"

WORDS = ("a", "b", "A", "é", "e\u0301", "ß", "ss", "日本語", "שלום", "x y", "0")

TROUBLE = (
    '"',
    "'",
    "\\",
    '\\"',
    "`code`",
    "<b>&amp;</b>",
    "C:\\new\\table\\u0041",
    "\\\\server\\share",
    "../../etc/passwd",
    "line\nbreak",
    "line\r\nbreak",
    "\ttab",
    "a\u2028b",
    "a\u2029b",
    "\x00\x01\x1f",
    "\x7f\x85",
    "\b\f",
    "\ud800",
    "\udfffx",
    "\U0001f600",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",
    "\U0001f1e9\U0001f1ea",
    "e\u0301\u0323\u0302",
    "\u202eabc\u202c",
    "אבג abc",
    "[ ] 任务  x",
    "、",
    " ← 当前",
    "[status: completed]",
    "(no new output)",
    "null",
    "undefined",
    "__proto__",
    "constructor",
    "%s %d",
    "a" * 130,
    "長" * 121,
    "😀" * 61,
    # Beyond every limit that somebody might think of.
    "b" * 2_001,
    "line\n" * 1_000,
    "長い" * 2_500,
    "\U0001f600" * 3_000,
)

# A brace is left out: in a scenario it may stand for a name.
_LOOSE = st.text(st.characters(exclude_characters="{}$"), max_size=12)
_PADS = st.text(st.sampled_from(WHITE_SPACE), max_size=2)
_NEAR_PADS = st.text(st.sampled_from(WHITE_SPACE + LOOKALIKES), min_size=1, max_size=2)

words = st.sampled_from(WORDS)
trouble = st.sampled_from(TROUBLE)
padded = st.builds(lambda left, word, right: left + word + right, _PADS, words, _PADS)
nearly_padded = st.builds(
    lambda left, word, right: left + word + right, _NEAR_PADS, words, _NEAR_PADS
)
blank = st.text(st.sampled_from(WHITE_SPACE), max_size=3)
anything = st.one_of(words, trouble, padded, nearly_padded, blank, _LOOSE)


def trimmed(text: str) -> str:
    """
    Return a text without the white space around it, as the contract trims.
    """
    return text.strip(WHITE_SPACE)
