"""
Calls to the adapter as a case makes them, each one kept for the transcript.
"""

from __future__ import annotations

from typing import Any, NoReturn

from dsh_conformance.adapter.connection import Connection
from dsh_conformance.adapter.protocol import METHOD_NOT_FOUND, OBSERVATIONS, UNSUPPORTED, Reply
from dsh_conformance.errors import AdapterFailure, RunnerBug
from dsh_conformance.scenario.outcomes import NotApplicable, Unverified
from dsh_conformance.scenario.results import Exchange

Call = tuple[str, dict[str, Any]]


class Wire:
    """
    One case's calls.

    Args:
        connection: The adapter.
        where: The place of the step under way.

    Attributes:
        transcript: Every call so far.
    """

    def __init__(self, connection: Connection, where: str) -> None:
        self.connection = connection
        self.where = where
        self.transcript: list[Exchange] = []

    def call(self, method: str, params: dict[str, Any]) -> Reply:
        """
        Make one call.

        Raises:
            AdapterFailure: The adapter crashed, hung or broke the protocol.
            RunnerBug: The step sends what the protocol refuses.
        """
        try:
            reply = self.connection.call(method, params)
        except AdapterFailure as failure:
            self._note(method, params, Reply(code=0, message=failure.what))
            raise
        except RunnerBug as bug:
            raise self._placed(bug) from bug
        self._note(method, params, reply)
        return reply

    def call_many(self, calls: list[Call]) -> list[Reply]:
        """
        Make several calls in order, written ahead where the transport can.

        Raises:
            AdapterFailure: As for `call`.
            RunnerBug: As for `call`.
        """
        try:
            replies = self.connection.call_many(calls)
        except AdapterFailure as failure:
            for method, params in calls:
                self._note(method, params, Reply(code=0, message=failure.what))
            raise
        except RunnerBug as bug:
            raise self._placed(bug) from bug
        for (method, params), reply in zip(calls, replies, strict=True):
            self._note(method, params, reply)
        return replies

    def must_work(self, reply: Reply, what: str) -> None:
        """
        End the case unless a call that is no observation worked.

        Raises:
            NotApplicable: The adapter does not support it.
            Unverified: It failed otherwise.
        """
        if not reply.ok:
            self.broken(reply, what)

    def broken(self, reply: Reply, what: str) -> NoReturn:
        """
        End the case at an error that says nothing of the contract.

        Raises:
            NotApplicable: The adapter does not support it.
            Unverified: It failed otherwise.
        """
        if reply.code == UNSUPPORTED:
            reason = reply.data.get("reason") if isinstance(reply.data, dict) else None
            raise NotApplicable(reason or reply.message or "unsupported")
        place = f"{self.where}: {what}"
        if reply.code == METHOD_NOT_FOUND:
            raise Unverified("error", f"{place}: the adapter has no such method: {reply.message}")
        kind = "prerequisite" if reply.code in OBSERVATIONS else "error"
        raise Unverified(kind, f"{place} failed with {reply.code}: {reply.message}")

    def _note(self, method: str, params: dict[str, Any], reply: Reply) -> None:
        error = {"error": {"code": reply.code, "message": reply.message}}
        shown = reply.result if reply.ok else error
        self.transcript.append(Exchange(self.where, method, params, shown))

    def _placed(self, bug: RunnerBug) -> RunnerBug:
        return RunnerBug(
            bug.what,
            f"{self.where}: {bug.where}",
            value=bug.value,
            hint="correct the step; if it looks right, report this mistake of dsh-conformance",
        )
