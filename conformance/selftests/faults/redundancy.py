"""
The suite against itself: which scenarios would nobody miss?

One is missed when a fault is caught by it alone, or when a clause is covered by it alone. Of others
the file `kept.yaml` says why they are kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import yaml

from dsh_conformance.scenario.model import Scenario
from faults.power import contracts, scenarios

KEPT = Path(__file__).with_name("kept.yaml")
PLUGINS = ("todo", "tasks", "tree")


def kept() -> dict[str, str]:
    """
    Return the wrong implementation that each scenario is kept for, where nothing else asks for it.
    """
    reasons: dict[str, str] = yaml.safe_load(KEPT.read_text("utf-8"))
    return reasons


def redundant(power: Mapping[str, Mapping[str, object]]) -> list[str]:
    """
    Return the scenarios that nothing misses and for which no reason is given.

    Args:
        power: The scenarios in which each fault is caught.
    """
    return [case for case in unmissed(power) if case not in kept()]


def outdated(power: Mapping[str, Mapping[str, object]]) -> list[str]:
    """
    Return the scenarios for which a reason is given although something misses them.

    Args:
        power: The scenarios in which each fault is caught.
    """
    return sorted(set(kept()) - set(unmissed(power)))


def unmissed(power: Mapping[str, Mapping[str, object]]) -> Iterator[str]:
    """
    Yield the scenarios without which every fault is still caught and every clause covered.
    """
    alone = {next(iter(caught)) for caught in power.values() if len(caught) == 1}
    covers = {(c, case.id) for edition in contracts() for c, case in _covers(edition)}
    count = Counter(clause for clause, _ in covers)
    for case in sorted({case for _, case in covers}):
        clauses = {clause for clause, one in covers if one == case}
        if case not in alone and all(count[clause] > 1 for clause in clauses):
            yield case


def unproven(power: Mapping[str, Mapping[str, Iterable[str]]]) -> list[tuple[str, str]]:
    """
    Return the scenarios, each with a clause of its, in which no fault turns that clause red.

    Args:
        power: The scenarios in which each fault is caught, with the clauses that fail there.
    """
    red = {
        (case, c) for caught in power.values() for case, clauses in caught.items() for c in clauses
    }
    named = {(case.id, clause) for edition in contracts() for clause, case in _covers(edition)}
    return sorted(named - red)


def _covers(edition: str) -> Iterator[tuple[str, Scenario]]:
    for plugin in PLUGINS:
        for case in scenarios(edition, plugin):
            for clause in case.clauses:
                yield clause, case
