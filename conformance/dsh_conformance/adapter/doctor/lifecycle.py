"""
Probes of what every adapter does: begin, begin again, run calls together, move the clock, refuse.
"""

from __future__ import annotations

from typing import Any

from dsh_conformance.adapter.doctor.answers import Amiss
from dsh_conformance.adapter.doctor.bench import AGENT, Bench
from dsh_conformance.adapter.doctor.probes import Probe
from dsh_conformance.adapter.protocol import METHOD_NOT_FOUND

RESET = "reset"
"""Without it nothing else can be tried."""
UNKNOWN_METHOD = "doctor.unknown"
AHEAD = 16
EMPTY: dict[str, Any] = {"plugins": []}
ANY = frozenset({"any"})
"""Needs of a check: any capability at all."""


def _reset(bench: Bench) -> None:
    bench.start()
    bench.start()


def _together(bench: Bench) -> str | None:
    bench.start()
    first, refused, last = bench.together(("reset", EMPTY), (UNKNOWN_METHOD, {}), ("reset", EMPTY))
    if not (first.ok and last.ok):
        raise Amiss(
            "a call inside together does not do what it does alone",
            "send each inner call through the same dispatch as a call of its own",
        )
    if refused.ok:
        raise Amiss(f"together carried out {UNKNOWN_METHOD!r}", "answer -32601 for it")
    return None


def _unknown_method(bench: Bench) -> str | None:
    bench.start()
    (reply,) = bench.together((UNKNOWN_METHOD, {}))
    if reply.code != METHOD_NOT_FOUND:
        raise Amiss(
            f"an unknown method was answered with {reply.code or 'a result'}",
            "answer -32601 for a method you do not have; the suite then knows it is not applicable",
        )
    return None


def _written_ahead(bench: Bench) -> str | None:
    for reply in bench.ask_many("reset", EMPTY, times=AHEAD):
        if not reply.ok:
            raise Amiss(f"one of {AHEAD} resets in a row failed: {reply.message}")
    return None


def _clock(bench: Bench) -> str | None:
    if not bench.virtual:
        return "real: the suite waits, and leaves out cases that would take long"
    for ms, now in ((0, 0), (1500, 1500), (0.5, 1500.5)):
        if ms == 0:
            bench.start()
        told = bench.must("clock.advance", ms=ms)["now"]
        if told != now:
            raise Amiss(
                f"clock.advance by {ms} ms told {told}, not {now}",
                "count milliseconds from the last reset, fractions too",
            )
    return None


def _fresh_start(bench: Bench) -> str | None:
    plugins = [name for name in ("todo", "tasks") if name in bench.declared]
    bench.start(*plugins)
    bench.enter_agent()
    before = {tool.name for tool in bench.tools()}
    if "log" in bench.declared:
        said = {"type": "message", "message": {"kind": "user", "text": "from before"}}
        bench.must("log.append", agent=AGENT, events=[said])
    if bench.virtual:
        bench.must("clock.advance", ms=1000)
    bench.start()
    _nobody_left(bench)
    bench.enter_agent()
    _nothing_left(bench, before)
    return None


def _nobody_left(bench: Bench) -> None:
    if bench.ask("tools.list", agent=AGENT).ok:
        raise Amiss(
            "an agent of before the reset is still there",
            "let reset forget all agents, and refuse a name that is none with error 3",
        )


def _nothing_left(bench: Bench, tools: set[str]) -> None:
    kept = tools & {tool.name for tool in bench.tools()}
    if kept:
        raise Amiss("tools outlived a reset without plugins", value=", ".join(sorted(kept)))
    if "log" in bench.declared:
        events = bench.must("log.read", agent=AGENT)["events"]
        if any(event["type"] == "message" for event in events):
            raise Amiss("the log outlived a reset", value=repr(events))
    if bench.virtual and bench.must("clock.advance", ms=0)["now"] != 0:
        raise Amiss("the clock outlived a reset", "let reset set the clock back to 0")


def _reload(bench: Bench) -> str | None:
    bench.start()
    session = bench.enter_agent()
    said = {"type": "message", "message": {"kind": "user", "text": "remember me"}}
    bench.must("log.append", agent=AGENT, events=[said])
    bench.must("reload")
    _nobody_left(bench)
    bench.enter_agent(session=session)
    events = bench.must("log.read", agent=AGENT)["events"]
    texts = [event["message"]["text"] for event in events if event["type"] == "message"]
    if texts != ["remember me"]:
        raise Amiss(
            "the session's log did not survive reload",
            "keep session logs by session id over a reload, and nothing else but the state folder",
            value=repr(events),
        )
    return None


_ANY_PLUGIN = "write agent.create and tools.list, and let reset forget everything"

PROBES = (
    Probe("adapter", RESET, "starts over, also twice", "write reset: {} for no plugins", _reset),
    Probe(
        "adapter",
        "together",
        "answers each call in order, refusals too",
        "write together: run each of calls in order, collect {result} or {error}",
        _together,
    ),
    Probe(
        "adapter",
        "unknown-method",
        "is answered with -32601",
        "answer -32601 for a method you do not have",
        _unknown_method,
    ),
    Probe(
        "adapter",
        "written-ahead",
        f"{AHEAD} requests written at once are answered in order",
        "read one line, answer it, read the next; lose nothing that was read ahead",
        _written_ahead,
    ),
    Probe(
        "adapter",
        "clock",
        "starts at 0 and moves when it is told to",
        'write clock.advance, or say clock: "real" in initialize',
        _clock,
    ),
    Probe(
        "adapter",
        "fresh-start",
        "nothing outlives a reset: agents, log, tools, clock",
        _ANY_PLUGIN,
        _fresh_start,
        ANY,
    ),
    Probe(
        "adapter",
        "reload",
        "keeps session logs, and no agent",
        "write reload: build the composition again over the same session logs and state folder",
        _reload,
        frozenset({"log"}),
    ),
)
