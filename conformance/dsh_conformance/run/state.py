"""
What one run holds while pytest drives it.
"""

from __future__ import annotations

from functools import cached_property

import pytest

from dsh_conformance.adapter.connection import Connection
from dsh_conformance.contract.catalogue import Contract
from dsh_conformance.errors import DshError
from dsh_conformance.run.events import Listener
from dsh_conformance.run.selection import load_cases
from dsh_conformance.run.settings import Settings
from dsh_conformance.run.summary import Summary
from dsh_conformance.scenario.model import Scenario
from dsh_conformance.scenario.player import play
from dsh_conformance.scenario.results import CaseResult


class RunState:
    """
    Settings, cases, the adapter once it is needed, and the results so far.

    Args:
        settings: What was asked.
        listeners: Who wants to hear of it.
    """

    def __init__(self, settings: Settings, listeners: tuple[Listener, ...] = ()) -> None:
        self.settings = settings
        self.listeners = listeners
        self.selected: list[str] = []
        self.under_way = False
        self.fatal: DshError | None = None
        self.interrupted = False
        self._connection: Connection | None = None

    @cached_property
    def cases(self) -> tuple[Contract, list[Scenario]]:
        """
        The contract and the scenarios chosen.
        """
        return load_cases(self.settings)

    @property
    def contract(self) -> Contract:
        """
        The contract of the edition.
        """
        return self.cases[0]

    @cached_property
    def summary(self) -> Summary:
        """
        The results so far.
        """
        return Summary(self.contract, strict=self.settings.strict)

    @property
    def connection(self) -> Connection:
        """
        The adapter, started at first use and kept for the whole run.
        """
        if self._connection is None:
            settings = self.settings
            self._connection = Connection(
                settings.adapter, settings.edition, call_timeout=settings.call_timeout
            )
        return self._connection

    def play(self, scenario: Scenario) -> CaseResult:
        """
        Play one case.

        Raises:
            AdapterNeverUp: No further case can be played.
        """
        return play(scenario, self.connection, self.contract)

    def announce(self) -> None:
        """
        Tell the listeners that the adapter is up.
        """
        info = self.connection.info
        self.under_way = True
        for listener in self.listeners:
            listener.started(self.settings, info, len(self.selected))

    def record(self, result: CaseResult) -> None:
        """
        Take in a result and pass it on.
        """
        self.summary.add(result)
        for listener in self.listeners:
            listener.played(result)

    def close(self) -> None:
        """
        Shut the adapter down.
        """
        if self._connection is not None:
            self._connection.close()


STATE = pytest.StashKey[RunState]()
"""Where the plugin keeps it in pytest's configuration."""
