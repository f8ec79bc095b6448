"""
Draws programs until the budget is spent, and makes what they show short.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any
from unittest import SkipTest

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.database import DirectoryBasedExampleDatabase, ExampleDatabase

from dsh_conformance.generate.finding import Finding
from dsh_conformance.generate.machine import Machine
from dsh_conformance.generate.program import Program
from dsh_conformance.generate.shrink import Shrinker
from dsh_conformance.generate.stage import Scope
from dsh_conformance.generate.trial import Bench

# After ten examples Hypothesis begins to follow each by variations of it: of four hundred programs
# drawn in one go, four fifths are much like another. So each go draws no more than these.
_FRESH = 10
_DEAD_ENDS = frozenset({"crash", "hang"})


@dataclass(frozen=True)
class Budget:
    """
    What one machine may spend.

    Attributes:
        examples: Programs to draw.
        steps: The most steps a program draws.
        findings: How many different bugs to look for.
        seconds: Time, or None.
        shrink_seconds: Time for making one finding short; 0 leaves it as it was found.
    """

    examples: int
    steps: int
    findings: int
    seconds: float | None
    shrink_seconds: float


@dataclass
class Outcome:
    """
    What a search brought.

    Attributes:
        findings: Different bugs, in the order they were found.
        examples: Programs drawn.
        steps: Steps in them.
        found_after: Programs drawn when each finding turned up.
        calls: Adapter calls made while drawing, shrinking left out.
        interrupted: Whether the user broke it off.
        seconds: How long it took.
    """

    findings: list[Finding] = field(default_factory=list)
    examples: int = 0
    steps: int = 0
    found_after: list[int] = field(default_factory=list)
    calls: int = 0
    interrupted: bool = False
    seconds: float = 0.0


class _Found(Exception):
    """
    A program shows something.
    """


class _Over(KeyboardInterrupt):
    """
    The time is up. Hypothesis lets an interrupt pass, where it would keep an exception.
    """


class Search:
    """
    One machine's search.

    Args:
        bench: What programs are tried on.
        scope: What the implementations can be asked.
        budget: What may be spent.
        seed: Where Hypothesis begins.
        database: A folder of examples that failed before, or None.
        known: Whether a broken clause is a known failure; such a one is not made short.
    """

    def __init__(
        self,
        bench: Bench,
        scope: Scope,
        *,
        budget: Budget,
        seed: int,
        database: Path | None = None,
        known: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self.bench = bench
        self.scope = replace(scope, steps=budget.steps)
        self.budget = budget
        self.seed = seed
        self.database = database
        self.known = known
        self.outcome = Outcome()
        self._started = time.monotonic()
        self._hit: Finding | None = None

    def run(self) -> Outcome:
        """
        Search, and return what was found so far even when interrupted.

        Raises:
            AdapterNeverUp: The implementation is gone for good.
        """
        ignored: set[tuple[str, str, str]] = set(self.bench.ignored)
        self.bench.ignored = ignored
        try:
            while len(self.outcome.findings) < self.budget.findings:
                finding = self._next()
                if finding is None:
                    break
                self._keep(finding, ignored)
                if self.outcome.findings[-1].kind in _DEAD_ENDS:
                    break  # Each further example might take a restart, and teach nothing.
        except _Over:
            pass
        except KeyboardInterrupt:
            self.outcome.interrupted = True
        self.outcome.seconds = time.monotonic() - self._started
        return self.outcome

    def _keep(self, finding: Finding, ignored: set[tuple[str, str, str]]) -> None:
        self.outcome.found_after.append(self.outcome.examples)
        self.outcome.findings.append(finding)
        final = self.outcome.findings[-1] = self._examined(finding)
        ignored.update({finding.identity, final.identity})

    def _examined(self, finding: Finding) -> Finding:
        if finding.kind in _DEAD_ENDS:
            return finding
        doubted = self._doubted(finding)
        if doubted is not None or not self.budget.shrink_seconds or self.known(finding.clause):
            return doubted or finding
        deadline = time.monotonic() + self.budget.shrink_seconds
        return Shrinker(self.bench, finding, deadline=deadline).shrunk()

    def _doubted(self, finding: Finding) -> Finding | None:
        first = finding.transcripts
        again = self.bench.trial(finding.program)
        if again is not None and again.identity == finding.identity:
            return None
        second = (tuple(self.bench.tested.transcript),)
        reason = (
            "the same steps were answered differently the second time: first "
            f"{_summary(finding)}, then {_summary(again) if again else 'nothing amiss'}"
        )
        return replace(
            finding,
            kind="flaky",
            clause="",
            reason=reason,
            transcripts=first + second,
            shape=f"flaky {finding.shape}",
        )

    def _next(self) -> Finding | None:
        self._hit = None
        if self.database is not None and self._found(Phase.reuse, self._left, 0):
            return self._hit
        for number in count(1):
            before = self._left
            if self._found(Phase.generate, min(before, _FRESH), number):
                return self._hit
            if self._left in {0, before}:
                break
        return None

    @property
    def _left(self) -> int:
        return max(0, self.budget.examples - self.outcome.examples)

    def _found(self, phase: Phase, examples: int, number: int) -> bool:
        if not examples:
            return False
        try:
            self._test(phase, examples, number)()
        except _Found:
            return True
        except SkipTest:
            pass  # So it says that nothing was kept that could be tried again.
        return False

    def _test(self, phase: Phase, examples: int, number: int) -> Callable[[], Any]:
        config = settings(
            max_examples=examples,
            database=self._examples(),
            deadline=None,
            phases=[phase],
            suppress_health_check=list(HealthCheck),
            print_blob=False,
            report_multiple_bugs=False,
        )

        def look(program: Program) -> None:
            self._look(program)

        # What an earlier bug was met by need not be drawn again: each finding has its own seeds.
        drawn = seed(f"{self.seed}/{len(self.outcome.findings)}/{number}")
        # In this order: a seed takes the database away from settings that stand before it.
        test = config(drawn(given(self.bench.machine.programs(self.scope))(look)))
        # A name for the folder that outlives changes of this module.
        key = database_key(self.bench.machine)
        vars(test)["_hypothesis_internal_database_key"] = key
        found: Callable[[], Any] = test
        return found

    def _examples(self) -> ExampleDatabase | None:
        return None if self.database is None else DirectoryBasedExampleDatabase(self.database)

    def _look(self, program: Program) -> None:
        if self._hit is not None:
            raise _Found  # Hypothesis asks once more for what it has found.
        seconds = self.budget.seconds
        if seconds is not None and time.monotonic() - self._started > seconds:
            raise _Over
        self.outcome.examples += 1
        self.outcome.steps += len(program.steps)
        before = self.bench.tested.calls_made
        self._hit = self.bench.trial(program)
        self.outcome.calls += self.bench.tested.calls_made - before
        if self._hit is not None:
            raise _Found


def database_key(machine: Machine) -> bytes:
    """
    Return the name under which a machine's failing examples are kept.
    """
    return f"dsh-conformance {machine.name}".encode()


def _summary(finding: Finding) -> str:
    if finding.kind != "failed":
        return finding.reason
    one = finding.differences[0]
    return f"expected {one.expected!r:.200}, saw {one.seen!r:.200}"
