"""
Finer faults in which ranges are folded, and which are left: each goes wrong on one kind of surface.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from dsh_reference.host.log import Message
from dsh_reference.tree import schemas, texts
from dsh_reference.tree.fold import FoldRange, Stay
from dsh_reference.tree.origin import is_human, is_own
from faults.tree.finer_folds import calls
from faults.tree.ranges import Look, boundaries, is_free, looks


def stays(name: str, clauses: str, when: Callable[[Sequence[Message], FoldRange], bool]) -> None:
    """
    Register a fault that leaves a range which is to be folded.
    """
    looks(
        name,
        clauses,
        lambda surface, found: (
            Stay.NO_BOUNDARY
            if isinstance(found, FoldRange) and is_free(found) and when(surface, found)
            else found
        ),
    )


stays(
    "folds_thirty_times_at_most",
    "tree.fold.accumulates",
    lambda surface, _: sum(map(is_own, surface)) >= 30,
)
stays(
    "a_person_after_the_done_blocks",
    "tree.fold.human-outside",
    lambda surface, found: any(map(is_human, surface[found.last + 2 :])),
)
stays(
    "messages_without_a_source_block",
    "tree.fold.other-plugins-are-process",
    lambda surface, found: any(
        m["kind"] == "user" and not m.get("source") for m in surface[found.first : found.last + 1]
    ),
)


def unblocks(name: str, when: Callable[[Sequence[Message], FoldRange], FoldRange | None]) -> None:
    """
    Register a fault that folds something of a range in which a person spoke.
    """

    def change(surface: Sequence[Message], found: Look) -> Look:
        if not isinstance(found, FoldRange) or found.stay is None:
            return found
        return when(surface, found) or found

    looks(name, "tree.fold.human-blocks", change)


unblocks(
    "people_alone_are_folded",
    lambda surface, found: (
        replace(found, stay=None)
        if all(map(is_human, surface[found.first : found.last + 1]))
        else None
    ),
)
unblocks(
    "people_between_call_and_result_are_folded",
    lambda surface, found: (
        replace(found, stay=None)
        if any(
            is_human(surface[place]) and surface[place + 1]["kind"] == "tool"
            for place in range(found.first, found.last)
        )
        else None
    ),
)
unblocks(
    "requests_are_folded_where_no_boundary_stands_before",
    lambda surface, found: replace(found, stay=None) if len(boundaries(surface)) == 1 else None,
)


def _ends_at(name: str, clauses: str, tool: str) -> None:
    calls(
        name,
        clauses,
        lambda sound, message, names: sound(
            message, {*names, tool} if names == {schemas.DONE} else names
        ),
    )


_ends_at("a_create_folds", "tree.fold.only-before-done", schemas.CREATE)
_ends_at("a_plan_folds", "tree.fold.only-before-done", schemas.PLAN)


looks(
    "folds_without_a_done",
    "tree.fold.only-before-done",
    lambda surface, found: (
        FoldRange(1, len(surface) - 1)
        if found is Stay.NO_BOUNDARY and len(surface) > 1 and not any(map(is_human, surface[1:]))
        else found
    ),
)
looks(
    "pairs_of_its_own_messages_are_folded",
    "tree.fold.own-message-at-start",
    lambda surface, found: (
        FoldRange(at[-1] - 2, at[-1] - 1)
        if found is Stay.NOTHING_BETWEEN
        and len(at := boundaries(surface)) > 1
        and all(map(is_own, surface[at[-1] - 2 : at[-1]]))
        else found
    ),
)
looks(
    "further_results_alone_are_folded",
    "tree.fold.several-calls",
    lambda surface, found: (
        FoldRange(at[-2] + 2, at[-1] - 1)
        if found is Stay.NOTHING_BETWEEN
        and len(at := boundaries(surface)) > 1
        and at[-1] > at[-2] + 2
        and all(message["kind"] == "tool" for message in surface[at[-2] + 1 : at[-1]])
        else found
    ),
)
unblocks(
    "what_follows_a_person_is_folded",
    lambda surface, found: (
        FoldRange(people[-1] + 1, found.last)
        if (people := [i for i in range(found.first, found.last + 1) if is_human(surface[i])])
        and found.first < people[0]
        and people[-1] < found.last
        and surface[people[-1] + 1]["kind"] != "tool"
        else None
    ),
)
unblocks(
    "a_person_right_behind_the_boundary_stays_alone",
    lambda surface, found: (
        FoldRange(found.first + 1, found.last)
        if len(boundaries(surface)) > 1
        and is_human(surface[found.first])
        and not surface[found.first]["text"].startswith(texts.MESSAGE_PREFIX)
        and not any(map(is_human, surface[found.first + 1 : found.last + 1]))
        and found.last > found.first
        else None
    ),
)
stays(
    "a_request_that_stands_first_blocks",
    "tree.fold.no-earlier-boundary",
    lambda surface, _: len(boundaries(surface)) == 1 and is_human(surface[0]),
)

stays(
    "a_done_without_its_result_waits_for_it",
    "tree.fold.missing-results",
    lambda surface, found: (
        found.last + 2 == len(surface)
        and not any(message.get("calls") for message in surface[found.first : found.last + 1])
    ),
)
