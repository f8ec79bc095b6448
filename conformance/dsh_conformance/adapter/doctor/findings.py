"""
What the doctor finds, and what comes of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Standing(Enum):
    """
    How one thing stands.
    """

    FINE = "ok"
    NOTE = "note"
    MISSING = "missing"
    FIX = "FIX"


@dataclass(frozen=True, slots=True)
class Finding:
    """
    One line of the diagnosis.

    Attributes:
        group: `adapter`, `host` or the plugin that it belongs to.
        name: The capability, or the name of the check.
        standing: Fine, worth a note, missing (not declared and not there), or to be fixed.
        what: What was seen.
        hint: What to do next.
        value: The offending value.
    """

    group: str
    name: str
    standing: Standing
    what: str
    hint: str | None = None
    value: str | None = None


class Diagnosis:
    """
    All findings about one adapter.
    """

    def __init__(self) -> None:
        self.findings: list[Finding] = []

    def __repr__(self) -> str:
        return f"<Diagnosis of {len(self.findings)} findings, {len(self.to_fix)} to fix>"

    def add(self, finding: Finding) -> None:
        """
        Keep a finding.
        """
        self.findings.append(finding)

    @property
    def to_fix(self) -> list[Finding]:
        """
        What has to change before a verdict means anything.
        """
        return [finding for finding in self.findings if finding.standing is Standing.FIX]

    @property
    def missing(self) -> list[Finding]:
        """
        The capabilities that are neither declared nor there.
        """
        return [finding for finding in self.findings if finding.standing is Standing.MISSING]

    def exit_status(self) -> int:
        """
        0 when nothing has to be fixed, 1 otherwise; a missing capability is a choice.
        """
        return 1 if self.to_fix else 0
