"""
How the playing of a case can end before its last step.
"""

from __future__ import annotations


class NotApplicable(Exception):  # An outcome, not a mistake.
    """
    The case cannot be asked of this implementation.
    """


class Unverified(Exception):
    """
    Nothing was learned.

    Args:
        kind: `prerequisite`, `protocol` or `error`, for reports.
        reason: What happened, with its place.
    """

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


class Contradicted(Exception):
    """
    A clause is broken in a way that makes the rest of the script moot.
    """
