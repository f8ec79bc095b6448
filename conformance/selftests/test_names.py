"""
Names in braces: found, filled in, and their slips.
"""

from __future__ import annotations

import pytest

from dsh_conformance.scenario.names import filled, likely_slip, placeholders


class TestPlaceholders:
    """
    A name in braces begins with a letter.
    """

    @pytest.mark.parametrize(
        ("value", "names"),
        [
            ("task {t1} of {rest}", ["t1", "rest"]),
            (["{a}", {"{b}": "{c}"}], ["a", "b", "c"]),
            ('{"broken', []),
            ("{1} { a } {}", []),
            (3, []),
        ],
    )
    def test_found(self, value, names):
        """
        Names are found anywhere in a value, keys included.
        """
        assert names == list(placeholders(value))


class TestFilled:
    """
    A name gives way to what it stands for.
    """

    def test_text(self):
        """
        Inside a text a name becomes text.
        """
        assert "task 7 of {x}" == filled("task {n} of {x}", {"n": 7})

    def test_alone(self):
        """
        Alone it becomes the very value.
        """
        assert {"a": [7]} == filled({"a": ["{n}"]}, {"n": 7})

    def test_key(self):
        """
        A key stays a text.
        """
        assert {"7": 1} == filled({"{n}": 1}, {"n": 7})

    def test_regular_expression(self):
        """
        Inside `$matches` it stands for itself, whatever it holds.
        """
        assert {"$matches": r"^a\.b\+ [a-z]{2}$"} == filled(
            {"$matches": "^{id} [a-z]{2}$"}, {"id": "a.b+"}
        )

    def test_not_twice(self):
        """
        What a name stands for is not searched for names again.
        """
        assert "{b} 1" == filled("{a} {b}", {"a": "{b}", "b": 1})


class TestSlips:
    """
    Only a near miss of a known name is a mistake: braces are ordinary text otherwise.
    """

    @pytest.mark.parametrize(
        ("name", "meant"),
        [("tsk1", "task1"), ("goal", None), ("rest2", None), ("t2", None), ("task1", None)],
    )
    def test_near(self, name, meant):
        """
        Long names that are nearly another are slips.
        """
        assert meant == likely_slip(name, {"task1", "t1"})
