"""
The coverage gate: every testable clause has a case and a planted fault, every case a clause.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from dsh_conformance.contract.catalogue import load_contract
from dsh_conformance.report.coverage import lines, page
from dsh_conformance.run.coverage import Row, Table, tables

PAGE = Path(__file__).resolve().parents[2] / "docs" / "coverage.md"


@pytest.fixture(scope="module")
def found():
    """
    The coverage of all editions.
    """
    return tables()


class TestGate:
    """
    The contract, the cases and the faults as they are.
    """

    def test_nothing_is_missing(self, found):
        """
        No edition has a gap.
        """
        assert [] == [gap for table in found for gap in table.gaps()]

    def test_faults_are_looked_for(self, found):
        """
        In a checkout the faults are there, so a clause without one is told.
        """
        assert all(table.faults_known for table in found)

    def test_untestable_clauses_say_why(self, found):
        """
        A clause without cases has a reason.
        """
        bare = [row.clause.untestable for table in found for row in table.rows if not row.cases]

        assert all(bare)

    def test_no_case_checks_what_cannot_be_tested(self, found):
        """
        A clause that a case checks is not called untestable.
        """
        both = [
            row.clause.id for t in found for row in t.rows if row.clause.untestable and row.cases
        ]

        assert [] == both

    def test_page_is_current(self, found):
        """
        `dsh-conformance coverage --page > docs/coverage.md` changes nothing.
        """
        assert page(found) == PAGE.read_text("utf-8")


class TestTable:
    """
    What is told of a gap.
    """

    def table(self, *, cases=(), faults=(), faults_known=True, clause="todo.content.unique"):
        """
        Return a table of one clause.
        """
        row = Row(load_contract().clauses[clause], cases, faults)
        return Table("2026-08", (row,), ("todo/stray",), faults_known)

    def test_names_what_a_clause_lacks(self):
        """
        A clause without case or fault is named with both.
        """
        assert [
            "2026-08: todo.content.unique lacks a case",
            "2026-08: todo.content.unique lacks a planted fault",
            "2026-08: todo/stray names no clause of this edition",
        ] == list(self.table().gaps())

    def test_asks_for_no_faults_outside_a_checkout(self):
        """
        Where faults cannot be looked for, none is missed.
        """
        table = self.table(cases=("todo/x",), faults_known=False)

        assert ["2026-08: todo/stray names no clause of this edition"] == list(table.gaps())

    def test_an_untestable_clause_lacks_nothing(self):
        """
        It is told with its reason instead.
        """
        table = self.table(clause="todo.write.detached")

        assert 1 == len(list(table.gaps()))
        assert next(lines([table])).startswith("todo.write.detached  cannot be tested: ")


class TestCommand:
    """
    `dsh-conformance coverage`.
    """

    def test_tells_each_clause_and_the_sum(self, command):
        """
        A line a clause, then a line an edition; nothing missing is status 0.
        """
        ran = command("coverage", "--edition", "2026-08")

        assert 0 == ran.status, ran.err
        assert ran.lines[-1].endswith("; 0 gaps")
        assert any(line.startswith("todo.content.unique  ") for line in ran.lines)
