"""
Data files against their JSON Schemas, with file, line and column in the message.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from dsh_conformance.contract.documents import Document, Place
from dsh_conformance.errors import DataError, shorten
from dsh_conformance.paths import spec_root

if TYPE_CHECKING:
    from jsonschema import Draft7Validator
    from jsonschema.exceptions import ValidationError

LISTED_CHOICES = 48


@cache
def validator(name: str, definition: str | None = None) -> Draft7Validator:
    """
    Return the validator of `spec/schemas/<name>.schema.json`, or of one of its definitions.

    It is slow and words errors well.
    """
    from jsonschema import Draft7Validator  # noqa: PLC0415  # Slow to import, and for errors only.

    return Draft7Validator(_schema(name, definition))


@cache
def _schema(name: str, definition: str | None) -> dict[str, Any]:
    """
    Return `spec/schemas/<name>.schema.json`, or one of its definitions with what it refers to.
    """
    path = spec_root() / "schemas" / f"{name}.schema.json"
    schema: dict[str, Any] = json.loads(path.read_text("utf-8"))
    if definition is None:
        return schema
    whole = schema["definitions"]
    reachable = _reachable(definition, whole)
    top = {"$ref": f"#/definitions/{definition}"}
    return {**top, "definitions": {name: whole[name] for name in reachable}}


def _reachable(definition: str, definitions: dict[str, Any]) -> set[str]:
    found: set[str] = set()
    waiting = [definition]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += re.findall(r'"#/definitions/([^"]+)"', json.dumps(definitions[name]))
    return found


@cache
def _compiled(name: str, definition: str | None) -> Callable[[Any], bool]:
    # Thousands of steps are checked before the first case runs; compiled, that costs nothing.
    from jsonschema_rs import Draft7Validator  # noqa: PLC0415  # What is cached was checked.

    return Draft7Validator(_schema(name, definition)).is_valid


def fits(data: Any, name: str, definition: str) -> bool:
    """
    Whether data is as a definition of `spec/schemas/<name>.schema.json` says.
    """
    return _compiled(name, definition)(data)


def check(document: Document, name: str) -> None:
    """
    Hold a whole file to its schema.

    Raises:
        DataError: The first thing that does not fit, and where.
    """
    _hold(document, (), document.data, name, None)


def check_part(
    document: Document, place: Place, data: Any, *, schema: str, definition: str
) -> None:
    """
    Hold one part of a file to a definition of a schema.

    Raises:
        DataError: The first thing that does not fit, and where.
    """
    _hold(document, place, data, schema, definition)


def _hold(document: Document, place: Place, data: Any, schema: str, definition: str | None) -> None:
    # A text that is no Unicode is more than the compiled check can read; the other one can.
    with suppress(ValueError):
        if _compiled(schema, definition)(data):
            return
    error = _worst(validator(schema, definition).iter_errors(data))
    if error is not None:
        raise _data_error(document, place, error)


def _worst(errors: Iterable[ValidationError]) -> ValidationError | None:
    # A misspelt key is missing under its right name, too; the slip is the better message.
    from jsonschema.exceptions import best_match  # noqa: PLC0415  # As above.

    found = list(errors)
    best = cast("ValidationError | None", best_match(found))
    if best is not None and best.validator == "required":
        for error in found:
            if error.validator == "additionalProperties" and error.path == best.path:
                return error
    if best is not None and best.validator in {"oneOf", "anyOf"}:
        choices = [error for error in best.context or () if error.validator == "enum"]
        return choices[0] if choices else best
    return best


def _data_error(document: Document, place: Place, error: ValidationError) -> DataError:
    inner = (*place, *error.absolute_path)
    unknown = _unknown_key(error)
    if unknown is not None:
        known = sorted(_schema_of(error).get("properties", {}))
        return DataError(
            f"unknown key {unknown!r}",
            document.at_key((*inner, unknown)),
            hint=suggestion(unknown, known),
        )
    return DataError(
        _reason(error),
        document.at(inner),
        value=json.dumps(error.instance, ensure_ascii=False, default=repr),
        hint=_hint(error),
    )


def _schema_of(error: ValidationError) -> dict[str, Any]:
    return cast("dict[str, Any]", error.schema)


def _unknown_key(error: ValidationError) -> str | None:
    if error.validator != "additionalProperties":
        return None
    known = _schema_of(error).get("properties", {})
    patterns = _schema_of(error).get("patternProperties", {})
    for key in cast("dict[str, Any]", error.instance):
        if key not in known and not any(re.search(p, key) for p in patterns):
            return str(key)
    return None


def _reason(error: ValidationError) -> str:
    say = _REASONS.get(str(error.validator))
    return (
        shorten(str(error.message)) if say is None else say(error.validator_value, error.instance)
    )


def _missing(wanted: list[str], found: dict[str, Any]) -> str:
    return f"the key {next(key for key in wanted if key not in found)!r} is missing"


def _wrong_type(wanted: str | list[str], found: Any) -> str:
    kinds = [wanted] if isinstance(wanted, str) else wanted
    return f"expected {' or '.join(_KINDS[kind] for kind in kinds)}, found {_kind(found)}"


def _too_few(wanted: int, _: Any) -> str:
    return "this must not be empty" if wanted == 1 else f"at least {wanted} are needed"


_REASONS: dict[str, Callable[[Any, Any], str]] = {
    "required": _missing,
    "type": _wrong_type,
    "enum": lambda wanted, _: f"expected one of {', '.join(map(str, wanted))}",
    "minItems": _too_few,
    "minProperties": _too_few,
    "minLength": _too_few,
    "uniqueItems": lambda *_: "something stands twice in this list",
    "pattern": lambda wanted, _: f"not of the form {wanted}",
}


def _hint(error: ValidationError) -> str:
    if error.validator == "enum" and isinstance(error.instance, str):
        known = [str(one) for one in cast("list[Any]", error.validator_value)]
        near = difflib.get_close_matches(error.instance, known, 1)
        if near:
            return f"did you mean {near[0]!r}?"
    return "see the format's page in docs/ and spec/schemas/"


_KINDS = {
    "object": "a map",
    "array": "a list",
    "string": "text",
    "boolean": "true or false",
    "null": "nothing",
    "number": "a number",
    "integer": "a whole number",
}


def _kind(value: Any) -> str:
    names = {dict: "object", list: "array", str: "string", bool: "boolean", type(None): "null"}
    return _KINDS[names.get(type(value), "number")]


def suggestion(word: str, known: Iterable[str]) -> str:
    """
    Return `did you mean …?`, or the list of what is known where it fits a line or two.
    """
    choices = sorted(known)
    near = difflib.get_close_matches(word, choices, 1)
    if near:
        return f"did you mean {near[0]!r}?"
    if len(choices) > LISTED_CHOICES:
        return "no similar name is known; `dsh-conformance list` shows them all"
    return f"known: {', '.join(choices)}"
