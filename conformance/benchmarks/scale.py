"""
How the reference's cost grows with its input: times of one run, and the exponents between them.

An exponent of 1 is proportional growth; of 0, none. Run as
`python conformance/benchmarks/scale.py`.
"""

from __future__ import annotations

import gc
import json
import math
import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

from dsh_reference.adapter import Adapter

SIZES = (1_000, 10_000, 100_000)
REPEATS = 3


def timed(action: Callable[[], Any]) -> float:
    """
    Return the seconds that an action takes.
    """
    gc.collect()
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def show(what: str, seconds: list[float], sizes: tuple[int, ...] = SIZES) -> None:
    """
    Print the times and the exponent from each size to the next.
    """
    points = list(zip(sizes, seconds, strict=True))
    exponents = [
        math.log(later / earlier) / math.log(more / fewer)
        for (fewer, earlier), (more, later) in pairwise(points)
    ]
    times = "  ".join(f"{size:>7}: {second * 1000:9.2f} ms" for size, second in points)
    print(f"{what:<44}{times}   exponents {', '.join(f'{e:.2f}' for e in exponents)}")


def fresh(plugin: str, **more: Any) -> Any:
    """
    Return an adapter with one plugin and one agent.
    """
    adapter: Any = Adapter()
    adapter.reset(plugins=[{"name": plugin}], **more)
    adapter.agent_create(agent="alice")
    return adapter


def tasks() -> None:
    """
    Background work of one owner: start, list, settle, read.
    """
    runs = [task_phases(size) for size in SIZES]
    for phase in runs[0]:
        show(f"tasks: {phase}", [run[phase] for run in runs])


def task_phases(size: int) -> dict[str, float]:
    """
    Return the seconds of each phase in the life of so many tasks.
    """
    adapter = fresh("tasks")
    work = {"kind": "bash", "label": "sleep", "owner": "alice", "mode": "stream"}
    ids: list[str] = []
    every = {"agent": "alice", "name": "task_list", "arguments": {}}
    return {
        "start all": timed(
            lambda: ids.extend(adapter.tasks_start(**work)["id"] for _ in range(size))
        ),
        "list all, one call": timed(lambda: adapter.tools_call(**every)),
        "settle all": timed(
            lambda: [adapter.tasks_settle(id=one, status="completed") for one in ids]
        ),
        "read all": timed(lambda: [read(adapter, one) for one in ids]),
    }


def read(adapter: Any, task: str) -> None:
    """
    Read a task's output.
    """
    adapter.tools_call(agent="alice", name="task_output", arguments={"task_id": task})


def message(kind: str, text: str, **more: Any) -> dict[str, Any]:
    """
    Return a message event.
    """
    return {"type": "message", "message": {"kind": kind, "text": text, **more}}


def boundary(name: str) -> list[dict[str, Any]]:
    """
    Return a boundary call with its result.
    """
    call = {"id": "c", "name": name, "arguments": "{}"}
    return [message("assistant", "", calls=[call]), message("tool", "ok", call="c")]


def folds() -> None:
    """
    One fold: by the length of its range, by what stands before it, and by what was folded before.
    """
    by_range, by_context, by_history = [], [], []
    with tempfile.TemporaryDirectory() as state:
        for size in SIZES:
            by_range.append(one_fold(state, before=10, inside=size))
            by_context.append(one_fold(state, before=size, inside=10))
        rounds = (100, 1_000, 10_000)
        by_history += [later_fold(state, count) for count in rounds]
    show("tree: one fold of so many messages", by_range)
    show("tree: a fold of 10 behind so many messages", by_context)
    show("tree: a fold of 10 after so many folds", by_history, rounds)


def one_fold(state: str, *, before: int, inside: int) -> float:
    """
    Return the seconds of a step that folds, the best of a few.
    """
    return min(_one_fold(state, before, inside) for _ in range(REPEATS))


def _one_fold(state: str, before: int, inside: int) -> float:
    adapter = fresh("tree", stateDir=state)
    events = [message("system", "s"), *[message("assistant", "talk") for _ in range(before)]]
    events += boundary("tree_task_plan")
    events += [message("assistant", "work") for _ in range(inside)]
    events += boundary("tree_task_done")
    adapter.log_append(agent="alice", events=events)
    return timed(lambda: adapter.step_enter(agent="alice"))


def later_fold(state: str, count: int) -> float:
    """
    Return the seconds of the last of so many folds, the best of a few at the end.
    """
    adapter = fresh("tree", stateDir=state)
    work = [message("assistant", "work") for _ in range(10)]
    adapter.log_append(agent="alice", events=[message("system", "s"), *boundary("tree_task_plan")])
    best = math.inf
    for number in range(count):
        adapter.log_append(agent="alice", events=[*work, *boundary("tree_task_done")])
        if number < count - REPEATS:
            adapter.step_enter(agent="alice")
        else:
            best = min(best, timed(lambda: adapter.step_enter(agent="alice")))
    return best


def state_files() -> None:
    """
    One change of the plan: how much is written, against the size of the plan.
    """
    for nodes in (10, 100, 1_000):
        with tempfile.TemporaryDirectory() as state:
            adapter = fresh("tree", stateDir=state)
            children = [{"title": f"task {n}"} for n in range(nodes)]
            create(adapter, children)
            plan = next(Path(state).glob("plans/*.json"))
            before = plan.stat()
            create(adapter, [{"title": "one more"}])
            after = plan.stat()
            size = len(json.dumps(children))
            print(
                f"tree: plan of {nodes:>5} tasks  {after.st_size:>8} bytes on disk, "
                f"{after.st_size / size:5.1f} bytes a byte of titles, "
                f"file replaced by a change: {before.st_ino != after.st_ino}"
            )


def create(adapter: Any, tasks_: list[dict[str, str]]) -> None:
    """
    Create a goal with these tasks.
    """
    arguments = {"title": "goal", "tasks": tasks_}
    adapter.tools_call(agent="alice", name="tree_task_create", arguments=arguments)


if __name__ == "__main__":
    tasks()
    folds()
    state_files()
