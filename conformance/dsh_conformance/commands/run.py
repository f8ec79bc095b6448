"""
`dsh-conformance run`: check an implementation.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from dsh_conformance.commands import EXIT_STATUSES
from dsh_conformance.commands.base import (
    INTERRUPTED,
    Command,
    adapter_option,
    call_timeout_option,
    edition_option,
    generation_options,
    known_failures_option,
    scenarios_option,
    start_timeout_option,
)


@click.command(cls=Command, epilog=EXIT_STATUSES)
@click.argument("cases", nargs=-1, metavar="[CASE]...")
@adapter_option
@edition_option
@click.option("--plugin", "plugins", multiple=True, help="Only this plugin's cases.")
@click.option("--clause", "clauses", multiple=True, help="Only cases of this clause (id or glob).")
@click.option(
    "-k", "keyword", default="", help="Only cases whose id fits, as in todo and not list."
)
@click.option("--strict", is_flag=True, help="A broken `should` counts, too.")
@click.option("--fail-fast", is_flag=True, help="Stop at the first failure.")
@click.option("--shard", default="1/1", help="Only part i of n, as i/n.")
@call_timeout_option
@start_timeout_option
@scenarios_option
@click.option(
    "--golden", is_flag=True, help="Play the published tree plugin's recorded behaviour, too."
)
@known_failures_option
@generation_options
@click.option(
    "--report",
    "reports",
    multiple=True,
    metavar="FORMAT=FILE",
    help="Write a report: json, html, junit, markdown, badge, badge-svg, text. Repeat as needed.",
)
@click.option("--packet", metavar="DIR", help="Write one page a failure, ready to hand on.")
@click.option("--build", default="", help="Names the state of the implementation, for reports.")
@click.option(
    "--durations-from",
    "durations",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="JSON report whose times balance the shards.",
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
    settings = _settings(options)
    listeners = _reports(options)
    if options["list_only"]:
        return _listed(settings, options)
    from dsh_conformance.run.early import started  # noqa: PLC0415

    # What follows takes as long to import as many an adapter to start.
    with started(settings) as client:
        from dsh_conformance.report.console import make_console  # noqa: PLC0415
        from dsh_conformance.report.terminal import TerminalReport  # noqa: PLC0415
        from dsh_conformance.run.engine import run_suite  # noqa: PLC0415
        from dsh_conformance.run.summary import NON_CONFORMANT  # noqa: PLC0415

        state = run_suite(
            settings,
            (TerminalReport(make_console(), verbose=options["verbose"]), *listeners),
            keyword=options["keyword"],
            fail_fast=options["fail_fast"],
            client=client,
        )
    status: int = state.summary.exit_status()
    # What was found before an interrupt is found: a failure stays one.
    return INTERRUPTED if state.interrupted and status != NON_CONFORMANT else status


def _listed(settings: Any, options: dict[str, Any]) -> int:
    from dsh_conformance.run.engine import run_suite  # noqa: PLC0415

    for ident in run_suite(settings, keyword=options["keyword"], collect_only=True).selected:
        click.echo(ident)
    return 0


def _reports(options: dict[str, Any]) -> tuple[Any, ...]:
    texts = [*options["reports"], *([f"packet={options['packet']}"] if options["packet"] else [])]
    if not texts:
        return ()
    from dsh_conformance.report.files import ReportFiles, parse_target  # noqa: PLC0415

    return (ReportFiles(tuple(parse_target(text) for text in texts)),)


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
        known_failures=options["known_failures"],
        durations=options["durations"],
        build=options["build"],
        generation=_generation(options),
    )


def _generation(options: dict[str, Any]) -> Any:
    from dsh_conformance.generate.profiles import Generation, parse_budget  # noqa: PLC0415

    if options["no_generated"]:
        return None
    budget = options["budget"]
    return Generation(
        oracle=options["oracle"],
        profile=options["profile"],
        examples=options["examples"],
        budget=None if budget is None else parse_budget(budget),
        seed=options["seed"],
        database=options["database"],
        save=options["save"],
    ).seeded()
