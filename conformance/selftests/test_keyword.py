"""
Choosing cases by an expression: `-k`.
"""

import pytest

from dsh_conformance.errors import UsageError
from dsh_conformance.run.keyword import keyword_test

IDS = ("todo/empty-list", "todo/two-active-items", "tasks/list-empty", "tree/status")


class TestFits:
    """
    Which ids fit.
    """

    @pytest.mark.parametrize(
        ("text", "fitting"),
        [
            ("", [0, 1, 2, 3]),
            ("empty", [0, 2]),
            ("EMPTY", [0, 2]),
            ("todo/empty-list", [0]),
            ("not todo", [2, 3]),
            ("not not todo", [0, 1]),
            ("todo and empty", [0]),
            ("todo and not empty", [1]),
            ("tree or todo and empty", [0, 3]),
            ("(tree or todo) and empty", [0]),
            ("not (tree or todo)", [2]),
            ("nothing-of-this", []),
        ],
    )
    def test_expression(self, text, fitting):
        """
        `not` binds closest, then `and`, then `or`; brackets come first, and case does not count.
        """
        fits = keyword_test(text)

        assert fitting == [index for index, ident in enumerate(IDS) if fits(ident)]


class TestMistakes:
    """
    What is no expression.
    """

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("and and", "'and' stands where a word is expected"),
            ("todo or", "the end comes where a word is expected"),
            ("()", "'\\)' stands where"),
            ("(todo", "a bracket is never closed"),
            ("todo)", "'\\)' follows a whole expression"),
            ("todo empty", "'empty' follows a whole expression"),
            ("todo & empty", "'&' belongs to no word"),
        ],
    )
    def test_reason(self, text, reason):
        """
        The message says what stands where it must not.
        """
        with pytest.raises(UsageError, match=reason) as found:
            keyword_test(text)

        assert ("-k", text) == (found.value.where, found.value.value)
