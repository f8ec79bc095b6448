"""
The surface: which events of the log the model sees, in which order, and what may replace what.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dsh_reference.errors import Rejected

Event = dict[str, Any]

# The log's own names for the neutral message kinds; refusals speak of these.
TYPES = {
    "system": "system/message",
    "user": "user/message",
    "assistant": "assistant/message",
    "tool": "tool/result",
}

NODE_0 = (
    "surface replace: node 0 holds the system prompt and may be rewritten only by a"
    " system/message over exactly that node"
)


def type_of(event: Event) -> str:
    """
    Return the log's name for an event's type.
    """
    if event["type"] == "message":
        return TYPES[event["message"]["kind"]]
    return str(event["name"] if event["type"] == "other" else event["type"])


class Surface:
    """
    An ordered list of event numbers; a replacement costs what is live, not what was hidden before.
    """

    def __init__(self, events: Sequence[Event]) -> None:
        self._events = events
        self.nodes: list[int] = []

    def append(self, seq: int) -> None:
        """
        Push a node at the tail.
        """
        self.nodes.append(seq)

    def replace(self, event: Event, seq: int, *, sources: Sequence[int] | None) -> tuple[int, ...]:
        """
        Put `seq` where the event's range stands, and return the provenance to record for it.

        Raises:
            Rejected: The range, the sources or the kind of the replacement is not allowed.
        """
        first, last = self._range(event)
        hidden = self.nodes[first : last + 1]
        named = tuple(hidden) if sources is None else tuple(sources)
        _check_sources(named, hidden, seq)
        self._check_tool_result(event, hidden)
        self._check_node_0(event, first, last)
        self.nodes[first : last + 1] = [seq]
        return named

    def _range(self, event: Event) -> tuple[int, int]:
        start, end = _bounds(event)
        first, last = self._index("start", start), self._index("end", end)
        if first > last:
            raise Rejected(
                f"surface replace: start seq {start} (index {first})"
                f" is after end seq {end} (index {last})"
            )
        return first, last

    def _index(self, name: str, seq: int) -> int:
        # What is replaced is mostly recent, so the search begins at the tail.
        for index in range(len(self.nodes) - 1, -1, -1):
            if self.nodes[index] == seq:
                return index
        raise Rejected(f"surface replace: {name} seq {seq} not found in surface")

    def _check_tool_result(self, event: Event, hidden: list[int]) -> None:
        message = event["message"]
        if message["kind"] != "tool":
            return
        if len(hidden) != 1:
            raise Rejected("tool/result surface replacement must rewrite exactly one current node")
        target = self._events[hidden[0]]["message"]
        if target["kind"] != "tool":
            raise Rejected("tool/result surface replacement must target a current tool/result")
        if {**target, "text": ""} != {**message, "text": ""}:
            raise Rejected("tool/result surface replacement may change only content")

    def _check_node_0(self, event: Event, first: int, last: int) -> None:
        head = self._events[self.nodes[0]]["message"]["kind"]
        rewrites_it = event["message"]["kind"] == "system" and last == 0
        if first == 0 and head == "system" and not rewrites_it:
            raise Rejected(NODE_0)


def _bounds(event: Event) -> tuple[int, int]:
    replaces = event["replaces"]
    if not isinstance(replaces, dict) or set(replaces) != {"from", "to"}:
        raise _invalid_replace(event)
    start, end = replaces["from"], replaces["to"]
    if not (_is_seq(start) and _is_seq(end)):
        raise _invalid_replace(event)
    return start, end


def _invalid_replace(event: Event) -> Rejected:
    return Rejected(f'session event "{type_of(event)}" carries an invalid replace surfaceOp')


def _is_seq(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _check_sources(named: Sequence[int], hidden: Sequence[int], seq: int) -> None:
    if not named:
        raise Rejected("sourceEventSeqs must not be empty")
    if len(set(named)) < len(named):
        raise Rejected("sourceEventSeqs must not contain duplicates")
    for source in named:
        if source >= seq:
            raise Rejected(
                f"sourceEventSeqs must reference earlier events: {source} >= current seq {seq}"
            )
    if missing := sorted(set(hidden) - set(named)):
        raise Rejected(
            "surface replace: sourceEventSeqs must include every shadowed surface node;"
            f" missing {', '.join(map(str, missing))}"
        )
