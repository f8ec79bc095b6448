"""
`dsh-conformance list`: name every clause, scenario, capability or edition.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from dsh_conformance.commands.base import Command, edition_option, scenarios_option


@click.command("list", cls=Command)
@click.argument("what", type=click.Choice(["clauses", "scenarios", "capabilities", "editions"]))
@edition_option
@scenarios_option
def list_(what: str, edition: str, fixtures: Path | None) -> None:
    """
    Name every clause, scenario, capability or edition.
    """
    for line in lines(what, edition, fixtures):
        click.echo(line)


def lines(what: str, edition: str, fixtures: Path | None) -> Iterator[str]:
    """
    Yield a line for each thing of a kind.

    Raises:
        UsageError: There is no such edition.
    """
    if what == "capabilities":
        from dsh_conformance.adapter.protocol import CAPABILITIES  # noqa: PLC0415

        return iter(CAPABILITIES)
    if what == "editions":
        return _editions()
    return _clauses(edition) if what == "clauses" else _scenarios(edition, fixtures)


def _editions() -> Iterator[str]:
    from dsh_conformance.contract.editions import edition_names, read_edition  # noqa: PLC0415
    from dsh_conformance.paths import spec_root  # noqa: PLC0415

    for name in edition_names(spec_root()):
        yield f"{name}  {read_edition(spec_root(), name).about}"


def _clauses(edition: str) -> Iterator[str]:
    from dsh_conformance.contract.catalogue import load_contract  # noqa: PLC0415

    for clause in load_contract(edition).clauses.values():
        untestable = "  (cannot be tested from outside)" if clause.untestable else ""
        yield f"{clause.id}  {clause.level}  {clause.statement}{untestable}"


def _scenarios(edition: str, fixtures: Path | None) -> Iterator[str]:
    from dsh_conformance.run.selection import load_cases  # noqa: PLC0415
    from dsh_conformance.run.settings import Settings  # noqa: PLC0415

    for scenario in load_cases(Settings(edition=edition, fixtures=fixtures))[1]:
        yield f"{scenario.id}  {scenario.claim}"
