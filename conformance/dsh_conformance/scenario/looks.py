"""
What a case looks at before, at and after a step.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dsh_conformance.adapter.protocol import Reply
from dsh_conformance.scenario.judge import without_others
from dsh_conformance.scenario.model import Step
from dsh_conformance.scenario.patterns import ABSENT, Path
from dsh_conformance.scenario.verbs import NOBODY
from dsh_conformance.scenario.wire import Wire

_BEFORE_ALL = -1


@dataclass(frozen=True)
class Before:
    """
    What was seen before a step.

    Attributes:
        caller: Whose log is watched, or None.
        snapshots: Agents that must be unchanged, as they were.
    """

    caller: str | None = None
    snapshots: dict[str, dict[str, Any]] = field(default_factory=dict)


class Looks:
    """
    Reads logs and states, and knows how far each log was read.

    Args:
        wire: The calls of the case.
    """

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self._sessions: dict[str, str] = {}
        self._read: dict[str, int] = {}
        self._watched: dict[str, int] = {}

    def forget(self) -> None:
        """
        Start anew, as on a fresh composition.
        """
        self._sessions, self._read, self._watched = {}, {}, {}

    def met(self, agent: str, session: str) -> None:
        """
        Note an agent's session; with another one it has another log.
        """
        if self._sessions.setdefault(agent, session) != session:
            self._sessions[agent] = session
            self._read.pop(agent, None)
            self._watched.pop(agent, None)

    def before(self, step: Step, caller: str) -> Before:
        """
        Look at what the step may or may not change.
        """
        watched = "logs" in step.expects
        if watched:
            self.gained(caller)
        agents = step.expects.get("unchanged", ())
        return Before(caller if watched else None, {one: self._snapshot(one) for one in agents})

    def gained(self, agent: str) -> list[dict[str, Any]]:
        """
        Return the events that a watched log gained since it was watched last.
        """
        if agent == NOBODY:
            return []
        reply = self.wire.call("log.read", self._after(agent, self._watched))
        self.wire.must_work(reply, "log.read")
        events: list[dict[str, Any]] = reply.result["events"]
        if events:
            self._watched[agent] = events[-1]["seq"]
        return events

    def changes(self, before: Before) -> list[tuple[Path, Any, Any]]:
        """
        Return what differs from before: path, before, now.
        """
        changes: list[tuple[Path, Any, Any]] = []
        for agent, earlier in before.snapshots.items():
            now = self._snapshot(agent)
            changes += [
                ((agent, part), old, now[part]) for part, old in earlier.items() if old != now[part]
            ]
        return changes

    def log_params(self, agent: str) -> dict[str, Any]:
        """
        Return the parameters that read a log from where the last look ended.
        """
        return self._after(agent, self._read)

    def main(self, step: Step, agent: str, reply: Reply) -> Any:
        """
        Return the main observation of a step.
        """
        if not reply.ok:
            return ABSENT
        result = reply.result
        if step.verb.name == "projection":
            return result.get("value") if result["present"] else ABSENT
        if step.verb.name == "log":
            if result["events"]:
                self._read[agent] = result["events"][-1]["seq"]
            return without_others(result["events"], step.expects.get("shows"))
        if step.verb.name == "present" and result is None:
            return ABSENT
        return result if step.verb.field is None else result[step.verb.field]

    def _snapshot(self, agent: str) -> dict[str, Any]:
        who = {"agent": agent}
        asked = {
            "log": ("log.read", who),
            "surface": ("surface.read", who),
            "inbox": ("agent.inbox", who),
            "request": ("request.read", who),
            "todos": ("projection.read", {**who, "key": "todos"}),
        }
        replies = self.wire.call_many(list(asked.values()))
        return dict(zip(asked, (r.result if r.ok else r.code for r in replies), strict=True))

    @staticmethod
    def _after(agent: str, until: dict[str, int]) -> dict[str, Any]:
        return {"agent": agent, "after": until.get(agent, _BEFORE_ALL)}
