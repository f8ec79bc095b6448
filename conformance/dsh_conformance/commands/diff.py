"""
`dsh-conformance diff`: what changed between two runs.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from dsh_conformance.commands.base import Command


@click.command(
    cls=Command,
    epilog="Exit status: 0 no clause got worse, 1 some did, 2 a file is no report.",
)
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
def diff(old: Path, new: Path) -> None:
    """
    Say which clauses changed their outcome from OLD to NEW, and which side changed.

    Both are JSON reports. What is printed is Markdown as well as text.
    """
    from dsh_conformance.report.diff import compare, lines  # noqa: PLC0415
    from dsh_conformance.report.json_report import read_report  # noqa: PLC0415

    comparison = compare(read_report(old), read_report(new))
    for line in lines(comparison):
        click.echo(line)
    sys.exit(1 if comparison.is_worse else 0)
