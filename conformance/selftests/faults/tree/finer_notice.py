"""
Finer faults in when a fold happens, and in what its notice counts and names.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from dsh_reference.host.log import Message, Session
from dsh_reference.tree import folding, notice, plugin, texts
from dsh_reference.tree.command import TreeCommand
from dsh_reference.tree.folding import Folding
from faults.kit import Patch, memory
from faults.kit import tree as fault
from faults.tree.moments import _fold

# When


@fault("tree.fold.not-when-aborted")
def an_abort_at_the_gate_folds(patch: Patch) -> None:
    def enter(sound: Any, self: Folding, step: Any, proceed: Any) -> Any:
        if not step.signal.aborted:
            step.signal.on_abort(lambda: _fold(step.agent.session))
        return sound(self, step, proceed)

    patch.around(Folding, "enter", enter)


@fault("tree.fold.not-when-aborted")
def a_step_that_begins_aborted_folds(patch: Patch) -> None:
    def enter(sound: Any, self: Folding, step: Any, proceed: Any) -> Any:
        if step.signal.aborted:
            _fold(step.agent.session)
        return sound(self, step, proceed)

    patch.around(Folding, "enter", enter)


@fault("tree.fold.before-request")
def the_end_of_a_turn_folds(patch: Patch) -> None:
    def listen(sound: Any, ctx: Any, *given: Any) -> None:
        sound(ctx, *given)
        ctx.on_dispose(ctx.steps.on_turn_stop(lambda agent, _: _fold(agent.session)))

    patch.around(plugin, "_listen", listen)


@fault("tree.fold.no-plan-needed")
def a_reset_forgets_the_boundaries(patch: Patch) -> None:
    reset = memory(patch)

    def run(sound: Any, self: TreeCommand, session: str, rest: list[str]) -> Any:
        reset[session] = True
        return sound(self, session, rest)

    def folds(sound: Any, session: Session, surface: Sequence[Message]) -> None:
        if not reset.pop(session.id, False):
            sound(session, surface)

    patch.around(TreeCommand, "_reset", run)
    patch.around(folding, "fold", folds)


@fault("tree.notice.count")
def log_numbers_are_counted(patch: Patch) -> None:
    def count(sound: Any, hidden: Sequence[Message]) -> Message:
        message: Message = sound(hidden)
        numbers = hidden[-1]["seq"] - hidden[0]["seq"] + 1
        right, wrong = texts.hidden(len(hidden)), texts.hidden(numbers)
        return {**message, "text": message["text"].replace(right, wrong)}

    patch.around(folding, "fold_notice", count)


fault.around(
    "a_path_stands_as_often_as_it_was_read",
    "tree.notice.order",
    notice,
    "touched",
    lambda _sound, messages, tools: [
        path
        for message in messages
        for call in message.get("calls", ())
        if call["name"] in tools and (path := notice._path(call["arguments"])) is not None
    ],
)


def _of_a_list(sound: Any, raw: str) -> Any:
    try:
        parsed = json.loads(raw)
    except ValueError:
        return sound(raw)
    return parsed[0] if isinstance(parsed, list) and parsed else sound(raw)


fault.around("a_list_names_a_file", "tree.notice.odd-arguments", notice, "_path", _of_a_list)
