"""
A case as plain text: the clause, the script, expected and seen.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator

from dsh_conformance.contract.catalogue import Contract
from dsh_conformance.contract.editions import DEFAULT_EDITION
from dsh_conformance.generate.profiles import MACHINE_CASES, ORACLE, Generation
from dsh_conformance.report.textdiff import bracketed, shortened, shown, text_diff
from dsh_conformance.run.settings import REFERENCE, Settings
from dsh_conformance.scenario.results import CaseResult, Difference, Exchange, Failure

SHOWN_DIFFERENCES = 8


def case_text(result: CaseResult, contract: Contract) -> str:
    """
    Return everything that a reader needs to understand a failed case.
    """
    lines = [line for failure in result.failures for line in failure_lines(failure, contract)]
    return "\n".join([*lines, "", *script_lines(result)])


def failure_lines(failure: Failure, contract: Contract) -> Iterator[str]:
    """
    Yield the clause that is broken, and how.
    """
    clause = contract.clauses.get(failure.clause)
    level = clause.level if clause is not None else "must"
    yield f"{failure.clause} ({level}): {failure.grade}"
    if clause is not None:
        yield f"  {clause.statement}"
        yield f"  {clause.provenance}"
    yield f"  at {failure.where}, {failure.key}"
    if failure.note:
        yield f"  {failure.note}"
    for difference in failure.differences[:SHOWN_DIFFERENCES]:
        yield from difference_lines(difference)
    rest = len(failure.differences) - SHOWN_DIFFERENCES
    if rest > 0:
        yield f"  … and {rest} more differences"


def difference_lines(difference: Difference) -> Iterator[str]:
    """
    Yield expected and seen, one above the other.
    """
    if difference.path not in {"", "text"}:
        yield f"  in {difference.path}:"
    if difference.text:
        left, right = text_diff(difference.expected, difference.seen)
        yield f"    expected  {bracketed(left)}"
        yield f"    seen      {bracketed(right)}"
    else:
        yield f"    expected  {shown(shortened(difference.expected))}"
        yield f"    seen      {shown(shortened(difference.seen))}"


def script_lines(result: CaseResult) -> Iterator[str]:
    """
    Yield the steps that were played, numbered; the last one is where the case ended.
    """
    for number, line in enumerate(result.script, 1):
        mark = "→" if number == len(result.script) else " "
        yield f"  {mark} {number:>2}. {line}"


def transcript_lines(transcript: tuple[Exchange, ...]) -> Iterator[str]:
    """
    Yield every call on the wire and its answer.
    """
    for exchange in transcript:
        params = json.dumps(exchange.params, ensure_ascii=False)
        reply = json.dumps(exchange.reply, ensure_ascii=False)
        yield f"    {exchange.method} {shown(params)}"
        yield f"      → {shown(reply)}"


def replay_command(case: str, settings: Settings) -> str:
    """
    Return the command that plays just this case.
    """
    parts = ["dsh-conformance", "run"]
    if settings.adapter != REFERENCE:
        parts += ["--adapter", settings.adapter]
    if settings.edition != DEFAULT_EDITION:
        parts += ["--edition", settings.edition]
    if settings.fixtures is not None:
        parts += ["--scenarios", str(settings.fixtures)]
    if case in MACHINE_CASES and settings.generation is not None:
        parts += _machine_options(settings.generation)
    return shlex.join([*parts, "-v", case])


def _machine_options(generation: Generation) -> list[str]:
    options = ["--seed", str(generation.seed or 0), "--profile", generation.profile]
    if generation.examples is not None:
        options += ["--examples", str(generation.examples)]
    if generation.oracle != ORACLE:
        options += ["--oracle", generation.oracle]
    return options
