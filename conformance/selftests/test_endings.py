"""
How a run ends: its exit status, and that nothing of it is left, whatever happens.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from dsh_conformance import errors
from dsh_conformance.adapter.remains import PROC
from dsh_conformance.errors import DataError
from dsh_conformance.run.state import RunState

RUN = (sys.executable, "-m", "dsh_conformance", "run")
# Makes a file as soon as it is up, and says nothing.
EARLY = "import sys, time; open(sys.argv[1], 'w').close(); time.sleep(600)"


def left_behind(greeter):
    """
    Return the processes of a greeter that still run.
    """
    wanted = os.fsencode(greeter.called)
    return [path for path in PROC.glob("[0-9]*/cmdline") if wanted in contents(path)]


def contents(path):
    """
    Return what a file of a process holds, if that one still lives.
    """
    try:
        return path.read_bytes()
    except OSError:
        return b""


class TestBadAdapters:
    """
    An adapter that never comes up ends the run in time, with one message and nothing left.
    """

    @pytest.mark.parametrize(
        ("adapter", "words"),
        [
            ("no-such-program-here", ["cannot be started", "no-such-program-here"]),
            ("false", ["never came up", "exited with status 1"]),
            ("echo hello", ["never came up", "hello", "standard error"]),
            ("sleep 600", ["never came up", "within", "--start-timeout"]),
        ],
        ids=["missing", "exits", "garbage", "hangs"],
    )
    def test_never_up(self, command, few, adapter, words):
        """
        It does not exist, exits, says something else, or says nothing.
        """
        ran = command("run", "--scenarios", few, "--adapter", adapter, "--start-timeout", "1")

        assert (2, "") == (ran.status, ran.out)
        assert "Traceback" not in ran.err
        assert [] == [word for word in words if word not in ran.err]

    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"protocolVersion": 2}, ["protocolVersion"]),
            ({"editions": ["x"]}, ["edition 2026-08", "editions: x", "--edition"]),
            ({"capabilities": ["todo.projectoin"]}, ["todo.projectoin", "todo.projection"]),
            ({"clock": "sundial"}, ["sundial"]),
        ],
        ids=["version", "edition", "capability", "clock"],
    )
    def test_wrong_greeting(self, invoke, few, greeter, changes, words):
        """
        It speaks another version, serves another edition, or declares what does not exist.
        """
        status, out, err = invoke("run", "--scenarios", few, "--adapter", greeter(**changes))

        assert (2, "") == (status, out)
        assert [] == [word for word in words if word not in err]
        assert [] == left_behind(greeter)


class TestEarlyStart:
    """
    The adapter comes up while the suite is read.
    """

    @pytest.mark.parametrize(
        ("error", "status", "message"),
        [
            (DataError("no such clause", "x.yaml:1:1"), 2, "error: x.yaml:1:1: no such clause\n"),
            (KeyboardInterrupt(), 130, ""),
        ],
        ids=["mistake", "ctrl-c"],
    )
    def test_goes_with_what_went_wrong(self, invoke, tmp_path, monkeypatch, error, status, message):
        """
        Whatever goes wrong meanwhile is told, and nothing of the adapter is left.
        """
        script = tmp_path / "early.py"
        script.write_text(EARLY, "utf-8")
        early = SimpleNamespace(called=tmp_path / "called")

        def prepare(_):
            wait_for(early.called)
            raise error

        monkeypatch.setattr(RunState, "prepare", prepare)
        ended = invoke("run", "--adapter", f"{sys.executable} {script} {early.called}")

        assert early.called.exists()
        assert (status, "", message) == ended
        assert [] == left_behind(early)

    def test_not_for_a_list(self, invoke, few, tmp_path):
        """
        Whoever only wants to see the cases starts none.
        """
        called = tmp_path / "called"
        invoke("run", "--list", "--scenarios", few, "--adapter", f"touch {called}")

        assert not called.exists()


class TestOurMistakes:
    """
    A mistake of our own is told without a traceback, unless one is asked for.
    """

    def test_outside_cases(self, invoke, monkeypatch):
        """
        Outside a case it ends the command with status 2.
        """
        monkeypatch.setattr(RunState, "prepare", lambda _: {}["lost"])

        status, _, err = invoke("run")

        assert 2 == status
        assert "a mistake in dsh-conformance itself" in err
        assert "KeyError: 'lost'" in err
        assert "report it" in err
        assert "Traceback" not in err

    def test_in_a_report(self, invoke, few, monkeypatch):
        """
        So it does in what listens to the run.
        """
        monkeypatch.setattr(
            "dsh_conformance.report.terminal.TerminalReport.played", lambda *_: {}["lost"]
        )

        status, _, err = invoke("run", "--scenarios", few)

        assert 2 == status
        assert "KeyError: 'lost'" in err
        assert "Traceback" not in err

    def test_in_a_case(self, invoke, few, monkeypatch):
        """
        Inside a case it leaves that one unverified, and the run goes on.
        """
        monkeypatch.setattr("dsh_conformance.run.state.play", lambda scenario, *_: {}[scenario.id])

        status, out, err = invoke("run", "--scenarios", few)

        assert (3, "") == (status, err)
        assert "KeyError: 'todo/empty-list'" in out
        assert "Traceback" not in out

    def test_on_demand(self, invoke, monkeypatch):
        """
        The environment lets it through.
        """
        monkeypatch.setenv(errors.TRACEBACK, "1")
        monkeypatch.setattr(RunState, "prepare", lambda _: {}["lost"])

        with pytest.raises(KeyError):
            invoke("run")


class TestStatuses:
    """
    The exit status says what came of it.
    """

    @pytest.mark.parametrize(
        ("says", "clause", "options", "status"),
        [
            ("error: {$any: true}", "todo.content.unique", [], 0),
            ("says: x", "todo.content.unique", [], 1),
            ("says: x", "todo.content.trimmed", [], 0),
            ("says: x", "todo.content.trimmed", ["--strict"], 1),
        ],
        ids=["conformant", "must", "should", "strict"],
    )
    def test_run(self, invoke, contract, tmp_path, says, clause, options, status):
        """
        0 and 1: a broken must fails the run, a broken should only a strict one.
        """
        if clause not in contract.clauses:
            clause = next(
                name
                for name, one in contract.clauses.items()
                if one.level == "should" and one.plugin == "todo" and not one.untestable
            )
        (tmp_path / "x.yaml").write_text(
            f"claim: c\nclauses: [{clause}]\nsteps: [agent: a, {{call: todo_write, {says}}}]\n"
        )

        assert status == invoke("run", "--scenarios", tmp_path, *options)[0]

    def test_unverified(self, invoke, few, greeter):
        """
        3: nothing failed, but something was not learned.
        """
        status, out, _ = invoke(
            "run",
            "todo/empty-list",
            "--scenarios",
            few,
            "--adapter",
            greeter(capabilities=["todo", "log"]),
            "--call-timeout",
            "0.5",
        )

        assert 3 == status
        assert "unverified" in out.splitlines()[-1]
        assert [] == left_behind(greeter)

    def test_nothing_asked(self, invoke, tmp_path):
        """
        3, too, where no case could be asked at all.
        """
        path = tmp_path / "x.yaml"
        path.write_text(
            "claim: c\nclauses: [todo.content.unique]\neditions: [0.1.0-rc.8]\n"
            "steps: [agent: a, {call: todo_write, says: x}]\n",
            "utf-8",
        )

        status, out, _ = invoke("run", "--scenarios", path)

        assert 3 == status
        assert out.splitlines()[-1].startswith("unverified: ")


class TestSurroundings:
    """
    Where the command is run does not change what it does.
    """

    def test_project_of_another(self, command, few, tmp_path):
        """
        Another project's pytest settings, conftest and plugins do not reach it.
        """
        (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --no-such-option -k nothing\n")
        (tmp_path / "conftest.py").write_text("raise RuntimeError('not for you')\n")
        settings = {"PYTEST_ADDOPTS": "-k nothing --co", "PYTEST_PLUGINS": "no_such"}
        ran = command("run", "--scenarios", few, **settings)

        assert (0, "") == (ran.status, ran.err)
        assert "conformant: 3 passed" == ran.lines[-1]

    def test_leaves_nothing(self, command, few, tmp_path):
        """
        It writes nothing into the folder.
        """
        (folder := tmp_path / "empty").mkdir()
        command("run", "--scenarios", few, cwd=folder)

        assert [] == list(folder.iterdir())

    def test_terminal_without_chinese(self, command, few, contract):
        """
        A terminal that knows only ASCII breaks nothing.
        """
        chinese = next(
            name for name, clause in contract.clauses.items() if not "".join(clause.text).isascii()
        )
        page = command("explain", chinese, "--scenarios", few, PYTHONIOENCODING="ascii")
        ran = command("run", "-v", "--scenarios", few, PYTHONIOENCODING="ascii")

        assert (0, 0) == (page.status, ran.status)
        assert ran.out.isascii()
        assert "\\u2713 todo/empty-list" in ran.lines

    def test_closed_pipe(self, environment, few):
        """
        A reader that leaves ends the run in silence.
        """
        line = (
            f"{shlex.join([*RUN, '-v', '--scenarios', str(few)])} | true; echo ${{PIPESTATUS[0]}}"
        )
        done = subprocess.run(
            ["/bin/bash", "-c", line], env=environment(), capture_output=True, check=True
        )

        assert (b"", b"141") == (done.stderr, done.stdout.splitlines()[-1])


class TestInterrupt:
    """
    Whoever ends the run ends the adapter with it.
    """

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
    def test_signal(self, environment, few, greeter, number):
        """
        Status 130, a report that says so, no traceback, no process left.
        """
        adapter = greeter(capabilities=["todo", "log"])
        child = subprocess.Popen(
            [*RUN, "--scenarios", few, "--adapter", adapter],
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        wait_for(greeter.called, child)
        os.kill(child.pid, number)
        out, err = child.communicate(timeout=60)

        assert (130, b"") == (child.returncode, err)
        assert b"interrupted" in out
        assert [] == left_behind(greeter)


def wait_for(path, child=None):
    """
    Wait until a file is made, by a child that lives or by whomever.
    """
    limit = time.monotonic() + 60
    while (
        not path.exists() and (child is None or child.poll() is None) and time.monotonic() < limit
    ):
        time.sleep(0.02)


class TestTwoAtOnce:
    """
    Two runs side by side do not know of each other.
    """

    def test_same_folder(self, environment, few):
        """
        Both are conformant.
        """
        arguments = [*RUN, "--scenarios", few]
        runs = [
            subprocess.Popen(arguments, cwd=few, env=environment(), stdout=subprocess.DEVNULL)
            for _ in range(2)
        ]

        assert [0, 0] == [run.wait(90) for run in runs]
