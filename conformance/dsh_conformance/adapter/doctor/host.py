"""
Probes of what the host shows: its log, its surface, its next request.
"""

from __future__ import annotations

from typing import Any

from dsh_conformance.adapter.doctor.answers import Amiss
from dsh_conformance.adapter.doctor.bench import AGENT, Bench
from dsh_conformance.adapter.doctor.probes import Probe
from dsh_conformance.adapter.protocol import REJECTED

# Whatever an adapter's encoding may trip over: quotes, escapes, line ends, signs beyond 16 bits.
HARD_TEXT = 'say "hi"\\ \t\r\n\u2028 任务 \U0001f600 </script>'
NOWHERE = 1_000_000


def message(kind: str, text: str, **more: Any) -> dict[str, Any]:
    """
    Return a message event.
    """
    return {"type": "message", "message": {"kind": kind, "text": text, **more}}


def person(text: str) -> dict[str, Any]:
    """
    Return the event of a person's message.
    """
    return message("user", text, source={"kind": "user"})


def assistant(text: str, tool: str, call: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """
    Return an assistant message with one call, and the result of that call.
    """
    calls = [{"id": call, "name": tool, "arguments": "{}"}]
    return message("assistant", text, calls=calls), message("tool", "done", call=call)


def _log(bench: Bench) -> str | None:
    bench.start()
    bench.enter_agent()
    turn = {"type": "turn/start"}
    todos = {"type": "todo/write", "todos": [{"content": "a", "status": "pending"}]}
    events = [turn, person(HARD_TEXT), *assistant("I look.", "look", "c1"), todos]
    seqs = bench.must("log.append", agent=AGENT, events=events)["seqs"]
    if len(seqs) != len(events) or sorted(set(seqs)) != seqs:
        raise Amiss("log.append has to give one rising number an event", value=repr(seqs))
    logged = {one["seq"]: one for one in bench.must("log.read", agent=AGENT)["events"]}
    for seq, event in zip(seqs, events, strict=True):
        _same_event(logged.get(seq), {**event, "seq": seq})
    tail = bench.must("log.read", agent=AGENT, after=seqs[1])["events"]
    if not tail or min(one["seq"] for one in tail) <= seqs[1]:
        raise Amiss("log.read does not begin behind `after`", value=repr(tail))
    return None


def _same_event(found: Any, event: dict[str, Any]) -> None:
    if found != event:
        raise Amiss(
            "an event came back from the log otherwise than it was appended",
            "translate both ways without loss; texts are verbatim",
            value=f"appended {event}, read {found}",
        )


def _surface(bench: Bench) -> str | None:
    bench.start()
    bench.enter_agent()
    turn = {"type": "turn/start"}
    events = [turn, person("one"), *assistant("two", "look", "c1"), person("four")]
    seqs = bench.must("log.append", agent=AGENT, events=events)["seqs"]
    _shows(bench, list(zip(seqs[1:], ("one", "two", "done", "four"), strict=True)))
    folded = {**person("instead"), "replaces": {"from": seqs[2], "to": seqs[3]}}
    (new,) = bench.must("log.append", agent=AGENT, events=[folded])["seqs"]
    _shows(bench, [(seqs[1], "one"), (new, "instead"), (seqs[4], "four")])
    return None


def _shows(bench: Bench, expected: list[tuple[int, str]]) -> None:
    messages = bench.must("surface.read", agent=AGENT)["messages"]
    seen = [(one["seq"], one["text"]) for one in messages]
    if seen != expected:
        raise Amiss(
            "surface.read does not show the messages of the log, replaced ranges included",
            "give each message the seq of its event, in the order the model would get them",
            value=f"expected {expected}, saw {seen}",
        )


def _request(bench: Bench) -> str | None:
    loaded = [name for name in ("todo", "tasks", "tree") if name in bench.declared][:1]
    bench.start(*loaded)
    bench.enter_agent()
    bench.must("log.append", agent=AGENT, events=[person("hello")])
    request = bench.must("request.read", agent=AGENT)
    if [one["text"] for one in request["messages"]] != ["hello"]:
        raise Amiss("request.read has other messages than the log", value=repr(request["messages"]))
    listed = {tool.name for tool in bench.tools()}
    offered = {tool["name"] for tool in request["tools"]}
    if listed != offered:
        raise Amiss(
            "request.read and tools.list name different tools",
            value=f"request {sorted(offered)}, list {sorted(listed)}",
        )
    return None


def _rejected(bench: Bench) -> str | None:
    bench.start()
    bench.enter_agent()
    bad = {**person("instead"), "replaces": {"from": NOWHERE, "to": NOWHERE}}
    reply = bench.ask("log.append", agent=AGENT, events=[bad])
    if reply.ok:
        return "the host took a replacement of messages that do not exist"
    if reply.code != REJECTED:
        raise Amiss(
            f"a replacement of messages that do not exist was answered with {reply.code}",
            "what the log refuses is error 3 (rejected), with the implementation's own text",
            value=reply.message,
        )
    return None


PROBES = (
    Probe(
        "host",
        "log",
        "what is appended is read back",
        "write log.append and log.read (agent.create first): events in the neutral form",
        _log,
    ),
    Probe(
        "host",
        "surface",
        "shows what the model would be sent, with replaced ranges",
        "write surface.read, and let log.append carry out `replaces`",
        _surface,
    ),
    Probe(
        "host",
        "request",
        "shows the next request: sections, tools, messages",
        "write request.read",
        _request,
    ),
    Probe(
        "host",
        "rejected",
        "what the log refuses is error 3",
        "answer error 3 (rejected) for what the log refuses",
        _rejected,
        frozenset({"log", "surface"}),
    ),
)
