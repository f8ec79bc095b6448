"""
The file of known failures, as it is written.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from fnmatch import translate
from functools import cache
from pathlib import Path
from typing import Any, Literal

from dsh_conformance.contract.documents import Document, read_document
from dsh_conformance.contract.schema_check import check
from dsh_conformance.errors import DataError

Kind = Literal["failing", "flaky", "permanent-deviation"]
KEY = "known-failures"
HELP = "docs/known-failures.md describes the file"


@dataclass(frozen=True)
class Entry:
    """
    One known failure.

    Attributes:
        case: A case's id or glob, or None.
        clause: A clause's present id or glob, or None; one of the two is there.
        grade: How it fails, or None.
        seen: Texts of which one stands in what is seen; empty for any.
        kind: `failing`, `flaky` or `permanent-deviation`.
        reason: Why.
        issue: Where it is tracked.
        expires: The last day on which it excuses anything, or None.
        where: File, line and column.
        index: Its place in the file, from 0.
    """

    case: str | None
    clause: str | None
    grade: str | None
    seen: tuple[str, ...]
    kind: Kind
    reason: str
    issue: str
    expires: date | None
    where: str
    index: int

    @property
    def name(self) -> str:
        """
        What it stands for, for messages.
        """
        return " in ".join(part for part in (self.clause, self.case) if part is not None)

    def expired(self, today: date) -> bool:
        """
        Whether its time is over.
        """
        return self.expires is not None and self.expires < today

    def claims(self, case: str, clause: str | None) -> bool:
        """
        Whether it speaks of a clause in a case; clause None stands for the case as a whole.
        """
        if self.case is not None and not glob_fits(self.case, case, "/"):
            return False
        return self.clause is None or (clause is not None and glob_fits(self.clause, clause, "."))


@dataclass(frozen=True)
class KnownFile:
    """
    A file of known failures.

    Attributes:
        path: The file.
        edition: The edition it belongs to, or None for any.
        entries: As they stand in it.
        document: The file's data with places.
    """

    path: Path
    edition: str | None
    entries: tuple[Entry, ...]
    document: Document


def read_known_failures(path: Path) -> KnownFile:
    """
    Read a file of known failures.

    Raises:
        DataError: It is missing or not as its schema says.
    """
    document = read_document(path)
    check(document, "known-failures")
    listed = document.data[KEY]
    entries = tuple(_entry(document, index, data) for index, data in enumerate(listed))
    return KnownFile(path, document.data.get("edition"), entries, document)


def _entry(document: Document, index: int, data: dict[str, Any]) -> Entry:
    where = document.at((KEY, index))
    if "case" not in data and "clause" not in data:
        raise DataError("names neither a case nor a clause", where, hint=HELP)
    if "grade" not in data and "seen" not in data:
        raise DataError(
            "does not say what is expected to be seen",
            where,
            hint="write grade: (same meaning, wrong effect, unverified), seen: TEXT, or both",
        )
    seen = data.get("seen", [])
    return Entry(
        case=data.get("case"),
        clause=data.get("clause"),
        grade=data.get("grade"),
        seen=(seen,) if isinstance(seen, str) else tuple(seen),
        kind=data.get("kind", "failing"),
        reason=data["reason"],
        issue=data["issue"],
        expires=_date(document, index, data.get("expires")),
        where=where,
        index=index,
    )


def _date(document: Document, index: int, text: str | None) -> date | None:
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise DataError(
            "not a day of the calendar",
            document.at((KEY, index, "expires")),
            value=text,
            hint="write it as 2027-01-31",
        ) from None


def is_glob(text: str) -> bool:
    """
    Whether a name has wildcards.
    """
    return any(char in text for char in "*?[")


def glob_fits(glob: str, name: str, separator: str) -> bool:
    """
    Whether a name fits a glob part by part: `*` stops at the separator.
    """
    if not is_glob(glob):
        return glob == name
    globs, parts = glob.split(separator), name.split(separator)
    return len(globs) == len(parts) and all(
        _compiled(one).fullmatch(part) for one, part in zip(globs, parts, strict=True)
    )


@cache
def _compiled(glob: str) -> re.Pattern[str]:
    return re.compile(translate(glob))
