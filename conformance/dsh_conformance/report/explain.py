"""
A clause as a page: what it requires, why, where that is written, and which cases check it.
"""

from __future__ import annotations

from collections.abc import Iterator

from dsh_conformance.contract.catalogue import Contract
from dsh_conformance.contract.clauses import Clause
from dsh_conformance.scenario.model import Scenario


def explain(
    clause: Clause, contracts: dict[str, Contract], scenarios: list[Scenario]
) -> Iterator[str]:
    """
    Yield the page's lines.

    Args:
        clause: The clause as the chosen edition has it.
        contracts: The contracts of all editions, by name.
        scenarios: Every scenario.
    """
    yield f"{clause.id}  ({clause.level})"
    yield f"  {clause.statement}"
    for text in clause.text:
        yield from _exact(text)
    yield f"  {clause.provenance}"
    yield f"  needs: {', '.join(sorted(clause.needs))}"
    if clause.aliases:
        yield f"  formerly: {', '.join(clause.aliases)}"
    if clause.untestable is not None:
        yield f"  cannot be tested from outside: {clause.untestable}"
    yield f"  written at {clause.where}"
    yield from _editions(clause, contracts)
    yield from _cases(clause, scenarios)


def _exact(text: str) -> Iterator[str]:
    first, *rest = text.split("\n")
    yield f"    text: {first}"
    for line in rest:
        yield f"          {line}"


def _editions(clause: Clause, contracts: dict[str, Contract]) -> Iterator[str]:
    for name, contract in contracts.items():
        other = contract.clauses.get(clause.id)
        if other is None:
            yield f"  edition {name}: has no such clause"
            continue
        for line in _changes(clause, other):
            yield f"  edition {name}: {line}"


def _changes(clause: Clause, other: Clause) -> Iterator[str]:
    if other.level != clause.level:
        yield f"level {other.level}"
    if other.statement != clause.statement:
        yield other.statement
    if other.text != clause.text:
        yield from (f"text: {text}" for text in other.text)


def _cases(clause: Clause, scenarios: list[Scenario]) -> Iterator[str]:
    cases = [scenario for scenario in scenarios if clause.id in scenario.clauses]
    yield f"  cases: {len(cases)}"
    for scenario in cases:
        yield f"    {scenario.id}: {scenario.claim}"
