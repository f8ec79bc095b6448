"""
Plays scenarios on an adapter.
"""

from __future__ import annotations

import math
import time

from dsh_conformance.adapter.connection import Connection
from dsh_conformance.contract.catalogue import Contract
from dsh_conformance.errors import AdapterFailure
from dsh_conformance.scenario.case import Case
from dsh_conformance.scenario.clock import milliseconds
from dsh_conformance.scenario.model import Scenario, Step
from dsh_conformance.scenario.outcomes import Contradicted, NotApplicable, Unverified
from dsh_conformance.scenario.patterns import is_rest
from dsh_conformance.scenario.plays import run_all
from dsh_conformance.scenario.render import compact
from dsh_conformance.scenario.results import CaseResult, Outcome

# On an adapter that cannot move its clock the runner really waits; longer cases are left out.
LONGEST_REAL_WAIT_MS = 2000.0


def inapplicable(scenario: Scenario, connection: Connection) -> str | None:
    """
    Say why a scenario cannot be asked of this adapter, or None.
    """
    if scenario.excluded is not None:
        return scenario.excluded
    missing = scenario.needs - connection.info.capabilities
    if missing:
        return f"needs {', '.join(sorted(missing))}, not declared"
    waits = _longest_wait(scenario.given + scenario.steps)
    if connection.info.clock == "real" and waits > LONGEST_REAL_WAIT_MS:
        return "needs virtual time"
    return None


def _longest_wait(steps: tuple[Step, ...]) -> float:
    return sum(_wait(step) for step in steps)


def _wait(step: Step) -> float:
    name, inner = step.verb.name, step.steps
    if name == "advance":
        return milliseconds(step.value)
    if name == "repeat":
        return _longest_wait(inner) * float(step.value)
    if name == "together" and any(one.verb.name == "advance" for one in inner):
        return math.inf  # A real clock cannot be moved in the same instant as something else.
    return _longest_wait(inner)


def play(scenario: Scenario, connection: Connection, contract: Contract) -> CaseResult:
    """
    Play one scenario and say what came of it.

    Raises:
        AdapterNeverUp: The adapter failed too often or did not come up again.
        RunnerBug: The scenario made the suite send something its schema refuses.
    """
    reason = inapplicable(scenario, connection)
    if reason is not None:
        return CaseResult(
            scenario.id, "not applicable", scenario.clauses, reason=reason, claim=scenario.claim
        )
    connection.begin_case()
    result, failure = _played(Case(scenario, connection, contract))
    connection.end_case(failure)
    return result


def _played(case: Case) -> tuple[CaseResult, AdapterFailure | None]:
    started, waited = time.perf_counter(), case.connection.call_seconds
    outcome, reason, kind, failure = _ended(case)
    result = CaseResult(
        id=case.scenario.id,
        outcome="failed" if case.failures else outcome,
        clauses=case.scenario.clauses,
        claim=case.scenario.claim,
        failures=tuple(case.failures),
        reason=reason,
        kind=kind,
        script=tuple(case.script.lines),
        places=tuple(case.script.places),
        expectations=tuple(case.script.expectations),
        names={
            name: bound
            for name, bound in case.names.items()
            if isinstance(bound, str) and not is_rest(name)
        },
        transcript=tuple(case.wire.transcript),
        seconds=time.perf_counter() - started,
        adapter_seconds=case.connection.call_seconds - waited,
    )
    return result, failure


def _ended(case: Case) -> tuple[Outcome, str, str, AdapterFailure | None]:
    try:
        _play_through(case)
        case.connection.check_quiet()
    except NotApplicable as error:
        return "not applicable", str(error), "", None
    except Unverified as error:
        return "unverified", error.reason, error.kind, None
    except AdapterFailure as error:
        return "unverified", str(error), error.kind, error
    finally:
        case.close()
    return "passed", "", "", None


def _play_through(case: Case) -> None:
    plugins, services = list(case.scenario.plugins), list(case.scenario.services)
    reply = case.wire.call("reset", case.reset_params(plugins, services))
    case.wire.must_work(reply, f"loading {compact(plugins)}")
    try:
        case.setting_the_stage = True
        run_all(case, case.scenario.given)
        case.setting_the_stage = False
        run_all(case, case.scenario.steps)
    except Contradicted:
        return
