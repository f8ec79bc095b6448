"""
Adapters that misbehave, at the command line: one message, the right exit status, nothing left.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

HOSTILE = Path(__file__).parent / "hostile"
LIMIT = 60.0
MARK = "DSH_LIAR_RUN"


def liar(lie, tmp_path):
    """
    Return the command of a liar.
    """
    return f"{sys.executable} {HOSTILE / 'liar.py'} {lie} {tmp_path / 'scratch'}"


def run(adapter, tmp_path, *options):
    """
    Check an adapter on four cases, as a user would.
    """
    command = [sys.executable, "-m", "dsh_conformance.cli", "run", "--adapter", adapter]
    command += ["--scenarios", str(HOSTILE / "cases"), *options]
    started = time.monotonic()
    done = subprocess.run(
        command,
        env={**os.environ, MARK: tmp_path.name, "COLUMNS": "200"},
        capture_output=True,
        check=False,
        text=True,
        timeout=LIMIT,
    )
    assert time.monotonic() - started < LIMIT
    assert "Traceback" not in done.stdout + done.stderr
    assert [] == left_over(tmp_path.name)
    return done


def left_over(mark):
    """
    Return the processes that were started with this mark in their environment.
    """
    wanted, found = f"{MARK}={mark}".encode(), []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if wanted in (entry / "environ").read_bytes().split(b"\0"):
                found.append(entry.name)
        except OSError:
            continue
    return found


class TestNeverUp:
    """
    Adapters with which nothing can begin.
    """

    @pytest.mark.parametrize(
        ("lie", "what", "hint"),
        [
            ("exits-at-start", "exited with status 3", "next:  catch what went wrong"),
            ("banner-at-start", "a line that is no message", "next:  print protocol lines only"),
            ("wrong-protocol-version", "protocolVersion: 1 was expected", "next:  answer with"),
            ("wrong-edition", "does not serve edition 2026-08", "next:  choose one of these"),
            ("hangs-in-initialize", "no answer within 1 s", "or raise --start-timeout"),
        ],
    )
    def test_one_message(self, lie, what, hint, tmp_path):
        """
        Ends with status 2 and one message: what, where, the value, what to do next.
        """
        limits = ("--start-timeout", "1") if lie == "hangs-in-initialize" else ()
        done = run(liar(lie, tmp_path), tmp_path, *limits)

        assert 2 == done.returncode
        assert what in done.stderr
        assert hint in done.stderr
        assert 1 == done.stderr.count("error: ")
        assert len(done.stderr.splitlines()) <= 3

    @pytest.mark.parametrize(
        ("command", "what"),
        [
            ("no-such-adapter-at-all", "cannot be started: No such file or directory"),
            ("", "the adapter command is empty"),
            ("'unbalanced", "cannot be split: No closing quotation"),
            ("no_such_module_at_all:Adapter", "cannot be loaded: ModuleNotFoundError"),
        ],
    )
    def test_no_such_adapter(self, command, what, tmp_path):
        """
        Ends with status 2 and one message where there is no such adapter.
        """
        done = run(command, tmp_path)

        assert 2 == done.returncode
        assert what in done.stderr
        assert "next:" in done.stderr


class TestUnderWay:
    """
    Adapters that fall over later.
    """

    def test_one_case(self, tmp_path):
        """
        Keeps the verdicts of the other cases, and shows what the adapter said last.
        """
        done = run(liar("exits-mid-call", tmp_path), tmp_path)

        assert 3 == done.returncode
        assert "3 passed, 1 unverified" in done.stdout
        assert "crash: tools.call: the adapter exited with status 3" in done.stdout

    def test_patience(self, tmp_path):
        """
        Ends the run at the third failure in a row.
        """
        done = run(liar("crashes-always", tmp_path), tmp_path)

        assert 2 == done.returncode
        assert "the adapter failed 3 cases in a row" in done.stderr

    @pytest.mark.parametrize("lie", ["leaves-a-daemon", "fails-after-shutdown"])
    def test_remark(self, lie, tmp_path):
        """
        Notes what the verdicts do not say.
        """
        done = run(liar(lie, tmp_path), tmp_path)

        assert 0 == done.returncode
        assert "note: the adapter" in done.stdout


class TestTerminal:
    """
    Adapters that speak to the terminal.
    """

    @pytest.mark.parametrize(
        "lie",
        ["controls-everywhere", "controls-in-errors", "controls-in-its-name", "controls-on-stderr"],
    )
    @pytest.mark.parametrize("options", [(), ("-v",)])
    def test_controls(self, lie, options, tmp_path):
        """
        Shows control characters and changes of direction as escapes, and sends none.
        """
        done = run(liar(lie, tmp_path), tmp_path, *options)
        text = done.stdout + done.stderr

        assert text.replace("\n", "").isprintable()
        assert "\\x1b" in text
        assert "\\u202e" in text
