"""
The protocol as a Python interface, for adapters that run in this process.

Every method of the protocol is a method here: dots become underscores, parameters keep the wire's
names, results are the JSON of `spec/schemas/protocol/<method>.result.json`. An adapter need not
have the methods of capabilities that it does not declare. It may raise an exception with an
integer `code`: 1 (`unsupported`), 2 (`load_failed`) or 3 (`rejected`), whose text is the
implementation's own.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, Protocol, TypedDict

Json = Any
PluginName = Literal["todo", "tasks", "tree"]
ServiceName = Literal["projections", "commands", "tasks"]
StepState = Literal["entered", "rejected", "held"]
Empty = dict[str, Any]


class Suite(TypedDict):
    """
    Who is asking.
    """

    name: str
    version: str


class Implementation(TypedDict):
    """
    What is being checked.
    """

    name: str
    version: str
    language: str
    homepage: NotRequired[str]


class Initialized(TypedDict):
    """
    The adapter's side of the handshake.
    """

    protocolVersion: Literal[1]
    implementation: Implementation
    editions: list[str]
    capabilities: list[str]
    clock: Literal["virtual", "real"]


class PluginChoice(TypedDict):
    """
    A plugin to load; without `config` it gets its own defaults.
    """

    name: PluginName
    config: NotRequired[dict[str, Json]]


class ToolCall(TypedDict):
    """
    A call in an assistant message; `arguments` is the raw JSON text.
    """

    id: str
    name: str
    arguments: str


class Source(TypedDict):
    """
    Where a user message comes from.
    """

    kind: Literal["user", "plugin"]
    plugin: NotRequired[str]
    form: NotRequired[str]
    summary: NotRequired[str]


class Message(TypedDict):
    """
    A message in the neutral form.
    """

    kind: Literal["system", "user", "assistant", "tool"]
    text: str
    source: NotRequired[Source]
    calls: NotRequired[list[ToolCall]]
    call: NotRequired[str]
    seq: NotRequired[int]


Event = dict[str, Json]
"""One of the events of `shapes.json`."""


class ToolResult(TypedDict):
    """
    A finished call (`done`, `isError`, `text`, `value`), or a pending one (`done`, `call`).
    """

    done: bool
    isError: NotRequired[bool]
    text: NotRequired[str]
    value: NotRequired[Json]
    call: NotRequired[str]


class Call(TypedDict):
    """
    One call of `together`.
    """

    method: str
    params: dict[str, Json]


class Adapter(Protocol):
    """
    An implementation as the suite drives it.
    """

    def initialize(self, *, protocolVersion: int, edition: str, suite: Suite) -> Initialized:
        """
        Shake hands.
        """

    def reset(
        self,
        *,
        plugins: list[PluginChoice],
        services: list[ServiceName] | None = None,
        stateDir: str | None = None,
    ) -> Empty:
        """
        Start over on a fresh composition.
        """

    def reload(self) -> Empty:
        """
        Build the composition again as after a restart of the process.
        """

    def plugin_unload(self, *, plugin: PluginName) -> Empty:
        """
        Unload a plugin.
        """

    def service_mount(self, *, service: ServiceName) -> Empty:
        """
        Bring a service up late.
        """

    def together(self, *, calls: list[Call]) -> dict[str, Json]:
        """
        Run calls in one instant.
        """

    def plugin_describe(self, *, plugin: PluginName) -> dict[str, Json]:
        """
        Say what the plugin's module exports.
        """

    def shutdown(self) -> Empty:
        """
        Get ready to be dropped.
        """

    def agent_create(self, *, agent: str, session: str | None = None) -> dict[str, str]:
        """
        Create an agent.
        """

    def agent_dispose(self, *, agent: str) -> Empty:
        """
        Dispose an agent.
        """

    def agent_say(self, *, agent: str, text: str) -> Empty:
        """
        Queue what a person says.
        """

    def agent_inbox(self, *, agent: str) -> dict[str, list[Message]]:
        """
        Return the queued messages.
        """

    def agent_idle(self, *, agent: str, queued: int = 0) -> dict[str, list[Message]]:
        """
        Report the agent idle and return what was pushed.
        """

    def log_append(self, *, agent: str, events: list[Event]) -> dict[str, list[int]]:
        """
        Append to the agent's log.
        """

    def log_read(self, *, agent: str, after: int = -1) -> dict[str, list[Event]]:
        """
        Return the events after a number.
        """

    def surface_read(self, *, agent: str) -> dict[str, list[Message]]:
        """
        Return what the model would be sent.
        """

    def request_read(self, *, agent: str) -> dict[str, Json]:
        """
        Return the next model request.
        """

    def step_enter(
        self,
        *,
        agent: str,
        messages: list[Message] | None = None,
        aborted: bool = False,
        decision: Literal["enter", "reject"] = "enter",
    ) -> dict[str, Json]:
        """
        Ask whether a step may go on.
        """

    def step_poll(self, *, step: str) -> dict[str, StepState]:
        """
        Return a step's state.
        """

    def step_abort(self, *, step: str) -> dict[str, StepState]:
        """
        Abort a step.
        """

    def turn_stop(self, *, agent: str, aborted: bool) -> Empty:
        """
        End the turn.
        """

    def tools_list(self, *, agent: str | None = None) -> dict[str, Json]:
        """
        Return the tools in scope.
        """

    def tools_call(self, *, name: str, arguments: Json, agent: str | None = None) -> ToolResult:
        """
        Call a tool.
        """

    def tools_poll(self, *, call: str) -> ToolResult:
        """
        Return a call's result, or that it is pending.
        """

    def tools_abort(self, *, call: str) -> ToolResult:
        """
        Abort a call.
        """

    def tools_present(self, *, name: str, arguments: Json) -> dict[str, Json] | None:
        """
        Return a call's card, or None when there is none.
        """

    def projection_read(self, *, agent: str, key: str) -> dict[str, Json]:
        """
        Return a projection's value.
        """

    def projection_fold(self, *, key: str, events: list[Event]) -> dict[str, Json]:
        """
        Fold a projection over events, from its initial state.
        """

    def tasks_start(
        self,
        *,
        kind: str,
        label: str,
        mode: Literal["stream", "final"],
        owner: str | None = None,
        onCancel: Literal["ignore", "settle", "throw"] = "ignore",
        onStart: Literal["ok", "throw"] = "ok",
    ) -> dict[str, str]:
        """
        Start background work.
        """

    def tasks_emit(self, *, id: str, text: str = "", base64: str = "") -> Empty:
        """
        Let the producer write.
        """

    def tasks_settle(
        self,
        *,
        id: str,
        status: Literal["completed", "killed", "failed"] = "completed",
        detail: str | None = None,
        output: str | None = None,
        reject: str | None = None,
    ) -> Empty:
        """
        Let the producer end.
        """

    def tasks_cancellations(self, *, id: str) -> dict[str, list[str | None]]:
        """
        Return the reasons the producer was given.
        """

    def commands_list(self) -> dict[str, Json]:
        """
        Return the commands.
        """

    def commands_run(self, *, line: str, agent: str | None = None) -> dict[str, str]:
        """
        Run a command.
        """

    def clock_advance(self, *, ms: float) -> dict[str, float]:
        """
        Move the clock.
        """

    def panel_read(self, *, agent: str) -> dict[str, Json] | None:
        """
        Return the strip as data.
        """
