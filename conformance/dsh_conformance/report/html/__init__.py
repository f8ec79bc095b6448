"""
The HTML report: one file that holds everything and asks the network for nothing.

Everything an implementation said travels as JSON inside the page and is put in as text; the page's
own policy lets no script run but ours.
"""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path

from dsh_conformance.report.html.view import view
from dsh_conformance.report.markdown import escaped
from dsh_conformance.report.textdiff import shown
from dsh_conformance.report.told import Report

_ASSETS = Path(__file__).parent


def render(report: Report) -> str:
    """
    Return the page.
    """
    script, style = _asset("page.js"), _asset("page.css")
    parts = {
        "policy": _policy(script, style),
        "title": escaped(shown(f"{report.title}: {report.data['run']['verdict']}")),
        "style": style,
        "script": script,
        "data": _harmless(json.dumps(view(report), ensure_ascii=False, separators=(",", ":"))),
    }
    page = _asset("page.html")
    head, *rest = page.split("@@")
    return head + "".join(
        parts[piece] if number % 2 == 0 else piece for number, piece in enumerate(rest)
    )


def _asset(name: str) -> str:
    return (_ASSETS / name).read_text("utf-8")


def _policy(script: str, style: str) -> str:
    return (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def _harmless(text: str) -> str:
    # Inside a script element only markup could end the data: JSON can do without it.
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text
