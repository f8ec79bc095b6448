"""
Observations made comparable: names in place of ids, and nothing that is the host's own affair.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from dsh_conformance.scenario.patterns import ABSENT

# A host's clock may start anywhere.
_TIMES = frozenset({"startedAt", "finishedAt"})
_FILE_TIMES = frozenset({"createdAt", "updatedAt", "completedAt", "at", "cursor"})
# Where a long summary is cut for a view of one line, no document says.
_LONG_SUMMARY, _KEPT_OF_SUMMARY = 100, 40
_CURSORS = ("goal", "task", "step")
# A line of a plan: mark, level, id, title.
_NODE = re.compile(r"^ *\[.\] (?:目标|任务|子任务)  (\S+)  ", re.MULTILINE)
# Begins the names of nodes that no step names, since their titles are blank, say.
UNNAMED = "node-"
_EDGE = r"[A-Za-z0-9_-]"


class Ids:
    """
    The ids that one implementation gave out, and the names they were bound to.

    Two sessions may use one id for nodes of their own (docs/decisions/0018).
    """

    def __init__(self) -> None:
        self._names: dict[str, dict[str, str]] = {}
        self._pattern: re.Pattern[str] | None = None
        self._unnamed: Counter[str] = Counter()

    def bind(self, name: str, ident: str, agent: str = "") -> None:
        """
        Note that an id is bound to a name; after a restart an id may come up again for another.
        """
        if ident:
            owners = self._names.setdefault(ident, {})
            owners.pop(agent, None)
            owners[agent] = name
            longest = sorted(map(re.escape, self._names), key=len, reverse=True)
            self._pattern = re.compile(rf"(?<!{_EDGE})(?:{'|'.join(longest)})(?!{_EDGE})")

    def named(self, value: Any, agent: str = "") -> Any:
        """
        Put names in braces where ids stand, those of an agent before the latest of others.
        """
        if self._pattern is None:
            return value
        if isinstance(value, str):
            return self._pattern.sub(lambda match: f"{{{self._name(match[0], agent)}}}", value)
        if isinstance(value, list):
            return [self.named(item, agent) for item in value]
        if isinstance(value, dict):
            return {key: self.named(inner, agent) for key, inner in value.items()}
        return value

    def meet(self, agent: str, shown: Any) -> None:
        """
        Name the nodes of a plan that no step has named, in the order in which they come up.

        Args:
            agent: Whose plan it is.
            shown: A reply, or a plan file.
        """
        for ident in _node_ids(shown):
            if agent not in self._names.get(ident, {}):
                self._unnamed[agent] += 1
                self.bind(f"{UNNAMED}{agent}-{self._unnamed[agent]}", ident, agent)

    def _name(self, ident: str, agent: str) -> str:
        owners = self._names[ident]
        return owners[agent] if agent in owners else next(reversed(owners.values()))


def _node_ids(shown: Any) -> Iterator[str]:
    if isinstance(shown, str):
        yield from _NODE.findall(shown)
    elif isinstance(shown, list):
        for one in shown:
            yield from _node_ids(one)
    elif isinstance(shown, dict):
        if isinstance(shown.get("id"), str) and "status" in shown:
            yield shown["id"]
        for key in ("goals", "tasks", "steps"):
            yield from _node_ids(shown.get(key))


def without_times(value: Any) -> Any:
    """
    Leave out the times of the public record of a task.
    """
    if isinstance(value, list):
        return [without_times(item) for item in value]
    if isinstance(value, dict):
        return {key: without_times(one) for key, one in value.items() if key not in _TIMES}
    return value


def plain_messages(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """
    Leave out the places of messages in the log: a host may log events of its own between them.
    """
    return [_plain_message(one) for one in messages]


def _plain_message(message: dict[str, Any]) -> dict[str, Any]:
    plain = {key: value for key, value in message.items() if key != "seq"}
    summary = plain.get("source", {}).get("summary", "")
    if _units(summary) > _LONG_SUMMARY:
        plain["source"] = {**plain["source"], "summary": summary[:_KEPT_OF_SUMMARY]}
    return plain


def _units(text: str) -> int:
    return len(text) + sum(char > "\uffff" for char in text)


def plain_events(events: list[dict[str, Any]], *, turns: bool = True) -> list[dict[str, Any]]:
    """
    Leave out the host's own events, and all numbers.

    That a message replaces others is kept, which ones is left to the surface.

    Args:
        events: As they came.
        turns: Whether turns are kept.
    """
    kept = []
    for event in events:
        if event["type"] == "other" or (event["type"].startswith("turn/") and not turns):
            continue
        one = {key: value for key, value in event.items() if key != "seq"}
        if "replaces" in one:
            one["replaces"] = {"$any": True}
        if "message" in one:
            one["message"] = _plain_message(one["message"])
        kept.append(one)
    return kept


def plain_state(value: Any) -> Any:
    """
    Make a state file comparable: a file of cursors without any is as good as none.

    What an implementation keeps beside the cursors, such as its last ids, is its own affair.
    """
    if isinstance(value, dict) and set(value) >= {"sessionId", *_CURSORS}:
        if all(value[key] is None for key in _CURSORS):
            return ABSENT
        value = {key: value[key] for key in ("sessionId", *_CURSORS, "updatedAt") if key in value}
    return plain_file(value)


def plain_file(value: Any) -> Any:
    """
    Leave open what times, and places in the log, a state file holds; that it holds some is kept.
    """
    if isinstance(value, list):
        return [plain_file(item) for item in value]
    if isinstance(value, dict):
        return {
            key: {"$any": True} if key in _FILE_TIMES and one is not None else plain_file(one)
            for key, one in value.items()
        }
    return value
