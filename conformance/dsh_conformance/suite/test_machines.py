"""
Generated examples, one test a machine.
"""

from __future__ import annotations

import pytest

from dsh_conformance.suite.keys import STATE
from dsh_conformance.suite.verdict import machine_verdict


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """
    Make one test of each machine; its id is that of its case.
    """
    cases = metafunc.config.stash[STATE].machines
    metafunc.parametrize("case", cases, ids=cases)


def test_machine(case: str, request: pytest.FixtureRequest) -> None:
    """
    No example parts the implementation from its oracle or breaks a law.
    """
    machine_verdict(case, request)
