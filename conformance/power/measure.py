"""
Measures what the machines find: planted faults, examples until found, length of the script.

Prints `docs/power.md`. Run it from the top of the checkout:

    PYTHONPATH=conformance:reference:conformance/selftests python conformance/power/measure.py
"""

from __future__ import annotations

import argparse
import logging
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from faults import FAULTS

from dsh_conformance.adapter.connection import Connection
from dsh_conformance.contract.catalogue import Contract, load_contracts
from dsh_conformance.generate.machine import Machine
from dsh_conformance.generate.machines import MACHINES, Setup, search
from dsh_conformance.generate.profiles import ORACLE, PROFILES
from dsh_conformance.generate.search import Budget, Outcome
from dsh_conformance.paths import fixtures_root
from dsh_conformance.scenario.loader import load_scenarios
from dsh_conformance.scenario.model import Scenario
from dsh_conformance.scenario.player import play

DEFAULT_EACH = 20


@dataclass(frozen=True)
class Row:
    """
    One fault measured.

    Attributes:
        name: The fault.
        plugin: Whose contract it breaks.
        clause: The clause that the machine blamed, or empty.
        examples: Programs until found, or drawn in vain.
        calls: Adapter calls until then.
        steps: Steps of the shrunken script.
        rightly: Whether that is a clause of the fault.
        shortest: Steps of the shortest fixed scenario that fails, or None.
        seconds: How long the search and the shrinking took.
    """

    name: str
    plugin: str
    clause: str
    examples: int
    calls: int
    steps: int
    rightly: bool
    shortest: int | None
    seconds: float

    @property
    def found(self) -> bool:
        """
        Whether a machine found it.
        """
        return bool(self.clause)


class Power:
    """
    Measures faults with one budget.

    Args:
        examples: Programs that all machines of a plugin draw together.
        seed: Where Hypothesis begins.
    """

    def __init__(self, *, examples: int, seed: int) -> None:
        self.examples = examples
        self.seed = seed
        self.contracts = load_contracts()
        self._oracles: dict[str, Connection] = {}
        self._scenarios: dict[str, list[Scenario]] = {}

    def row(self, name: str) -> Row:
        """
        Measure one fault.
        """
        fault = FAULTS[name]
        contract = self.contracts[fault.edition]
        tested = Connection(f"faults:{name}", fault.edition)
        started = time.perf_counter()
        examples = calls = 0
        finding = None
        for machine in _machines(fault.plugin, fault.clauses):
            outcome = self._searched(machine, contract, tested)
            examples += outcome.found_after[0] if outcome.findings else outcome.examples
            calls += outcome.calls
            if outcome.findings:
                finding = outcome.findings[0]
                break
        seconds = time.perf_counter() - started
        return Row(
            name=name,
            plugin=fault.plugin,
            clause=(finding.clause or finding.kind) if finding is not None else "",
            examples=examples,
            calls=calls,
            steps=len(finding.program.steps) if finding is not None else 0,
            rightly=finding is not None and fault.may_break(finding.clause),
            shortest=self.shortest(name),
            seconds=seconds,
        )

    def _searched(self, machine: Machine, contract: Contract, tested: Connection) -> Outcome:
        shape = PROFILES["ci"]
        setup = Setup(contract, tested, self._oracle(contract.edition.name), self.seed)
        budget = Budget(self.examples, shape.steps, 1, None, shape.shrink_seconds)
        return search(machine, setup, budget)

    def _oracle(self, edition: str) -> Connection:
        if edition not in self._oracles:
            self._oracles[edition] = Connection(ORACLE, edition)
        return self._oracles[edition]

    def shortest(self, name: str) -> int | None:
        """
        Return the steps of the shortest fixed scenario that fails on a fault.
        """
        fault = FAULTS[name]
        contract = self.contracts[fault.edition]
        connection = Connection(f"faults:{name}", fault.edition)
        lengths = [
            len(result.script)
            for scenario in self._all(fault.edition)
            if fault.clauses & set(scenario.clauses)
            if (result := play(scenario, connection, contract)).outcome == "failed"
        ]
        return min(lengths, default=None)

    def _all(self, edition: str) -> list[Scenario]:
        if edition not in self._scenarios:
            known = {each for one in self.contracts.values() for each in one.clauses}
            self._scenarios[edition] = load_scenarios(
                fixtures_root(), self.contracts[edition], known
            )
        return self._scenarios[edition]


def _machines(plugin: str, clauses: frozenset[str]) -> Iterator[Machine]:
    """
    Yield the machines of a plugin, the ones that name the fault's clauses first.
    """
    mine = [machine for machine in MACHINES if machine.plugin == plugin]
    yield from sorted(mine, key=lambda one: not clauses & set(one.clauses))


def sample(each: int) -> list[str]:
    """
    Return every n-th fault of each plugin, of those whose clauses a machine speaks of.
    """
    chosen: list[str] = []
    for plugin in ("todo", "tasks", "tree"):
        named = {name for one in MACHINES if one.plugin == plugin for name in one.clauses}
        mine = [
            name
            for name, fault in FAULTS.items()
            if fault.plugin == plugin and fault.clauses & named
        ]
        chosen += mine[:: max(1, len(mine) // each)][:each] if each else mine
    return chosen


def table(rows: Sequence[Row]) -> Iterator[str]:
    """
    Yield the page.
    """
    found = [row for row in rows if row.found]
    short = [row for row in found if row.shortest is not None]
    close = [row for row in short if row.steps <= (row.shortest or 0) + 1]
    yield "# Power of the generated cases"
    yield ""
    yield "What the machines find when one fault at a time is planted in the reference. Made by"
    yield "`conformance/power/measure.py`; read it as a measurement of one seed, not as a promise."
    yield ""
    yield "The faults are every n-th of each plugin's, among those whose clauses a machine speaks of. Faults of what no"
    yield "sequence changes (schemas, descriptions, exports, settings, the panel) are the scenarios' business and not here."
    yield "Each is looked for with the profile `ci`; several machines of one plugin are tried one after another, and their"
    yield "examples add up. *Shortest known* is the number of steps of the shortest scenario in `fixtures/` that fails; a"
    yield "scenario may hold a condition inside a step (`logs`, `repeat`) where a generated script needs steps of its own."
    yield ""
    yield f"- found: {len(found)} of {len(rows)} faults"
    if found:
        yield f"- median examples until found: {statistics.median(row.examples for row in found):g}"
        calls = statistics.median(row.calls for row in found)
        yield f"- median adapter calls until found: {calls:g}"
        right = sum(row.rightly for row in found)
        yield f"- blamed on a clause of the fault: {right} of {len(found)}"
        yield (
            f"- shrunken to at most one step more than the shortest fixed scenario that shows the"
            f" fault: {len(close)} of {len(short)}"
        )
    yield ""
    yield "| fault | plugin | found at | examples | calls | steps | shortest known | seconds |"
    yield "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |"
    for row in rows:
        shortest = "–" if row.shortest is None else str(row.shortest)
        yield (
            f"| {row.name} | {row.plugin} | {row.clause or '**not found**'} | {row.examples} |"
            f" {row.calls} | {row.steps or '–'} | {shortest} | {row.seconds:.1f} |"
        )


def main(arguments: list[str]) -> int:
    """
    Measure, and print the page; the status is 0 when every fault was found.
    """
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("faults", nargs="*", help="names of faults (default: a sample)")
    parser.add_argument("--each", type=int, default=DEFAULT_EACH, help="faults a plugin; 0 is all")
    parser.add_argument("--examples", type=int, default=PROFILES["ci"].examples)
    parser.add_argument("--seed", type=int, default=0)
    options: Any = parser.parse_args(arguments)
    logging.getLogger("dsh_reference").addHandler(logging.NullHandler())
    logging.getLogger("dsh_reference").propagate = False
    power = Power(examples=options.examples, seed=options.seed)
    rows = []
    for name in options.faults or sample(options.each):
        rows.append(power.row(name))
        sys.stderr.write(_progress(rows[-1]) + "\n")
    sys.stdout.write("\n".join(table(rows)) + "\n")
    return 0 if all(row.found for row in rows) else 1


def _progress(row: Row) -> str:
    return (
        f"{row.plugin} {row.name}: {row.clause or 'NOT FOUND'}, {row.examples} examples, "
        f"{row.steps} steps (shortest {row.shortest}), {row.seconds:.1f} s"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
