"""
A whole todo run over stdio, held against what its adapter's calls cost.

The time in calls is measured where a request is written and its answer awaited; the rest of the run
is ours: translating steps, judging, reporting. Reading the files is told apart, since it is the
same however slow an adapter is.

    python conformance/benchmarks/todo_run.py [--adapter COMMAND] [--edition EDITION]
"""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from dataclasses import dataclass

from dsh_conformance.run.engine import run_suite
from dsh_conformance.run.settings import Settings
from dsh_conformance.run.state import RunState

ROUNDS = 5
TARGET = 2


class Clock:
    """
    A listener that notes when the first case began and when the last one was judged.
    """

    def __init__(self) -> None:
        self.began = self.ended = 0.0

    def started(self, *_: object) -> None:
        """
        The adapter is up.
        """
        self.began = time.perf_counter()

    def played(self, *_: object) -> None:
        """
        One case is over.
        """

    def finished(self, *_: object) -> None:
        """
        The run is over.
        """
        self.ended = time.perf_counter()


@dataclass(frozen=True)
class Times:
    """
    One run, in seconds: whole, from the first case to the last, and in calls.
    """

    whole: float
    cases: float
    calls: float
    count: int

    @property
    def ratio(self) -> float:
        """
        What the cases took against what their calls cost.
        """
        return self.cases / self.calls


def timed(settings: Settings) -> Times:
    """
    Run once.
    """
    clock = Clock()
    started = time.perf_counter()
    state: RunState = run_suite(settings, (clock,))
    whole = time.perf_counter() - started
    connection = state.connection
    return Times(whole, clock.ended - clock.began, connection.call_seconds, connection.calls)


def main() -> None:
    """
    Print the times of the best run.
    """
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--adapter", default=f"{shlex.quote(sys.executable)} -m dsh_reference")
    parser.add_argument("--edition", default="2026-08")
    options = parser.parse_args()
    settings = Settings(adapter=options.adapter, edition=options.edition, plugins=("todo",))
    times = min((timed(settings) for _ in range(ROUNDS)), key=lambda one: one.cases)
    print(f"calls              {times.calls * 1000:7.0f} ms   {times.count} of them")
    print(f"cases              {times.cases * 1000:7.0f} ms   {times.ratio:.2f} times the calls")
    print(
        f"whole, with files  {times.whole * 1000:7.0f} ms   {times.whole / times.calls:.2f} times"
    )
    print(f"target             at most {TARGET} times the calls")


if __name__ == "__main__":
    main()
