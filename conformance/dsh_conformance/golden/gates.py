"""
Vectors over the gates: the pause (`pause`) and what is pushed to an idle agent (`autocontinue`).
"""

from __future__ import annotations

from dsh_conformance.golden.plans import tool_step
from dsh_conformance.golden.vectors import Names, Step, Vector, accepted, from_source

PLAN = {"title": "目标", "tasks": [{"title": "任务"}]}
AGENT = "alice"


def pause_steps(vector: Vector) -> list[Step]:
    """
    Return the script of a `pause` vector: after each operation every waiting step is looked at.
    """
    sessions = list(dict.fromkeys(op["session"] for op in vector["ops"] if "session" in op))
    script = _Pause()
    for session in sessions:
        script.steps += [
            {"agent": session},
            {"call": "tree_task_create", "by": session, "with": PLAN},
        ]
    for op in vector["ops"]:
        script.take(op)
    return script.steps


class _Pause:
    """
    A script being written from the operations of a `pause` vector.
    """

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._turn_of: dict[str, str] = {}
        self._waiting: list[str] = []
        self._aborted: set[str] = set()

    def take(self, op: Vector) -> None:
        """
        Add an operation, and a look at each step that waited before it.
        """
        before = list(self._waiting)
        getattr(self, "_" + op["op"].replace("-", "_"))(op)
        self._waiting = op["held"]
        for step in before:
            state = "held" if step in op["held"] else "entered"
            look = {"poll-step": f"{{{step}}}", "shows": state}
            self.steps.append({**look, "clause": _clause(op, state)})

    def _pause(self, op: Vector) -> None:
        self.steps.append({"command": "/task-tree pause", "by": op["session"]})

    def _resume(self, op: Vector) -> None:
        self.steps.append({"command": "/task-tree resume", "by": op["session"]})

    def _step(self, op: Vector) -> None:
        self._turn_of[op["id"]] = op["turn"]
        state = "held" if op["id"] in op["held"] else "entered"
        self.steps.append(
            {
                "enter": op["session"],
                "messages": [from_source(source) for source in op["messages"]],
                "aborted": op["turn"] in self._aborted,
                "shows": state,
                "bind": {op["id"]: "step"},
                "clause": _clause(op, state),
            }
        )

    def _abort(self, op: Vector) -> None:
        self._aborted.add(op["turn"])
        for step in self._waiting:
            if self._turn_of[step] == op["turn"]:
                self.steps.append({"abort-step": f"{{{step}}}"})

    def _turn_stopping(self, op: Vector) -> None:
        self.steps.append({"stop": op["session"], "aborted": op["turn"] in self._aborted})


def _clause(op: Vector, state: str) -> str:
    if state == "held":
        return "tree.pause.holds"
    return {
        "resume": "tree.pause.resume",
        "abort": "tree.pause.abort-frees",
        "turn-stopping": "tree.pause.abort-frees",
    }.get(op["op"], "tree.pause.human-passes")


def autocontinue_steps(vector: Vector) -> list[Step]:
    """
    Return the script of an `autocontinue` vector, up to where pushes are made to fail.
    """
    names = Names()
    steps: list[Step] = [{"agent": AGENT}]
    for op in vector["ops"]:
        if op["op"] == "followup-fails":
            return steps
        steps += _op(op, names)
    return steps


def _op(op: Vector, names: Names) -> list[Step]:
    kind = op["op"]
    if kind == "tool":
        return [tool_step(op, names)]
    if kind == "step":
        messages = [from_source(source) for source in op["messages"]]
        state = "entered" if op["passed"] else "held"
        clause = "tree.pause.holds" if state == "held" else "tree.pause.human-passes"
        return [{"enter": AGENT, "messages": messages, "shows": state, "clause": clause}]
    if kind == "turn-stopping":
        return [{"stop": AGENT, "aborted": op["aborted"]}]
    if kind in {"pause", "resume", "reset"}:
        return [{"command": f"/task-tree {kind}"}]
    return _idle(op) if op["value"] == "idle" else []


def _idle(op: Vector) -> list[Step]:
    queued = sum(op["inbox"] or ())
    idle: Step = {"idle": AGENT, "queued": queued}
    if not op["pushed"]:
        return [{**idle, "shows": [], "clause": "tree.autocontinue.needs-step"}]
    pushed = {"plugin": {"$any": True}, "text": accepted(op["pushed"]["text"])}
    return [{**idle, "shows": [pushed], "clause": "tree.autocontinue.text"}, {"enter": AGENT}]
