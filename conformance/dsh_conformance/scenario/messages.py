"""
The short forms of messages and events, as what is sent and as what must be seen.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

SHORT_MESSAGES = ("system", "human", "plugin", "user", "assistant", "result")
SHORT_EVENTS = (*SHORT_MESSAGES, "turn", "todos", "other")
BUT_SEQ = "$butSeq"


class CallIds:
    """
    Hands out ids for tool calls, and remembers which calls still lack a result.
    """

    def __init__(self) -> None:
        self._count = 0
        self._open: list[str] = []

    def new(self, given: str | None = None) -> str:
        """
        Return an id for a call, `given` or the next one.
        """
        self._count += 1
        ident = given or f"call-{self._count}"
        self._open.append(ident)
        return ident

    def answered(self, given: str | None = None) -> str:
        """
        Return the id a result is for: `given`, or the first call without a result.
        """
        if given is None:
            return self._open.pop(0) if self._open else "call-0"
        if given in self._open:
            self._open.remove(given)
        return given


def is_short(value: Any) -> bool:
    """
    Whether a value is written in a short form.
    """
    return isinstance(value, dict) and any(key in value for key in SHORT_EVENTS)


def to_event(value: dict[str, Any], ids: CallIds) -> dict[str, Any]:
    """
    Return the protocol's event for a short or full form.
    """
    if "type" in value:
        return value
    if "turn" in value:
        return {"type": f"turn/{value['turn']}"}
    if "todos" in value:
        return {"type": "todo/write", "todos": value["todos"]}
    if "other" in value:
        return {"type": "other", "name": value["other"]}
    event = {"type": "message", "message": to_message(value, ids)}
    if "replaces" in value:
        event["replaces"] = value["replaces"]
    return event


def to_message(value: dict[str, Any], ids: CallIds) -> dict[str, Any]:
    """
    Return the protocol's message for a short or full form.
    """
    if "kind" in value:
        return value
    if "assistant" in value:
        return _assistant(value, ids)
    if "result" in value:
        return {"kind": "tool", "text": value["result"], "call": ids.answered(value.get("call"))}
    if "plugin" in value:
        source = {"kind": "plugin", "plugin": value["plugin"]}
        source.update({key: value[key] for key in ("form", "summary") if key in value})
        return {"kind": "user", "text": value.get("text", ""), "source": source}
    if "system" in value:
        return {"kind": "system", "text": value["system"]}
    source = {"source": {"kind": "user"}} if "human" in value else {}
    return {"kind": "user", "text": value.get("human", value.get("user")), **source}


def _assistant(value: dict[str, Any], ids: CallIds) -> dict[str, Any]:
    message = {"kind": "assistant", "text": value["assistant"]}
    if value.get("calls"):
        message["calls"] = [
            {"id": ids.new(call.get("id")), "name": call["name"], "arguments": raw_arguments(call)}
            for call in value["calls"]
        ]
    return message


def raw_arguments(call: dict[str, Any]) -> str:
    """
    Return a call's argument text: `raw` as it stands, or `with` as JSON.
    """
    if "raw" in call:
        return str(call["raw"])
    return json.dumps(call.get("with", {}), ensure_ascii=False)


def expected(value: Any, form: Callable[[dict[str, Any]], Any]) -> Any:
    """
    Put the short forms inside a pattern into patterns over the protocol's own form.
    """
    if isinstance(value, list):
        return [expected(item, form) for item in value]
    if not isinstance(value, dict):
        return value
    if any(key.startswith("$") for key in value):
        return {
            key: expected(inner, form)
            if key in {"$includes", "$excludes", "$oneOf", "$not"}
            else inner
            for key, inner in value.items()
        }
    return form(value)


def expected_message(value: dict[str, Any]) -> Any:
    """
    Return the pattern of one message; a short form looks only at what it names.
    """
    if not is_short(value):
        return value if "seq" in value else {BUT_SEQ: value}
    fields = {**_expected_fields(value), **({"seq": value["seq"]} if "seq" in value else {})}
    return {"$has": fields}


def expected_event(value: dict[str, Any]) -> Any:
    """
    Return the pattern of one event.
    """
    if not is_short(value):
        return value if "seq" in value else {BUT_SEQ: value}
    if "turn" in value:
        return {BUT_SEQ: {"type": f"turn/{value['turn']}"}}
    if "todos" in value:
        return {BUT_SEQ: {"type": "todo/write", "todos": value["todos"]}}
    if "other" in value:
        return {BUT_SEQ: {"type": "other", "name": value["other"]}}
    fields = {"type": "message", "message": {"$has": _expected_fields(value)}}
    if "replaces" in value:
        fields["replaces"] = value["replaces"]
    return {"$has": fields}


def _expected_fields(value: dict[str, Any]) -> dict[str, Any]:
    if "system" in value:
        return {"kind": "system", "text": value["system"]}
    if "user" in value:
        return {"kind": "user", "text": value["user"]}
    if "human" in value:
        return {"kind": "user", "text": value["human"], "source": {"$has": {"kind": "user"}}}
    if "result" in value:
        call = {"call": value["call"]} if "call" in value else {}
        return {"kind": "tool", "text": value["result"], **call}
    if "assistant" in value:
        calls = {"calls": [_expected_call(c) for c in value["calls"]]} if "calls" in value else {}
        return {"kind": "assistant", "text": value["assistant"], **calls}
    named = {key: value[key] for key in ("plugin", "form", "summary") if key in value}
    text = {"text": value["text"]} if "text" in value else {}
    return {"kind": "user", "source": {"$has": {"kind": "plugin", **named}}, **text}


def _expected_call(call: Any) -> Any:
    if not isinstance(call, dict) or any(key.startswith("$") for key in call):
        return call
    fields = {key: call[key] for key in ("id", "name") if key in call}
    if "raw" in call:
        fields["arguments"] = call["raw"]
    elif "with" in call:
        fields["arguments"] = {"$jsonText": call["with"]}
    return {"$has": fields}
