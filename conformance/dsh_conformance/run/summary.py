"""
What the cases of a run add up to.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, Protocol

from dsh_conformance.contract.catalogue import Contract
from dsh_conformance.contract.clauses import Clause
from dsh_conformance.scenario.results import CaseResult, Failure

if TYPE_CHECKING:
    from dsh_conformance.run.known.ledger import Status

ClauseOutcome = Literal["passed", "failed", "unverified", "not applicable", "not run", "untestable"]

CONFORMANT = 0
NON_CONFORMANT = 1
USAGE = 2
UNVERIFIED = 3


class Books(Protocol):
    """
    Expected failures against those seen: `run.known.ledger.Ledger`, or books closed before.
    """

    def mark(self, result: CaseResult) -> CaseResult:
        """
        Return a result with its known failures marked.
        """

    def add(self, result: CaseResult) -> None:
        """
        Note a marked result.
        """

    def finish(self) -> tuple[Status, ...]:
        """
        Close the books and say what became of each entry.
        """


class Summary:
    """
    Keeps every case result, and derives the outcome of clauses and of the run.

    Args:
        contract: The edition's contract.
        strict: Whether a broken `should` counts.
        ledger: The books of known failures, or None.

    Attributes:
        remarks: What the adapter's author should know beside the verdicts.
    """

    def __init__(
        self, contract: Contract, *, strict: bool = False, ledger: Books | None = None
    ) -> None:
        self.contract = contract
        self.strict = strict
        self.ledger = ledger
        self.results: list[CaseResult] = []
        self.broken_off = ""
        self.remarks: list[str] = []

    def add(self, result: CaseResult) -> None:
        """
        Take in one case.
        """
        if self.ledger is not None:
            result = self.ledger.mark(result)
            self.ledger.add(result)
        self.results.append(result)

    def counts(self) -> Counter[str]:
        """
        Return how many cases ended in each outcome.
        """
        return Counter(result.outcome for result in self.results)

    def broken(self, result: CaseResult) -> tuple[Failure, ...]:
        """
        Return the failures of a case that make the run non-conformant: known ones do not.
        """
        return tuple(
            one for one in result.failures if not one.known and self.counts_against(one.clause)
        )

    def known_failures(self) -> tuple[Status, ...]:
        """
        Close the books of known failures and return what became of each entry.
        """
        return () if self.ledger is None else self.ledger.finish()

    def counts_against(self, clause: str) -> bool:
        """
        Whether a run that breaks it is non-conformant: a `must`, or with `strict` a `should`.
        """
        found = self.contract.clauses.get(clause)
        level = found.level if found is not None else "must"
        return level == "must" or (self.strict and level == "should")

    def clause_outcomes(self) -> dict[str, ClauseOutcome]:
        """
        Return the outcome of every clause of the edition.
        """
        seen: dict[str, set[str]] = defaultdict(set)
        for result in self.results:
            broken = {failure.clause for failure in result.failures}
            for clause in {*result.clauses, *broken}:
                seen[clause].add(_share(result, clause, broken))
        return {
            name: _outcome(clause, seen.get(name, set()))
            for name, clause in self.contract.clauses.items()
        }

    def exit_status(self) -> int:
        """
        Return 0 conformant, 1 something failed, 3 nothing failed but something is unverified.

        A known failure that is stale or expired counts as something that failed. Where nothing at
        all could be asked, or the run was broken off, not everything is verified.
        """
        if any(self.broken(result) for result in self.results):
            return NON_CONFORMANT
        if any(status.is_problem for status in self.known_failures()):
            return NON_CONFORMANT
        if any(result.outcome == "unverified" and not result.known for result in self.results):
            return UNVERIFIED
        learned = any(result.outcome in {"passed", "failed"} for result in self.results)
        return CONFORMANT if learned and not self.broken_off else UNVERIFIED

    def by_plugin(self, outcomes: dict[str, ClauseOutcome]) -> dict[tuple[str, str], Counter[str]]:
        """
        Return the number of clauses by outcome, for each plugin and level.
        """
        table: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for name, outcome in outcomes.items():
            clause = self.contract.clauses[name]
            table[clause.plugin, clause.level][outcome] += 1
        return dict(table)

    def failures(self) -> Iterable[tuple[CaseResult, Failure]]:
        """
        Return every failure with its case.
        """
        return ((result, failure) for result in self.results for failure in result.failures)


def _share(result: CaseResult, clause: str, broken: set[str]) -> str:
    if clause in broken:
        return "failed"
    # A case that failed elsewhere may have ended before it came to this clause.
    return "unverified" if result.outcome == "failed" else result.outcome


def _outcome(clause: Clause, seen: set[str]) -> ClauseOutcome:
    if clause.untestable is not None:
        return "untestable"
    order: tuple[ClauseOutcome, ...] = ("failed", "passed", "unverified", "not applicable")
    return next((outcome for outcome in order if outcome in seen), "not run")
