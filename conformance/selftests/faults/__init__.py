"""
Planted faults: the reference, wrong in exactly one way each.

`FAULTS` holds them by name. Each is an adapter: `faults:NAME` in-process, `python -m faults NAME`
over stdio, both with this folder's parent on the path.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import yaml

from faults import kit, tasks, todo, tree
from faults.kit import Fault, FaultyAdapter

__all__ = ["FAULTS", "Fault", "tasks", "todo", "tree"]

_PLANTED = {
    name: fault
    for planter in (kit.todo, kit.tasks, kit.tree)
    for name, fault in planter.faults.items()
}
_HERE = Path(__file__).parent


def _listed(name: str) -> Any:
    return yaml.safe_load((_HERE / name).read_text("utf-8"))


_ALSO = _listed("consequences.yaml")
_WORDING = {name for group in _listed("wording.yaml") for name in group["faults"]}

FAULTS: dict[str, Fault] = {
    name: replace(fault, also=frozenset(_ALSO.get(name, ())), wording=name in _WORDING)
    for name, fault in _PLANTED.items()
}


def __getattr__(name: str) -> Any:
    """
    Return what makes the adapter of a fault.
    """
    if name not in FAULTS:
        raise AttributeError(f"no fault is called {name!r}")
    return partial(FaultyAdapter, FAULTS[name])
