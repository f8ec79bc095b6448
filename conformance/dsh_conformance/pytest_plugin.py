"""
The pytest side of the suite: options, one adapter a run, outcomes and the exit status.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

SUITE = Path(__file__).resolve().parent / "suite"
_CASE = re.compile(
    r"(?:test_scenarios\.py::test_scenario|test_machines\.py::test_machine)\[(.*)\]$"
)
_NO_CASES = "NOTSET"

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
    group.addoption("--oracle", help="adapter that generated examples are held against")
    group.addoption("--profile", default="quick", help="generated examples: quick, ci, deep")
    group.addoption("--examples", type=int, help="generated examples a machine")
    group.addoption("--budget", help="time for all generated examples, as 60s")
    group.addoption("--generated-seed", type=int, help="seed of the generated examples")
    group.addoption("--database", metavar="DIR", help="folder of examples that failed before")
    group.addoption("--save", metavar="DIR", help="folder for counterexamples")
    group.addoption("--no-generated", action="store_true", help="scenarios alone")
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
    Hold the run's state ready.
    """
    if not _is_suite(config):
        return
    from dsh_conformance.run.state import RunState  # noqa: PLC0415
    from dsh_conformance.suite.keys import STATE  # noqa: PLC0415

    config.stash[STATE] = RunState(_settings(config), _listeners(config))
    _read_everything(config.stash[STATE])
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Results(config.stash[STATE]))


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


def pytest_sessionstart(session: pytest.Session) -> None:
    """
    Meet the adapter before any worker does, so that a dead one is one message.
    """
    state = _state(session.config)
    if state is None or not _is_controller(session.config) or session.config.option.collectonly:
        return
    _or_exit(state, state.meet)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node: Any, ids: list[str]) -> None:
    """
    Announce the run once the first worker has said which cases there are.
    """
    state = _state(node.config)
    if state is not None and not state.under_way:
        state.selected = [_case_of(ident) for ident in ids if _is_ours(ident)]
        _or_exit(state, state.announce)


def _or_exit(state: Any, action: Any) -> None:
    from dsh_conformance.errors import DshError  # noqa: PLC0415

    try:
        action()
    except DshError as error:
        state.fatal = error
        pytest.exit(str(error), returncode=2)


def _is_suite(config: pytest.Config) -> bool:
    return any(_names_suite(str(argument)) for argument in config.args)


def _names_suite(argument: str) -> bool:
    # As `--pyargs` takes it, or as a path; another project may well have our name in its path.
    place = argument.partition("::")[0]
    if re.fullmatch(r"dsh_conformance\.suite(\.\w+)*", place):
        return True
    return Path(place).resolve().is_relative_to(SUITE)


def _is_ours(nodeid: str) -> bool:
    return _CASE.search(nodeid) is not None


def _case_of(nodeid: str) -> str:
    found = _CASE.search(nodeid)
    return found[1] if found is not None else nodeid


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """
    Leave out the placeholder that pytest makes where there is nothing to parametrize over.
    """
    if _state(config) is not None:
        empty = {
            item for item in items if _is_ours(item.nodeid) and _case_of(item.nodeid) == _NO_CASES
        }
        items[:] = [item for item in items if item not in empty]


def _settings(config: pytest.Config) -> Any:
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
            generation=_generation(option),
            **{key: value for key, value in given.items() if value is not None},
        )
    except UsageError as error:
        raise pytest.UsageError(str(error)) from error


def _generation(option: Any) -> Any:
    from dsh_conformance.generate.profiles import Generation, parse_budget  # noqa: PLC0415

    if option.no_generated:
        return None
    given = {
        "oracle": option.oracle,
        "examples": option.examples,
        "budget": parse_budget(option.budget) if option.budget else None,
        "seed": option.generated_seed,
        "database": Path(option.database) if option.database else None,
        "save": Path(option.save) if option.save else None,
    }
    return Generation(
        profile=option.profile, **{key: value for key, value in given.items() if value is not None}
    ).seeded()


def pytest_collection_finish(session: pytest.Session) -> None:
    """
    Bring the adapter up before the first case, so that a dead one is one message.
    """
    state = _state(session.config)
    if state is None or state.fatal is not None:
        return
    state.selected = [_case_of(item.nodeid) for item in session.items if _is_ours(item.nodeid)]
    if not state.selected:
        return
    if session.config.option.collectonly:
        return
    if not hasattr(session.config, "workerinput"):
        _or_exit(state, state.announce)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """
    Put the case's result on the report, so that it also comes back from a worker.
    """
    report = yield
    if _state(item.config) is not None and call.when == "call":
        from dsh_conformance.suite.keys import RESULT  # noqa: PLC0415

        result = item.stash.get(RESULT, None)
        if result is not None:
            # As ASCII text: a worker's answer may hold what its channel cannot carry.
            vars(report)["dsh_result"] = json.dumps(result.to_json())
    return report


class Results:
    """
    Takes in the results that stand on the reports, also on those from workers of pytest-xdist.
    """

    def __init__(self, state: Any) -> None:
        self.state = state

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """
        Record the result on a report, if it came over the wire.
        """
        data = getattr(report, "dsh_result", None)
        if data is None and not report.failed:
            return
        if not _is_ours(report.nodeid):
            self.state.others_failed = True
            return
        from dsh_conformance.scenario.results import CaseResult  # noqa: PLC0415

        if data is not None:
            self.state.record(CaseResult.from_json(json.loads(data)))
        elif not _interrupted(self.state):
            # A lost worker, or a mistake of ours: the case says nothing, and must not look passed.
            case = _case_of(report.nodeid)
            reason = f"the case was not played to its end: {report.longreprtext}"
            self.state.record(CaseResult(case, "unverified", (), reason=reason, kind="error"))


def _interrupted(state: Any) -> bool:
    return state.fatal is not None


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """
    Shut the adapter down and say in the exit status what the cases add up to.
    """
    state = _state(session.config)
    if state is None:
        return
    if not state.under_way:
        state.close()
        return
    broken_off = _broken_off(session, state, exitstatus)
    _or_exit(state, lambda: state.finish(broken_off))
    if exitstatus in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}:
        failed = pytest.ExitCode.TESTS_FAILED if state.others_failed else pytest.ExitCode.OK
        session.exitstatus = failed or state.summary.exit_status()


def _broken_off(session: pytest.Session, state: Any, exitstatus: int) -> str:
    if state.fatal is not None:
        return str(state.fatal.what)
    if exitstatus == pytest.ExitCode.INTERRUPTED:
        return "the run was interrupted"
    return str(session.shouldfail or session.shouldstop or "")


def pytest_report_header(config: pytest.Config) -> list[str] | None:
    """
    Say what is being checked.
    """
    state = _state(config)
    if state is None:
        return None
    settings = state.settings
    return [f"dsh-conformance: adapter {settings.adapter}, edition {settings.edition}"]


def _is_controller(config: pytest.Config) -> bool:
    given = config.option
    return bool(getattr(given, "numprocesses", None) or getattr(given, "tx", None))


def _state(config: pytest.Config) -> Any:
    if not _is_suite(config):
        return None
    from dsh_conformance.suite.keys import STATE  # noqa: PLC0415

    return config.stash.get(STATE, None)
