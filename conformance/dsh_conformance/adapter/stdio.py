"""
An adapter behind a command: JSON-RPC 2.0, one message a line, each one checked.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, NoReturn

from dsh_conformance.adapter.process import LINE_LIMIT, ChildProcess, Closed, LineTooLong
from dsh_conformance.adapter.protocol import Reply
from dsh_conformance.adapter.schemas import checker, violation
from dsh_conformance.errors import AdapterFailure, AdapterNeverUp, RunnerBug

CALL_TIMEOUT_OPTION = "--call-timeout"
# A call does no waiting of its own (time is virtual), so an answer takes milliseconds.
DEFAULT_CALL_TIMEOUT = 10.0
# Parallel answers are few; this bounds what is written ahead of an adapter that reads slowly.
PIPELINE_DEPTH = 64

_encode = json.JSONEncoder(separators=(",", ":")).encode


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_decode = json.JSONDecoder(parse_constant=_no_constant).decode


class StdioClient:
    """
    Drives one adapter process.

    Args:
        command: The command line, split as a shell would split it.
        call_timeout: Seconds that one call may take.

    Raises:
        AdapterNeverUp: The command is empty or cannot be started.
    """

    def __init__(self, command: str, *, call_timeout: float = DEFAULT_CALL_TIMEOUT) -> None:
        self.command = command
        self.call_timeout = call_timeout
        self._next_id = 1
        self._child = self._spawn()
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
        ident = self._request(method, params)
        return self._answer(ident, method)

    def call_many(self, calls: Iterable[tuple[str, dict[str, Any]]]) -> list[Reply]:
        """
        Send several requests before reading the answers, in order (pipelining).

        Raises:
            AdapterFailure: As for `call`, for the first that goes wrong.
        """
        waiting: list[tuple[int, str]] = []
        replies: list[Reply] = []
        for method, params in calls:
            if len(waiting) == PIPELINE_DEPTH:
                replies.append(self._answer(*waiting.pop(0)))
            waiting.append((self._request(method, params), method))
        return [*replies, *(self._answer(*one) for one in waiting)]

    def close(self) -> None:
        """
        Ask the adapter to shut down, and see to it that nothing of it is left.
        """
        if not self.alive:
            return
        with suppress(AdapterFailure):
            self._request("shutdown", {})
        if self.alive:
            self.alive = False
            self._child.stop(gently=True)

    def kill(self) -> None:
        """
        End the adapter at once.
        """
        if self.alive:
            self.alive = False
            self._child.stop(gently=False)

    def _spawn(self) -> ChildProcess:
        try:
            argv = shlex.split(self.command)
        except ValueError as error:
            raise AdapterNeverUp(
                f"the adapter command cannot be split: {error}",
                "--adapter",
                value=self.command,
                hint="quote it as in a shell, for example --adapter 'node my-adapter.mjs'",
            ) from error
        if not argv:
            raise AdapterNeverUp("the adapter command is empty", "--adapter", hint="name a program")
        try:
            return ChildProcess(argv)
        except OSError as error:
            raise AdapterNeverUp(
                f"the adapter cannot be started: {os.strerror(error.errno or 0)}",
                "--adapter",
                value=self.command,
                hint="check the program's name, its path and that it may be executed",
            ) from error

    def _request(self, method: str, params: dict[str, Any]) -> int:
        self._check_ours(method, params)
        ident = self._next_id
        self._next_id += 1
        line = _encode({"jsonrpc": "2.0", "id": ident, "method": method, "params": params})
        try:
            self._child.send(line.encode("ascii") + b"\n")
        except Closed:
            self._crashed(method)
        return ident

    def _answer(self, ident: int, method: str) -> Reply:
        deadline = time.monotonic() + self.call_timeout
        try:
            line = self._child.read_line(deadline)
        except TimeoutError:
            self._hung(method)
        except Closed:
            self._crashed(method)
        except LineTooLong:
            self._broken(method, f"a line of over {LINE_LIMIT >> 20} MiB", b"")
        return self._read(line, ident, method)

    def _read(self, line: bytes, ident: int, method: str) -> Reply:
        try:
            message = _decode(line.decode("utf-8"))
        except (ValueError, RecursionError) as error:
            self._broken(method, f"a line that is not JSON ({error})", line)
        try:
            checker("response")(message)
        except Exception:  # noqa: BLE001  # Whatever it raised, the slow check says why.
            self._broken(method, f"a wrong answer: {violation('response', message)}", line)
        if message["id"] != ident:
            self._broken(method, f"an answer to id {message['id']} instead of {ident}", line)
        if "error" in message:
            refusal = message["error"]
            return Reply(None, refusal["code"], refusal["message"], refusal.get("data"))
        return Reply(self._checked_result(method, message["result"], line))

    def _checked_result(self, method: str, result: Any, line: bytes) -> Any:
        name = f"{method}.result"
        try:
            checker(name)(result)
        except Exception:  # noqa: BLE001  # As above.
            self._broken(method, f"a wrong result: {violation(name, result)}", line)
        return result

    def _check_ours(self, method: str, params: dict[str, Any]) -> None:
        name = f"{method}.params"
        try:
            checker(name)(params)
        except Exception as error:
            raise RunnerBug(
                f"the suite sent wrong parameters: {violation(name, params)}",
                method,
                value=repr(params),
                hint="this is a mistake in dsh-conformance or in the scenario; please report it",
            ) from error

    def _hung(self, method: str) -> NoReturn:
        self.kill()
        raise AdapterFailure(
            f"no answer within {self.call_timeout:g} s",
            method,
            kind="hang",
            value=self._said() or None,
            hint=f"answer every call at once, or raise the limit with {CALL_TIMEOUT_OPTION}",
        )

    def _crashed(self, method: str) -> NoReturn:
        self.alive = False
        status = self._child.exit_status(1.0)
        self._child.stop(gently=False)
        raise AdapterFailure(
            f"the adapter {_ending(status)} instead of answering",
            method,
            kind="crash",
            value=self._said() or None,
            hint="run the adapter by hand with this request on its standard input",
        )

    def _broken(self, method: str, what: str, line: bytes) -> NoReturn:
        self.kill()
        raise AdapterFailure(
            f"the adapter answered {what}",
            method,
            kind="protocol",
            value=line[:400].decode("utf-8", "replace") or None,
            hint="standard output is for protocol lines only; see docs/adapter-protocol.md",
        )

    def _said(self) -> str:
        text = self.stderr_text.strip()
        return f"standard error ends: {text[-400:]}" if text else ""


def _ending(status: int | None) -> str:
    if status is None:
        return "closed its standard output"
    if status < 0:
        with suppress(ValueError):
            return f"was ended by {signal.Signals(-status).name}"
    return f"exited with status {status}"
