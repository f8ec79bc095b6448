"""
An adapter that is a Python class: the same methods, the same checks, no process.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from copy import deepcopy
from typing import Any

from dsh_conformance.adapter.protocol import METHOD_NOT_FOUND, Reply
from dsh_conformance.adapter.schemas import violation
from dsh_conformance.errors import AdapterFailure, AdapterNeverUp, RunnerBug


class InProcessClient:
    """
    Drives an instance of a class named `package.module:Class`.

    An exception with an integer `code` is a protocol error (1 `unsupported`, 2 `load_failed`,
    3 `rejected`, with its text as the message); any other exception is an adapter error.

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
        return f"<InProcessClient {self.command!r}>"

    def call(self, method: str, params: dict[str, Any]) -> Reply:
        """
        Call one method.

        Raises:
            AdapterFailure: It raised, or its result does not fit the schema.
            RunnerBug: Our own parameters do not fit the schema.
        """
        wrong = violation(f"{method}.params", params)
        if wrong is not None:
            raise RunnerBug(f"the suite sent wrong parameters: {wrong}", method, value=repr(params))
        function = getattr(self._adapter, method.replace(".", "_"), None)
        if function is None:
            return Reply(code=METHOD_NOT_FOUND, message=f"method not found: {method}")
        return self._called(method, function, deepcopy(params))

    def call_many(self, calls: Iterable[tuple[str, dict[str, Any]]]) -> list[Reply]:
        """
        Call several methods in order.

        Raises:
            AdapterFailure: As for `call`.
        """
        return [self.call(method, params) for method, params in calls]

    def close(self) -> None:
        """
        Shut the adapter down.
        """
        if self.alive:
            self.alive = False
            shutdown = getattr(self._adapter, "shutdown", None)
            if shutdown is not None:
                shutdown()

    def kill(self) -> None:
        """
        Drop the adapter.
        """
        self.alive = False

    def _called(self, method: str, function: Any, params: dict[str, Any]) -> Reply:
        try:
            result = function(**params)
        except Exception as error:
            code = getattr(error, "code", None)
            if isinstance(code, int):
                return Reply(code=code, message=str(error), data=getattr(error, "data", None))
            raise AdapterFailure(
                f"the adapter raised {type(error).__name__}: {error}",
                method,
                kind="error",
                hint="raise an exception with an integer `code` for what the protocol names",
            ) from error
        wrong = violation(f"{method}.result", result)
        if wrong is not None:
            raise AdapterFailure(
                f"the adapter returned a wrong result: {wrong}",
                method,
                kind="protocol",
                value=repr(result)[:400],
                hint="see docs/adapter-protocol.md",
            )
        return Reply(deepcopy(result))


def _make(name: str) -> Any:
    module_name, _, attribute = name.partition(":")
    try:
        return getattr(importlib.import_module(module_name), attribute)()
    except Exception as error:
        raise AdapterNeverUp(
            f"the adapter class cannot be loaded: {type(error).__name__}: {error}",
            "--adapter",
            value=name,
            hint="write it as package.module:Class, importable from here",
        ) from error
