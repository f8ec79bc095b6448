"""
What a run says should change in a file of known failures.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from dsh_conformance.run.known.coverage import Catalogue, covered, mistakes, present_names
from dsh_conformance.run.known.entries import Entry, KnownFile, is_glob
from dsh_conformance.run.known.fit import today
from dsh_conformance.run.known.ledger import Ledger, Status
from dsh_conformance.run.summary import Summary
from dsh_conformance.scenario.results import CaseResult, Failure

# Shorter than this, a text would be found in much that is something else.
SHORTEST_TEXT = 8


@dataclass
class Plan:
    """
    Changes to make.

    Attributes:
        removed: Why each entry goes, by its index.
        narrowed: Entries that take the place of removed ones.
        added: Entries for what is new, without reason and issue.
        expired: Entries that a person has to decide on.
    """

    removed: dict[int, str] = field(default_factory=dict)
    narrowed: list[dict[str, Any]] = field(default_factory=list)
    added: list[dict[str, Any]] = field(default_factory=list)
    expired: list[Entry] = field(default_factory=list)


def plan(
    file: KnownFile, catalogue: Catalogue, summary: Summary, results: Iterable[CaseResult]
) -> Plan:
    """
    Compare a file with what was seen.

    Args:
        file: The file.
        catalogue: What there is to cover.
        summary: Says which failures count; it takes in the results, marked.
        results: What was seen.

    Raises:
        DataError: The file has a mistake that only a person can mend.
    """
    found = Plan()
    entries = present_names(file, catalogue)
    for entry in entries:
        if not covered(entry, catalogue):
            found.removed[entry.index] = "there is no such clause or case any more"
    for mistake in mistakes(_without(file, found.removed), catalogue):
        raise mistake
    ledger = Ledger(
        tuple(one for one in entries if one.index not in found.removed), catalogue, today()
    )
    summary.ledger = ledger
    for result in results:
        summary.add(result)
    for status in ledger.finish():
        _settle(found, status)
    found.added = [entry for result in summary.results for entry in _news(result, summary)]
    return found


def _without(file: KnownFile, removed: dict[int, str]) -> KnownFile:
    kept = tuple(entry for entry in file.entries if entry.index not in removed)
    return KnownFile(file.path, file.edition, kept, file.document)


def _settle(found: Plan, status: Status) -> None:
    entry = status.entry
    if status.state == "expired":
        found.expired.append(entry)
    if status.state != "stale":
        return
    found.removed[entry.index] = f"no longer fails: {', '.join(status.passed)}"
    if entry.case is not None and is_glob(entry.case):
        found.narrowed += [_narrowed(entry, case) for case in status.seen]


def _narrowed(entry: Entry, case: str) -> dict[str, Any]:
    return _present(
        {
            "case": case,
            "clause": entry.clause,
            "grade": entry.grade,
            "seen": list(entry.seen) if len(entry.seen) > 1 else "".join(entry.seen),
            "kind": entry.kind if entry.kind != "failing" else None,
            "expires": entry.expires.isoformat() if entry.expires else None,
            "reason": entry.reason,
            "issue": entry.issue,
        }
    )


def _news(result: CaseResult, summary: Summary) -> Iterator[dict[str, Any]]:
    if result.outcome == "unverified" and not result.known:
        yield _present(
            {"case": result.id, "grade": "unverified", "seen": steady_part(result.reason)}
        )
        return
    seen: set[str] = set()
    for failure in summary.broken(result):
        if failure.clause not in seen:
            seen.add(failure.clause)
            yield _entry(result.id, failure)


def _entry(case: str, failure: Failure) -> dict[str, Any]:
    text = failure.differences[0].seen if failure.differences else ""
    return _present(
        {
            "case": case,
            "clause": failure.clause,
            "grade": failure.grade,
            "seen": steady_part(text),
        }
    )


def steady_part(text: str) -> str:
    """
    Return the longest part of a text's first line that holds no number, or nothing.

    Ids and counts differ from run to run; a text with one in it would not be found again.
    """
    line = text.strip().split("\n")[0]
    part = max(re.split(r"\S*\d\S*", line), key=len).strip()
    return part if len(part) >= SHORTEST_TEXT else ""


def _present(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if value}
