"""
Who a user message comes from: a person, this plugin, or another part of the host.
"""

from __future__ import annotations

from dsh_reference.host.log import Message

PLUGIN = "dsh-tree-task-flow"


def is_human(message: Message) -> bool:
    """
    Whether a person wrote the message.
    """
    return _source(message).get("kind") == "user"


def is_own(message: Message) -> bool:
    """
    Whether this plugin wrote the message.
    """
    source = _source(message)
    return source.get("kind") == "plugin" and source.get("plugin") == PLUGIN


def own_message(text: str, summary: str) -> Message:
    """
    Return a message of this plugin, with the one-line title that a screen shows for it.
    """
    source = {"kind": "plugin", "plugin": PLUGIN, "form": "notice", "summary": summary}
    return {"kind": "user", "text": text, "source": source}


def _source(message: Message) -> dict[str, str]:
    return (message.get("source") or {}) if message["kind"] == "user" else {}
