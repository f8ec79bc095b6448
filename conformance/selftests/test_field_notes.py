"""
The field notes: every clause that they name is one.
"""

import re
from pathlib import Path

import pytest

from dsh_conformance.contract.catalogue import load_contracts

PAGE = Path(__file__).parents[2] / "docs" / "field-notes.md"
CLAUSE = re.compile(r"`((?:todo|tasks|tree|host)\.[a-z0-9.-]+)`")
ROW = re.compile(r"^\| (?!what happens|---)(.+) \| (.+) \|$", re.MULTILINE)
LEAST_ROWS = 55


@pytest.fixture(scope="module")
def text():
    """
    The page.
    """
    return PAGE.read_text("utf-8")


class TestFieldNotes:
    """
    Each deviation is tied to the clauses that it breaks.
    """

    def test_every_clause_exists(self, text):
        """
        Each clause id on the page is a clause of some edition.
        """
        known = {name for contract in load_contracts().values() for name in contract.clauses}

        assert set() == set(CLAUSE.findall(text)) - known

    def test_every_row_names_clauses_and_nothing_else(self, text):
        """
        The right column of each table is made of clause ids.
        """
        rows = ROW.findall(text)

        assert len(rows) >= LEAST_ROWS
        assert [] == [last for _, last in rows if CLAUSE.sub("", last).strip(" ,")]

    def test_every_deviation_can_be_met_in_a_run(self, text):
        """
        Of each row at least one clause is played by cases, but for a few that say why not.
        """
        clauses = {}
        for contract in load_contracts().values():
            clauses.update(contract.clauses)
        unplayed = [
            what
            for what, last in ROW.findall(text)
            if all(clauses[name].untestable for name in CLAUSE.findall(last))
        ]

        assert 2 >= len(unplayed), unplayed
