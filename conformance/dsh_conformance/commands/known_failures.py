"""
`dsh-conformance known-failures`: check a file of known failures, or bring it up to date.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from dsh_conformance.commands.base import (
    USAGE_STATUS,
    Command,
    adapter_option,
    call_timeout_option,
    edition_option,
    scenarios_option,
)


@click.group()
def known_failures() -> None:
    """
    Look after a file of known failures.
    """


@known_failures.command(
    cls=Command, epilog="Exit status: 0 nothing is wrong, 2 something is, with its place."
)
@click.argument("file", type=click.Path(path_type=Path))
@edition_option
@scenarios_option
def check(file: Path, edition: str, fixtures: Path | None) -> None:
    """
    Say what is wrong with FILE and what it covers, without running anything.
    """
    from dsh_conformance.run.known.coverage import covered, present_names, problems  # noqa: PLC0415
    from dsh_conformance.run.known.entries import read_known_failures  # noqa: PLC0415
    from dsh_conformance.run.known.fit import catalogue_of, today  # noqa: PLC0415
    from dsh_conformance.run.selection import load_all  # noqa: PLC0415
    from dsh_conformance.run.settings import Settings  # noqa: PLC0415

    found = read_known_failures(file)
    catalogue = catalogue_of(load_all(Settings(edition=edition, fixtures=fixtures)))
    wrong = list(problems(found, catalogue, today()))
    for problem in wrong:
        click.echo(f"error: {problem}", err=True)
    if wrong:
        sys.exit(USAGE_STATUS)
    for entry in present_names(found, catalogue):
        cases = covered(entry, catalogue)
        click.echo(f"{entry.name}: {len(cases)} case{'' if len(cases) == 1 else 's'}")
    click.echo(f"{len(found.entries)} entries, nothing wrong")


@known_failures.command(
    cls=Command,
    epilog="Exit status: 0 the file says what is seen, 1 new failures were left out, 2 bad usage.",
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--from",
    "report",
    type=click.Path(path_type=Path),
    help="A JSON report to go by; without it the suite is run.",
)
@adapter_option
@edition_option
@scenarios_option
@call_timeout_option
@click.option("--strict", is_flag=True, help="Failures of a `should` are written down, too.")
@click.option("--reason", default="", help="Why new failures may stay for now.")
@click.option("--issue", default="", help="URL where they are tracked.")
@click.option("--expires", default="", help="Last day on which they are excused (2027-01-31).")
def update(file: Path, **options: Any) -> None:
    """
    Take out of FILE what no longer fails, and with --reason and --issue add what does.

    Comments and the order of entries stay. FILE is made if there is none.
    """
    sys.exit(update_command(file, options))


def update_command(file: Path, options: dict[str, Any]) -> int:
    """
    Bring a file up to date and return the exit status.

    Raises:
        DshError: Nothing could be played, or a file has a mistake.
    """
    from dsh_conformance.report.atomic import write_whole  # noqa: PLC0415
    from dsh_conformance.run.known.fit import catalogue_of  # noqa: PLC0415
    from dsh_conformance.run.known.rewrite import rewritten  # noqa: PLC0415
    from dsh_conformance.run.known.update import plan  # noqa: PLC0415
    from dsh_conformance.run.summary import Summary  # noqa: PLC0415

    settings, cases, results = _seen(options)
    text, known = _read(file, settings)
    catalogue = catalogue_of(cases)
    summary = Summary(cases.contract, strict=options["strict"])
    found = plan(known, catalogue, summary, results)
    given = {key: options[key] for key in ("expires", "reason", "issue") if options[key]}
    wanted = bool(options["reason"] and options["issue"])
    added = [*found.narrowed, *({**entry, **given} for entry in found.added if wanted)]
    write_whole(file, rewritten(text, known, found.removed, added))
    _tell(found, known, wanted=wanted)
    return 1 if found.added and not wanted else 0


def _seen(options: dict[str, Any]) -> tuple[Any, Any, list[Any]]:
    from dsh_conformance.report.document import case_result  # noqa: PLC0415
    from dsh_conformance.report.json_report import read_report  # noqa: PLC0415
    from dsh_conformance.run.early import started  # noqa: PLC0415
    from dsh_conformance.run.engine import run_suite  # noqa: PLC0415
    from dsh_conformance.run.selection import load_all  # noqa: PLC0415
    from dsh_conformance.run.settings import Settings  # noqa: PLC0415

    if options["report"] is not None:
        report = read_report(options["report"])
        data = report.data
        settings = Settings(
            adapter=data["adapter"]["command"],
            edition=data["edition"]["name"],
            fixtures=options["fixtures"],
        )
        return settings, load_all(settings), [case_result(case) for case in report.cases]
    settings = Settings(
        adapter=options["adapter"],
        edition=options["edition"],
        fixtures=options["fixtures"],
        call_timeout=options["call_timeout"],
    )
    with started(settings) as client:
        state = run_suite(settings, client=client)
    return settings, state.everything, state.summary.results


def _read(file: Path, settings: Any) -> tuple[str, Any]:
    from dsh_conformance.report.atomic import write_whole  # noqa: PLC0415
    from dsh_conformance.run.known.entries import read_known_failures  # noqa: PLC0415
    from dsh_conformance.run.known.rewrite import new_text  # noqa: PLC0415

    if not file.exists():
        write_whole(file, new_text(settings.edition, settings.adapter))
    known = read_known_failures(file)
    return file.read_text("utf-8"), known


def _tell(found: Any, known: Any, *, wanted: bool) -> None:
    for index, why in sorted(found.removed.items()):
        click.echo(f"removed {known.entries[index].name}: {why}")
    for entry in found.narrowed:
        click.echo(f"narrowed to {entry['case']}")
    for entry in found.added:
        name = " in ".join(entry[key] for key in ("clause", "case") if key in entry)
        click.echo(f"added {name}" if wanted else f"left out {name}")
    for entry in found.expired:
        click.echo(f"expired on {entry.expires}, left as it is: {entry.name} at {entry.where}")
    if found.added and not wanted:
        click.echo("give --reason TEXT and --issue URL to write the new ones down", err=True)
    if not (found.removed or found.added or found.expired):
        click.echo("nothing to change")
