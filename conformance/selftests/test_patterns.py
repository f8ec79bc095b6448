"""
Expected against seen: what holds, what differs, and what is bound.
"""

from __future__ import annotations

import pytest

from dsh_conformance.scenario.patterns import ABSENT, Matching


def holds(expected, seen, **more):
    """
    Return whether a pattern holds.
    """
    return Matching(**more).compare(expected, seen)


def differences(expected, seen, **more):
    """
    Return the paths at which they differ.
    """
    matching = Matching(**more)
    matching.compare(expected, seen)
    return [mismatch.path for mismatch in matching.mismatches]


class TestExact:
    """
    A plain value means exactly itself.
    """

    @pytest.mark.parametrize(
        ("expected", "seen"),
        [("a", "a"), (1, 1.0), (True, True), (None, None), ([], []), ({"a": [1]}, {"a": [1]})],
    )
    def test_same(self, expected, seen):
        """
        Equal values are equal.
        """
        assert holds(expected, seen)

    @pytest.mark.parametrize(
        ("expected", "seen"),
        [
            (True, 1),
            (1, True),
            (0, False),
            (None, False),
            (None, ABSENT),
            ("1", 1),
            ([], {}),
            ({}, []),
            ("a", "a "),
            ("é", "e\u0301"),
        ],
    )
    def test_different(self, expected, seen):
        """
        Truth is no number, nothing is not absent, and texts differ by every character.
        """
        assert not holds(expected, seen)

    def test_every_difference(self):
        """
        Every difference is kept, with its path: other, missing, too much.
        """
        expected = {"a": 1, "b": [1, 2], "c": {"d": "x"}}
        seen = {"a": 2, "b": [1, 2, 3], "e": 0}

        assert {("a",), ("b", 2), ("c",), ("e",)} == set(differences(expected, seen))


class TestOperators:
    """
    An operator stands in a value's place.
    """

    @pytest.mark.parametrize(
        ("pattern", "right", "wrong"),
        [
            ({"$matches": "^a+$"}, "aa", "ab"),
            ({"$contains": "b"}, "abc", "ac"),
            ({"$contains": ["a", "c"]}, "abc", "ab"),
            ({"$lacks": ["x", "y"]}, "abc", "aby"),
            ({"$startsWith": "a"}, "ab", "ba"),
            ({"$endsWith": "b"}, "ab", "ba"),
            ({"$oneOf": ["a", {"$startsWith": "b"}]}, "bc", "cb"),
            ({"$has": {"a": 1}}, {"a": 1, "b": 2}, {"a": 2}),
            ({"$includes": [1, {"$size": 2}]}, ["ab", 3, 1], [1, 1]),
            ({"$excludes": [1]}, [2, 3], [2, 1]),
            ({"$size": 2}, [1, 2], [1]),
            ({"$any": True}, None, ABSENT),
            ({"$absent": True}, ABSENT, None),
            ({"$not": {"$contains": "a"}}, "b", "a"),
            ({"$startsWith": "a", "$endsWith": "b"}, "axb", "axc"),
        ],
    )
    def test_holds(self, pattern, right, wrong):
        """
        Each holds for what it names, and for nothing else.
        """
        assert holds(pattern, right)
        assert not holds(pattern, wrong)

    @pytest.mark.parametrize(
        "pattern",
        [
            {"$matches": ""},
            {"$contains": ""},
            {"$lacks": "x"},
            {"$startsWith": ""},
            {"$endsWith": ""},
            {"$includes": [1]},
            {"$excludes": [1]},
            {"$has": {"a": 1}},
            {"$size": 0},
        ],
    )
    @pytest.mark.parametrize("seen", [3, None, ABSENT])
    def test_other_kinds(self, pattern, seen):
        """
        What is of another kind never fits, not even what must be lacking.
        """
        assert not holds(pattern, seen)

    def test_one_element_each(self):
        """
        Two patterns of `$includes` need two elements.
        """
        assert not holds({"$includes": ["a", "a"]}, ["a", "b"])
        assert holds({"$includes": ["a", "a"]}, ["a", "b", "a"])

    def test_absent_field(self):
        """
        A field may have to be absent.
        """
        assert holds({"a": {"$absent": True}}, {})
        assert [("a",)] == differences({"a": {"$absent": True}}, {"a": None})

    def test_path_in_has(self):
        """
        `$has` says which field differs.
        """
        assert [("a", "b")] == differences({"$has": {"a": {"b": 1}}}, {"a": {"b": 2}})


class TestMemory:
    """
    What was remembered is compared with what is seen later.
    """

    def test_same(self):
        """
        `$same` holds for an equal observation.
        """
        assert holds({"$same": "x"}, [1], memory={"x": [1]})
        assert not holds({"$same": "x"}, [1, 2], memory={"x": [1]})

    def test_list(self):
        """
        A list extends one that it begins with.
        """
        assert holds({"$extends": "x"}, [1, 2], memory={"x": [1]})
        assert not holds({"$extends": "x"}, [2, 1], memory={"x": [1]})
        assert not holds({"$extends": "x"}, [], memory={"x": [1]})

    def test_request(self):
        """
        A request extends one with the same system and tools whose messages it begins with.
        """
        before = {"system": ["s"], "tools": [], "messages": [1]}

        assert holds({"$extends": "x"}, {**before, "messages": [1, 2]}, memory={"x": before})
        assert not holds({"$extends": "x"}, {**before, "messages": [2]}, memory={"x": before})
        assert not holds({"$extends": "x"}, {**before, "tools": [1]}, memory={"x": before})

    def test_another_kind(self):
        """
        Anything else extends only its equal.
        """
        assert holds({"$extends": "x"}, "a", memory={"x": "a"})
        assert not holds({"$extends": "x"}, {"a": 1}, memory={"x": [1]})
        assert not holds({"$extends": "x"}, {"messages": []}, memory={"x": ABSENT})


class TestCapture:
    """
    A name in a text binds what stands in its place.
    """

    def captured(self, expected, seen, *names):
        """
        Return what a comparison bound, or None where it does not hold.
        """
        matching = Matching(frozenset(names))
        return matching.found if matching.compare(expected, seen) else None

    def test_word(self):
        """
        A name stands for characters that are not white space.
        """
        assert {"t": "bash-1"} == self.captured("task {t} ok", "task bash-1 ok", "t")
        assert self.captured("task {t} ok", "task b 1 ok", "t") is None
        assert self.captured("task {t}", "task ", "t") is None

    def test_rest(self):
        """
        A rest stands for any text, line ends and nothing included, and can be bound.
        """
        assert {} == self.captured("a{rest}z", "a\n\nz")
        assert {"rest": ""} == self.captured("a{rest}z", "az", "rest")
        assert {"s": "s-1", "rest2": " b\nc"} == self.captured(
            "{s}{rest2}", "s-1 b\nc", "s", "rest2"
        )

    def test_same_name(self):
        """
        A name stands for the same text wherever it stands, in one text or in the next.
        """
        assert {"t": "x"} == self.captured("{t}={t}", "x=x", "t")
        assert self.captured("{t}={t}", "x=y", "t") is None
        assert self.captured(["{t}", "{t}"], ["x", "y"], "t") is None

    def test_names_apart(self):
        """
        Names that differ by a dash or a line below it are two names.
        """
        found = self.captured("{a-b} {a_b} {a__b}", "1 2 3", "a-b", "a_b", "a__b")

        assert {"a-b": "1", "a_b": "2", "a__b": "3"} == found

    def test_special_characters(self):
        """
        The text around a name means itself.
        """
        assert {"t": "x"} == self.captured("(a+) {t}.", "(a+) x.", "t")
        assert self.captured("(a+) {t}.", "(a+) x!", "t") is None

    def test_other_names(self):
        """
        A name that this step does not bind is ordinary text.
        """
        assert {} == self.captured("{t}", "{t}")
        assert self.captured("{t}", "x") is None

    def test_only_what_held(self):
        """
        An alternative that does not hold binds nothing.
        """
        pattern = {"$oneOf": [{"a": "{t}", "b": 2}, {"a": "x{t}", "b": 1}]}

        assert {"t": "y"} == self.captured(pattern, {"a": "xy", "b": 1}, "t")


class TestWording:
    """
    Whether a difference is one of words alone.
    """

    @pytest.mark.parametrize(
        ("expected", "seen", "wording"),
        [
            ({"text": "a"}, {"text": "b"}, True),
            ({"title": {"$contains": "a"}}, {"title": "b"}, True),
            ({"text": "a"}, {"text": None}, False),
            ({"text": "a"}, {}, False),
            ({"text": {"$absent": True}}, {"text": "a"}, False),
            ({"state": "held"}, {"state": "entered"}, False),
            ("held", "entered", False),
        ],
    )
    def test_words(self, expected, seen, wording):
        """
        Only a field that holds words, and does hold some, can differ in words alone.
        """
        matching = Matching()
        matching.compare(expected, seen)

        assert [wording] == [mismatch.wording for mismatch in matching.mismatches]
