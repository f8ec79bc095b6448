"""
How fast an adapter answers.
"""

from __future__ import annotations


class Pace:
    """
    How fast the adapter answers.
    """

    def __init__(self) -> None:
        self.calls = 0
        self.seconds = 0.0
        self.slowest = (0.0, "")
        self.methods: set[str] = set()

    def took(self, method: str, seconds: float, *, calls: int = 1) -> None:
        """
        Count calls and the time they took.
        """
        self.calls += calls
        self.seconds += seconds
        self.methods.add(method)
        self.slowest = max(self.slowest, (seconds / calls, method))

    @property
    def calls_a_second(self) -> float:
        """
        The mean rate.
        """
        return self.calls / self.seconds if self.seconds else 0.0
