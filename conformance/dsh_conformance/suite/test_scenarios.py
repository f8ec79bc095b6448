"""
Every scenario of the chosen edition, one test each.
"""

from __future__ import annotations

import pytest

from dsh_conformance.scenario.model import Scenario
from dsh_conformance.suite.keys import STATE
from dsh_conformance.suite.verdict import verdict


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """
    Make one test of each scenario; its id is the scenario's.
    """
    scenarios = metafunc.config.stash[STATE].cases[1]
    metafunc.parametrize("scenario", scenarios, ids=[scenario.id for scenario in scenarios])


def test_scenario(scenario: Scenario, request: pytest.FixtureRequest) -> None:
    """
    The implementation does what the scenario says.
    """
    verdict(scenario, request)
