"""
Which clause is covered by which cases, and broken by which planted faults.

The faults are part of the checkout, not of the installed package: they are wrong references, kept
beside the tests of the suite.
"""

from __future__ import annotations

import importlib
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dsh_conformance.contract.catalogue import Contract, load_contracts
from dsh_conformance.contract.clauses import Clause
from dsh_conformance.paths import CHECKOUT, fixtures_root
from dsh_conformance.scenario.loader import load_scenarios
from dsh_conformance.scenario.model import Scenario

SELFTESTS = CHECKOUT / "conformance" / "selftests"

Names = tuple[str, ...]


@dataclass(frozen=True)
class Row:
    """
    One clause with the names of its cases and faults.
    """

    clause: Clause
    cases: Names
    faults: Names

    @property
    def gaps(self) -> Names:
        """
        What is missing: nothing, of a clause that cannot be tested.
        """
        if self.clause.untestable:
            return ()
        held = {"a case": self.cases, "a planted fault": self.faults}
        return tuple(what for what, names in held.items() if not names)


@dataclass(frozen=True)
class Table:
    """
    The coverage of one edition; `faults_known` says whether faults could be looked for.
    """

    edition: str
    rows: tuple[Row, ...]
    without_clause: Names
    faults_known: bool

    def gaps(self) -> Iterator[str]:
        """
        Yield a line for each thing that is missing.
        """
        for row in self.rows:
            for what in row.gaps:
                if what == "a case" or self.faults_known:
                    yield f"{self.edition}: {row.clause.id} lacks {what}"
        for case in self.without_clause:
            yield f"{self.edition}: {case} names no clause of this edition"


def tables(editions: Iterable[str] = ()) -> list[Table]:
    """
    Return the coverage of some editions, of all by default.

    Raises:
        UsageError: There is no such edition.
        DataError: A clause or scenario file is wrong.
    """
    contracts = load_contracts()
    known = {clause for contract in contracts.values() for clause in contract.clauses}
    chosen = load_contracts(list(editions)) if editions else contracts
    faults = planted_faults()
    return [
        _table(contract, load_scenarios(fixtures_root(), contract, known), faults)
        for contract in chosen.values()
    ]


def planted_faults() -> Mapping[str, Any] | None:
    """
    Return the planted faults by name, or None where there is no checkout.
    """
    if not (SELFTESTS / "faults").is_dir():
        return None
    if str(SELFTESTS) not in sys.path:
        sys.path.append(str(SELFTESTS))
    faults: Mapping[str, Any] = importlib.import_module("faults").FAULTS
    return faults


def _table(
    contract: Contract, scenarios: list[Scenario], faults: Mapping[str, Any] | None
) -> Table:
    played = [scenario for scenario in scenarios if scenario.excluded is None]
    cases = _by_clause((scenario.id, scenario.clauses) for scenario in played)
    broken = _by_clause((name, fault.clauses) for name, fault in (faults or {}).items())
    rows = [
        Row(clause, tuple(cases[clause.id]), tuple(broken[clause.id]))
        for clause in contract.clauses.values()
    ]
    covered = set(contract.clauses)
    return Table(
        edition=contract.edition.name,
        rows=tuple(rows),
        without_clause=tuple(s.id for s in played if not covered & set(s.clauses)),
        faults_known=faults is not None,
    )


def _by_clause(named: Iterable[tuple[str, Iterable[str]]]) -> defaultdict[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for name, clauses in named:
        for clause in clauses:
            found[clause].append(name)
    return found
