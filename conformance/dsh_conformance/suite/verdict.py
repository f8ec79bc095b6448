"""
From a case's outcome to pytest's.
"""

from __future__ import annotations

import pytest

from dsh_conformance.errors import DshError
from dsh_conformance.report.text import case_text
from dsh_conformance.report.textdiff import shown_lines
from dsh_conformance.run.state import RunState
from dsh_conformance.run.summary import USAGE
from dsh_conformance.scenario.model import Scenario
from dsh_conformance.scenario.results import CaseResult
from dsh_conformance.suite.keys import RESULT, STATE


def verdict(scenario: Scenario, request: pytest.FixtureRequest) -> None:
    """
    Play a scenario; fail, skip or pass the test that asks.

    A case is expected to fail (`xfail`) when what it breaks does not count, or is known.
    """
    state = request.config.stash[STATE]
    try:
        result = state.play(scenario)
    except DshError as error:
        state.fatal = error
        pytest.exit(str(error), returncode=USAGE)
    request.node.stash[RESULT] = result
    request.node.user_properties.extend(_properties(result))
    _conclude(state, result)


def machine_verdict(case: str, request: pytest.FixtureRequest) -> None:
    """
    Run a machine; fail, skip or pass the test that asks.

    Raises:
        KeyboardInterrupt: The user broke it off; what was found until then is recorded.
    """
    state = request.config.stash[STATE]
    try:
        result, interrupted = state.play_machine(case)
    except DshError as error:
        state.fatal = error
        pytest.exit(str(error), returncode=USAGE)
    if interrupted:
        if result.outcome != "passed":
            state.record(result)
        raise KeyboardInterrupt
    request.node.stash[RESULT] = result
    request.node.user_properties.extend(_properties(result))
    _conclude(state, result)


def _properties(result: CaseResult) -> list[tuple[str, object]]:
    properties: list[tuple[str, object]] = [("clause", clause) for clause in result.clauses]
    properties.append(("outcome", result.outcome))
    if result.grade is not None:
        properties.append(("grade", result.grade))
    known = {result.known, *(failure.known for failure in result.failures)} - {""}
    properties.extend(("known-failure", place) for place in sorted(known))
    return properties


def _conclude(state: RunState, result: CaseResult) -> None:
    reason = shown_lines(result.reason)
    if result.outcome == "not applicable":
        pytest.skip(reason)
    if result.outcome == "unverified":
        text = f"unverified ({result.kind}): {reason}"
        if result.known:
            pytest.xfail(f"known failure, {result.known}: {text}")
        pytest.fail(text, pytrace=False)
    if result.outcome == "failed":
        text = case_text(result, state.contract)
        if state.summary.broken(result):
            pytest.fail(text, pytrace=False)
        pytest.xfail(text)
