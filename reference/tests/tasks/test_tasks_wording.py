"""
Values as they read in refusals.
"""

from __future__ import annotations

import math

import pytest

from dsh_reference.tasks.wording import json_text, plain_text


class TestNumbers:
    """
    Numbers, which the wire does not all carry.
    """

    @pytest.mark.parametrize(
        ("number", "text"),
        [
            (0.0, "0"),
            (-0.0, "0"),
            (5e-324, "5e-324"),
            (1.7976931348623157e308, "1.7976931348623157e+308"),
            (999999999999999900000.0, "999999999999999900000"),
            (0.000001, "0.000001"),
        ],
    )
    def test_has_the_fewest_digits(self, number, text):
        """
        A double is written with the fewest digits that tell it apart.
        """
        assert text == plain_text(number)
        assert text == json_text(number)

    @pytest.mark.parametrize(
        ("number", "text"),
        [(math.nan, "NaN"), (-math.inf, "-Infinity"), (10**400, "Infinity")],
    )
    def test_is_null_in_json_beyond_all_doubles(self, number, text):
        """
        What JSON has no number for is null there, and named in a template.
        """
        assert text == plain_text(number)
        assert "null" == json_text(number)
