"""
`dsh-conformance matrix`: several implementations side by side.
"""

from __future__ import annotations

from pathlib import Path

import click

from dsh_conformance.commands.base import Command


@click.command(cls=Command)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "html"]),
    default="text",
    show_default=True,
    help="What to print.",
)
@click.option("--differing", is_flag=True, help="Only clauses on which they do not all agree.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Where to.")
def matrix(files: tuple[Path, ...], form: str, output: Path | None, *, differing: bool) -> None:
    """
    Put the JSON reports of several implementations side by side, clause by clause.
    """
    from dsh_conformance.report.atomic import write_whole  # noqa: PLC0415
    from dsh_conformance.report.json_report import read_report  # noqa: PLC0415
    from dsh_conformance.report.matrix import RENDERERS  # noqa: PLC0415
    from dsh_conformance.report.matrix import matrix as table  # noqa: PLC0415

    found = table([read_report(file) for file in files], differing=differing)
    text = "\n".join(RENDERERS[form](found)) + "\n"
    if output is None:
        click.echo(text, nl=False)
    else:
        write_whole(output, text)
