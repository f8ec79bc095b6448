"""
Planted faults: each wrong reference breaks the clauses that it names, and nothing unrelated.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from zlib import crc32

import faults
import pytest
import yaml
from faults import FAULTS
from faults.power import contracts, in_memory, look_at, scenarios
from faults.redundancy import kept, outdated, unmissed, unproven

from dsh_conformance.adapter.connection import Connection
from dsh_conformance.run.summary import CONFORMANT, NON_CONFORMANT, UNVERIFIED
from dsh_conformance.scenario.player import play

# All pairs of fault and case take minutes; a run plays every case that checks a clause of the fault
# and one in so many of the others, and `DSH_EVERY_CASE=1` plays them all.
ONE_IN = 1 if os.environ.get("DSH_EVERY_CASE") else 3
FOLDER = Path(faults.__file__).parent
REACH = yaml.safe_load((FOLDER / "reach.yaml").read_text("utf-8"))
# So many clauses may break along without a word on why.
FEW = 10


def listed(kind):
    """
    Return the faults of which the list of far-reaching ones says why.
    """
    return {name for group in REACH[kind] if group["because"] for name in group["faults"]}


HEAVIER = listed("heavier")


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


def level(fault, clause):
    """
    Return a clause's level, as the contract has it.
    """
    return contracts()[fault.edition].clauses[clause].level


def wrongly_graded(fault, broken):
    """
    Return the clauses that fail at a grade which neither the contract nor the fault accounts for.

    A clause without exact words is broken in its effect; one with them is broken in its words alone
    where the fault changes nothing else.
    """
    clauses = contracts()[fault.edition].clauses
    due = {
        clause: {"wrong effect"} if not clauses[clause].text else {"same meaning"}
        for clause in broken
        if fault.wording or not clauses[clause].text
    }
    return {clause: broken[clause] for clause, grades in due.items() if broken[clause] != grades}


def verdicts(fault, seen):
    """
    Return the exit statuses that fit, without and with `--strict`, by the levels of the clauses.
    """
    levels = {level(fault, clause) for clause in fault.clauses}
    sound = {UNVERIFIED if seen.unverified else CONFORMANT}
    if "must" in levels:
        return {NON_CONFORMANT}, {NON_CONFORMANT}
    lenient = {*sound, NON_CONFORMANT} if fault.name in HEAVIER else sound
    return lenient, {NON_CONFORMANT} if "should" in levels else sound


class TestFaults:
    """
    The faults, met by the fixed scenarios alone.
    """

    @pytest.mark.parametrize("fault", FAULTS.values(), ids=list(FAULTS))
    def test_breaks_what_it_names_and_nothing_unrelated(self, fault):
        """
        Its clauses fail, at the right grade and with the right verdict, and nothing unrelated does.
        """
        contract = contracts()[fault.edition]
        seen = look_at(fault, chosen(fault))
        broken = seen.clauses
        graded = set().union(*(broken.get(clause, set()) for clause in fault.clauses))
        lenient, strict = verdicts(fault, seen)

        assert set() == fault.clauses - set(broken)
        assert [] == sorted(clause for clause in broken if not fault.may_break(clause))
        assert {} == wrongly_graded(fault, broken)
        assert fault.wording == ("wrong effect" not in graded)
        assert seen.status(contract, strict=False) in lenient
        assert seen.status(contract, strict=True) in strict

    def test_breaks_a_run_by_its_level(self, command, environment):
        """
        A broken `must` ends a run with 1, a broken `should` with 0, and with 1 when `--strict`.
        """
        heavy = ("run", "todo/empty-content", "--adapter", "faults:accepts_empty_contents")
        light = ("run", "todo/schema-texts", "--adapter", "faults:describes_the_list_otherwise")

        path = os.pathsep.join([environment()["PYTHONPATH"], str(FOLDER.parent)])

        assert NON_CONFORMANT == command(*heavy, PYTHONPATH=path).status
        assert CONFORMANT == command(*light, PYTHONPATH=path).status
        assert NON_CONFORMANT == command(*light, "--strict", PYTHONPATH=path).status

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


class TestReach:
    """
    How far faults reach beyond what they name.
    """

    def test_consequences_are_told_one_by_one(self):
        """
        What may break along stands in the contract, clause by clause; the file names no fault else.
        """
        unknown = [
            (fault.name, clause)
            for fault in FAULTS.values()
            for clause in fault.also
            if clause not in contracts()[fault.edition].clauses or clause in fault.clauses
        ]

        assert [] == unknown

    def test_wide_faults_are_listed_with_a_reason(self):
        """
        Where more than ten clauses may break along, it is said why; no other fault is listed.
        """
        wide = {fault.name for fault in FAULTS.values() if len(fault.also) > FEW}

        assert wide == listed("wide")

    def test_faults_heavier_than_their_names_are_listed_with_a_reason(self):
        """
        A `must` that breaks along with lighter clauses is named by its fault or accounted for.
        """
        heavier = {
            fault.name
            for fault in FAULTS.values()
            if not any(level(fault, clause) == "must" for clause in fault.clauses)
            and any(level(fault, clause) == "must" for clause in fault.also)
        }

        assert heavier == HEAVIER

    def test_words_are_exact_in_the_contract(self):
        """
        A fault of wording names clauses with exact words, and every name in the list is a fault.
        """
        groups = yaml.safe_load((FOLDER / "wording.yaml").read_text("utf-8"))
        names = [name for group in groups for name in group["faults"]]
        bare = [
            (name, clause)
            for name in names
            for clause in FAULTS[name].clauses
            if not contracts()[FAULTS[name].edition].clauses[clause].text
        ]

        assert [] == bare
        assert len(names) == len(set(names))


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

    def test_tells_reasons_that_are_out_of_date(self):
        """
        A reason is out of date as soon as one fault is caught by its scenario alone.
        """
        alone = {"some_fault": {"todo/empty-content": ["todo.content.non-empty"]}}

        assert "todo/empty-content" not in outdated({})
        assert "todo/empty-content" in outdated(alone)

    def test_tells_what_no_fault_turns_red(self):
        """
        A clause of a scenario is unproven until a fault breaks that clause in that scenario.
        """
        pair = (self.CASE, "todo.content.trimmed-first")
        other = {"some_fault": {self.CASE: ["todo.content.unique"]}}
        broken = {"some_fault": {self.CASE: ["todo.content.trimmed-first"]}}

        assert pair in unproven(other)
        assert pair not in unproven(broken)

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
