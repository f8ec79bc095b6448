"""
`dsh-conformance compare`: the shortest sequence on which two implementations part.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import Any

import click

from dsh_conformance.commands.base import (
    Command,
    call_timeout_option,
    edition_option,
    start_timeout_option,
)

ALIKE, PARTED, UNDECIDED = 0, 1, 3
_STATUSES = """
Exit status: 0 no difference was found, 1 they part, 2 bad usage or an adapter never came up,
3 one of them crashed or hung, or answered differently on the same steps.
"""


@click.command(cls=Command, epilog=_STATUSES)
@click.option(
    "--adapter", "adapters", multiple=True, required=True, help="Command or class; given twice."
)
@edition_option
@click.option("--plugin", "plugins", multiple=True, help="Only this plugin's machines.")
@click.option("--profile", default="quick", show_default=True, help="quick, ci or deep.")
@click.option("--examples", type=int, metavar="N", help="Generated examples a machine.")
@click.option("--budget", metavar="TIME", help="Time for all machines together, as 60s.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the examples.")
@call_timeout_option
@start_timeout_option
def compare(**options: Any) -> None:
    """
    Give the shortest sequence on which two implementations part, whichever is right.
    """
    sys.exit(compare_command(**options))


def compare_command(**options: Any) -> int:
    """
    Run the machines with one adapter as the oracle of the other, and return the exit status.

    Raises:
        UsageError: There are not two adapters.
        AdapterNeverUp: One of them does not come up.
    """
    from dsh_conformance.adapter.connection import Connection  # noqa: PLC0415
    from dsh_conformance.contract.catalogue import load_contract  # noqa: PLC0415
    from dsh_conformance.errors import UsageError  # noqa: PLC0415

    adapters = options["adapters"]
    # What a Python implementation logs in this process is no part of the answer.
    logging.getLogger().addHandler(logging.NullHandler())
    if len(adapters) != 2:
        raise UsageError(
            "two implementations are compared",
            "--adapter",
            value=", ".join(adapters),
            hint="give --adapter twice",
        )
    limits = {key: options[key] for key in ("call_timeout", "start_timeout")}
    contract = load_contract(options["edition"])
    with ExitStack() as stack:
        first, second = (
            stack.enter_context(closing(Connection(one, options["edition"], **limits)))
            for one in adapters
        )
        status = ALIKE
        for lines, found in _machines(contract, first, second, options):
            for line in lines:
                click.echo(line)
            status = max(status, found, key=(ALIKE, UNDECIDED, PARTED).index)
    return status


def _machines(
    contract: Any, first: Any, second: Any, options: dict[str, Any]
) -> Iterator[tuple[list[str], int]]:
    from dsh_conformance.generate.machines import MACHINES, Setup, missing, search  # noqa: PLC0415
    from dsh_conformance.generate.profiles import Generation, parse_budget, profile  # noqa: PLC0415
    from dsh_conformance.generate.search import Budget  # noqa: PLC0415

    seconds = None if options["budget"] is None else parse_budget(options["budget"])
    wanted = Generation(profile=options["profile"], examples=options["examples"], budget=seconds)
    shape = profile(wanted.profile)
    setup = Setup(contract, second, first, options["seed"])
    chosen = [
        one
        for one in MACHINES
        if (not options["plugins"] or one.plugin in options["plugins"])
        and one.needs <= first.info.capabilities
        and missing(one, setup) is None
    ]
    for machine in chosen:
        share = None if seconds is None else seconds / len(chosen)
        budget = Budget(wanted.most_examples, shape.steps, 1, share, shape.shrink_seconds)
        outcome = search(_lawless(machine), setup, budget)
        yield list(_told(machine, outcome, first, second)), _status(outcome)
        if outcome.interrupted:
            return


def _lawless(machine: Any) -> Any:
    # Who is right is not asked here, so no law takes a side.
    from dataclasses import replace  # noqa: PLC0415

    return replace(machine, laws=())


def _status(outcome: Any) -> int:
    if not outcome.findings:
        return ALIKE
    return PARTED if outcome.findings[0].kind == "failed" else UNDECIDED


def _told(machine: Any, outcome: Any, first: Any, second: Any) -> Iterator[str]:
    from dsh_conformance.report.textdiff import shown  # noqa: PLC0415

    if not outcome.findings:
        yield f"{machine.name}: no difference in {outcome.examples} examples"
        return
    finding = outcome.findings[0]
    if finding.kind != "failed":
        yield f"{machine.name}: {finding.kind}: {finding.reason}"
        return
    yield f"{machine.name}: they part at {finding.clause} after {len(finding.records)} steps"
    for number, line in enumerate(_lines(finding), 1):
        mark = "→" if number == len(finding.records) else " "
        yield f"  {mark} {number:>2}. {line}"
    for difference in finding.differences[:8]:
        if difference.path:
            yield f"  in {difference.path}"
        yield f"    {first.info.name} ({first.adapter}): {shown(difference.expected)}"
        yield f"    {second.info.name} ({second.adapter}): {shown(difference.seen)}"


def _lines(finding: Any) -> Iterator[str]:
    from dsh_conformance.generate.outcome import step_text  # noqa: PLC0415

    return (step_text(step) for step in finding.program.steps)
