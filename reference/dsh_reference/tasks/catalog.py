"""
The three tools as a model and a client see them: names, descriptions, schemas and cards.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dsh_reference.host.tools import Tool
from dsh_reference.tasks.bodies import TaskTools
from dsh_reference.tasks.words import Words

Card = dict[str, Any]

_OUTPUT = (
    "Read a {background}. Stream {noun}s return only output since the previous read; final-output"
    " {noun}s return their result after settlement. Every response ends with `[status: ...]`. Reads"
    " are non-blocking unless `wait: true`, which waits up to the configured cap."
)
_LIST = "List your {background}s (running and finished) with their ids, kinds, and statuses."
_KILL = (
    "Request cancellation of a running {background} by {noun} id. Returns immediately; the {noun}"
    " settles as killed once its work actually stops."
)
_ID = "{noun} id returned by the tool that started the background work."
_WAIT = (
    "Block until the {noun} reaches a terminal status or the timeout expires. A timed-out wait"
    " returns [status: running] and leaves the {noun} alive."
)
_TIMEOUT = (
    "Max wait in milliseconds (only meaningful with wait: true). Defaults to the configured wait"
    " timeout; capped by the configured maximum."
)
_REASON = "Optional short reason, recorded in the log and forwarded to the {noun}."

_READ_TITLE = "Read output from {background} {id}"
_LIST_TITLE = "List {background}s"
_KILL_TITLE = "Kill {background} {id}"


def build_tools(bodies: TaskTools, words: Words) -> list[Tool]:
    """
    Return the tools in the order in which a model sees them.
    """
    say = _speaker(words)
    return [
        Tool(
            name=words.output,
            description=say(_OUTPUT),
            parameters=_output_parameters(words),
            run=bodies.output,
            present=lambda given: _card(words, _READ_TITLE, "read", task_id=given[words.parameter]),
        ),
        Tool(
            name=words.listing,
            description=say(_LIST),
            parameters={"type": "object", "properties": {}},
            run=bodies.listing,
            present=lambda _: _card(words, _LIST_TITLE, "read"),
        ),
        Tool(
            name=words.kill,
            description=say(_KILL),
            parameters=_kill_parameters(words),
            run=bodies.kill,
            present=lambda given: _card(
                words, _KILL_TITLE, "execute", task_id=given[words.parameter]
            ),
        ),
    ]


def _speaker(words: Words) -> Callable[[str], str]:
    return lambda text: text.format(background=words.background, noun=words.noun)


def _output_parameters(words: Words) -> dict[str, Any]:
    say = _speaker(words)
    return _parameters(
        words,
        wait={"type": "boolean", "description": say(_WAIT)},
        timeout_ms={"type": "number", "description": say(_TIMEOUT)},
    )


def _kill_parameters(words: Words) -> dict[str, Any]:
    return _parameters(words, reason={"type": "string", "description": _speaker(words)(_REASON)})


def _parameters(words: Words, **optional: dict[str, Any]) -> dict[str, Any]:
    """
    Return the schema of an object with the id, which is required, and what may come beside it.
    """
    task_id = {"type": "string", "description": _ID.format(noun=words.noun.capitalize())}
    return {
        "type": "object",
        "properties": {words.parameter: task_id, **optional},
        "required": [words.parameter],
    }


def _card(words: Words, title: str, kind: str, *, task_id: str | None = None) -> Card:
    """
    Return a generic card, which quotes the id where the tool takes one.
    """
    card: Card = {
        "card": "generic",
        "title": title.format(background=words.background, id=task_id),
        "kind": kind,
    }
    return card if task_id is None else {**card, "rawInput": task_id}
