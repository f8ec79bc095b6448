"""
One adapter for a whole run: handshake, restarts, and the end of patience.
"""

from __future__ import annotations

import difflib
import re
import time
from collections.abc import Iterable
from dataclasses import fields
from typing import Any, Protocol

from dsh_conformance import __version__
from dsh_conformance.adapter.inprocess import InProcessClient
from dsh_conformance.adapter.protocol import CAPABILITIES, PROTOCOL_VERSION, AdapterInfo, Reply
from dsh_conformance.adapter.stdio import (
    DEFAULT_CALL_TIMEOUT,
    DEFAULT_START_TIMEOUT,
    StdioClient,
)
from dsh_conformance.errors import AdapterFailure, AdapterNeverUp

CLASS_NAME = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
# One crash may be a case's doing; three in a row say that nothing will be learned.
MAX_FAILURES_IN_A_ROW = 3


class Client(Protocol):
    """
    What the two ways to reach an adapter have in common.
    """

    command: str
    alive: bool

    @property
    def stderr_text(self) -> str:
        """
        The end of the adapter's standard error.
        """

    def call(self, method: str, params: dict[str, Any]) -> Reply:
        """
        Make one call.
        """

    def call_many(self, calls: Iterable[tuple[str, dict[str, Any]]]) -> list[Reply]:
        """
        Make several calls in order.
        """

    def check_quiet(self, method: str) -> None:
        """
        Make sure that it has said nothing beyond its answers.
        """

    def close(self) -> str | None:
        """
        Shut the adapter down and return what its author should know of how it left.
        """

    def kill(self) -> None:
        """
        End the adapter at once.
        """


def open_client(
    adapter: str,
    *,
    call_timeout: float = DEFAULT_CALL_TIMEOUT,
    start_timeout: float = DEFAULT_START_TIMEOUT,
) -> Client:
    """
    Start the adapter that `--adapter` names: a class (`package.module:Class`) or a command.

    Raises:
        AdapterNeverUp: It cannot be started.
    """
    if CLASS_NAME.fullmatch(adapter):
        return InProcessClient(adapter)
    return StdioClient(adapter, call_timeout=call_timeout, start_timeout=start_timeout)


class Connection:
    """
    An adapter that has been through the handshake.

    Args:
        adapter: As given to `--adapter`.
        edition: The edition of the contract to check.
        call_timeout: Seconds that one call may take.
        start_timeout: Seconds that starting up may take, up to the first answer.
        client: The adapter if it was started already, or None.

    Raises:
        AdapterNeverUp: It cannot be started, or fails the handshake.
    """

    def __init__(
        self,
        adapter: str,
        edition: str,
        *,
        call_timeout: float = DEFAULT_CALL_TIMEOUT,
        start_timeout: float = DEFAULT_START_TIMEOUT,
        client: Client | None = None,
    ) -> None:
        self.adapter = adapter
        self.edition = edition
        self.call_timeout = call_timeout
        self.start_timeout = start_timeout
        self.restarts = 0
        self.calls = 0
        self.call_seconds = 0.0
        self._failures = 0
        self._last = "initialize"
        self._client = client or self._opened()
        self.info = self._first_handshake()

    def __repr__(self) -> str:
        return f"<Connection {self.info.name} {self.info.version} at {self.adapter!r}>"

    @property
    def stderr_text(self) -> str:
        """
        The end of what the adapter wrote to standard error.
        """
        return self._client.stderr_text

    def call(self, method: str, params: dict[str, Any]) -> Reply:
        """
        Make one call.

        Raises:
            AdapterFailure: The adapter crashed, hung or broke the protocol.
            RunnerBug: Our own request does not fit its schema.
        """
        started = time.perf_counter()
        self._last = method
        try:
            return self._client.call(method, params)
        finally:
            self.calls += 1
            self.call_seconds += time.perf_counter() - started

    def call_many(self, calls: list[tuple[str, dict[str, Any]]]) -> list[Reply]:
        """
        Make several calls in order, written ahead where the transport can.

        Raises:
            AdapterFailure: As for `call`.
            RunnerBug: As for `call`.
        """
        started = time.perf_counter()
        self._last = calls[-1][0] if calls else self._last
        try:
            return self._client.call_many(calls)
        finally:
            self.calls += len(calls)
            self.call_seconds += time.perf_counter() - started

    def begin_case(self) -> None:
        """
        Make sure that the adapter is up, restarting it if the last case brought it down.

        Raises:
            AdapterNeverUp: It does not come up again, or comes up as another.
        """
        if self._client.alive:
            return
        self._client = self._opened()
        self.restarts += 1
        again = self._first_handshake()
        if again != self.info:
            self._client.kill()
            raise AdapterNeverUp(
                "the adapter describes itself differently after a restart",
                f"{self.adapter!r}, initialize",
                value=_changes(self.info, again),
                hint="answer initialize the same way every time",
            )

    def check_quiet(self) -> None:
        """
        Make sure that nothing was said beyond the answers.

        Raises:
            AdapterFailure: Something was.
        """
        self._client.check_quiet(self._last)

    def end_case(self, failure: AdapterFailure | None) -> None:
        """
        Count adapter failures in a row.

        Raises:
            AdapterNeverUp: This was the third.
        """
        if failure is None:
            self._failures = 0
            return
        self._failures += 1
        if self._failures == MAX_FAILURES_IN_A_ROW:
            raise AdapterNeverUp(
                f"the adapter failed {self._failures} cases in a row, last: {failure.what}",
                failure.where,
                value=failure.value,
                hint=failure.hint,
            )

    def drop(self) -> None:
        """
        End the adapter at once; the next case starts it anew.
        """
        self._client.kill()

    def close(self) -> str | None:
        """
        Shut the adapter down and return what its author should know of how it left, or None.
        """
        return self._client.close()

    def _opened(self) -> Client:
        return open_client(
            self.adapter, call_timeout=self.call_timeout, start_timeout=self.start_timeout
        )

    def _first_handshake(self) -> AdapterInfo:
        again = f" (restart {self.restarts})" if self.restarts else ""
        try:
            return handshake(self._client, self.edition, again=again)
        except BaseException:
            self._client.kill()
            raise


def _changes(before: AdapterInfo, after: AdapterInfo) -> str:
    names = [each.name for each in fields(AdapterInfo)]
    told = ((name, getattr(before, name), getattr(after, name)) for name in names)
    return "; ".join(f"{name}: {_told(a)} became {_told(b)}" for name, a, b in told if a != b)


def _told(value: Any) -> str:
    return ", ".join(sorted(value)) if isinstance(value, frozenset | tuple) else repr(value)


def handshake(client: Client, edition: str, *, again: str = "") -> AdapterInfo:
    """
    Greet an adapter and check what it says of itself.

    Raises:
        AdapterNeverUp: It does not answer rightly, or does not serve this edition.
    """
    params = {
        "protocolVersion": PROTOCOL_VERSION,
        "edition": edition,
        "suite": {"name": "dsh-conformance", "version": __version__},
    }
    where = f"{client.command!r}, initialize{again}"
    try:
        reply = client.call("initialize", params)
        client.check_quiet("initialize")
    except AdapterFailure as failure:
        raise AdapterNeverUp(
            f"the adapter {'did not come up again' if again else 'never came up'}: {failure.what}",
            where,
            value=failure.value,
            hint=failure.hint,
        ) from failure
    if not reply.ok:
        raise AdapterNeverUp(
            "the adapter refused the handshake",
            where,
            value=f"{reply.code}: {reply.message}",
            hint=f"answer initialize for edition {edition} and protocol version {PROTOCOL_VERSION}",
        )
    info = AdapterInfo.from_result(reply.result)
    _check_info(info, edition)
    return info


def _check_info(info: AdapterInfo, edition: str) -> None:
    if edition not in info.editions:
        raise AdapterNeverUp(
            f"the adapter does not serve edition {edition}",
            "initialize",
            value=f"editions: {', '.join(info.editions) or 'none'}",
            hint="choose one of these with --edition, or let the adapter declare it",
        )
    for name in sorted(info.capabilities - set(CAPABILITIES)):
        near = difflib.get_close_matches(name, CAPABILITIES, 1)
        raise AdapterNeverUp(
            "the adapter declares an unknown capability",
            "initialize",
            value=name,
            hint=f"did you mean {near[0]}?" if near else f"known: {', '.join(CAPABILITIES)}",
        )
