"""
What the adapter's methods work on: the composition as it stands, and what was begun on it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Generic, TypeVar

from dsh_reference import catalog
from dsh_reference.errors import InvalidParams, Rejected, Unsupported
from dsh_reference.host.agents import Agent
from dsh_reference.host.clock import Clock
from dsh_reference.host.composition import Composition
from dsh_reference.host.steps import Step
from dsh_reference.host.tools import Call

T = TypeVar("T")
Json = dict[str, Any]

PROTOCOL_VERSION = 1


class Handles(Generic[T]):
    """
    Names for what may still be going on: `call-1`, `call-2`, ….
    """

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._items: dict[str, T] = {}

    def add(self, item: T) -> str:
        """
        Return a new name for an item.
        """
        handle = f"{self._kind}-{len(self._items) + 1}"
        self._items[handle] = item
        return handle

    def get(self, handle: str) -> T:
        """
        Return the item of a name.

        Raises:
            Rejected: The name was never given out.
        """
        if handle not in self._items:
            raise Rejected(f'no {self._kind} "{handle}" was begun since the last reset')
        return self._items[handle]


class Stage:
    """
    The composition of the moment, with the calls and steps that were begun on it.
    """

    def __init__(self) -> None:
        self.edition = catalog.EDITIONS[0]
        self.show(Composition(Clock(), self.edition))

    def show(self, composition: Composition) -> None:
        """
        Put a composition on; what was begun on the one before is forgotten.
        """
        self.composition = composition
        self.calls: Handles[Call] = Handles("call")
        self.steps: Handles[Step] = Handles("step")
        self.kept: Json = {}
        self.gone: dict[str, Agent] = {}

    def agent(self, agent_id: str) -> Agent:
        """
        Return a live agent.

        Raises:
            Rejected: There is none of this id.
        """
        agent = self.composition.agents.get(agent_id)
        if agent is None:
            raise Rejected(f'agent "{agent_id}" is not registered')
        return agent

    def owner(self, agent_id: str | None) -> Agent | None:
        """
        Return the agent last known by a name, live or disposed: the registry judges what that is.

        Raises:
            Rejected: There never was one.
        """
        if agent_id is None:
            return None
        live = self.composition.agents.get(agent_id)
        return live or self.gone.get(agent_id) or self.agent(agent_id)

    def caller(self, agent_id: str | None) -> Agent | None:
        """
        Return a live agent, or None for a caller that is none.
        """
        return None if agent_id is None else self.agent(agent_id)


class LifeCycle:
    """
    The methods of the protocol that begin, end and describe things.
    """

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    def initialize(self, *, protocolVersion: int, edition: str, suite: Json) -> Json:  # noqa: ARG002  # The wire's.
        """
        Shake hands, and take on an edition.
        """
        if protocolVersion != PROTOCOL_VERSION:
            raise InvalidParams(f"protocolVersion {protocolVersion} is not {PROTOCOL_VERSION}")
        if edition not in catalog.EDITIONS:
            raise Unsupported(f"edition {edition!r} is none of {list(catalog.EDITIONS)}")
        self._stage.edition = edition
        return {
            "protocolVersion": PROTOCOL_VERSION,
            "implementation": {
                "name": "dsh-reference",
                "version": "0.1.0",
                "language": "python",
            },
            "editions": list(catalog.EDITIONS),
            "capabilities": catalog.capabilities(edition),
            "clock": "virtual",
        }

    def reset(
        self, *, plugins: list[Json], services: list[str] | None = None, stateDir: str | None = None
    ) -> Json:
        """
        Start over, with these plugins and services.
        """
        stage = self._stage
        stage.show(
            Composition(
                Clock(),
                stage.edition,
                state_dir=None if stateDir is None else Path(stateDir),
                services=services or (),
                factories=catalog.SERVICES,
            )
        )
        for choice in plugins:
            plugin = catalog.plugin(choice["name"], stage.edition)
            stage.composition.load(plugin, choice.get("config"))
        return {}

    def reload(self) -> Json:
        """
        Restart.
        """
        self._stage.show(self._stage.composition.reload())
        return {}

    def plugin_unload(self, *, plugin: str) -> Json:
        """
        Unload a plugin; what its cleanups wait for, they wait for behind the answer.
        """
        stage = self._stage
        stage.composition.unload(catalog.plugin(plugin, stage.edition).name)
        return {}

    def plugin_describe(self, *, plugin: str) -> Json:
        """
        Say what a plugin's module shows of itself.
        """
        return catalog.describe(plugin, self._stage.edition)

    def service_mount(self, *, service: str) -> Json:
        """
        Bring a service up late.
        """
        self._stage.composition.mount(service)
        return {}

    def clock_advance(self, *, ms: float) -> Json:
        """
        Move the clock.
        """
        return {"now": self._stage.composition.clock.advance(ms)}

    def shutdown(self) -> Json:
        """
        Have nothing more to do.
        """
        return {}
