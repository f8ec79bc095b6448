"""
What a probe is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dsh_conformance.adapter.doctor.bench import Bench
from dsh_conformance.adapter.protocol import CAPABILITIES

Trial = Callable[[Bench], str | None]
"""Tries something; returns a remark or nothing, raises `Amiss` when it does not work."""


@dataclass(frozen=True, slots=True)
class Probe:
    """
    One thing that is tried.

    Attributes:
        group: `adapter`, `host` or a plugin: where it is listed.
        name: A capability, or the name of a check.
        fine: What is said when it works.
        advice: What to write to make it work.
        trial: Tries it.
        needs: Capabilities without which the check is left out; a capability itself is always
            tried, declared or not.
    """

    group: str
    name: str
    fine: str
    advice: str
    trial: Trial
    needs: frozenset[str] = frozenset()

    @property
    def is_capability(self) -> bool:
        """
        Whether it tries a capability, rather than how the adapter goes about things.
        """
        return self.name in CAPABILITIES
