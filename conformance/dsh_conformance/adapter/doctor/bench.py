"""
The bench that probes work on: one connection, watched while it is used.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dsh_conformance.adapter.connection import Connection
from dsh_conformance.adapter.doctor.answers import (
    LET_FINISH,
    Amiss,
    Json,
    inner_reply,
    is_adapter_error,
    refusal,
    remedy,
    slip_of,
)
from dsh_conformance.adapter.doctor.pace import Pace
from dsh_conformance.adapter.protocol import METHOD_NOT_FOUND, UNSUPPORTED, Reply
from dsh_conformance.adapter.schemas import checker

AGENT = "ann"
# The end of a stack trace.
SAID = 400
LATE_LOOKS = 5
# Ready work takes microseconds; a fifth of a second in all tells "late" from "never".
LATE_LOOK_SECONDS = 0.04


@dataclass(frozen=True, slots=True)
class Tool:
    """
    A tool as `tools.list` shows it.
    """

    name: str
    properties: tuple[str, ...]

    @property
    def id_key(self) -> str:
        """
        The parameter that takes an id: `task_id` in one edition, `job_id` in another.
        """
        return next((key for key in self.properties if key.endswith("_id")), "task_id")


class Bench:
    """
    Calls an adapter for the probes, and notes what its errors and its speed are like.

    Args:
        connection: An adapter that is up.
        configs: The settings that a plugin gets when a probe names none, by plugin.
    """

    def __init__(self, connection: Connection, configs: dict[str, Json]) -> None:
        self.connection = connection
        self.pace = Pace()
        self.slips: dict[str, str] = {}
        self.state_dir = Path(tempfile.mkdtemp(prefix="dsh-doctor-"))
        self._configs = configs

    def __repr__(self) -> str:
        return f"<Bench with {self.connection!r}>"

    @property
    def declared(self) -> frozenset[str]:
        """
        The capabilities that the adapter declares.
        """
        return self.connection.info.capabilities

    @property
    def virtual(self) -> bool:
        """
        Whether the adapter moves its own clock.
        """
        return self.connection.info.clock == "virtual"

    def close(self) -> None:
        """
        Take the state folder away.
        """
        shutil.rmtree(self.state_dir, ignore_errors=True)

    # Calls

    def ask(self, method: str, **params: Any) -> Reply:
        """
        Make one call, whatever it answers.
        """
        _compile_checks(method)
        started = time.perf_counter()
        reply = self.connection.call(method, params)
        self.pace.took(method, time.perf_counter() - started)
        slip = slip_of(reply)
        if slip is not None:
            self.slips.setdefault(method, slip)
        return reply

    def ask_many(self, method: str, params: Json, *, times: int) -> list[Reply]:
        """
        Make one call several times, written ahead where the transport can.
        """
        started = time.perf_counter()
        replies = self.connection.call_many([(method, params)] * times)
        self.pace.took(method, time.perf_counter() - started, calls=times)
        return replies

    def must(self, method: str, **params: Any) -> Any:
        """
        Make one call that has to work, and return its result.

        Raises:
            Amiss: It was refused.
        """
        reply = self.ask(method, **params)
        if not reply.ok:
            said = self._said() if is_adapter_error(reply) else None
            raise Amiss(f"{method} {refusal(reply)}", remedy(method, reply), value=said)
        return reply.result

    def together(self, *calls: tuple[str, Json]) -> list[Reply]:
        """
        Run calls in one instant.

        Raises:
            Amiss: `together` is not there, or does not answer each call in order.
        """
        listed = [{"method": method, "params": params} for method, params in calls]
        results = self.must("together", calls=listed)["results"]
        if len(results) != len(calls):
            raise Amiss(
                f"together answered {len(results)} of {len(calls)} calls",
                "answer each call, in order, with {result} or {error}",
            )
        return [inner_reply(method, one) for (method, _), one in zip(calls, results, strict=True)]

    # Stage

    def start(
        self, *plugins: str, services: tuple[str, ...] = (), config: Json | None = None
    ) -> None:
        """
        Begin on a fresh composition and an empty state folder.
        """
        shutil.rmtree(self.state_dir, ignore_errors=True)
        self.state_dir.mkdir()
        chosen = [self._choice(name, config) for name in plugins]
        params: Json = {"plugins": chosen}
        if services:
            params["services"] = list(services)
        if "tree" in plugins:
            params["stateDir"] = str(self.state_dir)
        self.must("reset", **params)

    def enter_agent(self, agent: str = AGENT, session: str | None = None) -> str:
        """
        Create an agent and return its session.
        """
        known = {} if session is None else {"session": session}
        return str(self.must("agent.create", agent=agent, **known)["session"])

    def tools(self) -> list[Tool]:
        """
        The tools in scope of the agent.
        """
        listed = self.must("tools.list", agent=AGENT)["tools"]
        return [
            Tool(tool["name"], tuple(tool["parameters"].get("properties", ()))) for tool in listed
        ]

    def tool(self, ending: str) -> Tool:
        """
        Return the tool whose name ends so.

        Raises:
            Amiss: There is none.
        """
        tools = self.tools()
        for tool in tools:
            if tool.name.endswith(ending):
                return tool
        names = ", ".join(tool.name for tool in tools) or "none"
        raise Amiss(
            f"no tool named …{ending} in tools.list",
            "list the tools that the loaded plugins offer, by their own names",
            value=names,
        )

    def call(self, tool: str, arguments: Any, *, agent: str | None = AGENT) -> Json:
        """
        Call a tool and return its Result.

        Raises:
            Amiss: It was answered with an error of the protocol.
        """
        who = {} if agent is None else {"agent": agent}
        reply = self.ask("tools.call", name=tool, arguments=arguments, **who)
        if not reply.ok:
            raise Amiss(
                f"tools.call of {tool} {refusal(reply)}",
                remedy("tools.call", reply)
                if reply.code in {METHOD_NOT_FOUND, UNSUPPORTED}
                else "a tool that refuses is a normal result with isError: true",
            )
        result: Json = reply.result
        return result

    def done(self, tool: str, arguments: Any) -> str:
        """
        Call a tool that has to end well at once, and return its text.

        Raises:
            Amiss: It did not.
        """
        result = self.call(tool, arguments)
        if not result["done"]:
            raise Amiss(f"{tool} was still running when tools.call was answered", LET_FINISH)
        if result["isError"]:
            raise Amiss(f"{tool} refused the simplest call", value=result["text"])
        return str(result["text"])

    def refused(self, method: str, **params: Any) -> Reply:
        """
        Make one call that has to be refused.

        Raises:
            Amiss: It worked.
        """
        reply = self.ask(method, **params)
        if reply.ok:
            raise Amiss(f"{method} worked", value=repr(reply.result))
        return reply

    def soon(self, look: Callable[[], bool], what: str) -> bool:
        """
        Say whether something is there already; never there is the implementation's affair.

        Raises:
            Amiss: It came late: the adapter answered before ready work was done.
        """
        if look():
            return True
        for number in range(1, LATE_LOOKS + 1):
            time.sleep(LATE_LOOK_SECONDS)
            if look():
                raise Amiss(f"{what} only {number * LATE_LOOK_SECONDS:.2f} s later", LET_FINISH)
        return False

    def _choice(self, name: str, config: Json | None) -> Json:
        chosen = self._configs.get(name) if config is None else config
        return {"name": name} if chosen is None else {"name": name, "config": chosen}

    def _said(self) -> str | None:
        text = self.connection.stderr_text.strip()
        return f"standard error ends: {text[-SAID:]}" if text else None


def _compile_checks(method: str) -> None:
    # Compiled at first use, which is no time of the adapter's.
    for end in ("params", "result"):
        checker(f"{method}.{end}")
