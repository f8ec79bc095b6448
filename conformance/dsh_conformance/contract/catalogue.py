"""
The contract of one edition: every clause by id.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from dsh_conformance.cache import cached
from dsh_conformance.contract.clauses import Clause, read_clauses
from dsh_conformance.contract.editions import (
    DEFAULT_EDITION,
    PLUGINS,
    Edition,
    check_edition,
    edition_names,
    read_edition,
)
from dsh_conformance.contract.schema_check import suggestion
from dsh_conformance.errors import DataError, UsageError
from dsh_conformance.paths import PACKAGE, spec_root


@dataclass(frozen=True)
class Contract:
    """
    An edition with its clauses.

    Attributes:
        edition: The edition.
        clauses: Its clauses by id, in the order they are written.
        editions: The names of all editions there are, this one among them.
    """

    edition: Edition
    clauses: dict[str, Clause]
    editions: tuple[str, ...] = ()

    @cached_property
    def aliases(self) -> dict[str, str]:
        """
        Former ids and what they are called now.
        """
        return {old: clause.id for clause in self.clauses.values() for old in clause.aliases}

    def clause(self, name: str, where: str) -> Clause:
        """
        Return a clause by its id or a former id.

        Raises:
            UsageError: There is no such clause; `where` is named in the message.
        """
        found = self.clauses.get(self.aliases.get(name, name))
        if found is None:
            raise UsageError(
                f"no such clause in edition {self.edition.name}",
                where,
                value=name,
                hint=suggestion(name, self.clauses),
            )
        return found


def load_contract(edition: str = DEFAULT_EDITION, spec: Path | None = None) -> Contract:
    """
    Read the contract of an edition.

    Args:
        edition: Its name.
        spec: The folder of clauses and editions; the installed one by default.

    Raises:
        UsageError: There is no such edition.
        DataError: A file of the contract is wrong.
    """
    return load_contracts([edition], spec)[edition]


def load_contracts(names: list[str] | None = None, spec: Path | None = None) -> dict[str, Contract]:
    """
    Read the contracts of several editions (all by default), by name.

    Those of the installed specification are kept in the cache.

    Raises:
        UsageError: There is no such edition.
        DataError: A file of the contract is wrong.
    """
    if spec is not None:
        return _read_contracts(names, spec)
    spec = spec_root()
    for name in names or ():
        check_edition(spec, name)
    sources = (spec, PACKAGE / "contract")
    return cached("contracts", names or (), sources, lambda: _read_contracts(names, spec))


def _read_contracts(names: list[str] | None, spec: Path) -> dict[str, Contract]:
    base = _base_clauses(spec)
    every = tuple(edition_names(spec))
    editions = [read_edition(spec, name) for name in names or every]
    return {one.name: Contract(one, one.overlay(base), every) for one in editions}


def _base_clauses(spec: Path) -> dict[str, Clause]:
    clauses: dict[str, Clause] = {}
    for plugin in PLUGINS:
        path = spec / f"{plugin}.yaml"
        for name, clause in read_clauses(path).items():
            if name in clauses:
                raise DataError(
                    f"the clause id {name!r} stands twice",
                    clause.where,
                    hint=f"the first is at {clauses[name].where}",
                )
            clauses[name] = clause
    return clauses
