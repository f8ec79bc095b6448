"""
Faults of the pause.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dsh_reference.host.commands import CommandResult
from dsh_reference.host.steps import following
from dsh_reference.host.tools import Call, ToolRegistry
from dsh_reference.tree import plan as ops
from dsh_reference.tree import presence, texts
from dsh_reference.tree.command import TreeCommand
from dsh_reference.tree.gate import PauseGate, _Waiting
from dsh_reference.tree.marks import Marks
from dsh_reference.tree.origin import is_human, own_message
from dsh_reference.tree.path import active_path
from dsh_reference.tree.presence import Presence
from dsh_reference.tree.replies import Replies
from faults.kit import Patch, memory
from faults.kit import tree as fault

# Pause


@fault("tree.pause.tool-runs-on")
def a_pause_aborts_running_tools(patch: Patch) -> None:
    calls = memory(patch)

    def call(sound: Any, *given: Any, **more: Any) -> Call:
        begun: Call = sound(*given, **more)
        calls[begun] = begun
        return begun

    def pause(sound: Any, *given: Any) -> CommandResult:
        for begun in list(calls):
            if begun.result is None:
                begun.signal.abort()
        result: CommandResult = sound(*given)
        return result

    patch.around(ToolRegistry, "call", call)
    patch.around(TreeCommand, "_pause", pause)


fault.set(
    "a_pause_holds_nothing",
    "tree.pause.holds",
    PauseGate,
    "enter",
    lambda _self, _step, proceed: proceed(),
)


def commands(
    name: str, clauses: str, verb: str, also_do: Callable[[TreeCommand, Any], Any]
) -> None:
    """
    Register a fault that does something more, before, at a verb of the command.
    """

    def run(sound: Any, self: TreeCommand, agent: Any, line: str) -> CommandResult:
        if agent is not None and line.strip().startswith(verb):
            also_do(self, agent)
        return sound(self, agent, line)

    fault.around(name, clauses, TreeCommand, "__call__", run)


commands(
    "a_pause_is_told_the_model",
    "tree.pause.no-trace",
    "pause",
    lambda _, agent: agent.session.say(own_message("paused", "paused")),
)
commands(
    "a_resume_wakes_the_agent",
    "tree.pause.resume-no-trace",
    "resume",
    lambda _, agent: agent.inbox.followup(own_message("go on", "go on")),
)


def _drop_active(self: TreeCommand, agent: Any) -> None:
    plan = self._store.plan(agent.session.id)
    if plan is not None and (head := active_path(plan).head):
        self._store.save_plan(agent.session.id, ops.drop(plan, head.id, now=0).plan)


commands("a_pause_drops_the_active_node", "tree.pause.progress-kept", "pause", _drop_active)
commands(
    "every_command_is_told_the_model",
    "tree.command.not-through-model",
    "",
    lambda _, agent: agent.session.say(own_message("command", "command")),
)


@fault("tree.pause.tools-still-work")
def paused_tools_are_refused(patch: Patch) -> None:
    def body(sound: Any, self: Replies, session: Any, given: Any) -> str:
        paused = session is not None and self._store.state(session).paused
        return "已暂停" if paused else sound(self, session, given)

    for name in ("status", "create", "plan", "done", "update", "drop"):
        patch.around(Replies, name, body)


fault.set(
    "a_resume_frees_no_waiting_step",
    "tree.pause.resume",
    PauseGate,
    "resume",
    lambda self, session: self._marks.resume(session),
)
fault.set(
    "a_resume_frees_one_step_alone",
    "tree.pause.resume",
    PauseGate,
    "resume",
    lambda self, session: self.release(session),
)
fault.set(
    "a_persons_step_is_held",
    "tree.pause.human-passes",
    Presence,
    "enter",
    lambda self, step, proceed: following(proceed(), lambda d: self._decided(step, d)),
)
fault.set(
    "a_person_frees_no_waiting_step",
    "tree.pause.human-frees-waiting",
    Presence,
    "queued",
    lambda _self, _agent, _message: None,
)
fault.set(
    "whoever_writes_lifts_the_pause",
    "tree.pause.only-humans",
    presence,
    "is_human",
    lambda message: message["kind"] == "user",
)
fault.set(
    "who_writes_without_a_source_lifts_the_pause",
    "tree.pause.only-humans",
    presence,
    "is_human",
    lambda m: is_human(m) or (m["kind"] == "user" and not m.get("source")),
)


@fault("tree.pause.abort-frees")
def an_aborted_step_waits_on(patch: Patch) -> None:
    def enter(self: PauseGate, step: Any, proceed: Any) -> Any:
        if step.signal.aborted or not self._marks.paused(step.agent.session.id):
            return proceed()
        waiting = _Waiting(step, proceed)
        self._waiting.append(waiting)
        return waiting.verdict

    patch.set(PauseGate, "enter", enter)


@fault("tree.pause.abort-keeps")
def an_abort_lifts_the_pause(patch: Patch) -> None:
    def enter(sound: Any, self: PauseGate, step: Any, proceed: Any) -> Any:
        session = step.agent.session.id
        step.signal.on_abort(lambda: self._marks.resume(session))
        return sound(self, step, proceed)

    patch.around(PauseGate, "enter", enter)


@fault("tree.pause.aborted-before")
def a_step_aborted_before_is_held(patch: Patch) -> None:
    def enter(sound: Any, self: PauseGate, step: Any, proceed: Any) -> Any:
        if not (step.signal.aborted and self._marks.paused(step.agent.session.id)):
            return sound(self, step, proceed)
        waiting = _Waiting(step, proceed)
        self._waiting.append(waiting)
        return waiting.verdict

    patch.around(PauseGate, "enter", enter)


@fault("tree.pause.not-counted tree.pause.resume")
def pauses_are_counted(patch: Patch) -> None:
    count = memory(patch)

    def pause(sound: Any, self: PauseGate, session: str) -> None:
        count[session] = count.get(session, 0) + 1
        sound(self, session)

    def resume(sound: Any, self: PauseGate, session: str) -> None:
        count[session] = count.get(session, 0) - 1
        if count[session] < 1:
            sound(self, session)

    patch.around(PauseGate, "pause", pause)
    patch.around(PauseGate, "resume", resume)


@fault("tree.pause.session-apart")
def a_pause_holds_all_sessions(patch: Patch) -> None:
    seen = memory(patch)

    def pause(sound: Any, self: Marks, session: str) -> None:
        seen[session] = True
        sound(self, session)

    patch.around(Marks, "pause", pause)
    patch.around(Marks, "paused", lambda sound, self, _: any(sound(self, each) for each in seen))


fault.set(
    "a_release_frees_all_sessions",
    "tree.pause.session-apart",
    PauseGate,
    "release",
    lambda self, _session: self.release_all(),
)
fault.around(
    "a_pause_needs_a_plan",
    "tree.pause.needs-no-plan tree.pause.holds",
    TreeCommand,
    "_pause",
    lambda sound, self, session, rest: (
        sound(self, session, rest)
        if self._store.plan(session)
        else CommandResult("success", texts.PAUSED)
    ),
)
fault.around(
    "a_reset_lifts_the_pause",
    "tree.pause.needs-no-plan",
    TreeCommand,
    "_reset",
    lambda sound, self, session, rest: (self._gate.resume(session), sound(self, session, rest))[1],
)
