"""
One scenario under way: its names, what it remembered, and what came to light.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dsh_conformance.adapter.connection import Connection
from dsh_conformance.adapter.protocol import OBSERVATIONS, Reply
from dsh_conformance.contract.catalogue import Contract
from dsh_conformance.scenario.calls import Calls
from dsh_conformance.scenario.judge import CODES, Judge, Seen
from dsh_conformance.scenario.looks import Before, Looks
from dsh_conformance.scenario.model import Scenario, Step
from dsh_conformance.scenario.names import filled
from dsh_conformance.scenario.outcomes import Contradicted, Unverified
from dsh_conformance.scenario.render import compact, step_line, value_text
from dsh_conformance.scenario.results import Difference, Failure
from dsh_conformance.scenario.wire import Wire
from dsh_conformance.scenario.workspace import Workspace

# A line of the script is read, not searched.
LINE_LIMIT = 2000


@dataclass
class Script:
    """
    The steps as they were played, for people.

    Attributes:
        lines: One line a step.
        places: Where each is written.
        expectations: What had to be seen at each, or empty.
    """

    lines: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    expectations: list[str] = field(default_factory=list)

    def tell(self, step: Step, names: dict[str, Any], depth: int) -> None:
        """
        Add a step that is about to be played.
        """
        line = value_text(str(filled(step_line(step), names)), LINE_LIMIT)
        self.lines.append("  " * depth + line)
        self.places.append(step.where)
        expected = compact(filled(step.expects, names)) if step.expects else ""
        self.expectations.append(value_text(expected, LINE_LIMIT))

    def back_to(self, length: int) -> None:
        """
        Forget what was told since: of many rounds, only the last is worth reading.
        """
        for part in (self.lines, self.places, self.expectations):
            del part[length:]


class Case:
    """
    What one scenario has come to so far, and the judging of its steps.

    Args:
        scenario: The scenario.
        connection: The adapter.
        contract: The edition's contract.
    """

    def __init__(self, scenario: Scenario, connection: Connection, contract: Contract) -> None:
        self.scenario = scenario
        self.connection = connection
        self.wire = Wire(connection, scenario.where)
        self.looks = Looks(self.wire)
        self.calls = Calls()
        self.names: dict[str, Any] = {}
        self.memory: dict[str, Any] = {}
        self.early: dict[str, Reply] = {}
        self.judge = Judge(contract, self.memory)
        self.script = Script()
        self.depth = 0
        self.failures: list[Failure] = []
        self.setting_the_stage = False
        self._workspace: Workspace | None = None

    @property
    def workspace(self) -> Workspace:
        """
        The folder of the case, made when it is first needed.
        """
        if self._workspace is None:
            self._workspace = Workspace()
        return self._workspace

    def close(self) -> None:
        """
        Remove what was written.
        """
        if self._workspace is not None:
            self._workspace.close()

    def reset_params(self, plugins: list[dict[str, Any]], services: list[str]) -> dict[str, Any]:
        """
        Return what `reset` is told.
        """
        params: dict[str, Any] = {"plugins": plugins}
        if services:
            params["services"] = services
        if any(plugin["name"] == "tree" for plugin in plugins):
            params["stateDir"] = str(self.workspace.state)
        return params

    def begin(self, step: Step) -> None:
        """
        Say that a step comes next.
        """
        self.wire.where = step.where
        self.script.tell(step, self.names, self.depth)

    def translated(self, step: Step) -> tuple[str, dict[str, Any]]:
        """
        Return the call that a step makes.
        """
        params = {key: filled(inner, self.names) for key, inner in step.params.items()}
        return self.calls.translate(step.verb, self.value(step), params)

    def value(self, step: Step) -> Any:
        """
        Return the verb's own value with names filled in.
        """
        return filled(step.value, self.names)

    def before(self, step: Step) -> Before:
        """
        Look at what a step may or may not change.
        """
        return self.looks.before(step, self._caller(step))

    def _caller(self, step: Step) -> str:
        if step.verb.name in {"poll", "abort"}:
            return self.calls.agent_of(self.value(step))
        named = step.params.get("by") or step.params.get("of") or step.value
        return str(filled(named, self.names))

    # Judging

    def observed(self, step: Step, reply: Reply, before: Before) -> None:
        """
        Judge what a step brought to light, and bind the names that it binds.

        Raises:
            Contradicted: A clause is broken, and what follows would say nothing.
            NotApplicable: The adapter does not support it.
            Unverified: Nothing was learned.
        """
        if not reply.ok:
            self._check_refusal(step, reply)
        seen = Seen(reply, self.looks.main(step, self._caller(step), reply))
        if before.caller is not None:
            seen.gained = self.looks.gained(before.caller)
        seen.changed = self.looks.changes(before)
        self.judged(step, seen)

    def judged(self, step: Step, seen: Seen) -> None:
        """
        Hold what was seen against what must be seen.
        """
        expects = {key: filled(value, self.names) for key, value in step.expects.items()}
        failures, found = self.judge.failures(step, expects, seen)
        if failures:
            self.failed(failures)
        elif not step.expects and seen.reply.ok:
            self._check_worked(step, seen.reply)
        self._bind(step, seen, found)

    def failed(self, failures: list[Failure]) -> None:
        """
        Note failures; on the stage they only say that it could not be set.
        """
        if self.setting_the_stage:
            one = failures[0].differences[0]
            raise Unverified(
                "prerequisite",
                f"{failures[0].where}: the stage could not be set: expected "
                f"{value_text(one.expected)}, saw {value_text(one.seen)}",
            )
        self.failures += failures
        if any(failure.grade == "wrong effect" for failure in failures):
            raise Contradicted

    def _check_refusal(self, step: Step, reply: Reply) -> None:
        if reply.code not in OBSERVATIONS:
            self.wire.broken(reply, step.verb.name)
        if CODES.keys() & step.expects.keys():
            return
        if self.setting_the_stage or not (step.expects or step.claims):
            self.wire.broken(reply, step.verb.name)
        first = next(iter(step.expects), step.verb.name)
        self._contradict(step, first, "it works", f"refused: {reply.message}")

    def _check_worked(self, step: Step, reply: Reply) -> None:
        result = reply.result
        if not isinstance(result, dict) or step.verb.name == "abort":
            return
        if result.get("isError") is True or result.get("kind") == "error":
            if step.claims and not self.setting_the_stage:
                seen = f"an error: {result['text']}"
                self._contradict(step, step.verb.name, "no error", seen)
            raise Unverified(
                "prerequisite",
                f"{step.where}: {step.verb.name} ended in an error: {result['text']}",
            )

    def _contradict(self, step: Step, key: str, expected: str, seen: str) -> None:
        shown = (Difference("", expected, seen, text=False),)
        clause = step.clause_for(key)
        self.failures.append(Failure(clause, step.where, key, "wrong effect", shown))
        raise Contradicted

    def _bind(self, step: Step, seen: Seen, found: dict[str, str]) -> None:
        self.names.update(found)
        if any(name not in found for name in step.captures):
            if self.failures:
                raise Contradicted
            raise Unverified("prerequisite", f"{step.where}: a name could not be bound")
        for name, path in step.binds.items():
            self.names[name] = self._field(step, seen, path)
        if step.verb.name == "agent" and seen.reply.ok:
            self.looks.met(str(self.value(step)), seen.reply.result["session"])
        if step.remember is not None:
            self.memory[step.remember] = seen.main

    def _field(self, step: Step, seen: Seen, path: str) -> Any:
        value = seen.reply.result
        for part in path.split("."):
            try:
                value = value[int(part)] if isinstance(value, list) else value[part]
            except (KeyError, IndexError, TypeError, ValueError) as error:
                raise Unverified(
                    "prerequisite",
                    f"{step.where}: nothing to bind at {path!r} in {compact(seen.reply.result)}",
                ) from error
        return value
