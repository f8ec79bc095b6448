"""
Faults in what `todo_write` takes for empty or repeated, and in what it stores.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any

from dsh_reference import todo as T  # noqa: N812  # Named at every turn below.
from dsh_reference.errors import ToolError
from faults.kit import Patch
from faults.kit import todo as fault

Todo = dict[str, str]


def trim(text: str) -> str:
    """
    Trim as the contract wants it.
    """
    return text.strip(T.WHITE_SPACE)


def judge(
    todos: Sequence[Todo],
    count: str | None,
    *,
    key: Callable[[Todo], Any] = lambda todo: trim(todo["content"]),
    empty: Callable[[Todo], bool] = lambda todo: not trim(todo["content"]),
    keep: Callable[[str], str] = trim,
    show: Callable[[str], str] | None = None,
    unique: bool = True,
) -> list[Todo]:
    """
    Check a list as the tool does, but for what is given.
    """
    seen = set()
    for todo in todos:
        if empty(todo):
            raise ToolError(T.EMPTY)
        if unique and key(todo) in seen:
            raise ToolError(T.DUPLICATE.format(T.quote((show or keep)(todo["content"]))))
        seen.add(key(todo))
    active = sum(todo["status"] == "in_progress" for todo in todos)
    if count is not None and active > 1:
        raise ToolError(T.TOO_MANY_ACTIVE + count.format(active))
    return [{"content": keep(todo["content"]), "status": todo["status"]} for todo in todos]


def judges(name: str, clauses: str, **odd: Any) -> None:
    """
    Register a fault of the check.
    """
    fault.set(name, clauses, T, "checked", lambda todos, *, count: judge(todos, count, **odd))


def before(name: str, clauses: str, change: Callable[[list[Todo]], Any], **more: Any) -> None:
    """
    Register a fault that looks at, or repairs, a list before it is checked.
    """
    fault.around(
        name,
        clauses,
        T,
        "checked",
        lambda sound, todos, *, count: sound(change(list(todos)), count=count),
        **more,
    )


def shows(name: str, clauses: str, change: Callable[[str], str], **more: Any) -> None:
    """
    Register a fault in how a repeated content is quoted.
    """
    fault.around(name, clauses, T, "quote", lambda sound, text: change(sound(text)), **more)


def refuse(text: str) -> None:
    raise ToolError(text)


# Emptiness and uniqueness

judges("accepts_empty_contents", "todo.content.non-empty", empty=lambda _: False)
before(
    "drops_empty_contents",
    "todo.refused.never-repaired",
    lambda todos: [todo for todo in todos if trim(todo["content"])],
)
judges(
    "looks_for_emptiness_untrimmed", "todo.content.trimmed-first", empty=lambda t: not t["content"]
)
judges("accepts_duplicates", "todo.content.unique", unique=False)
before(
    "merges_duplicates",
    "todo.content.unique",
    lambda todos: list({trim(todo["content"]): todo for todo in reversed(todos)}.values())[::-1],
)
judges("compares_untrimmed", "todo.content.trimmed-first", key=lambda todo: todo["content"])
judges(
    "statuses_tell_duplicates_apart",
    "todo.content.duplicate-ignores-status",
    key=lambda todo: (trim(todo["content"]), todo["status"]),
)
judges(
    "ignores_letter_case",
    "todo.content.exact-equality",
    key=lambda todo: trim(todo["content"]).casefold(),
)
judges(
    "ignores_normal_forms",
    "todo.content.exact-equality",
    key=lambda todo: unicodedata.normalize("NFC", trim(todo["content"])),
)


# What is stored

judges("stores_untrimmed", "todo.write.stores-trimmed", keep=lambda text: text)
judges(
    "collapses_inner_blanks",
    "todo.write.content-verbatim",
    keep=lambda text: " ".join(trim(text).split()),
)
judges(
    "interprets_escapes",
    "todo.write.content-verbatim",
    keep=lambda text: trim(text).replace("\\n", "\n"),
)
judges(
    "escapes_markup",
    "todo.write.content-verbatim",
    keep=lambda text: trim(text).replace("<", "&lt;"),
)
judges(
    "normalises_what_it_stores",
    "todo.write.content-verbatim",
    keep=lambda text: unicodedata.normalize("NFKC", trim(text)),
)
judges(
    "replaces_lone_surrogates",
    "todo.content.exact-equality",
    keep=lambda text: trim(text).encode("utf-16", "surrogatepass").decode("utf-16", "replace"),
)


# White space


def _trims(name: str, *, less: str = "", more: str = "") -> None:
    blanks = "".join(char for char in T.WHITE_SPACE if char not in less) + more
    clause = "todo.white-space.stripped" if less else "todo.white-space.kept"
    fault.set(name, clause, T, "WHITE_SPACE", blanks)


_trims("trims_blanks_alone", less="".join(char for char in T.WHITE_SPACE if char != " "))
_trims("trims_ascii_alone", less="".join(char for char in T.WHITE_SPACE if not char.isascii()))
_trims("keeps_no_break_spaces", less="\u00a0")
_trims("keeps_ideographic_spaces", less="\u3000")
_trims("keeps_rare_spaces", less="\u1680\u2003\u202f")
_trims("keeps_line_separators", less="\u2028\u2029")
_trims("keeps_byte_order_marks", less="\ufeff")
_trims("trims_next_line", more="\u0085")
_trims("trims_information_separators", more="\u001c\u001d\u001e\u001f")
_trims("trims_vowel_separators", more="\u180e")
_trims("trims_zero_width_spaces", more="\u200b")
_trims("trims_word_joiners", more="\u2060")
_trims("trims_null", more="\0")
judges(
    "trims_as_python_does",
    "todo.white-space.stripped todo.white-space.kept",
    key=lambda todo: todo["content"].strip(),
    empty=lambda todo: not todo["content"].strip(),
    keep=str.strip,
)
judges(
    "compares_as_python_trims",
    "todo.white-space.stripped todo.white-space.kept",
    key=lambda todo: todo["content"].strip(),
)


# The duplicate in the error


@fault("todo.content.duplicate-quoted")
def leaves_the_duplicate_unquoted(patch: Patch) -> None:
    patch.set(T, "quote", lambda text: f'"{text}"')


fault.set(
    "quotes_as_python_does", "todo.content.duplicate-quoted todo.content.unique", T, "quote", repr
)
fault.set("quotes_in_ascii", "todo.content.duplicate-quoted", T, "quote", json.dumps)
shows(
    "quotes_for_markup",
    "todo.content.duplicate-quoted",
    lambda text: text.replace("<", "\\u003c").replace("&", "\\u0026"),
)
shows("escapes_slashes", "todo.content.duplicate-quoted", lambda text: text.replace("/", "\\/"))
shows(
    "escapes_line_separators",
    "todo.content.duplicate-quoted",
    lambda text: text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"),
)
shows(
    "escapes_delete", "todo.content.duplicate-quoted", lambda text: text.replace("\x7f", "\\u007f")
)
shows(
    "knows_no_short_escapes",
    "todo.content.duplicate-quoted",
    lambda text: text.replace("\\b", "\\u0008").replace("\\f", "\\u000c"),
)
shows(
    "escapes_in_capitals",
    "todo.content.duplicate-quoted",
    lambda text: text.replace("\\u001b", "\\u001B"),
)
shows(
    "leaves_backslashes_alone",
    "todo.content.duplicate-quoted",
    lambda text: text.replace("\\\\", "\\"),
)
shows(
    "breaks_the_error_in_lines",
    "todo.content.duplicate-quoted",
    lambda text: text.replace("\\n", "\n"),
)


@fault("todo.content.duplicate-quoted")
def quotes_lone_surrogates_as_question_marks(patch: Patch) -> None:
    patch.around(T, "quote", lambda sound, text: sound(text.encode("utf-8", "replace").decode()))


judges(
    "names_the_duplicate_untrimmed",
    "todo.content.trimmed-first",
    show=lambda text: text,
)
fault.text(
    "says_repeated_for_duplicate", "todo.content.unique", T, "DUPLICATE", "duplicate", "repeated"
)
fault.text("says_blank_for_empty", "todo.content.non-empty", T, "EMPTY", "non-empty", "non-blank")
