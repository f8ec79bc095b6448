"""
The reference over stdio: JSON-RPC 2.0, one message a line, answered in order.

`python -m dsh_reference panel …` serves the tree's panel instead.
"""

from __future__ import annotations

import importlib
import json
import sys
import traceback
from collections.abc import Iterable
from inspect import signature
from typing import Any, TextIO

from dsh_reference.adapter import Adapter, refusal_of
from dsh_reference.errors import InvalidParams

PARSE_ERROR = -32700
INTERNAL_ERROR = -32603

# The parser recurses once a level; arguments nested ten thousand deep are still to be answered.
NESTING = 40_000


def main(argv: list[str]) -> int:
    """
    Serve the protocol until `shutdown` or the end of the input; return the exit status.
    """
    if argv[:1] == ["panel"]:
        panel: Any = importlib.import_module("dsh_reference.tree.panel_server")
        status: int = panel.main(argv[1:])
        return status
    sys.setrecursionlimit(NESTING)
    serve(sys.stdin.buffer, sys.stdout)
    return 0


def serve(lines: Iterable[bytes], out: TextIO) -> None:
    """
    Answer each line.
    """
    adapter = Adapter()
    for line in lines:
        request, answer = _answered(adapter, line)
        out.write(json.dumps({"jsonrpc": "2.0", "id": request.get("id"), **answer}) + "\n")
        out.flush()
        if request.get("method") == "shutdown":
            return


def _answered(adapter: Adapter, line: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    try:
        request: dict[str, Any] = json.loads(line)
    except (ValueError, RecursionError) as error:
        return {}, {"error": {"code": PARSE_ERROR, "message": f"not JSON: {error}"}}
    try:
        return request, {"result": _call(adapter, request["method"], request.get("params", {}))}
    except Exception as error:  # noqa: BLE001  # Whatever it is, the runner gets an answer.
        return request, {"error": _error_of(error)}


def _call(adapter: Adapter, method: str, params: dict[str, Any]) -> Any:
    try:
        return adapter.call(method, params)
    except TypeError as error:
        expected = signature(getattr(adapter, method.replace(".", "_")))
        try:
            expected.bind(**params)
        except TypeError as mismatch:
            raise InvalidParams(f"{method}: {mismatch}") from error
        raise


def _error_of(error: Exception) -> dict[str, Any]:
    refusal = refusal_of(error)
    if refusal is None:
        traceback.print_exception(error, file=sys.stderr)
        return {"code": INTERNAL_ERROR, "message": f"{type(error).__name__}: {error}"}
    return refusal


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
