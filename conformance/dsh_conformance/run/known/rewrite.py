"""
Changes to a file of known failures that leave every other line, comments above all, as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import yaml

from dsh_conformance.contract.documents import parse_document
from dsh_conformance.contract.schema_check import check
from dsh_conformance.errors import DataError
from dsh_conformance.run.known.entries import HELP, KEY, KnownFile

_ENTRY = re.compile(r"^(\s*)-\s+\S")
_HEAD = re.compile(rf"^['\"]?{KEY}['\"]?:")
DEFAULT_INDENT = "  "


def new_text(edition: str, adapter: str) -> str:
    """
    Return an empty file of known failures.
    """
    return (
        f"# What {adapter} is known not to do. An entry that is out of date is an error.\n"
        f"edition: {yaml.safe_dump(edition).splitlines()[0]}\n{KEY}: []\n"
    )


def rewritten(
    text: str, file: KnownFile, removed: Iterable[int], added: Iterable[Mapping[str, Any]]
) -> str:
    """
    Return a file's text without some entries and with others at the end of its list.

    Args:
        text: The file's text.
        file: The file as it was read from that text.
        removed: Indices of entries.
        added: Entries as plain data.

    Raises:
        DataError: Its entries do not stand on lines of their own, or an added one is wrong.
    """
    lines = text.splitlines()
    starts = _starts(lines, file)
    indent = _ENTRY.sub(r"\1", lines[starts[0]])[: _indent(lines, starts)] if starts else ""
    end = _end_of_list(lines, starts)
    new = [line for entry in added for line in _entry_lines(entry, indent or DEFAULT_INDENT)]
    dropped = set(removed)
    lines[end:end] = new
    for index in sorted(dropped, reverse=True):
        first, last = _block(lines, starts, index, end)
        del lines[first:last]
    empty = not new and dropped >= set(range(len(starts)))
    result = "\n".join(_with_head(lines, empty=empty)) + "\n"
    check(parse_document(file.path, result), "known-failures")
    return result


def _starts(lines: list[str], file: KnownFile) -> list[int]:
    starts = []
    for entry in file.entries:
        line, _ = file.document.marks[KEY, entry.index]
        if not _ENTRY.match(lines[line - 1]):
            raise DataError(
                "the entries do not stand on lines of their own", entry.where, hint=HELP
            )
        starts.append(line - 1)
    return starts


def _indent(lines: list[str], starts: list[int]) -> int:
    found = _ENTRY.match(lines[starts[0]])
    return len(found[1]) if found else 0


def _head_line(lines: list[str]) -> int:
    return next(number for number, line in enumerate(lines) if _HEAD.match(line))


def _end_of_list(lines: list[str], starts: list[int]) -> int:
    # The last entry goes on as long as its lines are indented further than its dash.
    if not starts:
        return _head_line(lines) + 1
    indent, end = _indent(lines, starts), starts[-1] + 1
    for number in range(starts[-1] + 1, len(lines)):
        line = lines[number]
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            break
        if line.strip():
            end = number + 1
    return end


def _block(lines: list[str], starts: list[int], index: int, end: int) -> tuple[int, int]:
    first = starts[index]
    last = _last_line(lines, starts[index + 1] if index + 1 < len(starts) else end)
    above = first
    while above > 0 and lines[above - 1].lstrip().startswith("#"):
        above -= 1
    # A comment above several entries may speak of all of them: it stays with those that stay.
    alone = index + 1 == len(starts) or last < starts[index + 1]
    own = above if alone and above > _head_line(lines) else first
    if own > 0 and last < len(lines) and not lines[own - 1].strip() and not lines[last].strip():
        last += 1
    return own, last


def _last_line(lines: list[str], following: int) -> int:
    # Blank lines and comments before the next entry are not this one's.
    while following > 0 and (
        not lines[following - 1].strip() or lines[following - 1].lstrip().startswith("#")
    ):
        following -= 1
    return following


def _with_head(lines: list[str], *, empty: bool) -> list[str]:
    head = _head_line(lines)
    return [
        *lines[:head],
        f"{KEY}: []" if empty else f"{KEY}:",
        *lines[head + 1 :],
    ]


def _entry_lines(entry: Mapping[str, Any], indent: str) -> list[str]:
    dumped = yaml.safe_dump([dict(entry)], sort_keys=False, allow_unicode=True, width=96)
    return [f"{indent}{line}" for line in dumped.splitlines()]
