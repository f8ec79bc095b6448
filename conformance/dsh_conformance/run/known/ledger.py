"""
The bookkeeping of what is expected to fail against what is seen to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Literal

from dsh_conformance.errors import RunnerBug
from dsh_conformance.run.known.coverage import Catalogue, covered
from dsh_conformance.run.known.entries import Entry
from dsh_conformance.scenario.results import CaseResult, Failure

State = Literal["seen", "stale", "expired", "not looked at"]
PROBLEMS: frozenset[State] = frozenset({"stale", "expired"})


@dataclass(frozen=True)
class Status:
    """
    What became of one entry in a run.

    Attributes:
        entry: The entry.
        state: `seen` (it fails as expected), `stale` (it does not fail any more), `expired`, or
            `not looked at` (too few of its cases were played to tell).
        seen: The cases in which it was seen.
        passed: The cases that it covers and that did not fail.
    """

    entry: Entry
    state: State
    seen: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()

    @property
    def is_problem(self) -> bool:
        """
        Whether the run is not right as long as the entry stands there.
        """
        return self.state in PROBLEMS


@dataclass
class _Account:
    entry: Entry
    cases: tuple[str, ...]
    seen: list[str] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)


class Ledger:
    """
    Marks failures as known, notes what was seen, and says at the end what became of each entry.

    Args:
        entries: With present clause names.
        catalogue: What there is to cover.
        today: The day by which entries expire.
    """

    def __init__(self, entries: tuple[Entry, ...], catalogue: Catalogue, today: date) -> None:
        self.today = today
        self._accounts = [_Account(entry, covered(entry, catalogue)) for entry in entries]
        self._statuses: tuple[Status, ...] | None = None

    def mark(self, result: CaseResult) -> CaseResult:
        """
        Return a result with each failure that an entry expects marked with that entry's place.
        """
        if result.outcome == "unverified":
            account = self._unverified(result)
            return replace(result, known=account.entry.where if account is not None else "")
        if not result.failures:
            return result
        marked = tuple(
            replace(failure, known=self._expects(result.id, failure)) for failure in result.failures
        )
        return replace(result, failures=marked)

    def expects(self, case: str, clause: str) -> bool:
        """
        Whether an entry speaks of a clause in a case.
        """
        return any(account.entry.claims(case, clause) for account in self._current())

    def add(self, result: CaseResult) -> None:
        """
        Note a marked result.

        Raises:
            RunnerBug: The books are closed.
        """
        if self._statuses is not None:
            raise RunnerBug("a case came after the books were closed", value=result.id)
        for account in self._accounts:
            _note(account, result)

    def finish(self) -> tuple[Status, ...]:
        """
        Close the books and return what became of each entry.
        """
        if self._statuses is None:
            self._statuses = tuple(_status(account, self.today) for account in self._accounts)
        return self._statuses

    def _current(self) -> Iterator[_Account]:
        return (one for one in self._accounts if not one.entry.expired(self.today))

    def _expects(self, case: str, failure: Failure) -> str:
        for account in self._current():
            if account.entry.claims(case, failure.clause) and _fits(account.entry, failure):
                return account.entry.where
        return ""

    def _unverified(self, result: CaseResult) -> _Account | None:
        for account in self._current():
            if _speaks_of(account, result) and _fits_unverified(account.entry, result):
                return account
        return None


def _fits(entry: Entry, failure: Failure) -> bool:
    if entry.grade not in {None, failure.grade}:
        return False
    seen = [difference.seen for difference in failure.differences]
    return not entry.seen or any(text in one for text in entry.seen for one in seen)


def _fits_unverified(entry: Entry, result: CaseResult) -> bool:
    if entry.grade not in {None, "unverified"}:
        return False
    return not entry.seen or any(text in result.reason for text in entry.seen)


def _speaks_of(account: _Account, result: CaseResult) -> bool:
    entry = account.entry
    clauses = {*result.clauses, *(failure.clause for failure in result.failures)}
    return entry.claims(result.id, None) or any(entry.claims(result.id, one) for one in clauses)


def _note(account: _Account, result: CaseResult) -> None:
    if not _speaks_of(account, result):
        return
    if account.entry.where in {result.known, *(one.known for one in result.failures)}:
        account.seen.append(result.id)
    elif not _undecided(account.entry, result):
        account.passed.append(result.id)


def _undecided(entry: Entry, result: CaseResult) -> bool:
    # Something else went wrong: that is news, but it does not say that the entry is out of date.
    # After a wrong effect a case ends, perhaps before it came to what the entry speaks of.
    return result.outcome == "unverified" or any(
        failure.grade == "wrong effect" or entry.claims(result.id, failure.clause)
        for failure in result.failures
    )


def _status(account: _Account, today: date) -> Status:
    entry, seen, passed = account.entry, tuple(account.seen), tuple(account.passed)
    state: State = "seen" if seen else "not looked at"
    if entry.expired(today):
        state = "expired"
    elif entry.kind != "flaky" and _stale(account):
        state = "stale"
    return Status(entry, state, seen, passed)


def _stale(account: _Account) -> bool:
    # An entry that names cases vouches for each of them; one that names a clause alone says that
    # the clause is broken, which a single case may show.
    if account.entry.case is not None:
        return bool(account.passed)
    return not account.seen and set(account.cases) <= set(account.passed)
