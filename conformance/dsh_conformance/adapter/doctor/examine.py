"""
The examination: every probe in its turn, each finding told as soon as it is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from dsh_conformance.adapter.connection import Connection
from dsh_conformance.adapter.doctor import host, lifecycle, tasks, todo, tree
from dsh_conformance.adapter.doctor.answers import Amiss, Json
from dsh_conformance.adapter.doctor.bench import Bench
from dsh_conformance.adapter.doctor.findings import Finding, Standing
from dsh_conformance.adapter.doctor.probes import Probe
from dsh_conformance.adapter.protocol import CAPABILITIES
from dsh_conformance.errors import AdapterFailure, AdapterNeverUp

PROBES = (*lifecycle.PROBES, *host.PROBES, *todo.PROBES, *tasks.PROBES, *tree.PROBES)
# A failure costs a restart or a time limit; after so many in a row the next will hardly differ.
MOST_FAILURES_IN_A_ROW = 3
# A run makes some ten thousand calls; below this it takes minutes.
SLOW_CALLS_A_SECOND = 50


@dataclass(frozen=True)
class Scope:
    """
    What the edition asks of an adapter.

    Attributes:
        capabilities: The capabilities that it has clauses for.
        configs: The settings that a plugin gets where nobody writes any, by plugin.
    """

    capabilities: frozenset[str] = frozenset(CAPABILITIES)
    configs: dict[str, Json] = field(default_factory=dict)


def examine(connection: Connection, scope: Scope) -> Iterator[Finding]:
    """
    Try everything on an adapter that is up, and close it.
    """
    bench = Bench(connection, scope.configs)
    try:
        yield from _probed(bench, scope)
        yield _errors(bench)
        yield _speed(bench)
        yield from _comings_and_goings(connection)
    finally:
        bench.close()
        connection.close()


def greeting(connection: Connection) -> Finding:
    """
    Return the first finding, which needs nothing but the handshake.
    """
    info = connection.info
    return Finding(
        "adapter",
        "handshake",
        Standing.FINE,
        f"{info.name} {info.version} ({info.language}) serves {connection.edition}",
    )


def _probed(bench: Bench, scope: Scope) -> Iterator[Finding]:
    failures = 0
    for probe in PROBES:
        if not _tried(probe, bench, scope):
            continue
        finding, failed = _attempted(probe, bench)
        yield finding
        failures = failures + 1 if failed else 0
        why = _enough(finding, failures)
        if why is not None:
            yield _broken_off(why)
            return


def _attempted(probe: Probe, bench: Bench) -> tuple[Finding, bool]:
    try:
        bench.connection.begin_case()
        finding = _outcome(probe, bench)
        bench.connection.check_quiet()
    except (AdapterFailure, AdapterNeverUp) as failure:
        return _trouble(probe, failure), True
    return finding, False


def _enough(finding: Finding, failures: int) -> str | None:
    if finding.name == lifecycle.RESET and finding.standing is Standing.FIX:
        return "every other check begins with a reset"
    if failures == MOST_FAILURES_IN_A_ROW:
        return f"the adapter failed {failures} times in a row"
    return None


def _broken_off(why: str) -> Finding:
    hint = "fix what is named first, and run the doctor again"
    return Finding("adapter", "examination", Standing.FIX, f"broken off: {why}", hint)


def _tried(probe: Probe, bench: Bench, scope: Scope) -> bool:
    if probe.is_capability:
        return probe.name in scope.capabilities
    return not probe.needs or bool(probe.needs <= bench.declared or _any(probe, bench))


def _any(probe: Probe, bench: Bench) -> bool:
    return probe.needs == lifecycle.ANY and bool(bench.declared)


def _outcome(probe: Probe, bench: Bench) -> Finding:
    undeclared = probe.is_capability and probe.name not in bench.declared
    try:
        remark = probe.trial(bench)
    except Amiss as amiss:
        if undeclared:
            return _finding(probe, Standing.MISSING, amiss.what, probe.advice)
        return _finding(probe, Standing.FIX, amiss.what, amiss.hint or probe.advice, amiss.value)
    if undeclared:
        hint = f'add "{probe.name}" to the capabilities that initialize answers'
        return _finding(probe, Standing.FIX, "works, but is not declared", hint)
    return _finding(probe, Standing.NOTE if remark else Standing.FINE, remark or probe.fine)


def _finding(
    probe: Probe, standing: Standing, what: str, hint: str | None = None, value: str | None = None
) -> Finding:
    return Finding(probe.group, probe.name, standing, what, hint, value)


def _trouble(probe: Probe, failure: AdapterFailure | AdapterNeverUp) -> Finding:
    what = f"{failure.where}: {failure.what}" if failure.where else failure.what
    return _finding(probe, Standing.FIX, what, failure.hint, failure.value)


def _errors(bench: Bench) -> Finding:
    if not bench.slips:
        return Finding(
            "adapter", "errors", Standing.FINE, "say what they have to: message, and reason for 1"
        )
    slips = "; ".join(f"{method} {slip}" for method, slip in sorted(bench.slips.items()))
    hint = "the message is shown as the reason of a verdict; 1 is `unsupported` with data: {reason}"
    return Finding("adapter", "errors", Standing.FIX, slips, hint)


def _speed(bench: Bench) -> Finding:
    pace, (seconds, method) = bench.pace, bench.pace.slowest
    slow = pace.calls_a_second < SLOW_CALLS_A_SECOND
    return Finding(
        "adapter",
        "speed",
        Standing.NOTE if slow else Standing.FINE,
        f"{pace.calls} calls of {len(pace.methods)} methods fit their schemas; "
        f"{pace.calls_a_second:,.0f} calls/s, slowest {method} {seconds * 1000:.1f} ms",
    )


def _comings_and_goings(connection: Connection) -> Iterator[Finding]:
    complaint = connection.close()
    hint = "answer shutdown and exit, leaving no process behind; exit, too, when the input ends"
    if complaint is None:
        yield Finding("adapter", "shutdown", Standing.FINE, "leaves when it is told to")
    else:
        yield Finding("adapter", "shutdown", Standing.FIX, complaint, hint)
    yield _again(connection)


def _again(connection: Connection) -> Finding:
    try:
        connection.begin_case()
    except (AdapterFailure, AdapterNeverUp) as failure:
        return Finding(
            "adapter", "restart", Standing.FIX, failure.what, failure.hint, failure.value
        )
    return Finding("adapter", "restart", Standing.FINE, "says the same of itself again")
