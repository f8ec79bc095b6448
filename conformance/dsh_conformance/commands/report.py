"""
`dsh-conformance report`: a JSON report in another format.
"""

from __future__ import annotations

from pathlib import Path

import click

from dsh_conformance.commands.base import Command

_FORMATS = ("text", "markdown", "html", "junit", "badge", "badge-svg", "json", "packet")


@click.command(cls=Command)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMATS),
    default="text",
    show_default=True,
    help="What to make of it.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Where to (default: standard output); for a packet, the folder.",
)
def report(file: Path, form: str, output: Path | None) -> None:
    """
    Render a JSON report again: FILE was written by `run --report json=FILE`.
    """
    from dsh_conformance.errors import UsageError  # noqa: PLC0415
    from dsh_conformance.report.atomic import write_whole  # noqa: PLC0415
    from dsh_conformance.report.formats import render  # noqa: PLC0415
    from dsh_conformance.report.json_report import read_report  # noqa: PLC0415
    from dsh_conformance.report.packet import write_packet  # noqa: PLC0415

    found = read_report(file)
    if form == "packet":
        if output is None:
            raise UsageError("a packet needs a folder", "--format packet", hint="add -o DIR")
        for path in write_packet(found, output):
            click.echo(path)
    elif output is None:
        click.echo(render(found, form), nl=False)
    else:
        write_whole(output, render(found, form))
