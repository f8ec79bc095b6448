"""
`dsh-conformance replay`: play a counterexample again, without Hypothesis.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from dsh_conformance.commands import EXIT_STATUSES
from dsh_conformance.commands.base import (
    Command,
    adapter_option,
    call_timeout_option,
    start_timeout_option,
)

FIXED, FAILING, NOT_REPRODUCIBLE = 0, 1, 3


@click.command(cls=Command, epilog=EXIT_STATUSES)
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE..."
)
@adapter_option
@click.option("--edition", help="Edition of the contract (default: the file's own).")
@call_timeout_option
@start_timeout_option
def replay(files: tuple[Path, ...], **options: Any) -> None:
    """
    Play counterexamples again: fixed, still failing, or not reproducible.
    """
    statuses = [replay_file(path, **options) for path in files]
    sys.exit(next((one for one in (FAILING, NOT_REPRODUCIBLE) if one in statuses), FIXED))


def replay_file(
    path: Path,
    *,
    adapter: str,
    edition: str | None,
    call_timeout: float,
    start_timeout: float,
) -> int:
    """
    Play one file twice, tell what came of it, and return the status.

    Raises:
        DshError: The file is wrong, or the adapter does not come up.
    """
    from dsh_conformance.adapter.connection import Connection  # noqa: PLC0415
    from dsh_conformance.contract.catalogue import load_contracts  # noqa: PLC0415
    from dsh_conformance.contract.documents import read_document  # noqa: PLC0415
    from dsh_conformance.contract.editions import check_edition  # noqa: PLC0415
    from dsh_conformance.paths import spec_root  # noqa: PLC0415
    from dsh_conformance.scenario.loader import load_scenario  # noqa: PLC0415
    from dsh_conformance.scenario.player import play  # noqa: PLC0415

    name = edition or _edition_of(read_document(path).data)
    check_edition(spec_root(), name)
    contracts = load_contracts()
    known = frozenset(each for one in contracts.values() for each in one.clauses)
    scenario = load_scenario(path, path.parent, contracts[name], known)
    connection = Connection(adapter, name, call_timeout=call_timeout, start_timeout=start_timeout)
    with closing(connection):
        results = [play(scenario, connection, contracts[name]) for _ in range(2)]
    for line in story(path, results, contracts[name]):
        click.echo(line)
    return status_of(results)


def _edition_of(data: Any) -> str:
    from dsh_conformance.contract.editions import DEFAULT_EDITION  # noqa: PLC0415

    head = data if isinstance(data, dict) else {}
    found = head.get("found")
    named = found.get("edition") if isinstance(found, dict) else None
    editions = head.get("editions")
    listed = editions[0] if isinstance(editions, list) and editions else None
    return str(named or listed or DEFAULT_EDITION)


def status_of(results: list[Any]) -> int:
    """
    Return what two plays of one case say together.
    """
    outcomes = {result.outcome for result in results}
    if outcomes == {"passed"}:
        return FIXED
    return FAILING if outcomes == {"failed"} else NOT_REPRODUCIBLE


def story(path: Path, results: list[Any], contract: Any) -> Iterator[str]:
    """
    Yield what to tell of a file.
    """
    from dsh_conformance.report.text import case_text  # noqa: PLC0415

    status = status_of(results)
    yield f"{path}: {_WORDS[status]}"
    if status == FAILING:
        yield from case_text(results[0], contract).split("\n")
    elif status == NOT_REPRODUCIBLE:
        first, second = results
        if first.outcome != second.outcome:
            yield f"  two plays of the same steps ended {first.outcome} and {second.outcome}"
        for reason in dict.fromkeys(one.reason for one in results if one.reason):
            yield f"  {reason}"


_WORDS = {
    FIXED: "fixed",
    FAILING: "still failing",
    NOT_REPRODUCIBLE: "not reproducible",
}
