"""
The notice that stands in for a folded range: how much went, and which files it touched.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from dsh_reference.host.log import Message
from dsh_reference.tree import texts
from dsh_reference.tree.js_text import trim
from dsh_reference.tree.origin import own_message

READS = frozenset({"read", "read_image"})
WRITES = frozenset({"write", "edit", "str_replace_editor"})


def fold_notice(hidden: Sequence[Message]) -> Message:
    """
    Return the message that replaces the hidden ones.
    """
    reads, writes = touched(hidden, READS), touched(hidden, WRITES)
    return own_message(
        texts.fold_notice(len(hidden), reads, writes),
        texts.fold_summary(len(hidden), len(reads) + len(writes)),
    )


def touched(messages: Iterable[Message], tools: frozenset[str]) -> list[str]:
    """
    Return the paths that calls of these tools name, each once, in order of first occurrence.
    """
    calls = (call for message in messages for call in message.get("calls", ()))
    paths = (_path(call["arguments"]) for call in calls if call["name"] in tools)
    return list(dict.fromkeys(path for path in paths if path is not None))


def _path(arguments: str) -> str | None:
    """
    Read `file_path`, or `path` where the former is absent; a model may send any text as arguments.
    """
    try:
        parsed = json.loads(arguments, parse_constant=_refuse, parse_int=float)
    except (ValueError, RecursionError):
        return None
    if not isinstance(parsed, dict):
        return None
    path = parsed.get("file_path")
    if path is None:
        path = parsed.get("path")
    return path if isinstance(path, str) and trim(path) else None


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")
