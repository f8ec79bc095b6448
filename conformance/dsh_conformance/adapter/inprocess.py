"""
An adapter that is a Python class: the same methods, the same checks, no process.
"""

from __future__ import annotations

import importlib
import io
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from dsh_conformance.adapter import complaints
from dsh_conformance.adapter.protocol import INTERNAL_ERROR, METHOD_NOT_FOUND, Reply
from dsh_conformance.adapter.schemas import check_params, check_result, violation
from dsh_conformance.adapter.wire import NotJson, decode, encode
from dsh_conformance.errors import AdapterNeverUp

STDERR_LIMIT = 64 << 10


class InProcessClient:
    """
    Drives an instance of a class named `package.module:Class`.

    Arguments and results go through JSON as they would over stdio, so nothing is shared and
    nothing passes here that would not pass there. An exception with an integer `code` is a
    protocol error (1 `unsupported`, 2 `load_failed`, 3 `rejected`, its text the message); any
    other exception is an internal error. There is no time limit: nothing could enforce it. What it
    prints is kept as a process's standard error is.

    Args:
        name: The class, as `package.module:Class`.

    Raises:
        AdapterNeverUp: It cannot be imported or made.
    """

    def __init__(self, name: str) -> None:
        self.command = name
        self.stderr_text = ""
        self.alive = True
        self._adapter = _make(name)

    def __repr__(self) -> str:
        return f"<InProcessClient {self.command!r} alive={self.alive}>"

    def call(self, method: str, params: dict[str, Any]) -> Reply:
        """
        Call one method.

        Raises:
            AdapterFailure: It tried to end the process, or its result does not fit the schema.
            RunnerBug: Our own parameters do not fit the schema.
        """
        check_params(method, params)
        function = getattr(self._adapter, method.replace(".", "_"), None)
        if not callable(function):
            return Reply(code=METHOD_NOT_FOUND, message=f"method not found: {method}")
        try:
            with self._overheard():
                result = function(**decode(encode(params)))
        except SystemExit as error:
            self.alive = False
            raise complaints.left(method, str(error.code)) from error
        except Exception as error:  # noqa: BLE001  # Its own exceptions are the adapter's answer.
            return self._refusal(method, error)
        return Reply(self._checked(method, result))

    def call_many(self, calls: Iterable[tuple[str, dict[str, Any]]]) -> list[Reply]:
        """
        Call several methods in order.

        Raises:
            AdapterFailure: As for `call`.
            RunnerBug: As for `call`.
        """
        return [self.call(method, params) for method, params in calls]

    def check_quiet(self, method: str) -> None:
        """
        Do nothing: a class has no way to speak unasked.
        """

    def close(self) -> str | None:
        """
        Shut the adapter down and say what its author should know of how it left, or None.
        """
        if not self.alive:
            return None
        self.alive = False
        shutdown = getattr(self._adapter, "shutdown", None)
        try:
            if callable(shutdown):
                with self._overheard():
                    shutdown()
        except (Exception, SystemExit) as error:  # noqa: BLE001  # The verdicts are in already.
            return f"the adapter raised {type(error).__name__} in shutdown: {error}"
        return None

    def kill(self) -> None:
        """
        Drop the adapter.
        """
        self.alive = False

    @contextmanager
    def _overheard(self) -> Iterator[None]:
        before, said = (sys.stdout, sys.stderr), io.StringIO()
        sys.stdout = sys.stderr = said
        try:
            yield
        finally:
            sys.stdout, sys.stderr = before
            if said.tell():
                self._keep(said.getvalue())

    def _keep(self, text: str) -> None:
        self.stderr_text = (self.stderr_text + text)[-STDERR_LIMIT:]

    def _refusal(self, method: str, error: Exception) -> Reply:
        code = getattr(error, "code", None)
        if type(code) is int:
            data = self._copied(method, getattr(error, "data", None))
            return Reply(code=code, message=str(error), data=data)
        self._keep("".join(traceback.format_exception(error)))
        return Reply(code=INTERNAL_ERROR, message=f"{type(error).__name__}: {error}")

    def _checked(self, method: str, result: Any) -> Any:
        copy = self._copied(method, result)
        if not check_result(method, copy):
            self._fail(method, violation(f"{method}.result", copy) or "", repr(copy))
        return copy

    def _copied(self, method: str, value: Any) -> Any:
        try:
            return decode(encode(value))
        except NotJson as error:
            self._fail(method, str(error), repr(value))

    def _fail(self, method: str, why: str, shown: str) -> NoReturn:
        self.alive = False
        raise complaints.unfit(method, why, shown.encode("utf-8", "replace"))


def _make(name: str) -> Any:
    module_name, _, attribute = name.partition(":")
    try:
        return getattr(importlib.import_module(module_name), attribute)()
    except (Exception, SystemExit) as error:
        raise AdapterNeverUp(
            f"the adapter class cannot be loaded: {type(error).__name__}: {error}",
            "--adapter",
            value=name,
            hint="write it as package.module:Class, importable from here",
        ) from error
