"""
Several implementations side by side, clause by clause.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from dsh_conformance.report.markdown import escaped, inline
from dsh_conformance.report.textdiff import shown
from dsh_conformance.report.told import Report

SIGNS = {
    "passed": "✓",
    "failed": "✗",
    "unverified": "?",
    "not applicable": "–",
    "not run": "·",
    "untestable": "·",
}
ABSENT = " "
LEGEND = "✓ passed, ✗ failed, ? unverified, – not applicable, · not run"
_PAGE_STYLE = Path(__file__).parent / "html" / "page.css"


@dataclass(frozen=True)
class Matrix:
    """
    Outcomes by clause and implementation.

    Attributes:
        columns: The implementations, made different by their edition or number where they must be.
        verdicts: What each run added up to.
        rows: Clause id, level, and an outcome for each column; None where it has no such clause.
    """

    columns: tuple[str, ...]
    verdicts: tuple[str, ...]
    rows: tuple[tuple[str, str, tuple[str | None, ...]], ...]


def matrix(reports: Sequence[Report], *, differing: bool = False) -> Matrix:
    """
    Put reports side by side.

    Args:
        reports: One for each column.
        differing: Whether to leave out the clauses on which all agree.
    """
    names = list(dict.fromkeys(name for report in reports for name in report.clauses))
    rows = []
    for name in names:
        found = [report.clauses.get(name) for report in reports]
        outcomes = tuple(one["outcome"] if one else None for one in found)
        if set(outcomes) <= {"untestable", "not run", None} or (
            differing and len(set(outcomes)) == 1
        ):
            continue
        level = next(one["level"] for one in found if one)
        rows.append((name, level, outcomes))
    verdicts = tuple(report.data["run"]["verdict"] for report in reports)
    return Matrix(_columns(reports), verdicts, tuple(rows))


def _columns(reports: Sequence[Report]) -> tuple[str, ...]:
    names = [shown(report.title) for report in reports]
    if len(set(names)) < len(names):
        editions = [report.data["edition"]["name"] for report in reports]
        names = [f"{name}, {edition}" for name, edition in zip(names, editions, strict=True)]
    if len(set(names)) < len(names):
        names = [f"{name} #{number}" for number, name in enumerate(names, 1)]
    return tuple(names)


def _sign(outcome: str | None) -> str:
    return ABSENT if outcome is None else SIGNS[outcome]


def as_text(table: Matrix) -> Iterator[str]:
    """
    Yield lines of plain text, the implementations numbered.
    """
    for number, (name, verdict) in enumerate(zip(table.columns, table.verdicts, strict=True), 1):
        yield f"{number:>2}  {name}: {verdict}"
    yield ""
    width = max((len(name) for name, _, _ in table.rows), default=6)
    numbers = " ".join(f"{number:>2}" for number in range(1, len(table.columns) + 1))
    yield f"{'clause':<{width}}  level   {numbers}"
    for name, level, outcomes in table.rows:
        yield f"{name:<{width}}  {level:<6}  {' '.join(f' {_sign(one)}' for one in outcomes)}"
    yield ""
    yield LEGEND


def as_markdown(table: Matrix) -> Iterator[str]:
    """
    Yield the lines of a Markdown table.
    """
    yield f"| clause | level | {' | '.join(map(inline, table.columns))} |"
    yield f"| --- | --- |{' :---: |' * len(table.columns)}"
    yield f"| **verdict** | | {' | '.join(table.verdicts)} |"
    for name, level, outcomes in table.rows:
        yield f"| {name} | {level} | {' | '.join(map(_sign, outcomes))} |"
    yield ""
    yield LEGEND


def as_html(table: Matrix) -> Iterator[str]:
    """
    Yield the lines of a page that needs no script and no network.
    """
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    yield (
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">"
    )
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield '<meta name="color-scheme" content="light dark"><title>Conformance, side by side</title>'
    yield f"<style>{_PAGE_STYLE.read_text('utf-8')}</style></head><body><main>"
    yield f"<h1>Conformance, side by side</h1><p>{LEGEND}</p>"
    yield '<div class="wide" tabindex="0" role="region" aria-label="Matrix"><table><thead><tr>'
    heads = ("clause", "level", *table.columns)
    yield "".join(f'<th scope="col">{escaped(name)}</th>' for name in heads)
    yield '</tr></thead><tbody><tr><th scope="row">verdict</th><td></td>'
    yield "".join(f"<td>{verdict}</td>" for verdict in table.verdicts) + "</tr>"
    for name, level, outcomes in table.rows:
        cells = "".join(_cell(outcome) for outcome in outcomes)
        yield f'<tr><th scope="row">{escaped(name)}</th><td>{level}</td>{cells}</tr>'
    yield "</tbody></table></div></main></body></html>"


def _cell(outcome: str | None) -> str:
    if outcome is None:
        return "<td></td>"
    return f'<td class="{outcome.replace(" ", "-")}">{SIGNS[outcome]} {outcome}</td>'


RENDERERS = {"text": as_text, "markdown": as_markdown, "html": as_html}
