"""
How long a user waits: for `--help`, and for the first verdict of a run.

- `--help` against `python -c pass`, and whether it imports what it should not;
- the first verdict of `run` on a stdio adapter, and the first line of `doctor`, against the time in
  which the adapter itself starts and answers `initialize`.

    python conformance/benchmarks/startup.py [--adapter COMMAND] [--edition EDITION]
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import time
from collections.abc import Callable

from dsh_conformance.adapter.connection import Connection

ROUNDS = 5
HELP_TARGET = 5
VERDICT_TARGET = 3
# How a line begins that tells of a case, or of a probe.
VERDICTS = ("✓", "✗", "?", "–", "  ok ", "  wrong ", "  missing ")
HEAVY = ("pytest", "hypothesis", "jsonschema", "rich", "yaml")
CLI = [sys.executable, "-m", "dsh_conformance.cli"]
MODULES = (
    "import sys, contextlib\n"
    "from dsh_conformance.cli import main\n"
    "with contextlib.suppress(SystemExit): main(['--help'], prog_name='x')\n"
    f"print('imported:', *[name for name in {HEAVY!r} if name in sys.modules])"
)


def best(action: Callable[[], None]) -> float:
    """
    Return the shortest of several times, in seconds.
    """
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        action()
        times.append(time.perf_counter() - started)
    return min(times)


def quietly(*command: str) -> Callable[[], None]:
    """
    Return an action that runs a command to its end.
    """

    def action() -> None:
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)

    return action


def first_verdict(*command: str) -> Callable[[], None]:
    """
    Return an action that waits for the first verdict of a command, and ends it there.
    """

    def action() -> None:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert process.stdout  # noqa: S101  # Asked for above.
        for line in process.stdout:
            if line.decode().startswith(VERDICTS):
                break
        else:
            raise SystemExit(f"no verdict from {shlex.join(command)}")
        process.kill()
        process.wait()
        process.stdout.close()

    return action


def hello(adapter: str, edition: str) -> Callable[[], None]:
    """
    Return an action that starts an adapter and waits for its `initialize`.
    """

    def action() -> None:
        Connection(adapter, edition)._client.kill()  # noqa: SLF001  # Leaving is not timed.

    return action


def line(what: str, seconds: float, measure: float = 0.0, target: int = 0) -> None:
    """
    Print a time, and how it compares with the measure it is held against.
    """
    ratio = f"   {seconds / measure:.1f} times, at most {target}" if target else ""
    print(f"{what:17} {seconds * 1000:7.0f} ms{ratio}")


def main() -> None:
    """
    Print times and ratios.
    """
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--adapter", default=f"{shlex.quote(sys.executable)} -m dsh_reference")
    parser.add_argument("--edition", default="2026-08")
    options = parser.parse_args()
    bare = best(quietly(sys.executable, "-c", "pass"))
    helped = best(quietly(*CLI, "--help"))
    line("python -c pass", bare)
    line("--help", helped, bare, HELP_TARGET)
    loaded = subprocess.run([sys.executable, "-c", MODULES], capture_output=True, check=True)
    print(f"--help {loaded.stdout.decode().splitlines()[-1]} (of {', '.join(HEAVY)})")
    own = best(hello(options.adapter, options.edition))
    chosen = ["--adapter", options.adapter, "--edition", options.edition]
    line("adapter's start", own)
    line("run, a verdict", best(first_verdict(*CLI, "run", "-v", *chosen)), own, VERDICT_TARGET)
    line("doctor, a verdict", best(first_verdict(*CLI, "doctor", *chosen)), own, VERDICT_TARGET)


if __name__ == "__main__":
    main()
