"""
Runs the suite: pytest is the engine, and this starts it apart from any project's own settings.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from dsh_conformance import suite
from dsh_conformance.errors import UsageError
from dsh_conformance.run.events import Listener
from dsh_conformance.run.settings import Settings
from dsh_conformance.run.state import STATE, RunState

PLUGIN = "dsh_conformance.pytest_plugin"
WORKER = ("PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT")
SUITE_NAME = "dsh-conformance"
_ENDING = (signal.SIGTERM, signal.SIGHUP)


class _Bridge:
    """
    Hands the run's state to the pytest plugin before that one would make its own.
    """

    def __init__(self, state: RunState, keyword: str) -> None:
        self.state = state
        self.keyword = keyword

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        config.stash[STATE] = self.state

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self) -> Generator[None]:
        # pytest would print its own message, and ours would be the second.
        try:
            yield
        except pytest.UsageError as error:
            reason = str(error).rpartition(f"{self.keyword}: ")[2]
            self.state.fatal = UsageError(
                f"not an expression of pytest's: {reason}",
                "-k",
                value=self.keyword,
                hint="write words joined by and, or, not",
            )
            pytest.exit("-k")

    def pytest_internalerror(self, excinfo: pytest.ExceptionInfo[BaseException]) -> bool:
        self.state.crash = excinfo.value
        return True


def run_suite(
    settings: Settings,
    listeners: tuple[Listener, ...] = (),
    *,
    keyword: str = "",
    fail_fast: bool = False,
    collect_only: bool = False,
    junit: Path | None = None,
) -> RunState:
    """
    Play the cases that the settings choose and return what came of it.

    Args:
        settings: What was asked.
        listeners: Who wants to hear of it.
        keyword: A pytest `-k` expression over the case ids.
        fail_fast: Whether to stop at the first failure.
        collect_only: Whether to play nothing.
        junit: Where pytest writes its JUnit XML, or None.

    Raises:
        UsageError: Nothing could be played, with the reason.
        DshError: The run was broken off, with the reason.
        BaseException: Whatever broke pytest's own course off, such as a closed pipe.
    """
    state = RunState(settings, listeners)
    arguments = _arguments(keyword, fail_fast, collect_only)
    with own_environment(), _ended_by_signal(), closing(state), _junit(junit) as more:
        if not collect_only:
            state.start()
        state.prepare()
        status = pytest.main([*arguments, *more], plugins=[_Bridge(state, keyword)])
    if state.fatal is not None:
        raise state.fatal
    if state.crash is not None:
        raise state.crash
    if status == pytest.ExitCode.NO_TESTS_COLLECTED:
        raise UsageError("no scenario matches", "-k", value=keyword, hint="try --list without -k")
    state.interrupted = status == pytest.ExitCode.INTERRUPTED
    return state


def _arguments(keyword: str, fail_fast: bool, collect_only: bool) -> list[str]:  # noqa: FBT001  # Private.
    folder = Path(suite.__file__).parent
    arguments = [str(folder), "-c", str(folder / "pytest.ini"), "--rootdir", str(folder)]
    arguments += ["--disable-plugin-autoload", "-p", PLUGIN]
    arguments += ["-p", "no:cacheprovider", "-p", "no:terminal"]
    # These look after tests of Python code, at the price of two garbage collections a run.
    arguments += ["-p", "no:unraisableexception", "-p", "no:threadexception"]
    if keyword:
        arguments += ["-k", keyword]
    if fail_fast:
        arguments.append("--exitfirst")
    if collect_only:
        arguments.append("--collect-only")
    return arguments


@contextmanager
def _ended_by_signal() -> Iterator[None]:
    # A CI job that is cancelled is asked to end: the reports are then written, as incomplete.
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {one: signal.signal(one, signal.default_int_handler) for one in _ENDING}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


@contextmanager
def _junit(path: Path | None) -> Iterator[list[str]]:
    if path is None:
        yield []
        return
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield [f"--junit-xml={beside}", "-o", f"junit_suite_name={SUITE_NAME}"]
        if beside.exists():
            beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


@contextmanager
def own_environment() -> Iterator[None]:
    """
    Keep a project's own pytest options and plugins away.
    """
    # A project's own pytest options and plugins must not change a verdict.
    # Nor is this pytest a worker, should a worker have started it.
    names = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTEST_DISABLE_PLUGIN_AUTOLOAD", *WORKER)
    before = {name: os.environ.pop(name, None) for name in names}
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
