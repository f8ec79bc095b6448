"""
Values that YAML cannot write well, worked out when a file is read.
"""

from __future__ import annotations

import json
from typing import Any

from dsh_conformance.adapter.wire import NotJson, decode

# The longest text a case needs is a megabyte; a stranger's file must not ask for more than it
# shows. The limit is for all that unfolds in one parameter together.
EXPANSION_LIMIT = 8 << 20

_REPEAT = f"$repeat takes a text and a count, up to {EXPANSION_LIMIT} characters in all"
_EACH = f"$each unfolds to more than {EXPANSION_LIMIT} characters in all"


class ValueMistake(Exception):  # It becomes a DataError once its place is known.
    """
    A `$json`, `$repeat` or `$each` that cannot be worked out.
    """


def worked_out(value: Any) -> Any:
    """
    Replace `$json`, `$repeat` and `$each` inside a value by what they stand for.

    Raises:
        ValueMistake: One of them is written wrongly, or they unfold to too much.
    """
    return _Unfolding().value(value)


class _Unfolding:
    """
    Works values out and keeps count of what they unfold to.
    """

    def __init__(self) -> None:
        self._left = EXPANSION_LIMIT
        self._workers = {"$json": _json, "$repeat": self._repeat, "$each": self._each}

    def value(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self.value(item) for item in value]
        if not isinstance(value, dict):
            return value
        if len(value) == 1:
            ((key, inner),) = value.items()
            if key in self._workers:
                return self._workers[key](inner)
        return {key: self.value(inner) for key, inner in value.items()}

    def _spend(self, refusal: str, size: int) -> None:
        self._left -= size
        if self._left < 0:
            raise ValueMistake(refusal)

    def _repeat(self, pair: Any) -> str:
        try:
            text, times = str(pair[0]), int(pair[1])
        except (IndexError, KeyError, TypeError, ValueError) as error:
            raise ValueMistake("$repeat takes [TEXT, N]") from error
        if times < 0:
            raise ValueMistake(_REPEAT)
        self._spend(_REPEAT, max(len(text), 1) * times)
        return text * times

    def _each(self, spec: Any) -> list[Any]:
        try:
            first, last, inner = spec.get("from", 1), spec["to"], spec["value"]
            count = max(0, last + 1 - first)
        except (AttributeError, KeyError, TypeError) as error:
            raise ValueMistake("$each takes {to: N, value: …} and perhaps from") from error
        if not isinstance(count, int):
            raise ValueMistake("$each counts in whole numbers")
        value = self.value(inner)
        self._spend(_EACH, len(json.dumps(value)) * count)
        return [numbered(value, number) for number in range(first, last + 1)]


def _json(text: Any) -> Any:
    try:
        return decode(text.encode("utf-8", "surrogatepass"))
    except AttributeError as error:
        raise ValueMistake("$json takes a text") from error
    except NotJson as error:
        raise ValueMistake(f"$json holds no JSON text: {error}") from error


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
