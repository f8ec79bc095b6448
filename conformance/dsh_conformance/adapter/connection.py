"""
One adapter for a whole run: handshake, restarts, and the end of patience.
"""

from __future__ import annotations

import difflib
import re
import time
from collections.abc import Iterable
from typing import Any, Protocol

from dsh_conformance import __version__
from dsh_conformance.adapter.inprocess import InProcessClient
from dsh_conformance.adapter.protocol import CAPABILITIES, PROTOCOL_VERSION, AdapterInfo, Reply
from dsh_conformance.adapter.stdio import DEFAULT_CALL_TIMEOUT, StdioClient
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

    def close(self) -> None:
        """
        Shut the adapter down.
        """

    def kill(self) -> None:
        """
        End the adapter at once.
        """


def open_client(adapter: str, *, call_timeout: float = DEFAULT_CALL_TIMEOUT) -> Client:
    """
    Start the adapter that `--adapter` names: a class (`package.module:Class`) or a command.

    Raises:
        AdapterNeverUp: It cannot be started.
    """
    if CLASS_NAME.fullmatch(adapter):
        return InProcessClient(adapter)
    return StdioClient(adapter, call_timeout=call_timeout)


class Connection:
    """
    An adapter that has been through the handshake.

    Args:
        adapter: As given to `--adapter`.
        edition: The edition of the contract to check.
        call_timeout: Seconds that one call may take.

    Raises:
        AdapterNeverUp: It cannot be started, or fails the handshake.
    """

    def __init__(
        self, adapter: str, edition: str, *, call_timeout: float = DEFAULT_CALL_TIMEOUT
    ) -> None:
        self.adapter = adapter
        self.edition = edition
        self.call_timeout = call_timeout
        self.restarts = 0
        self.calls = 0
        self.call_seconds = 0.0
        self._failures = 0
        self._client = open_client(adapter, call_timeout=call_timeout)
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
        try:
            return self._client.call_many(calls)
        finally:
            self.calls += len(calls)
            self.call_seconds += time.perf_counter() - started

    def begin_case(self) -> None:
        """
        Make sure that the adapter is up, restarting it if the last case brought it down.

        Raises:
            AdapterNeverUp: It failed three times in a row, or does not come up again.
        """
        if self._client.alive:
            return
        self._client = open_client(self.adapter, call_timeout=self.call_timeout)
        self.restarts += 1
        again = self._first_handshake()
        if again != self.info:
            self._client.kill()
            raise AdapterNeverUp(
                "the adapter describes itself differently after a restart",
                "initialize",
                value=f"{self.info} became {again}",
                hint="answer initialize the same way every time",
            )

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

    def close(self) -> None:
        """
        Shut the adapter down.
        """
        self._client.close()

    def _first_handshake(self) -> AdapterInfo:
        try:
            return handshake(self._client, self.edition)
        except BaseException:
            self._client.kill()
            raise


def handshake(client: Client, edition: str) -> AdapterInfo:
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
    try:
        reply = client.call("initialize", params)
    except AdapterFailure as failure:
        raise AdapterNeverUp(
            f"the adapter never came up: {failure.what}",
            f"{client.command!r}, initialize",
            value=failure.value,
            hint=failure.hint,
        ) from failure
    if not reply.ok:
        raise AdapterNeverUp(
            "the adapter refused the handshake",
            f"{client.command!r}, initialize",
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
