"""
Laws of the fold that need no other implementation: the log tells what each fold has hidden.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dsh_conformance.generate.finding import Violation
from dsh_conformance.generate.record import Record
from dsh_conformance.generate.stage_tree import PLUGIN, READERS, WRITERS, paths_of

Event = dict[str, Any]

DONE = "tree_task_done"
BOUNDARIES = frozenset({DONE, "tree_task_create", "tree_task_plan"})
_NOTICE = re.compile(r"隐藏了(\d+)条")

CLAUSES = (
    "tree.notice.count",
    "tree.notice.files",
    "tree.fold.human-blocks",
    "tree.fold.boundary-calls-stay",
    "tree.fold.first-message-stays",
    "tree.fold.in-place",
    "tree.fold.once",
    "tree.fold.several-calls",
    "tree.log.append-only",
)


@dataclass
class _Replay:
    """
    One agent's log gone through: the surface it gives, and the first unlawful fold.
    """

    nodes: list[Event] = field(default_factory=list)
    done_since: bool = False
    broken: tuple[str, str, Any, Any] | None = None

    def take(self, event: Event) -> None:
        """
        Take in one event.
        """
        if event["type"] != "message":
            return
        if "replaces" not in event:
            self.done_since = self.done_since or _is_done(event)
            self.nodes.append(event)
            return
        where = self._range(event)
        if where is None:
            return
        first, last = where
        if _is_notice(event) and self.broken is None:
            self.broken = self._checked(event, first, last)
            self.done_since = False
        self.nodes[first : last + 1] = [event]

    def _range(self, event: Event) -> tuple[int, int] | None:
        seqs = [node["seq"] for node in self.nodes]
        ends = event["replaces"]
        if ends["from"] not in seqs or ends["to"] not in seqs:
            return None
        return seqs.index(ends["from"]), seqs.index(ends["to"])

    def _checked(self, event: Event, first: int, last: int) -> tuple[str, str, Any, Any] | None:
        hidden = self.nodes[first : last + 1]
        checks = (
            (first > 0, "tree.fold.first-message-stays", "the first message stays"),
            (not any(map(_is_human, hidden)), "tree.fold.human-blocks", "human messages stay"),
            (
                not any(_boundary(node) for node in hidden),
                "tree.fold.boundary-calls-stay",
                "boundary calls stay",
            ),
            (
                not _splits_results(self.nodes, first),
                "tree.fold.several-calls",
                "a boundary call keeps all of its results",
            ),
            (
                last + 1 < len(self.nodes) and _is_done(self.nodes[last + 1]),
                "tree.fold.in-place",
                "the notice stands directly before the done call",
            ),
            (self.done_since, "tree.fold.once", "folding again at once changes nothing"),
        )
        for holds, clause, law in checks:
            if not holds:
                return clause, law, {"$lacks": "隐藏了"}, event["message"]["text"]
        return _told(event["message"]["text"], hidden)


def _told(text: str, hidden: list[Event]) -> tuple[str, str, Any, Any] | None:
    count = _NOTICE.search(text)
    if count is not None and int(count[1]) != len(hidden):
        law = "the notice counts the messages that were hidden"
        return "tree.notice.count", law, {"$contains": f"隐藏了{len(hidden)}条"}, text
    lines = [
        label + "、".join(names)
        for label, names in (
            ("读取：", _files(hidden, READERS)),
            ("写入：", _files(hidden, WRITERS)),
        )
        if names
    ]
    if "\n".join(text.split("\n")[1:]) != "\n".join(lines):
        law = "the notice lists the files of the calls that were hidden"
        wanted = {"$endsWith": "".join(f"\n{line}" for line in lines) or "。"}
        return "tree.notice.files", law, wanted, text
    return None


def _files(hidden: list[Event], tools: Sequence[str]) -> list[str]:
    calls = [call for node in hidden for call in node["message"].get("calls", ())]
    paths = (paths_of(call["arguments"]) for call in calls if call["name"] in tools)
    return list(dict.fromkeys(path for path in paths if path is not None))


def _is_notice(event: Event) -> bool:
    source = event["message"].get("source", {})
    return source.get("plugin") == PLUGIN or _NOTICE.search(event["message"]["text"]) is not None


def _is_human(node: Event) -> bool:
    kind: str | None = node["message"].get("source", {}).get("kind")
    return kind == "user"


def _calls(node: Event) -> set[str]:
    return {call["name"] for call in node["message"].get("calls", ())}


def _boundary(node: Event) -> bool:
    return bool(_calls(node) & BOUNDARIES)


def _is_done(node: Event) -> bool:
    return DONE in _calls(node)


def _splits_results(nodes: list[Event], first: int) -> bool:
    # A result at the start of the range, right behind its boundary and the results before it.
    if nodes[first]["message"]["kind"] != "tool":
        return False
    before = first - 1
    while before >= 0 and nodes[before]["message"]["kind"] == "tool":
        before -= 1
    return before >= 0 and _boundary(nodes[before])


def folds_are_lawful(history: Sequence[Record]) -> Violation | None:
    """
    At each look at a log and then the surface, every fold so far was lawful and nothing moved.
    """
    replays: dict[str, _Replay] = {}
    fresh = ""
    for record in history:
        if record.verb == "log" and record.raw is not None:
            fresh = record.value
            replay = replays.setdefault(fresh, _Replay())
            for event in record.raw["events"]:
                replay.take(event)
            if replay.broken is not None:
                clause, law, wanted, seen = replay.broken
                texts = {"$includes": [{"$has": {"message": {"$has": {"text": wanted}}}}]}
                return Violation(law, clause, record.index, "shows", texts, seen)
        elif record.verb == "surface" and record.value == fresh and record.raw is not None:
            found = _same_surface(record, replays[fresh])
            if found is not None:
                return found
        elif record.verb != "request":
            fresh = ""
    return None


def _same_surface(record: Record, replay: _Replay) -> Violation | None:
    wanted = [node["seq"] for node in replay.nodes if _has_content(node["message"])]
    seen = [message["seq"] for message in record.raw["messages"]]
    if wanted == seen:
        return None
    law = "the surface is the log with its replacements made, in order"
    return Violation(law, "tree.log.append-only", record.index, "shows", wanted, seen)


def _has_content(message: dict[str, Any]) -> bool:
    if message["kind"] in {"assistant", "system"}:
        return bool(message["text"] or message.get("calls"))
    return True
