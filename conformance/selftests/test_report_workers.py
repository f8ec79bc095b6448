"""
Many at once: workers of pytest-xdist with an adapter each, and shards on several machines.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from dsh_conformance.errors import UsageError
from dsh_conformance.paths import fixtures_root
from dsh_conformance.run.shards import recorded_seconds, shard

CASES = (
    "todo/duplicate-content",
    "todo/two-active-items",
    "todo/empty-list",
    "todo/empty-content",
    "todo/long-content",
    "todo/trimmed-before-comparison",
)
HERE = Path(__file__).parent / "reports"
COUNTING = """
import os
from dsh_reference.adapter import Adapter


class Counting:
    def __init__(self):
        self._inner = Adapter()
        with open(os.environ["STARTS"], "a") as file:
            file.write(f"{os.getpid()}\\n")

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._inner, name)


class Ending(Counting):
    def tools_call(self, **params):
        if "long" in os.environ["PYTEST_CURRENT_TEST"]:
            os._exit(7)
        return self._inner.tools_call(**params)
"""


@pytest.fixture
def suite(tmp_path):
    """
    Run the suite under plain pytest with two workers.
    """
    for case in CASES:
        target = tmp_path / "scenarios" / f"{case}.yaml"
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(fixtures_root() / f"{case}.yaml", target)
    (tmp_path / "counting.py").write_text(COUNTING, "utf-8")
    paths = [str(tmp_path), str(HERE), *sys.path]
    starts = tmp_path / "starts"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "STARTS": str(starts)}

    def run(*more):
        command = [sys.executable, "-m", "pytest", "-n", "2", "--pyargs", "dsh_conformance.suite"]
        command += ["--scenarios", "scenarios", "--report", "json=run.json", *more]
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )

    return run


def report(folder):
    """
    Read the JSON report.
    """
    return json.loads((folder / "run.json").read_text("utf-8"))


class TestWorkers:
    """
    `pytest -n 2 --pyargs dsh_conformance.suite`.
    """

    def test_one_adapter_each(self, suite, tmp_path):
        """
        Each worker has one adapter of its own, and the run's own one is only greeted.
        """
        ended = suite("--adapter", "counting:Counting")
        starts = (tmp_path / "starts").read_text().split()

        assert 0 == ended.returncode, ended.stdout
        assert 3 == len(starts) == len(set(starts))

    def test_one_report(self, suite, tmp_path):
        """
        The results of all workers come together in one report and one exit status.
        """
        ended = suite("--adapter", "planted:Planted")
        data = report(tmp_path)

        assert 1 == ended.returncode, ended.stdout
        assert data["complete"]
        assert set(CASES) == {case["id"] for case in data["cases"]}
        assert "<b>planted</b>\u202e" == data["implementation"]["name"]

    def test_known_failures(self, suite, tmp_path):
        """
        Known failures are known to the workers, and judged once.
        """
        entry = "grade: same meaning, reason: x, issue: 'https://example.org/1'"
        known = f"known-failures:\n  - {{case: todo/duplicate-content, {entry}}}\n"
        (tmp_path / "known.yaml").write_text(known, "utf-8")
        ended = suite("--adapter", "planted:Planted", "--known-failures", "known.yaml")

        assert 1 == ended.returncode
        assert "FAILED test_scenarios.py::test_scenario[todo/two-active-items]" in ended.stdout
        assert "[todo/duplicate-content]" not in ended.stdout
        assert ["seen"] == [one["state"] for one in report(tmp_path)["knownFailures"]]

    def test_dead_adapter(self, suite):
        """
        An adapter that never comes up is one message, before any worker starts.
        """
        ended = suite("--adapter", f"{sys.executable} -c pass")

        assert 2 == ended.returncode
        assert "the adapter never came up" in ended.stdout + ended.stderr
        assert "[gw0]" not in ended.stdout

    def test_lost_worker(self, suite, tmp_path):
        """
        A case that takes its worker down is unverified: it never looks as if it had passed.
        """
        ended = suite("--adapter", "counting:Ending")
        data = report(tmp_path)
        outcomes = {case["id"]: case["outcome"] for case in data["cases"]}

        assert 3 == ended.returncode, ended.stdout
        assert "unverified" == outcomes["todo/long-content"]
        assert len(CASES) == len(outcomes)


class TestShards:
    """
    A run in parts.
    """

    everything = tuple(f"todo/{number:03}" for number in range(150))

    def parts(self, whole, seconds):
        """
        Return the case ids of each part.
        """
        scenarios = [SimpleNamespace(id=case) for case in self.everything]
        return [
            [one.id for one in shard(scenarios, (number + 1, whole), seconds)]
            for number in range(whole)
        ]

    @pytest.mark.parametrize("seconds", [{}, {"todo/017": 5.0, "todo/018": 1.0}])
    def test_each_case_once(self, seconds):
        """
        Together the parts are the whole, each in order, and no case is in two of them.
        """
        parts = self.parts(3, seconds)

        assert list(self.everything) == sorted(case for part in parts for case in part)
        assert all(part == sorted(part) for part in parts)

    def test_balanced(self):
        """
        With recorded times the parts take nearly the same time.
        """
        seconds = {case: 1.0 + number % 17 for number, case in enumerate(self.everything)}
        loads = [sum(seconds[case] for case in part) for part in self.parts(4, seconds)]

        assert max(loads) - min(loads) <= max(seconds.values())

    def test_a_case_without_a_time(self):
        """
        A new case is taken to last as long as the usual one.
        """
        seconds = {"todo/000": 100.0, **dict.fromkeys(self.everything[1:140], 1.0)}
        loads = [len(part) for part in self.parts(2, seconds) if "todo/000" not in part]

        assert [124] == loads

    def test_times_from_a_report(self, tmp_path):
        """
        Times come from a JSON report; another file is refused.
        """
        path = tmp_path / "run.json"
        path.write_text(json.dumps({"cases": [{"id": "a", "seconds": 2}]}))
        other = tmp_path / "other.json"
        other.write_text("[]")

        assert {"a": 2.0} == recorded_seconds(path)
        with pytest.raises(UsageError, match="not a JSON report"):
            recorded_seconds(other)
