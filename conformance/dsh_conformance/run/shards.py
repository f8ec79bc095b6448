"""
A run in parts, for several machines at once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from dsh_conformance.errors import UsageError
from dsh_conformance.scenario.model import Scenario


def shard(
    scenarios: Sequence[Scenario], part: tuple[int, int], seconds: Mapping[str, float]
) -> list[Scenario]:
    """
    Return one of several parts, in order; each case is in exactly one of them.

    Args:
        scenarios: All of them.
        part: Which, from 1, and of how many.
        seconds: How long cases took before; empty to count them alone.
    """
    number, whole = part
    if not seconds:
        return list(scenarios[number - 1 :: whole])
    mine = _balanced([one.id for one in scenarios], whole, seconds)[number - 1]
    return [scenario for scenario in scenarios if scenario.id in mine]


def _balanced(cases: list[str], whole: int, seconds: Mapping[str, float]) -> list[set[str]]:
    # The longest first, each to the part that has least: no part gets more than 4/3 of its due.
    usual = median(seconds.values())
    parts: list[set[str]] = [set() for _ in range(whole)]
    loads = [0.0] * whole
    for case in sorted(cases, key=lambda one: (-seconds.get(one, usual), one)):
        least = loads.index(min(loads))
        parts[least].add(case)
        loads[least] += seconds.get(case, usual)
    return parts


def recorded_seconds(path: Path | None) -> dict[str, float]:
    """
    Return how long each case took, from a JSON report.

    Raises:
        UsageError: The file is not such a report.
    """
    if path is None:
        return {}
    try:
        data: Any = json.loads(path.read_text("utf-8"))
        return {case["id"]: float(case["seconds"]) for case in data["cases"]}
    except OSError as error:
        what = f"cannot be read: {error.strerror}"
    except (ValueError, KeyError, TypeError):
        what = "not a JSON report of a run"
    raise UsageError(what, f"--durations {path}", hint="write one with `run --report json=FILE`")
