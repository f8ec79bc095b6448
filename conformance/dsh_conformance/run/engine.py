"""
Plays a run from the command line: one case after another, told as they end.

Under `pytest --pyargs dsh_conformance.suite` pytest does this; from the command line it would cost
more than many an adapter takes to start (docs/decisions/0041).
"""

from __future__ import annotations

from contextlib import closing

from dsh_conformance.adapter.connection import Client
from dsh_conformance.errors import DshError, UsageError
from dsh_conformance.run.early import ended_by_signal
from dsh_conformance.run.events import Listener
from dsh_conformance.run.keyword import keyword_test
from dsh_conformance.run.settings import Settings
from dsh_conformance.run.state import RunState
from dsh_conformance.scenario.model import Scenario
from dsh_conformance.scenario.results import CaseResult

INTERRUPTED = "the run was interrupted"


def run_suite(
    settings: Settings,
    listeners: tuple[Listener, ...] = (),
    *,
    keyword: str = "",
    fail_fast: bool = False,
    collect_only: bool = False,
    client: Client | None = None,
) -> RunState:
    """
    Play the cases that the settings choose and return what came of it.

    Args:
        settings: What was asked.
        listeners: Who wants to hear of it.
        keyword: An expression over the case ids, as for pytest's `-k`.
        fail_fast: Whether to stop at the first failure.
        collect_only: Whether to play nothing.
        client: The adapter, if it was started already.

    Raises:
        UsageError: Nothing could be played, with the reason.
        DshError: The run was broken off, with the reason.
        BaseException: Whatever else broke it off, such as a closed pipe.
    """
    fits = keyword_test(keyword)
    state = RunState(settings, listeners, client)
    with ended_by_signal(), closing(state):
        state.prepare()
        scenarios = [scenario for scenario in state.cases[1] if fits(scenario.id)]
        machines = [case for case in state.machines if fits(case)]
        state.selected = [*(scenario.id for scenario in scenarios), *machines]
        if not state.selected:
            raise UsageError(
                "no scenario matches", "-k", value=keyword, hint="try --list without -k"
            )
        if not collect_only:
            _play(state, [*scenarios, *machines], fail_fast=fail_fast)
    return state


def _play(state: RunState, cases: list[Scenario | str], *, fail_fast: bool) -> None:
    broken_off = ""
    try:
        state.announce()
        broken_off = _play_each(state, cases, fail_fast=fail_fast)
    except KeyboardInterrupt:
        state.interrupted = True
        broken_off = INTERRUPTED
    except DshError as error:
        broken_off = error.what
        raise
    finally:
        if state.under_way:
            state.finish(broken_off)


def _play_each(state: RunState, cases: list[Scenario | str], *, fail_fast: bool) -> str:
    """
    Play one after another and say why not all were played, or return nothing.
    """
    for case in cases:
        result = _result(state, case)
        state.record(result)
        if fail_fast and _fails(state, result):
            return "stopped at the first failure"
    return ""


def _result(state: RunState, case: Scenario | str) -> CaseResult:
    """
    Play one case.

    Raises:
        KeyboardInterrupt: The user broke a machine off; what was found until then is recorded.
    """
    if isinstance(case, Scenario):
        return state.play(case)
    result, interrupted = state.play_machine(case)
    if interrupted:
        if result.outcome != "passed":
            state.record(result)
        raise KeyboardInterrupt
    return result


def _fails(state: RunState, result: CaseResult) -> bool:
    if result.outcome == "unverified":
        return not result.known
    return bool(state.summary.broken(result))
