"""
Checked round trips over stdio, held against raw line-JSON between the same two processes.

Raw: the same requests, encoded with `json.dumps`, written to the adapter's pipe and read back with
`json.loads`, no schema, no time limit. Both loops talk to an adapter of their own, in turns, and
the best round of each counts.

    python conformance/benchmarks/round_trips.py [--adapter COMMAND] [--edition EDITION]
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
import time
from typing import Any

from dsh_conformance.adapter.stdio import StdioClient

CALLS = 300
ROUNDS = 25
TARGET = 0.6

TODOS = [{"content": f"item {n}", "status": "pending"} for n in range(3)]
# What a case spends its time with: a write, a look at the log, a look at the inbox.
WORK: tuple[tuple[str, dict[str, Any]], ...] = (
    ("tools.call", {"agent": "a", "name": "todo_write", "arguments": {"todos": TODOS}}),
    ("log.read", {"agent": "a", "after": 0}),
    ("agent.inbox", {"agent": "a"}),
)
RESET = ("reset", {"plugins": [{"name": "todo", "config": {}}]})


class Raw:
    """
    The least that two processes can do to exchange JSON lines.
    """

    def __init__(self, command: str) -> None:
        self.process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def call(self, method: str, params: dict[str, Any]) -> Any:
        """
        Make one call.
        """
        assert self.process.stdin  # noqa: S101  # Asked for above.
        assert self.process.stdout  # noqa: S101
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self) -> None:
        """
        End the process.
        """
        self.process.kill()
        self.process.wait()


def rate(client: Any) -> float:
    """
    Return calls a second over one round on a fresh composition.
    """
    client.call(*RESET)
    client.call("agent.create", {"agent": "a"})
    started = time.perf_counter()
    for number in range(CALLS):
        # The log grows; looking past its beginning only would measure the log.
        method, params = WORK[number % len(WORK)]
        if method == "log.read":
            params = {**params, "after": number // len(WORK)}
        client.call(method, params)
    return CALLS / (time.perf_counter() - started)


def best(adapter: str, edition: str) -> tuple[float, float]:
    """
    Return the best rate of raw and of checked calls.
    """
    hello = {
        "protocolVersion": 1,
        "edition": edition,
        "suite": {"name": "round_trips", "version": "0"},
    }
    clients = (Raw(adapter), StdioClient(adapter))
    for client in clients:
        client.call("initialize", hello)
    rates = [[rate(client) for client in clients] for _ in range(ROUNDS)]
    for client in clients:
        client.close()
    return max(raw for raw, _ in rates), max(checked for _, checked in rates)


def main() -> None:
    """
    Print both rates and their ratio.
    """
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--adapter", default=f"{sys.executable} -m dsh_reference")
    parser.add_argument("--edition", default="2026-08")
    options = parser.parse_args()
    raw, checked = best(options.adapter, options.edition)
    print(f"raw line-JSON      {raw:9.0f} round trips a second")
    print(f"checked over stdio {checked:9.0f} round trips a second")
    print(f"ratio              {checked / raw:9.2f} (target: at least {TARGET})")


if __name__ == "__main__":
    main()
