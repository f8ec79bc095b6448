"""
What the HTML page is given to show: the document, with each case told step by step.
"""

from __future__ import annotations

import json
import re
from typing import Any

from dsh_conformance.report.folds import folds
from dsh_conformance.report.script import line_numbers
from dsh_conformance.report.textdiff import Piece, shown, shown_lines, text_diff
from dsh_conformance.report.told import Report

# A page is read: of a longer text its beginning and its length tell enough.
SHOWN_TEXT = 2000
SHOWN_DIFFERENCES = 20
LOOKS = frozenset({"log.read", "surface.read", "agent.inbox", "request.read", "projection.read"})


def view(report: Report) -> dict[str, Any]:
    """
    Return the data of the page.
    """
    rest = {key: value for key, value in report.data.items() if key != "cases"}
    data = {**rest, "cases": [_case(case, report) for case in report.cases]}
    return {key: _visible(value) for key, value in data.items()}


def _visible(value: Any) -> Any:
    # Not everything above was made for reading: a name may hold a turn of the writing direction.
    if isinstance(value, str):
        return value if value.isprintable() else shown_lines(value)
    if isinstance(value, list | tuple):
        return [_visible(item) for item in value]
    if isinstance(value, dict):
        return {key: _visible(inner) for key, inner in value.items()}
    return value


def _case(case: dict[str, Any], report: Report) -> dict[str, Any]:
    kept = ("id", "outcome", "clauses", "claim", "reason", "kind", "known", "seconds")
    whole = case["outcome"] in {"failed", "unverified"}
    return {
        **{key: case[key] for key in kept},
        "counts": bool(report.news(case)),
        "failures": [_failure(failure) for failure in case["failures"]],
        "script": script(case),
        "folds": list(folds(case["transcript"])),
        "transcript": [_exchange(one) for one in case["transcript"]] if whole else None,
    }


def _failure(failure: dict[str, Any]) -> dict[str, Any]:
    listed = failure["differences"]
    return {
        **failure,
        "differences": [_difference(one) for one in listed[:SHOWN_DIFFERENCES]],
        "more": max(0, len(listed) - SHOWN_DIFFERENCES),
    }


def _difference(difference: dict[str, Any]) -> dict[str, Any]:
    expected, seen = difference["expected"], difference["seen"]
    if difference["text"]:
        left, right = text_diff(expected, seen)
    else:
        left, right = [Piece(expected, differs=False)], [Piece(seen, differs=False)]
    return {
        "path": difference["path"],
        "expected": [_piece(piece) for piece in left],
        "seen": [_piece(piece) for piece in right],
    }


def _piece(piece: Piece) -> list[Any]:
    if piece.differs:
        return [_cut(shown(piece.text, everything=True)), 1]
    return [_cut(shown_lines(piece.text)), 0]


def script(case: dict[str, Any]) -> list[dict[str, str]]:
    """
    Return the lines of the script with what had to be seen and what was.
    """
    lines = [
        {"step": step, "expected": _expected(expected), "seen": ""}
        for step, expected in zip(case["script"], _padded(case), strict=True)
    ]
    exchanges: list[list[dict[str, Any]]] = [[] for _ in lines]
    for exchange, line in zip(case["transcript"], line_numbers(case), strict=True):
        if line is not None:
            exchanges[line].append(exchange)
    for told, made in zip(lines, exchanges, strict=True):
        if told["expected"]:
            told["seen"] = _cut("\n".join(map(_answer, _telling(made, told["expected"]))))
    return lines


def _telling(exchanges: list[dict[str, Any]], expected: str) -> list[dict[str, Any]]:
    # Before and after a step the player looks around; where nothing changed, that tells nothing.
    own = [one for one in exchanges if one["method"] not in LOOKS]
    if not own:
        return exchanges
    if re.search(r"^logs:", expected, re.MULTILINE):
        own += [one for one in exchanges if one["method"] == "log.read"][-1:]
    return own


def _padded(case: dict[str, Any]) -> list[str]:
    expectations = list(case["expectations"])
    return [*expectations, *[""] * (len(case["script"]) - len(expectations))][: len(case["script"])]


def _expected(text: str) -> str:
    try:
        data = json.loads(text)
    except ValueError:
        return text
    if not isinstance(data, dict):
        return text
    return "\n".join(f"{key}: {_plain(value)}" for key, value in data.items())


def _answer(exchange: dict[str, Any]) -> str:
    reply = exchange["reply"]
    if isinstance(reply, dict) and "text" in reply:
        ended_in_error = reply.get("isError") or reply.get("kind") == "error"
        return f"{'error' if ended_in_error else 'says'}: {shown_lines(str(reply['text']))}"
    return f"{exchange['method']}: {_plain(reply)}"


def _exchange(exchange: dict[str, Any]) -> list[str]:
    return [exchange["method"], _cut(_plain(exchange["params"])), _cut(_plain(exchange["reply"]))]


def _plain(value: Any) -> str:
    if isinstance(value, str):
        return shown_lines(value)
    return shown(json.dumps(value, ensure_ascii=False))


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN_TEXT else f"{text[:SHOWN_TEXT]}… ({len(text)} characters)"
