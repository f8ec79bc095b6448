"""
Which cases a run plays, and what is wrong with a wrong choice.
"""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest

from dsh_conformance.errors import UsageError
from dsh_conformance.run.selection import load_all, select
from dsh_conformance.run.settings import Settings, parse_shard


@pytest.fixture(scope="module")
def cases():
    """
    Everything there is.
    """
    return load_all(Settings())


class TestChoice:
    """
    Options narrow the choice; the order stays.
    """

    def ids(self, everything, **options):
        """
        Return the ids that options choose.
        """
        return [scenario.id for scenario in select(Settings(**options), everything)]

    def test_all(self, cases):
        """
        Without options every scenario is chosen, each once, in order.
        """
        ids = self.ids(cases)

        assert sorted(set(ids)) == sorted(ids)
        assert [one.id for one in cases.scenarios] == ids

    def test_plugin(self, cases):
        """
        Those of plugins.
        """
        ids = self.ids(cases, plugins=("todo", "tree"))

        assert {"todo", "tree"} == {one.partition("/")[0] for one in ids} - {"regressions"}

    def test_clause(self, cases):
        """
        Those of a clause, or of a glob of clauses.
        """
        one = self.ids(cases, clauses=("todo.content.unique",))
        several = self.ids(cases, clauses=("todo.content.*",))

        assert one
        assert set(one) < set(several)
        for scenario in cases.scenarios:
            fits = any(fnmatchcase(clause, "todo.content.*") for clause in scenario.clauses)
            assert fits == (scenario.id in several)

    def test_case(self, cases):
        """
        Those of an id, or of a glob of ids.
        """
        assert ["todo/empty-list"] == self.ids(cases, cases=("todo/empty-list",))
        assert {"todo"} == {one.partition("/")[0] for one in self.ids(cases, cases=("todo/*",))}

    def test_shards(self, cases):
        """
        Each case is in exactly one shard.
        """
        parts = [self.ids(cases, shard=(number, 7)) for number in range(1, 8)]

        assert sorted(self.ids(cases)) == sorted(one for part in parts for one in part)
        assert all(parts)


class TestMistakes:
    """
    A wrong choice is one message, with the option and what was probably meant.
    """

    @pytest.mark.parametrize(
        ("options", "where", "value", "hint"),
        [
            ({"clauses": ("todo.content.uniqe",)}, "--clause", "todo.content.uniqe", "unique"),
            ({"cases": ("todo/empty-lst",)}, "CASE", "todo/empty-lst", "todo/empty-list"),
            ({"shard": (999_999, 999_999)}, "--shard", "999999/999999", "cases"),
        ],
    )
    def test_unknown(self, cases, options, where, value, hint):
        """
        Clauses, cases and shards that are not there.
        """
        with pytest.raises(UsageError) as caught:
            select(Settings(**options), cases)

        assert (where, value) == (caught.value.where, caught.value.value)
        assert hint in caught.value.hint

    def test_nothing_left(self, cases):
        """
        Options that exclude each other leave nothing.
        """
        with pytest.raises(UsageError, match="no scenario is left"):
            select(Settings(plugins=("tree",), clauses=("todo.content.unique",)), cases)

    @pytest.mark.parametrize(
        ("options", "where"),
        [
            ({"plugins": ("tod",)}, "--plugin"),
            ({"call_timeout": 0}, "--call-timeout"),
            ({"call_timeout": float("nan")}, "--call-timeout"),
            ({"call_timeout": float("inf")}, "--call-timeout"),
        ],
    )
    def test_settings(self, options, where):
        """
        Plugins that do not exist, and limits that are none.
        """
        with pytest.raises(UsageError) as caught:
            Settings(**options)

        assert where == caught.value.where
        assert caught.value.hint

    def test_edition(self):
        """
        An unknown edition.
        """
        with pytest.raises(UsageError, match="unknown edition"):
            load_all(Settings(edition="2026-80"))

    @pytest.mark.parametrize("text", ["", "1", "0/3", "4/3", "a/b", "1/0", "-1/3", "1/3/5", "²/3"])
    def test_shard(self, text):
        """
        A shard is i/n, with i from 1 to n.
        """
        with pytest.raises(UsageError, match="not a shard"):
            parse_shard(text)

    def test_right_shard(self):
        """
        A right one is read.
        """
        assert (2, 3) == parse_shard("2/3")
