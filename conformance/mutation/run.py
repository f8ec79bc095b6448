"""
The mutation score of the suite: `python conformance/mutation/run.py [MODULE…]`.

Cosmic Ray makes the mutants (`pip install -e ".[mutation]"`); the runner is our own, since a test
command a mutant would read the suite anew some thousand times. Written verdicts on survivors stand
in `verdicts.yaml`; the result goes to `results.json` and to `docs/mutation.md`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "conformance"), str(ROOT / "reference")]

if find_spec("cosmic_ray") is None:
    sys.exit(
        "conformance/mutation/run.py: Cosmic Ray, which makes the mutants, is not installed here;"
        ' run: pip install -e ".[mutation]"'
    )

from judge import SURVIVED, Judge, Module  # noqa: E402  # The path comes first.
from mutants import Mutant, mutants  # noqa: E402  # As above.
from page import LEFT_OUT, RESULTS, write  # noqa: E402  # As above.

REFERENCE = ROOT / "reference" / "dsh_reference"


def modules(wanted: Iterable[str]) -> list[Module]:
    """
    Return the modules of the three plugins, or those whose path below the package is given.
    """
    paths = [REFERENCE / "todo.py"]
    for plugin in ("tasks", "tree"):
        paths += sorted((REFERENCE / plugin).glob("*.py"))
    names = {str(path.relative_to(REFERENCE)): path for path in paths if path.stem != "__init__"}
    chosen = list(wanted) or sorted(set(names) - LEFT_OUT)
    if unknown := sorted(set(chosen) - set(names)):
        sys.exit(f"no such module: {', '.join(unknown)}; there are {', '.join(sorted(names))}")
    return [_module(name, names[name]) for name in chosen]


def _module(name: str, path: Path) -> Module:
    dotted = f"dsh_reference.{name.removesuffix('.py').replace('/', '.')}"
    return Module(dotted, path, (name.partition("/")[0].removesuffix(".py"),))


def judge_all(judge: Judge, module: Module, workers: int) -> list[tuple[Mutant, str]]:
    """
    Judge every mutant of a module, so many at a time.
    """
    judged: list[tuple[Mutant, str]] = []
    running: dict[int, tuple[Mutant, int]] = {}
    waiting = list(mutants(module.path.read_text("utf-8")))
    while waiting or running:
        while waiting and len(running) < workers:
            mutant = waiting.pop(0)
            child, reader = judge.start(module, mutant.source)
            running[child] = mutant, reader
        child, _ = os.wait()
        mutant, reader = running.pop(child)
        verdict = os.read(reader, 400).decode() or "hangs or dies"
        os.close(reader)
        judge.told(verdict)
        judged.append((mutant, verdict))
    return sorted(judged, key=lambda each: each[0].line)


def main() -> int:
    """
    Judge, and write what came of it beside what is known of other modules.
    """
    parser = ArgumentParser(description="Score the modules of the reference.")
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="tree/fold.py; default: all")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N")
    given = parser.parse_args()
    judge = Judge()
    results = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    commit = _commit()
    for module in modules(given.modules):
        judged = judge_all(judge, module, max(1, given.workers))
        results[str(module.path.relative_to(REFERENCE))] = {
            "date": datetime.now(UTC).strftime("%Y-%m-%d"),
            "commit": commit,
            "tool": f"cosmic-ray {version('cosmic-ray')}",
            "mutants": len(judged),
            "unverified": sum(verdict.startswith("unverified") for _, verdict in judged),
            "survivors": [
                {"line": mutant.line, "key": mutant.key, "operator": mutant.operator}
                for mutant, verdict in judged
                if verdict == SURVIVED
            ],
        }
        RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", "utf-8")
        write(results)
        left = len(results[str(module.path.relative_to(REFERENCE))]["survivors"])
        print(f"{module.name}: {len(judged)} mutants, {left} survive", flush=True)
    return 0


def _commit() -> str:
    told = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],  # noqa: S607  # Whatever git there is.
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return told.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
