"""
A run as Markdown: for a job's summary page, or for a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from dsh_conformance.report.textdiff import bracketed, shown, text_diff
from dsh_conformance.report.told import Report

OUTCOMES = ("passed", "failed", "unverified", "not applicable", "not run", "untestable")
# A job summary is cut at a mebibyte; long before that nobody reads on.
SHOWN_CASES = 30
SHOWN_TEXT = 400
SHOWN_DIFFERENCES = 4
ICONS = {"conformant": "✅", "non-conformant": "❌", "unverified": "❔", "unfinished": "⏹"}


def render(report: Report) -> str:
    """
    Return the summary page.
    """
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    data = report.data
    verdict = data["run"]["verdict"]
    yield f"## {ICONS[verdict]} {inline(report.title)}: {verdict}"
    yield ""
    suite = f"dsh-conformance {data['suite']['version']}"
    yield f"Edition {data['edition']['name']}, {suite}. {_counts(report)}."
    if not data["complete"]:
        yield ""
        yield f"> **Incomplete:** {inline(data['incompleteReason'])}."
    for remark in report.remarks:
        yield ""
        yield f"> **Note:** {inline(remark)}."
    yield ""
    yield from _table(report)
    yield from _known_problems(report)
    failed = [case for case in report.cases if report.news(case)]
    yield from _section("Failed", failed, _failed_case, report)
    lesser = [case for case in report.cases if _ignored(report, case)]
    yield from _section("Failed, does not count", lesser, _failed_case, report)
    lost = [c for c in report.cases if c["outcome"] == "unverified" and not c["known"]]
    yield from _section("Unverified", lost, _unverified_case, report)
    yield from _known(report)


def _counts(report: Report) -> str:
    counts = report.data["totals"]["cases"]
    return (
        ", ".join(f"{counts[name]} {name}" for name in OUTCOMES if counts.get(name)) or "No cases"
    )


def _table(report: Report) -> Iterator[str]:
    yield f"| plugin | level | {' | '.join(OUTCOMES)} |"
    yield f"| --- | --- |{' ---: |' * len(OUTCOMES)}"
    for (plugin, level), counts in clause_table(report).items():
        cells = " | ".join(str(counts.get(outcome, 0)) for outcome in OUTCOMES)
        yield f"| {plugin} | {level} | {cells} |"


def clause_table(report: Report) -> dict[tuple[str, str], dict[str, int]]:
    """
    Return the number of clauses by outcome, for each plugin and level that was looked at.
    """
    table: dict[tuple[str, str], dict[str, int]] = {}
    for clause in report.clauses.values():
        counts = table.setdefault((clause["plugin"], clause["level"]), {})
        counts[clause["outcome"]] = counts.get(clause["outcome"], 0) + 1
    return {key: row for key, row in table.items() if not set(row) <= {"not run", "untestable"}}


def _ignored(report: Report, case: dict[str, Any]) -> bool:
    new = [failure for failure in case["failures"] if not failure["known"]]
    return bool(new) and not report.news(case)


def _section(title: str, cases: list[dict[str, Any]], page: Any, report: Report) -> Iterator[str]:
    if not cases:
        return
    yield ""
    yield f"### {title} ({len(cases)})"
    for case in cases[:SHOWN_CASES]:
        yield ""
        yield from page(case, report)
    if len(cases) > SHOWN_CASES:
        yield ""
        yield f"… and {len(cases) - SHOWN_CASES} more."


def _failed_case(case: dict[str, Any], report: Report) -> Iterator[str]:
    clauses = ", ".join(_code(failure["clause"]) for failure in case["failures"])
    yield f"<details><summary>{_code(case['id'])} breaks {clauses}</summary>"
    yield ""
    for failure in case["failures"]:
        yield from failure_lines(failure, report)
    yield "</details>"


def failure_lines(failure: dict[str, Any], report: Report) -> Iterator[str]:
    """
    Yield what a failure says: the clause, its source, expected and seen.
    """
    clause = report.clauses.get(failure["clause"])
    if clause is not None:
        head = f"**{failure['clause']}** ({clause['level']}, {failure['grade']})"
        yield f"{head}: {inline(clause['statement'])}  "
        yield f"*{inline(clause['source'])}*"
    if failure["note"]:
        yield f"\n{inline(failure['note'])}"
    for difference in failure["differences"][:SHOWN_DIFFERENCES]:
        yield ""
        yield from fenced(_difference(difference))
    more = len(failure["differences"]) - SHOWN_DIFFERENCES
    if more > 0:
        yield f"\n… and {more} more differences."
    yield ""


def _difference(difference: dict[str, Any]) -> list[str]:
    where = [f"in {shown(difference['path'])}"] if difference["path"] not in {"", "text"} else []
    if difference["text"]:
        left, right = text_diff(difference["expected"], difference["seen"])
        pair = bracketed(left), bracketed(right)
    else:
        pair = shown(difference["expected"]), shown(difference["seen"])
    return [*where, f"expected  {_cut(pair[0])}", f"seen      {_cut(pair[1])}"]


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN_TEXT else f"{text[:SHOWN_TEXT]}… ({len(text)} characters)"


def _unverified_case(case: dict[str, Any], report: Report) -> Iterator[str]:  # noqa: ARG001  # As for failed cases.
    yield f"`{case['id']}` ({inline(case['kind'])})"
    yield ""
    yield from fenced([shown(line) for line in case["reason"].split("\n")])


def _known_problems(report: Report) -> Iterator[str]:
    wrong = [one for one in report.data["knownFailures"] if one["state"] in {"stale", "expired"}]
    if not wrong:
        return
    yield ""
    yield f"### Known failures out of date ({len(wrong)})"
    yield ""
    for one in wrong:
        passed = (
            f": {', '.join(one['passed'])}" if one["state"] == "stale" else f" {one['expires']}"
        )
        yield f"- {one['state']}{inline(passed)} at {inline(one['where'])} ({inline(one['issue'])})"


def _known(report: Report) -> Iterator[str]:
    seen = [one for one in report.data["knownFailures"] if one["state"] == "seen"]
    if not seen:
        return
    yield ""
    yield f"### Known failures ({len(seen)})"
    yield ""
    for one in seen:
        name = " in ".join(part for part in (one["clause"], one["case"]) if part)
        yield f"- {inline(name)}: {inline(one['reason'])} ({one['kind']}, {inline(one['issue'])})"


def _code(text: str) -> str:
    return f"<code>{escaped(shown(text))}</code>"


def escaped(text: str) -> str:
    """
    Return a text that stands in HTML as itself.
    """
    return (
        text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    )


def inline(text: str) -> str:
    """
    Return a text of one line that Markdown shows as it is.
    """
    plain = escaped(shown(text.replace("\n", " ")))
    return re.sub(r"([\\`*_{}\[\]()#+!|~@])", r"\\\1", plain)


def fenced(lines: list[str]) -> Iterator[str]:
    """
    Yield a code block that its content cannot close.
    """
    longest = max((len(run) for line in lines for run in re.findall(r"`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    yield f"{fence}text"
    yield from lines
    yield fence
