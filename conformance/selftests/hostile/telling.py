"""
Ways to tell something other than the truth.

A lie is a function that gets the request and the honest answer, and writes whatever it likes.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dsh_reference.adapter import Adapter, refusal_of

Message = dict[str, Any]
Lie = Callable[[Message, Message], None]

ADAPTER = Adapter()

# Longer than any limit of the tests; whoever sleeps so long has been forgotten.
FOR_EVER = 120
# Enough to pass the bound that the test sets, little enough not to hurt whoever runs it.
HOARD = 40
CHUNK = 16 << 20

# Clears the screen, rings the bell, sets the title, turns the line round, ends it, deletes.
CONTROLS = "\x1b[2J\x07\x1b]0;owned\x07\x9b31m\u202eright to left\u2066\r\u2028\x7f\x00[red]"


def last_words(text: str) -> Lie:
    """
    Make a lie that says something on standard error and dies.
    """

    def lie(_request: Message, _answer: Message) -> None:
        sys.stderr.buffer.write(text.encode())
        sys.stderr.flush()
        os._exit(1)

    return lie


def answered(request: Message) -> Message:
    """
    Return the honest answer.
    """
    answer: Message = {"jsonrpc": "2.0", "id": request["id"]}
    try:
        return {**answer, "result": ADAPTER.call(request["method"], request["params"])}
    except Exception as problem:
        refusal = refusal_of(problem)
        if refusal is None:
            raise
        return {**answer, "error": refusal}


def write(data: bytes | str) -> None:
    """
    Put something on standard output at once.
    """
    raw = data.encode() if isinstance(data, str) else data
    sys.stdout.buffer.write(raw)
    sys.stdout.buffer.flush()


def tell(message: Any) -> None:
    """
    Write a message as a line.
    """
    write(json.dumps(message) + "\n")


def result_of(answer: Message, **changes: Any) -> Message:
    """
    Return the answer with some of its result's fields replaced.
    """
    return {**answer, "result": {**answer["result"], **changes}}


def raw_text(answer: Message, text: str) -> str:
    """
    Return the answer's line with JSON of our own in the place of the result's text.
    """
    return json.dumps(result_of(answer, text="@@")).replace('"@@"', text) + "\n"


def hang(*_: Any) -> None:
    """
    Do nothing for longer than anybody waits.
    """
    time.sleep(FOR_EVER)


def leave(status: int) -> Lie:
    """
    Make a lie that exits.
    """

    def lie(_request: Message, _answer: Message) -> None:
        os._exit(status)

    return lie


def die_by(number: signal.Signals) -> Lie:
    """
    Make a lie that ends by a signal.
    """

    def lie(_request: Message, _answer: Message) -> None:
        os.kill(os.getpid(), number)
        hang()

    return lie


def instead(make: Callable[[Message], bytes | str]) -> Lie:
    """
    Make a lie that writes something else.
    """

    def lie(_request: Message, answer: Message) -> None:
        write(make(answer))

    return lie


def message(make: Callable[[Message], Any]) -> Lie:
    """
    Make a lie that answers another message.
    """

    def lie(_request: Message, answer: Message) -> None:
        tell(make(answer))

    return lie


def then_hang(make: Callable[[Message], bytes | str]) -> Lie:
    """
    Make a lie that writes something and falls silent.
    """

    def lie(_request: Message, answer: Message) -> None:
        write(make(answer))
        hang()

    return lie


def then_exit(status: int, make: Callable[[Message], bytes | str]) -> Lie:
    """
    Make a lie that writes something and exits.
    """

    def lie(_request: Message, answer: Message) -> None:
        write(make(answer))
        os._exit(status)

    return lie


def child(*, daemon: bool) -> None:
    """
    Start a process that outlives everybody.
    """
    subprocess.Popen(
        [sys.executable, "-c", f"import time; time.sleep({FOR_EVER})"],
        start_new_session=daemon,
        stdin=subprocess.DEVNULL,
    )


def late(request: Message, answer: Message) -> None:
    """
    Answer after the limit.
    """
    time.sleep(float(os.environ["LIAR_LATE"]))
    honest(request, answer)


def out_of_order(_request: Message, answer: Message) -> None:
    """
    Answer the next request first.
    """
    following = json.loads(sys.stdin.buffer.readline())
    tell(answered(following))
    tell(answer)


def before_the_next(_request: Message, answer: Message) -> None:
    """
    Answer, and once more when the next request has come.
    """
    tell(answer)
    following = json.loads(sys.stdin.buffer.readline())
    tell(answer)
    tell(answered(following))


def endless_line(*_: Any) -> None:
    """
    Write a hundred megabytes without an end.
    """
    for _ in range(100):
        write(b"x" * (1 << 20))
    hang()


def endless_lines(*_: Any) -> None:
    """
    Write lines without an end.
    """
    while True:
        write(b'{"jsonrpc": "2.0", "method": "progress"}\n' * 1000)


def drip(seconds: float) -> Lie:
    """
    Make a lie that answers a byte at a time.
    """

    def lie(_request: Message, answer: Message) -> None:
        for byte in json.dumps(answer).encode():
            write(bytes([byte]))
            time.sleep(seconds)

    return lie


def talk(request: Message, answer: Message) -> None:
    """
    Fill standard error, then answer.
    """
    for _ in range(160):
        sys.stderr.write("all is well, all is well, all is well\n" * 2000)
    honest(request, answer)


def talk_only(*_: Any) -> None:
    """
    Fill standard error for ever.
    """
    while True:
        sys.stderr.write("all is well, all is well, all is well\n" * 2000)


def close_output(*_: Any) -> None:
    """
    Close standard output and stay.
    """
    os.close(1)
    hang()


def close_input(request: Message, answer: Message) -> None:
    """
    Close standard input, answer, and stay.
    """
    os.close(0)
    honest(request, answer)
    hang()


def hand_over(*_: Any) -> None:
    """
    Leave the pipes to a child and exit.
    """
    child(daemon=False)
    os._exit(4)


def hand_over_and_hide(*_: Any) -> None:
    """
    Leave the pipes to a child of another session and exit.
    """
    child(daemon=True)
    os._exit(4)


def hoard(*_: Any) -> None:
    """
    Allocate without end, as far as the machine that runs the tests can bear.
    """
    kept = []
    for _ in range(HOARD):
        kept.append(b"x" * CHUNK)
        time.sleep(0.01)
    hang()


def stubborn(_request: Message, answer: Message) -> None:
    """
    Answer, and stay whatever is asked.
    """
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    tell(answer)
    hang()


def linger(_request: Message, answer: Message) -> None:
    """
    Answer, and stay until told by a signal.
    """
    tell(answer)
    hang()


def leave_child(request: Message, answer: Message) -> None:
    """
    Leave a child in the same group behind.
    """
    child(daemon=False)
    honest(request, answer)


def leave_daemon(request: Message, answer: Message) -> None:
    """
    Leave a child in a session of its own behind.
    """
    child(daemon=True)
    honest(request, answer)


def honest(_request: Message, answer: Message) -> None:
    """
    Tell the truth.
    """
    tell(answer)


def flipped(answer: Message) -> Message:
    """
    Answer in other words every time.
    """
    return result_of(answer, text=f"Updated: {time.monotonic_ns()}")


def nest(depth: int) -> str:
    """
    Return lists inside each other, with a text beside them.
    """
    return '"deep", "value": ' + "[" * depth + "]" * depth


def without_value(answer: Message) -> Message:
    """
    Return the answer without its canonical value.
    """
    kept = {key: value for key, value in answer["result"].items() if key != "value"}
    return {**answer, "result": kept}


def nesting(depth: int) -> Lie:
    """
    Make a lie whose value nests so deep.
    """
    return instead(lambda a: raw_text(without_value(a), nest(depth)))


def text_as(json_text: str) -> Lie:
    """
    Make a lie with JSON of our own in the place of the text.
    """
    return instead(lambda a: raw_text(a, json_text))


def value_as(json_text: str) -> Lie:
    """
    Make a lie with JSON of our own in the place of the value.
    """
    return instead(lambda a: raw_text(without_value(a), f'"text", "value": {json_text}'))


def fields(**changes: Any) -> Lie:
    """
    Make a lie whose result has other fields.
    """
    return message(lambda a: result_of(a, **changes))


def implementation(**changes: Any) -> Lie:
    """
    Make a lie about who answers.
    """
    return message(
        lambda a: result_of(a, implementation={**a["result"]["implementation"], **changes})
    )


def error(code: Any, text: Any = "no", **more: Any) -> Lie:
    """
    Make a lie that refuses.
    """
    return message(
        lambda a: {
            "jsonrpc": "2.0",
            "id": a["id"],
            "error": {"code": code, "message": text, **more},
        }
    )


def after_restart(lie: Lie) -> Lie:
    """
    Restrict a lie to the processes after a restart.
    """

    def lying(request: Message, answer: Message) -> None:
        (honest if FIRST else lie)(request, answer)

    return lying


def _first_of_the_run() -> bool:
    scratch = Path(sys.argv[2])
    first = not scratch.exists()
    scratch.touch()
    return first


FIRST = _first_of_the_run()
