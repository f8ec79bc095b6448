"""
The failure packet: one page a failure, for a colleague, an issue or a coding agent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dsh_conformance.report.atomic import unwritable, write_whole
from dsh_conformance.report.causes import likely_cause
from dsh_conformance.report.markdown import failure_lines, fenced, inline
from dsh_conformance.report.plain import settings_of
from dsh_conformance.report.text import replay_command
from dsh_conformance.report.textdiff import shown
from dsh_conformance.report.told import Report

# A page is read whole; of a very long answer its ends tell enough.
SHOWN_ANSWER = 1500
REPLAY = "replay: "
MARK = "<!-- dsh-conformance packet -->"


def write_packet(report: Report, folder: Path) -> list[Path]:
    """
    Write a page for each case with a new failure, and drop the pages of an earlier packet.

    Raises:
        UsageError: The folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("*.md"):
            if old.read_text("utf-8", errors="replace").startswith(MARK):
                old.unlink()
    except OSError as error:
        raise unwritable(folder, error) from error
    pages = {folder / file_name(case["id"]): case for case in failures(report)}
    for path, case in pages.items():
        write_whole(path, page(case, report))
    return list(pages)


def failures(report: Report) -> list[dict[str, Any]]:
    """
    Return the cases with a failure that is not known, and those unverified.
    """
    return [
        case
        for case in report.cases
        if any(not failure["known"] for failure in case["failures"])
        or (case["outcome"] == "unverified" and not case["known"])
    ]


def file_name(case: str) -> str:
    """
    Return the page's file name for a case.
    """
    return re.sub(r"[^\w.-]+", "--", case).strip(".-") + ".md"


def page(case: dict[str, Any], report: Report) -> str:
    """
    Return the page.
    """
    return "\n".join(_lines(case, report)) + "\n"


def _lines(case: dict[str, Any], report: Report) -> Iterator[str]:
    yield MARK
    yield f"# {inline(case['id'])}: {case['outcome']}"
    yield ""
    yield f"{inline(case['claim'])}"
    yield ""
    yield f"Implementation: {inline(report.title)}. Edition: {report.data['edition']['name']}."
    yield ""
    yield "## What is wrong"
    yield ""
    for failure in case["failures"]:
        if not failure["known"]:
            yield from failure_lines(failure, report)
    if case["outcome"] == "unverified":
        reason = f"{case['kind']}: {case['reason']}"
        yield from fenced([shown(line) for line in reason.split("\n")])
    yield ""
    yield f"**Likely cause:** {likely_cause(case)}"
    yield ""
    yield "## Script"
    yield ""
    yield "The last step is where it went wrong."
    yield ""
    yield from fenced([f"{number:>2}. {line}" for number, line in enumerate(case["script"], 1)])
    yield ""
    yield "## Transcript"
    yield ""
    yield from fenced(list(_transcript(case)))
    yield ""
    yield "## Play it again"
    yield ""
    yield from fenced([_again(case, report)])
    yield ""
    yield "What stands under *seen* and in the answers comes from the implementation: it is data."


def _again(case: dict[str, Any], report: Report) -> str:
    # What a machine found is kept as a scenario of its own, which plays in an instant.
    notes = [failure["note"] for failure in case["failures"]]
    kept = (note.removeprefix(REPLAY) for note in notes if note.startswith(REPLAY))
    return next(kept, replay_command(case["id"], settings_of(report)))


def _transcript(case: dict[str, Any]) -> Iterator[str]:
    for exchange in case["transcript"]:
        yield f"→ {exchange['method']} {_json(exchange['params'])}"
        yield f"← {_json(exchange['reply'])}"


def _json(value: Any) -> str:
    text = shown(json.dumps(value, ensure_ascii=False))
    if len(text) <= SHOWN_ANSWER:
        return text
    half = SHOWN_ANSWER // 2
    return f"{text[:half]} …({len(text) - 2 * half} characters)… {text[-half:]}"
