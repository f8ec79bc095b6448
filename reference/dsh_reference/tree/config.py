"""
The settings of the tree, with what each may be.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dsh_reference.errors import LoadFailed

DEFAULTS: Mapping[str, Any] = {
    "enabled": True,
    "autoContinue": False,
    "maxAutoRounds": 5,
    "promptOrder": 1800,
    "rootDir": None,
}


@dataclass(frozen=True)
class TreeConfig:
    """
    Settings as the plugin uses them: only the boolean true switches something on.
    """

    enabled: bool
    auto_continue: bool
    rounds: int
    prompt_order: float
    root: Path


def read_config(given: Mapping[str, Any], state_dir: Path | None) -> TreeConfig:
    """
    Merge given settings over the defaults, one by one.

    Raises:
        LoadFailed: A setting has a value that it cannot have.
    """
    merged = {**DEFAULTS, **given}
    return TreeConfig(
        enabled=merged["enabled"] is True,
        auto_continue=merged["autoContinue"] is True,
        rounds=_rounds(merged["maxAutoRounds"]),
        prompt_order=_number("promptOrder", merged["promptOrder"]),
        root=_root(merged["rootDir"], state_dir),
    )


def _rounds(value: Any) -> int:
    number = _number("maxAutoRounds", value)
    if number < 0 or number != int(number):
        raise _refused("maxAutoRounds", "a whole number from 0", value)
    return int(number)


def _number(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _refused(name, "a number", value)
    return value


def _root(value: Any, state_dir: Path | None) -> Path:
    if value is None and state_dir is None:
        raise LoadFailed("dsh-tree-task-flow: no state folder; set rootDir, or give the host one")
    if value is not None and not isinstance(value, str):
        raise _refused("rootDir", "text or null", value)
    return Path(value) if value else Path(state_dir or "")


def _refused(name: str, wanted: str, value: Any) -> LoadFailed:
    return LoadFailed(f"dsh-tree-task-flow: {name} must be {wanted}, got {value!r}")
