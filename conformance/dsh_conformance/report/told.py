"""
The document of a run as renderers see it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any


@dataclass(frozen=True)
class Report:
    """
    The document of a run, with what its renderers look up in it.
    """

    data: dict[str, Any]

    @cached_property
    def clauses(self) -> dict[str, dict[str, Any]]:
        """
        The clauses by id.
        """
        return {clause["id"]: clause for clause in self.data["clauses"]}

    @property
    def cases(self) -> list[dict[str, Any]]:
        """
        The cases in the order they were played.
        """
        return list(self.data["cases"])

    @property
    def title(self) -> str:
        """
        The implementation's name and version, as it gave them.
        """
        implementation = self.data["implementation"]
        return f"{implementation['name']} {implementation['version']}"

    @property
    def remarks(self) -> list[str]:
        """
        What the adapter's author should know beside the verdicts.
        """
        # The first reports had none.
        return list(self.data.get("remarks", ()))

    def counts_against(self, clause: str) -> bool:
        """
        Whether a run that breaks a clause is non-conformant.
        """
        level = self.clauses.get(clause, {}).get("level", "must")
        strict: bool = self.data["run"]["strict"]
        return level == "must" or (strict and level == "should")

    def news(self, case: dict[str, Any]) -> list[dict[str, Any]]:
        """
        Return the failures of a case that count and are not known.
        """
        return [
            failure
            for failure in case["failures"]
            if not failure["known"] and self.counts_against(failure["clause"])
        ]
