"""
One implementation being driven through a program.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any

from dsh_conformance.adapter.connection import Connection
from dsh_conformance.adapter.protocol import METHOD_NOT_FOUND, OBSERVATIONS, UNSUPPORTED, Reply
from dsh_conformance.contract.editions import Edition
from dsh_conformance.errors import AdapterFailure
from dsh_conformance.generate.observe import Ids, plain_events, plain_state
from dsh_conformance.generate.program import Program, RawStep, actors, uses, verb_of
from dsh_conformance.generate.record import CALLS, Record, at_path, facts_of
from dsh_conformance.scenario.bounded import MatchingTooLong
from dsh_conformance.scenario.calls import Calls
from dsh_conformance.scenario.names import filled
from dsh_conformance.scenario.patterns import Matching
from dsh_conformance.scenario.results import Exchange
from dsh_conformance.scenario.verbs import NOBODY, Verb
from dsh_conformance.scenario.workspace import Workspace


class Unsupported(Exception):  # Not a mistake: the example ends there.
    """
    The implementation says that it cannot do this.
    """


@dataclass
class Side:
    """
    Plays programs on one connection.

    Attributes:
        connection: The adapter.
        edition: Puts steps into its words.
        history: What was seen of the program under way.
        transcript: Every call of it.
    """

    connection: Connection
    edition: Edition
    history: list[Record] = field(default_factory=list)
    transcript: list[Exchange] = field(default_factory=list)
    calls_made: int = 0

    def __post_init__(self) -> None:
        self._workspace: Workspace | None = None
        self._begin()

    def _begin(self) -> None:
        self.names: dict[str, Any] = {}
        self.ids = Ids()
        self.history, self.transcript = [], []
        self._calls = Calls()
        self._seen_until: dict[str, int] = {}
        self._agents: set[str] = set()
        self._restarted = False
        self._where = "0"

    def begin(self, program: Program) -> Reply:
        """
        Start over with what the program loads.
        """
        self._begin()
        self.connection.begin_case()
        params: dict[str, Any] = {"plugins": [self._plugin(one) for one in program.plugins]}
        if program.services:
            params["services"] = list(program.services)
        if any(one["name"] == "tree" for one in params["plugins"]):
            params["stateDir"] = str(self._fresh_workspace().state)
        return self._call("reset", params)

    def close(self) -> None:
        """
        Remove what was written for the implementation.
        """
        if self._workspace is not None:
            self._workspace.close()

    def _plugin(self, choice: Any) -> dict[str, Any]:
        if isinstance(choice, dict):
            ((name, config),) = choice.items()
            return {"name": name, "config": config}
        config = self.edition.config.get(choice)
        return {"name": choice} if config is None else {"name": choice, "config": config}

    def _fresh_workspace(self) -> Workspace:
        self.close()
        self._workspace = Workspace()
        return self._workspace

    def ready(self, step: RawStep) -> bool:
        """
        Whether every name that a step uses is bound.
        """
        return all(name in self.names for name in uses(step))

    def play(self, index: int, step: RawStep) -> Record:
        """
        Play one step, keep what was seen, and return it.

        Raises:
            Unsupported: The implementation cannot do this.
            AdapterFailure: It crashed, hung, or answered with an error that nobody foresaw.
        """
        self._where = str(index + 1)
        verb = verb_of(step)
        if verb.name == "agent":
            self._agents.add(step["agent"])
        elif verb.name == "dispose":
            self._agents.discard(step["dispose"])
        special = getattr(self, f"_do_{verb.name.replace('-', '_')}", self._do)
        record: Record = special(index, step, verb)
        self.history.append(record)
        return record

    # One call, or a few

    def _call(self, method: str, params: dict[str, Any]) -> Reply:
        self.calls_made += 1
        try:
            reply = self.connection.call(method, params)
        except AdapterFailure as failure:
            self.transcript.append(Exchange(self._where, method, params, {"error": failure.what}))
            raise
        shown = reply.result if reply.ok else {"error": {"code": reply.code, "text": reply.message}}
        self.transcript.append(Exchange(self._where, method, params, shown))
        self._check(method, reply)
        return reply

    def _check(self, method: str, reply: Reply) -> None:
        # A host may tie an agent's name or session to work of it that is still winding down.
        if reply.code == UNSUPPORTED or (method == "agent.create" and not reply.ok):
            raise Unsupported(reply.message)
        # An adapter of todo alone need not have an inbox to look into.
        if reply.code == METHOD_NOT_FOUND and method == "agent.inbox":
            return
        if not reply.ok and reply.code not in OBSERVATIONS:
            raise AdapterFailure(
                f"error {reply.code}: {reply.message}",
                method,
                kind="error",
                hint="answer with a result, or with one of the codes that the protocol names",
            )

    def _translated(self, step: RawStep, verb: Verb) -> tuple[str, dict[str, Any]]:
        params = {key: step[key] for key in verb.params if key in step and key != "steps"}
        return self._calls.translate(
            verb, filled(step[verb.name], self.names), filled(params, self.names)
        )

    def _do(self, index: int, step: RawStep, verb: Verb) -> Record:
        reply = self._call(*self._translated(step, verb))
        if reply.ok and verb.name in {"poll", "abort"} and reply.result["done"]:
            agent = self._calls.finished(filled(step[verb.name], self.names))
            if agent is not None:
                self._append_result(agent, reply.result)
        return self._record(index, step, verb, reply)

    def _do_model_call(self, index: int, step: RawStep, verb: Verb) -> Record:
        agent, assistant = self._calls.assistant_message(*self._translated(step, verb))
        self._call("log.append", {"agent": agent, "events": [assistant]})
        reply = self._call(*self._translated(step, verb))
        if reply.ok:
            self._append_result(agent, reply.result)
        return self._record(index, step, verb, reply)

    def _append_result(self, agent: str, result: dict[str, Any]) -> None:
        event = self._calls.result_event(agent, result)
        if event is not None:
            self._call("log.append", {"agent": agent, "events": [event]})

    def _do_log(self, index: int, step: RawStep, verb: Verb) -> Record:
        agent = step["log"]
        params = {"agent": agent, "after": self._seen_until.get(agent, -1)}
        reply = self._call("log.read", params)
        if reply.ok and reply.result["events"]:
            self._seen_until[agent] = reply.result["events"][-1]["seq"]
        record = self._record(index, step, verb, reply)
        if self._restarted and "shows" in record.facts:
            # Whether a turn that was open at a restart is open after it, no document says.
            shown = plain_events(reply.result["events"], turns=False)
            return replace(record, facts={"shows": self.ids.named(shown, agent)})
        return record

    def _do_reload(self, index: int, step: RawStep, verb: Verb) -> Record:
        # Whether queued messages outlive a restart is the host's affair, and no document's.
        for agent in sorted(self._agents):
            waiting = self._call("agent.inbox", {"agent": agent})
            if waiting.ok and waiting.result["messages"]:
                raise Unsupported("messages are queued at the restart")
        self._agents.clear()
        self._restarted = True
        return self._do(index, step, verb)

    def _do_file(self, index: int, step: RawStep, _: Verb) -> Record:
        assert self._workspace is not None  # noqa: S101  # Only programs with a tree look at files.
        path = filled(step["file"], self.names)
        seen = self._workspace.read(path, as_json=step.get("json", False))
        session = PurePosixPath(path).stem
        self.ids.meet(session, seen)
        return Record(index, step, {"shows": self.ids.named(plain_state(seen), session)}, seen)

    def _do_together(self, index: int, step: RawStep, _: Verb) -> Record:
        verbs = [verb_of(one) for one in step["together"]]
        calls = [
            self._translated(one, verb) for one, verb in zip(step["together"], verbs, strict=True)
        ]
        wire = [{"method": method, "params": params} for method, params in calls]
        reply = self._call("together", {"calls": wire})
        results = reply.result["results"] if reply.ok else []
        inner = tuple(
            self._record(index, one, verb, self._inner_reply(call[0], result))
            for one, verb, call, result in zip(
                step["together"], verbs, calls, results, strict=False
            )
        )
        return Record(index, step, {}, reply.result, inner)

    def _inner_reply(self, method: str, one: dict[str, Any]) -> Reply:
        if "error" not in one:
            return Reply(one["result"])
        error = one["error"]
        reply = Reply(None, error["code"], error["message"], error.get("data"))
        self._check(method, reply)
        return reply

    # What was seen

    def _record(self, index: int, step: RawStep, verb: Verb, reply: Reply) -> Record:
        if not reply.ok:
            return Record(index, step, {"refused": self._refusal(verb, reply.message)})
        self._bind(step, verb, reply.result)
        if verb.name in {*CALLS, "command"}:
            self.ids.meet(_actor(step), reply.result.get("text"))
        facts = self.ids.named(facts_of(verb, reply.result), _actor(step))
        return Record(index, step, facts, reply.result)

    def _refusal(self, verb: Verb, message: str) -> Any:
        # Only the words of a refused start are the contract's; the others are the host's, and so is
        # how far the end of an owner has gone when it is asked for once more.
        hosts = verb.name != "start" or "inactive context" in message or "registered" in message
        return {"$any": True} if hosts else self.ids.named(message)

    def _bind(self, step: RawStep, verb: Verb, result: Any) -> None:
        wanted = step.get("bind")
        if isinstance(wanted, dict):
            for name, path in wanted.items():
                self._bind_field(step, name, path, result)
        elif wanted:
            self._bind_text(step, verb, result)

    def _bind_field(self, step: RawStep, name: str, path: str, result: Any) -> None:
        value = at_path(result, path)
        if value is None:
            return
        self.names[name] = value
        if path == "id":
            self.ids.bind(name, value, _actor(step))
        elif path == "call":
            self._calls.pending(value, step.get("by", NOBODY))

    def _bind_text(self, step: RawStep, verb: Verb, result: Any) -> None:
        key = "says"
        if verb.name in CALLS and (not result["done"] or result["isError"]):
            return
        matching = Matching(frozenset(step["bind"]))
        # Whoever answers so that no name can be told from the rest has told none.
        with suppress(MatchingTooLong):
            matching.compare(filled(step[key], self.names), result["text"])
        if not matching.mismatches:
            self.names.update(matching.found)
            for name, ident in matching.found.items():
                self.ids.bind(name, ident, _actor(step))


def _actor(step: RawStep) -> str:
    return next(actors(step), "")
