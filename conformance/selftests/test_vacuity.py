"""
No case is passed by an adapter that does nothing.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
import yaml
from faults.power import contracts, in_memory, scenarios
from faults.vacuous import ADAPTERS, AlwaysSuccess, Echo, Null

from dsh_conformance.adapter.connection import Connection
from dsh_conformance.errors import DshError
from dsh_conformance.generate.machines import MACHINES, Setup, run
from dsh_conformance.generate.search import Budget
from dsh_conformance.scenario.player import play

MEANT = Path(__file__).with_name("vacuity.yaml")
PLUGINS = ("todo", "tasks", "tree")
# One wrong answer is enough; nothing is made of it.
BUDGET = Budget(examples=20, steps=10, findings=1, seconds=None, shrink_seconds=0)


def outcome(case, connection, contract):
    """
    Play a case; an adapter that fails three times in a row passes nothing.
    """
    try:
        return play(case, connection, contract).outcome
    except DshError:
        return "unverified"


@cache
def passed(adapter, edition):
    """
    Return the cases that an adapter passes.
    """
    contract = contracts()[edition]
    found = set()
    with in_memory():
        for plugin in PLUGINS:
            for case in scenarios(edition, plugin):
                connection = Connection(f"faults.vacuous:{adapter.__name__}", edition)
                if outcome(case, connection, contract) == "passed":
                    found.add(case.id)
    return frozenset(found)


@cache
def meant():
    """
    Return the cases that claim an absence, as an adapter that does nothing keeps it.
    """
    return {case for group in yaml.safe_load(MEANT.read_text("utf-8")) for case in group["cases"]}


class TestVacuity:
    """
    Null, echo, always-error, always-success and always-stale adapters.
    """

    @pytest.mark.parametrize("edition", ["2026-08", "0.1.0-rc.8"])
    def test_no_case_is_passed_by_all(self, edition):
        """
        A case that all of them pass claims nothing.
        """
        by_all = frozenset.intersection(*(passed(adapter, edition) for adapter in ADAPTERS))

        assert [] == sorted(by_all)

    @pytest.mark.parametrize("adapter", [Null, Echo, AlwaysSuccess])
    @pytest.mark.parametrize("edition", ["2026-08", "0.1.0-rc.8"])
    def test_what_nothing_passes_is_meant_to_be(self, adapter, edition):
        """
        An adapter that does nothing passes claims of absence alone, and these are listed.
        """
        assert [] == sorted(passed(adapter, edition) - meant())

    def test_the_list_holds_nothing_else(self):
        """
        Each case of the list is passed by one that does nothing.
        """
        found = {
            case
            for adapter in (Null, Echo, AlwaysSuccess)
            for edition in contracts()
            for case in passed(adapter, edition)
        }

        assert [] == sorted(meant() - found)


class TestMachines:
    """
    Generated examples, held against the reference.
    """

    @pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.name)
    @pytest.mark.parametrize("adapter", ADAPTERS)
    def test_no_machine_is_passed(self, adapter, machine):
        """
        A few examples are enough to tell an adapter that does nothing.
        """
        contract = contracts()["2026-08"]
        tested = Connection(f"faults.vacuous:{adapter.__name__}", "2026-08")
        oracle = Connection("dsh_reference.adapter:Adapter", "2026-08")
        with in_memory():
            try:
                ended = run(machine, Setup(contract, tested, oracle, seed=0), BUDGET)[0].outcome
            except DshError:
                ended = "unverified"

        assert "passed" != ended
