"""
The words a scenario's steps begin with, and what each asks of the adapter.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Observed = Literal["plain", "messages", "events", "request"]

ANY_STEP_KEYS = frozenset({"note", "clause", "editions"})
SEEN_KEYS = frozenset({"refused", "unchanged"})
SHOWN_KEYS = frozenset({"shows", "remember", "bind"})
CALL_KEYS = frozenset({"says", "error", "pending", "value", "logs", "bind"})

# `load` begins anew, so nothing can be unchanged; `together` leaves it to the steps inside.
_NOTHING_SEEN = frozenset({"load", "together"})


@dataclass(frozen=True)
class Verb:
    """
    One word of the scenario language.

    Attributes:
        name: The key in the step.
        method: The protocol method, or None when the player does the work itself.
        main: The parameter that the verb's own value is for, or None.
        params: Other keys of the step and the parameters they are for.
        expects: Keys that say what must be seen, beyond those every step may have.
        field: The field of the result that `shows` looks at; None is the whole result.
        observed: What kind of thing that is.
        needs: Capabilities without which it cannot be played.
    """

    name: str
    method: str | None
    main: str | None = None
    params: dict[str, str] = field(default_factory=dict)
    expects: frozenset[str] = frozenset()
    field: str | None = None
    observed: Observed = "plain"
    needs: frozenset[str] = frozenset()

    @property
    def seen(self) -> frozenset[str]:
        """
        Every key that says what must be seen.
        """
        always = SEEN_KEYS if self.method is not None and self.name not in _NOTHING_SEEN else ()
        return self.expects.union(always) - {"bind", "remember"}

    @property
    def keys(self) -> frozenset[str]:
        """
        Every key that a step with this verb may have.
        """
        return frozenset({self.name}) | set(self.params) | self.expects | self.seen | ANY_STEP_KEYS


def _read(name: str, method: str, *, field: str | None = None, **more: object) -> Verb:
    return Verb(name, method, field=field, expects=SHOWN_KEYS, **more)  # type: ignore[arg-type]  # Passed through.


_LOG = frozenset({"log"})
_TASKS = frozenset({"tasks"})
_BY = {"by": "agent"}
_BIND = frozenset({"bind"})

_VERBS = (
    _read("agent", "agent.create", main="agent", params={"session": "session"}, field="session"),
    Verb("dispose", "agent.dispose", "agent"),
    Verb("say", "agent.say", "text", _BY),
    _read("inbox", "agent.inbox", main="agent", field="messages", observed="messages"),
    _read(
        "idle",
        "agent.idle",
        main="agent",
        params={"queued": "queued"},
        field="pushed",
        observed="messages",
    ),
    _read(
        "append",
        "log.append",
        main="agent",
        params={"events": "events", "times": "times"},
        field="seqs",
        needs=_LOG,
    ),
    _read(
        "work",
        "log.append",
        main="agent",
        params={"text": "text", "calls": "calls"},
        field="seqs",
        needs=_LOG,
    ),
    _read("log", "log.read", main="agent", field="events", observed="events", needs=_LOG),
    _read(
        "surface",
        "surface.read",
        main="agent",
        field="messages",
        observed="messages",
        needs=frozenset({"surface"}),
    ),
    _read(
        "request",
        "request.read",
        main="agent",
        observed="request",
        needs=frozenset({"request"}),
    ),
    _read(
        "enter",
        "step.enter",
        main="agent",
        params={"messages": "messages", "aborted": "aborted", "decision": "decision"},
        field="state",
    ),
    _read("poll-step", "step.poll", main="step", field="state"),
    _read("abort-step", "step.abort", main="step", field="state"),
    Verb("stop", "turn.stop", "agent", {"aborted": "aborted"}),
    Verb("call", "tools.call", "name", {"by": "agent", "with": "arguments"}, CALL_KEYS),
    Verb(
        "model-call",
        "tools.call",
        "name",
        {"by": "agent", "with": "arguments"},
        CALL_KEYS,
        needs=_LOG,
    ),
    Verb("poll", "tools.poll", "call", {}, CALL_KEYS),
    Verb("abort", "tools.abort", "call", {}, CALL_KEYS),
    _read("present", "tools.present", main="name", params={"with": "arguments"}),
    _read("tools", "tools.list", main="agent", field="tools"),
    _read("projection", "projection.read", main="key", params={"of": "agent"}, field="value"),
    Verb(
        "fold",
        "projection.fold",
        "key",
        {"events": "events"},
        SHOWN_KEYS | {"same-as-before", "state-version"},
        "states",
    ),
    _read(
        "start",
        "tasks.start",
        main="kind",
        params={
            "label": "label",
            "owner": "owner",
            "mode": "mode",
            "onCancel": "onCancel",
            "onStart": "onStart",
        },
        field="id",
        needs=_TASKS,
    ),
    Verb("emit", "tasks.emit", "id", {"output": "text", "base64": "base64"}, needs=_TASKS),
    Verb(
        "settle",
        "tasks.settle",
        "id",
        {"status": "status", "detail": "detail", "output": "output", "reject": "reject"},
        needs=_TASKS,
    ),
    _read("cancellations", "tasks.cancellations", main="id", field="reasons", needs=_TASKS),
    Verb("command", "commands.run", "line", _BY, frozenset({"says", "error", "bind"})),
    _read("commands", "commands.list", field="commands"),
    Verb("advance", "clock.advance", "ms"),
    _read("panel", "panel.read", main="agent", needs=frozenset({"tree.panel"})),
    Verb("load", "reset", "plugins", {"services": "services"}, frozenset({"load-failed"})),
    Verb("reload", "reload"),
    Verb("unload", "plugin.unload", "plugin"),
    Verb("mount", "service.mount", "service"),
    _read("describe", "plugin.describe", main="plugin"),
    Verb("file", None, "path", {"json": "json"}, SHOWN_KEYS, needs=frozenset({"tree.state"})),
    Verb("files", None, "glob", {}, SHOWN_KEYS, needs=frozenset({"tree.state"})),
    Verb(
        "write-file",
        None,
        "path",
        {"text": "text", "base64": "base64"},
        needs=frozenset({"tree.state"}),
    ),
    Verb("together", "together", "steps"),
    Verb("any-of", None, "alternatives"),
    Verb("repeat", None, "times", {"steps": "steps"}),
)

VERBS = {verb.name: verb for verb in _VERBS}

LOOKS = (
    *("inbox", "log", "surface", "request", "poll-step", "poll", "tools", "projection"),
    *("cancellations", "commands", "panel", "describe", "file", "files"),
)
"""Verbs that change nothing."""

SEPARATE = frozenset(
    {"model-call", "log", "load", "reload", "together", "any-of", "repeat"}
    | {"file", "files", "write-file"}
)
"""Verbs that cannot stand inside `together`: they are more than one call, or none."""

NOBODY = "nobody"
"""The caller that is not an agent."""

BY_NOBODY = frozenset({"call", "command", "tools", "start"})
"""Verbs that a caller which is not an agent can stand at."""
