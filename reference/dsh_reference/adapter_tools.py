"""
The methods of the protocol about what plugins offer: tools, projections, commands, the panel.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dsh_reference.adapter_stage import Json, Stage
from dsh_reference.errors import Rejected
from dsh_reference.host.commands import Commands
from dsh_reference.host.tools import Call

Look = Callable[[], Json]


class Offers:
    """
    `tools.*`, `projection.*`, `commands.*` and `panel.read`.
    """

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    def tools_list(self, *, agent: str | None = None) -> Json:
        """
        Return the tools; all agents have all of them.
        """
        self._stage.caller(agent)
        return {"tools": self._stage.composition.tools.list()}

    def tools_call(self, *, name: str, arguments: Any, agent: str | None = None) -> Look:
        """
        Call a tool.
        """
        caller = self._stage.caller(agent)
        call = self._stage.composition.tools.call(name, arguments, agent=caller)
        handle = self._stage.calls.add(call)
        return lambda: _result(call, handle)

    def tools_poll(self, *, call: str) -> Look:
        """
        Return how a call stands.
        """
        found = self._stage.calls.get(call)
        return lambda: _result(found, call)

    def tools_abort(self, *, call: str) -> Look:
        """
        Raise a call's signal.
        """
        found = self._stage.calls.get(call)
        found.signal.abort()
        return lambda: _result(found, call)

    def tools_present(self, *, name: str, arguments: Any) -> Json | None:
        """
        Return a call's card, or None.
        """
        return self._stage.composition.tools.present(name, arguments)

    def projection_read(self, *, agent: str, key: str) -> Json:
        """
        Return a projection's value for an agent's session.
        """
        session, registry = self._stage.agent(agent).session, self._stage.composition.projections
        unit = None if registry is None else registry.unit(key)
        if registry is None or unit is None:
            return {"present": False}
        value = registry.value(session, key)
        return {"present": True, "value": value, "stateVersion": unit.state_version}

    def projection_fold(self, *, key: str, events: list[Json]) -> Json:
        """
        Fold a projection over events from its beginning.
        """
        registry = self._stage.composition.projections
        unit = None if registry is None else registry.unit(key)
        if registry is None or unit is None:
            raise Rejected(f'session projection key "{key}" is not registered')
        states, same = registry.fold(key, events)
        return {"states": states, "sameAsBefore": same, "stateVersion": unit.state_version}

    def commands_list(self) -> Json:
        """
        Return the commands.
        """
        return {"commands": [{"name": name} for name in self._commands().names()]}

    def commands_run(self, *, line: str, agent: str | None = None) -> Json:
        """
        Run a line.
        """
        result = self._commands().run(line, agent=self._stage.caller(agent))
        return {"kind": result.kind, "text": result.text}

    def panel_read(self, *, agent: str) -> Json | None:
        """
        Return the strip above an agent's input, or None when there is none.
        """
        found, panel = self._stage.agent(agent), self._stage.composition.services.get("tree.panel")
        strip: Json | None = None if panel is None else panel.read(found)
        return strip

    def _commands(self) -> Commands:
        return self._stage.composition.commands or Commands()


def _result(call: Call, handle: str) -> Json:
    result = call.result
    if result is None:
        return {"done": False, "call": handle}
    answer = {"done": True, "isError": result.is_error, "text": result.text}
    return answer if result.value is None else {**answer, "value": result.value}
