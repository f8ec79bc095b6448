"""
The two ways to play the suite, pytest and the command line, come to one report.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

WAYS = (
    ("-m", "dsh_conformance.cli", "run"),
    (*("-m", "pytest", "-q", "-p", "no:cacheprovider"), "--pyargs", "dsh_conformance.suite"),
)
# What may differ from run to run.
PASSING = ("seconds", "adapterSeconds")


@pytest.fixture
def reports(tmp_path, environment):
    """
    Play the same cases in both ways and return their reports and statuses.
    """

    def played(*arguments):
        told = []
        for number, way in enumerate(WAYS):
            path = tmp_path / f"{number}.json"
            command = [sys.executable, *way, *arguments, "--report", f"json={path}"]
            env = environment()
            env["PYTHONPATH"] = os.pathsep.join([env["PYTHONPATH"], str(Path(__file__).parent)])
            done = subprocess.run(
                command, cwd=tmp_path, env=env, capture_output=True, check=False, timeout=120
            )
            told.append((done.returncode, json.loads(path.read_text("utf-8"))))
        return told

    return played


def timeless(value):
    """
    Return a report's data without what passes.
    """
    if isinstance(value, dict):
        return {key: timeless(inner) for key, inner in value.items() if key not in PASSING}
    return [timeless(one) for one in value] if isinstance(value, list) else value


class TestTwoWays:
    """
    Whoever runs the suite, the outcome is the same.
    """

    @pytest.mark.parametrize(
        "adapter",
        ["dsh_reference.adapter:Adapter", "faults:appends_the_event_twice"],
    )
    def test_agree(self, adapter, reports):
        """
        Cases, outcomes, findings, transcripts, clauses and the exit status are the same.
        """
        (status, ours), (theirs_status, theirs) = reports(
            "--adapter", adapter, "--plugin", "todo", "--no-generated"
        )

        assert status == theirs_status
        assert 60 < len(ours["cases"])
        by_id = [{case["id"]: timeless(case) for case in one["cases"]} for one in (ours, theirs)]
        assert by_id[0] == by_id[1]
        assert timeless(ours["clauses"]) == timeless(theirs["clauses"])
