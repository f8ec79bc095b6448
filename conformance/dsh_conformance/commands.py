"""
What the commands of the command line do.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Console

from dsh_conformance.adapter.protocol import CAPABILITIES
from dsh_conformance.contract.catalogue import load_contracts
from dsh_conformance.contract.editions import edition_names, read_edition
from dsh_conformance.paths import fixtures_root, spec_root
from dsh_conformance.run.settings import Settings, parse_shard

INTERRUPTED = 130


def run_command(**options: Any) -> int:
    """
    Run the suite with a terminal report and return the exit status.

    Raises:
        DshError: Nothing could be played, or the run was broken off.
    """
    from dsh_conformance.report.terminal import TerminalReport  # noqa: PLC0415
    from dsh_conformance.run.engine import run_suite  # noqa: PLC0415

    settings = Settings(
        adapter=options["adapter"],
        edition=options["edition"],
        plugins=options["plugins"],
        clauses=options["clauses"],
        cases=options["cases"],
        shard=parse_shard(options["shard"]),
        strict=options["strict"],
        call_timeout=options["call_timeout"],
        fixtures=options["fixtures"],
    )
    console = Console(highlight=False, markup=True)
    report = TerminalReport(console, verbose=options["verbose"])
    state = run_suite(
        settings,
        () if options["list_only"] else (report,),
        keyword=options["keyword"],
        fail_fast=options["fail_fast"],
        collect_only=options["list_only"],
    )
    if options["list_only"]:
        for ident in state.selected:
            console.print(ident, soft_wrap=True)
        return 0
    return INTERRUPTED if state.interrupted else state.summary.exit_status()


def list_command(what: str, edition: str, fixtures: Path | None) -> Iterator[str]:
    """
    Yield a line for each thing of a kind.

    Raises:
        UsageError: There is no such edition.
    """
    if what == "capabilities":
        yield from CAPABILITIES
        return
    if what == "editions":
        for name in edition_names(spec_root()):
            yield f"{name}  {read_edition(spec_root(), name).about}"
        return
    from dsh_conformance.run.selection import load_cases  # noqa: PLC0415

    contract, scenarios = load_cases(Settings(edition=edition, fixtures=fixtures))
    if what == "clauses":
        for clause in contract.clauses.values():
            untestable = "  (cannot be tested from outside)" if clause.untestable else ""
            yield f"{clause.id}  {clause.level}  {clause.statement}{untestable}"
        return
    for scenario in scenarios:
        yield f"{scenario.id}  {scenario.claim}"


def explain_command(name: str, edition: str, fixtures: Path | None) -> Iterator[str]:
    """
    Yield the page of a clause.

    Raises:
        UsageError: There is no such edition or clause.
    """
    from dsh_conformance.report.explain import explain  # noqa: PLC0415
    from dsh_conformance.scenario.loader import load_scenarios  # noqa: PLC0415

    read_edition(spec_root(), edition)
    contracts = load_contracts()
    contract = contracts[edition]
    clause = contract.clause(name, "CLAUSE")
    known = {each for one in contracts.values() for each in one.clauses}
    scenarios = load_scenarios(fixtures or fixtures_root(), contract, known)
    yield from explain(clause, contracts, scenarios)
