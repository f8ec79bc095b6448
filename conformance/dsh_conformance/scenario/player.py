"""
Plays scenarios on an adapter.
"""

from __future__ import annotations

import time
from typing import Any

from dsh_conformance.adapter.connection import Connection
from dsh_conformance.adapter.protocol import (
    METHOD_NOT_FOUND,
    OBSERVATIONS,
    UNSUPPORTED,
    Reply,
)
from dsh_conformance.adapter.schemas import violation
from dsh_conformance.contract.catalogue import Contract
from dsh_conformance.errors import AdapterFailure
from dsh_conformance.scenario.calls import Calls
from dsh_conformance.scenario.clock import milliseconds
from dsh_conformance.scenario.judge import Judge, Seen, without_others
from dsh_conformance.scenario.model import Scenario, Step
from dsh_conformance.scenario.names import COUNTER, filled
from dsh_conformance.scenario.patterns import ABSENT, Path
from dsh_conformance.scenario.render import compact, step_line, value_text
from dsh_conformance.scenario.results import CaseResult, Difference, Exchange, Failure
from dsh_conformance.scenario.verbs import NOBODY
from dsh_conformance.scenario.workspace import Workspace

# On an adapter that cannot move its clock the runner really waits; longer cases are left out.
LONGEST_REAL_WAIT_MS = 2000.0
# A line of the script is read, not searched.
LINE_LIMIT = 2000


class NotApplicable(Exception):  # An outcome, not a mistake.
    """
    The case cannot be asked of this implementation.
    """


class Unverified(Exception):
    """
    Nothing was learned.
    """

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


class Contradicted(Exception):
    """
    A clause is broken in a way that makes the rest of the script moot.
    """


def inapplicable(scenario: Scenario, connection: Connection) -> str | None:
    """
    Say why a scenario cannot be asked of this adapter, or None.
    """
    if scenario.excluded is not None:
        return scenario.excluded
    missing = scenario.needs - connection.info.capabilities
    if missing:
        return f"needs {', '.join(sorted(missing))}, not declared"
    if connection.info.clock == "real" and _longest_wait(scenario.steps) > LONGEST_REAL_WAIT_MS:
        return "needs virtual time"
    return None


def play(scenario: Scenario, connection: Connection, contract: Contract) -> CaseResult:
    """
    Play one scenario and say what came of it.

    Raises:
        AdapterNeverUp: The adapter failed too often or did not come up again.
        RunnerBug: The scenario made the suite send something its schema refuses.
    """
    reason = inapplicable(scenario, connection)
    if reason is not None:
        return CaseResult(
            scenario.id, "not applicable", scenario.clauses, reason=reason, claim=scenario.claim
        )
    connection.begin_case()
    case = _Case(scenario, connection, contract)
    result, failure = case.result()
    connection.end_case(failure)
    return result


def _longest_wait(steps: tuple[Step, ...]) -> float:
    waits = (milliseconds(step.value) for step in steps if step.verb.name == "advance")
    inner = (_longest_wait(step.steps) for step in steps)
    return sum(waits) + sum(inner)


class _Case:
    """
    One scenario being played: the names bound so far, what was remembered, and the transcript.
    """

    def __init__(self, scenario: Scenario, connection: Connection, contract: Contract) -> None:
        self.scenario = scenario
        self.connection = connection
        self.names: dict[str, Any] = {}
        self.memory: dict[str, Any] = {}
        self.judge = Judge(contract, self.memory)
        self.calls = Calls()
        self.transcript: list[Exchange] = []
        self.script: list[str] = []
        self.places: list[str] = []
        self.expectations: list[str] = []
        self.failures: list[Failure] = []
        self.setting_the_stage = False
        self._workspace: Workspace | None = None
        self._seen_until: dict[str, int] = {}
        self._tails: dict[str, int] = {}
        self._early: dict[str, Reply] = {}
        self._in_together = False
        self._where = scenario.where

    @property
    def workspace(self) -> Workspace:
        if self._workspace is None:
            self._workspace = Workspace()
        return self._workspace

    def result(self) -> tuple[CaseResult, AdapterFailure | None]:
        """
        Play it to its end.
        """
        started, waited = time.perf_counter(), self.connection.call_seconds
        outcome, reason, kind, failure = "passed", "", "", None
        try:
            self._play()
            self.connection.check_quiet()
        except NotApplicable as error:
            outcome, reason = "not applicable", str(error)
        except Unverified as error:
            outcome, reason, kind = "unverified", error.reason, error.kind
        except AdapterFailure as error:
            outcome, reason, kind, failure = "unverified", str(error), error.kind, error
        finally:
            if self._workspace is not None:
                self._workspace.close()
        if self.failures and outcome != "not applicable":
            outcome = "failed"
        result = CaseResult(
            id=self.scenario.id,
            outcome=outcome,  # type: ignore[arg-type]  # One of the four, above.
            clauses=self.scenario.clauses,
            claim=self.scenario.claim,
            failures=tuple(self.failures),
            reason=reason,
            kind=kind,
            script=tuple(self.script),
            places=tuple(self.places),
            expectations=tuple(self.expectations),
            transcript=tuple(self.transcript),
            seconds=time.perf_counter() - started,
            adapter_seconds=self.connection.call_seconds - waited,
        )
        return result, failure

    def _play(self) -> None:
        self._reset(list(self.scenario.plugins), list(self.scenario.services))
        try:
            self.setting_the_stage = True
            self._run_all(self.scenario.given)
            self.setting_the_stage = False
            self._run_all(self.scenario.steps)
        except Contradicted:
            return

    def _reset(self, plugins: list[dict[str, Any]], services: list[str]) -> None:
        reply = self._call("reset", self._reset_params(plugins, services))
        if not reply.ok:
            self._broken(reply, f"loading {compact(plugins)}")

    def _reset_params(self, plugins: list[dict[str, Any]], services: list[str]) -> dict[str, Any]:
        params: dict[str, Any] = {"plugins": plugins}
        if services:
            params["services"] = services
        if any(plugin["name"] == "tree" for plugin in plugins):
            params["stateDir"] = str(self.workspace.state)
        return params

    def _run_all(self, steps: tuple[Step, ...]) -> None:
        for step in steps:
            self._where = step.where
            self._tell(step)
            self._run(step)

    def _tell(self, step: Step) -> None:
        self.script.append(value_text(filled(step_line(step), self.names), LINE_LIMIT))
        self.places.append(step.where)
        expected = compact(filled(step.expects, self.names)) if step.expects else ""
        self.expectations.append(value_text(expected, LINE_LIMIT))

    def _run(self, step: Step) -> None:
        special = getattr(self, f"_do_{step.verb.name.replace('-', '_')}", None)
        if special is not None:
            special(step)
            return
        before = self._before(step)
        reply = self._call(*self._translated(step))
        self._observed(step, reply, before)

    def _translated(self, step: Step) -> tuple[str, dict[str, Any]]:
        value = filled(step.value, self.names)
        params = {key: filled(inner, self.names) for key, inner in step.params.items()}
        return self.calls.translate(step.verb, value, params)

    # Looking before and after

    def _before(self, step: Step) -> dict[str, Any]:
        before: dict[str, Any] = {}
        if "logs" in step.expects:
            agent = self._agent_of(step)
            before["logs"] = agent
            self._gained(agent)
        for agent in step.expects.get("unchanged", ()):
            before[agent] = self._snapshot(agent)
        return before

    def _agent_of(self, step: Step) -> str:
        if step.verb.name in {"poll", "abort"}:
            return self.calls.agent_of(filled(step.value, self.names))
        agent = step.params.get("by") or step.params.get("of") or step.value
        return str(filled(agent, self.names))

    def _gained(self, agent: str) -> list[dict[str, Any]]:
        if agent == NOBODY:
            return []
        reply = self._call("log.read", {"agent": agent, "after": self._tails.get(agent, -1)})
        self._must_work(reply, "log.read")
        events: list[dict[str, Any]] = reply.result["events"]
        if events:
            self._tails[agent] = events[-1]["seq"]
        return events

    def _snapshot(self, agent: str) -> dict[str, Any]:
        who = {"agent": agent}
        asked = {
            "log": ("log.read", who),
            "surface": ("surface.read", who),
            "inbox": ("agent.inbox", who),
            "request": ("request.read", who),
            "todos": ("projection.read", {**who, "key": "todos"}),
        }
        replies = self.connection.call_many(list(asked.values()))
        for (method, params), reply in zip(asked.values(), replies, strict=True):
            self._note(method, params, reply)
        return dict(zip(asked, (r.result if r.ok else r.code for r in replies), strict=True))

    def _changes(self, step: Step, before: dict[str, Any]) -> list[tuple[Path, Any, Any]]:
        changes: list[tuple[Path, Any, Any]] = []
        for agent in step.expects.get("unchanged", ()):
            now = self._snapshot(agent)
            changes += [
                ((agent, part), old, now[part])
                for part, old in before[agent].items()
                if old != now[part]
            ]
        return changes

    # Judging

    def _observed(self, step: Step, reply: Reply, before: dict[str, Any]) -> None:
        expected_codes = {"refused", "load-failed"} & set(step.expects)
        if not reply.ok and not expected_codes:
            self._unexpected(step, reply)
        seen = Seen(reply, self._main(step, reply))
        if "logs" in step.expects:
            seen.gained = self._gained(before["logs"])
        seen.changed = self._changes(step, before)
        self._judge(step, seen)

    def _main(self, step: Step, reply: Reply) -> Any:
        if not reply.ok:
            return ABSENT
        result = reply.result
        if step.verb.name == "projection":
            return result.get("value") if result["present"] else ABSENT
        if step.verb.name == "log":
            if result["events"]:
                self._seen_until[step.value] = result["events"][-1]["seq"]
            return without_others(result["events"], step.expects.get("shows"))
        if step.verb.name == "present" and result is None:
            return ABSENT
        return result if step.verb.field is None else result[step.verb.field]

    def _judge(self, step: Step, seen: Seen) -> None:
        expects = {key: filled(value, self.names) for key, value in step.expects.items()}
        failures, found = self.judge.failures(step, expects, seen)
        if failures:
            self._failed(failures)
        elif not step.expects and seen.reply.ok:
            self._check_worked(step, seen.reply)
        self._bind(step, seen, found)

    def _failed(self, failures: list[Failure]) -> None:
        if self.setting_the_stage:
            one = failures[0].differences[0]
            raise Unverified(
                "prerequisite",
                f"{failures[0].where}: the stage could not be set: expected "
                f"{value_text(one.expected)}, saw {value_text(one.seen)}",
            )
        self.failures += failures
        if any(failure.grade == "wrong effect" for failure in failures):
            raise Contradicted

    def _bind(self, step: Step, seen: Seen, found: dict[str, str]) -> None:
        self.names.update(found)
        if any(name not in found for name in step.captures):
            if self.failures:
                raise Contradicted
            raise Unverified("prerequisite", f"{step.where}: a name could not be bound")
        for name, path in step.binds.items():
            early = path == "call" and self._in_together and seen.reply.result.get("done") is True
            self.names[name] = self._kept(seen.reply) if early else self._field(step, seen, path)
        if step.remember is not None:
            self.memory[step.remember] = seen.main

    def _kept(self, reply: Reply) -> str:
        # Inside `together` an adapter may answer with the result or with a handle: both are right.
        handle = f"finished-{len(self._early) + 1}"
        self._early[handle] = reply
        return handle

    def _field(self, step: Step, seen: Seen, path: str) -> Any:
        value = seen.reply.result
        for part in path.split("."):
            try:
                value = value[int(part)] if isinstance(value, list) else value[part]
            except (KeyError, IndexError, TypeError, ValueError) as error:
                raise Unverified(
                    "prerequisite",
                    f"{step.where}: nothing to bind at {path!r} in {compact(seen.reply.result)}",
                ) from error
        return value

    def _unexpected(self, step: Step, reply: Reply) -> None:
        observed = reply.code in OBSERVATIONS
        if observed and not self.setting_the_stage and (step.expects or step.claims):
            text = "" if step.expects else f"refused: {reply.message}"
            if text:
                self._contradict(step, "it works", text)
            return
        self._broken(reply, f"{step.where}: {step.verb.name}")

    def _check_worked(self, step: Step, reply: Reply) -> None:
        result = reply.result
        if not isinstance(result, dict) or step.verb.name == "abort":
            return
        if result.get("isError") is True or result.get("kind") == "error":
            if step.claims and not self.setting_the_stage:
                self._contradict(step, "no error", f"an error: {result['text']}")
            raise Unverified(
                "prerequisite",
                f"{step.where}: {step.verb.name} ended in an error: {result['text']}",
            )

    def _contradict(self, step: Step, expected: str, seen: str) -> None:
        clause = step.clauses["*"]
        shown = (Difference("", expected, seen, text=False),)
        self.failures.append(Failure(clause, step.where, step.verb.name, "wrong effect", shown))
        raise Contradicted

    def _must_work(self, reply: Reply, what: str) -> None:
        if not reply.ok:
            self._broken(reply, f"{self._where}: {what}")

    def _broken(self, reply: Reply, what: str) -> None:
        if reply.code == UNSUPPORTED:
            reason = reply.data.get("reason") if isinstance(reply.data, dict) else None
            raise NotApplicable(reason or reply.message or "unsupported")
        if reply.code == METHOD_NOT_FOUND:
            raise Unverified("error", f"{what}: the adapter has no such method: {reply.message}")
        kind = "prerequisite" if reply.code in OBSERVATIONS else "error"
        raise Unverified(kind, f"{what} failed with {reply.code}: {reply.message}")

    def _call(self, method: str, params: dict[str, Any]) -> Reply:
        try:
            reply = self.connection.call(method, params)
        except AdapterFailure as failure:
            self._note(method, params, Reply(code=0, message=failure.what))
            raise
        self._note(method, params, reply)
        return reply

    def _note(self, method: str, params: dict[str, Any], reply: Reply) -> None:
        shown = (
            reply.result if reply.ok else {"error": {"code": reply.code, "message": reply.message}}
        )
        self.transcript.append(Exchange(self._where, method, params, shown))

    # Verbs that are more than one call

    def _do_log(self, step: Step) -> None:
        agent = filled(step.value, self.names)
        reply = self._call("log.read", {"agent": agent, "after": self._seen_until.get(agent, -1)})
        self._observed(step, reply, {})

    def _do_load(self, step: Step) -> None:
        services = list(step.params.get("services", self.scenario.services))
        reply = self._call("reset", self._reset_params(list(step.value), services))
        self.calls = Calls()
        self._seen_until, self._tails = {}, {}
        self._observed(step, reply, {})

    def _do_advance(self, step: Step) -> None:
        before = self._before(step)
        if self.connection.info.clock == "real":
            time.sleep(milliseconds(step.value) / 1000)
            reply = Reply({})
        else:
            reply = self._call(*self._translated(step))
        self._observed(step, reply, before)

    def _do_model_call(self, step: Step) -> None:
        before = self._before(step)
        agent, assistant = self.calls.assistant_message(*self._translated(step))
        self._must_work(self._call("log.append", {"agent": agent, "events": [assistant]}), "append")
        reply = self._call(*self._translated(step))
        if reply.ok:
            self._append_result(agent, reply.result)
        self._observed(step, reply, before)

    def _append_result(self, agent: str, result: dict[str, Any]) -> None:
        event = self.calls.result_event(agent, result)
        if event is not None:
            self._must_work(self._call("log.append", {"agent": agent, "events": [event]}), "append")

    def _do_call(self, step: Step) -> None:
        before = self._before(step)
        method, params = self._translated(step)
        reply = self._call(method, params)
        if reply.ok and not reply.result["done"]:
            self.calls.pending(reply.result["call"], params.get("agent", NOBODY))
        self._observed(step, reply, before)

    def _do_poll(self, step: Step) -> None:
        before = self._before(step)
        early = self._early.get(filled(step.value, self.names))
        reply = early or self._call(*self._translated(step))
        if reply.ok and reply.result["done"]:
            self._finish(filled(step.value, self.names), reply.result)
        self._observed(step, reply, before)

    _do_abort = _do_poll

    def _finish(self, call: str, result: dict[str, Any]) -> None:
        agent = self.calls.finished(call)
        if agent is not None:
            self._append_result(agent, result)

    def _do_file(self, step: Step) -> None:
        path = filled(step.value, self.names)
        seen = self.workspace.read(path, as_json=step.params.get("json", False))
        self._judge(step, Seen(Reply({}), seen))

    def _do_files(self, step: Step) -> None:
        self._judge(step, Seen(Reply({}), self.workspace.files(filled(step.value, self.names))))

    def _do_write_file(self, step: Step) -> None:
        path = filled(step.value, self.names)
        text = filled(step.params.get("text"), self.names)
        self.workspace.write(path, text=text, base64_text=step.params.get("base64"))

    def _do_repeat(self, step: Step) -> None:
        for number in range(1, step.value + 1):
            kept = dict(self.names)
            self.names[COUNTER] = number
            for inner in step.steps:
                self._where = inner.where
                self._run(inner)
            self.names = kept

    def _do_together(self, step: Step) -> None:
        calls = [self._translated(inner) for inner in step.steps]
        before = self._before(step)
        reply = self._call("together", {"calls": [{"method": m, "params": p} for m, p in calls]})
        self._must_work(reply, "together")
        replies = self._inner_replies(calls, reply.result["results"])
        for inner, (_, params), one in zip(step.steps, calls, replies, strict=True):
            self._where = inner.where
            if one.ok and isinstance(one.result, dict) and one.result.get("done") is False:
                self.calls.pending(one.result["call"], params.get("agent", NOBODY))
            self._in_together = True
            self._observed(inner, one, {})
            self._in_together = False
        self._observed(step, reply, before)

    def _inner_replies(
        self, calls: list[tuple[str, dict[str, Any]]], results: list[dict[str, Any]]
    ) -> list[Reply]:
        if len(results) != len(calls):
            raise Unverified(
                "protocol", f"{self._where}: together answered {len(results)} of {len(calls)} calls"
            )
        replies: list[Reply] = []
        for (method, _), one in zip(calls, results, strict=True):
            if "error" in one:
                error = one["error"]
                replies.append(Reply(None, error["code"], error["message"], error.get("data")))
                continue
            wrong = violation(f"{method}.result", one["result"])
            if wrong is not None:
                raise Unverified("protocol", f"{self._where}: together, {method}: {wrong}")
            replies.append(Reply(one["result"]))
        return replies

    def _do_any_of(self, step: Step) -> None:
        looks: dict[str, Seen] = {}
        for alternative in step.steps:
            if all(self._holds(inner, looks) for inner in alternative.steps):
                return
        expected = " or ".join(
            compact([inner.source for inner in alternative.steps]) for alternative in step.steps
        )
        seen = compact({look: _shown(one) for look, one in looks.items()})
        self._failed(
            [
                Failure(
                    step.clauses["*"],
                    step.where,
                    "any-of",
                    "wrong effect",
                    (Difference("", expected, seen, text=False),),
                )
            ]
        )

    def _holds(self, step: Step, looks: dict[str, Seen]) -> bool:
        look = value_text(filled(step_line(step), self.names))
        if look not in looks:
            looks[look] = self._look(step)
        expects = {key: filled(value, self.names) for key, value in step.expects.items()}
        failures, _ = self.judge.failures(step, expects, looks[look])
        return not failures

    def _look(self, step: Step) -> Seen:
        if step.verb.name in {"file", "files"}:
            path = filled(step.value, self.names)
            if step.verb.name == "files":
                return Seen(Reply({}), self.workspace.files(path))
            return Seen(
                Reply({}), self.workspace.read(path, as_json=step.params.get("json", False))
            )
        early = self._early.get(str(filled(step.value, self.names)))
        if step.verb.name == "poll" and early is not None:
            return Seen(early)
        method, params = self._translated(step)
        if step.verb.name == "log":
            params["after"] = self._seen_until.get(params["agent"], -1)
        reply = self._call(method, params)
        self._must_work(reply, method)
        return Seen(reply, self._main(step, reply))


def _shown(seen: Seen) -> Any:
    return seen.reply.result if seen.main is ABSENT else seen.main
