"""
Adapters that misbehave in every way we could think of, each with the one outcome it must have.
"""

from __future__ import annotations

import re
import resource
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import yaml

from dsh_conformance.adapter import process, stdio
from dsh_conformance.adapter.connection import Connection
from dsh_conformance.contract.catalogue import load_contracts
from dsh_conformance.errors import DshError
from dsh_conformance.run.summary import USAGE, Summary
from dsh_conformance.scenario.loader import load_scenarios
from dsh_conformance.scenario.player import play
from dsh_conformance.scenario.results import CaseResult

EDITION = "2026-08"
HOSTILE = Path(__file__).parent / "hostile"
CATALOGUE = yaml.safe_load((HOSTILE / "catalogue.yaml").read_text("utf-8"))
TOUCHED = "todo/2-touched"

# Only those that hang are waited for; the others must not fail for a busy machine.
HANG_TIMEOUT = 1.0
CALL_TIMEOUT = 20.0
# Python and the reference have to be read in, on a machine that does other things, too.
START_TIMEOUT = 15.0
HANG_IN_START = {"hangs-in-initialize": 1.0, "drips-in-initialize": 1.5}
# One hang, one restart and a stubborn end, with a margin for a busy machine.
RUN_LIMIT = 30.0
# A line at its limit, its copy, and what the decoder makes of it.
MEMORY_GROWTH = 160 << 20
HOARD_LIMIT = 256 << 20
ENVIRONMENT = "DSH_LIAR_RUN"


@dataclass
class Run:
    """
    What came of a run.
    """

    results: dict[str, CaseResult] = field(default_factory=dict)
    status: int = 0
    ended: DshError | None = None
    remark: str | None = None
    seconds: float = 0.0
    grown: int = 0

    @property
    def message(self) -> str:
        """
        What the author is told.
        """
        return str(self.ended) if self.ended is not None else self.results[TOUCHED].reason


@pytest.fixture(scope="module")
def contract():
    """
    The contract that the cases name clauses of.
    """
    return load_contracts()[EDITION]


@pytest.fixture(scope="module")
def cases(contract):
    """
    Four cases, one of which arms the liar.
    """
    return load_scenarios(HOSTILE / "cases", contract, set(contract.clauses))


@pytest.fixture
def run(contract, cases, tmp_path, monkeypatch):
    """
    A function that plays all cases on a liar.
    """

    def running(lie):
        monkeypatch.setenv(ENVIRONMENT, tmp_path.name)
        monkeypatch.setenv("LIAR_LATE", str(HANG_TIMEOUT * 2))
        command = f"{sys.executable} {HOSTILE / 'liar.py'} {lie} {tmp_path / 'scratch'}"
        return observed(Run(), command, lie, contract, cases)

    return running


def observed(run, command, lie, contract, cases):
    """
    Play all cases on a liar as a run does.
    """
    summary = Summary(contract)
    started, before = time.monotonic(), peak_memory()
    try:
        connection = Connection(
            command,
            EDITION,
            call_timeout=HANG_TIMEOUT if hangs(lie) else CALL_TIMEOUT,
            start_timeout=HANG_IN_START.get(lie, START_TIMEOUT),
        )
        try:
            for case in cases:
                summary.add(play(case, connection, contract))
        finally:
            run.remark = connection.close()
    except DshError as error:
        run.ended = error
    run.results = {result.id: result for result in summary.results}
    run.status = USAGE if run.ended is not None else summary.exit_status()
    run.seconds, run.grown = time.monotonic() - started, peak_memory() - before
    return run


def hangs(lie):
    """
    Whether what is expected of a lie is a time limit.
    """
    wanted = CATALOGUE[lie]
    return "hang" in wanted.get("touched", "") or "did not exit" in wanted.get("remark", "")


def peak_memory():
    """
    Return the most memory that this process ever held, in bytes.
    """
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def left_over(mark):
    """
    Return the processes that were started with this mark in their environment.
    """
    wanted, found = f"{ENVIRONMENT}={mark}".encode(), []
    for entry in Path("/proc").iterdir():
        try:
            state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
            if wanted in (entry / "environ").read_bytes().split(b"\0") and state != "Z":
                found.append(int(entry.name))
        except (OSError, ValueError):
            continue
    return found


def open_files():
    """
    Return how many files this process holds open.
    """
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks for processes in /proc")
@pytest.mark.parametrize("lie", CATALOGUE)
class TestLies:
    """
    Each lie in a run of four cases.
    """

    def test_outcome(self, lie, run, tmp_path, monkeypatch):
        """
        Ends in its one outcome and message, leaves nothing behind, and touches no other case.
        """
        wanted = CATALOGUE[lie]
        monkeypatch.setattr(process, "MEMORY_LIMIT", HOARD_LIMIT)
        monkeypatch.setattr(stdio, "MEMORY_LIMIT", HOARD_LIMIT)
        files = open_files()

        seen = run(lie)

        assert [] == left_over(tmp_path.name)
        assert files == open_files()
        assert seen.seconds < RUN_LIMIT
        assert seen.grown < MEMORY_GROWTH
        assert wanted["status"] == seen.status, seen
        assert wanted.get("ended", "") in (seen.message if seen.ended else ""), seen
        assert ("ended" in wanted) == (seen.ended is not None), seen
        assert wanted.get("remark", "") in (seen.remark or ""), seen
        assert ("remark" in wanted) == (seen.remark is not None), seen
        if "touched" in wanted:
            touched = seen.results[TOUCHED]
            assert wanted["touched"] == f"{touched.outcome} {touched.kind}".strip(), touched
            assert wanted.get("says", "") in seen.message
            others = {r.outcome for r in seen.results.values() if r.id != TOUCHED}
            assert {wanted.get("others", "passed")} == others
            assert 4 == len(seen.results)
        if "next" in wanted:
            assert wanted["next"] in seen.message.partition("  next:")[2]


class TestCatalogue:
    """
    The list of lies.
    """

    def test_every_lie_has_its_outcome(self):
        """
        Names the same lies as the program that tells them.
        """
        text = (HOSTILE / "lies.py").read_text("utf-8")

        assert set(CATALOGUE) == set(re.findall(r'^    "([a-z0-9-]+)": ', text, re.MULTILINE))

    def test_size(self):
        """
        Knows at least forty ways to misbehave.
        """
        honest = [name for name, wanted in CATALOGUE.items() if wanted == CATALOGUE["honest"]]

        assert 40 <= len(CATALOGUE) - len(honest)
