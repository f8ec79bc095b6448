"""
`dsh-conformance run`: check an implementation.
"""

from __future__ import annotations

import sys
from typing import Any

import click

from dsh_conformance.commands.base import (
    EXIT_STATUSES,
    Command,
    adapter_option,
    call_timeout_option,
    edition_option,
    scenarios_option,
    start_timeout_option,
)

INTERRUPTED = 130


@click.command(cls=Command, epilog=EXIT_STATUSES)
@click.argument("cases", nargs=-1, metavar="[CASE]...")
@adapter_option
@edition_option
@click.option("--plugin", "plugins", multiple=True, help="Only this plugin's cases.")
@click.option("--clause", "clauses", multiple=True, help="Only cases of this clause (id or glob).")
@click.option("-k", "keyword", default="", help="Only cases whose id fits a pytest expression.")
@click.option("--strict", is_flag=True, help="A broken `should` counts, too.")
@click.option("--fail-fast", is_flag=True, help="Stop at the first failure.")
@click.option("--shard", default="1/1", help="Only part i of n, as i/n.")
@call_timeout_option
@start_timeout_option
@scenarios_option
@click.option(
    "--golden", is_flag=True, help="Play the published tree plugin's recorded behaviour, too."
)
@click.option("--list", "list_only", is_flag=True, help="Name the cases, play none.")
@click.option("-v", "--verbose", is_flag=True, help="Name every case, show the transcripts.")
def run(**options: Any) -> None:
    """
    Check an implementation. CASE is a scenario's id or a glob.
    """
    sys.exit(run_command(**options))


def run_command(**options: Any) -> int:
    """
    Run the suite with a terminal report and return the exit status.

    Raises:
        DshError: Nothing could be played, or the run was broken off.
    """
    from rich.console import Console  # noqa: PLC0415

    from dsh_conformance.report.terminal import TerminalReport  # noqa: PLC0415
    from dsh_conformance.run.engine import run_suite  # noqa: PLC0415

    list_only = options["list_only"]
    console = Console(highlight=False, markup=True)
    report = TerminalReport(console, verbose=options["verbose"])
    state = run_suite(
        _settings(options),
        () if list_only else (report,),
        keyword=options["keyword"],
        fail_fast=options["fail_fast"],
        collect_only=list_only,
    )
    if list_only:
        for ident in state.selected:
            click.echo(ident)
        return 0
    return INTERRUPTED if state.interrupted else state.summary.exit_status()


def _settings(options: dict[str, Any]) -> Any:
    from dsh_conformance.run.settings import Settings, parse_shard  # noqa: PLC0415

    return Settings(
        adapter=options["adapter"],
        edition=options["edition"],
        plugins=options["plugins"],
        clauses=options["clauses"],
        cases=options["cases"],
        shard=parse_shard(options["shard"]),
        strict=options["strict"],
        golden=options["golden"],
        call_timeout=options["call_timeout"],
        start_timeout=options["start_timeout"],
        fixtures=options["fixtures"],
    )
