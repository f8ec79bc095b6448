"""
Where the suite keeps its values in pytest's own.
"""

from __future__ import annotations

import pytest

from dsh_conformance.run.state import RunState
from dsh_conformance.scenario.results import CaseResult

STATE = pytest.StashKey[RunState]()
"""The run, in pytest's configuration."""

RESULT = pytest.StashKey[CaseResult]()
"""What a case came to, at its test."""
