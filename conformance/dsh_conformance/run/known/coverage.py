"""
What the entries of a file cover, and what is wrong with them before anything is run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date

from dsh_conformance.contract.catalogue import Contract
from dsh_conformance.contract.schema_check import suggestion
from dsh_conformance.errors import DataError
from dsh_conformance.run.known.entries import KEY, Entry, KnownFile, glob_fits, is_glob

# More than these, and an entry hides more than anyone would look through again.
MOST_CASES = 20


@dataclass(frozen=True)
class Catalogue:
    """
    What entries can speak of.

    Attributes:
        edition: The edition's name.
        cases: The clauses that each case checks, by case id.
        clauses: The clause ids of the edition.
        aliases: Former clause ids and what they are called now.
    """

    edition: str
    cases: dict[str, tuple[str, ...]]
    clauses: frozenset[str]
    aliases: dict[str, str]

    @classmethod
    def of(cls, contract: Contract, cases: Iterable[tuple[str, tuple[str, ...]]]) -> Catalogue:
        """
        Return the catalogue of a contract and its cases.
        """
        return cls(
            contract.edition.name, dict(cases), frozenset(contract.clauses), contract.aliases
        )


def present_names(file: KnownFile, catalogue: Catalogue) -> tuple[Entry, ...]:
    """
    Return the entries with former clause ids replaced by present ones.
    """
    aliases = catalogue.aliases
    return tuple(
        replace(entry, clause=aliases.get(entry.clause, entry.clause))
        if entry.clause is not None
        else entry
        for entry in file.entries
    )


def covered(entry: Entry, catalogue: Catalogue) -> tuple[str, ...]:
    """
    Return the cases that an entry covers.
    """
    return tuple(
        case
        for case, clauses in catalogue.cases.items()
        if entry.claims(case, None) or any(entry.claims(case, clause) for clause in clauses)
    )


def problems(file: KnownFile, catalogue: Catalogue, today: date) -> Iterator[DataError]:
    """
    Yield everything that is wrong with a file, in its order.
    """
    yield from mistakes(file, catalogue)
    for entry in file.entries:
        if entry.expired(today):
            yield DataError(
                f"expired on {entry.expires}",
                file.document.at((KEY, entry.index, "expires")),
                value=entry.name,
                hint=f"fix it, or agree on a later day: {entry.issue}",
            )


def mistakes(file: KnownFile, catalogue: Catalogue) -> Iterator[DataError]:
    """
    Yield what makes a file unfit for any run: its edition, lost names, too wide globs, overlaps.
    """
    if file.edition not in {None, catalogue.edition}:
        yield DataError(
            f"the file is for edition {file.edition}",
            file.document.at(("edition",)),
            hint=f"this run is of edition {catalogue.edition}: give its own file",
        )
        return
    claimed: dict[tuple[str, str], Entry] = {}
    for entry in present_names(file, catalogue):
        cases = covered(entry, catalogue)
        if not cases:
            yield _lost(file, entry, catalogue)
        elif len(cases) > MOST_CASES:
            yield DataError(
                f"covers {len(cases)} cases; {MOST_CASES} is the most",
                entry.where,
                value=entry.name,
                hint="name fewer: name the case as well as the clause, or use a narrower glob",
            )
        else:
            yield from _overlap(entry, cases, catalogue, claimed)


def _overlap(
    entry: Entry,
    cases: tuple[str, ...],
    catalogue: Catalogue,
    claimed: dict[tuple[str, str], Entry],
) -> Iterator[DataError]:
    pairs = [(case, clause) for case in cases for clause in catalogue.cases[case]]
    for case, clause in pairs:
        if not entry.claims(case, clause):
            continue
        other = claimed.setdefault((case, clause), entry)
        if other is not entry:
            yield DataError(
                "two entries speak of one failure",
                entry.where,
                value=f"{clause} in {case}",
                hint=f"the other is at {other.where}; narrow one of them, or join them",
            )
            return


def _lost(file: KnownFile, entry: Entry, catalogue: Catalogue) -> DataError:
    for key, name, separator, known in (
        ("case", entry.case, "/", list(catalogue.cases)),
        ("clause", entry.clause, ".", sorted(catalogue.clauses)),
    ):
        if name is not None and not any(glob_fits(name, one, separator) for one in known):
            what = f"no {key} matches" if is_glob(name) else f"there is no such {key}"
            return DataError(
                what,
                file.document.at((KEY, entry.index, key)),
                value=name,
                hint=suggestion(name, known),
            )
    return DataError(
        "matches nothing: no case checks this",
        entry.where,
        value=entry.name,
        hint="`dsh-conformance explain CLAUSE` names the cases of a clause",
    )
