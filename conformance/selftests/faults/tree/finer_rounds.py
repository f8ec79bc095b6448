"""
Finer faults of auto-continue: each goes wrong in one situation.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dsh_reference.tree.auto_continue import AutoContinue
from dsh_reference.tree.gate import PauseGate
from dsh_reference.tree.origin import is_human, is_own
from dsh_reference.tree.presence import Presence
from faults.kit import Patch, memory
from faults.kit import tree as fault

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
