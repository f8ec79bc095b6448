"""
Which clause of the todo contract a difference breaks.
"""

from __future__ import annotations

import json
import re

from dsh_conformance.generate.blame import Blame, blamed
from dsh_conformance.generate.compare import Unlike
from dsh_conformance.generate.record import Record
from dsh_conformance.generate.texts import LOOKALIKES, WHITE_SPACE, trimmed

_PADS = WHITE_SPACE + LOOKALIKES
_QUOTED = re.compile(r"duplicate content (\".*\")", re.DOTALL)

# Those of `_of_contents`, which the table below does not hold.
CONTENTS = ("todo.white-space.kept", "todo.write.content-verbatim")

BLAME = (
    Blame("todo.card.soft", verb="present"),
    Blame(
        "todo.order.schema-first",
        key="error",
        expected="invalid arguments",
        seen="invalid todo|owning",
    ),
    Blame("todo.order.agent-last", key="error", expected="invalid", seen="owning agent"),
    Blame(
        "todo.order.agent-last",
        key="error",
        expected="owning agent",
        seen="an error: .*invalid|^Error: invalid",
    ),
    Blame(
        "todo.order.count-after-items",
        key="error",
        expected="non-empty|duplicate",
        seen="in_progress",
    ),
    Blame("todo.order.items-in-turn", key="error", expected="non-empty", seen="duplicate"),
    Blame("todo.order.items-in-turn", key="error", expected="duplicate", seen="non-empty"),
    Blame("todo.content.duplicate-quoted", key="error", expected="duplicate", words=True),
    Blame("todo.active.count", key="error", expected="in_progress", words=True),
    Blame("host.arguments.all-joined", key="error", expected="invalid arguments.*; ", words=True),
    Blame("host.arguments.enum", key="error", expected="must be one of", words=True),
    Blame("host.arguments.missing", key="error", expected="missing required", words=True),
    Blame("host.arguments.undeclared", key="error", expected="not a declared", words=True),
    Blame("host.arguments.type", key="error", expected="must be an? ", words=True),
    Blame("todo.content.non-empty", key="error", expected="non-empty"),
    Blame("todo.content.unique", key="error", expected="duplicate"),
    Blame("todo.active.at-most-one", key="error", expected="may be in_progress"),
    Blame("todo.owner.required", key="error", expected="owning agent"),
    Blame("todo.item.closed", key="error", expected="not a declared"),
    Blame("todo.item.required", key="error", expected=r'missing required property "todos\['),
    Blame("todo.list.required", key="error", expected="missing required"),
    Blame("todo.item.status-known", key="error", expected="must be one of"),
    Blame("todo.item.types", key="error", expected="must be an? "),
    Blame("todo.content.exact-equality", key="says", seen="duplicate"),
    Blame("todo.white-space.kept", key="says", seen="non-empty"),
    Blame("todo.write.progress-is-the-models", key="says", seen="in_progress"),
    Blame("host.arguments.top-level-open", key="says", seen="an error: .*not a declared"),
    Blame("todo.write.no-limits", key="says", seen="an error"),
    Blame("todo.result.text", key="says"),
    Blame("todo.result.value-as-stored", key="value", path="content"),
    Blame("todo.result.value", key="value"),
    Blame("todo.write.stores-trimmed", verb="log", path="content"),
    Blame("todo.write.event-is-snapshot", verb="log", path="todos"),
    Blame("todo.write.one-event", verb="log"),
    Blame("todo.projection.takes-list", verb="projection"),
    Blame("todo.event.log-only", verb="surface|request"),
)


def blame(record: Record, found: Unlike) -> str:
    """
    Return the clause that a difference breaks.
    """
    pair = _contents(found)
    return (pair and _of_contents(*pair)) or blamed(BLAME, "todo.write.one-event", record, found)


def _contents(found: Unlike) -> tuple[str, str] | None:
    """
    Return one content as it was expected and as it was seen, where that is the difference.
    """
    first = found.mismatches[0]
    if first.path[-1:] == ("content",):
        pair = (first.expected, first.seen)
    else:
        pair = (_quoted(first.expected), _quoted(first.seen))
    return pair if all(isinstance(one, str) for one in pair) else None


def _quoted(text: object) -> str | None:
    match = _QUOTED.search(text) if isinstance(text, str) else None
    try:
        content = json.loads(match[1]) if match is not None else None
    except ValueError:
        return None
    return content if isinstance(content, str) else None


def _of_contents(expected: str, seen: str) -> str | None:
    if expected == seen:
        return None
    if trimmed(seen) == expected:
        return "todo.write.stores-trimmed"
    if seen and seen in expected and not "".join(expected.split(seen, 1)).strip(_PADS):
        return "todo.white-space.kept"
    return "todo.write.content-verbatim" if _plain(expected) == _plain(seen) else None


def _plain(text: str) -> str:
    return "".join(text.split()).casefold()
