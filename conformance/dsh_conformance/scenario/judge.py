"""
One step's observation held against what must be seen.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dsh_conformance.adapter.protocol import LOAD_FAILED, REJECTED, Reply
from dsh_conformance.contract.catalogue import Contract
from dsh_conformance.scenario.bounded import MatchingTooLong
from dsh_conformance.scenario.model import Step
from dsh_conformance.scenario.outcomes import Unverified
from dsh_conformance.scenario.patterns import ABSENT, Matching, Mismatch, Path
from dsh_conformance.scenario.render import difference
from dsh_conformance.scenario.results import Failure, Grade

ERROR_PREFIX = "Error: "

# Expectations that the operation fails, and the protocol's code for each.
CODES = {"refused": REJECTED, "load-failed": LOAD_FAILED}


@dataclass
class Seen:
    """
    What one step brought to light.

    Attributes:
        reply: The adapter's answer.
        main: The main observation, for `shows`.
        gained: Events the caller's log gained, for `logs`.
        changed: What differs from before, for `unchanged`: path, before, after.
    """

    reply: Reply
    main: Any = ABSENT
    gained: list[dict[str, Any]] = field(default_factory=list)
    changed: list[tuple[Path, Any, Any]] = field(default_factory=list)


class Judge:
    """
    Compares, and says which clause a difference breaks.

    Args:
        contract: The edition's contract.
        memory: What `remember` kept, by name; filled by the player.
    """

    def __init__(self, contract: Contract, memory: dict[str, Any]) -> None:
        self.contract = contract
        self.memory = memory

    def failures(
        self, step: Step, expects: dict[str, Any], seen: Seen
    ) -> tuple[list[Failure], dict[str, str]]:
        """
        Return the failures of a step, and the names that its texts bound.

        Args:
            step: The step.
            expects: Its expectations with names filled in.
            seen: What was seen.
        """
        matching = Matching(frozenset(step.captures), self.memory)
        failures: list[Failure] = []
        for key, expected in expects.items():
            matching.mismatches = []
            try:
                self._compare(matching, key, expected, seen, step)
            except MatchingTooLong as error:
                raise Unverified("error", f"{step.where}: {key}: {error}") from error
            if matching.mismatches:
                failures.append(self._failure(step, key, matching.mismatches))
        return failures, matching.found

    def _compare(self, matching: Matching, key: str, expected: Any, seen: Seen, step: Step) -> None:
        if key in CODES:
            _compare_refusal(matching, CODES[key], expected, seen.reply)
        elif key == "unchanged":
            for path, before, after in seen.changed:
                matching.mismatches.append(Mismatch(path, before, after, wording=False))
        elif key == "logs":
            matching.compare(expected, without_others(seen.gained, step.expects[key]))
        elif not seen.reply.ok:
            matching.mismatches.append(
                Mismatch((), expected, f"refused: {seen.reply.message}", wording=False)
            )
        elif key in {"says", "error"}:
            _compare_result(matching, expected, seen.reply.result, is_error=key == "error")
        else:
            matching.compare(expected, _observation(key, seen))

    def _failure(self, step: Step, key: str, mismatches: list[Mismatch]) -> Failure:
        clause = step.clause_for(key)
        return Failure(
            clause=clause,
            where=step.where,
            key=key,
            grade=self._grade(clause, mismatches),
            differences=tuple(difference(one) for one in mismatches),
            note=_note(mismatches),
        )

    def _grade(self, clause: str, mismatches: list[Mismatch]) -> Grade:
        # Only where the clause is about wording does a difference of words keep the meaning.
        known = self.contract.clauses.get(clause)
        words = known is not None and bool(known.text) and all(one.wording for one in mismatches)
        return "same meaning" if words else "wrong effect"


def _observation(key: str, seen: Seen) -> Any:
    result = seen.reply.result
    if key == "pending":
        return not result.get("done", True)
    if key == "value":
        return result.get("value", ABSENT)
    if key == "same-as-before":
        return result["sameAsBefore"]
    if key == "state-version":
        return result.get("stateVersion", ABSENT)
    return seen.main


def _compare_refusal(matching: Matching, code: int, expected: Any, reply: Reply) -> None:
    if reply.code == code:
        matching.compare(expected, reply.message, ("text",))
        return
    what = "carried out" if reply.ok else f"error {reply.code}: {reply.message}"
    matching.mismatches.append(Mismatch((), expected, what, wording=False))


def _compare_result(matching: Matching, expected: Any, result: Any, *, is_error: bool) -> None:
    if result.get("done") is False:
        matching.mismatches.append(Mismatch((), expected, "not finished yet", wording=False))
        return
    ended_in_error = result["isError"] if "isError" in result else result["kind"] == "error"
    if ended_in_error != is_error:
        how = "an error" if ended_in_error else "no error"
        matching.mismatches.append(
            Mismatch((), expected, f"{how}: {result['text']}", wording=False)
        )
        return
    matching.compare(expected, result["text"], ("text",))


def _note(mismatches: list[Mismatch]) -> str:
    for one in mismatches:
        if isinstance(one.expected, str) and isinstance(one.seen, str):
            if one.expected == ERROR_PREFIX + one.seen:
                return f"only the leading “{ERROR_PREFIX}” is missing"
            if one.seen == ERROR_PREFIX + one.expected:
                return f"a leading “{ERROR_PREFIX}” stands twice or too much"
    return ""


def without_others(events: list[dict[str, Any]], pattern: Any) -> list[dict[str, Any]]:
    """
    Leave out events of type `other`, unless the expectation names one.
    """
    if _names_other(pattern):
        return events
    return [event for event in events if event.get("type") != "other"]


def _names_other(pattern: Any) -> bool:
    if isinstance(pattern, list):
        return any(map(_names_other, pattern))
    if not isinstance(pattern, dict):
        return False
    return pattern.get("type") == "other" or any(map(_names_other, pattern.values()))
