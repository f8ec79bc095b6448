"""
Surfaces: what the model is shown of a case, as text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from dsh_conformance.report.document import case_data
from dsh_conformance.report.folds import folds
from dsh_conformance.report.script import line_numbers
from dsh_conformance.report.textdiff import shown_lines
from dsh_conformance.scenario.results import CaseResult

# The calls whose answers a model reads as results.
RESULTS = frozenset({"tools.call", "tools.poll", "tools.abort"})
# And those in whose answers it, or its host, finds messages.
MESSAGES = {
    "agent.inbox": "messages",
    "agent.idle": "pushed",
    "surface.read": "messages",
    "request.read": "messages",
}


@dataclass(frozen=True)
class Surface:
    """
    One text that the model is shown.

    Attributes:
        name: A path: `tools/todo_write`, `results/todo/empty-list`, `folds/tree/…`.
        text: The text, invisible characters shown, ids replaced by their names.
    """

    name: str
    text: str

    def __str__(self) -> str:
        return self.name


def surfaces(results: Iterable[CaseResult]) -> Iterator[Surface]:
    """
    Yield the surfaces of a tour, in a stable order.
    """
    offers: dict[str, str] = {}
    told: list[Surface] = []
    for result in results:
        case = case_data(result)
        _collect_offers(case["transcript"], offers)
        told += filter(None, (_results(case), _folds(case)))
    yield from (Surface(name, f"{text}\n") for name, text in sorted(offers.items()))
    yield from sorted(told, key=lambda one: one.name)


def _collect_offers(transcript: list[dict[str, Any]], offers: dict[str, str]) -> None:
    for exchange in transcript:
        reply = exchange["reply"]
        if not isinstance(reply, dict) or exchange["method"] not in {"tools.list", "request.read"}:
            continue
        for tool in reply.get("tools", ()):
            offers.setdefault(f"tools/{_safe(tool['name'])}", _tool(tool))
        for section in reply.get("system", ()):
            offers.setdefault(f"prompt/{_safe(section['name'])}", _section(section))


def _tool(tool: dict[str, Any]) -> str:
    parameters = json.dumps(tool["parameters"], ensure_ascii=False, indent=2, sort_keys=True)
    return shown_lines(f"{tool['name']}\n\n{tool['description']}\n\n{parameters}")


def _section(section: dict[str, Any]) -> str:
    return shown_lines(f"{section['name']}, order {section['order']}\n\n{section['text']}")


def _safe(name: str) -> str:
    return re.sub(r"[^\w.-]+", "-", name).strip(".-") or "unnamed"


def _results(case: dict[str, Any]) -> Surface | None:
    lines = list(_told(case))
    if not any(line.startswith(("result", "error", "notice")) for line in lines):
        return None
    head = [f"{case['id']}: {case['claim']}", ""]
    return Surface(f"results/{case['id']}", _named("\n".join([*head, *lines]), case) + "\n")


def _told(case: dict[str, Any]) -> Iterator[str]:
    seen: set[str] = set()
    last: int | None = None
    for exchange, line in zip(case["transcript"], line_numbers(case), strict=True):
        texts = [text for text in _texts(exchange) if text not in seen]
        if texts and line is not None and line != last:
            yield f"> {shown_lines(case['script'][line])}"
            last = line
        for text in texts:
            if text.startswith("notice"):
                seen.add(text)
            yield shown_lines(text)
    if case["outcome"] == "unverified":
        yield f"(nothing more: {case['kind']})"


def _texts(exchange: dict[str, Any]) -> Iterator[str]:
    method, reply = exchange["method"], exchange["reply"]
    if not isinstance(reply, dict):
        return
    if method == "together":
        calls = zip(exchange["params"]["calls"], reply.get("results", ()), strict=False)
        for call, answer in calls:
            yield from _texts({**call, "reply": answer.get("result")})
    elif method in RESULTS and reply.get("done"):
        yield f"{'error' if reply['isError'] else 'result'}: {reply['text']}"
    elif method in MESSAGES:
        agent = exchange["params"]["agent"]
        for message in reply.get(MESSAGES[method], ()):
            source = message.get("source") or {}
            if source.get("kind") == "plugin":
                yield f"notice to {agent}: {message['text']}"


def _folds(case: dict[str, Any]) -> Surface | None:
    parts = []
    for number, fold in enumerate(folds(case["transcript"]), 1):
        for side in ("before", "after"):
            parts.append(f"---- {number}, {side}, {fold['agent']}")
            parts += [_message(message) for message in fold[side]]
    if not parts:
        return None
    text = "\n".join([f"{case['id']}: {case['claim']}", "", *parts])
    return Surface(f"folds/{case['id']}", _named(text, case) + "\n")


def _message(message: dict[str, Any]) -> str:
    mark = f" ({message['mark']})" if message["mark"] else ""
    return shown_lines(f"[{message['kind']}{mark}] {message['text']}")


def _named(text: str, case: dict[str, Any]) -> str:
    ids = dict(_ids(case))
    if not ids:
        return text
    longest_first = sorted(ids, key=len, reverse=True)
    pattern = "|".join(re.escape(one) for one in longest_first)
    return re.sub(rf"(?<![\w-])(?:{pattern})(?![\w-])", lambda m: f"{{{ids[m[0]]}}}", text)


def _ids(case: dict[str, Any]) -> Iterator[tuple[str, str]]:
    # Those that no scenario names come first: a name that one gives is the better one.
    started = 0
    for exchange in case["transcript"]:
        reply = exchange["reply"] if isinstance(exchange["reply"], dict) else {}
        if exchange["method"] == "tasks.start" and "id" in reply:
            started += 1
            yield reply["id"], f"task {started}"
        elif exchange["method"] == "agent.create" and "session" in reply:
            yield from _session(exchange["params"], reply["session"])
    for name, bound in case["names"].items():
        if len(bound) > 1 and not bound.isdecimal():
            yield bound, name


def _session(params: dict[str, Any], session: str) -> Iterator[tuple[str, str]]:
    if session not in params.values():
        yield session, f"session of {params['agent']}"
