"""
Faults in the notice of a fold.
"""

# ruff: noqa: D103  # A fault's name says what it does.

from __future__ import annotations

import json
import posixpath
from collections.abc import Callable, Sequence
from typing import Any

from dsh_reference.host.log import Message, Session
from dsh_reference.tree import folding, notice, texts
from faults.kit import Patch
from faults.kit import tree as fault
from faults.tree.ranges import boundaries

# The notice


def notices(
    name: str, clauses: str, change: Callable[[Sequence[Message], Message], Message]
) -> None:
    """
    Register a fault in the notice for hidden messages.
    """
    fault.around(
        name, clauses, folding, "fold_notice", lambda sound, hidden: change(hidden, sound(hidden))
    )


notices(
    "the_notice_is_a_system_message",
    "tree.fold.system-once",
    lambda _, message: {"kind": "system", "text": message["text"]},
)
notices(
    "the_notice_speaks_as_a_person",
    "tree.notice.source",
    lambda _, message: {**message, "source": {"kind": "user"}},
)
notices(
    "the_notice_counts_assistant_messages",
    "tree.notice.count",
    lambda hidden, message: {
        **message,
        "text": message["text"].replace(
            texts.hidden(len(hidden)), texts.hidden(sum(m["kind"] == "assistant" for m in hidden))
        ),
    },
)
notices(
    "the_notice_stands_on_one_line",
    "tree.notice.files",
    lambda _, message: {**message, "text": message["text"].replace("\n", " ")},
)
fault.set(
    "the_fold_notice_has_other_words",
    "tree.notice.text",
    texts,
    "hidden",
    lambda count: f"折叠了{count}条过程上下文",
)


def says(name: str, clauses: str, say: Callable[..., str]) -> None:
    """
    Register a fault in the text: `say` gets the sound one, the count, the reads and the writes.
    """
    fault.around(name, clauses, texts, "fold_notice", say)


says(
    "files_written_come_first",
    "tree.notice.files",
    lambda sound, n, r, w: (
        sound(n, w, r).replace("读取", "x").replace("写入", "读取").replace("x", "写入")
    ),
)
says(
    "empty_lists_have_their_line",
    "tree.notice.files",
    lambda sound, n, r, w: sound(n, r or ["无"], w),
)
says("paths_are_sorted", "tree.notice.order", lambda sound, n, r, w: sound(n, sorted(r), sorted(w)))
says(
    "a_written_file_counts_as_written_alone",
    "tree.notice.order",
    lambda sound, n, r, w: sound(n, [path for path in r if path not in w], w),
)
fault.around(
    "the_summary_counts_files_once",
    "tree.notice.summary",
    notice.texts,
    "fold_summary",
    lambda sound, count, files: sound(count, min(files, 1)),
)
fault.around(
    "the_summary_names_no_files",
    "tree.notice.summary",
    notice.texts,
    "fold_summary",
    lambda sound, count, _: sound(count, 0),
)


def _arguments(raw: str) -> dict[str, Any]:
    try:
        parsed = json.loads(raw)
    except (ValueError, RecursionError):
        return {}
    return parsed if isinstance(parsed, dict) else {}


def paths(name: str, clauses: str, change: Callable[[dict[str, Any], str | None], Any]) -> None:
    """
    Register a fault in the path that a call names.
    """

    def path(sound: Any, raw: str) -> str | None:
        found = change(_arguments(raw), sound(raw))
        return found if isinstance(found, str) and found.strip() else None

    fault.around(name, clauses, notice, "_path", path)


paths("path_is_no_path", "tree.notice.path-arguments", lambda given, _: given.get("file_path"))
paths("file_path_is_no_path", "tree.notice.path-arguments", lambda given, _: given.get("path"))
paths(
    "path_goes_first",
    "tree.notice.path-precedence",
    lambda given, found: given.get("path") or found,
)
paths(
    "an_empty_file_path_gives_way",
    "tree.notice.path-precedence",
    lambda given, _: given.get("file_path") or given.get("path"),
)
paths("paths_are_trimmed", "tree.notice.verbatim", lambda _, found: found and found.strip())
paths(
    "paths_are_normalised",
    "tree.notice.verbatim",
    lambda _, found: found and posixpath.normpath(found),
)
paths(
    "odd_paths_are_converted",
    "tree.notice.odd-arguments",
    lambda given, found: found or str(given.get("file_path") or given.get("path") or ""),
)
fault.set(
    "shells_write_files",
    "tree.notice.shells-never",
    notice,
    "WRITES",
    notice.WRITES | {"bash", "pwsh"},
)
fault.set(
    "searches_read_files",
    "tree.notice.which-tools",
    notice,
    "READS",
    notice.READS | {"grep", "glob", "list", "ls", "view"},
)
fault.set(
    "editors_write_nothing",
    "tree.notice.which-tools",
    notice,
    "WRITES",
    notice.WRITES - {"str_replace_editor"},
)
fault.set("images_are_not_read", "tree.notice.which-tools", notice, "READS", frozenset({"read"}))


@fault("tree.notice.odd-arguments")
def broken_arguments_stop_the_fold(patch: Patch) -> None:
    def run(sound: Any, session: Session, surface: Sequence[Message]) -> None:
        try:
            for message in surface:
                for call in message.get("calls", ()):
                    json.loads(call["arguments"])
        except ValueError:
            return
        sound(session, surface)

    patch.around(folding, "fold", run)


@fault("tree.notice.failed-calls")
def failed_calls_name_no_files(patch: Patch) -> None:
    def touched(sound: Any, messages: Sequence[Message], tools: Any) -> list[str]:
        failed = {m["call"] for m in messages if m["kind"] == "tool" and "rror" in m["text"]}
        kept = [
            {**m, "calls": [c for c in m.get("calls", ()) if c["id"] not in failed]}
            for m in messages
        ]
        return sound(kept, tools)

    patch.around(notice, "touched", touched)


def with_boundary(name: str, clauses: str, make: Callable[..., Message]) -> None:
    """
    Register a fault that looks at what stays; `make` gets the sound notice, hidden and boundaries.
    """

    def apply(patch: Patch) -> None:
        shown: list[Message] = []

        def run(sound: Any, session: Session, surface: Sequence[Message]) -> None:
            shown[:] = [surface[place] for place in boundaries(surface)[-2:]]
            sound(session, surface)

        patch.around(folding, "fold", run)
        patch.around(folding, "fold_notice", lambda sound, hidden: make(sound, hidden, shown))

    fault.plant(name, clauses, apply, {})


def _files_of_all(sound: Any, hidden: Sequence[Message], shown: list[Message]) -> Message:
    message = sound([*hidden, *shown])
    wrong, right = texts.hidden(len(hidden) + len(shown)), texts.hidden(len(hidden))
    return {**message, "text": message["text"].replace(wrong, right)}


with_boundary("calls_that_stay_name_files", "tree.notice.only-hidden-calls", _files_of_all)
with_boundary(
    "the_notice_tells_the_result",
    "tree.notice.no-result",
    lambda sound, hidden, shown: {
        **(message := sound(hidden)),
        "text": f"{message['text']}\n{shown[-1]['calls'][0]['arguments']}",
    },
)
