"""
The formats of a report, one module each; all are made of the same document.
"""

from __future__ import annotations

import importlib

from dsh_conformance.report.told import Report

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


def render(report: Report, form: str) -> str:
    """
    Return a report in one of the formats.
    """
    module, function = FORMATS[form]
    renderer = getattr(importlib.import_module(f"dsh_conformance.report.{module}"), function)
    text: str = renderer(report)
    return text
