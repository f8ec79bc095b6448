"""
A child process: lines in, lines out, and nothing left.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from dsh_conformance.adapter import process
from dsh_conformance.adapter.process import ChildProcess, Closed, InputClosed, LineTooLong
from dsh_conformance.adapter.remains import group_memory, marked

SOON = 20.0
LINUX = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")


@pytest.fixture
def start():
    """
    A function that starts Python on a program text.
    """
    started = []

    def starting(program, *options):
        child = ChildProcess([sys.executable, "-S", *options, "-c", program])
        started.append(child)
        return child

    yield starting
    for child in started:
        child.stop()


def line(child, seconds=SOON):
    """
    Read a line soon.
    """
    return child.read_line(time.monotonic() + seconds)


def is_alive(pid):
    """
    Whether a process is there and no zombie.
    """
    try:
        return "Z" != Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False


class TestLines:
    """
    What comes out.
    """

    def test_order(self, start):
        """
        Returns lines in order, also when many come at once and the last has no end.
        """
        child = start("print('one\\n\\ntwo', end='\\nrest', flush=True)")

        assert [b"one", b"", b"two"] == [line(child) for _ in range(3)]
        with pytest.raises(Closed):
            line(child)
        assert b"rest" == child.unfinished

    def test_both_ways_at_once(self, start):
        """
        Writes and reads megabytes that no pipe has room for.
        """
        child = start("import sys\nfor x in sys.stdin: sys.stdout.write(x)\nsys.stdout.flush()")
        big = b"x" * (1 << 20)
        for _ in range(3):
            child.send(big + b"\n")

        assert [big] * 3 == [line(child) for _ in range(3)]

    def test_time_limit(self, start):
        """
        Gives up at the limit.
        """
        child = start("import time; time.sleep(60)")

        with pytest.raises(TimeoutError):
            line(child, 0.05)

    def test_line_limit(self, start, monkeypatch):
        """
        Gives up on a line that has no end.
        """
        monkeypatch.setattr(process, "LINE_LIMIT", 100_000)
        child = start("while True: print('x' * 1000, end='')")

        with pytest.raises(LineTooLong):
            line(child)

    def test_unasked(self, start):
        """
        Tells of output without taking it.
        """
        child = start(r"import os; os.write(1, b'first\nsecond\n'); input()")
        line(child)

        assert b"second" == child.unasked()
        assert b"second" == line(child)
        assert b"" == child.unasked()


class TestErrors:
    """
    Standard error.
    """

    def test_end_is_kept(self, start):
        """
        Keeps the end of standard error, bounded.
        """
        program = "import sys; sys.stderr.write('x' * 1_000_000 + 'the end'); print()"
        child = start(program)
        line(child)
        child.exit_status(SOON)

        assert child.stderr_text.endswith("xthe end")
        assert process.STDERR_LIMIT == len(child.stderr_text)


class TestEnd:
    """
    How a child ends.
    """

    @pytest.mark.parametrize(
        ("program", "status"),
        [("import os; os._exit(7)", 7), ("import os; os.kill(os.getpid(), 15)", -15)],
    )
    def test_status(self, start, program, status):
        """
        Tells how it ended, before and after it is stopped.
        """
        child = start(program)

        assert status == child.exit_status(SOON)
        assert (status, []) == child.stop(grace=SOON)

    def test_input_closed(self, start):
        """
        Says so when the child closed its input.
        """
        child = start("import os, time; os.close(0); print(flush=True); time.sleep(60)")
        line(child)

        with pytest.raises(InputClosed):
            child.send(b"hello\n")
        with pytest.raises(InputClosed):
            child.send(b"again\n")

    def test_ended_with_its_pipe_held(self, start):
        """
        Does not wait for a grandchild that holds the output open.
        """
        child = start("import os, time\nif os.fork(): os._exit(0)\ntime.sleep(60)")
        started = time.monotonic()

        with pytest.raises(Closed):
            line(child)
        assert time.monotonic() - started < SOON / 2

    def test_gentle_stop(self, start):
        """
        Lets a child leave that sees the end of its input.
        """
        child = start("import sys; sys.stdin.read()")

        assert (0, []) == child.stop(grace=SOON)

    def test_stubborn(self, start):
        """
        Ends a child that will not leave, and a second stop does nothing.
        """
        child = start(
            "import signal, time; signal.signal(15, 1); print(flush=True); time.sleep(60)"
        )
        line(child)

        assert (None, []) == child.stop(grace=0.1)
        assert (None, []) == child.stop(grace=0.1)
        with pytest.raises(ProcessLookupError):
            os.kill(child.pid, signal.SIGTERM)

    def test_last_words_are_thrown_away(self, start):
        """
        Keeps nothing of a flood that comes when it is told to leave.
        """
        child = start("import sys; sys.stdin.read(); print('x' * 10_000_000, 'y\\n' * 100_000)")

        assert (0, []) == child.stop(grace=SOON)
        assert not child.line_waiting
        assert b"" == child.unfinished

    @LINUX
    @pytest.mark.parametrize("session", [False, True])
    def test_left_behind(self, start, session):
        """
        Finds and ends what the child left behind, in its group and out of it.
        """
        child = start(
            "import subprocess, sys\n"
            "p = subprocess.Popen([sys.executable, '-S', '-c', 'import time; time.sleep(60)'],"
            f" start_new_session={session})\n"
            "print(p.pid, flush=True)\n"
            "input()"
        )
        left = int(line(child))
        child.send(b"\n")
        status, names = child.stop(grace=SOON)

        assert 0 == status
        assert 1 == len(names)
        assert not is_alive(left)
        assert [] == marked(child._mark)


class TestMemory:
    """
    What a group of processes holds.
    """

    @LINUX
    def test_group(self, start):
        """
        Counts the memory of the child's group.
        """
        child = start("x = b'x' * (64 << 20); print(flush=True); input()")
        line(child)

        assert 64 << 20 < group_memory(child.pid) < 512 << 20
        assert 0 == group_memory(2**22 + 1)
