"""
Every lie by its name, with the call that it is told for.
"""

from __future__ import annotations

import json
import signal
from dataclasses import dataclass

from telling import (
    CONTROLS,
    Lie,
    after_restart,
    before_the_next,
    close_input,
    close_output,
    die_by,
    drip,
    endless_line,
    endless_lines,
    error,
    fields,
    flipped,
    hand_over,
    hand_over_and_hide,
    hang,
    hoard,
    implementation,
    instead,
    last_words,
    late,
    leave,
    leave_child,
    leave_daemon,
    linger,
    message,
    nesting,
    out_of_order,
    result_of,
    stubborn,
    talk,
    talk_only,
    tell,
    text_as,
    then_exit,
    then_hang,
    value_as,
)


@dataclass(frozen=True)
class Act:
    """
    A lie and the call that it is told for.

    Attributes:
        lie: What is done.
        method: For which method; None is at the start, before anything is read.
        armed: Whether only the armed case is lied to.
    """

    lie: Lie
    method: str | None = "tools.call"
    armed: bool = True


def at(method: str | None, lie: Lie) -> list[Act]:
    """
    Lie for one method, in every case.
    """
    return [Act(lie, method, armed=False)]


def armed(lie: Lie, method: str = "tools.call") -> list[Act]:
    """
    Lie for one method in the armed case.
    """
    return [Act(lie, method)]


CRASH = armed(leave(3))

LIES: dict[str, list[Act]] = {
    # Coming up
    "exits-at-start": at(None, leave(3)),
    "exits-at-start-content": at(None, leave(0)),
    "killed-at-start": at(None, die_by(signal.SIGKILL)),
    "hangs-in-initialize": at("initialize", hang),
    "banner-at-start": at(None, instead(lambda _: "Welcome to the adapter!\n")),
    "wrong-protocol-version": at("initialize", fields(protocolVersion=2)),
    "wrong-edition": at("initialize", fields(editions=["2025-01"])),
    "unknown-capability": at("initialize", fields(capabilities=["todos"])),
    "refuses-handshake": at("initialize", error(-32602, "not today")),
    "says-nothing-of-itself": at("initialize", message(lambda a: {**a, "result": {}})),
    "talks-after-initialize": at("initialize", instead(lambda a: json.dumps(a) + "\nready\n")),
    "drips-in-initialize": at("initialize", drip(0.1)),
    # Leaving and hanging
    "exits-mid-call": CRASH,
    "exits-quietly-mid-call": armed(leave(0)),
    "exits-after-answer": armed(then_exit(0, lambda a: json.dumps(a) + "\n")),
    "killed-mid-call": armed(die_by(signal.SIGSEGV)),
    "stops-itself": armed(die_by(signal.SIGSTOP)),
    "hangs-in-reset": armed(hang, "reset"),
    "hangs-in-call": armed(hang),
    "hangs-in-a-look": armed(hang, "log.read"),
    "hangs-in-shutdown": at("shutdown", linger),
    "ignores-sigterm": at("shutdown", stubborn),
    "answers-late": armed(late),
    "crashes-always": at("tools.call", leave(3)),
    # Lines
    "answers-twice": armed(instead(lambda a: (json.dumps(a) + "\n") * 2)),
    "answers-again-later": armed(before_the_next),
    "out-of-order": armed(out_of_order, "surface.read"),
    "wrong-id": armed(message(lambda a: {**a, "id": a["id"] + 1000})),
    "no-id": armed(message(lambda a: {"jsonrpc": "2.0", "result": a["result"]})),
    "null-id": armed(message(lambda a: {**a, "id": None})),
    "text-id": armed(message(lambda a: {**a, "id": str(a["id"])})),
    "garbage": armed(instead(lambda _: b"\x07\x1b[2J<<<\n")),
    "empty-line-first": armed(instead(lambda a: "\n" + json.dumps(a) + "\n")),
    "prints-to-stdout": armed(instead(lambda a: "DEBUG handling\n" + json.dumps(a) + "\n")),
    "several-lines": armed(instead(lambda a: json.dumps(a, indent=2) + "\n")),
    "half-a-line": armed(then_hang(lambda a: json.dumps(a)[:20])),
    "no-newline": armed(then_hang(json.dumps)),
    "half-a-line-then-exits": armed(then_exit(5, lambda a: json.dumps(a)[:20])),
    "endless-line": armed(endless_line),
    "endless-lines": armed(endless_lines),
    "slow-drip": armed(drip(0.2)),
    "fast-drip": armed(drip(0.005)),
    "windows-line-ends": at("tools.call", instead(lambda a: json.dumps(a) + "\r\n")),
    # JSON
    "invalid-utf8": armed(instead(lambda a: json.dumps(a).encode()[:-3] + b'\xff"}}\n')),
    "nul-bytes": armed(instead(lambda a: json.dumps(a).encode() + b"\x00\n")),
    "byte-order-mark": armed(instead(lambda a: "\ufeff" + json.dumps(a) + "\n")),
    "deep-nesting": armed(nesting(100_000)),
    "somewhat-deep-nesting": armed(nesting(400)),
    "huge-integer": armed(value_as("9" * 10_000)),
    "huge-float": armed(value_as("1e999")),
    "nan": armed(value_as("NaN")),
    "infinity": armed(value_as("-Infinity")),
    "duplicate-keys": armed(text_as('"one", "text": "two"')),
    # Messages
    "batch": armed(message(lambda a: [a])),
    "bare-number": armed(message(lambda _: 42)),
    "echo": armed(lambda request, _: tell(request)),
    "notification": armed(message(lambda _: {"jsonrpc": "2.0", "method": "progress"})),
    "old-json-rpc": armed(message(lambda a: {**a, "jsonrpc": "1.0"})),
    "result-and-error": armed(message(lambda a: {**a, "error": {"code": 1, "message": "no"}})),
    "neither-result-nor-error": armed(message(lambda a: {"jsonrpc": "2.0", "id": a["id"]})),
    "error-without-text": armed(error(3, None)),
    "error-code-as-text": armed(error("3")),
    # Results
    "wrong-types": armed(fields(text=5)),
    "missing-field": armed(message(lambda a: {**a, "result": {"done": True, "isError": False}})),
    "extra-field": armed(fields(tokens=12)),
    "another-methods-answer": armed(message(lambda a: {**a, "result": {"seqs": []}})),
    "null-result": armed(message(lambda a: {**a, "result": None})),
    "together-answers-one": armed(
        message(lambda a: result_of(a, results=a["result"]["results"][:1])), "together"
    ),
    "changes-its-answers": armed(message(flipped)),
    # What is declared
    "declares-what-it-does-not": armed(error(-32601, "method not found"), "tools.present"),
    "does-what-it-does-not-declare": at("initialize", fields(capabilities=[])),
    "internal-error": armed(error(-32000, "boom")),
    "says-unsupported": armed(error(1, "no", data={"reason": "no cards here"}), "tools.present"),
    # Restarts
    "changes-its-version": [
        *CRASH,
        Act(after_restart(implementation(version="9.9.9")), "initialize", armed=False),
    ],
    "stays-down": [*CRASH, Act(after_restart(leave(6)), "initialize", armed=False)],
    "loses-a-capability": [
        *CRASH,
        Act(after_restart(fields(capabilities=["todo"])), "initialize", armed=False),
    ],
    # Everything else
    "floods-stderr": armed(talk),
    "floods-stderr-only": armed(talk_only),
    "closes-stdout": armed(close_output),
    "closes-stdin": armed(close_input),
    "child-keeps-the-pipes": armed(hand_over),
    "daemon-keeps-the-pipes": armed(hand_over_and_hide),
    "leaves-a-child": at("shutdown", leave_child),
    "leaves-a-daemon": at("shutdown", leave_daemon),
    "allocates-without-end": armed(hoard),
    "fails-after-shutdown": at("shutdown", then_exit(7, lambda a: json.dumps(a) + "\n")),
    # Speaking to the terminal
    "controls-everywhere": armed(fields(text=CONTROLS, value=CONTROLS)),
    "controls-in-errors": armed(error(-32000, CONTROLS)),
    "controls-in-its-name": at("initialize", implementation(name=CONTROLS, language=CONTROLS)),
    "controls-on-stderr": armed(last_words(CONTROLS)),
    "honest": [],
}
