"""
Probes of the todo plugin's capabilities.
"""

from __future__ import annotations

from dsh_conformance.adapter.doctor.answers import Amiss
from dsh_conformance.adapter.doctor.bench import AGENT, Bench
from dsh_conformance.adapter.doctor.probes import Probe

TOOL = "todo_write"
KEY = "todos"
LIST = [{"content": "look", "status": "in_progress"}, {"content": "leap", "status": "pending"}]
WRITE = {"todos": LIST}


def _works(bench: Bench) -> str | None:
    bench.start("todo")
    bench.enter_agent()
    tool = bench.tool(TOOL)
    bench.done(tool.name, WRITE)
    if "log" in bench.declared:
        _logged(bench)
    # Whether these are refused is for a run to say; here they only need an answer.
    bench.call(tool.name, {})
    bench.call(tool.name, WRITE, agent=None)
    bench.must("plugin.unload", plugin="todo")
    return None


def _logged(bench: Bench) -> None:
    events = bench.must("log.read", agent=AGENT)["events"]
    lists = [one["todos"] for one in events if one["type"] == "todo/write"]
    if lists != [LIST]:
        raise Amiss(
            "log.read does not show what todo_write wrote",
            'show it as one {type: "todo/write", todos} event, the list as it was stored',
            value=repr(events),
        )


def _projection(bench: Bench) -> str | None:
    bench.start("todo", services=("projections",))
    bench.enter_agent()
    bench.done(TOOL, WRITE)
    read = bench.must("projection.read", agent=AGENT, key=KEY)
    if not read["present"] or read.get("value") != LIST:
        raise Amiss("projection.read does not show the list", value=repr(read))
    events = [{"type": "todo/write", "todos": LIST}, {"type": "turn/end"}]
    fold = bench.must("projection.fold", key=KEY, events=events)
    if not len(fold["states"]) == len(fold["sameAsBefore"]) == len(events):
        raise Amiss("projection.fold has to answer one entry an event", value=repr(fold))
    bench.start("todo")
    bench.must("service.mount", service="projections")
    return None


def _present(bench: Bench) -> str | None:
    bench.start("todo")
    if bench.must("tools.present", name=TOOL, arguments=WRITE) is None:
        raise Amiss("tools.present shows no card for a right call of todo_write")
    return None


def _exports(bench: Bench) -> str | None:
    bench.start()
    described = bench.must("plugin.describe", plugin="todo")
    if not described["name"] or not described["exports"]:
        raise Amiss("plugin.describe names no exports", value=repr(described))
    return None


PROBES = (
    Probe(
        "todo",
        "todo",
        "loads, is called, is unloaded",
        "let reset load todo; write agent.create, tools.list, tools.call and plugin.unload",
        _works,
    ),
    Probe(
        "todo",
        "todo.projection",
        "is served and can be folded",
        "write projection.read, projection.fold and service.mount, with the service `projections`",
        _projection,
    ),
    Probe(
        "todo",
        "todo.present",
        "a call has its card",
        "write tools.present",
        _present,
    ),
    Probe(
        "todo",
        "todo.exports",
        "the module's face is described",
        "write plugin.describe",
        _exports,
    ),
)
