"""
Patterns and values as they are written: operators that exist, with operands that fit them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from dsh_conformance.contract.documents import Document, Place
from dsh_conformance.contract.schema_check import suggestion
from dsh_conformance.errors import DataError
from dsh_conformance.scenario.patterns import OPERATORS, PLACEHOLDER, VALUES

# Operators whose operands are patterns themselves: one, a list of them, or a map of them.
_NESTED = frozenset({"$not", "$oneOf", "$includes", "$excludes", "$has"})
# Where a text inside can bind a name: the others hold or do not, and keep nothing.
_BINDING = frozenset({"$oneOf", "$includes", "$has"})
_REMEMBERED = frozenset({"$same", "$extends"})


def check_pattern(document: Document, pattern: Any, place: Place) -> None:
    """
    Check the operators of a pattern.

    Raises:
        DataError: One is unknown, stands beside ordinary keys, or has an operand of another kind.
    """
    if isinstance(pattern, list):
        for index, item in enumerate(pattern):
            check_pattern(document, item, (*place, index))
    elif isinstance(pattern, dict) and not _is_value(pattern):
        _check_map(document, pattern, place)


def _check_map(document: Document, pattern: dict[str, Any], place: Place) -> None:
    operators = [key for key in pattern if key.startswith("$")]
    if operators and len(operators) < len(pattern):
        raise DataError(
            "operators and ordinary keys do not mix",
            document.at_key((*place, operators[0])),
            hint="put the ordinary keys into {$has: {…}}",
        )
    for key, value in pattern.items():
        if key in operators:
            _check_operator(document, key, value, (*place, key))
        else:
            check_pattern(document, value, (*place, key))


def _check_operator(document: Document, name: str, operand: Any, place: Place) -> None:
    if name not in OPERATORS:
        raise DataError(
            f"unknown operator {name!r}",
            document.at_key(place),
            hint=suggestion(name, OPERATORS | VALUES),
        )
    wanted, fits = _OPERANDS[name]
    if not _is_value(operand) and not fits(operand):
        raise DataError(
            f"{name} takes {wanted}",
            document.at(place),
            value=repr(operand),
            hint="see Patterns in docs/scenarios.md",
        )
    if name == "$matches" and isinstance(operand, str):
        _check_regex(document, operand, place)
    if name == "$has":
        for key, value in operand.items():
            check_pattern(document, value, (*place, key))
    elif name in _NESTED:
        check_pattern(document, operand, place)


def _check_regex(document: Document, text: str, place: Place) -> None:
    import regex  # noqa: PLC0415  # Scenarios are read once, and kept.

    plain = PLACEHOLDER.sub("x", text)
    try:
        re.compile(plain)  # The syntax that is documented; the other one has more.
        regex.compile(plain)
    except (re.error, regex.error) as error:
        raise DataError(
            f"not a regular expression: {error}",
            document.at(place),
            value=text,
            hint="see the syntax of Python's re module",
        ) from error


def check_value(document: Document, value: Any, place: Place) -> None:
    """
    Check that a value which is sent holds no operator, which would be sent as it stands.

    Raises:
        DataError: It does.
    """
    if isinstance(value, list):
        for index, item in enumerate(value):
            check_value(document, item, (*place, index))
    elif isinstance(value, dict):
        for key, inner in value.items():
            if not key.startswith("$"):
                check_value(document, inner, (*place, key))
            elif not _is_value(value):
                raise DataError(
                    f"{key!r} cannot stand in what is sent",
                    document.at_key((*place, key)),
                    hint="$json, $repeat and $each stand alone for a value; $json writes any key",
                )


def _is_value(value: Any) -> bool:
    return isinstance(value, dict) and len(value) == 1 and next(iter(value)) in VALUES


def remembered(pattern: Any, place: Place) -> Iterator[tuple[str, Place]]:
    """
    Yield the names of `$same` and `$extends` inside a pattern, with their places.
    """
    if isinstance(pattern, list):
        for index, item in enumerate(pattern):
            yield from remembered(item, (*place, index))
    elif isinstance(pattern, dict):
        for key, value in pattern.items():
            if key in _REMEMBERED and isinstance(value, str):
                yield value, (*place, key)
            yield from remembered(value, (*place, key))


def bindable(pattern: Any) -> Iterator[str]:
    """
    Yield the names in braces that comparing with this pattern could bind.
    """
    if isinstance(pattern, str):
        yield from PLACEHOLDER.findall(pattern)
    elif isinstance(pattern, list):
        for item in pattern:
            yield from bindable(item)
    elif isinstance(pattern, dict):
        for key, value in pattern.items():
            if not key.startswith("$") or key in _BINDING:
                yield from bindable(value)


def _is_text_or_texts(value: Any) -> bool:
    texts = value if isinstance(value, list) else [value]
    return bool(texts) and all(isinstance(text, str) or _is_value(text) for text in texts)


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and bool(value)


def _is_map(value: Any) -> bool:
    return isinstance(value, dict) and bool(value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_size(value: Any) -> bool:
    return type(value) is int and value >= 0


_TEXT = ("a text", _is_text)
_TEXTS = ("a text or a list of texts", _is_text_or_texts)
_PATTERNS = ("a list of patterns", _is_list)
_YES = ("true", lambda value: value is True)
_NAME = ("the name that a `remember` gave", _is_text)

_OPERANDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "$matches": _TEXT,
    "$contains": _TEXTS,
    "$lacks": _TEXTS,
    "$startsWith": _TEXT,
    "$endsWith": _TEXT,
    "$oneOf": _PATTERNS,
    "$has": ("a map of patterns", _is_map),
    "$includes": _PATTERNS,
    "$excludes": _PATTERNS,
    "$size": ("a count", _is_size),
    "$any": _YES,
    "$absent": _YES,
    "$not": ("a pattern", lambda _: True),
    "$same": _NAME,
    "$extends": _NAME,
}
