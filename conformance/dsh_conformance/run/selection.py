"""
Which cases a run plays.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from dsh_conformance.cache import cached
from dsh_conformance.contract.catalogue import Contract, load_contracts
from dsh_conformance.contract.editions import check_edition
from dsh_conformance.contract.schema_check import suggestion
from dsh_conformance.errors import UsageError
from dsh_conformance.generate.profiles import MACHINE_CASES
from dsh_conformance.paths import PACKAGE, fixtures_root, spec_root
from dsh_conformance.run.settings import Settings
from dsh_conformance.run.shards import recorded_seconds, shard
from dsh_conformance.scenario.model import Scenario


@dataclass(frozen=True)
class Cases:
    """
    Everything there is to choose from.

    Attributes:
        contract: The contract of the edition.
        scenarios: Every scenario, in order.
        known: The clause ids of all editions.
    """

    contract: Contract
    scenarios: tuple[Scenario, ...]
    known: frozenset[str]


def load_all(settings: Settings) -> Cases:
    """
    Read the contract and every scenario.

    Raises:
        UsageError: An edition is unknown.
        DataError: A file is wrong.
    """
    check_edition(spec_root(), settings.edition)
    contracts = load_contracts()
    contract = contracts[settings.edition]
    known = {each for one in contracts.values() for each in one.clauses}
    root = settings.fixtures or fixtures_root()
    scenarios = cached(
        "scenarios",
        (settings.edition, *sorted(known)),
        (root, spec_root(), PACKAGE / "contract", PACKAGE / "scenario"),
        lambda: _read(root, contract, known),
    )
    if settings.golden:
        from dsh_conformance.golden.cases import load_golden  # noqa: PLC0415  # Seldom asked for.

        scenarios += load_golden(contract, frozenset(known))
    return Cases(contract, tuple(scenarios), frozenset(known))


def _read(root: Path, contract: Contract, known: set[str]) -> list[Scenario]:
    from dsh_conformance.scenario.loader import load_scenarios  # noqa: PLC0415  # Not from a cache.

    return load_scenarios(root, contract, known)


def load_cases(settings: Settings) -> tuple[Contract, list[Scenario]]:
    """
    Read the contract and the scenarios that the settings choose.

    Raises:
        UsageError: An edition, clause or case is unknown, or nothing is left.
        DataError: A file is wrong.
    """
    cases = load_all(settings)
    return cases.contract, select(settings, cases)


def select(settings: Settings, cases: Cases) -> list[Scenario]:
    """
    Return the scenarios that the settings choose, in order.

    Raises:
        UsageError: A clause or case is unknown, or nothing is left.
    """
    clauses = [_clause(glob, cases) for glob in settings.clauses]
    for glob in settings.cases:
        _known("case", glob, {scenario.id for scenario in cases.scenarios} | set(MACHINE_CASES))
    chosen = [
        scenario
        for scenario in cases.scenarios
        if (not settings.plugins or scenario.plugin in settings.plugins)
        and (not clauses or any(_matches(c, clauses) for c in scenario.clauses))
        and (not settings.cases or _matches(scenario.id, settings.cases))
    ]
    if not chosen and machine_cases(settings, cases.contract):
        return []
    if not chosen:
        raise UsageError(
            "no scenario is left to play",
            "--plugin, --clause, CASE",
            hint="`dsh-conformance list scenarios` shows them all",
        )
    part = shard(chosen, settings.shard, recorded_seconds(settings.durations))
    if not part:
        raise UsageError(
            "nothing is left for this shard",
            "--shard",
            value="/".join(map(str, settings.shard)),
            hint=f"there are {len(chosen)} cases; make no more shards than that",
        )
    return part


def machine_cases(settings: Settings, contract: Contract) -> list[str]:
    """
    Return the cases of generated examples that the settings choose, in order.

    Whoever asks for certain clauses or cases, or for scenarios of their own, gets no machine but
    by its name.
    """
    if settings.generation is None:
        return []
    narrowed = settings.clauses or settings.cases or settings.fixtures
    plugins = {clause.plugin for clause in contract.clauses.values()}
    chosen = [
        case
        for case, plugin in MACHINE_CASES.items()
        if plugin in plugins
        and (not settings.plugins or plugin in settings.plugins)
        and (not narrowed or _matches(case, settings.cases))
    ]
    part, whole = settings.shard
    return chosen[part - 1 :: whole]


def _matches(name: str, globs: tuple[str, ...] | list[str]) -> bool:
    return any(fnmatchcase(name, glob) for glob in globs)


def _clause(glob: str, cases: Cases) -> str:
    found = cases.contract.aliases.get(glob, glob)
    _known("clause", found, cases.known)
    return found


def _known(what: str, glob: str, names: AbstractSet[str]) -> None:
    if not any(fnmatchcase(name, glob) for name in names):
        option = "--clause" if what == "clause" else "CASE"
        raise UsageError(f"unknown {what}", option, value=glob, hint=suggestion(glob, names))
