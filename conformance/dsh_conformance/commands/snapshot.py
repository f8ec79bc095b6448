"""
`dsh-conformance snapshot`: record what the model is shown, or compare it with what was.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from dsh_conformance.commands.base import (
    Command,
    adapter_option,
    call_timeout_option,
    edition_option,
)


@click.command(
    cls=Command,
    epilog="Exit status: 0 every text is as recorded, 1 some are not (or are there no more), "
    "2 bad usage or the adapter never came up.",
)
@adapter_option
@edition_option
@call_timeout_option
@click.option(
    "--dir",
    "folder",
    type=click.Path(path_type=Path),
    default=Path("model-text"),
    show_default=True,
    help="Folder of the snapshots.",
)
@click.option("--update", is_flag=True, help="Record what is shown now, drop what is not.")
def snapshot(
    adapter: str, edition: str, call_timeout: float, folder: Path, *, update: bool
) -> None:
    """
    Compare what the model is shown with what was recorded: tools, prompts, results, notices, folds.
    """
    from dsh_conformance.snapshot.running import check_ready, compare  # noqa: PLC0415
    from dsh_conformance.snapshot.tokens import tokenizer_name  # noqa: PLC0415
    from dsh_conformance.snapshot.touring import tour  # noqa: PLC0415

    check_ready(folder, update=update)
    surfaces = tour(adapter, edition=edition, call_timeout=call_timeout)
    click.echo(f"{len(surfaces)} texts; tokens by {tokenizer_name() or 'none: characters only'}")
    status = compare(surfaces, folder, update=update)
    if status:
        click.echo("`dsh-conformance snapshot --update` records what is shown now")
    sys.exit(status)
