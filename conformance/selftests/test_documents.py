"""
YAML with places: what is read, what is refused, and where the message points.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from dsh_conformance.contract.documents import parse_document, read_document
from dsh_conformance.contract.plain_yaml import DEPTH_LIMIT
from dsh_conformance.errors import DataError

PATH = Path("a/file.yaml")


def parsed(text):
    """
    Return the data of a text.
    """
    return parse_document(PATH, text).data


def refusal(text):
    """
    Return the error about a text.
    """
    with pytest.raises(DataError) as caught:
        parse_document(PATH, text)
    return caught.value


class TestValues:
    """
    Plain data is read as it looks.
    """

    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("a: 1", {"a": 1}),
            ("a: -1.5", {"a": -1.5}),
            ("a: 1.0e+3", {"a": 1000.0}),
            ("a: true", {"a": True}),
            ("a: ~", {"a": None}),
            ("a: '1'", {"a": "1"}),
            ("a: 2026-08-01", {"a": "2026-08-01"}),
            ("[x, [y]]", ["x", ["y"]]),
            ("", None),
            ("\ufeffa: b", {"a": "b"}),
        ],
    )
    def test_plain_data(self, text, value):
        """
        Maps, lists, texts, numbers, true, false and nothing are what they look like.
        """
        assert value == parsed(text)

    @pytest.mark.parametrize(
        "text", ["yes", "On", "True", "017", "0x1F", "1_000", "1:30", ".inf", ".nan", "="]
    )
    def test_surprises(self, text):
        """
        What YAML 1.1 reads as something else than it looks like is refused.
        """
        error = refusal(f"a: {text}")

        assert "a/file.yaml:1:4" == error.where
        assert "quote it" in error.hint


class TestRefused:
    """
    More of YAML than plain data is refused at its place.
    """

    @pytest.mark.parametrize(
        ("text", "where", "what"),
        [
            ("a: 1\nb: &x [2]\nc: *x", "2:4", "anchors and aliases are not allowed here"),
            ("a: &x 1\nb: *x", "1:4", "anchors and aliases are not allowed here"),
            ("a: !thing [1]", "1:4", "the tag '!thing' is not allowed here"),
            ("a: !!python/name:os x", "1:4", "the tag"),
            ("a: 1\na: 2", "2:1", "the key 'a' stands twice"),
            ("? [1]\n: 2", "1:3", "a key must be a text"),
            ("a: 'x", "1:6", "not YAML"),
            ("a: 1\n---\nb: 2", "2:1", "not YAML"),
            ("a: 1\nb:\n  \x07", "3:3", "not YAML"),
        ],
    )
    def test_place(self, text, where, what):
        """
        The message names file, line and column, and what stands there.
        """
        error = refusal(text)

        assert f"a/file.yaml:{where}" == error.where
        assert error.what.startswith(what)
        assert error.hint

    @pytest.mark.parametrize("depth", [DEPTH_LIMIT + 2, 100_000])
    def test_depth(self, depth):
        """
        Endless nesting is refused, however deep.
        """
        error = refusal("[" * depth + "]" * depth)

        assert "nest" in error.what

    def test_expansion(self):
        """
        A short file cannot unfold into a long one.
        """
        bomb = "a: &a [x, x]\n" + "\n".join(
            f"{name}: &{name} [*{before}, *{before}]"
            for before, name in zip("abcdefgh", "bcdefghi", strict=True)
        )

        assert "aliases" in refusal(bomb).what


class TestFiles:
    """
    A file that cannot be read is one message.
    """

    def test_missing(self, tmp_path):
        """
        A missing file is named.
        """
        with pytest.raises(DataError, match="no such file") as caught:
            read_document(tmp_path / "none.yaml")

        assert str(tmp_path / "none.yaml") == caught.value.where

    def test_folder(self, tmp_path):
        """
        A folder in a file's place cannot be read.
        """
        with pytest.raises(DataError, match="cannot be read: Is a directory"):
            read_document(tmp_path)

    def test_encoding(self, tmp_path):
        """
        A file in another encoding says at which byte.
        """
        path = tmp_path / "latin.yaml"
        path.write_bytes(b"a: \xe4")

        with pytest.raises(DataError, match="not UTF-8 \\(byte 3\\)"):
            read_document(path)

    def test_size(self, tmp_path):
        """
        A huge file is not read at all.
        """
        path = tmp_path / "huge.yaml"
        with path.open("wb") as file:
            file.truncate(1 << 40)

        with pytest.raises(DataError, match="larger than 4 MiB"):
            read_document(path)


class TestPlaces:
    """
    Every value knows where it stands.
    """

    def test_at(self):
        """
        A place inside lists and maps is a line and a column, from 1.
        """
        document = parse_document(PATH, "steps:\n  - agent: a\n  - say: x\n    by: a\n")

        assert "a/file.yaml:4:9" == document.at(("steps", 1, "by"))

    def test_around(self):
        """
        A place that is not there is that of what is around it.
        """
        document = parse_document(PATH, "steps:\n  - agent: a\n")

        assert "a/file.yaml:2:5" == document.at(("steps", 0, "by", 3))
