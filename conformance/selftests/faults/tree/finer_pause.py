"""
Finer faults of the pause and of auto-continue: each goes wrong in one situation.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dsh_reference.host.steps import HELD, Decision, Steps, following
from dsh_reference.tree import plugin
from dsh_reference.tree.auto_continue import AutoContinue
from dsh_reference.tree.gate import PauseGate
from dsh_reference.tree.origin import is_human, is_own
from dsh_reference.tree.presence import Presence
from faults.kit import Patch, memory
from faults.kit import tree as fault

# The gate


@fault("tree.pause.session-apart")
def an_abort_frees_the_steps_of_all(patch: Patch) -> None:
    def enter(sound: Any, self: PauseGate, step: Any, proceed: Any) -> Any:
        verdict = sound(self, step, proceed)
        step.signal.on_abort(self.release_all)
        return verdict

    patch.around(PauseGate, "enter", enter)


@fault("tree.pause.holds")
def an_idle_agent_is_let_go(patch: Patch) -> None:
    def listen(sound: Any, ctx: Any, folding: Any, presence: Any, gate: PauseGate) -> None:
        sound(ctx, folding, presence, gate)
        ctx.on_dispose(ctx.steps.on_idle(lambda agent, _: gate.release(agent.session.id)))

    patch.around(plugin, "_listen", listen)


@fault("tree.pause.holds")
def whoever_spoke_before_a_pause_is_not_held(patch: Patch) -> None:
    spoke = memory(patch)

    def queued(sound: Any, self: Presence, agent: Any, message: Any) -> None:
        sound(self, agent, message)
        spoke[agent.session.id] = is_human(message)

    patch.around(Presence, "queued", queued)
    patch.around(
        PauseGate,
        "pause",
        lambda sound, self, session: None if spoke.get(session) else sound(self, session),
    )


@fault("tree.pause.not-counted")
def a_resume_is_kept_for_the_next_pause(patch: Patch) -> None:
    kept = memory(patch)

    def resume(sound: Any, self: PauseGate, session: str) -> None:
        kept[session] = not self._marks.paused(session)
        sound(self, session)

    patch.around(PauseGate, "resume", resume)
    patch.around(
        PauseGate,
        "pause",
        lambda sound, self, session: None if kept.pop(session, False) else sound(self, session),
    )


fault.around(
    "an_unload_lets_no_step_go",
    "tree.unload.leaves-nothing",
    PauseGate,
    "release_all",
    lambda _sound, _self: None,
)


# Persons

fault.around(
    "a_person_frees_waiting_steps_of_all",
    "tree.pause.session-apart",
    Presence,
    "_person_wrote",
    lambda sound, self, session: (sound(self, session), self._gate.release_all()),
)


def enters(name: str, clauses: str, enter: Callable[..., Any]) -> None:
    """
    Register a fault in how a step is looked at; `enter` gets the sound one, the presence, the step.
    """
    fault.around(name, clauses, Presence, "enter", enter)


enters(
    "the_first_message_tells_who_speaks",
    "tree.pause.human-passes",
    lambda _sound, self, step, proceed: (
        self._person_wrote(step.agent.session.id)
        if step.messages and is_human(step.messages[0])
        else None,
        following(proceed(), lambda decision: self._decided(step, decision)),
    )[1],
)


@fault("tree.pause.human-passes")
def a_person_passes_alone(patch: Patch) -> None:
    def enter(sound: Any, self: Presence, step: Any, proceed: Any) -> Any:
        session = step.agent.session.id
        paused = self._marks.paused(session) and any(map(is_human, step.messages))
        verdict = sound(self, step, proceed)
        if paused:
            self._marks.pause(session)
        return verdict

    patch.around(Presence, "enter", enter)


# Auto-continue


def others(name: str, clauses: str, heard: Callable[[Presence, str], Any]) -> None:
    """
    Register a fault that takes a plugin which speaks at a step for a person.
    """

    def enter(sound: Any, self: Presence, step: Any, proceed: Any) -> Any:
        if any(not is_human(message) and not is_own(message) for message in step.messages):
            heard(self, step.agent.session.id)
        return sound(self, step, proceed)

    fault.around(name, clauses, Presence, "enter", enter)


others(
    "whoever_speaks_at_a_step_gives_rounds_back",
    "tree.autocontinue.only-humans-reset-cap",
    lambda self, session: self._auto.person_wrote(session),
)
others(
    "whoever_speaks_at_a_step_lifts_a_stop",
    "tree.autocontinue.stop-is-stop",
    lambda self, session: self._marks.clear(session) if self._marks.stopped(session) else None,
)
fault.set(
    "a_stop_must_be_announced",
    "tree.autocontinue.stop-is-stop",
    Presence,
    "_decided",
    lambda _self, _step, decision: decision,
)


def overlooks(name: str, who: Callable[[Any], bool]) -> None:
    """
    Register a fault that does not see some messages in the inbox.
    """
    fault.around(
        name,
        "tree.autocontinue.queued-first",
        AutoContinue,
        "idle",
        lambda sound, self, agent, n: sound(self, agent, n - sum(map(who, agent.inbox.messages))),
    )


overlooks("its_own_push_in_the_inbox_is_overlooked", is_own)
overlooks("a_person_in_the_inbox_is_overlooked", is_human)


@fault("tree.autocontinue.text")
def the_first_push_is_repeated(patch: Patch) -> None:
    first = memory(patch)
    patch.around(
        AutoContinue,
        "_push",
        lambda sound, self, agent, sentence: sound(
            self, agent, first.setdefault(agent.session.id, sentence)
        ),
    )


@fault("tree.autocontinue.pause-holds")
def pushes_wait_for_a_resume(patch: Patch) -> None:
    paused = memory(patch)

    def mark(wait: bool) -> Any:  # noqa: FBT001  # Which of two.
        def marked(sound: Any, self: PauseGate, session: str) -> None:
            paused[session] = wait
            sound(self, session)

        return marked

    patch.around(PauseGate, "pause", mark(wait=True))
    patch.around(PauseGate, "resume", mark(wait=False))
    patch.around(
        AutoContinue,
        "idle",
        lambda sound, self, agent, n: (
            None if paused.get(agent.session.id) else sound(self, agent, n)
        ),
    )


@fault("tree.autocontinue.cap")
def pushes_again_after_two_silent_moments(patch: Patch) -> None:
    silent = memory(patch)

    def idle(sound: Any, self: AutoContinue, agent: Any, queued: int) -> None:
        session = agent.session.id
        if self._used[session] >= self._rounds > 0:
            silent[session] = silent.get(session, 0) + 1
            if silent[session] > 2:
                del self._used[session]
        sound(self, agent, queued)

    patch.around(AutoContinue, "idle", idle)


# Instants


def frees(name: str, *, of_now: bool) -> None:
    """
    Register a fault by which a person frees only steps that began now, or only those from before.
    """

    def apply(patch: Patch) -> None:
        from_before = memory(patch)

        def enter(sound: Any, self: PauseGate, step: Any, proceed: Any) -> Any:
            verdict = sound(self, step, proceed)
            if self._waiting:
                waiting = self._waiting[-1]
                self._clock.soon(lambda: from_before.setdefault(waiting, True))
            return verdict

        def release(_: Any, self: PauseGate, session: str) -> None:
            self._let_go(
                [
                    waiting
                    for waiting in self._waiting
                    if waiting.session == session and (waiting in from_before) != of_now
                ]
            )

        patch.around(PauseGate, "enter", enter)
        patch.around(PauseGate, "release", release)

    fault.plant(name, "tree.pause.human-frees-waiting", apply, {})


frees("a_person_frees_no_step_of_the_same_instant", of_now=False)


@fault("tree.pause.abort-frees")
def a_stop_leaves_the_waiting_step(patch: Patch) -> None:
    def stop(_: Any, self: Steps, agent: Any, *, aborted: bool) -> None:
        for listener in self._stops:
            listener(agent, aborted)

    patch.around(Steps, "stop_turn", stop)


@fault("tree.pause.session-apart")
def a_resume_lets_the_steps_of_all_go(patch: Patch) -> None:
    def resume(sound: Any, self: PauseGate, session: str) -> None:
        sound(self, session)
        self.release_all()

    patch.around(PauseGate, "resume", resume)


@fault("tree.pause.holds")
def a_pause_that_was_lifted_comes_not_again(patch: Patch) -> None:
    before = memory(patch)

    def resume(sound: Any, self: PauseGate, session: str) -> None:
        if self._marks.paused(session):
            before[session] = True
        sound(self, session)

    patch.around(PauseGate, "resume", resume)
    patch.around(
        PauseGate,
        "pause",
        lambda sound, self, session: None if session in before else sound(self, session),
    )


@fault("tree.pause.human-passes")
def a_message_that_lifts_a_pause_is_lost(patch: Patch) -> None:
    lifted = memory(patch)

    def queued(sound: Any, self: Presence, agent: Any, message: Any) -> None:
        if self._marks.paused(agent.session.id):
            lifted[agent.session.id] = message["text"]
        sound(self, agent, message)

    def enter(sound: Any, self: Presence, step: Any, proceed: Any) -> Any:
        lost = lifted.pop(step.agent.session.id, None)

        def without(decision: Decision) -> Decision:
            kept = tuple(message for message in decision.messages if message["text"] != lost)
            return replace(decision, messages=kept)

        return following(sound(self, step, proceed), without)

    patch.around(Presence, "queued", queued)
    patch.around(Presence, "enter", enter)


@fault("tree.pause.tool-runs-on")
def a_pause_takes_an_entered_step_back(patch: Patch) -> None:
    entered = memory(patch)

    def finish(sound: Any, self: Steps, step: Any, final: Any) -> Any:
        result = sound(self, step, final)
        entered[step.agent.session.id] = step
        return result

    def pause(sound: Any, self: PauseGate, session: str) -> None:
        if session in entered and not self._marks.paused(session):
            entered[session].state = HELD
        sound(self, session)

    patch.around(Steps, "_finish", finish)
    patch.around(PauseGate, "pause", pause)
