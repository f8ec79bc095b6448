"""
What a run tells its listeners: the reports are all fed by these calls.
"""

from __future__ import annotations

from typing import Protocol

from dsh_conformance.adapter.protocol import AdapterInfo
from dsh_conformance.run.settings import Settings
from dsh_conformance.run.summary import Summary
from dsh_conformance.scenario.results import CaseResult


class Listener(Protocol):
    """
    Hears of a run as it goes.
    """

    def started(self, settings: Settings, info: AdapterInfo, total: int) -> None:
        """
        The adapter is up and this many cases will be played.
        """

    def played(self, result: CaseResult) -> None:
        """
        One case is over.
        """

    def finished(self, summary: Summary) -> None:
        """
        The run is over.
        """
