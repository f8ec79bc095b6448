"""
Laws of background tasks that need no other implementation.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from dsh_conformance.generate.book_tasks import (
    STATUS,
    TERMINAL,
    Book,
    Task,
    called,
    inner_first,
    name_in,
    named_by,
)
from dsh_conformance.generate.finding import Violation
from dsh_conformance.generate.record import Record

_NO_OUTPUT = "(no new output)"


def status_line_ends(history: Sequence[Record]) -> Violation | None:
    """
    Every answer of `task_output` that is no error ends with the status line.
    """
    law = "every response ends with the status line"
    for record in inner_first(history):
        says = record.facts.get("says")
        read = called(record, "output") or record.verb in {"poll", "abort"}
        if read and isinstance(says, str) and STATUS.search(says) is None:
            wanted = {"$matches": STATUS.pattern.replace(r"\Z", "$")}
            return Violation(law, "tasks.read.status-line", record.index, "says", wanted, says)
    return None


def ids_are_new(history: Sequence[Record]) -> Violation | None:
    """
    No id is given out twice, and each is its kind and the next number.
    """
    given: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for record in history:
        if record.verb == "reload":
            given.clear()
            counts.clear()
        if record.verb != "start" or record.raw is None:
            continue
        ident = record.raw["id"]
        if ident in given:
            law, wanted = "an id is never given twice", {"$not": f"{{{given[ident]}}}"}
            return Violation(law, "tasks.id.not-reused", record.index, "shows", wanted, ident)
        counts[record.value] += 1
        pattern = rf"^{re.escape(record.value)}-{counts[record.value]}$"
        if re.search(pattern, ident) is None:
            law = "an id is the kind, a dash and a number that counts from 1 for each kind"
            wanted = {"$matches": pattern}
            return Violation(law, "tasks.id.form", record.index, "shows", wanted, ident)
        given[ident] = next(iter(record.step.get("bind", {"": ""})))
    return None


def time_stands_still(history: Sequence[Record]) -> Violation | None:
    """
    The clock shows what it was moved by.
    """
    now = 0.0
    for record in history:
        if record.verb == "advance" and isinstance(record.raw, dict):
            now += record.value
            seen = record.raw["now"]
            if seen != now:
                law = "time moves only when it is told to"
                return Violation(law, "tasks.wait.given", record.index, "shows", now, seen)
    return None


def waits_last(history: Sequence[Record]) -> Violation | None:
    """
    A wait ends when it runs out, and not before unless its task settles.
    """
    book = Book()
    for record in history:
        wait = book.waits.get(name_in(record.value)) if record.verb == "poll" else None
        if wait is not None:
            if "pending" in record.facts and book.now >= wait.due:
                law = "a wait that has run out is answered"
                wanted: Any = {"$any": True}
                return Violation(law, "tasks.wait.given", record.index, "says", wanted, "a wait")
            status = STATUS.search(str(record.facts.get("says")))
            if status is not None and status[1] not in TERMINAL and book.now < wait.due:
                law = "a wait on a live task lasts until it runs out"
                seen = record.facts["says"]
                clause = "tasks.wait.output-is-no-end"
                return Violation(law, clause, record.index, "pending", True, seen)  # noqa: FBT003
        book.note(record)
        book.answered(record)
    return None


def deltas_are_the_output(history: Sequence[Record]) -> Violation | None:
    """
    What the reads of a stream return, one after another, is what its producer wrote.
    """
    book = Book()
    for record in history:
        says, task, taken = record.facts.get("says"), book.asked(record), book.taken(record)
        book.note(record)
        book.answered(record)
        if record.verb == "together":
            return None
        if task is None or not isinstance(says, str) or not task.stream:
            continue
        if task.murky or task.shared:
            continue
        found = _delta(record, says, task, taken)
        if found is not None:
            return found
    return None


def _delta(record: Record, says: str, task: Task, taken: bytes | None) -> Violation | None:
    if taken is None:
        taken, task.unread = task.unread, b""
    wanted = _shown(taken)
    status = STATUS.search(says)
    if wanted is None:
        task.murky = True  # Half a character is held back: when it is shown is another law.
        return None
    if status is None or says[: status.start()] == wanted:
        return None
    law = "the deltas of a stream, joined, are what was written to it"
    text = wanted + says[status.start() :]
    return Violation(law, "tasks.read.delta", record.index, "says", text, says)


def _shown(unread: bytes) -> str | None:
    try:
        text = unread.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return None
    text = text or _NO_OUTPUT
    return text if text.endswith("\n") else text + "\n"


def owners_stay_apart(history: Sequence[Record]) -> Violation | None:
    """
    Nothing of an owner's task is shown to another.
    """
    book = Book()
    for record in history:
        found = _foreign(book, record) or _listed(book, record)
        if found is not None:
            return found
        book.note(record)
    return None


def _foreign(book: Book, record: Record) -> Violation | None:
    if record.verb != "call":
        return None
    task = book.tasks.get(named_by(record))
    if task is None or "error" in record.facts or not book.is_foreign(task, record.step["by"]):
        return None
    law = "nothing of one owner is visible to another"
    seen = record.facts.get("says", "a wait")
    return Violation(law, "tasks.access.fence", record.index, "error", {"$any": True}, seen)


def _listed(book: Book, record: Record) -> Violation | None:
    says = record.facts.get("says")
    if not called(record, "list") or not isinstance(says, str):
        return None
    for task in book.tasks.values():
        line = re.search(rf"^\{{{task.name}\}} \[", says, re.MULTILINE)
        if line is not None and book.is_foreign(task, record.step["by"]):
            law = "a list shows no task of another owner"
            wanted = {"$lacks": f"{{{task.name}}} ["}
            return Violation(law, "tasks.list.visible", record.index, "says", wanted, says)
    return None


LAWS = (
    status_line_ends,
    ids_are_new,
    time_stands_still,
    waits_last,
    deltas_are_the_output,
    owners_stay_apart,
)
