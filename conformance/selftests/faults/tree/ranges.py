"""
Faults in what a fold takes away.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from dsh_reference.host.log import Message, Session
from dsh_reference.host.surface import Surface
from dsh_reference.tree import fold, folding, notice, schemas, texts
from dsh_reference.tree.fold import BOUNDARIES, FoldRange, Stay
from dsh_reference.tree.folding import Folding
from dsh_reference.tree.origin import is_human, is_own
from faults.kit import Patch, memory
from faults.kit import tree as fault

Look = FoldRange | Stay


def looks(name: str, clauses: str, change: Callable[[Sequence[Message], Look], Look]) -> None:
    """
    Register a fault in what a look at the surface finds.
    """
    fault.around(
        name, clauses, folding, "look", lambda sound, surface: change(surface, sound(surface))
    )


def is_free(found: Look) -> bool:
    return isinstance(found, FoldRange) and found.stay is None


def boundaries(surface: Sequence[Message]) -> list[int]:
    return [i for i, message in enumerate(surface) if fold._calls_any(message, BOUNDARIES)]


# The range

fault.set("nothing_is_folded", "tree.fold.range", folding, "fold", lambda _session, _surface: None)
looks(
    "the_last_message_is_left_over",
    "tree.fold.range",
    lambda _, found: (
        replace(found, last=found.last - 1)
        if is_free(found) and found.last > found.first
        else found
    ),
)
fault.set(
    "the_boundary_call_goes_too",
    "tree.fold.boundary-calls-stay",
    fold,
    "_first_behind",
    lambda _surface, boundary, _end: boundary or 1,
)
fault.set(
    "every_tree_tool_is_a_boundary",
    "tree.fold.other-calls-are-process",
    fold,
    "BOUNDARIES",
    BOUNDARIES | {schemas.STATUS, schemas.UPDATE, schemas.DROP},
)
fault.set(
    "a_plan_is_no_boundary",
    "tree.fold.range",
    fold,
    "BOUNDARIES",
    frozenset({schemas.CREATE, schemas.DONE}),
)
fault.set(
    "a_create_is_no_boundary",
    "tree.fold.range",
    fold,
    "BOUNDARIES",
    frozenset({schemas.PLAN, schemas.DONE}),
)
fault.set(
    "a_done_begins_no_range",
    "tree.fold.accumulates",
    fold,
    "_last_boundary",
    lambda surface, before: next(
        (
            i
            for i in range(before - 1, -1, -1)
            if fold._calls_any(
                surface[i],
                BOUNDARIES if before == len(surface) else BOUNDARIES - {schemas.DONE},
            )
        ),
        None,
    ),
)


fault.around(
    "a_boundary_in_second_place_is_overlooked",
    "tree.fold.boundary-calls-stay",
    fold,
    "_last_boundary",
    lambda sound, surface, before: None if (found := sound(surface, before)) == 1 else found,
)


@fault("tree.fold.in-place")
def the_notice_goes_to_the_tail(patch: Patch) -> None:
    def put(sound: Any, self: Surface, event: Any, seq: int, **more: Any) -> Any:
        named = sound(self, event, seq, **more)
        self.nodes.remove(seq)
        self.nodes.append(seq)
        return named

    patch.around(Surface, "replace", put)


def _later(surface: Sequence[Message], found: Look) -> Look:
    ends = boundaries(surface)
    if not ends or not fold._calls_any(surface[ends[-1]], {schemas.DONE}):
        return found
    first = fold._first_behind(surface, ends[-1], len(surface))
    return FoldRange(first, len(surface) - 1) if first < len(surface) else found


looks("work_after_the_done_goes", "tree.fold.later-work-stays", _later)


@fault("tree.fold.only-before-done")
def every_boundary_folds(patch: Patch) -> None:
    patch.around(
        fold,
        "_calls_any",
        lambda sound, message, names: sound(
            message, BOUNDARIES if names == {"tree_task_done"} else names
        ),
    )


looks(
    "folds_once_a_session",
    "tree.fold.accumulates",
    lambda surface, found: Stay.NO_BOUNDARY if any(map(is_own, surface)) else found,
)


def _missed(surface: Sequence[Message], found: Look) -> Look:
    for end in boundaries(surface):
        earlier = fold.look(surface[: end + 1])
        if is_free(earlier):
            return earlier
    return found


looks("missed_ranges_are_folded_later", "tree.fold.missed-range", _missed)


@fault("tree.fold.nothing-between")
def an_empty_range_leaves_a_notice(patch: Patch) -> None:
    def run(sound: Any, session: Session, surface: Sequence[Message]) -> None:
        sound(session, surface)
        if fold.look(surface) is Stay.NOTHING_BETWEEN:
            session.say(notice.fold_notice([]))

    patch.around(folding, "fold", run)


fault.around(
    "every_notice_is_its_own",
    "tree.fold.other-plugins-are-process",
    fold,
    "is_own",
    lambda sound, message: sound(message) or (message.get("source") or {}).get("form") == "notice",
)
fault.set(
    "its_own_messages_fold_again",
    "tree.fold.once tree.fold.own-message-at-start",
    fold,
    "is_own",
    lambda _: False,
)


@fault("tree.fold.first-message-stays")
def the_first_message_goes_too(patch: Patch) -> None:
    def first(sound: Any, surface: Any, boundary: int, end: int) -> int:
        open_ = not fold._calls_any(surface[boundary], BOUNDARIES)
        return 0 if boundary == 0 and open_ and end else sound(surface, boundary, end)

    patch.around(fold, "_first_behind", first)


looks(
    "needs_an_earlier_boundary",
    "tree.fold.no-earlier-boundary",
    lambda surface, found: found if len(boundaries(surface)) > 1 else Stay.NO_BOUNDARY,
)


@fault("tree.fold.no-plan-needed")
def folds_only_with_a_plan(patch: Patch) -> None:
    def decided(sound: Any, self: Folding, step: Any, decision: Any) -> Any:
        planned = self._store.plan(step.agent.session.id) is not None
        return sound(self, step, decision) if planned else decision

    patch.around(Folding, "_decided", decided)


# People

fault.set("people_are_folded_away", "tree.fold.human-blocks", fold, "is_human", lambda _: False)


def _around_people(surface: Sequence[Message], found: Look) -> Look:
    if not isinstance(found, FoldRange) or found.stay is None:
        return found
    people = [i for i in range(found.first, found.last + 1) if is_human(surface[i])]
    return FoldRange(found.first, people[0] - 1) if people[0] > found.first else found


looks("folds_up_to_a_person", "tree.fold.human-blocks", _around_people)
looks(
    "any_person_blocks",
    "tree.fold.human-outside",
    lambda surface, found: Stay.HUMAN_INSIDE if any(map(is_human, surface[1:])) else found,
)


@fault("tree.fold.human-blocks-its-range-only")
def a_person_blocks_for_ever(patch: Patch) -> None:
    blocked = memory(patch)

    def run(sound: Any, session: Session, surface: Sequence[Message]) -> None:
        found = fold.look(surface)
        if isinstance(found, FoldRange) and found.stay is not None:
            blocked[session.id] = True
        if session.id not in blocked:
            sound(session, surface)

    patch.around(folding, "fold", run)


fault.set(
    "people_are_known_by_their_text",
    "tree.fold.human-by-source",
    fold,
    "is_human",
    lambda message: is_human(message) and not message["text"].startswith(texts.MESSAGE_PREFIX),
)
fault.set(
    "whoever_speaks_as_user_is_a_person",
    "tree.fold.other-plugins-are-process tree.fold.human-by-source",
    fold,
    "is_human",
    lambda message: message["kind"] == "user" and not is_own(message),
)
fault.set(
    "its_own_messages_block",
    "tree.fold.own-message-inside",
    fold,
    "is_human",
    lambda message: is_human(message) or is_own(message),
)


@fault("tree.fold.claimed-human")
def a_claimed_message_blocks(patch: Patch) -> None:
    def decided(sound: Any, self: Folding, step: Any, decision: Any) -> Any:
        claimed = any(map(is_human, decision.messages))
        return decision if claimed else sound(self, step, decision)

    patch.around(Folding, "_decided", decided)


# Messages with calls

fault.set(
    "one_result_follows_a_boundary",
    "tree.fold.several-calls tree.fold.once",
    fold,
    "_first_behind",
    lambda _surface, boundary, _end: boundary + (2 if boundary else 1),
)


@fault("tree.fold.done-among-calls")
def the_first_call_decides(patch: Patch) -> None:
    def calls(sound: Any, message: Message, names: Any) -> bool:
        ours = [call for call in message.get("calls", ()) if call["name"] in BOUNDARIES]
        return sound({**message, "calls": ours[:1]}, names)

    patch.around(fold, "_calls_any", calls)


@fault("tree.fold.several-calls")
def a_boundary_is_a_messages_first_call(patch: Patch) -> None:
    patch.around(
        fold,
        "_calls_any",
        lambda sound, message, names: sound(
            {**message, "calls": message.get("calls", [])[:1]}, names
        ),
    )


@fault("tree.fold.missing-results")
def a_boundary_needs_its_result(patch: Patch) -> None:
    def last(_: Any, surface: Sequence[Message], before: int) -> int | None:
        for place in range(before - 1, -1, -1):
            answered = place + 1 < len(surface) and surface[place + 1]["kind"] == "tool"
            if answered and fold._calls_any(surface[place], BOUNDARIES):
                return place
        return None

    patch.around(fold, "_last_boundary", last)


looks(
    "a_refused_done_folds_nothing",
    "tree.fold.refused-done",
    lambda surface, found: (
        Stay.NO_BOUNDARY
        if any(m["kind"] == "tool" and m["text"].startswith(texts.DONE_REFUSED) for m in surface)
        else found
    ),
)
