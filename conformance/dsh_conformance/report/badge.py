"""
A badge: the endpoint JSON that shields reads, and the picture itself.
"""

from __future__ import annotations

import json

from dsh_conformance.report.markdown import escaped
from dsh_conformance.report.told import Report

COLOURS = {
    "conformant": "#2e7d32",
    "non-conformant": "#c62828",
    "unverified": "#8a6100",
    "unfinished": "#616161",
}
LABEL = "dsh conformance"
# Verdana at 11 pixels, the badge makers' common face, is about this wide a character.
CHARACTER = 6.6
PADDING = 10


def render_json(report: Report) -> str:
    """
    Return the endpoint JSON (schema version 1 of the shields service).
    """
    data = {
        "schemaVersion": 1,
        "label": LABEL,
        "message": message(report),
        "color": COLOURS[report.data["run"]["verdict"]],
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def message(report: Report) -> str:
    """
    Return what the badge says: the edition, the verdict, and how many failures are known.
    """
    run = report.data["run"]
    if not report.data["complete"]:
        return f"{report.data['edition']['name']} incomplete"
    known = sum(one["state"] == "seen" for one in report.data["knownFailures"])
    but = f", {known} known" if known else ""
    return f"{report.data['edition']['name']} {run['verdict']}{but}"


def render_svg(report: Report) -> str:
    """
    Return the badge as a picture.
    """
    text, colour = escaped(message(report)), COLOURS[report.data["run"]["verdict"]]
    left, right = _width(LABEL), _width(message(report))
    middle = left + right / 2
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" '
        f'aria-label="{LABEL}: {text}"><title>{LABEL}: {text}</title>'
        f'<rect width="{left + right}" height="20" rx="3" fill="#444"/>'
        f'<rect x="{left}" width="{right}" height="20" rx="3" fill="{colour}"/>'
        f'<rect x="{left}" width="4" height="20" fill="{colour}"/>'
        '<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" '
        f'font-size="11"><text x="{left / 2}" y="14">{LABEL}</text>'
        f'<text x="{middle}" y="14">{text}</text></g></svg>\n'
    )


def _width(text: str) -> int:
    return round(len(text) * CHARACTER) + PADDING
