"""
From a file of known failures to the books of a run.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

from dsh_conformance.errors import DataError
from dsh_conformance.generate.profiles import MACHINE_CASES
from dsh_conformance.run.known.coverage import Catalogue, mistakes, present_names
from dsh_conformance.run.known.entries import read_known_failures
from dsh_conformance.run.known.ledger import Ledger
from dsh_conformance.run.selection import Cases


def open_ledger(path: Path, cases: Cases, day: date | None = None) -> Ledger:
    """
    Read a file of known failures and open the books on it.

    Args:
        path: The file.
        cases: All there are.
        day: The day by which entries expire; today (UTC) by default.

    Raises:
        DataError: The file is unfit for this run.
    """
    file = read_known_failures(path)
    catalogue = catalogue_of(cases)
    found = list(mistakes(file, catalogue))
    if found:
        raise _first_of(found, path)
    return Ledger(present_names(file, catalogue), catalogue, day or today())


def catalogue_of(cases: Cases) -> Catalogue:
    """
    Return what entries can speak of.
    """
    named = [(scenario.id, scenario.clauses) for scenario in cases.scenarios]
    machines: list[tuple[str, tuple[str, ...]]] = [(case, ()) for case in MACHINE_CASES]
    return Catalogue.of(cases.contract, named + machines)


def today() -> date:
    """
    Return the day by which entries expire.
    """
    return datetime.now(UTC).date()


def _first_of(found: list[DataError], path: Path) -> DataError:
    if len(found) == 1:
        return found[0]
    more = f"{len(found) - 1} more: dsh-conformance known-failures check {path}"
    first = found[0]
    return DataError(first.what, first.where, value=first.value, hint=f"{first.hint}\n  {more}")
