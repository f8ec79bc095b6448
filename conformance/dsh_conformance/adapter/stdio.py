"""
An adapter behind a command: JSON-RPC 2.0, one message a line, each one checked.
"""

from __future__ import annotations

import os
import shlex
import time
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, NoReturn

from dsh_conformance.adapter import complaints
from dsh_conformance.adapter.process import (
    GRACE_SECONDS,
    LINE_LIMIT,
    MEMORY_LIMIT,
    ChildProcess,
    Closed,
    InputClosed,
    LineTooLong,
    TooMuchMemory,
)
from dsh_conformance.adapter.protocol import Reply
from dsh_conformance.adapter.schemas import check_params, check_result, violation
from dsh_conformance.adapter.wire import NotJson, decode, encode
from dsh_conformance.errors import AdapterFailure, AdapterNeverUp

# A call does no waiting of its own (time is virtual), so an answer takes milliseconds.
DEFAULT_CALL_TIMEOUT = 10.0
# An adapter that is compiled when it is started may take this long to say hello.
DEFAULT_START_TIMEOUT = 60.0
# Parallel answers are few; this bounds what is written ahead of an adapter that reads slowly.
PIPELINE_DEPTH = 64
# A process that has ended is seen at once; one that has only closed its output is given this long.
LAST_WORDS_SECONDS = 0.5


class StdioClient:
    """
    Drives one adapter process.

    Args:
        command: The command line, split as a shell would split it.
        call_timeout: Seconds that one call may take.
        start_timeout: Seconds that the first call may take, which includes starting up.

    Raises:
        AdapterNeverUp: The command is empty or cannot be started.
    """

    def __init__(
        self,
        command: str,
        *,
        call_timeout: float = DEFAULT_CALL_TIMEOUT,
        start_timeout: float = DEFAULT_START_TIMEOUT,
    ) -> None:
        self.command = command
        self.call_timeout = call_timeout
        self.start_timeout = start_timeout
        self._next_id = 1
        self._waiting: deque[tuple[int, str]] = deque()
        self._child = _started(command)
        self.alive = True

    def __repr__(self) -> str:
        return f"<StdioClient {self.command!r} pid={self._child.pid} alive={self.alive}>"

    @property
    def stderr_text(self) -> str:
        """
        The end of what the adapter wrote to standard error.
        """
        return self._child.stderr_text

    @property
    def pid(self) -> int:
        """
        The adapter's process id.
        """
        return self._child.pid

    def call(self, method: str, params: dict[str, Any]) -> Reply:
        """
        Send one request and wait for its answer.

        Raises:
            AdapterFailure: It crashed, hung or broke the protocol; the process is gone.
            RunnerBug: Our own request does not fit its schema.
        """
        self._request(method, params)
        return self._answer()

    def call_many(self, calls: Iterable[tuple[str, dict[str, Any]]]) -> list[Reply]:
        """
        Send several requests before reading the answers, in order (pipelining).

        Raises:
            AdapterFailure: As for `call`, for the first that goes wrong.
            RunnerBug: As for `call`; no request that was sent goes without its answer.
        """
        replies: list[Reply] = []
        try:
            for method, params in calls:
                if len(self._waiting) == PIPELINE_DEPTH:
                    replies.append(self._answer())
                self._request(method, params)
        finally:
            while self._waiting:
                replies.append(self._answer())
        return replies

    def check_quiet(self, method: str) -> None:
        """
        Make sure that the adapter has said nothing beyond its answers.

        Args:
            method: The last one called, for the message.

        Raises:
            AdapterFailure: It has; the process is gone.
        """
        if self.alive:
            line = self._child.unasked()
            if line:
                self._fail(complaints.unasked(method, line))

    def close(self) -> str | None:
        """
        Ask the adapter to shut down, and see to it that nothing of it is left.

        Returns:
            What its author should know of how it left, or None.
        """
        if not self.alive:
            return None
        with suppress(AdapterFailure):
            self._request("shutdown", {})
        if not self.alive:
            return None
        self.alive = False
        status, left = self._child.stop(grace=min(GRACE_SECONDS, self.call_timeout))
        return _remark(status, left)

    def kill(self) -> None:
        """
        End the adapter at once.
        """
        self.alive = False
        self._waiting.clear()
        self._child.stop()

    def _request(self, method: str, params: dict[str, Any]) -> None:
        check_params(method, params)
        ident = self._next_id
        self._next_id += 1
        line = encode({"jsonrpc": "2.0", "id": ident, "method": method, "params": params})
        try:
            self._child.send(line + b"\n")
        except InputClosed:
            self._crashed(method, "input")
        self._waiting.append((ident, method))

    def _answer(self) -> Reply:
        ident, method = self._waiting.popleft()
        line = self._line(ident, method)
        message = self._message(line, method)
        if message["id"] != ident:
            self._fail(
                complaints.misdirected(method, seen=message["id"], expected=ident, line=line)
            )
        if not self._waiting and self._child.line_waiting:
            self._fail(complaints.unasked(method, self._child.unasked()))
        if "error" in message:
            refusal = message["error"]
            return Reply(None, refusal["code"], refusal["message"], refusal.get("data"))
        result = message["result"]
        if not check_result(method, result):
            self._fail(complaints.unfit(method, _why(method, result), line))
        return Reply(result)

    def _line(self, ident: int, method: str) -> bytes:
        limit = self.start_timeout if ident == 1 else self.call_timeout
        try:
            return self._child.read_line(time.monotonic() + limit)
        except TimeoutError:
            self._hung(method, limit, first=ident == 1)
        except Closed:
            self._crashed(method, "output")
        except InputClosed:
            self._crashed(method, "input")
        except TooMuchMemory:
            self._fail(complaints.swollen(method, limit=MEMORY_LIMIT, said=self._said()))
        except LineTooLong:
            self._fail(complaints.endless(method, limit=LINE_LIMIT))

    def _message(self, line: bytes, method: str) -> dict[str, Any]:
        try:
            message = decode(line)
        except NotJson as error:
            self._fail(complaints.garbled(method, error, line))
        # The shape of nearly every answer, seen in a glance; the schema has the last word.
        if not _is_plain_result(message):
            wrong = violation("response", message)
            if wrong:
                self._fail(complaints.misshapen(method, wrong, line))
        plain: dict[str, Any] = message
        return plain

    def _hung(self, method: str, limit: float, *, first: bool) -> NoReturn:
        option = complaints.START_TIMEOUT_OPTION if first else complaints.CALL_TIMEOUT_OPTION
        unfinished = self._child.unfinished
        said = self._said()
        self._fail(
            complaints.hung(method, limit=limit, option=option, unfinished=unfinished, said=said)
        )

    def _crashed(self, method: str, closed: str) -> NoReturn:
        status = self._child.exit_status(min(LAST_WORDS_SECONDS, self.call_timeout))
        said = self._said()
        self._fail(complaints.crashed(method, status=status, closed=closed, said=said))

    def _fail(self, failure: AdapterFailure) -> NoReturn:
        self.kill()
        raise failure

    def _said(self) -> str:
        text = self.stderr_text.strip()
        return f"standard error ends: {text[-complaints.EXCERPT :]}" if text else ""


def _started(command: str) -> ChildProcess:
    try:
        argv = shlex.split(command)
    except ValueError as error:
        raise AdapterNeverUp(
            f"the adapter command cannot be split: {error}",
            "--adapter",
            value=command,
            hint="quote it as in a shell, for example --adapter 'node my-adapter.mjs'",
        ) from error
    if not argv:
        raise AdapterNeverUp(
            "the adapter command is empty",
            "--adapter",
            value=command,
            hint="name a program, for example --adapter 'node my-adapter.mjs'",
        )
    try:
        return ChildProcess(argv)
    except (OSError, ValueError) as error:
        raise AdapterNeverUp(
            f"the adapter cannot be started: {_reason(error)}",
            "--adapter",
            value=command,
            hint="check the program's name, its path and that it may be executed",
        ) from error


def _reason(error: OSError | ValueError) -> str:
    return os.strerror(error.errno or 0) if isinstance(error, OSError) else str(error)


def _why(method: str, result: Any) -> str:
    return violation(f"{method}.result", result) or "it does not fit its schema"


def _is_plain_result(message: Any) -> bool:
    return (
        type(message) is dict
        and len(message) == 3
        and "result" in message
        and message.get("jsonrpc") == "2.0"
        and type(message.get("id")) is int
    )


def _remark(status: int | None, left: list[str]) -> str | None:
    if status is None:
        return "the adapter did not exit after shutdown and was ended: exit once it is answered"
    if left:
        names = ", ".join(left[:5])
        many = "process" if len(left) == 1 else "processes"
        return f"the adapter left {len(left)} {many} behind, now ended: {names}"
    if status != 0:
        return f"the adapter {complaints.ending(status)} after shutdown: exit with 0"
    return None
