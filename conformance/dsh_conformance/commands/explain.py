"""
`dsh-conformance explain`: one clause, and where it comes from.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from dsh_conformance.commands.base import Command, edition_option, scenarios_option


@click.command(cls=Command)
@click.argument("clause")
@edition_option
@scenarios_option
def explain(clause: str, edition: str, fixtures: Path | None) -> None:
    """
    Say what a clause requires, where that is written, and which cases check it.
    """
    for line in page(clause, edition, fixtures):
        click.echo(line)


def page(name: str, edition: str, fixtures: Path | None) -> Iterator[str]:
    """
    Return the lines of a clause's page.

    Raises:
        UsageError: There is no such edition or clause.
    """
    from dsh_conformance.contract.catalogue import load_contracts  # noqa: PLC0415
    from dsh_conformance.contract.editions import check_edition  # noqa: PLC0415
    from dsh_conformance.paths import fixtures_root, spec_root  # noqa: PLC0415
    from dsh_conformance.report.explain import explain as lines  # noqa: PLC0415
    from dsh_conformance.scenario.loader import load_scenarios  # noqa: PLC0415

    check_edition(spec_root(), edition)
    contracts = load_contracts()
    contract = contracts[edition]
    clause = contract.clause(name, "CLAUSE")
    known = {each for one in contracts.values() for each in one.clauses}
    scenarios = load_scenarios(fixtures or fixtures_root(), contract, known)
    return lines(clause, contracts, scenarios)
