"""
What a fold did to the context: the messages before, and those after.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Node = tuple[int | None, dict[str, Any]]


def folds(transcript: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """
    Yield each moment at which messages that were in the log had left the surface.

    A fold is `{agent, step, before, after}`; both are lists of `{seq, kind, text, mark}`, where the
    mark is `hidden` (before), `new` (after) or empty.
    """
    surfaces: dict[str, list[Node]] = {}
    for exchange in transcript:
        method, params, reply = exchange["method"], exchange["params"], exchange["reply"]
        if method == "reset":
            surfaces.clear()
        elif method == "log.append" and isinstance(reply, dict) and "seqs" in reply:
            nodes = surfaces.setdefault(params["agent"], [])
            for event, seq in zip(params["events"], reply["seqs"], strict=False):
                _append(nodes, event, seq)
        elif method == "surface.read" and isinstance(reply, dict) and "messages" in reply:
            agent = params["agent"]
            after = [(message.get("seq"), message) for message in reply["messages"]]
            before = surfaces.get(agent, [])
            if _gone(before, after):
                yield {
                    "agent": agent,
                    "step": exchange["step"],
                    "before": _column(before, after, "hidden"),
                    "after": _column(after, before, "new"),
                }
            surfaces[agent] = after


def _append(nodes: list[Node], event: dict[str, Any], seq: int) -> None:
    if event.get("type") != "message":
        return
    replaced = event.get("replaces")
    if replaced is None:
        nodes.append((seq, event["message"]))
        return
    inside = [
        index
        for index, (one, _) in enumerate(nodes)
        if one is not None and replaced["from"] <= one <= replaced["to"]
    ]
    place = inside[0] if inside else len(nodes)
    nodes[:] = [node for index, node in enumerate(nodes) if index not in inside]
    nodes.insert(place, (seq, event["message"]))


def _gone(before: list[Node], after: list[Node]) -> bool:
    return bool({seq for seq, _ in before} - {seq for seq, _ in after})


def _column(nodes: list[Node], others: list[Node], mark: str) -> list[dict[str, Any]]:
    there = {seq for seq, _ in others}
    return [
        {
            "seq": seq,
            "kind": _kind(message),
            "text": _text(message),
            "mark": "" if seq in there else mark,
        }
        for seq, message in nodes
    ]


def _kind(message: dict[str, Any]) -> str:
    source = message.get("source")
    if isinstance(source, dict) and source.get("kind") == "plugin":
        return f"plugin {source.get('plugin', '')}".strip()
    return str(message.get("kind", ""))


def _text(message: dict[str, Any]) -> str:
    calls = [f"→ {call.get('name')}({call.get('arguments')})" for call in message.get("calls", ())]
    return "\n".join([part for part in (str(message.get("text", "")), *calls) if part])
