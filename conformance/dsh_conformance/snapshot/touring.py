"""
The tour: a fixed list of scenarios whose texts are recorded.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from dsh_conformance.adapter.connection import Connection
from dsh_conformance.adapter.stdio import DEFAULT_CALL_TIMEOUT
from dsh_conformance.contract.documents import read_document
from dsh_conformance.contract.editions import DEFAULT_EDITION
from dsh_conformance.errors import DataError
from dsh_conformance.run.selection import load_all
from dsh_conformance.run.settings import REFERENCE, Settings
from dsh_conformance.scenario.model import Scenario
from dsh_conformance.scenario.player import play
from dsh_conformance.scenario.results import CaseResult
from dsh_conformance.snapshot.surfaces import Surface, surfaces

TOUR = Path(__file__).parent / "tour.yaml"


def tour(
    adapter: str = REFERENCE,
    *,
    edition: str = DEFAULT_EDITION,
    call_timeout: float = DEFAULT_CALL_TIMEOUT,
) -> list[Surface]:
    """
    Take an implementation through the tour and return everything that the model was shown.

    Args:
        adapter: A command, or `package.module:Class`.
        edition: The edition of the contract in whose words it is spoken to.
        call_timeout: Seconds that one call may take.

    Raises:
        AdapterNeverUp: The adapter does not come up, or keeps failing.
    """
    settings = Settings(adapter=adapter, edition=edition, call_timeout=call_timeout)
    cases = load_all(settings)
    connection = Connection(adapter, edition, call_timeout=call_timeout)
    try:
        stops = _stops(cases.scenarios)
        results = [play(scenario, connection, cases.contract) for scenario in stops]
    finally:
        connection.close()
    return list(surfaces(result for result in results if _applies(result)))


def stops() -> list[str]:
    """
    Return the ids of the scenarios on the tour.
    """
    document = read_document(TOUR)
    return [case for plugin in document.data.values() for case in plugin]


def _stops(scenarios: tuple[Scenario, ...]) -> Iterator[Scenario]:
    known = {scenario.id: scenario for scenario in scenarios}
    for case in stops():
        if case not in known:
            raise DataError("the tour goes to a scenario that is not there", str(TOUR), value=case)
        yield known[case]


def _applies(result: CaseResult) -> bool:
    return result.outcome != "not applicable"
