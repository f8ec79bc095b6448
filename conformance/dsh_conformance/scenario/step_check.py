"""
Steps as they are written: what the schema cannot say of one.
"""

from __future__ import annotations

import base64
import binascii
from pathlib import PurePosixPath
from typing import Any

from dsh_conformance.contract.documents import Document, Place
from dsh_conformance.errors import DataError
from dsh_conformance.scenario.verbs import LOOKS, NOBODY, SEPARATE, VERBS, Verb

# An alternative of any-of only looks; what it would bind or keep depends on which one held.
_NOT_IN_ALTERNATIVES = ("bind", "remember", "unchanged", "logs", "clause")
# Inside `together` nothing can be read between two calls.
_NOT_IN_TOGETHER = ("logs", "unchanged")
_FILES = frozenset({"file", "files", "write-file"})
_ONE_OF = {"emit": ("output", "base64"), "write-file": ("text", "base64")}


def check_step(document: Document, verb: Verb, entry: dict[str, Any], place: Place) -> None:
    """
    Check one step by itself.

    Raises:
        DataError: Two of its keys contradict each other, or a path or base64 text is wrong.
    """
    if verb.name in _FILES:
        _check_path(document, entry[verb.name], (*place, verb.name))
    if verb.name in _ONE_OF:
        _check_one_of(document, _ONE_OF[verb.name], entry, place)
    if isinstance(entry.get("base64"), str):
        _check_base64(document, entry["base64"], (*place, "base64"))
    if verb.name == "settle" and "reject" in entry:
        for key in {"status", "detail", "output"} & set(entry):
            _refuse(document, key, "cannot stand beside reject", (*place, key))
    if entry.get("by") == NOBODY and "logs" in entry:
        _refuse(document, "logs", "says nothing of a caller without a log", (*place, "logs"))


def check_inside(document: Document, outer: Verb, listed: list[Any], place: Place) -> None:
    """
    Check what stands inside `together` or an alternative of `any-of`.

    Raises:
        DataError: A step there cannot be played there, or expects what cannot be seen there.
    """
    together = outer.name == "together"
    for index, entry in enumerate(listed):
        verb = _verb_of(entry)
        if (verb in SEPARATE) if together else (verb not in LOOKS):
            hint = "put it before or behind" if together else f"looks are {', '.join(LOOKS)}"
            _refuse(
                document, verb, f"cannot stand inside {outer.name}", (*place, index, verb), hint
            )
        for key in _NOT_IN_TOGETHER if together else _NOT_IN_ALTERNATIVES:
            if key in entry:
                what = f"cannot stand inside {outer.name}"
                _refuse(document, key, what, (*place, index, key))


def _verb_of(entry: Any) -> str:
    return next((key for key in entry if key in VERBS), "") if isinstance(entry, dict) else ""


def _check_path(document: Document, path: str, place: Place) -> None:
    parts = PurePosixPath(path).parts
    if path.startswith("/") or ".." in parts[1:] or not path.strip("/. "):
        raise DataError(
            "not a path in the state folder",
            document.at(place),
            value=path,
            hint="write it relative to the state folder; `../` may go up once, at its beginning",
        )


def _check_one_of(
    document: Document, keys: tuple[str, str], entry: dict[str, Any], place: Place
) -> None:
    if len(set(keys) & set(entry)) != 1:
        raise DataError(
            f"exactly one of {keys[0]} and {keys[1]} is needed",
            document.at(place),
            hint=f"write {keys[0]}: '' for an empty text",
        )


def _check_base64(document: Document, text: str, place: Place) -> None:
    try:
        base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise DataError(
            f"not base64: {error}", document.at(place), value=text, hint="pad it with ="
        ) from error


def _refuse(
    document: Document, key: str, what: str, place: Place, hint: str = "leave it out"
) -> None:
    raise DataError(f"{key!r} {what}", document.at_key(place), hint=hint)
