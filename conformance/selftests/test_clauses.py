"""
Clause files: how they are read, and what is wrong with a wrong one.
"""

from __future__ import annotations

import pytest

from dsh_conformance.contract.clauses import read_clauses
from dsh_conformance.errors import DataError, UsageError

GOOD = """\
plugin: todo
clauses:
  - id: todo.one
    statement: One holds.
    text: [exact]
    provenance: {stated: {document: tool-todo, section: Scope}}
  - id: todo.two
    statement: Two holds.
    needs: [todo, log]
    provenance: {observed: {package: a, version: '1'}, decided: {record: 4}}
    aliases: [todo.former]
    untestable: It cannot be seen.
"""


def read(folder, text):
    """
    Read a clause file.
    """
    path = folder / "todo.yaml"
    path.write_text(text, "utf-8")
    return read_clauses(path)


class TestReading:
    """
    A clause is what its entry says, with defaults.
    """

    def test_stated(self, tmp_path):
        """
        A clause that a document states is a must and needs its plugin.
        """
        clause = read(tmp_path, GOOD)["todo.one"]

        assert ("must", frozenset({"todo"}), ("exact",)) == (
            clause.level,
            clause.needs,
            clause.text,
        )
        assert "stated in tool-todo, section “Scope”" == str(clause.provenance)
        assert clause.where.endswith("todo.yaml:3:9")

    def test_observed(self, tmp_path):
        """
        An observed clause is a should; a decision that settles it is named beside it.
        """
        clause = read(tmp_path, GOOD)["todo.two"]

        assert ("should", 4) == (clause.level, clause.provenance.record)
        assert "observed in a 1" == str(clause.provenance)
        assert "It cannot be seen." == clause.untestable


class TestMistakes:
    """
    A wrong clause file is one message with its place.
    """

    @pytest.mark.parametrize(
        ("right", "wrong", "where", "what", "hint"),
        [
            ("- id: todo.one", "- idd: todo.one", "3:5", "unknown key 'idd'", "'id'"),
            ("section: Scope", "sction: Scope", "6:48", "unknown key 'sction'", "'section'"),
            ("tool-todo", "tool-tdo", "6:37", "expected one of tool-todo", "'tool-todo'"),
            ("todo.two", "todo.one", "7:9", "the clause id 'todo.one' stands twice", "3:9"),
            ("todo.two", "Todo", "7:9", "not of the form", "docs/"),
            ("One holds.", "", "4:15", "expected text, found nothing", "docs/"),
            ("[todo, log]", "[todo, lgo]", "9:19", "expected one of todo", "'log'"),
            ("[todo, log]", "[]", "9:12", "this must not be empty", "docs/"),
            ("plugin: todo", "plugin: tod", "1:9", "expected one of todo", "'todo'"),
        ],
    )
    def test_slip(self, tmp_path, right, wrong, where, what, hint):
        """
        The place, what is wrong there, and what was probably meant.
        """
        with pytest.raises(DataError) as caught:
            read(tmp_path, GOOD.replace(right, wrong, 1))

        assert caught.value.where.endswith(f"todo.yaml:{where}")
        assert caught.value.what.startswith(what)
        assert hint in caught.value.hint

    @pytest.mark.parametrize("text", ["", "[]", "x", "plugin: todo\nclauses: []\n"])
    def test_shape(self, tmp_path, text):
        """
        A file of another shape is refused.
        """
        with pytest.raises(DataError) as caught:
            read(tmp_path, text)

        assert "todo.yaml:" in caught.value.where

    def test_missing(self, tmp_path):
        """
        A missing clause file is named.
        """
        with pytest.raises(DataError, match="no such file"):
            read_clauses(tmp_path / "todo.yaml")


class TestLookUp:
    """
    A contract finds a clause by its id or a former one.
    """

    def test_former(self, contract):
        """
        Every former id finds the clause of today.
        """
        for former, current in contract.aliases.items():
            assert contract.clauses[current] is contract.clause(former, "CLAUSE")

    def test_unknown(self, contract):
        """
        An unknown id suggests the nearest one.
        """
        with pytest.raises(UsageError) as caught:
            contract.clause("todo.content.uniqe", "CLAUSE")

        assert "did you mean 'todo.content.unique'?" == caught.value.hint
        assert "todo.content.uniqe" == caught.value.value
