"""
What the suite sees of a fault: every scenario of its plugin, played on it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from dsh_conformance.adapter.connection import Connection
from dsh_conformance.contract.catalogue import Contract, load_contracts
from dsh_conformance.errors import DshError
from dsh_conformance.paths import fixtures_root
from dsh_conformance.run.summary import Summary
from dsh_conformance.scenario.loader import load_scenarios
from dsh_conformance.scenario.model import Scenario
from dsh_conformance.scenario.player import play
from dsh_conformance.scenario.results import CaseResult
from faults.kit import Fault

MEMORY = Path("/dev/shm")  # noqa: S108  # Thousands of cases write a state folder each.


@dataclass
class Seen:
    """
    What broke: clauses and grades by scenario, and the scenarios in which nothing was learned.
    """

    red: dict[str, dict[str, str]] = field(default_factory=dict)
    unverified: list[str] = field(default_factory=list)
    results: list[CaseResult] = field(default_factory=list)

    @property
    def clauses(self) -> dict[str, set[str]]:
        """
        The grades at which each clause failed.
        """
        found: dict[str, set[str]] = {}
        for broken in self.red.values():
            for clause, grade in broken.items():
                found.setdefault(clause, set()).add(grade)
        return found

    def status(self, contract: Contract, *, strict: bool) -> int:
        """
        The exit status of a run of these scenarios.
        """
        summary = Summary(contract, strict=strict)
        for result in self.results:
            summary.add(result)
        return summary.exit_status()


@cache
def contracts() -> dict[str, Contract]:
    """
    Return the contract of every edition.
    """
    return load_contracts()


@cache
def scenarios(edition: str, plugin: str) -> tuple[Scenario, ...]:
    """
    Return the scenarios of a plugin that apply to an edition.
    """
    known = {each for contract in contracts().values() for each in contract.clauses}
    loaded = load_scenarios(fixtures_root(), contracts()[edition], known)
    return tuple(s for s in loaded if s.plugin == plugin and s.excluded is None)


def look_at(fault: Fault, cases: Iterable[Scenario]) -> Seen:
    """
    Play scenarios on a fault.
    """
    seen = Seen()
    connection = Connection(f"faults:{fault.name}", fault.edition)
    for case in cases:
        try:
            result = play(case, connection, contracts()[fault.edition])
        except DshError:  # Three crashes in a row; a fault is not one implementation gone wrong.
            connection = Connection(f"faults:{fault.name}", fault.edition)
            seen.unverified.append(case.id)
        else:
            _note(seen, result)
    return seen


def _note(seen: Seen, result: CaseResult) -> None:
    seen.results.append(result)
    if result.outcome == "unverified":
        seen.unverified.append(result.id)
    if result.failures:
        seen.red[result.id] = {each.clause: each.grade for each in result.failures}


@contextmanager
def in_memory() -> Iterator[None]:
    """
    Keep state folders in memory where the system has a place for that.
    """
    before = tempfile.tempdir
    if MEMORY.is_dir():
        tempfile.tempdir = str(MEMORY)
    try:
        yield
    finally:
        tempfile.tempdir = before
