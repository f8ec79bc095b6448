"""
A protocol line to data and back.
"""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsh_conformance.adapter.wire import DEPTH_LIMIT, NotJson, decode, encode, nests_deeper

KEYS = st.text(max_size=5)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(), max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


def depth(value):
    """
    Return how deep lists and objects stand inside each other.
    """
    if isinstance(value, dict):
        return 1 + max(map(depth, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(depth, value), default=0)
    return 0


class TestRoundTrip:
    """
    What is written can be read.
    """

    @given(VALUES)
    def test_any_json(self, value):
        """
        Reads what it wrote, one line of ASCII.
        """
        line = encode(value)

        assert line.isascii()
        assert b"\n" not in line
        assert value == decode(line)

    def test_lone_surrogate(self):
        """
        Keeps half a character, which models do send.
        """
        assert "a\ud800b" == decode(encode("a\ud800b"))

    def test_raw_line_separators(self):
        """
        Takes U+2028 raw inside a text.
        """
        assert "\u2028" == decode('"\u2028"'.encode())


class TestRefused:
    """
    What is no message.
    """

    @pytest.mark.parametrize(
        ("line", "why"),
        [
            (b"", "it is empty"),
            (b" \r", "it is empty"),
            (b"hello", "not JSON: Expecting value: line 1 column 1 (char 0)"),
            (b"\xef\xbb\xbf{}", "it begins with a byte order mark"),
            (b'"\xff"', "not UTF-8: invalid start byte at byte 1"),
            (b'"\xed\xa0\x80"', "not UTF-8: invalid continuation byte at byte 1"),
            (b"NaN", "NaN is no JSON number"),
            (b"[-Infinity]", "-Infinity is no JSON number"),
            (b"-1e400", "the number -1e400 is out of range"),
            (b"1" * 310, "a number of more than 309 digits"),
            (b'{"a": 1, "b": 2, "a": 3}', 'the key "a" stands twice in one object'),
            (b"[" * 129 + b"]" * 129, "it nests deeper than 128"),
            (b"[" * 100_000, "it nests deeper than 128"),
            (b"{} {}", "not JSON: Extra data: line 1 column 4 (char 3)"),
            (b'{"a": 1,}', "not JSON: "),
            (b"{'a': 1}", "not JSON: "),
            (b'"\x00"', "not JSON: Invalid control character at"),
        ],
    )
    def test_reading(self, line, why):
        """
        Says why a line is none.
        """
        with pytest.raises(NotJson) as caught:
            decode(line)

        assert str(caught.value).startswith(why)
        assert caught.value.advice

    @pytest.mark.parametrize("value", [float("nan"), {1, 2}, object(), b"x", float("inf")])
    def test_writing(self, value):
        """
        Refuses what JSON does not know.
        """
        with pytest.raises(NotJson):
            encode({"value": value})

    def test_writing_itself(self):
        """
        Refuses a value that holds itself.
        """
        value = []
        value.append(value)

        with pytest.raises(NotJson):
            encode(value)


class TestDepth:
    """
    How deep a value nests.
    """

    @given(VALUES, st.integers(0, 6))
    def test_against_recursion(self, value, limit):
        """
        Agrees with the plain recursive definition.
        """
        assert (depth(value) > limit) == nests_deeper(value, limit)

    def test_at_the_limit(self):
        """
        Takes a value that nests exactly as deep as allowed, however many brackets it has.
        """
        line = b"[" * DEPTH_LIMIT + b"]" * DEPTH_LIMIT

        assert json.loads(line) == decode(line)
        assert [[]] * 1000 == decode(json.dumps([[]] * 1000).encode())
