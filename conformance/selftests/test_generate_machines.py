"""
The machines: what they draw can be played, the reference keeps their laws, and bugs are found.
"""

import importlib
import itertools
import logging
import sys

import pytest
from faults import FAULTS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dsh_conformance.adapter.connection import Connection
from dsh_conformance.contract.catalogue import load_contract, load_contracts
from dsh_conformance.contract.schema_check import fits
from dsh_conformance.generate.machines import MACHINES, Setup, search
from dsh_conformance.generate.profiles import MACHINE_CASES, ORACLE
from dsh_conformance.generate.program import tidied
from dsh_conformance.generate.search import Budget
from dsh_conformance.generate.stage import Scope
from dsh_reference.tree.model import LastIds

EDITION = "2026-08"
CAPABILITIES = frozenset(
    {"todo", "todo.projection", "todo.present", "tasks", "tasks.dispose", "tree", "tree.fold"}
    | {
        "tree.commands",
        "tree.pause",
        "tree.autocontinue",
        "tree.state",
        "log",
        "surface",
        "request",
    }
)
BY_NAME = {machine.name: machine for machine in MACHINES}
FEW = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(autouse=True)
def quiet():
    """
    Keep the reference's warnings about broken producers to itself.
    """
    logging.getLogger("dsh_reference").setLevel(logging.CRITICAL)


def found(name, adapter, *, oracle=ORACLE, examples=600, findings=1, edition=EDITION, seed=0):
    """
    Run a machine against an adapter and return the outcome.
    """
    contract = load_contract(edition)
    held = None if oracle is None else Connection(oracle, edition)
    setup = Setup(contract, Connection(adapter, edition), held, seed)
    return search(BY_NAME[name], setup, Budget(examples, 20, findings, None, 60.0))


class TestMachines:
    """
    The table of machines.
    """

    def test_cases_are_named(self):
        """
        Every machine's case stands in the table that needs no Hypothesis, newest first.
        """
        assert list(MACHINE_CASES) == [machine.case for machine in MACHINES]
        assert list(MACHINE_CASES.values()) == [machine.plugin for machine in MACHINES]

    @pytest.mark.parametrize("machine", MACHINES, ids=lambda one: one.name)
    def test_clauses_exist(self, machine):
        """
        Every clause that a machine may blame stands in some edition of the contract.
        """
        known = {name for one in load_contracts().values() for name in one.clauses}

        assert set() == set(machine.clauses) - known

    @pytest.mark.parametrize("machine", MACHINES, ids=lambda one: one.name)
    def test_draws_steps(self, machine):
        """
        What a machine draws are steps as scenarios have them, each name bound before it is used.
        """

        @FEW
        @given(machine.programs(Scope(EDITION, CAPABILITIES)))
        def look(program):
            for step in program.steps:
                assert fits(step, "scenario", f"step-{next(iter(step))}"), step

            assert program.steps == tidied(program.steps)

        look()

    @pytest.mark.parametrize("machine", MACHINES, ids=lambda one: one.name)
    def test_asks_only_what_is_declared(self, machine):
        """
        A machine asks nothing that needs a capability which is not declared.
        """
        looks = {"log": "log", "surface": "surface", "request": "request", "append": "log"}

        @FEW
        @given(machine.programs(Scope(EDITION, machine.needs)))
        def look(program):
            used = {looks[verb] for step in program.steps if (verb := next(iter(step))) in looks}

            assert used <= machine.needs

        look()


class TestReference:
    """
    The reference under its own machines.
    """

    @pytest.mark.parametrize("edition", ["2026-08", "0.1.0-rc.8"])
    @pytest.mark.parametrize("name", BY_NAME)
    def test_breaks_no_law(self, name, edition):
        """
        The reference breaks no law, and its answers do not depend on who asks first.
        """
        if edition != EDITION and BY_NAME[name].plugin == "tree":
            return
        outcome = found(name, ORACLE, examples=60, edition=edition, seed=11)

        assert [] == outcome.findings
        assert 60 == outcome.examples


class TestIds:
    """
    Ids are free in form, and only within a session each its own.
    """

    @pytest.mark.parametrize("oracle", [f"{sys.executable} -m dsh_reference", None])
    @pytest.mark.parametrize("form", ["{level.prefix}-{number:x}-{number}", "N{number}"])
    def test_other_ids_are_no_difference(self, form, oracle, monkeypatch):
        """
        An implementation whose ids are unlike the oracle's agrees with it, and with the laws.
        """
        numbers = itertools.count(1)
        monkeypatch.setattr(
            LastIds,
            "following",
            lambda _, level, count: [
                form.format(level=level, number=next(numbers)) for _ in range(count)
            ],
        )
        held = None if oracle is None else Connection(oracle, EDITION)
        setup = Setup(load_contract(EDITION), Connection(ORACLE, EDITION), held, 17)
        outcome = search(BY_NAME["tree"], setup, Budget(120, 20, 1, None, 60.0))

        assert [] == outcome.findings
        assert 100 < outcome.examples

    def test_sessions_may_count_alike(self):
        """
        Laws keep the nodes of two sessions apart though they have the same ids.
        """
        setup = Setup(load_contract(EDITION), Connection(ORACLE, EDITION), None, 17)
        outcome = search(BY_NAME["tree"], setup, Budget(400, 20, 1, None, 60.0))

        assert [] == outcome.findings


class TestPower:
    """
    Planted faults that a machine finds, and how small it makes what it finds.
    """

    @pytest.mark.parametrize(
        ("name", "fault", "steps"),
        [
            ("todo", "appends_the_event_twice", 3),
            ("todo", "pending_and_completed_change_places", 2),
            ("todo", "trims_information_separators", 2),
            ("tasks", "everyone_uses_every_task", 4),
            ("tasks", "an_empty_list_has_other_words", 2),
            ("tasks", "reads_all_from_the_beginning", 7),
            ("tree", "refusals_are_errors", 4),
            ("tree", "a_new_goal_has_other_words", 4),
        ],
    )
    def test_finds(self, name, fault, steps):
        """
        A fault is found, blamed on a clause of its, and shown by a short script.
        """
        outcome = found(name, f"faults:{fault}")

        assert 1 == len(outcome.findings)
        finding = outcome.findings[0]

        assert FAULTS[fault].concerns(finding.clause), finding.clause
        assert len(finding.program.steps) <= steps, finding.program.steps

    @pytest.mark.parametrize(
        ("name", "fault", "clause"),
        [
            ("todo", "appends_the_event_twice", "todo.write.one-event"),
            ("tasks", "everyone_uses_every_task", "tasks.access.fence"),
        ],
    )
    def test_laws_need_no_oracle(self, name, fault, clause):
        """
        A broken law is found without any other implementation.
        """
        finding = found(name, f"faults:{fault}", oracle=None).findings[0]

        assert clause == finding.clause
        assert finding.law

    def test_no_step_can_be_spared(self):
        """
        Leaving any step out of a shrunken script hides the bug.
        """
        fault = "faults:reads_all_from_the_beginning"
        outcome = found("tasks", fault)
        steps = outcome.findings[0].program.steps
        contract = load_contract(EDITION)
        trial = importlib.import_module("dsh_conformance.generate.trial")
        side = importlib.import_module("dsh_conformance.generate.side").Side
        bench = trial.Bench(
            BY_NAME["tasks"],
            contract,
            side(Connection(fault, EDITION), contract.edition),
            side(Connection(ORACLE, EDITION), contract.edition),
        )
        shorter = [
            bench.trial(
                outcome.findings[0].program.with_steps(tidied((*steps[:at], *steps[at + 1 :])))
            )
            for at in range(len(steps))
        ]

        assert [None] * len(steps) == shorter

    def test_reports_a_bug_once(self):
        """
        What is reported is passed over from then on: no two findings are the same bug.
        """
        outcome = found("todo", "faults:appends_the_event_twice", findings=4, examples=150)
        identities = [finding.identity for finding in outcome.findings]

        assert len(set(identities)) == len(identities)

    def test_same_seed_same_finding(self):
        """
        A seed leads to the same finding again.
        """
        one, two = (found("todo", "faults:appends_the_event_twice", seed=7) for _ in range(2))

        assert one.examples == two.examples
        assert one.findings[0].program == two.findings[0].program


class TestTexts:
    """
    Texts that love trouble.
    """

    def test_hold_every_kind_of_trouble(self):
        """
        White space of every sort, lone surrogates, controls and right-to-left marks are drawn.
        """
        texts = importlib.import_module("dsh_conformance.generate.texts")

        assert {" ", "\t", "\ufeff", "\u2028", "\u3000", "\u00a0"} <= set(texts.WHITE_SPACE)
        assert "\ud800" in texts.TROUBLE
        assert "\x00\x01\x1f" in texts.TROUBLE
        assert any("\u202e" in text for text in texts.TROUBLE)
        assert "C:\\new\\table\\u0041" in texts.TROUBLE

    @given(st.data())
    @settings(max_examples=100)
    def test_trims_as_the_contract(self, data):
        """
        What is trimmed never begins or ends with white space of the contract's.
        """
        texts = importlib.import_module("dsh_conformance.generate.texts")
        text = texts.trimmed(data.draw(texts.anything))

        assert not text or not (set(text[0] + text[-1]) & set(texts.WHITE_SPACE))
