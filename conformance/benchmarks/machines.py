"""
Steps a second of each machine, in-process and over stdio, beside a bare Hypothesis machine.

The bare machine has as many rules as ours, and none of them does anything: what it takes is what
Hypothesis takes to choose them. Ours draw arguments, play each step on two sides, compare the
answers and check the laws in that time. Aim: at least half of the bare machine's pace in-process.

    PYTHONPATH=conformance:reference python conformance/benchmarks/machines.py
"""

from __future__ import annotations

import argparse
import logging
import sys
import time
from collections.abc import Iterator

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from dsh_conformance.adapter.connection import Connection
from dsh_conformance.contract.catalogue import load_contract
from dsh_conformance.generate.machine import Machine
from dsh_conformance.generate.machines import MACHINES, Setup, search
from dsh_conformance.generate.profiles import ORACLE, PROFILES
from dsh_conformance.generate.search import Budget

EDITION = "2026-08"
STDIO = f"{sys.executable} -m dsh_reference"
AIM = 0.5


def bare(rules: int, examples: int) -> float:
    """
    Return the steps a second of a machine whose rules do nothing.
    """
    count = 0

    def step(_: RuleBasedStateMachine) -> None:
        nonlocal count
        count += 1

    methods = {f"rule{number}": rule()(_copy(step, number)) for number in range(rules)}
    machine = type("Bare", (RuleBasedStateMachine,), methods)
    quiet = settings(
        max_examples=examples,
        stateful_step_count=PROFILES["ci"].steps,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    started = time.process_time()
    run_state_machine_as_test(machine, settings=quiet)
    return count / (time.process_time() - started)


def _copy(step: object, number: int) -> object:
    def one(machine: RuleBasedStateMachine) -> None:
        step(machine)  # type: ignore[operator]  # It is the function above.

    one.__name__ = f"rule{number}"
    return one


def ours(machine: Machine, adapter: str, examples: int) -> float:
    """
    Return the steps a second of one of our machines, both sides played.
    """
    clock = time.process_time if adapter == ORACLE else time.perf_counter
    tested, oracle = Connection(adapter, EDITION), Connection(ORACLE, EDITION)
    setup = Setup(load_contract(EDITION), tested, oracle, seed=1)
    budget = Budget(examples, PROFILES["ci"].steps, 1, None, 0.0)
    started = clock()
    outcome = search(machine, setup, budget)
    seconds = clock() - started
    tested.close()
    if outcome.findings:
        raise SystemExit("the reference parts from itself: run the machines first")
    return outcome.steps / seconds


def lines(examples: int) -> Iterator[str]:
    """
    Yield the table.
    """
    yield "| machine | rules | bare | in-process | ratio | over stdio |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    for machine in MACHINES:
        free = bare(machine.rules, examples)
        inside = ours(machine, ORACLE, examples)
        outside = ours(machine, STDIO, examples)
        mark = "" if inside / free >= AIM else f" (below {AIM:g})"
        yield (
            f"| {machine.name} | {machine.rules} | {free:.0f}/s | {inside:.0f}/s |"
            f" {inside / free:.2f}{mark} | {outside:.0f}/s |"
        )


def main(arguments: list[str]) -> int:
    """
    Measure and print.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    parser.add_argument("--examples", type=int, default=100)
    options = parser.parse_args(arguments)
    logging.getLogger("dsh_reference").setLevel(logging.CRITICAL)
    for line in lines(options.examples):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
