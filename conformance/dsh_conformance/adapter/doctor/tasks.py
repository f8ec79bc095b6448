"""
Probes of the background-task capabilities, and of how the adapter deals with work that goes on.

Tools are found by the end of their names, since editions differ in the beginning.
"""

from __future__ import annotations

import time
from base64 import b64encode

from dsh_conformance.adapter.doctor.answers import Amiss, Json
from dsh_conformance.adapter.doctor.bench import AGENT, Bench, Tool
from dsh_conformance.adapter.doctor.probes import Probe
from dsh_conformance.adapter.protocol import LOAD_FAILED, REJECTED

WORDS = "the doctor was here\n"
SIGNS = "任务"
WAIT_MS = 50
# A default wait above its own cap is refused by every edition.
ABOVE_CAP = {"waitTimeoutMs": 501, "maxWaitTimeoutMs": 500}
WORK = {"kind": "bash", "label": "doctor", "owner": AGENT, "mode": "stream"}
NEEDS = frozenset({"tasks"})


def _stage(bench: Bench) -> Tool:
    bench.start("tasks")
    bench.enter_agent()
    return bench.tool("_output")


def _begin(bench: Bench, **more: str) -> str:
    ident = bench.must("tasks.start", **{**WORK, **more})["id"]
    if not ident or any(char.isspace() for char in ident):
        raise Amiss("tasks.start gave an id that a text cannot name", value=repr(ident))
    return str(ident)


def _works(bench: Bench) -> str | None:
    output = _stage(bench)
    task = _begin(bench)
    bench.must("tasks.emit", id=task, text=WORDS)
    text = bench.done(output.name, {output.id_key: task})
    if WORDS.strip() not in text:
        raise Amiss(f"what tasks.emit wrote does not come out of {output.name}", value=text)
    bench.done(bench.tool("_list").name, {})
    kill = bench.tool("_kill")
    bench.done(kill.name, {kill.id_key: task})
    cancelled = bench.must("tasks.cancellations", id=task)["reasons"]
    bench.must("tasks.settle", id=task, status="killed")
    bench.call(output.name, {})
    bench.call(output.name, {output.id_key: task}, agent=None)
    bench.must("agent.inbox", agent=AGENT)
    bench.must("plugin.unload", plugin="tasks")
    return None if cancelled else f"{kill.name} did not reach the producer; a run will judge that"


def _bytes(bench: Bench) -> str | None:
    output = _stage(bench)
    task = _begin(bench)
    for part in (SIGNS.encode()[:2], SIGNS.encode()[2:]):
        bench.must("tasks.emit", id=task, base64=b64encode(part).decode("ascii"))
    text = bench.done(output.name, {output.id_key: task})
    if SIGNS not in text:
        return f"a character in two pieces came out of {output.name} as {text!r}; a run judges that"
    return None


def _pending(bench: Bench, output: Tool, task: str, **more: float) -> str | None:
    result = bench.call(output.name, {output.id_key: task, "wait": True, **more})
    return None if result["done"] else str(result["call"])


_NO_WAIT = "a waiting call was answered at once, so waits could not be tried"


def _quiet(bench: Bench) -> str | None:
    output = _stage(bench)
    task = _begin(bench)
    call = _pending(bench, output, task)
    bench.must("tasks.settle", id=task, status="completed")
    if call is None:
        return _NO_WAIT
    if not bench.soon(lambda: _ended(bench, call), "the waiter had its result"):
        return "a waiting call does not end with its task; a run will judge that"
    return None


def _notice(bench: Bench) -> str | None:
    _stage(bench)
    task = _begin(bench)
    bench.must("tasks.settle", id=task, status="completed")
    if not bench.soon(lambda: _notified(bench, task), "the notice was there"):
        return "agent.inbox shows no notice of a task that settled unread; a run will judge that"
    return None


def _ended(bench: Bench, call: str) -> bool:
    return bool(bench.must("tools.poll", call=call)["done"])


def _notified(bench: Bench, task: str) -> bool:
    messages = bench.must("agent.inbox", agent=AGENT)["messages"]
    return any(task in message["text"] for message in messages)


def _time(bench: Bench) -> str | None:
    output = _stage(bench)
    call = _pending(bench, output, _begin(bench), timeout_ms=WAIT_MS)
    if call is None:
        return _NO_WAIT
    if not bench.virtual:
        time.sleep(2 * WAIT_MS / 1000)
        late = f"a wait of {WAIT_MS} ms takes longer; a run will judge that"
        return None if _ended(bench, call) else late
    _moved(bench, call)
    return None


def _moved(bench: Bench, call: str) -> None:
    bench.must("clock.advance", ms=WAIT_MS - 1)
    if _ended(bench, call):
        raise Amiss(f"a wait of {WAIT_MS} ms ended before the clock was there", _TIMERS)
    bench.must("clock.advance", ms=1)
    if not bench.soon(lambda: _ended(bench, call), "the wait had timed out"):
        raise Amiss(f"a wait of {WAIT_MS} ms did not end with the clock", _TIMERS)


_TIMERS = (
    "put the implementation's timers on the clock that clock.advance moves, and run all that is "
    'due before it answers; or say clock: "real"'
)


def _handles(bench: Bench) -> str | None:
    output = _stage(bench)
    task = _begin(bench)
    calls = [_pending(bench, output, task), _pending(bench, output, task)]
    first, second = calls
    if first is None or second is None:
        return _NO_WAIT
    if first == second:
        raise Amiss("two pending calls have one handle", "give each call a handle of its own")
    bench.must("tools.abort", call=first)
    if not _ended(bench, first):
        raise Amiss("a call still runs after tools.abort", "raise the caller's abort signal")
    if bench.must("tools.poll", call=first) != bench.must("tools.poll", call=first):
        raise Amiss("tools.poll answers a finished call differently each time")
    bench.must("tasks.settle", id=task, status="completed")
    bench.start("tasks")
    for method, params in (("tools.poll", {"call": second}), ("tasks.emit", _emission(task))):
        _forgotten(bench, method, params)
    return None


def _emission(task: str) -> Json:
    return {"id": task, "text": WORDS}


def _forgotten(bench: Bench, method: str, params: Json) -> None:
    if bench.ask(method, **params).ok:
        raise Amiss(
            f"{method} still knows what was begun before the reset",
            "let reset forget all handles and ids, and refuse those that are none with error 3",
        )


def _load_failed(bench: Bench) -> str | None:
    chosen = [{"name": "tasks", "config": ABOVE_CAP}]
    reply = bench.ask("reset", plugins=chosen)
    if reply.ok:
        return f"the configuration {ABOVE_CAP} was taken; a run will judge that"
    if reply.code != LOAD_FAILED:
        raise Amiss(
            f"a refused configuration was answered with {reply.code}",
            "what a configuration check throws is error 2 (load_failed), with its own text",
            value=reply.message,
        )
    bench.start("tasks")
    return None


def _start_refused(bench: Bench) -> str | None:
    _stage(bench)
    reply = bench.refused("tasks.start", **{**WORK, "onStart": "throw"})
    if reply.code != REJECTED:
        raise Amiss(
            f"a start whose producer throws was answered with {reply.code}",
            "what the task registry refuses is error 3 (rejected), with its own text",
            value=reply.message,
        )
    return None


def _present(bench: Bench) -> str | None:
    output = _stage(bench)
    if bench.must("tools.present", name=output.name, arguments={output.id_key: "bash-1"}) is None:
        raise Amiss(f"tools.present shows no card for a right call of {output.name}")
    return None


def _dispose(bench: Bench) -> str | None:
    bench.start("tasks")
    session = bench.enter_agent()
    task = _begin(bench, onCancel="settle")
    bench.must("agent.dispose", agent=AGENT)
    cancelled = bench.must("tasks.cancellations", id=task)["reasons"]
    bench.enter_agent(session=session)
    return None if cancelled else "a live task outlives its owner; a run will judge that"


PROBES = (
    Probe(
        "tasks",
        "tasks",
        "work starts, is read, listed and killed",
        "let reset load tasks; write tasks.start, .emit, .settle and .cancellations (a producer "
        "played by hand), tools.*, agent.inbox and plugin.unload",
        _works,
    ),
    Probe("tasks", "bytes", "come out as the characters they are", "decode base64", _bytes, NEEDS),
    Probe(
        "tasks",
        "quiescence",
        "when tasks.settle is answered, a waiter has its result",
        "let ready work finish before you answer",
        _quiet,
        NEEDS,
    ),
    Probe(
        "tasks",
        "notices",
        "when tasks.settle is answered, the notice is in the inbox",
        "let ready work finish before you answer; let agent.inbox show what is queued",
        _notice,
        NEEDS,
    ),
    Probe(
        "tasks",
        "waits",
        "end with the clock, not before",
        "put the implementation's timers on your clock",
        _time,
        NEEDS,
    ),
    Probe(
        "tasks",
        "handles",
        "are distinct, last, and end with a reset",
        "write tools.poll and tools.abort: one handle a call",
        _handles,
        NEEDS,
    ),
    Probe(
        "tasks",
        "load-failed",
        "a refused configuration is error 2",
        "answer error 2 (load_failed) for a refused configuration",
        _load_failed,
        NEEDS,
    ),
    Probe(
        "tasks",
        "start-refused",
        "a refused start is error 3",
        'let the producer of onStart: "throw" throw; answer error 3 (rejected)',
        _start_refused,
        NEEDS,
    ),
    Probe("tasks", "tasks.present", "a call has its card", "write tools.present", _present),
    Probe(
        "tasks",
        "tasks.dispose",
        "an agent can go",
        "write agent.dispose",
        _dispose,
    ),
)
