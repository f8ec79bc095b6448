"""
`dsh-conformance new-adapter`: a small adapter to begin with.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import click

from dsh_conformance.commands.base import Command

LANGUAGES = ("python", "node", "typescript", "rust", "go", "csharp")


@click.command("new-adapter", cls=Command)
@click.argument("language", type=click.Choice(LANGUAGES))
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
def new_adapter(language: str, folder: Path) -> None:
    """
    Write a small adapter in LANGUAGE to begin with into DIR.

    It passes the doctor as it is, and shows where to put the calls of your implementation. A
    folder that is not empty is left alone.
    """
    for line in lines(language, folder):
        click.echo(line)


def lines(language: str, folder: Path) -> Iterator[str]:
    """
    Write a kit and yield what was written, and what to do next.

    Raises:
        UsageError: The folder is not empty, or cannot be written.
    """
    from dsh_conformance.adapter.kits import KITS, write_kit  # noqa: PLC0415
    from dsh_conformance.paths import kits_root  # noqa: PLC0415

    kit = KITS[language]
    for path in write_kit(language, kits_root(), folder):
        yield f"wrote {folder / path}"
    yield "next:"
    yield f"  cd {shlex.quote(str(folder))}"
    if kit.build:
        yield f"  {shlex.join(kit.build)}"
    yield f"  dsh-conformance doctor --adapter {shlex.quote(shlex.join(kit.start))}"
