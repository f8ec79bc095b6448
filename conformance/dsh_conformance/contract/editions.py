"""
Editions: what a published state of the contract says differently, as an overlay on the default.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any

from dsh_conformance.contract.clauses import Clause, Provenance, make_clause
from dsh_conformance.contract.documents import Document, read_document
from dsh_conformance.contract.schema_check import check, suggestion
from dsh_conformance.errors import DataError, UsageError

DEFAULT_EDITION = "2026-08"
PLUGINS = ("todo", "tasks", "tree")


@dataclass(frozen=True)
class Rewrite:
    """
    A renamed word or a replaced text.
    """

    pattern: re.Pattern[str]
    replacement: str

    def __call__(self, text: str) -> str:
        """
        Return the text with the word renamed.
        """
        return self.pattern.sub(self.replacement, text)


@dataclass(frozen=True)
class Edition:
    """
    One published state of the contract.

    Attributes:
        name: As given to `--edition`.
        about: One sentence.
        config: Settings that a plugin gets when a scenario writes none, by plugin.
        rewrites: Applied in order to every string of clauses and scenarios.
    """

    name: str
    about: str
    config: dict[str, dict[str, Any]]
    rewrites: tuple[Rewrite, ...]
    document: Document

    def text(self, text: str) -> str:
        """
        Put a text into this edition's words.
        """
        for rewrite in self.rewrites:
            text = rewrite(text)
        return text

    def words(self, data: Any) -> Any:
        """
        Put every string of a value, keys included, into this edition's words.
        """
        if not self.rewrites:
            return data
        if isinstance(data, str):
            return self.text(data)
        if isinstance(data, list):
            return [self.words(item) for item in data]
        if isinstance(data, dict):
            return {self.text(key): self.words(value) for key, value in data.items()}
        return data

    @cached_property
    def removed(self) -> tuple[str, ...]:
        """
        Globs of the clauses that do not belong to it.
        """
        return tuple(entry["clause"] for entry in self.document.data.get("remove", ()))

    def overlay(self, clauses: dict[str, Clause]) -> dict[str, Clause]:
        """
        Return the clauses of this edition, given those of the default.

        Raises:
            DataError: It replaces or removes a clause that does not exist, or adds one that does.
        """
        kept = {
            name: self._in_its_words(clause)
            for name, clause in clauses.items()
            if not any(fnmatchcase(name, glob) for glob in self.removed)
        }
        self._check_removals(clauses)
        for name, changes in self.document.data.get("replace", {}).items():
            kept[name] = self._replaced(kept, name, changes)
        for index, entry in enumerate(self.document.data.get("clauses", ())):
            clause = self._added(kept, index, entry)
            kept[clause.id] = clause
        return kept

    def _in_its_words(self, clause: Clause) -> Clause:
        if not self.rewrites:
            return clause
        words = {
            "statement": self.text(clause.statement),
            "text": tuple(map(self.text, clause.text)),
        }
        return Clause(**{**clause.__dict__, **words})

    def _check_removals(self, clauses: dict[str, Clause]) -> None:
        for index, glob in enumerate(self.removed):
            if not any(fnmatchcase(name, glob) for name in clauses):
                raise DataError(
                    f"no clause matches {glob!r}",
                    self.document.at(("remove", index, "clause")),
                    hint=suggestion(glob, clauses),
                )

    def _replaced(self, kept: dict[str, Clause], name: str, changes: dict[str, Any]) -> Clause:
        where = self.document.at(("replace", name))
        if name not in kept:
            raise DataError(f"no clause {name!r} to replace", where, hint=suggestion(name, kept))
        old = kept[name]
        entry = {
            "id": name,
            "level": old.level,
            "statement": old.statement,
            "text": old.text,
            "needs": old.needs,
            "provenance": _entry(old.provenance),
            "aliases": old.aliases,
            "untestable": old.untestable,
            **changes,
        }
        return make_clause(entry, old.plugin, where)

    def _added(self, kept: dict[str, Clause], index: int, entry: dict[str, Any]) -> Clause:
        where = self.document.at(("clauses", index, "id"))
        plugin = entry.get("plugin") or entry["id"].partition(".")[0]
        if entry["id"] in kept:
            raise DataError(f"the clause {entry['id']!r} exists already", where, hint="use replace")
        return make_clause(entry, plugin, where)


def _entry(provenance: Provenance) -> dict[str, Any]:
    record = {} if provenance.record is None else {"decided": {"record": provenance.record}}
    return {**record, provenance.kind: provenance.detail}


def edition_names(spec: Path) -> list[str]:
    """
    Return the editions that `spec/editions/` holds, the default first.
    """
    names = sorted(path.stem for path in (spec / "editions").glob("*.yaml"))
    return sorted(names, key=lambda name: name != DEFAULT_EDITION)


def check_edition(spec: Path, name: str) -> None:
    """
    See that there is an edition of a name.

    Raises:
        UsageError: There is none.
    """
    known = edition_names(spec)
    if name not in known:
        raise UsageError("unknown edition", "--edition", value=name, hint=suggestion(name, known))


def read_edition(spec: Path, name: str) -> Edition:
    """
    Read one edition.

    Raises:
        UsageError: There is no such edition.
        DataError: Its file is not as its schema says.
    """
    check_edition(spec, name)
    document = read_document(spec / "editions" / f"{name}.yaml")
    check(document, "edition")
    data = document.data
    _check_head(document, name)
    return Edition(
        name=data["edition"],
        about=data["about"],
        config=data.get("config", {}),
        rewrites=tuple(
            _rewrite(document, index, entry) for index, entry in enumerate(data.get("rewrite", ()))
        ),
        document=document,
    )


def _check_head(document: Document, name: str) -> None:
    if document.data["edition"] != name:
        raise DataError(
            f"the file {name}.yaml holds edition {document.data['edition']!r}",
            document.at(("edition",)),
            hint="name the file after the edition",
        )
    if document.data.get("extends", DEFAULT_EDITION) != DEFAULT_EDITION:
        raise DataError(
            "an edition extends the default one alone",
            document.at(("extends",)),
            value=document.data["extends"],
            hint=f"write extends: {DEFAULT_EDITION}, or leave it out",
        )


def _rewrite(document: Document, index: int, entry: dict[str, str]) -> Rewrite:
    if "from" in entry:
        replacement = entry["to"].replace("\\", r"\\")
        return Rewrite(re.compile(re.escape(entry["from"])), replacement)
    try:
        rewrite = Rewrite(re.compile(entry["pattern"]), entry["to"])
        rewrite("")  # A replacement that names a group which does not exist shows only in use.
    except (re.error, IndexError) as error:
        raise DataError(
            f"not a regular expression with its replacement: {error}",
            document.at(("rewrite", index)),
            value=f"{entry['pattern']} → {entry['to']}",
            hint="see the syntax of Python's re module",
        ) from error
    return rewrite
