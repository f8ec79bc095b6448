#!/usr/bin/env python3
"""
An adapter for dsh-conformance: JSON-RPC 2.0 over stdio, one message a line, answered in order.

A method of the protocol is a method of `Adapter`: dots become underscores, parameters keep the
wire's names. So the class also runs in-process, as `--adapter adapter:Adapter`.
"""

# Types, and what to do with parameters that are not used yet, are yours to settle.

import json
import sys

PROTOCOL_VERSION = 1
EDITIONS = ["2026-08", "0.1.0-rc.8"]
# What works: "log", "surface", "request", "todo", "tasks", … The doctor tells what to add.
CAPABILITIES = []

METHOD_NOT_FOUND = -32601
INTERNAL_ERROR = -32603
UNSUPPORTED = 1  # Yours cannot do this; data says why.
LOAD_FAILED = 2  # Yours refused its configuration; the message is its own text.
REJECTED = 3  # Yours refused something of the log or the task registry; its own text.


class Failure(Exception):
    """
    An answer with an error of the protocol.
    """

    def __init__(self, code, message, data=None):
        super().__init__(message)
        self.code = code
        self.data = data


def unsupported(reason):
    """
    Say that the implementation has no such thing.
    """
    return Failure(UNSUPPORTED, reason, {"reason": reason})


class Adapter:
    """
    Drives the implementation.
    """

    def __init__(self):
        self.now = 0
        self.agents = {}

    def initialize(self, *, protocolVersion, edition, suite):
        """
        Shake hands.
        """
        return {
            "protocolVersion": PROTOCOL_VERSION,
            "implementation": {"name": "my-harness", "version": "0.1.0", "language": "Python"},
            "editions": EDITIONS,
            "capabilities": CAPABILITIES,
            "clock": "virtual",
        }

    def reset(self, *, plugins, services=(), stateDir=None):
        """
        Start over: no agents, no log, the clock at 0, these plugins loaded.
        """
        self.now = 0
        self.agents = {}
        for plugin in plugins:
            # WRITE HERE: load yours with plugin.get("config"); drop the old composition first.
            raise unsupported(f"plugin {plugin['name']} is not driven yet")
        return {}

    def together(self, *, calls):
        """
        Run calls in one instant: let ready work go only after the last.
        """
        answers = [answer_to(self, call["method"], call["params"]) for call in calls]
        return {"results": answers}

    def clock_advance(self, *, ms):
        """
        Move the clock; run everything that is due by then.
        """
        self.now += ms
        return {"now": self.now}

    def shutdown(self):
        """
        Let go of everything.
        """
        return {}

    # WRITE HERE, one after the other; `dsh-conformance doctor` names the next one:
    #
    # def agent_create(self, *, agent, session=None):      → {"session": id}
    # def log_append(self, *, agent, events):              → {"seqs": [number of each event]}
    # def log_read(self, *, agent, after=-1):              → {"events": [event with seq]}
    # def tools_list(self, *, agent=None):                 → {"tools": [name, description, …]}
    # def tools_call(self, *, name, arguments, agent=None):
    #     → {"done": True, "isError": False, "text": …}; finish all ready work before you return.


def answer_to(adapter, method, params):
    """
    Call a method and return {"result": …} or {"error": …}.
    """
    function = getattr(adapter, method.replace(".", "_"), None)
    if method.startswith("_") or not callable(function):
        message = f"method not found: {method}"
        return {"error": {"code": METHOD_NOT_FOUND, "message": message}}
    try:
        return {"result": function(**params)}
    except Failure as failure:
        error = {"code": failure.code, "message": str(failure), "data": failure.data}
        return {"error": {key: value for key, value in error.items() if value is not None}}
    except Exception as error:  # noqa: BLE001  # Whatever it is, the suite gets an answer.
        sys.stderr.write(f"{method}: {error!r}\n")
        message = f"{type(error).__name__}: {error}"
        return {"error": {"code": INTERNAL_ERROR, "message": message}}


def main():
    """
    Answer line by line until `shutdown` or the end of the input.
    """
    adapter = Adapter()
    for line in sys.stdin.buffer:
        request = json.loads(line)
        answer = answer_to(adapter, request["method"], request.get("params", {}))
        reply = {"jsonrpc": "2.0", "id": request["id"], **answer}
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()
        if request["method"] == "shutdown":
            return


if __name__ == "__main__":
    main()
