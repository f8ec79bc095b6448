"""
Laws that hold of every plugin: what is read is a function of the log, and requests grow at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from dsh_conformance.generate.finding import Violation
from dsh_conformance.generate.record import Record

# Reading and looking; whatever else stands between two looks may change what is read.
LOOKS = frozenset(
    {"log", "surface", "request", "projection", "inbox", "tools", "present", "file", "panel"}
    | {"poll", "poll-step", "cancellations", "commands"}
)
_RESTART = frozenset({"reload", "agent"})
STATUS = "tree_task_status"


def restarts(clauses: dict[str, str]) -> Callable[[Sequence[Record]], Violation | None]:
    """
    Return the law that a fresh composition reads the same from the same log.

    Args:
        clauses: The clause to name, by the verb of the look.
    """

    def law(history: Sequence[Record]) -> Violation | None:
        before: dict[tuple[str, Any], Record] = {}
        restarted: set[tuple[str, Any]] = set()
        for record in history:
            if record.verb == "reload":
                restarted = set(before)
            elif _look(record) in clauses and {"shows", "says"} & set(record.facts):
                look = _look(record)
                place = (look, record.step.get("of", record.step.get("by", record.value)))
                if place in restarted and _looked_at(before[place]) != _looked_at(record):
                    return _restart(clauses[look], before[place], record)
                before[place] = record
            elif record.verb not in LOOKS | _RESTART and record.value != STATUS:
                before.clear()
                restarted.clear()
        return None

    return law


def _look(record: Record) -> str:
    return STATUS if record.value == STATUS else record.verb


def _looked_at(record: Record) -> Any:
    if record.verb == "request":
        return record.raw
    return record.facts.get("shows", record.facts.get("says"))


def _restart(clause: str, before: Record, after: Record) -> Violation:
    return Violation(
        f"after a restart {after.verb} reads as before",
        clause,
        after.index,
        "shows" if "shows" in after.facts else "says",
        before.facts.get("shows", before.facts.get("says")),
        after.facts.get("shows", after.facts.get("says")),
    )


def request_grows(clause: str, *, folds: bool = False) -> Callable[..., Violation | None]:
    """
    Return the law that each request begins with all of the one before it.

    Args:
        clause: The clause to name.
        folds: Whether messages may be replaced; then only sections and tools are held to it.
    """

    def law(history: Sequence[Record]) -> Violation | None:
        before: dict[str, Record] = {}
        sessions: dict[str, str] = {}
        for record in history:
            if record.verb in {"unload", "mount"}:
                before.clear()
            if record.verb == "agent":
                session = record.step.get("session", record.value)
                if sessions.get(record.value, session) != session:
                    before.pop(record.value, None)  # Another log under an old name.
                sessions[record.value] = session
            if record.verb != "request" or record.raw is None:
                continue
            earlier = before.get(record.value)
            before[record.value] = record
            if earlier is not None:
                found = _grown(earlier, record, clause, folds=folds)
                if found is not None:
                    return found
        return None

    return law


def _grown(earlier: Record, later: Record, clause: str, *, folds: bool) -> Violation | None:
    old, new = earlier.raw, later.raw
    for part in ("system", "tools"):
        if old[part] != new[part]:
            law = f"{part} of the request do not change"
            return Violation(
                law, clause, later.index, "shows", {part: old[part]}, {part: new[part]}
            )
    first = old["messages"]
    if new["messages"][: len(first)] == first or folds:
        return None
    law = "a request begins with the whole request before it"
    wanted, seen = earlier.facts["shows"], later.facts["shows"]
    return Violation(law, clause, later.index, "shows", wanted, seen)


def events_of(history: Sequence[Record]) -> Iterator[tuple[Record, str, list[dict[str, Any]]]]:
    """
    Yield each look at a log with the agent and the events it brought.
    """
    for record in history:
        if record.verb == "log" and record.raw is not None:
            yield record, record.value, record.raw["events"]
