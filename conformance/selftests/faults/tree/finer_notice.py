"""
Finer faults in when a fold happens, and in what its notice counts and names.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from dsh_reference.host.log import Message, Session
from dsh_reference.tree import fold, folding, notice, plugin, texts
from dsh_reference.tree.command import TreeCommand
from dsh_reference.tree.fold import BOUNDARIES, Stay
from dsh_reference.tree.folding import Folding
from dsh_reference.tree.origin import is_human, is_own
from faults.kit import Patch, memory
from faults.kit import tree as fault
from faults.tree.moments import _fold
from faults.tree.ranges import boundaries

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


# Surfaces and logs


def runs(name: str, clauses: str, run: Any) -> None:
    """
    Register a fault of the whole fold; `run` gets the sound one, the session and the surface.
    """
    fault.around(name, clauses, folding, "fold", run)


def _hidden_boundary(session: Session, surface: Sequence[Message]) -> bool:
    shown = {message["seq"] for message in surface}
    return any(
        event["type"] == "message"
        and event["seq"] not in shown
        and fold._calls_any(event["message"], BOUNDARIES)
        for event in session.events
    )


runs(
    "a_boundary_that_is_hidden_is_waited_for",
    "tree.fold.no-earlier-boundary",
    lambda sound, session, surface: (
        None
        if len(boundaries(surface)) == 1 and _hidden_boundary(session, surface)
        else sound(session, surface)
    ),
)


def empty(name: str, clauses: str, when: Any) -> None:
    """
    Register a fault that leaves a notice where nothing lies between; `when` gets the boundaries.
    """

    def run(sound: Any, session: Session, surface: Sequence[Message]) -> None:
        sound(session, surface)
        places = boundaries(surface)
        calls = [surface[place]["calls"][0]["name"] for place in places]
        nothing = fold.look(surface) is Stay.NOTHING_BETWEEN and not any(map(is_own, surface))
        if nothing and when(places, calls):
            session.say(notice.fold_notice([]))

    runs(name, clauses, run)


empty(
    "an_empty_notice_stands_between_neighbours",
    "tree.fold.nothing-between",
    lambda places, calls: (
        len(calls) > 1 and calls[-2] != "tree_task_done" and places[-1] == places[-2] + 2
    ),
)
empty(
    "an_empty_notice_stands_before_a_done_in_second_place",
    "tree.fold.nothing-between",
    lambda places, _: places == [1],
)


@fault("tree.fold.human-by-source")
def notices_of_other_plugins_block(patch: Patch) -> None:
    patch.set(
        fold,
        "is_human",
        lambda message: (
            is_human(message)
            or (not is_own(message) and (message.get("source") or {}).get("form") == "notice")
        ),
    )


@fault("tree.notice.files")
def files_come_in_the_order_of_their_calls(patch: Patch) -> None:
    def turned(sound: Any, hidden: Sequence[Message]) -> Message:
        message: Message = sound(hidden)
        names = [call["name"] for each in hidden for call in each.get("calls", ())]
        head, *lines = message["text"].split("\n")
        first = next((name for name in names if name in notice.READS | notice.WRITES), "")
        if first in notice.WRITES and len(lines) == 2:
            return {**message, "text": "\n".join([head, *reversed(lines)])}
        return message

    patch.around(folding, "fold_notice", turned)
