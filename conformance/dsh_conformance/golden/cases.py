"""
Vectors as scenarios.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from dsh_conformance.contract.catalogue import Contract
from dsh_conformance.contract.documents import Document
from dsh_conformance.golden.gates import autocontinue_steps, pause_steps
from dsh_conformance.golden.plans import command_steps, plan_steps
from dsh_conformance.golden.surfaces import fold_steps, prestep_steps
from dsh_conformance.golden.vectors import KINDS, Step, Vector, read_vectors
from dsh_conformance.paths import fixtures_root
from dsh_conformance.scenario.loader import Loader
from dsh_conformance.scenario.model import Scenario

SCRIPTS: dict[str, Callable[[Vector], list[Step]]] = {
    "fold": fold_steps,
    "plan": plan_steps,
    "commands": command_steps,
    "pause": pause_steps,
    "autocontinue": autocontinue_steps,
    "prestep": prestep_steps,
}


def golden_root() -> Path:
    """
    The folder of the record.
    """
    return fixtures_root() / "tree" / "golden"


def load_golden(
    contract: Contract, known: frozenset[str], folder: Path | None = None
) -> list[Scenario]:
    """
    Return every vector that the protocol can follow as a scenario named `golden/<vector id>`.

    Args:
        contract: The edition's contract.
        known: Ids of clauses of every edition.
        folder: The folder of the record; ours by default.

    Raises:
        DataError: A file of the record is missing or wrong.
    """
    folder = folder or golden_root()
    return [scenario for kind in KINDS for scenario in _scenarios(contract, known, folder, kind)]


def _scenarios(
    contract: Contract, known: frozenset[str], folder: Path, kind: str
) -> Iterator[Scenario]:
    path = folder / f"{kind}.jsonl"
    for line, vector in read_vectors(folder, kind):
        data = scenario_data(kind, vector)
        if data is not None:
            document = Document(path, data, {(): (line, 1)})
            yield Loader(document, f"golden/{vector['id']}", contract, known).scenario()


def scenario_data(kind: str, vector: Vector) -> dict[str, Any] | None:
    """
    Return a vector as a scenario file would have it, or None when nothing of it can be followed.
    """
    # A text cut inside a character departs from record 23.
    if vector.get("lone_surrogate"):
        return None
    steps = SCRIPTS[kind](vector)
    clauses = list(dict.fromkeys(step["clause"] for step in steps if "clause" in step))
    if not clauses:
        return None
    return {
        "claim": f"The published plugin did the same ({vector.get('note') or vector['class']}).",
        "clauses": clauses,
        "plugins": [{"tree": _config(kind, vector)}],
        "services": ["commands"],
        "steps": steps,
    }


def _config(kind: str, vector: Vector) -> dict[str, Any]:
    if kind == "pause" or vector.get("mode") == "on+auto":
        return {"autoContinue": True}
    config: dict[str, Any] = vector.get("config", {})
    return config
