"""
Values that YAML cannot write well, worked out when a file is read.
"""

from __future__ import annotations

import json
from typing import Any

# The longest text a case needs is a megabyte; a stranger's file must not ask for more than it
# shows.
EXPANSION_LIMIT = 8 << 20


class ValueMistake(Exception):  # It becomes a DataError once its place is known.
    """
    A `$json`, `$repeat` or `$each` that cannot be worked out.
    """


def worked_out(value: Any) -> Any:
    """
    Replace `$json`, `$repeat` and `$each` inside a value by what they stand for.

    Raises:
        ValueMistake: One of them is written wrongly.
    """
    if isinstance(value, list):
        return [worked_out(item) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        ((key, inner),) = value.items()
        if key in _WORKERS:
            return _WORKERS[key](inner)
    return {key: worked_out(inner) for key, inner in value.items()}


def _json(text: Any) -> Any:
    try:
        return json.loads(text)
    except (TypeError, ValueError) as error:
        raise ValueMistake(f"$json holds no JSON text: {error}") from error


def _repeat(pair: Any) -> str:
    try:
        text, times = str(pair[0]), int(pair[1])
    except (IndexError, KeyError, TypeError, ValueError) as error:
        raise ValueMistake("$repeat takes [TEXT, N]") from error
    if times < 0 or len(text) * times > EXPANSION_LIMIT:
        raise ValueMistake(f"$repeat takes a text and a count, up to {EXPANSION_LIMIT} characters")
    return text * times


def _each(spec: Any) -> list[Any]:
    try:
        numbers = range(spec.get("from", 1), spec["to"] + 1)
        value = worked_out(spec["value"])
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueMistake("$each takes {to: N, value: …} and perhaps from") from error
    if len(json.dumps(value)) * (numbers.stop - numbers.start) > EXPANSION_LIMIT:
        raise ValueMistake(f"$each unfolds to more than {EXPANSION_LIMIT} characters")
    return [numbered(value, number) for number in numbers]


def numbered(value: Any, number: int) -> Any:
    """
    Put a count where `{n}` stands.
    """
    if isinstance(value, str):
        return value.replace("{n}", str(number))
    if isinstance(value, list):
        return [numbered(item, number) for item in value]
    if isinstance(value, dict):
        return {key: numbered(inner, number) for key, inner in value.items()}
    return value


_WORKERS = {"$json": _json, "$repeat": _repeat, "$each": _each}
