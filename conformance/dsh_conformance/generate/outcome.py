"""
What a machine's search means for its case.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dsh_conformance.adapter.connection import Connection
from dsh_conformance.contract.catalogue import Contract
from dsh_conformance.errors import AdapterNeverUp, DshError
from dsh_conformance.generate.export import Origin, write
from dsh_conformance.generate.finding import Finding
from dsh_conformance.generate.machine import Machine
from dsh_conformance.generate.program import RawStep
from dsh_conformance.generate.search import Outcome
from dsh_conformance.scenario.loader import load_scenario
from dsh_conformance.scenario.player import play
from dsh_conformance.scenario.render import value_text
from dsh_conformance.scenario.results import CaseResult, Exchange, Failure


@dataclass(frozen=True)
class Context:
    """
    What is needed to tell of a search.

    Attributes:
        contract: The edition's contract.
        origin: Where its findings come from.
        folder: Where they are written, or None.
        connection: The implementation, to play them once as scenarios.
    """

    contract: Contract
    origin: Origin
    folder: Path | None
    connection: Connection


def case_result(machine: Machine, found: Outcome, context: Context) -> CaseResult:
    """
    Return the case of a machine: failed, unverified or passed.
    """
    failed = [one for one in found.findings if one.kind == "failed"]
    doubtful = [one for one in found.findings if one.kind != "failed"]
    known = tuple(name for name in machine.clauses if name in context.contract.clauses)
    outcome = "failed" if failed else "unverified" if doubtful else "passed"
    told = failed or doubtful
    return CaseResult(
        id=machine.case,
        outcome=outcome,  # type: ignore[arg-type]  # One of the four, above.
        clauses=known,
        failures=tuple(_failure(one, context) for one in failed),
        reason="; ".join(one.reason for one in doubtful) if not failed else "",
        kind=doubtful[0].kind if doubtful and not failed else "",
        script=tuple(line for one in told for line in _script(one, several=len(told) > 1)),
        transcript=tuple(_transcripts(told[0])) if told else (),
        seconds=found.seconds,
    )


def _failure(finding: Finding, context: Context) -> Failure:
    where, note = f"step {finding.index + 1}", ""
    if context.folder is not None:
        path = write(finding, context.contract, context.origin, context.folder)
        where, note = _as_scenario(path, finding, context)
    return Failure(
        clause=finding.clause,
        where=where,
        key=finding.key,
        grade=finding.grade,
        differences=finding.differences,
        note="; ".join(part for part in (finding.law, note) if part),
    )


def _as_scenario(path: Path, finding: Finding, context: Context) -> tuple[str, str]:
    note = f"replay: dsh-conformance replay {path}"
    try:
        scenario = load_scenario(
            path, path.parent, context.contract, frozenset(context.contract.clauses)
        )
        result = play(scenario, context.connection, context.contract)
    except AdapterNeverUp:
        raise
    except DshError as error:
        return str(path), f"the file needs a hand: {error.what}"
    if result.outcome == "failed":
        return result.failures[0].where, note
    return str(path), f"{note} (played alone it {result.outcome}; law: {finding.law or 'none'})"


def _script(finding: Finding, *, several: bool) -> list[str]:
    head = [f"{finding.clause or finding.kind}:"] if several else []
    return head + [step_text(step) for step in finding.program.steps]


def step_text(step: RawStep) -> str:
    """
    Return a step as one line of a script.
    """
    shown = (key for key in step if key not in {"bind", "says"})
    return ", ".join(f"{key}: {value_text(step[key])}" for key in shown)


def _transcripts(finding: Finding) -> list[Exchange]:
    several = len(finding.transcripts) > 1
    return [
        Exchange(
            f"run {run}, {one.step}" if several else one.step, one.method, one.params, one.reply
        )
        for run, calls in enumerate(finding.transcripts, 1)
        for one in calls
    ]
