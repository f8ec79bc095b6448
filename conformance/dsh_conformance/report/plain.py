"""
A report as the terminal would show it, in plain text.
"""

from __future__ import annotations

import io
from datetime import date
from pathlib import Path
from typing import Any

from rich.console import Console

from dsh_conformance.adapter.protocol import AdapterInfo
from dsh_conformance.contract.catalogue import Contract
from dsh_conformance.contract.clauses import make_clause
from dsh_conformance.contract.documents import Document
from dsh_conformance.contract.editions import Edition
from dsh_conformance.report.document import case_result
from dsh_conformance.report.terminal import TerminalReport
from dsh_conformance.report.text import case_text
from dsh_conformance.report.told import Report
from dsh_conformance.run.known.entries import Entry
from dsh_conformance.run.known.ledger import Status
from dsh_conformance.run.settings import Settings
from dsh_conformance.run.summary import Summary
from dsh_conformance.scenario.results import CaseResult

WIDTH = 100


def render(report: Report) -> str:
    """
    Return the run as text.
    """
    file = io.StringIO()
    replay(report, TerminalReport(Console(file=file, width=WIDTH, highlight=False)))
    return file.getvalue()


def replay(report: Report, listener: TerminalReport) -> None:
    """
    Tell a listener of a run that is over.
    """
    summary = summary_of(report)
    listener.started(settings_of(report), info_of(report), report.data["run"]["planned"])
    for result in summary.results:
        listener.played(result)
    listener.finished(summary)


def case_story(case: dict[str, Any], report: Report) -> str:
    """
    Return a failed case as text.
    """
    return case_text(case_result(case), contract_of(report))


def contract_of(report: Report) -> Contract:
    """
    Return the contract as the report has it.
    """
    about = report.data["edition"]
    edition = Edition(about["name"], about["about"], {}, (), Document(Path("report"), {}, {}))
    clauses = {
        name: make_clause(clause, clause["plugin"], clause["where"])
        for name, clause in report.clauses.items()
    }
    return Contract(edition, clauses)


def settings_of(report: Report) -> Settings:
    """
    Return the settings of the run.
    """
    data, run = report.data, report.data["run"]
    return Settings(
        adapter=data["adapter"]["command"], edition=data["edition"]["name"], strict=run["strict"]
    )


def info_of(report: Report) -> AdapterInfo:
    """
    Return what the adapter said of itself.
    """
    said = report.data["implementation"]
    return AdapterInfo.from_result({"implementation": _present(said), **said})


def _present(said: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in said.items() if value is not None}


def summary_of(report: Report) -> Summary:
    """
    Return the results, with the books of known failures closed.
    """
    books = ClosedBooks(tuple(map(_status, report.data["knownFailures"])))
    summary = Summary(contract_of(report), strict=report.data["run"]["strict"], ledger=books)
    for case in report.cases:
        summary.add(case_result(case))
    if not report.data["complete"]:
        summary.broken_off = report.data["incompleteReason"]
    summary.remarks = report.remarks
    return summary


class ClosedBooks:
    """
    Known failures as a report has them.
    """

    def __init__(self, statuses: tuple[Status, ...]) -> None:
        self.statuses = statuses

    def mark(self, result: CaseResult) -> CaseResult:
        """
        Return it as it is: it was marked before.
        """
        return result

    def add(self, result: CaseResult) -> None:
        """
        Do nothing: it was noted before.
        """

    def finish(self) -> tuple[Status, ...]:
        """
        Return what became of each entry.
        """
        return self.statuses


def _status(data: dict[str, Any]) -> Status:
    entry = Entry(
        case=data["case"],
        clause=data["clause"],
        grade=data["grade"],
        seen=tuple(data["expected"]),
        kind=data["kind"],
        reason=data["reason"],
        issue=data["issue"],
        expires=date.fromisoformat(data["expires"]) if data["expires"] else None,
        where=data["where"],
        index=0,
    )
    return Status(entry, data["state"], tuple(data["seen"]), tuple(data["passed"]))
