"""
Adapters that do nothing worth the name: a case that they pass claims nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from dsh_conformance.adapter.protocol import CAPABILITIES, METHODS, PROTOCOL_VERSION
from dsh_reference.adapter import Adapter
from dsh_reference.errors import LoadFailed, Rejected

Answer = Any

# The least that each method may answer.
NOTHING: dict[str, Answer] = {
    "agent.create": {"session": ""},
    "agent.inbox": {"messages": []},
    "agent.idle": {"pushed": []},
    "log.append": {"seqs": []},
    "log.read": {"events": []},
    "surface.read": {"messages": []},
    "request.read": {"system": [], "tools": [], "messages": []},
    "step.enter": {"step": "step", "state": "entered"},
    "step.poll": {"state": "entered"},
    "step.abort": {"state": "entered"},
    "tools.list": {"tools": []},
    "tools.call": {"done": True, "isError": False, "text": ""},
    "tools.poll": {"done": True, "isError": False, "text": ""},
    "tools.abort": {"done": True, "isError": False, "text": ""},
    "tools.present": None,
    "projection.read": {"present": False},
    "projection.fold": {"states": [], "sameAsBefore": [], "stateVersion": 0},
    "tasks.start": {"id": "task"},
    "tasks.cancellations": {"reasons": []},
    "commands.list": {"commands": []},
    "commands.run": {"kind": "success", "text": ""},
    "clock.advance": {"now": 0},
    "panel.read": None,
    "plugin.describe": {
        "name": "",
        "inject": [],
        "exports": [],
        "hasDefault": False,
        "defaults": {},
    },
}


class _Answering:
    """
    An adapter whose methods all go through `answer`.
    """

    def __getattr__(self, name: str) -> Callable[..., Answer]:
        """
        Return a method of the protocol.
        """
        method = next((each for each in METHODS if each.replace(".", "_") == name), None)
        if method is None:
            raise AttributeError(name)
        return lambda **params: self.answer(method, params)

    def initialize(self, **given: Any) -> Answer:
        """
        Promise everything.
        """
        return {
            "protocolVersion": PROTOCOL_VERSION,
            "implementation": {"name": "vacuous", "version": "0", "language": "python"},
            "editions": [given["edition"]],
            "capabilities": list(CAPABILITIES),
            "clock": "virtual",
        }

    def together(self, *, calls: list[dict[str, Any]]) -> Answer:
        """
        Answer one by one.
        """
        return {"results": [self._one(call["method"], call["params"]) for call in calls]}

    def _one(self, method: str, params: dict[str, Any]) -> Answer:
        try:
            return {"result": self.answer(method, params)}
        except (Rejected, LoadFailed) as error:
            return {"error": {"code": error.code, "message": str(error)}}

    def answer(self, method: str, params: dict[str, Any]) -> Answer:
        """
        Answer a method.
        """
        raise NotImplementedError(method, params)


class Null(_Answering):
    """
    Answers everything with as little as possible.
    """

    def answer(self, method: str, params: dict[str, Any]) -> Answer:  # noqa: ARG002  # Not a look.  # Not a look.
        """
        Answer nothing.
        """
        return NOTHING.get(method, {})


class Echo(_Answering):
    """
    Gives back what it was given, where a text or a message is wanted.
    """

    def __init__(self) -> None:
        self._said: list[Any] = []

    def answer(self, method: str, params: dict[str, Any]) -> Answer:
        """
        Repeat the question.
        """
        if method == "reset":
            self._said.clear()
        self._said += params.get("events", ())
        messages = [event["message"] for event in self._said if event["type"] == "message"]
        seen = [{**message, "seq": seq} for seq, message in enumerate(messages)]
        heard = [{**event, "seq": seq} for seq, event in enumerate(self._said)]
        since = params.get("after", -1) + 1
        text = json.dumps(params.get("arguments", params.get("line")), ensure_ascii=False)
        return {
            "reset": {},
            "log.append": {"seqs": list(range(len(params.get("events", ()))))},
            "log.read": {"events": heard[since:]},
            "surface.read": {"messages": seen},
            "request.read": {"system": [], "tools": [], "messages": messages},
            "agent.create": {"session": params.get("session", params.get("agent", ""))},
            "tools.call": {"done": True, "isError": False, "text": text, "value": params},
            "commands.run": {"kind": "success", "text": text},
            "projection.read": {"present": True, "value": params, "stateVersion": 1},
            "projection.fold": {
                "states": params.get("events", []),
                "sameAsBefore": [False for _ in params.get("events", [])],
                "stateVersion": 1,
            },
            "clock.advance": {"now": params.get("ms", 0)},
            "tasks.start": {"id": params.get("kind", "")},
        }.get(method, NOTHING.get(method, {}))


class AlwaysError(_Answering):
    """
    Refuses whatever can be refused.
    """

    def answer(self, method: str, params: dict[str, Any]) -> Answer:  # noqa: ARG002  # Not a look.  # Not a look.
        """
        Refuse.
        """
        if method in {"tools.call", "tools.poll", "tools.abort"}:
            return {"done": True, "isError": True, "text": "Error: no"}
        if method == "commands.run":
            return {"kind": "error", "text": "no"}
        if method in {"tasks.start", "log.append"}:
            raise Rejected("no")
        return NOTHING.get(method, {})


class AlwaysSuccess(_Answering):
    """
    Claims that all went well.
    """

    def answer(self, method: str, params: dict[str, Any]) -> Answer:
        """
        Agree.
        """
        if method in {"tools.call", "tools.poll", "tools.abort"}:
            return {"done": True, "isError": False, "text": "ok", "value": {"ok": True}}
        if method == "commands.run":
            return {"kind": "success", "text": "ok"}
        if method == "log.append":
            return {"seqs": list(range(len(params["events"])))}
        return NOTHING.get(method, {})


class AlwaysStale(_Answering):
    """
    Answers rightly, but with what was right at the question before.
    """

    def __init__(self) -> None:
        self._sound = Adapter()
        self._last: dict[str, Answer] = {}

    def initialize(self, **given: Any) -> Answer:
        """
        Shake hands as the reference does.
        """
        return self._sound.initialize(**given)

    def answer(self, method: str, params: dict[str, Any]) -> Answer:
        """
        Answer one question late; the first of its kind at once.
        """
        if method == "reset":
            self._last.clear()
        now = self._sound.call(method, params)
        before, self._last[method] = self._last.get(method, now), now
        return before


ADAPTERS = (Null, Echo, AlwaysError, AlwaysSuccess, AlwaysStale)
