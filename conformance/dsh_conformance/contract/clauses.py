"""
Clauses: one testable sentence each, with its level and where it comes from.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from dsh_conformance.contract.documents import Place, read_document
from dsh_conformance.contract.schema_check import check
from dsh_conformance.errors import DataError

Level = Literal["must", "should", "may"]

DEFAULT_LEVELS: dict[str, Level] = {"stated": "must", "observed": "should", "decided": "should"}


@dataclass(frozen=True)
class Provenance:
    """
    Where a clause comes from.

    Attributes:
        kind: `stated` (a document says it), `observed` (upstream does it) or `decided` (by us).
        detail: The document's section, the package and version, or the decision record.
        record: The number of the decision record that settles it, if any.
    """

    kind: Literal["stated", "observed", "decided"]
    detail: dict[str, Any]
    record: int | None = None

    def __str__(self) -> str:
        if self.kind == "stated":
            return f"stated in {self.detail['document']}, section “{self.detail['section']}”"
        if self.kind == "observed":
            return f"observed in {self.detail['package']} {self.detail['version']}"
        return f"decided in docs/decisions/{int(self.detail['record']):04d}"


@dataclass(frozen=True)
class Clause:
    """
    One rule of the contract.

    Attributes:
        id: Kebab words joined by dots.
        plugin: The plugin whose contract it belongs to.
        level: `must`, `should` or `may`.
        statement: One testable sentence.
        text: Exact strings as the contract has them, with `<placeholders>`.
        needs: Capabilities without which it cannot be checked.
        provenance: Where it comes from.
        aliases: Former ids.
        untestable: Why nobody can test it from outside, or None.
        where: File, line and column.
    """

    id: str
    plugin: str
    level: Level
    statement: str
    text: tuple[str, ...]
    needs: frozenset[str]
    provenance: Provenance
    aliases: tuple[str, ...]
    untestable: str | None
    where: str


def read_clauses(path: Path) -> dict[str, Clause]:
    """
    Read a clause file.

    Raises:
        DataError: The file is not as its schema says, or an id stands twice.
    """
    document = read_document(path)
    check(document, "clauses")
    plugin = document.data["plugin"]
    clauses: dict[str, Clause] = {}
    for index, entry in enumerate(document.data["clauses"]):
        place: Place = ("clauses", index)
        clause = make_clause(entry, plugin, document.at((*place, "id")))
        if clause.id in clauses:
            raise DataError(
                f"the clause id {clause.id!r} stands twice",
                clause.where,
                hint=f"the first is at {clauses[clause.id].where}; ids are never reused",
            )
        clauses[clause.id] = clause
    return clauses


def make_clause(entry: dict[str, Any], plugin: str, where: str) -> Clause:
    """
    Make a clause of a (schema-checked) entry.
    """
    provenance = _provenance(entry["provenance"])
    return Clause(
        id=entry["id"],
        plugin=plugin,
        level=entry.get("level", DEFAULT_LEVELS[provenance.kind]),
        statement=entry["statement"],
        text=tuple(entry.get("text", ())),
        needs=frozenset(entry.get("needs", [plugin])),
        provenance=provenance,
        aliases=tuple(entry.get("aliases", ())),
        untestable=entry.get("untestable"),
        where=where,
    )


def _provenance(entry: dict[str, Any]) -> Provenance:
    kinds: tuple[Literal["stated", "observed", "decided"], ...] = ("stated", "observed", "decided")
    kind = next(kind for kind in kinds if kind in entry)
    record = entry["decided"]["record"] if "decided" in entry else None
    return Provenance(kind, entry[kind], record)
