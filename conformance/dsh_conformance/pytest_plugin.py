"""
The pytest side of the suite: options, one adapter a run, outcomes and the exit status.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

# Loaded into every pytest of an environment that has the suite: whatever costs is imported when it
# is used.


def pytest_addoption(parser: pytest.Parser) -> None:
    """
    Add the options of `pytest --pyargs dsh_conformance.suite`.
    """
    group = parser.getgroup("dsh-conformance", "conformance of an agent harness")
    group.addoption("--adapter", help="command, or package.module:Class (default: the reference)")
    group.addoption("--edition", help="edition of the contract")
    group.addoption("--plugin", action="append", default=[], help="only this plugin's cases")
    group.addoption("--clause", action="append", default=[], help="only cases of this clause")
    group.addoption("--shard", default="1/1", help="only part i of n, as i/n")
    group.addoption("--call-timeout", type=float, help="seconds that one call may take")
    group.addoption("--start-timeout", type=float, help="seconds that starting up may take")
    group.addoption("--scenarios", help="folder of scenarios")
    group.addoption(
        "--golden", action="store_true", help="recorded behaviour of the published tree plugin, too"
    )
    group.addoption("--known-failures", metavar="FILE", help="file of known failures")
    group.addoption("--durations-from", metavar="FILE", help="JSON report that balances shards")
    group.addoption("--build", help="names the state of the implementation, for reports")
    group.addoption(
        "--report",
        action="append",
        default=[],
        metavar="FORMAT=FILE",
        help="write a report (json, html, markdown, badge, badge-svg, packet)",
    )
    group.addoption(
        "--strict-levels", action="store_true", help="a broken should makes the run non-conformant"
    )


def pytest_configure(config: pytest.Config) -> None:
    """
    Hold the run's state ready, unless the command line has put its own there.
    """
    if not _is_suite(config):
        return
    from dsh_conformance.run.state import STATE, RunState  # noqa: PLC0415

    if STATE not in config.stash:
        config.stash[STATE] = RunState(_settings(config), _listeners(config))
        _read_everything(config.stash[STATE])
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(WorkerResults(config.stash[STATE]))


def _read_everything(state: Any) -> None:
    from dsh_conformance.errors import DshError  # noqa: PLC0415

    try:
        state.prepare()
    except DshError as error:
        raise pytest.UsageError(str(error)) from error


def _listeners(config: pytest.Config) -> tuple[Any, ...]:
    if not config.option.report or hasattr(config, "workerinput"):
        return ()
    from dsh_conformance.errors import UsageError  # noqa: PLC0415
    from dsh_conformance.report.files import report_files  # noqa: PLC0415

    try:
        return (report_files(config.option.report),)
    except UsageError as error:
        raise pytest.UsageError(str(error)) from error


def _is_suite(config: pytest.Config) -> bool:
    return any("dsh_conformance" in str(argument) for argument in config.args)


def _settings(config: pytest.Config) -> Any:
    from pathlib import Path  # noqa: PLC0415

    from dsh_conformance.errors import UsageError  # noqa: PLC0415
    from dsh_conformance.run.settings import Settings, parse_shard  # noqa: PLC0415

    option = config.option
    given = {
        "adapter": option.adapter,
        "edition": option.edition,
        "call_timeout": option.call_timeout,
        "start_timeout": option.start_timeout,
        "fixtures": Path(option.scenarios) if option.scenarios else None,
        "known_failures": Path(option.known_failures) if option.known_failures else None,
        "durations": Path(option.durations_from) if option.durations_from else None,
        "build": option.build,
    }
    try:
        return Settings(
            plugins=tuple(option.plugin),
            clauses=tuple(option.clause),
            shard=parse_shard(option.shard),
            strict=option.strict_levels,
            golden=option.golden,
            **{key: value for key, value in given.items() if value is not None},
        )
    except UsageError as error:
        raise pytest.UsageError(str(error)) from error


def pytest_collection_finish(session: pytest.Session) -> None:
    """
    Bring the adapter up before the first case, so that a dead one is one message.
    """
    state = _state(session.config)
    if state is None or not session.items:
        return
    state.selected = [item.callspec.id for item in session.items if hasattr(item, "callspec")]
    if session.config.option.collectonly:
        return
    if _has_workers(session.config):
        return
    from dsh_conformance.errors import DshError  # noqa: PLC0415

    try:
        state.announce()
    except DshError as error:
        state.fatal = error
        pytest.exit(str(error), returncode=2)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """
    Put the case's result on the report, so that it also comes back from a worker.
    """
    report = yield
    state = _state(item.config)
    if state is not None and call.when == "call":
        from dsh_conformance.suite.verdict import RESULT  # noqa: PLC0415

        result = item.stash.get(RESULT, None)
        if result is not None:
            on_worker = hasattr(item.config, "workerinput")
            vars(report)["dsh_result"] = result.to_json() if on_worker else None
            if not on_worker:
                state.record(result)
    return report


class WorkerResults:
    """
    Takes in the results that workers of pytest-xdist send back.
    """

    def __init__(self, state: Any) -> None:
        self.state = state

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """
        Record the result on a report, if it came over the wire.
        """
        data = getattr(report, "dsh_result", None)
        if isinstance(data, dict):
            from dsh_conformance.scenario.results import CaseResult  # noqa: PLC0415

            self.state.record(CaseResult.from_json(data))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """
    Shut the adapter down and say in the exit status what the cases add up to.
    """
    state = _state(session.config)
    if state is None:
        return
    state.close()
    if exitstatus in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED} and state.summary.results:
        session.exitstatus = state.summary.exit_status()
    if state.under_way:
        for listener in state.listeners:
            listener.finished(state.summary)


def pytest_report_header(config: pytest.Config) -> list[str] | None:
    """
    Say what is being checked.
    """
    state = _state(config)
    if state is None:
        return None
    settings = state.settings
    return [f"dsh-conformance: adapter {settings.adapter}, edition {settings.edition}"]


def _has_workers(config: pytest.Config) -> bool:
    return bool(getattr(config.option, "numprocesses", None)) or hasattr(config, "workerinput")


def _state(config: pytest.Config) -> Any:
    if not _is_suite(config):
        return None
    from dsh_conformance.run.state import STATE  # noqa: PLC0415

    return config.stash.get(STATE, None)
