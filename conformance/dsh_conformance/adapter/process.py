"""
A child process in a group of its own, spoken to by lines.

Everything happens on the caller's thread: one poll waits for output, for room in the input pipe
and for the time limit together, so nothing can block for ever and no lock is needed.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress

READ_SIZE = 1 << 16
# The longest answer a case of ours needs is under 3 MB; ten times that is a runaway, not an answer.
LINE_LIMIT = 32 << 20
# Enough for a stack trace; a flood must not fill the memory.
STDERR_LIMIT = 64 << 10
# How long a child may take to leave by itself, and again after SIGTERM, before it is killed.
GRACE_SECONDS = 2.0


class Closed(Exception):  # Named for what happened to the pipe.
    """
    The child closed its output, or is gone.
    """


class LineTooLong(Exception):
    """
    A line passed `LINE_LIMIT` bytes without an end.
    """


class ChildProcess:
    """
    Starts a command and exchanges lines with it.

    Args:
        command: The program and its arguments.

    Raises:
        OSError: The program cannot be started.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(  # noqa: S603  # The user's own command, by their wish.
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            bufsize=0,
        )
        assert self._process.stdin  # noqa: S101  # Asked for above.
        assert self._process.stdout  # noqa: S101
        assert self._process.stderr  # noqa: S101
        self._stdin = self._process.stdin.fileno()
        self._stdout = self._process.stdout.fileno()
        self._stderr = self._process.stderr.fileno()
        for fd in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(fd, False)
        self._poll = select.poll()
        self._poll.register(self._stdout, select.POLLIN)
        self._poll.register(self._stderr, select.POLLIN)
        self._outgoing = bytearray()
        self._incoming = bytearray()
        self._scanned = 0
        self._lines: list[bytes] = []
        self._ended = False
        self._errors = bytearray()

    @property
    def pid(self) -> int:
        """
        The process id, which is also its group's.
        """
        return self._process.pid

    @property
    def stderr_text(self) -> str:
        """
        The end of what it wrote to standard error, at most `STDERR_LIMIT` bytes.
        """
        return self._errors.decode("utf-8", "replace")

    def send(self, data: bytes) -> None:
        """
        Write, or keep for later what the pipe has no room for.

        Raises:
            Closed: The child closed its input.
        """
        if self._outgoing:
            self._outgoing += data
            return
        written = self._write(data)
        if written < len(data):
            self._outgoing += data[written:]
            self._poll.register(self._stdin, select.POLLOUT)

    def read_line(self, deadline: float) -> bytes:
        """
        Return the next line without its end, waiting until `deadline` (of `time.monotonic`).

        Raises:
            TimeoutError: No line was complete by then.
            Closed: No line will come any more.
            LineTooLong: The line passed `LINE_LIMIT`.
        """
        while not self._lines:
            if self._ended:
                raise Closed
            self._wait(deadline)
        return self._lines.pop(0)

    def idle_output(self) -> bool:
        """
        Whether output nobody asked for is waiting.
        """
        with suppress(Closed, TimeoutError):
            self._wait(time.monotonic())
        return bool(self._lines or self._incoming)

    def exit_status(self, seconds: float) -> int | None:
        """
        Wait up to `seconds` for the child to end; negative is a signal, None is still alive.
        """
        limit = time.monotonic() + seconds
        while not self._has_exited():
            left = limit - time.monotonic()
            if left <= 0:
                return None
            with suppress(TimeoutError):
                self._wait(time.monotonic() + min(left, 0.01))
        self._kill_group(signal.SIGKILL)
        return self._process.wait()

    def stop(self, *, gently: bool) -> int | None:
        """
        End the child and whatever it left in its group; gently waits for it first.
        """
        self._close_input()
        status = self.exit_status(GRACE_SECONDS) if gently else None
        if status is None and gently:
            self._kill_group(signal.SIGTERM)
            status = self.exit_status(GRACE_SECONDS)
        if status is None:
            self._kill_group(signal.SIGKILL)
            status = self._process.wait()
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()
        self._ended = True
        return status

    def _close_input(self) -> None:
        with suppress(KeyError):
            self._poll.unregister(self._stdin)
        if self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()

    def _has_exited(self) -> bool:
        if self._process.returncode is not None:
            return True
        flags = os.WEXITED | os.WNOWAIT | os.WNOHANG
        return os.waitid(os.P_PID, self._process.pid, flags) is not None

    def _kill_group(self, number: signal.Signals) -> None:
        # The leader is not reaped before the group is gone, so the number cannot be another's.
        if self._process.returncode is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, number)

    def _write(self, data: bytes | bytearray) -> int:
        try:
            return os.write(self._stdin, data)
        except BlockingIOError:
            return 0
        except OSError as error:
            raise Closed from error

    def _wait(self, deadline: float) -> None:
        left = max(0.0, deadline - time.monotonic())
        ready = self._poll.poll(left * 1000)
        if not ready:
            raise TimeoutError
        for fd, _ in ready:
            if fd == self._stdout:
                self._read_output()
            elif fd == self._stderr:
                self._read_errors()
            else:
                self._write_rest()

    def _write_rest(self) -> None:
        try:
            del self._outgoing[: self._write(self._outgoing)]
        except Closed:
            self._outgoing.clear()
        if not self._outgoing:
            self._poll.unregister(self._stdin)

    def _read_output(self) -> None:
        data = self._read(self._stdout)
        if data is None:
            return
        self._incoming += data
        end = self._incoming.rfind(b"\n", self._scanned)
        if end >= 0:
            self._lines += bytes(self._incoming[:end]).split(b"\n")
            del self._incoming[: end + 1]
        self._scanned = len(self._incoming)
        if self._scanned > LINE_LIMIT:
            raise LineTooLong

    def _read_errors(self) -> None:
        data = self._read(self._stderr)
        if data is not None:
            self._errors += data
            del self._errors[:-STDERR_LIMIT]

    def _read(self, fd: int) -> bytes | None:
        try:
            data = os.read(fd, READ_SIZE)
        except BlockingIOError:
            return None
        if not data:
            self._poll.unregister(fd)
            if fd == self._stdout:
                self._ended = True
            return None
        return data
