"""
The machine of background tasks: producers, readers, waits, kills, owners that come and go.
"""

from __future__ import annotations

import base64
from functools import partial
from typing import Any

from hypothesis import strategies as st

from dsh_conformance.generate import texts
from dsh_conformance.generate.blame import blamed
from dsh_conformance.generate.blame_tasks import BLAME
from dsh_conformance.generate.book_tasks import LONGEST_WAIT
from dsh_conformance.generate.laws_all import request_grows, restarts
from dsh_conformance.generate.laws_notices import announced_once
from dsh_conformance.generate.laws_tasks import LAWS as TASK_LAWS
from dsh_conformance.generate.machine import Machine
from dsh_conformance.generate.stage import Rule, Stage, walk
from dsh_conformance.generate.stage_tasks import (
    NAMES,
    NOT_IDS,
    TIMEOUTS,
    caller,
    create_agent,
    read_of,
    reader_of,
    some_ident,
    some_owner,
    some_task,
    start_for,
    wait_on,
)
from dsh_conformance.scenario.verbs import NOBODY

LIMITED = "0.1.0-rc.8"
_OUTPUT = st.one_of(texts.words, texts.trouble, st.sampled_from(("\n", "a\n", "\n\n", " ", "")))
_ADVANCES = (1, 499, 500, 1000, 29_999, 30_000, 600_000)
_DETAILS = ("exit code: 0", "exit code: 1", "signal: SIGTERM", "a]b", "line\nbreak")
_ODD: tuple[Any, ...] = (None, 3, True, "5", "yes", ["x"], {})
_REASONS = ("no longer needed", "", 'quote " and \n break', " blanks around ")


def fill(stage: Stage) -> None:
    """
    Draw a program.
    """
    stage.plugins = ("tasks",)
    create_agent(stage)
    # Little happens before there is work, so most programs begin with some.
    if stage.chance(2):
        create_agent(stage)
    for _ in range(stage.pick((1, 1, 2, 0))):
        _start(stage)
    walk(stage, RULES)
    _close(stage)


def _start(stage: Stage) -> None:
    start_for(stage, some_owner(stage))


def _many(stage: Stage) -> None:
    # As many as an owner may have in an edition that limits them, and some more.
    for _ in range(6):
        _start(stage)


def _emit(stage: Stage) -> None:
    stage.add({"emit": some_task(stage), "output": stage.draw(_OUTPUT)})


def _emit_and_read(stage: Stage) -> None:
    task = some_task(stage)
    stage.add({"emit": task, "output": stage.draw(_OUTPUT)})
    read_of(stage, task)


def _emit_split(stage: Stage) -> None:
    data = stage.pick(("é", "日本", "😀x", "a😀")).encode()
    cut = stage.draw(st.integers(1, len(data) - 1))
    task = some_task(stage)
    stage.add({"emit": task, "base64": base64.b64encode(data[:cut]).decode()})
    if stage.chance(3):
        other = some_task(stage)
        stage.add({"emit": other, "base64": base64.b64encode("é".encode()).decode()})
        read_of(stage, other)
    if stage.chance(2):
        read_of(stage, task)
    stage.add({"emit": task, "base64": base64.b64encode(data[cut:]).decode()})


def _settle(stage: Stage) -> None:
    step: dict[str, Any] = {"settle": some_task(stage)}
    if stage.chance(8):
        step["reject"] = "it broke"
    else:
        step["status"] = stage.pick(("completed", "failed", "killed"))
        if stage.chance(2):
            step["detail"] = stage.pick(_DETAILS)
        if stage.chance(3):
            step["output"] = stage.draw(_OUTPUT)
    stage.add(step)


def _read(stage: Stage) -> None:
    read_of(stage, some_ident(stage))


def _wait(stage: Stage) -> None:
    wait_on(stage, some_ident(stage), stage.pick(TIMEOUTS) if stage.chance(2) else None)


def _bad_wait(stage: Stage) -> None:
    ident = some_ident(stage) if stage.chance(2) else stage.pick(NOT_IDS)
    wait_on(stage, ident, stage.pick((0, -1)))


def _wait_out(stage: Stage) -> None:
    timeout: float = stage.pick((1, 500, 500, 0.5, 30_000, 3_000_000_000))
    wait = wait_on(stage, some_task(stage), timeout)
    if stage.chance(2):
        _emit(stage)
    # Whole milliseconds: a fraction of one is no time that a host's clock must be able to show.
    whole = max(1, int(min(timeout, LONGEST_WAIT)))
    stage.add({"advance": stage.pick((whole, whole, max(1, whole // 2)))})
    stage.add({"poll": wait})


def _wait_and_abort(stage: Stage) -> None:
    stage.add({"abort": wait_on(stage, some_task(stage), None)})


def _collect(stage: Stage) -> None:
    task = some_task(stage)
    step = {"settle": task, "status": "completed"}
    if stage.chance(2):
        step["output"] = stage.draw(_OUTPUT)
    stage.add(step)
    for _ in range(1 + stage.draw(st.integers(0, 2))):
        read_of(stage, task)


def _wait_then(stage: Stage, verb: str) -> None:
    stage.add({verb: f"{{{stage.pick(stage.names('wait'))}}}"})


def _odd_arguments(stage: Stage) -> None:
    tool = stage.pick(("task_output", "task_kill"))
    ident = some_ident(stage) if _has_task(stage) else "x"
    arguments: dict[str, Any] = stage.pick(({}, {"task_id": ident}))
    for name in ("task_id", "reason", "wait", "timeout_ms"):
        if stage.chance(3):
            arguments = {**arguments, name: stage.pick(_ODD)}
    stage.add({"call": tool, "by": caller(stage), "with": arguments})


def _list(stage: Stage) -> None:
    stage.add({"call": "task_list", "by": caller(stage), "with": {}})


def _kill(stage: Stage) -> None:
    arguments = {"task_id": some_ident(stage)}
    if stage.chance(2):
        arguments["reason"] = stage.pick(_REASONS)
    by = reader_of(stage, arguments["task_id"])
    stage.add({"call": "task_kill", "by": by, "with": arguments})
    if arguments["task_id"].strip("{}") in stage.names("task") and stage.chance(2):
        stage.add({"cancellations": arguments["task_id"]})


def _meddle(stage: Stage) -> None:
    # What a stranger tries leaves no trace: the work goes on, ends, and its owner is told.
    task = some_task(stage)
    owner = stage.facts[task.strip("{}")]
    strangers = [one for one in (*stage.agents, NOBODY) if one != owner]
    tool = stage.pick(("task_kill", "task_kill", "task_output"))
    stage.add({"call": tool, "by": stage.pick(strangers), "with": {"task_id": task}})
    stage.add({"settle": task, "status": "completed"})
    _inbox(stage)


def _cancellations(stage: Stage) -> None:
    stage.add({"cancellations": some_task(stage)})


def _race(stage: Stage) -> None:
    # An abort and the settlement in one instant; afterwards somebody must have been told.
    task = some_task(stage)
    wait = wait_on(stage, task, None)
    steps = [{"abort": wait}, {"settle": task, "status": "completed"}]
    stage.add({"together": steps if stage.chance(2) else steps[::-1]})
    stage.add({"poll": wait})
    _inbox(stage)


def _advance(stage: Stage) -> None:
    stage.add({"advance": stage.pick(_ADVANCES)})


def _enter(stage: Stage) -> None:
    stage.add({"enter": stage.agent()})


def _say(stage: Stage) -> None:
    stage.add({"append": stage.agent(), "events": [{"human": stage.draw(texts.words)}]})


def _inbox(stage: Stage) -> None:
    agent = stage.agent()
    if stage.has("log"):
        stage.add({"log": agent})
    stage.add({"inbox": agent})


def _look(stage: Stage, verb: str) -> None:
    stage.add({verb: stage.agent()})


def _namesake(stage: Stage) -> None:
    # A second agent of the first one's session; each has work, and one of them goes.
    stage.facts[f"session of {NAMES[1]}"] = stage.facts[f"session of {NAMES[0]}"]
    create_agent(stage)
    for agent in NAMES:
        start_for(stage, agent)
    _dispose(stage)


def _dispose(stage: Stage) -> None:
    agent = stage.agent()
    stage.agents.remove(agent)
    stage.facts["disposed"] = True
    stage.add({"dispose": agent})
    if stage.chance(4):
        start_for(stage, agent)
    _list(stage)
    if _has_task(stage):
        read_of(stage, some_task(stage))


def _reload(stage: Stage) -> None:
    for agent in stage.agents:
        stage.add({"enter": agent})
    stage.add({"reload": "all"})
    # Producers and waits of before are gone with their process; only ids may still be asked for.
    stage.known["old"] = stage.names("old", "task")
    stage.known["task"], stage.known["wait"] = [], []
    stage.facts.pop("disposed", None)
    for agent in stage.agents:
        stage.add({"agent": agent, "session": stage.facts[f"session of {agent}"]})


def _has_task(stage: Stage) -> bool:
    return bool(stage.names("task"))


def _has_wait(stage: Stage) -> bool:
    return bool(stage.names("wait"))


RULES = (
    Rule(_start, weight=2, always=True),
    Rule(create_agent, ready=lambda stage: len(stage.agents) < 2),
    Rule(_many, ready=lambda stage: stage.scope.edition == LIMITED),
    Rule(_namesake, ready=lambda one: one.agents == [NAMES[0]], needs=frozenset({"tasks.dispose"})),
    Rule(_emit, ready=_has_task),
    Rule(_emit_and_read, ready=_has_task, weight=3),
    Rule(_emit_split, ready=_has_task),
    Rule(_settle, ready=_has_task, weight=2),
    Rule(_read, ready=_has_task, weight=3),
    Rule(_wait, ready=_has_task, weight=2),
    Rule(_wait_out, ready=_has_task),
    Rule(_wait_and_abort, ready=_has_task),
    Rule(_bad_wait, ready=_has_task),
    Rule(_collect, ready=_has_task),
    Rule(partial(_wait_then, verb="poll"), ready=_has_wait),
    Rule(partial(_wait_then, verb="abort"), ready=_has_wait),
    Rule(_odd_arguments),
    Rule(_list),
    Rule(_kill, ready=_has_task, weight=2),
    Rule(_meddle, ready=_has_task),
    Rule(_cancellations, ready=_has_task),
    Rule(_race, ready=_has_task),
    Rule(_advance),
    Rule(_enter, needs=frozenset({"log"})),
    Rule(_say, needs=frozenset({"log"})),
    Rule(_inbox),
    Rule(partial(_look, verb="request"), needs=frozenset({"request"})),
    Rule(
        _dispose,
        weight=3,
        ready=lambda stage: len(stage.agents) > 1,
        needs=frozenset({"tasks.dispose"}),
    ),
    Rule(_reload, needs=frozenset({"log"})),
)


def _close(stage: Stage) -> None:
    for wait in stage.names("wait"):
        stage.add({"poll": f"{{{wait}}}"})
    for agent in stage.agents:
        _closing_look(stage, agent)
    if stage.chance(4) and stage.has("log"):
        _reload(stage)
        for agent in stage.agents:
            _closing_look(stage, agent)


def _closing_look(stage: Stage, agent: str) -> None:
    if stage.has("log"):
        stage.add({"log": agent})
    stage.add({"inbox": agent})
    for verb in ("surface", "request"):
        if stage.has(verb):
            stage.add({verb: agent})
    stage.add({"call": "task_list", "by": agent, "with": {}})


LAWS = (
    *TASK_LAWS,
    announced_once,
    request_grows("tasks.cost.append-only"),
    restarts({"surface": "tasks.notice.durable", "request": "tasks.cost.append-only"}),
)

_LAW_CLAUSES = (
    "tasks.id.form",
    "tasks.id.not-reused",
    "tasks.read.delta",
    "tasks.read.status-line",
    "tasks.notice.once",
    "tasks.notice.text",
    "tasks.notice.suppressed.kill",
    "tasks.notice.suppressed.wait",
    "tasks.access.fence",
    "tasks.list.visible",
    "tasks.wait.race",
    "tasks.wait.timeout-alive",
    "tasks.cost.append-only",
)

TASKS = Machine(
    name="tasks",
    plugin="tasks",
    needs=frozenset({"tasks"}),
    fill=fill,
    laws=LAWS,
    blame=partial(blamed, BLAME, "tasks.read.delta"),
    clauses=tuple(dict.fromkeys((*_LAW_CLAUSES, *(row.clause for row in BLAME)))),
    rules=len(RULES),
)
