"""
How long a user waits: for `--help`, and for the first verdict of a run.

- `--help` against `python -c pass`, and whether it imports what it should not;
- the first verdict of `run` on a stdio adapter, and the first line of `doctor`, against the time in
  which the adapter itself starts and answers `initialize`;
- for comparison, what no command of ours can be quicker than (a Python that has imported click,
  and rich for a run), a run that finds nothing in the cache, and pytest with one empty test, which
  a run would have to wait for if pytest played it.

Each is the best of several rounds, and a round measures all of them: a machine that is busy for a
while is busy for each. It is busy longer for whoever takes longer, which makes ratios on the clock
worse than they are; processor time tells how much.

    python conformance/benchmarks/startup.py [--adapter COMMAND] [--edition EDITION]
"""

from __future__ import annotations

import argparse
import os
import resource
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from dsh_conformance.adapter.connection import Connection

ROUNDS = 7
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


@dataclass(frozen=True)
class Times:
    """
    The shortest of several times, in seconds: on the clock, and of processors.
    """

    clock: float
    processor: float


def best(actions: dict[str, Callable[[], None]]) -> dict[str, Times]:
    """
    Return the shortest of several times of each action.
    """
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in actions}
    for _ in range(ROUNDS):
        for name, action in actions.items():
            started, used = time.perf_counter(), processor_seconds()
            action()
            spent = time.perf_counter() - started, processor_seconds() - used
            times[name].append(spent)
    return {
        name: Times(min(one for one, _ in each), min(one for _, one in each))
        for name, each in times.items()
    }


def processor_seconds() -> float:
    """
    Return the processor time of the commands that have ended.

    An adapter that we started counts, but not that of a run which is broken off.
    """
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def quietly(*command: str) -> Callable[[], None]:
    """
    Return an action that runs a command to its end.
    """

    def action() -> None:
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)

    return action


def first_verdict(*command: str, **environment: str) -> Callable[[], None]:
    """
    Return an action that waits for the first verdict of a command, and ends it there.
    """

    def action() -> None:
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **environment},
        )
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


def empty_test(folder: Path) -> Callable[[], None]:
    """
    Return an action that lets pytest play one empty test, with nothing but its own plugins.
    """
    test = folder / "test_empty.py"
    test.write_text("def test_empty(): pass\n", "utf-8")
    options = ("--disable-plugin-autoload", "-p", "no:cacheprovider", "--rootdir", str(folder))
    return quietly(sys.executable, "-m", "pytest", "-q", *options, str(test))


def line(what: str, times: Times, measure: Times | None = None, target: int = 0) -> None:
    """
    Print times, and how they compare with the measure they are held against.
    """
    told = f"{what:20} {times.clock * 1000:6.0f} ms {times.processor * 1000:6.0f} ms"
    if measure is not None:
        clock, processor = times.clock / measure.clock, times.processor / measure.processor
        told += f"   {clock:4.1f} times {processor:4.1f} times"
    print(told + (f"   at most {target}" if target else ""))


def main() -> None:
    """
    Print times and ratios.
    """
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--adapter", default=f"{shlex.quote(sys.executable)} -m dsh_reference")
    parser.add_argument("--edition", default="2026-08")
    options = parser.parse_args()
    loaded = subprocess.run([sys.executable, "-c", MODULES], capture_output=True, check=True)
    print(f"--help {loaded.stdout.decode().splitlines()[-1]} (of {', '.join(HEAVY)})")
    chosen = ["--adapter", options.adapter, "--edition", options.edition]
    run = [*CLI, "run", "-v", *chosen]
    with TemporaryDirectory() as folder:
        times = best(
            {
                "python": quietly(sys.executable, "-c", "pass"),
                "click": quietly(sys.executable, "-c", "import click"),
                "rich": quietly(sys.executable, "-c", "import click, rich.console"),
                "pytest": empty_test(Path(folder)),
                "help": quietly(*CLI, "--help"),
                "adapter": hello(options.adapter, options.edition),
                "run": first_verdict(*run),
                "unkept": first_verdict(*run, DSH_CONFORMANCE_CACHE="off"),
                "doctor": first_verdict(*CLI, "doctor", *chosen),
            }
        )
    bare, own = times["python"], times["adapter"]
    print(f"{'':20}     clock processor")
    line("python -c pass", bare)
    line("  with click", times["click"], bare)
    line("--help", times["help"], bare, HELP_TARGET)
    line("adapter's start", own)
    line("  click and rich", times["rich"], own)
    line("  one empty pytest", times["pytest"], own)
    line("run, a verdict", times["run"], own, VERDICT_TARGET)
    line("  without the cache", times["unkept"], own)
    line("doctor, a verdict", times["doctor"], own, VERDICT_TARGET)


if __name__ == "__main__":
    main()
