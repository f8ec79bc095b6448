"""
The flake hunt: the whole suite, many times, in random order; every case must end the same way.

`python conformance/flakes/hunt.py [--runs 20]` plays it against the reference in-process and over
stdio, and against the published packages where their adapter is installed; alone and with xdist.
What came of it is written to `docs/flakes.md`.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PAGE = ROOT / "docs" / "flakes.md"
OFFICIAL = ROOT / "conformance" / "adapters" / "official-npm"

HEAD = """\
# Flake hunt

Every case of the suite, again and again, in another random order each time: a case whose outcome
depends on the order, the company or the moment is a mistake of ours. The generated cases are among
them, each time with another seed. Written by `conformance/flakes/hunt.py`.

"""


@dataclass(frozen=True)
class Target:
    """
    What is played against: an adapter in an edition.
    """

    name: str
    adapter: str
    edition: str = "2026-08"


@dataclass
class Hunt:
    """
    The outcomes of one target in one way of running.
    """

    target: Target
    workers: int
    runs: int = 0
    seconds: float = 0.0
    outcomes: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    @property
    def flakes(self) -> list[str]:
        """
        The cases that did not end the same way each time.
        """
        return sorted(
            case
            for case, seen in self.outcomes.items()
            if len(seen) > 1 or seen.total() != self.runs
        )


def targets() -> Iterator[Target]:
    """
    Yield what can be played against here.
    """
    yield Target("reference, in-process", "dsh_reference.adapter:Adapter")
    yield Target("reference, stdio", f"{sys.executable} -m dsh_reference")
    if (OFFICIAL / "node_modules").is_dir():
        yield Target("published packages", f"node {OFFICIAL / 'adapter.mjs'}", "0.1.0-rc.8")


def run_once(hunt: Hunt, seed: int) -> None:
    """
    Play the suite once, in the order of a seed, and take its outcomes in.
    """
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "shuffled", f"--order-seed={seed}"]
        command += ["--pyargs", "dsh_conformance.suite", f"--report=json={report}"]
        command += ["--adapter", hunt.target.adapter, "--edition", hunt.target.edition]
        command += [
            f"--generated-seed={seed}",
            *(["-n", str(hunt.workers)] if hunt.workers else []),
        ]
        told = subprocess.run(
            command, cwd=folder, env=_environment(), capture_output=True, text=True, check=False
        )
        if not report.exists():
            raise SystemExit(f"no report: {told.stdout[-2000:]}{told.stderr[-2000:]}")
        cases = json.loads(report.read_text("utf-8"))["cases"]
    hunt.runs += 1
    hunt.seconds += time.monotonic() - started
    for case in cases:
        hunt.outcomes[case["id"]][case["outcome"]] += 1


def _environment() -> dict[str, str]:
    paths = (HERE, ROOT / "conformance", ROOT / "reference")
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))}


def page(hunts: list[Hunt], cases: int, commit: str) -> str:
    """
    Return what came of it.
    """
    when = datetime.now(UTC).strftime("%Y-%m-%d")
    where = f"Python {platform.python_version()}, {os.cpu_count()} processors"
    rows = [f"{HEAD}{when}, commit {commit}, {where}, {cases} cases.\n"]
    rows.append("| against | edition | workers | runs | a run | flakes |")
    rows.append("| --- | --- | ---: | ---: | ---: | --- |")
    for hunt in hunts:
        found = ", ".join(f"`{case}`" for case in hunt.flakes) or "none"
        rows.append(
            f"| {hunt.target.name} | {hunt.target.edition} | {hunt.workers or 'alone'}"
            f" | {hunt.runs} | {hunt.seconds / hunt.runs:.0f} s | {found} |"
        )
    return "\n".join(rows) + "\n"


def main() -> int:
    """
    Hunt; the exit status is 1 when something was caught.
    """
    given = _arguments()
    git = ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(git, capture_output=True, text=True, check=True).stdout.strip()
    hunts = []
    for target in targets():
        for workers in (0, given.workers):
            hunt = Hunt(target, workers)
            hunts.append(hunt)
            for seed in range(1, given.runs + 1):
                run_once(hunt, seed)
            found = ", ".join(hunt.flakes) or "no flakes"
            print(f"{target.name}, {workers or 'no'} workers: {found}", flush=True)
    PAGE.write_text(page(hunts, len(hunts[0].outcomes), commit), "utf-8")
    return 1 if any(hunt.flakes for hunt in hunts) else 0


def _arguments() -> Namespace:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--workers", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
