"""
The least that passes for an adapter: right answers to a few methods, and a mode to be watched in.

`python plain.py [MODE [FILE]]`: `hold N` answers only once N requests wait; `count FILE` adds a
line to a file at each `initialize`; `crash FILE` dies at the first `reset` of each process while
the file is not there; `chatty N` writes N megabytes to standard error first.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

RESULTS = {
    "initialize": {
        "protocolVersion": 1,
        "implementation": {"name": "plain", "version": "1", "language": "python"},
        "editions": ["2026-08"],
        "capabilities": ["todo"],
        "clock": "virtual",
    },
    "agent.create": {"session": "s"},
    "agent.inbox": {"messages": []},
    "clock.advance": {"now": 0},
}


def main(mode: str = "", argument: str = "") -> None:
    """
    Serve.
    """
    waiting: list[str] = []
    if mode == "chatty":
        sys.stderr.write(("x" * 99 + "\n") * 10_000 * int(argument) + "the end\n")
    for line in sys.stdin:
        method = json.loads(line)["method"]
        if mode == "count" and method == "initialize":
            with Path(argument).open("a", encoding="utf-8") as file:
                file.write(line)
        if mode == "crash" and method == "reset" and not Path(argument).exists():
            os._exit(9)
        waiting.append(line)
        if mode != "hold" or len(waiting) >= int(argument):
            for one in waiting:
                answer(json.loads(one))
            waiting = []
        if method == "shutdown":
            return


def answer(request: dict[str, object]) -> None:
    """
    Answer one request; `say` comes back in the error that it is answered with.
    """
    reply: dict[str, object] = {"jsonrpc": "2.0", "id": request["id"]}
    method = str(request["method"])
    if method == "agent.say":
        reply["error"] = {"code": 3, "message": request["params"]["text"]}  # type: ignore[index]
    else:
        reply["result"] = RESULTS.get(method, {})
    sys.stdout.write(json.dumps(reply) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
