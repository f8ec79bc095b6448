"""
`dsh-conformance doctor`: look at an adapter alone, before any verdict.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import click

from dsh_conformance.commands.base import (
    Command,
    adapter_option,
    call_timeout_option,
    edition_option,
    start_timeout_option,
)

if TYPE_CHECKING:
    from dsh_conformance.adapter.connection import Connection
    from dsh_conformance.adapter.doctor.examine import Scope
    from dsh_conformance.adapter.doctor.findings import Diagnosis, Finding

EXIT_STATUSES = """
Exit status: 0 nothing to fix, 1 something to fix, 2 bad usage or the adapter never came up.
"""


@click.command(cls=Command, epilog=EXIT_STATUSES)
@adapter_option
@edition_option
@call_timeout_option
@start_timeout_option
def doctor(adapter: str, edition: str, call_timeout: float, start_timeout: float) -> None:
    """
    Look at an adapter alone: what works, what is missing, what to write next.
    """
    from dsh_conformance.adapter.connection import Connection  # noqa: PLC0415
    from dsh_conformance.adapter.doctor.findings import Diagnosis  # noqa: PLC0415

    check_edition(edition)
    connection = Connection(
        adapter, edition, call_timeout=call_timeout, start_timeout=start_timeout
    )
    diagnosis = Diagnosis()
    try:
        for line in lines(connection, diagnosis):
            click.echo(line)
    finally:
        connection.close()
    sys.exit(diagnosis.exit_status())


def lines(connection: Connection, diagnosis: Diagnosis) -> Iterator[str]:
    """
    Yield the diagnosis, each line as soon as it is known.
    """
    from dsh_conformance.adapter.doctor.printout import closing_lines, lines_of  # noqa: PLC0415

    group = ""
    for finding in findings(connection):
        if finding.group != group:
            group = finding.group
            yield group
        diagnosis.add(finding)
        yield from lines_of(finding)
    yield from ("", *closing_lines(diagnosis, connection))


def findings(connection: Connection) -> Iterator[Finding]:
    """
    Yield the handshake at once, and all else when the edition has been read.
    """
    from dsh_conformance.adapter.doctor.examine import examine, greeting  # noqa: PLC0415

    yield greeting(connection)
    yield from examine(connection, scope_of(connection.edition))


def check_edition(edition: str) -> None:
    """
    Refuse an edition that does not exist, without reading one that does.

    Raises:
        UsageError: There is no such edition.
    """
    from dsh_conformance.paths import spec_root  # noqa: PLC0415

    if not (spec_root() / "editions" / f"{edition}.yaml").is_file():
        scope_of(edition)


def scope_of(edition: str) -> Scope:
    """
    Return what an edition asks of an adapter.

    Raises:
        UsageError: There is no such edition.
    """
    from dsh_conformance.adapter.doctor.examine import Scope  # noqa: PLC0415
    from dsh_conformance.adapter.protocol import CAPABILITIES  # noqa: PLC0415
    from dsh_conformance.contract.catalogue import load_contract  # noqa: PLC0415

    read = load_contract(edition).edition
    gone = {name for name in CAPABILITIES for glob in read.removed if fnmatchcase(f"{name}.", glob)}
    return Scope(frozenset(CAPABILITIES) - gone, dict(read.config))
