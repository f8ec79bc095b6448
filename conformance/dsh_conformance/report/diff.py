"""
Two runs compared: what changed, and which side of the table it changed on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dsh_conformance.report.textdiff import shown
from dsh_conformance.report.told import Report

# From best to worst; `not run` and the like are no verdict either way.
_RANK = {"passed": 0, "unverified": 1, "failed": 2}
ABSENT = "absent"


@dataclass(frozen=True)
class Change:
    """
    A clause whose outcome is not what it was.

    Attributes:
        clause: Its id.
        before: The old outcome, or that it was not in the run.
        after: The new one.
        cases: Cases of it that changed, each as `id: before → after`.
    """

    clause: str
    before: str
    after: str
    cases: tuple[str, ...]

    @property
    def is_worse(self) -> bool:
        """
        Whether something that held is now broken or in doubt.
        """
        return _RANK.get(self.after, -1) > _RANK.get(self.before, 0)


@dataclass(frozen=True)
class Comparison:
    """
    What two runs differ in.

    Attributes:
        suite: What changed in the suite.
        implementation: What changed in the implementation.
        doubts: Why the two may not be comparable.
        changes: The clauses with another outcome.
    """

    suite: tuple[str, ...]
    implementation: tuple[str, ...]
    doubts: tuple[str, ...]
    changes: tuple[Change, ...]

    @property
    def who(self) -> str:
        """
        Which side changed, in one sentence.
        """
        sides = {
            (True, True): "The implementation and the suite both changed.",
            (True, False): "The implementation changed; the suite did not.",
            (False, True): "The suite changed; the implementation did not.",
            (False, False): "Neither the implementation nor the suite changed, as far as digests "
            "tell: what differs is flaky, or lies in the surroundings.",
        }
        return sides[bool(self.implementation), bool(self.suite)]

    @property
    def is_worse(self) -> bool:
        """
        Whether any clause got worse.
        """
        return any(change.is_worse for change in self.changes)


def compare(old: Report, new: Report) -> Comparison:
    """
    Compare two runs.
    """
    return Comparison(
        suite=tuple(_differences(old, new, _SUITE)),
        implementation=tuple(_differences(old, new, _IMPLEMENTATION)),
        doubts=tuple(_doubts(old, new)),
        changes=tuple(_changes(old, new)),
    )


_SUITE = {
    "version": ("suite", "version"),
    "clauses": ("suite", "specDigest"),
    "scenarios": ("suite", "fixturesDigest"),
}
_IMPLEMENTATION = {
    "name": ("implementation", "name"),
    "version": ("implementation", "version"),
    "build": ("adapter", "build"),
    "adapter": ("adapter", "digest"),
    "capabilities": ("implementation", "capabilities"),
}


def _differences(old: Report, new: Report, fields: dict[str, tuple[str, str]]) -> Iterator[str]:
    for name, (part, key) in fields.items():
        before, after = old.data[part][key], new.data[part][key]
        if before != after:
            yield f"{name} {_short(before)} → {_short(after)}"


def _short(value: Any) -> str:
    text = ", ".join(value) if isinstance(value, list) else str(value or "unknown")
    return text[:12] if len(text) == 64 else text


def _doubts(old: Report, new: Report) -> Iterator[str]:
    before, after = old.data["edition"]["name"], new.data["edition"]["name"]
    if before != after:
        yield f"the editions differ: {before} and {after}"
    for name, report in (("old", old), ("new", new)):
        if not report.data["complete"]:
            yield f"the {name} run is incomplete: {report.data['incompleteReason']}"
    chosen = ("plugins", "clauses", "cases", "shard", "strict")
    if any(old.data["run"][key] != new.data["run"][key] for key in chosen):
        yield "the runs did not choose the same cases"


def _changes(old: Report, new: Report) -> Iterator[Change]:
    renamed = {former: name for name, clause in new.clauses.items() for former in clause["aliases"]}
    before = {renamed.get(name, name): outcome for name, outcome in _outcomes(old).items()}
    after = _outcomes(new)
    cases = _changed_cases(old, new)
    for clause in sorted({**before, **after}):
        was, now = before.get(clause, ABSENT), after.get(clause, ABSENT)
        if was != now:
            yield Change(clause, was, now, tuple(cases.get(clause, ())))


def _outcomes(report: Report) -> dict[str, str]:
    return {name: clause["outcome"] for name, clause in report.clauses.items()}


def _changed_cases(old: Report, new: Report) -> dict[str, list[str]]:
    before = {case["id"]: case["outcome"] for case in old.cases}
    changed: dict[str, list[str]] = {}
    for case in new.cases:
        was = before.get(case["id"], "new")
        if was != case["outcome"]:
            for clause in case["clauses"]:
                line = f"{case['id']}: {was} → {case['outcome']}"
                changed.setdefault(clause, []).append(line)
    return changed


def lines(comparison: Comparison) -> Iterator[str]:
    """
    Yield the comparison as text, which is Markdown as well.
    """
    yield comparison.who
    for name in ("implementation", "suite"):
        for difference in getattr(comparison, name):
            yield f"- {name}: {shown(difference)}"
    for doubt in comparison.doubts:
        yield f"- take care: {shown(doubt)}"
    yield ""
    if not comparison.changes:
        yield "No clause changed its outcome."
    for title, worse in (("Worse", True), ("Otherwise changed", False)):
        chosen = [one for one in comparison.changes if one.is_worse is worse]
        if chosen:
            yield f"{title} ({len(chosen)}):"
            for change in chosen:
                yield f"- {change.clause}: {change.before} → {change.after}"
                yield from (f"  - {shown(case)}" for case in change.cases)
