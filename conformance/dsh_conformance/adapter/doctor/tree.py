"""
Probes of the tree task flow's capabilities.
"""

from __future__ import annotations

import re

from dsh_conformance.adapter.doctor.answers import Amiss, Json
from dsh_conformance.adapter.doctor.bench import AGENT, Bench
from dsh_conformance.adapter.doctor.host import assistant, message, person
from dsh_conformance.adapter.doctor.probes import Probe

GOAL, TASK, STEP = "Get well", "See a doctor", "Make an appointment"
CREATE = {"title": GOAL, "tasks": [{"title": TASK}]}
STATUS, PAUSE, RESUME = "/task-tree status", "/task-tree pause", "/task-tree resume"


def _planned(bench: Bench, *, services: tuple[str, ...] = (), config: Json | None = None) -> str:
    bench.start("tree", services=services, config=config)
    session = bench.enter_agent()
    bench.done("tree_task_create", CREATE)
    return session


def _id_of(title: str, text: str) -> str:
    found = re.search(rf"(\S+)  {re.escape(title)}", text)
    if found is None:
        raise Amiss(f"no id stands before {title!r}", value=text)
    return found[1]


def _broken_down(bench: Bench) -> str:
    task = _id_of(TASK, bench.done("tree_task_status", {}))
    plan = {"parentId": task, "children": [{"title": STEP}]}
    return _id_of(STEP, bench.done("tree_task_plan", plan))


def _works(bench: Bench) -> str | None:
    _planned(bench)
    step = _broken_down(bench)
    bench.done("tree_task_done", {"id": step, "result": "Tuesday"})
    bench.call("tree_task_done", {})
    bench.must("agent.say", agent=AGENT, text="hello")
    if not bench.must("agent.inbox", agent=AGENT)["messages"]:
        raise Amiss("agent.inbox does not show what agent.say queued")
    bench.must("step.enter", agent=AGENT)
    bench.must("turn.stop", agent=AGENT, aborted=False)
    bench.must("plugin.unload", plugin="tree")
    return None


def _fold(bench: Bench) -> str | None:
    _planned(bench)
    work = message("assistant", "I work.")
    begun, finished = (
        assistant("I plan.", "tree_task_create", "c1"),
        assistant("I finish.", "tree_task_done", "c2"),
    )
    events = [person("Build it."), *begun, work, *finished]
    bench.must("log.append", agent=AGENT, events=events)
    _enter(bench, "entered")
    texts = [one["text"] for one in bench.must("surface.read", agent=AGENT)["messages"]]
    if "I work." in texts or "I finish." not in texts:
        raise Amiss(
            "work between tree_task_create and tree_task_done stays after step.enter",
            "let step.enter make the host ask its plugins, as before a model request",
            value=repr(texts),
        )
    return None


def _enter(bench: Bench, state: str) -> str:
    entered = bench.must("step.enter", agent=AGENT)
    if entered["state"] != state:
        raise Amiss(f"step.enter answered {entered['state']!r}, not {state!r}")
    return str(entered["step"])


def _commands(bench: Bench) -> str | None:
    _planned(bench, services=("commands",))
    if not bench.must("commands.list")["commands"]:
        raise Amiss("commands.list names no command")
    _run(bench, STATUS)
    return None


def _run(bench: Bench, line: str) -> None:
    answer = bench.must("commands.run", agent=AGENT, line=line)
    if answer["kind"] != "success":
        raise Amiss(f"{line} ended in an error", value=answer["text"])


def _pause(bench: Bench) -> str | None:
    _planned(bench, services=("commands",))
    _run(bench, PAUSE)
    step = _enter(bench, "held")
    _run(bench, RESUME)
    if not bench.soon(lambda: _state(bench, step) == "entered", "the step went on"):
        raise Amiss("a held step does not go on after resume")
    _run(bench, PAUSE)
    aborted = _enter(bench, "held")
    bench.must("step.abort", step=aborted)
    if _state(bench, aborted) == "held":
        raise Amiss("a held step is held after step.abort")
    return None


def _state(bench: Bench, step: str) -> str:
    return str(bench.must("step.poll", step=step)["state"])


def _autocontinue(bench: Bench) -> str | None:
    _planned(bench, config={"autoContinue": True})
    _broken_down(bench)
    if not bench.must("agent.idle", agent=AGENT)["pushed"]:
        raise Amiss(
            "an idle agent with an open step gets no message",
            "agent.idle reports the status `idle` to the plugins and answers what they pushed",
        )
    bench.must("turn.stop", agent=AGENT, aborted=True)
    return None


def _kept(bench: Bench) -> str | None:
    session = _planned(bench)
    if not any(path.is_file() for path in bench.state_dir.rglob("*")):
        raise Amiss(
            "no file appears in the state folder",
            "hand `stateDir` of reset to the plugin as its root folder",
        )
    bench.must("reload")
    bench.enter_agent(session=session)
    text = bench.done("tree_task_status", {})
    if GOAL not in text:
        raise Amiss("the plan did not survive reload", value=text)
    return None


def _panel(bench: Bench) -> str | None:
    _planned(bench)
    if bench.must("panel.read", agent=AGENT) is None:
        raise Amiss("panel.read shows nothing, though there is a plan")
    return None


PROBES = (
    Probe(
        "tree",
        "tree",
        "a goal is planned, worked on and finished",
        "let reset load tree with stateDir; write tools.*, agent.say, agent.inbox, step.enter, "
        "turn.stop and plugin.unload",
        _works,
    ),
    Probe(
        "tree",
        "tree.fold",
        "finished work is folded before a step",
        "write log.append, surface.read and step.enter",
        _fold,
    ),
    Probe(
        "tree",
        "tree.commands",
        "the command answers",
        "write commands.list and commands.run, with the service `commands`",
        _commands,
    ),
    Probe(
        "tree",
        "tree.pause",
        "a step is held, and let go",
        "write step.enter, step.poll and step.abort; commands.run pauses",
        _pause,
    ),
    Probe(
        "tree",
        "tree.autocontinue",
        "an idle agent is pushed on",
        "write agent.idle and turn.stop",
        _autocontinue,
    ),
    Probe(
        "tree",
        "tree.state",
        "a plan is on disk and survives a restart",
        "let reset take stateDir; write reload",
        _kept,
    ),
    Probe("tree", "tree.panel", "the strip is shown as data", "write panel.read", _panel),
)
