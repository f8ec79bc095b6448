"""
The diagnosis as lines of text.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from dsh_conformance.adapter.connection import Connection
from dsh_conformance.adapter.doctor.findings import Diagnosis, Finding, Standing
from dsh_conformance.errors import shorten

PLUGINS = ("todo", "tasks", "tree")
STANDING_WIDTH = 8
NAME_WIDTH = 18


def lines_of(finding: Finding) -> Iterator[str]:
    """
    Yield the lines of one finding; what an adapter said is shown, never sent.
    """
    standing = finding.standing.value.ljust(STANDING_WIDTH)
    yield f"  {standing} {finding.name.ljust(NAME_WIDTH)} {shorten(finding.what)}"
    if finding.standing is not Standing.FIX:
        return
    margin = " " * (STANDING_WIDTH + 3)
    if finding.value is not None:
        yield f"{margin}value: {shorten(finding.value, 600)}"
    if finding.hint is not None:
        yield f"{margin}next:  {finding.hint}"


def closing_lines(diagnosis: Diagnosis, connection: Connection) -> Iterator[str]:
    """
    Yield what each plugin still needs, and the next step.
    """
    yield "what is missing"
    for plugin in PLUGINS:
        yield f"  {plugin.ljust(6)} {_about(plugin, diagnosis, connection)}"
    yield ""
    yield _next(diagnosis)


def _about(plugin: str, diagnosis: Diagnosis, connection: Connection) -> str:
    of_it = [one for one in diagnosis.findings if one.group == plugin]
    if not of_it:
        return f"edition {connection.edition} has no such plugin"
    missing = [one for one in of_it if one.standing is Standing.MISSING]
    if plugin not in connection.info.capabilities and missing:
        return f"not declared. To begin: {_needed(plugin, diagnosis)}"
    if any(one.standing is Standing.FIX for one in of_it):
        return "declared, see FIX above"
    rest = f"; not declared: {', '.join(one.name for one in missing)}" if missing else ""
    return f"{_run(plugin, connection)}{rest}"


def _needed(plugin: str, diagnosis: Diagnosis) -> str:
    first = {one.name: one.hint for one in diagnosis.missing}
    needs = [first[name] for name in ("log", plugin) if first.get(name)]
    return "; ".join(str(hint) for hint in needs)


def _run(plugin: str, connection: Connection) -> str:
    adapter = shlex.quote(connection.adapter)
    return (
        f"dsh-conformance run --plugin {plugin} --edition {connection.edition} --adapter {adapter}"
    )


def _next(diagnosis: Diagnosis) -> str:
    if diagnosis.to_fix:
        count = len(diagnosis.to_fix)
        first = diagnosis.to_fix[0]
        return f"{count} to fix. Begin with {first.name}: {first.hint or first.what}."
    if diagnosis.missing:
        return "Nothing to fix. What is missing is left out of a run, or written next."
    return "Nothing to fix, nothing missing."
