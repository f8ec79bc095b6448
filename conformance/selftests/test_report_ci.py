"""
The CI recipes of the documentation, carried out as far as that goes without the services.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "ci.md").read_text("utf-8")
GITHUB, GITLAB = (
    yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
)
BASH = shutil.which("bash") or "sh"
SHIM = '#!/bin/sh\nexec {python} -m {module} "$@"\n'
KNOWN = """\
known-failures:
  - case: todo/duplicate-content
    grade: same meaning
    reason: Planted.
    issue: https://example.org/1
"""


@pytest.fixture
def job(tmp_path):
    """
    Carry out a script where a CI service would, on a few scenarios.
    """
    tools = tmp_path / "bin"
    tools.mkdir()
    for name, module in {"dsh-conformance": "dsh_conformance.cli", "pytest": "pytest"}.items():
        (tools / name).write_text(SHIM.format(python=sys.executable, module=module), "utf-8")
        (tools / name).chmod(0o755)
    (tmp_path / "known-failures.yaml").write_text("known-failures: []\n", "utf-8")
    environment = {
        **os.environ,
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent / "reports"), *sys.path]),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "step-summary.md"),
        "GITHUB_SHA": "f00d",
        "CI_COMMIT_SHA": "f00d",
        "CI": "true",
    }

    def run(script, adapter):
        # One plugin is enough to see every file come out.
        small = script.replace("dsh-conformance run", "dsh-conformance run --plugin todo")
        return subprocess.run(
            [BASH, "-ec", small],
            cwd=tmp_path,
            env={**environment, "ADAPTER": adapter},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def github_steps():
    """
    Return the scripts of the GitHub job, by name.
    """
    steps = GITHUB["jobs"]["conformance"]["steps"]
    return {step["name"]: step["run"] for step in steps if "run" in step}


REFERENCE = "dsh_reference.adapter:Adapter"


class TestGitHub:
    """
    The GitHub Actions job.
    """

    def test_conformant(self, job, tmp_path):
        """
        The steps run through, and every file that is kept is there.
        """
        steps = github_steps()
        ended = job(f"{steps['Run']}\n{steps['Summary']}", REFERENCE)
        [keep] = [
            step["with"]["path"].split()
            for step in GITHUB["jobs"]["conformance"]["steps"]
            if "upload-artifact" in step.get("uses", "")
        ]

        assert 0 == ended.returncode, ended.stdout + ended.stderr
        assert [] == [name for name in keep if not (tmp_path / name).exists()]
        assert "conformant" in (tmp_path / "step-summary.md").read_text("utf-8")
        assert "f00d" == json.loads((tmp_path / "run.json").read_text())["adapter"]["build"]

    def test_fails(self, job, tmp_path):
        """
        A broken clause fails the step, and the summary and the packet say which.
        """
        steps = github_steps()
        ended = job(steps["Run"], "planted:Worded")
        told = job(steps["Summary"], "")

        assert (1, 0) == (ended.returncode, told.returncode)
        assert "todo/two-active-items" in (tmp_path / "step-summary.md").read_text("utf-8")
        assert (tmp_path / "failures" / "todo--two-active-items.md").exists()

    def test_known_failures_gate(self, job, tmp_path):
        """
        A known failure that no longer fails turns the job red.
        """
        (tmp_path / "known-failures.yaml").write_text(KNOWN, "utf-8")
        ended = job(github_steps()["Run"], REFERENCE)

        assert 1 == ended.returncode
        assert "known failure is out of date" in ended.stdout


class TestGitLab:
    """
    The GitLab job.
    """

    def test_conformant(self, job, tmp_path):
        """
        The script runs through, and every artifact is there.
        """
        recipe = GITLAB["conformance"]
        ended = job("\n".join(recipe["script"]), REFERENCE)
        artifacts = recipe["artifacts"]
        keep = [*artifacts["paths"], artifacts["reports"]["junit"]]

        assert 0 == ended.returncode, ended.stdout + ended.stderr
        assert [] == [name for name in keep if not (tmp_path / name).exists()]


class TestSeveralHosts:
    """
    Workers that xdist starts by address.
    """

    def test_addresses(self, job):
        """
        Workers named with --tx play the cases like those of -n.
        """
        options = "-p no:cacheprovider --plugin todo -k empty -q"
        script = (
            f'pytest -d --tx 2*popen --pyargs dsh_conformance.suite {options} --adapter "$ADAPTER"'
        )
        ended = job(script, REFERENCE)

        assert 0 == ended.returncode, ended.stdout + ended.stderr
        assert "passed" in ended.stdout
