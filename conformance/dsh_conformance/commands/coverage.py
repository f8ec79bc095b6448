"""
`dsh-conformance coverage`: which cases check a clause, and which planted faults break it.
"""

from __future__ import annotations

import sys

import click

from dsh_conformance.commands.base import Command

GAPS_STATUS = 1


@click.command(
    cls=Command,
    epilog="Exit status: 0 nothing is missing, 1 a clause lacks a case or a planted fault.",
)
@click.option("--edition", "editions", multiple=True, help="Only this edition (default: all).")
@click.option("--page", is_flag=True, help="Write the page docs/coverage.md instead.")
@click.option("--gaps", "gaps_only", is_flag=True, help="Name only what is missing.")
def coverage(editions: tuple[str, ...], page: bool, gaps_only: bool) -> None:  # noqa: FBT001  # click's call.
    """
    Say which cases check each clause, and which planted faults break it.
    """
    from dsh_conformance.report import coverage as report  # noqa: PLC0415
    from dsh_conformance.run.coverage import tables  # noqa: PLC0415

    found = tables(editions)
    gaps = [gap for table in found for gap in table.gaps()]
    if page:
        click.echo(report.page(found), nl=False)
    elif not gaps_only:
        for line in report.lines(found):
            click.echo(line)
    for gap in gaps:
        click.echo(gap, err=page)
    sys.exit(GAPS_STATUS if gaps else 0)
