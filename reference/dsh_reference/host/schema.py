"""
The check of tool arguments against a tool's parameter schema, and its exact texts.

Within an object: what is missing first, then what is wrong inside, both in order of declaration,
then what is undeclared, in the value's own order. A value of the wrong type is reported once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

ROOT = "arguments"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_KINDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "string": ("a string", lambda value: isinstance(value, str)),
    "boolean": ("a boolean", lambda value: isinstance(value, bool)),
    "number": ("a number", _is_number),
    "integer": ("an integer", lambda value: _is_number(value) and value == int(value)),
    "object": ("an object", lambda value: isinstance(value, dict)),
    "array": ("an array", lambda value: isinstance(value, list)),
}


def violations(schema: dict[str, Any], value: Any) -> list[str]:
    """
    Return what is wrong with `value`, one text a violation; the schema's depth bounds the work.
    """
    return list(_check(schema, value, path=""))


def _check(schema: dict[str, Any], value: Any, *, path: str) -> Iterator[str]:
    name, matches = _KINDS[schema["type"]]
    if not matches(value):
        yield f'"{path or ROOT}" must be {name}'
    elif value not in schema.get("enum", [value]):
        allowed = json.dumps(schema["enum"], ensure_ascii=False, separators=(",", ":"))
        yield f'"{path}" must be one of {allowed}'
    elif schema["type"] == "object":
        yield from _check_object(schema, value, path=path)
    elif "items" in schema:
        for index, item in enumerate(value):
            yield from _check(schema["items"], item, path=f"{path}[{index}]")


def _check_object(schema: dict[str, Any], value: dict[str, Any], *, path: str) -> Iterator[str]:
    declared = schema.get("properties", {})
    prefix = f"{path}." if path else ""
    for key in schema.get("required", []):
        if key not in value:
            yield f'missing required property "{prefix}{key}"'
    for key, inner in declared.items():
        if key in value:
            yield from _check(inner, value[key], path=f"{prefix}{key}")
    if schema.get("additionalProperties") is False:
        for key in value:
            if key not in declared:
                yield f'"{prefix}{key}" is not a declared property (additionalProperties: false)'
