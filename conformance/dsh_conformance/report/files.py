"""
The report files of a run: `--report FORMAT=FILE`.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from dsh_conformance.adapter.protocol import AdapterInfo
from dsh_conformance.contract.catalogue import load_contract
from dsh_conformance.contract.schema_check import suggestion
from dsh_conformance.errors import UsageError
from dsh_conformance.report.atomic import check_writable, write_whole
from dsh_conformance.report.document import Head, document
from dsh_conformance.report.formats import FORMATS, render
from dsh_conformance.report.packet import write_packet
from dsh_conformance.report.told import Report
from dsh_conformance.run.settings import Settings
from dsh_conformance.run.summary import Summary
from dsh_conformance.scenario.results import CaseResult

OPTION = "--report"
PACKET = "packet"
# A run that is killed leaves what it had by then; writing more often would cost the run itself.
SECONDS_BETWEEN_WRITES = 5.0


@dataclass(frozen=True)
class Target:
    """
    A report to be written.

    Attributes:
        form: Its format.
        path: The file, or the folder of a packet.
    """

    form: str
    path: Path


def parse_target(text: str) -> Target:
    """
    Read `FORMAT=FILE`, and see that the file can be written.

    Raises:
        UsageError: It is not of that form, or the place cannot be written.
    """
    form, equals, path = text.partition("=")
    known = [*FORMATS, PACKET]
    if not equals or not path:
        raise UsageError(
            "not FORMAT=FILE", OPTION, value=text, hint=f"for example json=run.json; {known=}"
        )
    if form not in known:
        raise UsageError("unknown format", OPTION, value=form, hint=suggestion(form, known))
    if form != PACKET:
        check_writable(Path(path))
    return Target(form, Path(path))


def report_files(texts: Iterable[str]) -> ReportFiles:
    """
    Return the listener that writes what `--report` options ask for.

    Raises:
        UsageError: One of them is wrong.
    """
    targets = tuple(map(parse_target, texts))
    for target in targets:
        if target.form == "junit":
            raise UsageError(
                "pytest writes that one itself", OPTION, value="junit", hint="--junit-xml FILE"
            )
    return ReportFiles(targets)


class ReportFiles:
    """
    Listens to a run and writes its reports.

    The JSON ones are there from the first case on, marked incomplete until the run is over.

    Args:
        targets: What to write.
    """

    def __init__(self, targets: tuple[Target, ...]) -> None:
        self.targets = targets
        self._head: Head | None = None
        self._summary: Summary | None = None
        self._written = 0.0

    def started(self, settings: Settings, info: AdapterInfo, total: int) -> None:
        """
        Note what is being checked.
        """
        if any(target.form != PACKET for target in self.targets):
            self._head = Head.of(settings, info, total)
        else:
            self._head = Head(settings, info, total)
        self._summary = Summary(load_contract(settings.edition), strict=settings.strict)
        self._summary.broken_off = "the run was killed"
        self._write_unfinished()

    def played(self, result: CaseResult) -> None:
        """
        Note a case, and write what there is from time to time.
        """
        assert self._summary is not None  # noqa: S101  # `started` comes first.
        self._summary.results.append(result)
        if time.monotonic() - self._written > SECONDS_BETWEEN_WRITES:
            self._write_unfinished()

    def finished(self, summary: Summary) -> None:
        """
        Write every report.
        """
        assert self._head is not None  # noqa: S101  # `started` comes first.
        report = Report(document(self._head, summary))
        for target in self.targets:
            if target.form == PACKET:
                write_packet(report, target.path)
            else:
                write_whole(target.path, render(report, target.form))

    def _write_unfinished(self) -> None:
        assert self._head is not None  # noqa: S101  # `started` comes first.
        assert self._summary is not None  # noqa: S101  # As above.
        report = Report(document(self._head, self._summary, over=False))
        for target in self.targets:
            if target.form == "json":
                write_whole(target.path, render(report, target.form))
        self._written = time.monotonic()
