"""
Planted faults: each wrong reference breaks the clauses that it names, and nothing unrelated.
"""

from __future__ import annotations

import os
import sys
from zlib import crc32

import pytest
from faults import FAULTS
from faults.power import contracts, in_memory, look_at, scenarios
from faults.redundancy import kept, unmissed

from dsh_conformance.adapter.connection import Connection
from dsh_conformance.scenario.player import play

# All pairs of fault and case take minutes; a run plays every case that checks a clause of the fault
# and one in so many of the others, and `DSH_EVERY_CASE=1` plays them all.
ONE_IN = 1 if os.environ.get("DSH_EVERY_CASE") else 3


@pytest.fixture(autouse=True)
def _state_in_memory():
    with in_memory():
        yield


def chosen(fault):
    """
    Return the cases that are played on a fault, always the same ones.
    """
    return [
        case
        for case in scenarios(fault.edition, fault.plugin)
        if fault.clauses & set(case.clauses)
        or not crc32(f"{fault.name} {case.id}".encode()) % ONE_IN
    ]


class TestFaults:
    """
    The faults, met by the fixed scenarios alone.
    """

    @pytest.mark.parametrize("fault", FAULTS.values(), ids=list(FAULTS))
    def test_breaks_what_it_names_and_nothing_unrelated(self, fault):
        """
        Its clauses fail, at its grade, and of the others only those that rest on them.
        """
        broken = look_at(fault, chosen(fault)).clauses
        grades = set().union(*(broken.get(clause, set()) for clause in fault.clauses))

        assert set() == fault.clauses - set(broken)
        assert [] == sorted(clause for clause in broken if not fault.may_break(clause))
        assert fault.grade is None or {fault.grade} == grades

    def test_names_only_clauses_of_its_edition(self):
        """
        Every clause that a fault names stands in the contract, and can be tested.
        """
        unknown = [
            (fault.name, clause)
            for fault in FAULTS.values()
            for clause in fault.clauses
            if (found := contracts()[fault.edition].clauses.get(clause)) is None or found.untestable
        ]

        assert [] == unknown


class TestAdapters:
    """
    A fault as an adapter for others.
    """

    CASE = "todo/duplicate-content"

    def outcomes(self, *adapters):
        """
        Play one case on several adapters and return how it ended.
        """
        case = next(each for each in scenarios("2026-08", "todo") if each.id == self.CASE)
        ended = []
        for adapter in adapters:
            connection = Connection(adapter, "2026-08")
            ended.append(play(case, connection, contracts()["2026-08"]).outcome)
            connection.close()
        return ended

    def test_in_process_the_sound_reference_stays_sound(self):
        """
        A fault is there for its own adapter alone.
        """
        sound = "dsh_reference.adapter:Adapter"

        assert ["passed", "failed", "passed"] == self.outcomes(
            sound, "faults:accepts_duplicates", sound
        )

    def test_over_stdio(self, environment, monkeypatch):
        """
        `python -m faults NAME` serves the faulty reference.
        """
        for name, value in environment().items():
            monkeypatch.setenv(name, value)
        folder = os.path.dirname(__file__)  # noqa: PTH120  # As a search path wants it.
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join([folder, os.environ["PYTHONPATH"]]))

        assert ["failed"] == self.outcomes(f"{sys.executable} -m faults accepts_duplicates")


class TestRedundancy:
    """
    Which scenarios nobody would miss.
    """

    CASE = "todo/duplicate-after-trim"

    def test_misses_the_only_case_of_a_clause(self):
        """
        A scenario that alone covers a clause is missed although no fault needs it.
        """
        assert "todo/omitted-item-is-gone" not in list(unmissed({}))

    def test_misses_the_only_case_that_catches_a_fault(self):
        """
        A scenario is missed as soon as one fault is caught by it alone.
        """
        alone = {"some_fault": {self.CASE: ["todo.content.unique"]}}
        two = {"some_fault": {self.CASE: [], "todo/duplicate-content": []}}

        assert self.CASE in list(unmissed({}))
        assert self.CASE in list(unmissed(two))
        assert self.CASE not in list(unmissed(alone))

    def test_reasons_are_for_cases_that_are_there(self):
        """
        A reason outlives no scenario.
        """
        there = {
            case.id
            for plugin in ("todo", "tasks", "tree")
            for edition in contracts()
            for case in scenarios(edition, plugin)
        }

        assert [] == sorted(set(kept()) - there)
        assert all(kept().values())
