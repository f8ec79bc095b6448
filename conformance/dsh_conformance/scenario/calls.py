"""
Steps into protocol calls.
"""

from __future__ import annotations

import json
from typing import Any

from dsh_conformance.scenario.clock import milliseconds
from dsh_conformance.scenario.messages import CallIds, raw_arguments, to_event, to_message
from dsh_conformance.scenario.verbs import NOBODY, Verb

_DEFAULT_RESULT = "ok"


class Calls:
    """
    Translates steps, and remembers which calls await their results.
    """

    def __init__(self) -> None:
        self._ids: dict[str, CallIds] = {}
        self._pending: dict[str, str] = {}
        self._logged: dict[str, tuple[str, str]] = {}
        self._under_way: dict[str, str] = {}

    def ids(self, agent: str) -> CallIds:
        """
        Return the tool-call ids of one agent's log.
        """
        return self._ids.setdefault(agent, CallIds())

    def translate(
        self, verb: Verb, value: Any, params: dict[str, Any]
    ) -> tuple[str, dict[str, Any]]:
        """
        Return the method and parameters of a step whose names are filled in.
        """
        assert verb.method is not None  # noqa: S101  # Others are played by the player itself.
        if verb.name in {"append", "work", "enter", "fold"}:
            return verb.method, self._with_messages(verb, value, params)
        wire = {verb.params[key]: inner for key, inner in params.items()}
        if verb.main is not None and verb.name not in {"commands", "reload"}:
            wire[verb.main] = value
        for key in ("agent", "owner"):
            if wire.get(key) == NOBODY:
                del wire[key]
        if verb.name == "advance":
            wire["ms"] = milliseconds(value)
        wire.update(_defaults(verb, wire))
        return verb.method, wire

    def _with_messages(self, verb: Verb, value: Any, params: dict[str, Any]) -> dict[str, Any]:
        if verb.name == "fold":
            ids = CallIds()
            return {"key": value, "events": [to_event(one, ids) for one in params["events"]]}
        ids = self.ids(value)
        if verb.name == "append":
            events = params["events"] * params.get("times", 1)
            return {"agent": value, "events": [to_event(one, ids) for one in events]}
        if verb.name == "work":
            return {"agent": value, "events": _work(params, ids)}
        wire: dict[str, Any] = {"agent": value, **params}
        if "messages" in wire:
            wire["messages"] = [to_message(one, ids) for one in wire["messages"]]
        return wire

    def assistant_message(self, _method: str, params: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """
        Return the agent and the event of the assistant message that makes this tool call.
        """
        agent = params["agent"]
        call = {
            "name": params["name"],
            "arguments": json.dumps(params["arguments"], ensure_ascii=False),
        }
        self._under_way[agent] = ident = self.ids(agent).new()
        call = {"id": ident, **call}
        message = {"kind": "assistant", "text": "", "calls": [call]}
        return agent, {"type": "message", "message": message}

    def result_event(self, agent: str, result: dict[str, Any]) -> dict[str, Any] | None:
        """
        Return the event of the result of the agent's call under way, or None while it is pending.
        """
        ident = self._under_way.pop(agent)
        if not result["done"]:
            self._pending[result["call"]] = agent
            self._logged[result["call"]] = agent, ident
            return None
        self.ids(agent).answered(ident)
        message = {"kind": "tool", "text": result["text"], "call": ident}
        return {"type": "message", "message": message}

    def pending(self, call: str, agent: str) -> None:
        """
        Remember whose call is pending.
        """
        self._pending[call] = agent

    def agent_of(self, call: str) -> str:
        """
        Return whose call it is.
        """
        return self._pending.get(call, NOBODY)

    def finished(self, call: str) -> str | None:
        """
        Return the agent in whose log the result of this call is still to be written, once.
        """
        agent, ident = self._logged.pop(call, (None, ""))
        if agent is not None:
            self._under_way[agent] = ident
        return agent


def _defaults(verb: Verb, wire: dict[str, Any]) -> dict[str, Any]:
    if verb.name in {"call", "model-call", "present"} and "arguments" not in wire:
        return {"arguments": {}}
    if verb.name == "start" and "mode" not in wire:
        return {"mode": "stream"}
    if verb.name == "settle" and not {"status", "reject"} & set(wire):
        return {"status": "completed"}
    return {}


def _work(params: dict[str, Any], ids: CallIds) -> list[dict[str, Any]]:
    calls, results = [], []
    for call in params.get("calls", ()):
        ident = ids.new(call.get("id"))
        calls.append({"id": ident, "name": call["name"], "arguments": raw_arguments(call)})
        text = call.get("result", _DEFAULT_RESULT)
        if text is not None:
            ids.answered(ident)
            results.append({"kind": "tool", "text": text, "call": ident})
    message = {"kind": "assistant", "text": params.get("text", "")}
    if calls:
        message["calls"] = calls
    return [{"type": "message", "message": one} for one in (message, *results)]
