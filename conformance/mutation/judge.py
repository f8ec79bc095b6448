"""
The conformance suite as the judge of a mutant: does any case notice?

The suite is read once. Each mutant is met in a forked child, in which the import of one module of
the reference finds the mutated source; the child ends at the first case that does not pass. Cases
that noticed a mutant lately come first.
"""

from __future__ import annotations

import importlib.abc
import importlib.util
import logging
import os
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

from dsh_conformance.adapter.connection import Connection
from dsh_conformance.contract.catalogue import Contract, load_contracts
from dsh_conformance.errors import DshError
from dsh_conformance.paths import fixtures_root
from dsh_conformance.run.settings import REFERENCE
from dsh_conformance.scenario.loader import load_scenarios
from dsh_conformance.scenario.model import Scenario
from dsh_conformance.scenario.player import play

# A mutant may loop for ever; the sound reference passes all cases of a plugin in a few seconds.
PATIENCE = 120
SURVIVED = "survived"


@dataclass(frozen=True)
class Module:
    """
    A module of the reference, and the plugins whose cases judge it.
    """

    name: str
    path: Path
    plugins: tuple[str, ...]


class _Mutated(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """
    Finds the mutated source of one module.
    """

    def __init__(self, module: Module, source: str) -> None:
        self._module = module
        self._source = source

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002  # The import system's.
        target: ModuleType | None = None,  # noqa: ARG002  # As above.
    ) -> ModuleSpec | None:
        """
        Find the one module.
        """
        if fullname != self._module.name:
            return None
        where = str(self._module.path)
        return importlib.util.spec_from_file_location(fullname, where, loader=self)

    def exec_module(self, module: ModuleType) -> None:
        """
        Run the mutated source.
        """
        exec(compile(self._source, str(self._module.path), "exec"), module.__dict__)  # noqa: S102  # Ours.


class Judge:
    """
    The cases of all editions, read once.
    """

    def __init__(self) -> None:
        self._contracts = load_contracts()
        known = {clause for one in self._contracts.values() for clause in one.clauses}
        self._cases = {
            edition: load_scenarios(fixtures_root(), contract, known)
            for edition, contract in self._contracts.items()
        }

    def told(self, verdict: str) -> None:
        """
        Take a verdict to heart: the case that it names is played first from now on.
        """
        _, _, noticed = verdict.partition(": ")
        for cases in self._cases.values():
            cases.sort(key=lambda case: case.id != noticed)

    def start(self, module: Module, source: str) -> tuple[int, int]:
        """
        Begin to judge a mutant and return its process and the pipe on which the verdict comes.
        """
        reader, writer = os.pipe()
        child = os.fork()
        if child:
            os.close(writer)
            return child, reader
        os.close(reader)
        signal.alarm(PATIENCE)
        os.write(writer, self._verdict(module, source).encode())
        os._exit(0)

    def _verdict(self, module: Module, source: str) -> str:
        logging.disable(logging.CRITICAL)
        sys.meta_path.insert(0, _Mutated(module, source))
        with tempfile.TemporaryDirectory(dir=_memory()) as scratch:
            # All that a mutant writes goes there, also where it forgets its state folder.
            tempfile.tempdir = scratch
            os.chdir(scratch)
            try:
                return next(self._noticed(module), SURVIVED)
            except BaseException as error:  # noqa: BLE001  # A mutant may raise anything.
                return f"does not run: {type(error).__name__}"
            finally:
                os.chdir("/")

    def _noticed(self, module: Module) -> Iterator[str]:
        for edition, contract in self._contracts.items():
            cases = [c for c in self._cases[edition] if c.plugin in module.plugins]
            yield from _played(cases, edition, contract)


def _memory() -> Path | None:
    """
    Return a folder in memory, where there is one.
    """
    shared = Path("/dev/shm")  # noqa: S108  # Folders with names of their own are made in it.
    return shared if shared.is_dir() else None


def _played(cases: list[Scenario], edition: str, contract: Contract) -> Iterator[str]:
    connection = Connection(REFERENCE, edition)
    for case in cases:
        try:
            outcome = play(case, connection, contract).outcome
        except DshError:
            outcome = "unverified"
        if outcome in {"failed", "unverified"}:
            yield f"{outcome}: {case.id}"
