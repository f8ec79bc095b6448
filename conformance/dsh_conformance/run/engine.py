"""
Runs the suite: pytest is the engine, and this starts it apart from any project's own settings.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dsh_conformance import suite
from dsh_conformance.errors import DshError, UsageError
from dsh_conformance.run.events import Listener
from dsh_conformance.run.settings import Settings
from dsh_conformance.run.state import STATE, RunState

PLUGIN = "dsh_conformance.pytest_plugin"
SUITE_NAME = "dsh-conformance"


class _Bridge:
    """
    Hands the run's state to the pytest plugin before that one would make its own.
    """

    def __init__(self, state: RunState) -> None:
        self.state = state

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        config.stash[STATE] = self.state


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
    """
    state = RunState(settings, listeners)
    state.prepare()
    arguments = _arguments(keyword, fail_fast, collect_only)
    with _own_environment(), _ended_by_signal(), _junit(junit) as more:
        status = pytest.main([*arguments, *more], plugins=[_Bridge(state)])
    if state.fatal is not None:
        raise state.fatal
    if status == pytest.ExitCode.NO_TESTS_COLLECTED:
        raise UsageError("no scenario matches", "-k", value=keyword, hint="try --list without -k")
    if status == pytest.ExitCode.USAGE_ERROR:
        raise UsageError("not an expression pytest understands", "-k", value=keyword)
    if status == pytest.ExitCode.INTERNAL_ERROR:
        raise DshError("the run broke off", hint="this is a mistake in dsh-conformance; report it")
    state.interrupted = status == pytest.ExitCode.INTERRUPTED
    return state


def _arguments(keyword: str, fail_fast: bool, collect_only: bool) -> list[str]:  # noqa: FBT001  # Private.
    folder = Path(suite.__file__).parent
    arguments = [str(folder), "-c", str(folder / "pytest.ini"), "--rootdir", str(folder)]
    arguments += ["-p", PLUGIN, "-p", "no:cacheprovider", "-p", "no:terminal"]
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
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


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
def _own_environment() -> Iterator[None]:
    # A project's own pytest options and plugins must not change a verdict.
    names = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    before = {name: os.environ.pop(name, None) for name in names}
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
