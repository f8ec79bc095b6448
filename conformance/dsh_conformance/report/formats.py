"""
The formats of a report, one module each; all are made of the same document.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

# Format, and the module below `dsh_conformance.report` whose function of that name renders it.
FORMATS = {
    "json": ("json_report", "render"),
    "markdown": ("markdown", "render"),
    "html": ("html", "render"),
    "junit": ("junit", "render"),
    "badge": ("badge", "render_json"),
    "badge-svg": ("badge", "render_svg"),
    "text": ("plain", "render"),
}


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


def render(report: Report, form: str) -> str:
    """
    Return a report in one of the formats.
    """
    module, function = FORMATS[form]
    renderer = getattr(importlib.import_module(f"dsh_conformance.report.{module}"), function)
    text: str = renderer(report)
    return text


def write_packet(report: Report, folder: Path) -> list[Path]:
    """
    Write the failure packet into a folder and return its files.

    Raises:
        UsageError: The folder cannot be written.
    """
    from dsh_conformance.report.packet import write  # noqa: PLC0415  # It imports this module.

    return write(report, folder)
