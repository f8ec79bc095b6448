"""
Finer faults of the pause: each goes wrong in one situation.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dsh_reference.host.steps import HELD, Decision, Steps, following
from dsh_reference.tree import plugin
from dsh_reference.tree.gate import PauseGate, _Waiting
from dsh_reference.tree.origin import is_human
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


# Instants


@fault("tree.pause.human-frees-waiting")
def a_person_frees_no_step_of_the_same_instant(patch: Patch) -> None:
    from_before = memory(patch)

    def enter(sound: Any, self: PauseGate, step: Any, proceed: Any) -> Any:
        verdict = sound(self, step, proceed)
        if self._waiting:
            waiting = self._waiting[-1]
            self._clock.soon(lambda: from_before.setdefault(waiting, True))
        return verdict

    def release(_: Any, self: PauseGate, session: str) -> None:
        self._let_go([w for w in self._waiting if w.session == session and w in from_before])

    patch.around(PauseGate, "enter", enter)
    patch.around(PauseGate, "release", release)


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


@fault("tree.pause.abort-frees")
def only_a_stop_of_the_turn_frees(patch: Patch) -> None:
    stopping = memory(patch)

    def stop(sound: Any, self: Steps, agent: Any, *, aborted: bool) -> None:
        stopping["now"] = True
        sound(self, agent, aborted=aborted)
        stopping.clear()

    def let_go(sound: Any, self: PauseGate, free: Any) -> None:
        if stopping or not any(waiting.aborted() for waiting in free):
            sound(self, free)

    def waiting(sound: Any, self: Any, step: Any, proceed: Any) -> None:
        sound(self, step, proceed)
        self.aborted = lambda: step.signal.aborted

    patch.around(Steps, "stop_turn", stop)
    patch.around(PauseGate, "_let_go", let_go)
    patch.around(_Waiting, "__init__", waiting)
