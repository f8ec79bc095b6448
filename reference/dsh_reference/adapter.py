"""
The reference as an adapter, in-process: every method of the protocol is a method of `Adapter`.

Dots become underscores and parameters keep the wire's names. A refusal is an exception with an
integer `code` (see `dsh_reference.errors`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from dsh_reference.adapter_agents import Agents
from dsh_reference.adapter_stage import LifeCycle, Stage
from dsh_reference.adapter_tasks import Tasks
from dsh_reference.adapter_tools import Offers
from dsh_reference.errors import MethodNotFound
from dsh_reference.host.json_values import snapshot

Method = Callable[..., Any]


class Adapter:
    """
    Drives the reference.

    Methods come from small objects, one for each part of the protocol. What they return may be a
    look, taken once all ready work is done. Answers share nothing with the host.
    """

    def __init__(self) -> None:
        self._stage = Stage()
        self._methods: dict[str, Method] = {"together": self._together}
        for part in (LifeCycle, Agents, Offers, Tasks):
            for name in vars(part):
                if not name.startswith("_"):
                    self._methods[name] = getattr(part(self._stage), name)

    def __getattr__(self, name: str) -> Method:
        """
        Return a method of the protocol.
        """
        if name.startswith("_") or name not in self._methods:
            raise AttributeError(f"{type(self).__name__} has no method {name!r}")
        method = self._methods[name]

        @wraps(method)
        def answering(**params: Any) -> Any:
            return self._settled(method(**params))

        return answering

    def __dir__(self) -> list[str]:
        """
        Name the methods of the protocol beside the rest.
        """
        return [*super().__dir__(), *self._methods]

    def call(self, method: str, params: dict[str, Any]) -> Any:
        """
        Call a method by the protocol's own name for it.

        Raises:
            MethodNotFound: There is none.
        """
        return self._settled(self._find(method)(**params))

    def _together(self, *, calls: list[dict[str, Any]]) -> Callable[[], dict[str, Any]]:
        """
        Run calls in one instant: ready work, and looks, wait until the last has run.
        """
        looks = [self._attempt(call["method"], call["params"]) for call in calls]
        return lambda: {"results": [look() for look in looks]}

    def _attempt(self, method: str, params: dict[str, Any]) -> Callable[[], dict[str, Any]]:
        try:
            answer = self._find(method)(**params)
        except Exception as error:
            refusal = refusal_of(error)
            if refusal is None:
                raise
            return lambda: {"error": refusal}
        if callable(answer):
            return lambda: {"result": answer()}
        kept = snapshot(answer)
        return lambda: {"result": kept}

    def _find(self, method: str) -> Method:
        found = self._methods.get(method.replace(".", "_"))
        if found is None or "_" in method:
            raise MethodNotFound(f"method not found: {method}")
        return found

    def _settled(self, answer: Any) -> Any:
        self._stage.composition.clock.run_ready()
        return snapshot(answer() if callable(answer) else answer)


def refusal_of(error: Exception) -> dict[str, Any] | None:
    """
    Return an exception as the protocol's error, or None for one that the protocol does not name.
    """
    code = getattr(error, "code", None)
    if not isinstance(code, int):
        return None
    data = getattr(error, "data", None)
    refusal = {"code": code, "message": str(error)}
    return refusal if data is None else {**refusal, "data": data}
