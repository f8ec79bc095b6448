"""
Laws of the todo tool that need no other implementation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from dsh_conformance.generate.finding import Violation
from dsh_conformance.generate.laws_all import events_of
from dsh_conformance.generate.record import Record
from dsh_conformance.generate.texts import trimmed
from dsh_conformance.scenario.verbs import NOBODY

TOOL = "todo_write"
_COUNTS = re.compile(r"(\d+) pending, (\d+) in progress, (\d+) completed")
_KEYS = ("pending", "inProgress", "completed")


def is_write(record: Record) -> bool:
    """
    Whether a step calls the tool.
    """
    return record.verb in {"call", "model-call"} and record.value == TOOL


def accepted(record: Record) -> bool:
    """
    Whether a call of the tool ended well.
    """
    return is_write(record) and "says" in record.facts


def log_is_the_accepted_calls(history: Sequence[Record]) -> Violation | None:
    """
    Each accepted call, and nothing else, has added one event with its whole list, in its order.
    """
    wanted: dict[str, list[Any]] = {}
    seen: dict[str, list[Any]] = {}
    for record in history:
        _expect(record, wanted)
        if record.verb != "log" or record.raw is None:
            continue
        agent = record.value
        written = [one.get("todos") for one in record.raw["events"] if one["type"] == "todo/write"]
        seen.setdefault(agent, []).extend(written)
        if seen[agent] != wanted.get(agent, []):
            return _unlike_log(record, wanted.get(agent, []), seen[agent])
    return None


def _expect(record: Record, wanted: dict[str, list[Any]]) -> None:
    if accepted(record) and record.step["by"] != NOBODY:
        wanted.setdefault(record.step["by"], []).append(_stored(_asked(record)))
    elif record.verb == "append" and "refused" not in record.facts:
        lists = [event["todos"] for event in record.step["events"] if "todos" in event]
        wanted.setdefault(record.value, []).extend(lists)


def _asked(record: Record) -> Any:
    arguments = record.step["with"]
    return arguments.get("todos") if isinstance(arguments, dict) else None


def _stored(todos: Any) -> Any:
    if not isinstance(todos, list):
        return todos
    return [
        {"content": trimmed(todo["content"]), "status": todo["status"]}
        if isinstance(todo, dict) and isinstance(todo.get("content"), str) and "status" in todo
        else todo
        for todo in todos
    ]


def _unlike_log(record: Record, wanted: list[Any], seen: list[Any]) -> Violation:
    clause = "todo.write.one-event"
    if len(seen) > len(wanted):
        unasked = any(todos not in wanted for todos in seen)
        clause = "todo.refused.writes-nothing" if unasked else clause
    elif len(seen) == len(wanted):
        clause = _list_clause(wanted, seen)
    law = "the log holds the lists of the accepted calls, in order, and no others"
    events = [{"todos": todos} for todos in wanted]
    return Violation(law, clause, record.index, "shows", events, [{"todos": one} for one in seen])


def _list_clause(wanted: list[Any], seen: list[Any]) -> str:
    mine, theirs = next(pair for pair in zip(wanted, seen, strict=True) if pair[0] != pair[1])
    if isinstance(theirs, list) and isinstance(mine, list):
        if sorted(map(repr, mine)) == sorted(map(repr, theirs)):
            return "todo.write.keeps-order"
        contents = [[_content(todo) for todo in todos] for todos in (mine, theirs)]
        if len(mine) == len(theirs) and [trimmed(str(c)) for c in contents[1]] == contents[0]:
            return "todo.write.stores-trimmed" if contents[0] != contents[1] else _SNAPSHOT
    return _SNAPSHOT


def _content(todo: Any) -> Any:
    return todo.get("content") if isinstance(todo, dict) else todo


_SNAPSHOT = "todo.write.event-is-snapshot"


def projection_is_the_log(history: Sequence[Record]) -> Violation | None:
    """
    The projection, looked at right after the log, is what the log says.
    """
    state: dict[str, Any] = {}
    cause: dict[str, str] = {}
    looked = ""
    for record in history:
        if record.verb == "log" and record.raw is not None:
            looked = record.value
            _fold(record.raw["events"], looked, state, cause)
        elif record.verb == "projection" and record.step["of"] == looked:
            wanted = state.get(looked)
            if "shows" in record.facts and record.facts["shows"] != wanted:
                clause = cause.get(looked, "todo.projection.initial-null")
                law = "the projection is a function of the log"
                return Violation(law, clause, record.index, "shows", wanted, record.facts["shows"])
        elif record.verb not in {"surface", "request", "inbox", "present", "projection"}:
            looked = ""
    return None


def _fold(events: list[Any], agent: str, state: dict[str, Any], cause: dict[str, str]) -> None:
    for event in events:
        if event["type"] == "todo/write":
            state[agent] = event.get("todos")
            cause[agent] = "todo.projection.takes-list"
        elif event["type"] == "turn/start":
            state[agent] = None
            cause[agent] = "todo.projection.turn-start-clears"
        elif event["type"] == "turn/end" and state.get(agent) is not None:
            cause[agent] = "todo.projection.turn-end-keeps"
        elif state.get(agent) is not None:
            cause[agent] = "todo.projection.other-events-keep"


def counts_add_up(history: Sequence[Record]) -> Violation | None:
    """
    The numbers in a result are those of the list's statuses.
    """
    for record in history:
        todos = _asked(record) if accepted(record) else None
        # What should have been refused was taken: its counts are not what is wrong with it.
        if not isinstance(todos, list) or not all(isinstance(todo, dict) for todo in todos):
            continue
        statuses = [todo.get("status") for todo in todos]
        wanted = [statuses.count(one) for one in ("pending", "in_progress", "completed")]
        found = _COUNTS.search(record.facts["says"])
        law = "the counts of a result add up to its list"
        if found is not None and [int(one) for one in found.groups()] != wanted:
            text = _COUNTS.sub("{} pending, {} in progress, {} completed", record.facts["says"])
            return Violation(
                law,
                "todo.result.text",
                record.index,
                "says",
                text.format(*wanted),
                record.facts["says"],
            )
        value = record.facts.get("value")
        if isinstance(value, dict) and value.get("counts") != dict(zip(_KEYS, wanted, strict=True)):
            counts = {"$has": {"counts": dict(zip(_KEYS, wanted, strict=True))}}
            return Violation(law, "todo.result.value", record.index, "value", counts, value)
    return None


__all__ = ["counts_add_up", "events_of", "log_is_the_accepted_calls", "projection_is_the_log"]
