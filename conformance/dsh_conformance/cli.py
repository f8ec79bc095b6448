"""
The command line. What a command needs is imported when it runs, so that `--help` answers at once.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from dsh_conformance import __version__

EXIT_STATUSES = """
Exit status: 0 conformant, 1 something failed, 2 bad usage or the adapter never came up,
3 nothing failed but something stayed unverified.
"""


class _Command(click.Command):
    """
    A command whose mistakes end in one message and status 2.
    """

    def invoke(self, ctx: click.Context) -> Any:
        from dsh_conformance.errors import DshError  # noqa: PLC0415

        try:
            return super().invoke(ctx)
        except DshError as error:
            click.echo(f"error: {error}", err=True)
            sys.exit(2)


@click.group(epilog=EXIT_STATUSES, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="dsh-conformance")
def main() -> None:
    """
    Tell whether an agent harness keeps the contract of three DeepSeek Harness plugins.
    """


def _edition_option(function: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--edition", default="2026-08", show_default=True, help="Edition of the contract."
    )(function)


def _fixtures_option(function: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--scenarios",
        "fixtures",
        type=click.Path(path_type=Path),
        help="Folder of scenarios (default: ours).",
    )(function)


@main.command(cls=_Command, epilog=EXIT_STATUSES)
@click.argument("cases", nargs=-1, metavar="[CASE]...")
@click.option(
    "--adapter",
    default="dsh_reference.adapter:Adapter",
    help="Command, or package.module:Class (default: the built-in reference).",
)
@_edition_option
@click.option("--plugin", "plugins", multiple=True, help="Only this plugin's cases.")
@click.option("--clause", "clauses", multiple=True, help="Only cases of this clause (id or glob).")
@click.option("-k", "keyword", default="", help="Only cases whose id fits a pytest expression.")
@click.option("--strict", is_flag=True, help="A broken `should` counts, too.")
@click.option("--fail-fast", is_flag=True, help="Stop at the first failure.")
@click.option("--shard", default="1/1", help="Only part i of n, as i/n.")
@click.option("--call-timeout", type=float, default=10.0, help="Seconds that one call may take.")
@_fixtures_option
@click.option("--list", "list_only", is_flag=True, help="Name the cases, play none.")
@click.option("-v", "--verbose", is_flag=True, help="Name every case, show the transcripts.")
def run(**options: Any) -> None:
    """
    Check an implementation. CASE is a scenario's id or a glob.
    """
    from dsh_conformance.commands import run_command  # noqa: PLC0415

    sys.exit(run_command(**options))


@main.command("list", cls=_Command)
@click.argument("what", type=click.Choice(["clauses", "scenarios", "capabilities", "editions"]))
@_edition_option
@_fixtures_option
def list_(what: str, edition: str, fixtures: Path | None) -> None:
    """
    Name every clause, scenario, capability or edition.
    """
    from dsh_conformance.commands import list_command  # noqa: PLC0415

    for line in list_command(what, edition, fixtures):
        click.echo(line)


@main.command(cls=_Command)
@click.argument("clause")
@_edition_option
@_fixtures_option
def explain(clause: str, edition: str, fixtures: Path | None) -> None:
    """
    Say what a clause requires, where that is written, and which cases check it.
    """
    from dsh_conformance.commands import explain_command  # noqa: PLC0415

    for line in explain_command(clause, edition, fixtures):
        click.echo(line)


if __name__ == "__main__":
    main()
