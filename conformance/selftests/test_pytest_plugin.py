"""
The suite under pytest itself: the same verdicts, with pytest's own options.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import entry_points
from xml.etree import ElementTree as ET

import pytest

from dsh_conformance.paths import fixtures_root
from dsh_conformance.pytest_plugin import _names_suite

SUITE = "dsh_conformance.suite"
BROKEN = """\
from dsh_reference.adapter import Adapter as Sound

class Adapter:
    def __init__(self):
        self._sound = Sound()
        open(f"made-{id(self)}", "w").close()

    def __getattr__(self, name):
        return getattr(self._sound, name)

    def tools_call(self, **params):
        answer = self._sound.tools_call(**params)
        return {**answer, "text": answer["text"] + "\\ud800"} if answer["isError"] else answer
"""


@dataclass
class Ran:
    """
    How pytest ended.
    """

    status: int
    out: str
    cases: dict


@pytest.fixture
def run_pytest(tmp_path, environment, few):
    """
    Run pytest on the suite with a few scenarios, and read its JUnit XML.
    """
    (tmp_path / "broken.py").write_text(BROKEN, "utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", "utf-8")

    def ran(*arguments, suite=("--pyargs", SUITE)):
        arguments = ["-p", "no:cacheprovider", f"--scenarios={few}", *map(str, arguments)]
        if not installed_as_plugin():
            arguments += ["-p", "dsh_conformance.pytest_plugin"]
        env = environment(PYTHONDONTWRITEBYTECODE="1")
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *suite, *arguments, "--junit-xml=out.xml"],
            cwd=tmp_path,
            env={**env, "PYTHONPATH": f"{env['PYTHONPATH']}:{tmp_path}"},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        return Ran(done.returncode, done.stdout + done.stderr, junit(tmp_path / "out.xml"))

    return ran


def installed_as_plugin():
    """
    Return whether the plugin's entry point is found, as after an installation.
    """
    return any(
        one.value == "dsh_conformance.pytest_plugin" for one in entry_points(group="pytest11")
    )


def junit(path):
    """
    Return the cases of a JUnit file: id, how it ended, and its properties.
    """
    if not path.exists():
        return {}
    cases = {}
    for case in ET.parse(path).iter("testcase"):  # noqa: S314  # Written by pytest just now.
        ident = case.get("name").partition("[")[2].removesuffix("]")
        ended = {child.tag for child in case} - {"properties"}
        properties = [(one.get("name"), one.get("value")) for one in case.iter("property")]
        cases[ident] = (next(iter(ended), "passed"), properties)
    return cases


class TestVerdicts:
    """
    The same verdicts as `dsh-conformance run`.
    """

    def test_conformant(self, run_pytest):
        """
        The reference passes; ids are those of the scenarios; clauses are properties.
        """
        ran = run_pytest()

        assert 0 == ran.status
        assert {"todo/empty-list", "todo/active-item-moves-on", "todo/two-active-items"} == set(
            ran.cases
        )
        ended, properties = ran.cases["todo/two-active-items"]
        assert "passed" == ended
        assert ("outcome", "passed") in properties
        assert any(name == "clause" and value.startswith("todo.") for name, value in properties)

    @pytest.mark.parametrize("workers", [0, 2])
    def test_broken(self, run_pytest, tmp_path, workers):
        """
        A broken must fails its case, with one adapter a process, also among workers.
        """
        pytest.importorskip("xdist") if workers else None

        ran = run_pytest("--adapter=broken:Adapter", *(["-n", workers] if workers else []))

        assert 1 == ran.status
        assert "failure" == ran.cases["todo/two-active-items"][0]
        assert ("grade", "same meaning") in ran.cases["todo/two-active-items"][1]
        assert "passed" == ran.cases["todo/empty-list"][0]
        assert "same meaning" in ran.out
        # With workers the run first meets the adapter once by itself.
        assert (workers + 1 if workers else 1) == len(list(tmp_path.glob("made-*")))

    def test_other_edition(self, run_pytest):
        """
        What is not applicable is skipped, and nothing verified is status 3.
        """
        ran = run_pytest("--edition=0.1.0-rc.8", "--clause=tree.*", "--scenarios", few_tree())

        assert 3 == ran.status
        assert {"skipped"} == {ended for ended, _ in ran.cases.values()}

    def test_choice(self, run_pytest):
        """
        Pytest's `-k` chooses by id.
        """
        assert ["todo/empty-list"] == list(run_pytest("-k", "empty-list").cases)


def few_tree():
    """
    Return one scenario of the tree's.
    """
    return next((fixtures_root() / "tree").glob("command-drop.yaml"))


class TestMistakes:
    """
    A mistake is one message, and no case is played.
    """

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            (["--edition=x"], ["--edition", "known:"]),
            (["--plugin=tod"], ["--plugin", "'todo'"]),
            (["--clause=todo.content.uniqe"], ["--clause", "unique'"]),
            (["--shard=3/2"], ["--shard", "1/3"]),
            (["--scenarios=none"], ["no such folder"]),
        ],
        ids=lambda value: value[0],
    )
    def test_options(self, run_pytest, options, words):
        """
        Wrong options end it as pytest ends on wrong options.
        """
        ran = run_pytest(*options)

        assert pytest.ExitCode.USAGE_ERROR == ran.status
        assert {} == ran.cases
        assert "Traceback" not in ran.out
        assert [] == [word for word in words if word not in ran.out]

    @pytest.mark.parametrize("workers", [0, 2])
    def test_adapter(self, run_pytest, workers):
        """
        An adapter that never comes up ends it with status 2.
        """
        pytest.importorskip("xdist") if workers else None

        ran = run_pytest("--adapter=false", *(["-n", workers] if workers else []))

        assert 2 == ran.status
        assert "never came up" in ran.out
        assert "Traceback" not in ran.out


class TestOtherTests:
    """
    The plugin keeps out of everybody else's tests.
    """

    def test_beside(self, run_pytest, tmp_path):
        """
        A failing test of the user's own fails the session, however conformant the adapter.
        """
        (tmp_path / "test_mine.py").write_text("def test_mine():\n    assert False\n", "utf-8")

        ran = run_pytest(suite=("--pyargs", SUITE, "test_mine.py"))

        assert 1 == ran.status
        assert "3 passed" in ran.out

    def test_alone(self, run_pytest, tmp_path):
        """
        In a session without the suite nothing of it is started.
        """
        folder = tmp_path / "dsh_conformance"
        folder.mkdir()
        (folder / "test_mine.py").write_text("def test_mine():\n    pass\n", "utf-8")

        ran = run_pytest("--adapter=broken:Adapter", suite=(folder,))

        assert 0 == ran.status
        assert [] == list(tmp_path.glob("made-*"))
        assert "dsh-conformance: adapter" not in ran.out

    @pytest.mark.parametrize(
        ("argument", "named"),
        [
            ("dsh_conformance.suite", True),
            ("dsh_conformance.suite.test_scenarios", True),
            ("dsh_conformance.suite.test_scenarios::test_scenario[todo/x]", True),
            ("dsh_conformance.suites", False),
            ("/home/me/dsh_conformance/tests", False),
            ("tests", False),
        ],
    )
    def test_names(self, argument, named):
        """
        The suite is named by its module, not by a path that has its name.
        """
        assert named == _names_suite(argument)
