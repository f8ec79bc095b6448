"""
A scenario file, read for one edition and checked before anything runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from dsh_conformance.contract.catalogue import Contract
from dsh_conformance.contract.documents import Document, read_document
from dsh_conformance.contract.editions import PLUGINS
from dsh_conformance.errors import DataError
from dsh_conformance.scenario.model import Scenario, Step
from dsh_conformance.scenario.steps import Steps


def scenario_files(root: Path) -> list[Path]:
    """
    Return the scenario files below a folder, in a stable order; a file stands for itself.

    Raises:
        DataError: The folder does not exist, or holds none.
    """
    if root.is_file():
        return [root]
    if not root.is_dir():
        raise DataError("no such folder of scenarios", str(root), hint="check --scenarios")
    files = sorted(
        path for path in root.rglob("*.yaml") if "golden" not in path.relative_to(root).parts
    )
    if not files:
        raise DataError("no scenario files here", str(root), hint="scenarios end in .yaml")
    for path in files:
        if path.is_symlink() and not path.resolve().is_relative_to(root.resolve()):
            raise DataError("a link that leads out of the folder", str(path), hint="copy the file")
    return files


def load_scenarios(
    root: Path, contract: Contract, known: Iterable[str] | None = None
) -> list[Scenario]:
    """
    Read every scenario below a folder for one edition.

    Args:
        root: The folder.
        contract: The edition's contract.
        known: Ids of clauses of every edition; those of `contract` by default.

    Raises:
        DataError: A file is wrong.
    """
    every = frozenset(known if known is not None else contract.clauses)
    return [load_scenario(path, root, contract, every) for path in scenario_files(root)]


def load_scenario(path: Path, root: Path, contract: Contract, known: frozenset[str]) -> Scenario:
    """
    Read one scenario for one edition.

    Raises:
        DataError: The file is wrong; the message names file, line and column.
    """
    ident = path.relative_to(root).with_suffix("").as_posix() if root != path else path.stem
    return Loader(read_document(path), ident, contract, known).scenario()


class Loader:
    """
    Reads one document as a scenario.

    Args:
        document: The file.
        ident: The scenario's id.
        contract: The contract of the edition.
        known: Ids of clauses of every edition.
    """

    def __init__(
        self, document: Document, ident: str, contract: Contract, known: frozenset[str]
    ) -> None:
        self.document = document
        self.ident = ident
        self.contract = contract
        self.known = known
        self.data: dict[str, Any] = document.data if isinstance(document.data, dict) else {}
        self.steps = Steps(document, contract, known)

    def scenario(self) -> Scenario:
        """
        Return the scenario.

        Raises:
            DataError: Something in the file is wrong.
        """
        self.steps.part((), self.document.data, "head")
        clauses = tuple(
            self.steps.clause(c, ("clauses", i)) for i, c in enumerate(self.data["clauses"])
        )
        self.steps.check_editions(self.data, ())
        excluded = self._excluded(clauses)
        self.steps.main_clause = clauses[0]
        plugins = tuple(self.steps.plugins(self._plugin_list(clauses[0]), ("plugins",)))
        given = self.steps.read(self.data.get("given", []), ("given",))
        steps = self.steps.read(self.data["steps"], ("steps",))
        self._check_clauses_named(clauses, given, steps, excluded)
        return Scenario(
            id=self.ident,
            claim=self.data["claim"],
            clauses=clauses,
            plugins=plugins,
            services=tuple(self.data.get("services", ())),
            needs=frozenset(self._all_needs(clauses)),
            given=given,
            steps=steps,
            excluded=excluded,
            where=self.document.at(()),
        )

    def _all_needs(self, clauses: tuple[str, ...]) -> Iterator[str]:
        yield from self.steps.needs
        yield from self.data.get("needs", ())
        for clause in clauses:
            if clause in self.contract.clauses:
                yield from self.contract.clauses[clause].needs

    def _plugin_list(self, clause: str) -> list[Any]:
        folder = self.ident.partition("/")[0]
        main = self.contract.clauses.get(clause)
        own = folder if folder in PLUGINS else main.plugin if main is not None else None
        default = [] if own is None else [own]
        plugins: list[Any] = self.data.get("plugins", default)
        return plugins

    def _excluded(self, clauses: tuple[str, ...]) -> str | None:
        edition = self.contract.edition.name
        only = self.data.get("editions")
        if only is not None and edition not in only:
            return f"it is about edition {' and '.join(only)}"
        missing = [clause for clause in clauses if clause not in self.contract.clauses]
        return f"edition {edition} has no clause {missing[0]}" if missing else None

    def _check_clauses_named(
        self,
        clauses: tuple[str, ...],
        given: tuple[Step, ...],
        steps: tuple[Step, ...],
        excluded: str | None,
    ) -> None:
        used = set(_clauses_of(steps))
        for index, clause in enumerate(clauses):
            if excluded is None and clause not in used:
                raise DataError(
                    f"no step checks the clause {clause!r}",
                    self.document.at(("clauses", index)),
                    hint="name it with `clause:` at the step that would break it, or take it out",
                )
        for clause in sorted(used.union(_clauses_of(given)) - set(clauses)):
            raise DataError(
                f"a step names the clause {clause!r}, which the head does not",
                self.document.at(("clauses",)),
                hint="add it to `clauses`",
            )


def _clauses_of(steps: Iterable[Step]) -> Iterator[str]:
    for step in steps:
        yield from (step.clause_for(key) for key in step.expects)
        if step.claims or step.verb.name == "any-of":
            yield step.clauses["*"]
        if step.verb.name != "any-of":  # A surprise inside is one of the whole step.
            yield from _clauses_of(step.steps)
