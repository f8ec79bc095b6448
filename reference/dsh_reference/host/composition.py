"""
A composition: the host's services, and the plugins that run on them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from dsh_reference.errors import LoadFailed, Rejected
from dsh_reference.host.agents import Agent, AgentRegistry
from dsh_reference.host.clock import Clock
from dsh_reference.host.commands import Commands
from dsh_reference.host.deferred import Deferred
from dsh_reference.host.listeners import Disposer
from dsh_reference.host.log import Session
from dsh_reference.host.projections import ProjectionRegistry
from dsh_reference.host.prompt import PromptSections
from dsh_reference.host.scope import Cleanup, Scope
from dsh_reference.host.services import Attach, Services
from dsh_reference.host.steps import Steps
from dsh_reference.host.tools import ToolRegistry

Config = Mapping[str, Any]
Factory = Callable[["Composition"], object]


class Plugin(Protocol):
    """
    A module, or an object like one.

    `inject` names the services that it cannot do without; `defaults` is what its configuration
    holds where nothing is given; `apply` registers all it has, and raises `LoadFailed` to refuse.
    """

    @property
    def name(self) -> str:
        """
        Its own name, under which it is unloaded.
        """

    @property
    def inject(self) -> Sequence[str]:
        """
        The services that must be there.
        """

    @property
    def defaults(self) -> Config:
        """
        The configuration where nothing is given.
        """

    @property
    def apply(self) -> Callable[[PluginContext, Config], None]:
        """
        What loads it.
        """


@dataclass(frozen=True, kw_only=True)
class PluginForm:
    """
    A plugin whose face differs from edition to edition; `exports` are its module's names.
    """

    name: str
    inject: Sequence[str]
    apply: Callable[[PluginContext, Config], None]
    exports: Sequence[str]
    defaults: Config = field(default_factory=dict)


def _projections(_: Composition) -> ProjectionRegistry:
    return ProjectionRegistry()


def _commands(_: Composition) -> Commands:
    return Commands()


# What a harness may do without; plugins attach to these when they come.
_OPTIONAL: Mapping[str, Factory] = {"projections": _projections, "commands": _commands}


class Composition:
    """
    Everything of one harness process.

    Args:
        clock: Its time.
        edition: The edition of the contract that it serves.
        state_dir: A folder that outlives it, for plugins that keep files.
        services: The optional services to mount from the start.
        factories: What builds further services, by name.
        sessions: Logs that were kept.
    """

    def __init__(
        self,
        clock: Clock,
        edition: str,
        *,
        state_dir: Path | None = None,
        services: Iterable[str] = (),
        factories: Mapping[str, Factory] | None = None,
        sessions: Iterable[Session] = (),
    ) -> None:
        self.clock = clock
        self.edition = edition
        self.state_dir = state_dir
        self.tools = ToolRegistry()
        self.prompt = PromptSections()
        self.agents = AgentRegistry()
        self.steps = Steps()
        self.sessions = {session.id: session for session in sessions}
        self.services = Services()
        self._factories = {**_OPTIONAL, **(factories or {})}
        self._loaded: dict[str, tuple[Plugin, Config, Scope]] = {}
        self._provide_own()
        for name in services:
            self.mount(name)

    @property
    def projections(self) -> ProjectionRegistry | None:
        """
        The projection registry, if it is mounted.
        """
        found: ProjectionRegistry | None = self.services.get("projections")
        return found

    @property
    def commands(self) -> Commands | None:
        """
        The commands, if they are mounted.
        """
        found: Commands | None = self.services.get("commands")
        return found

    @property
    def plugins(self) -> dict[str, Plugin]:
        """
        The loaded plugins by their own names.
        """
        return {name: plugin for name, (plugin, _, _) in self._loaded.items()}

    def session(self, session_id: str) -> Session:
        """
        Return the session of an id, a new one where there is none.
        """
        return self.sessions.setdefault(session_id, Session(session_id))

    def create_agent(self, agent_id: str, *, session: str | None = None) -> Agent:
        """
        Register an agent on a session, by default the one of its own id.
        """
        return self.agents.create(agent_id, self.session(session or agent_id))

    def mount(self, name: str) -> None:
        """
        Bring an optional service up, now or late.

        Raises:
            Rejected: It is there already, or nobody knows how to build it.
        """
        if name not in self._factories:
            raise Rejected(f'no service "{name}" is known; there are {sorted(self._factories)}')
        if self.services.get(name) is None:
            self.services.provide(name, self._factories[name](self))

    def load(self, plugin: Plugin, config: Config | None = None) -> None:
        """
        Load a plugin, with the services it injects brought along.

        Raises:
            LoadFailed: It refuses its configuration; nothing of it stays.
        """
        if plugin.name in self._loaded:
            raise LoadFailed(f'plugin "{plugin.name}" is already loaded')
        for service in plugin.inject:
            if self.services.get(service) is None:
                self.mount(service)
        scope, given = Scope(), dict(config or {})
        try:
            plugin.apply(PluginContext(self, scope), given)
        except Exception:
            scope.dispose()
            raise
        self._loaded[plugin.name] = (plugin, given, scope)

    def unload(self, name: str) -> Deferred[None]:
        """
        Dispose of all that a plugin registered; settles when its cleanups have.

        Raises:
            Rejected: No plugin of this name is loaded.
        """
        if name not in self._loaded:
            raise Rejected(f'plugin "{name}" is not loaded')
        _, _, scope = self._loaded.pop(name)
        return scope.dispose()

    def reload(self) -> Composition:
        """
        Return what a restart of the process leaves: the logs and the state folder, all else new.
        """
        clock = Clock()
        clock.now = self.clock.now
        fresh = Composition(
            clock,
            self.edition,
            state_dir=self.state_dir,
            services=[name for name in self.services.names() if name in self._factories],
            factories=self._factories,
            sessions=[Session(old.id, old.events) for old in self.sessions.values()],
        )
        for plugin, config, _ in self._loaded.values():
            fresh.load(plugin, config)
        return fresh

    def _provide_own(self) -> None:
        own = {"tools": self.tools, "systemPrompt": self.prompt, "agents": self.agents}
        for name, service in own.items():
            self.services.provide(name, service)


class PluginContext:
    """
    What a plugin is given: the host, and a scope that what it registers there must hang on.
    """

    def __init__(self, composition: Composition, scope: Scope) -> None:
        self.composition = composition
        self.scope = scope
        self.clock = composition.clock
        self.edition = composition.edition
        self.state_dir = composition.state_dir
        self.tools = composition.tools
        self.prompt = composition.prompt
        self.agents = composition.agents
        self.steps = composition.steps

    def on_dispose(self, cleanup: Cleanup) -> Disposer:
        """
        Undo something when the plugin goes; every disposer that a registration returns fits here.
        """
        return self.scope.on_dispose(cleanup)

    def service(self, name: str) -> Any:
        """
        Return a service, or None.
        """
        return self.composition.services.get(name)

    def provide(self, name: str, service: Any) -> None:
        """
        Be a service for others, as long as the plugin is loaded.
        """
        self.on_dispose(self.composition.services.provide(name, service))

    def on_service(self, name: str, attach: Attach) -> None:
        """
        Attach to a service, now or when it comes; what `attach` returns undoes it.
        """
        self.on_dispose(self.composition.services.on(name, attach))
