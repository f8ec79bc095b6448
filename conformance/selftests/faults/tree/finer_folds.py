"""
Finer faults of the fold and of its notice: each goes wrong on one kind of surface.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from dsh_reference.host.log import Message
from dsh_reference.tree import fold, schemas, texts
from dsh_reference.tree.fold import Stay
from dsh_reference.tree.origin import is_human, is_own
from faults.kit import tree as fault
from faults.tree.ranges import boundaries, is_free, looks

# What a boundary is


def calls(name: str, clauses: str, change: Callable[[Any, Message, Any], bool]) -> None:
    """
    Register a fault in whether a message calls one of some tools.
    """
    fault.around(name, clauses, fold, "_calls_any", change)


calls(
    "a_message_that_speaks_of_done_is_one",
    "tree.fold.other-calls-are-process",
    lambda sound, message, names: (
        sound(message, names)
        or (message["kind"] == "assistant" and schemas.DONE in message["text"])
    ),
)
calls(
    "names_are_matched_by_their_beginnings",
    "tree.fold.other-calls-are-process",
    lambda _, message, names: any(
        call["name"].startswith(tuple(names)) for call in message.get("calls", ())
    ),
)
calls(
    "two_dones_in_one_message_are_none",
    "tree.fold.several-calls",
    lambda sound, message, names: (
        sound(message, names)
        and [call["name"] for call in message["calls"]].count(schemas.DONE) < 2
    ),
)


def _parses(call: dict[str, Any]) -> bool:
    try:
        json.loads(call["arguments"])
    except ValueError:
        return False
    return True


calls(
    "a_boundary_needs_arguments_that_parse",
    "tree.notice.odd-arguments",
    lambda sound, message, names: sound(
        {**message, "calls": [call for call in message.get("calls", ()) if _parses(call)]}, names
    ),
)


def _answered(surface: Sequence[Message], place: int | None) -> bool:
    return place is not None and place + 1 < len(surface) and surface[place + 1]["kind"] == "tool"


looks(
    "a_range_needs_the_result_of_its_boundary",
    "tree.fold.missing-results",
    lambda surface, found: (
        Stay.NO_BOUNDARY
        if is_free(found)
        and len(boundaries(surface)) > 1
        and not _answered(surface, boundaries(surface)[-2])
        else found
    ),
)


# Where the range begins and ends


def begins(name: str, clauses: str, first: Callable[..., int]) -> None:
    """
    Register a fault in where the work behind a boundary begins.
    """
    fault.around(name, clauses, fold, "_first_behind", first)


begins(
    "two_results_at_most_follow_a_boundary",
    "tree.fold.several-calls",
    lambda sound, surface, boundary, end: (
        min(sound(surface, boundary, end), boundary + 3)
        if not any(map(is_own, surface))
        else sound(surface, boundary, end)
    ),
)


def _results_then_own(_: Any, surface: Sequence[Message], boundary: int, end: int) -> int:
    place = boundary + 1
    while place < end and surface[place]["kind"] == "tool":
        place += 1
    while place < end and is_own(surface[place]):
        place += 1
    return place


begins("a_late_result_is_work", "tree.fold.own-message-at-start", _results_then_own)
begins(
    "empty_messages_belong_to_the_boundary",
    "tree.notice.count",
    lambda sound, surface, boundary, end: (
        place + 1
        if (place := sound(surface, boundary, end)) < end
        and surface[place]["kind"] == "assistant"
        and not surface[place]["text"]
        and not surface[place].get("calls")
        else place
    ),
)
begins(
    "the_first_message_stays_only_when_of_the_system",
    "tree.fold.first-message-stays",
    lambda sound, surface, boundary, end: (
        0
        if boundary == 0 and end and surface[0]["kind"] != "system" and not surface[0].get("calls")
        else sound(surface, boundary, end)
    ),
)


begins(
    "the_first_message_stays_only_when_of_the_system_or_a_person",
    "tree.fold.first-message-stays",
    lambda sound, surface, boundary, end: (
        0
        if boundary == 0 and end and surface[0]["kind"] == "user" and not is_human(surface[0])
        else sound(surface, boundary, end)
    ),
)


begins(
    "a_push_behind_a_boundary_is_work",
    "tree.fold.own-message-at-start",
    lambda sound, surface, boundary, end: next(
        (
            place
            for place in range(boundary + 1, sound(surface, boundary, end))
            if is_own(surface[place])
            and not surface[place]["text"].startswith(texts.MESSAGE_PREFIX)
        ),
        sound(surface, boundary, end),
    ),
)
