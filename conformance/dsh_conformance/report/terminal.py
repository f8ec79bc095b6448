"""
The run on a terminal: a bar while it goes, a table, and each failure as a short story.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from dsh_conformance.adapter.protocol import AdapterInfo
from dsh_conformance.contract.clauses import Clause
from dsh_conformance.report.text import replay_command, transcript_lines
from dsh_conformance.report.textdiff import (
    CLOSE,
    OPEN,
    Piece,
    shortened,
    shown,
    shown_lines,
    text_diff,
)
from dsh_conformance.run.settings import Settings
from dsh_conformance.run.summary import CONFORMANT, NON_CONFORMANT, Summary
from dsh_conformance.scenario.results import CaseResult, Difference, Failure

if TYPE_CHECKING:
    from rich.progress import Progress

    from dsh_conformance.run.known.ledger import Status

STYLES = {
    "passed": "green",
    "failed": "bold red",
    "unverified": "yellow",
    "not applicable": "dim",
    "not run": "dim",
    "untestable": "dim",
}
MARKS = {"passed": "✓", "failed": "✗", "unverified": "?", "not applicable": "–"}
SHOWN_DIFFERENCES = 8


class TerminalReport:
    """
    Writes a run to a console.

    Args:
        console: Where to.
        verbose: Whether to show every case and the transcript of those that did not pass.
    """

    def __init__(self, console: Console, *, verbose: bool = False) -> None:
        self.console = console
        self.verbose = verbose
        self._settings = Settings()
        self._progress: Progress | None = None

    def started(self, settings: Settings, info: AdapterInfo, total: int) -> None:
        """
        Say what is being checked and set up the bar.
        """
        self._settings = settings
        line = Text().append(shown(f"{info.name} {info.version}"), "bold")
        line.append(f" ({shown(info.language)}), edition {settings.edition}, {total} cases")
        self.console.print(line)
        if self.console.is_terminal:
            from rich.progress import (  # noqa: PLC0415  # A file needs no bar.
                BarColumn,
                MofNCompleteColumn,
                Progress,
                TextColumn,
            )

            columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
            self._progress = Progress(*columns, console=self.console, transient=True)
            self._progress.start()
            self._progress.add_task("", total=total)

    def played(self, result: CaseResult) -> None:
        """
        Move the bar; name the case if it did not pass.
        """
        if self._progress is not None:
            self._progress.update(self._progress.task_ids[0], advance=1, description=result.id)
        if self.verbose or result.outcome in {"failed", "unverified"}:
            self._line(result)

    def finished(self, summary: Summary) -> None:
        """
        Write the failures, the table and the verdict.
        """
        if self._progress is not None:
            self._progress.stop()
        for result in summary.results:
            if self._silent(result):
                continue
            if result.outcome == "failed":
                self._failed(result, summary)
            elif result.outcome == "unverified":
                self._unverified(result)
            elif self.verbose and len(summary.results) == 1:
                self._transcript(result)
        self._table(summary)
        for status in summary.known_failures():
            self._known(status)
        if any(status.state == "stale" for status in summary.known_failures()):
            self._print(Text("  `dsh-conformance known-failures update` takes them out", "dim"))
        self._verdict(summary)

    def _silent(self, result: CaseResult) -> bool:
        return all_known(result) and not self.verbose

    def _known(self, status: Status) -> None:
        entry = status.entry
        if status.state == "expired":
            text = f"known failure expired on {entry.expires}: {entry.name}"
        elif status.state == "stale":
            text = f"known failure is out of date, this no longer fails: {', '.join(status.passed)}"
        else:
            return
        self._print(Text(f"{MARKS['failed']} {shown(text)}", "bold red"))
        self._print(Text(f"  at {entry.where}, {shown(entry.issue)}", "dim"))

    def _line(self, result: CaseResult) -> None:
        line = Text(f"{MARKS[result.outcome]} ", STYLES[result.outcome])
        line.append(result.id)
        if result.outcome == "not applicable":
            line.append(f"  {shown(result.reason)}", "dim")
        elif all_known(result):
            line.append(f"  {result.outcome}, known", "dim")
        elif result.outcome != "passed":
            line.append(f"  {result.outcome}", STYLES[result.outcome])
        self.console.print(line, soft_wrap=True)

    def _failed(self, result: CaseResult, summary: Summary) -> None:
        self._rule(result, "failed")
        for failure in result.failures:
            self._failure(failure, summary)
        self._script(result)
        self._replay(result)

    def _failure(self, failure: Failure, summary: Summary) -> None:
        clause = summary.contract.clauses.get(failure.clause)
        head = Text(failure.clause, "bold")
        if clause is not None:
            counted = "" if summary.counts_against(clause.id) else ", does not count"
            head.append(f" ({clause.level}{counted})")
        head.append(f"  {failure.grade}", "red" if failure.grade == "wrong effect" else "yellow")
        self._print(head)
        if clause is not None:
            self._clause(clause)
        self._print(Text(f"  at {failure.where}, {failure.key}", "dim"))
        if failure.known:
            self._print(Text(f"  known: {failure.known}", "yellow"))
        if failure.note:
            self._print(Text(f"  {failure.note}", "yellow"))
        for difference in failure.differences[:SHOWN_DIFFERENCES]:
            self._difference(difference)
        more = len(failure.differences) - SHOWN_DIFFERENCES
        if more > 0:
            self._print(Text(f"    … and {more} more differences", "dim"))

    def _clause(self, clause: Clause) -> None:
        self._print(Text(f"  {clause.statement}"))
        self._print(Text(f"  {clause.provenance}", "dim"))

    def _difference(self, difference: Difference) -> None:
        if difference.path not in {"", "text"}:
            self._print(Text(f"    in {difference.path}", "dim"))
        if difference.text:
            left, right = text_diff(difference.expected, difference.seen)
        else:
            left = [Piece(difference.expected, differs=False)]
            right = [Piece(difference.seen, differs=False)]
        self._print(Text("    expected  ", "green") + _marked(left, "bold green"))
        self._print(Text("    seen      ", "red") + _marked(right, "bold red"))

    def _unverified(self, result: CaseResult) -> None:
        self._rule(result, "unverified")
        self._print(Text(f"{result.kind}: {shown_lines(result.reason)}"))
        self._script(result)
        self._replay(result)

    def _script(self, result: CaseResult) -> None:
        for number, line in enumerate(result.script, 1):
            last = number == len(result.script)
            self._print(
                Text(f"  {'→' if last else ' '} {number:>2}. {line}", "" if last else "dim")
            )
        if self.verbose:
            self._transcript(result)

    def _transcript(self, result: CaseResult) -> None:
        self._print(Text("  transcript", "bold"))
        for line in transcript_lines(result.transcript):
            self._print(Text(line, "dim"))

    def _replay(self, result: CaseResult) -> None:
        self._print(Text(f"  replay: {replay_command(result.id, self._settings)}"))

    def _rule(self, result: CaseResult, outcome: str) -> None:
        self.console.print()
        self._print(Text(f"{MARKS[outcome]} {result.id}", STYLES[outcome]))

    def _table(self, summary: Summary) -> None:
        from rich.table import Table  # noqa: PLC0415  # The first verdict need not wait for it.

        outcomes = summary.clause_outcomes()
        table = Table(title="clauses", title_justify="left", box=None, pad_edge=False)
        table.add_column("plugin")
        table.add_column("level")
        for outcome in STYLES:
            table.add_column(outcome, justify="right")
        for (plugin, level), counts in summary.by_plugin(outcomes).items():
            if set(counts) <= {"not run", "untestable"}:
                continue
            cells = [
                Text(str(counts[outcome]), STYLES[outcome] if counts[outcome] else "dim")
                for outcome in STYLES
            ]
            table.add_row(plugin, level, *cells)
        self.console.print()
        self.console.print(table)

    def _verdict(self, summary: Summary) -> None:
        counts = summary.counts()
        cases = ", ".join(f"{counts[name]} {name}" for name in MARKS if counts[name])
        status = summary.exit_status()
        verdict = {CONFORMANT: "conformant", NON_CONFORMANT: "non-conformant"}.get(
            status, "unverified"
        )
        style = {CONFORMANT: "bold green", NON_CONFORMANT: "bold red"}.get(status, "bold yellow")
        self.console.print(Text(f"\n{verdict}", style) + Text(f": {cases or 'nothing was played'}"))
        if summary.broken_off:
            self._print(Text(f"incomplete: {shown(summary.broken_off)}", "bold yellow"))
        known = sum(all_known(result) for result in summary.results)
        if known:
            self._print(Text(f"{known} of these are known failures", "dim"))
        failed = [one for one in summary.results if one.outcome == "failed" and not all_known(one)]
        ignored = sum(not summary.broken(result) for result in failed)
        if ignored:
            self._print(
                Text(f"{ignored} failed at clauses below must; --strict counts them", "dim")
            )
        for remark in summary.remarks:
            self._print(Text(f"note: {shown(remark)}", "yellow"))

    def _print(self, text: Text) -> None:
        self.console.print(text, soft_wrap=True)


def all_known(result: CaseResult) -> bool:
    """
    Whether a case did not pass, and in no way that is news.
    """
    if result.outcome == "failed":
        return all(failure.known for failure in result.failures)
    return bool(result.known)


def _marked(pieces: list[Piece], style: str) -> Text:
    text = Text()
    for piece in pieces:
        words = shortened(piece.text)
        if piece.differs:
            text.append(f"{OPEN}{shown(words, everything=True)}{CLOSE}", style)
        else:
            text.append(shown(words))
    return text
