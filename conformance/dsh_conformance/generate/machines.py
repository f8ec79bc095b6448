"""
Every machine, newest first, and what it takes to run one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from hypothesis.database import DirectoryBasedExampleDatabase

from dsh_conformance.adapter.connection import Connection
from dsh_conformance.contract.catalogue import Contract
from dsh_conformance.generate.export import Origin
from dsh_conformance.generate.fold import FOLD
from dsh_conformance.generate.machine import Machine
from dsh_conformance.generate.outcome import Context, case_result
from dsh_conformance.generate.search import Budget, Outcome, Search, database_key
from dsh_conformance.generate.side import Side
from dsh_conformance.generate.stage import Scope
from dsh_conformance.generate.tasks import TASKS
from dsh_conformance.generate.todo import TODO
from dsh_conformance.generate.tree import TREE
from dsh_conformance.generate.trial import Bench
from dsh_conformance.scenario.results import CaseResult

MACHINES = (FOLD, TREE, TASKS, TODO)


@dataclass(frozen=True)
class Setup:
    """
    What machines run with.

    Attributes:
        contract: The edition's contract.
        tested: The implementation under test.
        oracle: Who it is held against, or None.
        seed: Where Hypothesis begins.
        database: A folder of examples that failed before, or None.
        folder: Where findings are written, or None.
        known: Whether a broken clause is a known failure of a case.
    """

    contract: Contract
    tested: Connection
    oracle: Connection | None
    seed: int
    database: Path | None = None
    folder: Path | None = None
    known: Callable[[str, str], bool] = lambda _case, _clause: False


def ordered(machines: Sequence[Machine], database: Path | None) -> list[Machine]:
    """
    Return machines in the order to run them: those that failed before, then the newest.
    """
    if database is None:
        return list(machines)
    kept = DirectoryBasedExampleDatabase(database)
    failed = {one.name for one in machines if any(kept.fetch(database_key(one)))}
    return sorted(machines, key=lambda one: one.name not in failed)


def missing(machine: Machine, setup: Setup) -> str | None:
    """
    Say why a machine cannot be asked of this implementation, or None.
    """
    lacking = machine.needs - setup.tested.info.capabilities
    return f"needs {', '.join(sorted(lacking))}, not declared" if lacking else None


def search(machine: Machine, setup: Setup, budget: Budget) -> Outcome:
    """
    Run a machine within a budget.

    Raises:
        AdapterNeverUp: The implementation is gone for good.
    """
    edition = setup.contract.edition
    tested = Side(setup.tested, edition)
    oracle = None if setup.oracle is None else Side(setup.oracle, edition)
    info = setup.tested.info
    scope = Scope(edition.name, info.capabilities, virtual=info.clock == "virtual")
    bench = Bench(machine, setup.contract, tested, oracle)
    try:
        return Search(
            bench,
            scope,
            budget=budget,
            seed=setup.seed,
            database=setup.database,
            known=partial(setup.known, machine.case),
        ).run()
    finally:
        tested.close()
        if oracle is not None:
            oracle.close()


def run(machine: Machine, setup: Setup, budget: Budget) -> tuple[CaseResult, Outcome]:
    """
    Run a machine and say what came of it.

    Raises:
        AdapterNeverUp: The implementation is gone for good.
    """
    reason = missing(machine, setup)
    if reason is not None:
        known = tuple(name for name in machine.clauses if name in setup.contract.clauses)
        return CaseResult(machine.case, "not applicable", known, reason=reason), Outcome()
    found = search(machine, setup, budget)
    oracle = None if setup.oracle is None else setup.oracle.adapter
    origin = Origin(machine.name, setup.seed, setup.contract.edition.name, oracle)
    context = Context(setup.contract, origin, setup.folder, setup.tested)
    return case_result(machine, found, context), found
