"""
Vectors over surfaces: one fold after another (`fold`), and the whole pre-step chain (`prestep`).
"""

from __future__ import annotations

from typing import Any

from dsh_conformance.golden.vectors import (
    Names,
    Step,
    Vector,
    accepted,
    from_source,
    message,
    named,
)

AGENT = "alice"

# Rules that only the code settles, and the clause that says the same.
BEYOND = {
    "no-earlier-boundary": "tree.fold.no-earlier-boundary",
    "several-calls": "tree.fold.several-calls",
    "result-missing": "tree.fold.missing-results",
    "stray-result-first": "tree.fold.several-calls",
    "own-message-first": "tree.fold.own-message-at-start",
    "own-message-inside": "tree.fold.own-message-inside",
    "other-plugin-inside": "tree.fold.other-plugins-are-process",
    "no-source-inside": "tree.fold.other-plugins-are-process",
    "refused-done": "tree.fold.refused-done",
    "which-tools": "tree.notice.which-tools",
    "odd-arguments": "tree.notice.odd-arguments",
}
RANGE = "tree.fold.range"


class Surface:
    """
    What stands on the recorded surface, by the record's numbers.
    """

    def __init__(self) -> None:
        self._nodes: dict[int, Any] = {}

    def put(self, seq: int, shown: Any) -> None:
        """
        Remember how the node of a number is recognised.
        """
        self._nodes[seq] = shown

    def shows(self, seqs: list[int]) -> list[Any]:
        """
        Return the pattern of a surface.
        """
        return [self._nodes[seq] for seq in seqs]


def fold_steps(vector: Vector) -> list[Step]:
    """
    Return the script of a `fold` vector: lay down, enter a step, look.
    """
    surface = Surface()
    steps: list[Step] = [{"agent": AGENT}]
    done = 0
    for look in vector["steps"]:
        events = vector["events"][done : look["after"]]
        done = look["after"]
        if events:
            steps.append({"append": AGENT, "events": [message(event) for event in events]})
        for event in events:
            surface.put(event["seq"], message(event))
        steps += _look(surface, look)
    return steps


def _look(surface: Surface, look: Vector) -> list[Step]:
    if look["folded"]:
        surface.put(look["notice_seq"], {"plugin": {"$any": True}, "text": look["notice"]})
    beyond = look.get("beyond", ())
    clause = next((BEYOND[rule] for rule in beyond if rule in BEYOND), RANGE)
    seen = {"surface": AGENT, "shows": surface.shows(look["surface"]), "clause": clause}
    return [{"enter": AGENT}, seen]


def prestep_steps(vector: Vector) -> list[Step]:
    """
    Return the script of a `prestep` vector, up to where the protocol can follow it.
    """
    script = _PreStep()
    for op in vector["ops"]:
        if not script.take(op):
            break
    return script.steps


class _PreStep:
    """
    A script being written from the operations of a `prestep` vector.
    """

    def __init__(self) -> None:
        self.steps: list[Step] = [{"agent": AGENT}]
        self.surface = Surface()
        self.names = Names()
        self.held = ""
        self._count = 0

    def take(self, op: Vector) -> bool:
        """
        Add an operation; False when the rest cannot be followed.
        """
        return bool(getattr(self, f"_{op['op']}")(op))

    def _append(self, op: Vector) -> bool:
        event = message(op["event"])
        self.steps.append({"append": AGENT, "events": [event]})
        self.surface.put(op["seq"], event)
        return True

    def _tool(self, op: Vector) -> bool:
        call, result = op["seqs"]
        self.steps.append(
            {
                "model-call": op["tool"],
                "with": named(op["args"]),
                "says": accepted(op["text"]),
                **self.names.bind(op["text"]),
                "clause": "tree.status.form",
            }
        )
        called = {"assistant": {"$any": True}, "calls": [{"name": op["tool"]}]}
        self.surface.put(call, called)
        self.surface.put(result, {"result": {"$any": True}})
        return True

    def _pause(self, _: Vector) -> bool:
        self.steps.append({"command": "/task-tree pause"})
        return True

    def _reset(self, _: Vector) -> bool:
        self.steps.append({"command": "/task-tree reset"})
        return True

    def _resume(self, op: Vector) -> bool:
        self.steps.append({"command": "/task-tree resume"})
        self._seen(op)
        return True

    def _step(self, op: Vector) -> bool:
        # The record aborts inside the chain, which no runner can reach.
        if op["abort"] == "during":
            return False
        self._count += 1
        enter: Step = {
            "enter": AGENT,
            "messages": [from_source(source) for source in op["messages"]],
            "decision": op["decision"],
            "aborted": op["abort"] == "before",
            "bind": {f"step{self._count}": "step"},
        }
        self.steps.append(enter)
        if op["abort"] == "held":
            self.steps.append({"abort-step": f"{{step{self._count}}}"})
        # The record leaves claimed messages out of the log; a host writes them down.
        if op["messages"]:
            return False
        if not op.get("held") or op["abort"] == "held":
            self._seen(op)
        return True

    def _seen(self, op: Vector) -> None:
        if op.get("folded"):
            notice = {"plugin": {"$any": True}, "text": op["notice"]}
            self.surface.put(op["notice_seq"], notice)
        if "surface" in op:
            shows = self.surface.shows(op["surface"])
            self.steps.append({"surface": AGENT, "shows": shows, "clause": RANGE})
