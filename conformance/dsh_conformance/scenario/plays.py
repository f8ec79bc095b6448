"""
How each verb is played: one call for most, more or none for the others.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from dsh_conformance.adapter.protocol import Reply
from dsh_conformance.adapter.schemas import violation
from dsh_conformance.scenario.calls import Calls
from dsh_conformance.scenario.case import Case
from dsh_conformance.scenario.clock import milliseconds
from dsh_conformance.scenario.judge import Seen
from dsh_conformance.scenario.looks import Before
from dsh_conformance.scenario.model import Step
from dsh_conformance.scenario.names import COUNTER, filled
from dsh_conformance.scenario.outcomes import Unverified
from dsh_conformance.scenario.patterns import ABSENT
from dsh_conformance.scenario.render import compact, step_line, value_text
from dsh_conformance.scenario.results import Difference, Failure
from dsh_conformance.scenario.verbs import NOBODY
from dsh_conformance.scenario.wire import Call


def run_all(case: Case, steps: tuple[Step, ...]) -> None:
    """
    Play steps one after another.

    Raises:
        Contradicted: A clause is broken, and what follows would say nothing.
        NotApplicable: The adapter does not support a step.
        Unverified: Nothing was learned.
        AdapterFailure: The adapter crashed, hung or broke the protocol.
    """
    for step in steps:
        case.begin(step)
        _PLAYS.get(step.verb.name, _one_call)(case, step)


def _one_call(case: Case, step: Step) -> None:
    before = case.before(step)
    reply = case.wire.call(*case.translated(step))
    case.observed(step, reply, before)


def _log(case: Case, step: Step) -> None:
    before = case.before(step)
    reply = case.wire.call("log.read", case.looks.log_params(case.value(step)))
    case.observed(step, reply, before)


def _load(case: Case, step: Step) -> None:
    services = list(step.params.get("services", case.scenario.services))
    reply = case.wire.call("reset", case.reset_params(list(step.value), services))
    case.calls = Calls()
    case.looks.forget()
    case.observed(step, reply, Before())


def _advance(case: Case, step: Step) -> None:
    before = case.before(step)
    if case.connection.info.clock == "real":
        time.sleep(milliseconds(step.value) / 1000)
        reply = Reply({})
    else:
        reply = case.wire.call(*case.translated(step))
    case.observed(step, reply, before)


def _call(case: Case, step: Step) -> None:
    before = case.before(step)
    method, params = case.translated(step)
    reply = case.wire.call(method, params)
    _note_pending(case, params, reply)
    case.observed(step, reply, before)


def _note_pending(case: Case, params: dict[str, Any], reply: Reply) -> None:
    if reply.ok and isinstance(reply.result, dict) and reply.result.get("done") is False:
        case.calls.pending(reply.result["call"], params.get("agent", NOBODY))


def _model_call(case: Case, step: Step) -> None:
    before = case.before(step)
    agent, assistant = case.calls.assistant_message(*case.translated(step))
    _append(case, agent, assistant)
    reply = case.wire.call(*case.translated(step))
    if reply.ok:
        _append_result(case, agent, reply.result)
    case.observed(step, reply, before)


def _poll(case: Case, step: Step) -> None:
    before = case.before(step)
    handle = case.value(step)
    reply = case.early.get(handle) or case.wire.call(*case.translated(step))
    if reply.ok and reply.result["done"]:
        agent = case.calls.finished(handle)
        if agent is not None:
            _append_result(case, agent, reply.result)
    case.observed(step, reply, before)


def _append_result(case: Case, agent: str, result: dict[str, Any]) -> None:
    event = case.calls.result_event(agent, result)
    if event is not None:
        _append(case, agent, event)


def _append(case: Case, agent: str, event: dict[str, Any]) -> None:
    reply = case.wire.call("log.append", {"agent": agent, "events": [event]})
    case.wire.must_work(reply, "log.append")


def _file(case: Case, step: Step) -> None:
    case.judged(step, _look_at_files(case, step))


def _write_file(case: Case, step: Step) -> None:
    text = filled(step.params.get("text"), case.names)
    try:
        case.workspace.write(case.value(step), text=text, base64_text=step.params.get("base64"))
    except OSError as error:
        raise Unverified("prerequisite", f"{step.where}: cannot be written: {error}") from error


def _look_at_files(case: Case, step: Step) -> Seen:
    path = case.value(step)
    try:
        if step.verb.name == "files":
            return Seen(Reply({}), case.workspace.files(path))
        as_json = step.params.get("json", False)
        return Seen(Reply({}), case.workspace.read(path, as_json=as_json))
    except OSError as error:
        raise Unverified("prerequisite", f"{step.where}: cannot be read: {error}") from error


def _repeat(case: Case, step: Step) -> None:
    told = len(case.script.lines)
    case.depth += 1
    for number in range(1, step.value + 1):
        kept = dict(case.names)
        case.names[COUNTER] = number
        case.script.back_to(told)
        run_all(case, step.steps)
        case.names = kept
    case.depth -= 1


def _together(case: Case, step: Step) -> None:
    calls = [case.translated(inner) for inner in step.steps]
    case.depth += 1
    for inner in step.steps:
        case.script.tell(inner, case.names, case.depth)
    case.depth -= 1
    wired = [{"method": method, "params": params} for method, params in calls]
    reply = case.wire.call("together", {"calls": wired})
    case.wire.must_work(reply, "together")
    replies = _inner_replies(case, calls, reply.result["results"])
    for inner, (_, params), one in zip(step.steps, calls, replies, strict=True):
        case.wire.where = inner.where
        _note_pending(case, params, one)
        case.observed(inner, _kept(case, inner, params, one), Before())


def _inner_replies(case: Case, calls: list[Call], results: list[dict[str, Any]]) -> list[Reply]:
    place = f"{case.wire.where}: together"
    if len(results) != len(calls):
        raise Unverified("protocol", f"{place} answered {len(results)} of {len(calls)} calls")
    replies: list[Reply] = []
    for (method, _), one in zip(calls, results, strict=True):
        if "error" in one:
            error = one["error"]
            replies.append(Reply(None, error["code"], error["message"], error.get("data")))
            continue
        wrong = violation(f"{method}.result", one["result"])
        if wrong is not None:
            raise Unverified("protocol", f"{place}, {method}: {wrong}")
        replies.append(Reply(one["result"]))
    return replies


def _kept(case: Case, step: Step, params: dict[str, Any], reply: Reply) -> Reply:
    # Inside `together` an adapter may answer with the result or with a handle: both are right.
    if "call" not in step.binds.values() or not reply.ok or not reply.result.get("done"):
        return reply
    handle = f"finished-{len(case.early) + 1}"
    case.early[handle] = reply
    case.calls.pending(handle, params.get("agent", NOBODY))
    return Reply({**reply.result, "call": handle})


def _any_of(case: Case, step: Step) -> None:
    looks: dict[str, Seen] = {}
    for alternative in step.steps:
        if all(_holds(case, inner, looks) for inner in alternative.steps):
            return
    expected = " or ".join(
        compact([inner.source for inner in alternative.steps]) for alternative in step.steps
    )
    seen = compact({look: _shown(one) for look, one in looks.items()})
    shown = (Difference("", expected, seen, text=False),)
    case.failed([Failure(step.clauses["*"], step.where, "any-of", "wrong effect", shown)])


def _holds(case: Case, step: Step, looks: dict[str, Seen]) -> bool:
    look = value_text(str(filled(step_line(step), case.names)))
    if look not in looks:
        looks[look] = _look(case, step)
    expects = {key: filled(value, case.names) for key, value in step.expects.items()}
    failures, _ = case.judge.failures(step, expects, looks[look])
    return not failures


def _look(case: Case, step: Step) -> Seen:
    case.wire.where = step.where
    name, agent = step.verb.name, str(case.value(step))
    if name in {"file", "files"}:
        return _look_at_files(case, step)
    if name == "poll" and agent in case.early:
        return Seen(case.early[agent])
    method, params = case.translated(step)
    if name == "log":
        params = case.looks.log_params(agent)
    reply = case.wire.call(method, params)
    case.wire.must_work(reply, method)
    return Seen(reply, case.looks.main(step, agent, reply))


def _shown(seen: Seen) -> Any:
    return seen.reply.result if seen.main is ABSENT else seen.main


_PLAYS: dict[str, Callable[[Case, Step], None]] = {
    "log": _log,
    "load": _load,
    "advance": _advance,
    "call": _call,
    "model-call": _model_call,
    "poll": _poll,
    "abort": _poll,
    "file": _file,
    "files": _file,
    "write-file": _write_file,
    "repeat": _repeat,
    "together": _together,
    "any-of": _any_of,
}
