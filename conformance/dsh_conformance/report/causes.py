"""
One likely cause of a failure, read off the shape of its difference.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any

# As the judge remarks on it.
PREFIX = "leading"
_BY_KIND = {
    "crash": "The adapter's process ended. Its standard error says why; `doctor` plays it alone.",
    "hang": "A call was never answered: the adapter waits for something that only a later call "
    "brings, or a promise is never settled.",
    "protocol": "The adapter answered in a form that the protocol does not know; the message says "
    "which field.",
    "error": "The adapter itself failed, not the implementation: a method is missing, or raised.",
    "prerequisite": "A step that only sets the stage did not work, so the claim was never reached. "
    "Another failing case about that step usually says why.",
}
_BY_KEY = {
    "unchanged": "Something was written although the call was refused: the checks run after, or "
    "beside, the write.",
    "logs": "The log gained other events than it should have: one too many, too few, or in another "
    "order.",
    "pending": "The call ended (or did not) where it should still wait (or be over): look at what "
    "ends the wait.",
    "value": "The text may be right, but the structured result is not the one that the contract "
    "names.",
    "same-as-before": "The projection returns a new state object where nothing changed, or the old "
    "one where something did.",
}
_BY_GRADE = {
    "same meaning": "The text is worded differently; the rest is as it must be.",
    "wrong effect": "The last step of the script does something else than the clause says: start "
    "there.",
}


def likely_cause(case: dict[str, Any]) -> str:
    """
    Return one sentence on where to look first.
    """
    new = [failure for failure in case["failures"] if not failure["known"]]
    if not new:
        return _BY_KIND.get(case["kind"], "Nothing was learned from this case.")
    failure = new[0]
    if PREFIX in failure["note"]:
        return f"{failure['note'].capitalize()}: who adds that prefix, the tool or its host?"
    for difference in failure["differences"]:
        for sees, says in _SHAPES:
            if sees(difference["expected"], difference["seen"]):
                return says
    return _BY_KEY.get(failure["key"], _BY_GRADE[failure["grade"]])


def _only_spaces(expected: str, seen: str) -> bool:
    return expected != seen and "".join(expected.split()) == "".join(seen.split())


def _only_case(expected: str, seen: str) -> bool:
    return expected != seen and expected.casefold() == seen.casefold()


def _only_form(expected: str, seen: str) -> bool:
    def plain(text: str) -> str:
        return unicodedata.normalize("NFKC", text)

    return expected != seen and plain(expected) == plain(seen)


def _only_numbers(expected: str, seen: str) -> bool:
    def masked(text: str) -> str:
        return re.sub(r"\d+", "0", text)

    return expected != seen and masked(expected) == masked(seen)


def _error_turned(expected: str, seen: str) -> bool:
    return bool(expected) and seen.lstrip('"').startswith("no error")


def _refused_wrongly(expected: str, seen: str) -> bool:
    return bool(expected) and seen.lstrip('"').startswith(("an error", "refused"))


def _cut_short(expected: str, seen: str) -> bool:
    return len(seen) < len(expected) and bool(seen) and expected.startswith(seen)


def _goes_on(expected: str, seen: str) -> bool:
    return len(seen) > len(expected) and bool(expected) and seen.startswith(expected)


_SHAPES: tuple[tuple[Callable[[str, str], bool], str], ...] = (
    (
        _error_turned,
        "It was accepted where it must be refused: a check is missing, or comes after.",
    ),
    (_refused_wrongly, "It was refused where it must work: a check is stricter than the contract."),
    (_only_spaces, "Only white space differs: a line break, an indent, or trimming."),
    (_only_case, "Only upper and lower case differ."),
    (
        _only_form,
        "Only the form of characters differs: full-width marks, or a Unicode normal form.",
    ),
    (_only_numbers, "Only numbers differ: a count, a limit or an id is off."),
    (_cut_short, "The text ends too early: something is cut off or missing at its end."),
    (_goes_on, "The text goes on where it must end: something is appended to it."),
)
