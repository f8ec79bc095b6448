"""
A run as one document of plain data: what the JSON report holds, and what every other is made of.
"""

from __future__ import annotations

import os
import platform
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from dsh_conformance import __version__
from dsh_conformance.adapter.protocol import AdapterInfo
from dsh_conformance.contract.clauses import Clause
from dsh_conformance.paths import fixtures_root, spec_root
from dsh_conformance.report.digests import adapter_digest, tree_digest
from dsh_conformance.run.known.ledger import Status
from dsh_conformance.run.settings import Settings
from dsh_conformance.run.summary import CONFORMANT, NON_CONFORMANT, Summary
from dsh_conformance.scenario.results import CaseResult

FORMAT = "dsh-conformance-report"
VERSION = 1
VERDICTS = {CONFORMANT: "conformant", NON_CONFORMANT: "non-conformant"}
_PLACES = {"where", "step", "reason", "known", "places"}


@dataclass(frozen=True)
class Head:
    """
    What is known when a run starts.

    Attributes:
        settings: What was asked.
        info: What the adapter said of itself.
        total: How many cases there are to play.
        started: When.
        digests: Of the suite's data and of the adapter.
    """

    settings: Settings
    info: AdapterInfo
    total: int
    started: datetime = field(default_factory=lambda: datetime.now(UTC))
    digests: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, settings: Settings, info: AdapterInfo, total: int) -> Head:
        """
        Take the digests at the start, before anything can change below the run's feet.
        """
        digests = {
            "spec": tree_digest(spec_root()),
            "fixtures": tree_digest(settings.fixtures or fixtures_root()),
            "adapter": adapter_digest(settings.adapter),
        }
        return cls(settings, info, total, digests=digests)


def document(head: Head, summary: Summary, *, over: bool = True) -> dict[str, Any]:
    """
    Return a run as plain data (`spec/schemas/report.schema.json`).

    Args:
        head: What was known at its start.
        summary: What came of it.
        over: Whether it is over; if so, the books of known failures are closed.
    """
    unfinished = summary.broken_off or _missing(head, summary)
    data = {
        "format": FORMAT,
        "version": VERSION,
        "complete": not unfinished,
        "incompleteReason": unfinished,
        "suite": _suite(head),
        "edition": _edition(summary),
        "adapter": _adapter(head),
        "implementation": _implementation(head.info),
        "environment": _environment(),
        "run": {**_times(head), **_selection(head), **_verdict(summary, over=over)},
        "totals": {
            "cases": dict(summary.counts()),
            "clauses": dict(Counter(summary.clause_outcomes().values())),
        },
        "clauses": _clauses(summary),
        "cases": [case_data(result) for result in summary.results],
        "knownFailures": [_status(one) for one in summary.known_failures()] if over else [],
        "remarks": list(summary.remarks),
    }
    prefixes = _prefixes(head.settings)
    return {key: _shortened(value, prefixes, key) for key, value in data.items()}


def case_data(result: CaseResult) -> dict[str, Any]:
    """
    Return a case as plain data.
    """
    data = result.to_json()
    data["adapterSeconds"] = data.pop("adapter_seconds")
    return data


def case_result(data: dict[str, Any]) -> CaseResult:
    """
    Read what `case_data` returned.
    """
    seconds = {"adapter_seconds": data["adapterSeconds"]}
    rest = {key: value for key, value in data.items() if key != "adapterSeconds"}
    return CaseResult.from_json({**rest, **seconds})


def _missing(head: Head, summary: Summary) -> str:
    played = len(summary.results)
    return "" if played == head.total else f"{played} of {head.total} cases were played"


def _suite(head: Head) -> dict[str, Any]:
    return {
        "name": "dsh-conformance",
        "version": __version__,
        "specDigest": head.digests.get("spec"),
        "fixturesDigest": head.digests.get("fixtures"),
    }


def _edition(summary: Summary) -> dict[str, Any]:
    edition = summary.contract.edition
    return {"name": edition.name, "about": edition.about}


def _adapter(head: Head) -> dict[str, Any]:
    return {
        "command": head.settings.adapter,
        "digest": head.digests.get("adapter"),
        "build": head.settings.build,
    }


def _implementation(info: AdapterInfo) -> dict[str, Any]:
    return {
        "name": info.name,
        "version": info.version,
        "language": info.language,
        "homepage": info.homepage,
        "editions": list(info.editions),
        "capabilities": sorted(info.capabilities),
        "clock": info.clock,
    }


def _environment() -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "platform": platform.platform(),
        "pytest": version("pytest"),
        "ci": bool(os.environ.get("CI")),
    }


def _times(head: Head) -> dict[str, Any]:
    now = datetime.now(UTC)
    return {
        "started": head.started.isoformat(timespec="seconds"),
        "finished": now.isoformat(timespec="seconds"),
        "seconds": round((now - head.started).total_seconds(), 3),
    }


def _selection(head: Head) -> dict[str, Any]:
    settings = head.settings
    return {
        "planned": head.total,
        "strict": settings.strict,
        "plugins": list(settings.plugins),
        "clauses": list(settings.clauses),
        "cases": list(settings.cases),
        "shard": "/".join(map(str, settings.shard)),
    }


def _verdict(summary: Summary, *, over: bool) -> dict[str, Any]:
    if not over:
        return {"exitStatus": None, "verdict": "unfinished"}
    status = summary.exit_status()
    return {"exitStatus": status, "verdict": VERDICTS.get(status, "unverified")}


def _clauses(summary: Summary) -> list[dict[str, Any]]:
    outcomes = summary.clause_outcomes()
    cases: dict[str, list[str]] = {name: [] for name in outcomes}
    news: set[str] = set()
    for result in summary.results:
        news |= {failure.clause for failure in result.failures if not failure.known}
        for name in dict.fromkeys((*result.clauses, *(one.clause for one in result.failures))):
            cases.setdefault(name, []).append(result.id)
    return [
        {
            **clause_data(clause),
            "outcome": outcomes[name],
            "known": outcomes[name] == "failed" and name not in news,
            "cases": cases[name],
        }
        for name, clause in summary.contract.clauses.items()
    ]


def clause_data(clause: Clause) -> dict[str, Any]:
    """
    Return a clause as plain data.
    """
    return {
        "id": clause.id,
        "plugin": clause.plugin,
        "level": clause.level,
        "statement": clause.statement,
        "text": list(clause.text),
        "needs": sorted(clause.needs),
        "provenance": {clause.provenance.kind: clause.provenance.detail},
        "source": str(clause.provenance),
        "aliases": list(clause.aliases),
        "untestable": clause.untestable,
        "where": clause.where,
    }


def _status(status: Status) -> dict[str, Any]:
    entry = status.entry
    return {
        "where": entry.where,
        "case": entry.case,
        "clause": entry.clause,
        "grade": entry.grade,
        "expected": list(entry.seen),
        "kind": entry.kind,
        "reason": entry.reason,
        "issue": entry.issue,
        "expires": entry.expires.isoformat() if entry.expires else None,
        "state": status.state,
        "seen": list(status.seen),
        "passed": list(status.passed),
    }


def _prefixes(settings: Settings) -> dict[str, str]:
    # Where this machine keeps its files tells a reader nothing, and two runs would differ by it.
    found = {
        f"{fixtures_root()}{os.sep}": "fixtures/",
        f"{spec_root()}{os.sep}": "spec/",
        f"{Path.cwd()}{os.sep}": "",
    }
    if settings.fixtures is not None:
        found = {f"{settings.fixtures.resolve()}{os.sep}": "scenarios/", **found}
    return found


def _shortened(data: Any, prefixes: dict[str, str], key: str = "") -> Any:
    if isinstance(data, dict):
        return {name: _shortened(value, prefixes, name) for name, value in data.items()}
    if isinstance(data, list | tuple):
        return [_shortened(value, prefixes, key) for value in data]
    if isinstance(data, str) and key in _PLACES:
        for prefix, short in prefixes.items():
            data = data.replace(prefix, short)
    return data
