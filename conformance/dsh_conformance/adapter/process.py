"""
A child process in a group of its own, spoken to by lines.

Everything happens on the caller's thread: one poll waits for output, for room in the input pipe
and for the time limit together, so nothing can block for ever and no lock is needed. Whatever the
child does, what is kept of its output is bounded, and `stop` leaves nothing of it running.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress

from dsh_conformance.adapter.remains import MARK, end_marked, group_memory, marked, name_of

READ_SIZE = 1 << 16
# The longest answer a case of ours needs is under 3 MB; ten times that is a runaway, not an answer.
LINE_LIMIT = 32 << 20
# Enough for a stack trace; a flood must not fill the memory.
STDERR_LIMIT = 64 << 10
# How long a child may take to leave by itself, and again after SIGTERM, before it is killed.
GRACE_SECONDS = 2.0
# A child that died is mostly told by its closed output; but a grandchild may hold that open.
LOOK_SECONDS = 0.1
# Far above what any port needs; a runaway is stopped before the machine swaps. Looked at only
# while an answer is late. A hard limit (RLIMIT_AS) would stop virtual machines at their start.
MEMORY_LIMIT = 4 << 30


class Closed(Exception):
    """
    The child closed its output, or is gone.
    """


class InputClosed(Exception):
    """
    The child closed its input, or is gone.
    """


class LineTooLong(Exception):
    """
    A line passed `LINE_LIMIT` bytes without an end.
    """


class TooMuchMemory(Exception):
    """
    The child's group holds more than `MEMORY_LIMIT` bytes.
    """


class ChildProcess:
    """
    Starts a command and exchanges lines with it.

    Args:
        command: The program and its arguments.

    Raises:
        OSError: The program cannot be started.
        ValueError: An argument holds a NUL character.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._mark = os.urandom(8).hex()
        self._process = subprocess.Popen(  # noqa: S603  # The user's own command, by their wish.
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, MARK: self._mark},
            # Not a session: a scheduler that shares by session would let every answer wait.
            process_group=0,
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
        self._lines: deque[bytes] = deque()
        self._errors = bytearray()
        self._input_closed = False
        self._undelivered = False
        self._ended = False
        self._stopped = False

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

    @property
    def unfinished(self) -> bytes:
        """
        What came of a line whose end has not come.
        """
        return bytes(self._incoming)

    @property
    def line_waiting(self) -> bool:
        """
        Whether a line was received that nobody has taken.
        """
        return bool(self._lines)

    def send(self, data: bytes) -> None:
        """
        Write, or keep for later what the pipe has no room for.

        Raises:
            InputClosed: The child closed its input.
        """
        if self._input_closed:
            raise InputClosed
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
            InputClosed: The child closed its input before it had read all.
            LineTooLong: The line passed `LINE_LIMIT`.
            TooMuchMemory: The child's group passed `MEMORY_LIMIT`.
        """
        look = 0.0
        while not self._lines:
            if self._ended:
                raise Closed
            now = time.monotonic()
            look = look or now + LOOK_SECONDS
            # A drip of bytes, or a flood on standard error, must not hold the limit up.
            if now >= deadline:
                raise TimeoutError
            if now >= look:
                self._look_around()
                look = now + LOOK_SECONDS
            self._pump(min(deadline, look) - now)
        return self._lines.popleft()

    def unasked(self) -> bytes:
        """
        Return output that is waiting although nobody asked, without taking it.
        """
        with suppress(LineTooLong):
            self._pump(0)
        return self._lines[0] if self._lines else bytes(self._incoming)

    def exit_status(self, seconds: float) -> int | None:
        """
        Wait up to `seconds` for the child to end; negative is a signal, None is still alive.

        What it writes meanwhile is thrown away.
        """
        limit = time.monotonic() + seconds
        while not self._has_exited():
            left = limit - time.monotonic()
            if left <= 0:
                return None
            with suppress(LineTooLong):
                self._pump(min(left, 0.01))
            self._throw_away()
        return self._status()

    def stop(self, *, grace: float = 0.0) -> tuple[int | None, list[str]]:
        """
        End the child and whatever it started.

        Args:
            grace: Seconds that it may take to leave by itself, and again after SIGTERM.

        Returns:
            Its exit status, None if it did not leave by itself, and the names of the processes
            that it left behind.
        """
        if self._stopped:
            return None, []
        self._stopped = True
        self._close_input()
        status = self.exit_status(grace) if grace else None
        left = [name_of(pid) for pid in marked(self._mark) if pid != self.pid]
        if grace and status is None:
            self._kill_group(signal.SIGTERM)
            self.exit_status(grace)
        self._kill_group(signal.SIGKILL)
        self._reap()
        end_marked(self._mark, but=self.pid)
        self._close_output()
        return status, left

    def _throw_away(self) -> None:
        self._lines.clear()
        self._incoming.clear()

    def _close_input(self) -> None:
        self._input_closed = True
        with suppress(KeyError):
            self._poll.unregister(self._stdin)
        if self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()

    def _close_output(self) -> None:
        self._ended = True
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()

    def _has_exited(self) -> bool:
        if self._process.returncode is not None:
            return True
        return self._peeked() is not None

    def _status(self) -> int:
        # The leader is looked at but not reaped before its group is gone: until then its number,
        # which is the group's, cannot become another's.
        peeked = self._peeked()
        if peeked is None:
            return self._process.wait()
        return peeked.si_status if peeked.si_code == os.CLD_EXITED else -peeked.si_status

    def _peeked(self) -> os.waitid_result | None:
        with suppress(ChildProcessError):
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)
        return None

    def _kill_group(self, number: signal.Signals) -> None:
        if self._process.returncode is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, number)

    def _reap(self) -> None:
        # A program that changed its user cannot be killed; waiting for it must end all the same.
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE_SECONDS)

    def _look_around(self) -> None:
        if self._has_exited() and not self._poll.poll(0):
            self._ended = True
        elif self._undelivered:
            raise InputClosed
        elif group_memory(self.pid) > MEMORY_LIMIT:
            raise TooMuchMemory

    def _pump(self, seconds: float) -> None:
        for fd, _ in self._poll.poll(seconds * 1000):
            if fd == self._stdout:
                self._read_output()
            elif fd == self._stderr:
                self._read_errors()
            else:
                self._write_rest()

    def _write(self, data: bytes | bytearray) -> int:
        try:
            return os.write(self._stdin, data)
        except BlockingIOError:
            return 0
        except OSError as error:
            self._input_closed = True
            raise InputClosed from error

    def _write_rest(self) -> None:
        try:
            del self._outgoing[: self._write(self._outgoing)]
        except InputClosed:
            # Answers to what it did read may still come, so this is no failure yet.
            self._outgoing.clear()
            self._undelivered = True
        if not self._outgoing:
            self._poll.unregister(self._stdin)

    def _read_output(self) -> None:
        data = self._read(self._stdout)
        if data is None:
            return
        last = data.rfind(b"\n")
        if last < 0:
            self._incoming += data
        else:
            self._lines.extend((bytes(self._incoming) + data[:last]).split(b"\n"))
            self._incoming = bytearray(data[last + 1 :])
        if len(self._incoming) > LINE_LIMIT:
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
        if data:
            return data
        self._poll.unregister(fd)
        if fd == self._stdout:
            self._ended = True
        return None
