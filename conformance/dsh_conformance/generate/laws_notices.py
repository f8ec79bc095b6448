"""
The law of notices: a settlement is announced exactly once, or the history shows why not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from dsh_conformance.generate.book_tasks import STATUS, TERMINAL, Book, Task
from dsh_conformance.generate.finding import Violation
from dsh_conformance.generate.record import Record
from dsh_conformance.scenario.verbs import NOBODY

_NOTICE = r"^background (?:task|job) \{{{name}\}} \("


def announced_once(history: Sequence[Record]) -> Violation | None:
    """
    At each look at an agent's log and then its inbox, every task of its has its notices.
    """
    book = Book()
    logged: dict[str, list[str]] = {}
    fresh = ""
    for record in history:
        if record.verb == "reload":
            return None  # Ids begin anew, so an old notice may bear a new task's name.
        _hear(book, record)
        book.note(record)
        book.answered(record)
        if record.verb == "log" and "shows" in record.facts:
            logged.setdefault(record.value, []).extend(_texts(record.facts["shows"]))
        elif book.sessions_are_shared():
            return None  # In a common log nobody can tell whose notice it was.
        elif record.verb == "inbox" and record.value == fresh and "shows" in record.facts:
            messages = [one["text"] for one in record.facts["shows"]]
            found = _counted(book, record, logged.get(fresh, []) + messages)
            if found is not None:
                return found
        fresh = record.value if record.verb == "log" else ""
    return None


def _texts(events: list[dict[str, Any]]) -> list[str]:
    return [event["message"]["text"] for event in events if event["type"] == "message"]


def _hear(book: Book, record: Record) -> None:
    says, task = record.facts.get("says"), book.asked(record)
    status = STATUS.search(says) if isinstance(says, str) else None
    heard = record.verb in {"poll", "abort"} and status is not None and status[1] in TERMINAL
    if heard and task is not None:
        task.excuses.add("wait")


def _counted(book: Book, record: Record, texts: list[str]) -> Violation | None:
    for task in book.tasks.values():
        pattern = re.compile(_NOTICE.format(name=task.name))
        count = sum(pattern.search(text) is not None for text in texts)
        clause = _broken(task, record.value, count, heard=not book.pending_on(task))
        if clause is not None:
            law = "a settlement is announced exactly once, or the history shows why not"
            due = {"$startsWith": f"background task {{{task.name}}} ("}
            wanted: Any = {"$includes" if count == 0 else "$excludes": [{"$has": {"text": due}}]}
            if count > 1:
                wanted = {"$size": len(record.facts["shows"]) - count + 1}
            return Violation(law, clause, record.index, "shows", wanted, record.facts["shows"])
    return None


def _broken(task: Task, agent: str, count: int, *, heard: bool) -> str | None:
    if task.owner != agent:
        foreign = "tasks.notice.unowned" if task.owner == NOBODY else "tasks.notice.exact-owner"
        return foreign if count else None
    if count > 1:
        return "tasks.notice.once"
    return None if task.murky or not heard else _one_too_many_or_few(task, announced=count == 1)


def _one_too_many_or_few(task: Task, *, announced: bool) -> str | None:
    if not task.settled:
        return "tasks.notice.at-settlement" if announced else None
    if task.raced:
        return None if announced or task.excuses else "tasks.wait.race"
    if not task.excuses:
        return None if announced else "tasks.notice.text"
    return f"tasks.notice.suppressed.{min(task.excuses)}" if announced else None
