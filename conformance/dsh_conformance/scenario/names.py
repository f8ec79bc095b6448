"""
Names for ids: where they are bound, and what they stand for.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from typing import Any

from dsh_conformance.scenario.patterns import PLACEHOLDER, is_rest

COUNTER = "n"


def placeholders(value: Any) -> Iterator[str]:
    """
    Yield every name that stands in braces anywhere in a value.
    """
    if isinstance(value, str):
        yield from PLACEHOLDER.findall(value)
    elif isinstance(value, list):
        for item in value:
            yield from placeholders(item)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from placeholders(key)
            yield from placeholders(inner)


def likely_slip(name: str, known: set[str]) -> str | None:
    """
    Return the name that an unknown one was probably meant to be.

    Braces are ordinary text unless a name stands in them, so only a near miss is a mistake.
    """
    if name in known or is_rest(name) or len(name) < 3:  # Short words are near to all.
        return None
    near = difflib.get_close_matches(name, known, 1, cutoff=0.8)
    return near[0] if near else None


def filled(value: Any, names: dict[str, Any]) -> Any:
    """
    Put what the names stand for in their places.

    A text that is one name alone becomes the bound value itself; inside `$matches` it is escaped.
    """
    if not names:
        return value
    if isinstance(value, str):
        return _filled_text(value, names)
    if isinstance(value, list):
        return [filled(item, names) for item in value]
    if isinstance(value, dict):
        return {_key(key, names): _filled_at(key, inner, names) for key, inner in value.items()}
    return value


def _key(key: str, names: dict[str, Any]) -> str:
    return str(_filled_text(key, names)) if "{" in key else key


def _filled_at(key: str, value: Any, names: dict[str, Any]) -> Any:
    if key == "$matches" and isinstance(value, str):
        escaped = {name: re.escape(str(bound)) for name, bound in names.items()}
        return _filled_text(value, escaped)
    return filled(value, names)


def _filled_text(text: str, names: dict[str, Any]) -> Any:
    if "{" not in text:
        return text
    whole = PLACEHOLDER.fullmatch(text)
    if whole is not None and whole[1] in names:
        return names[whole[1]]
    return PLACEHOLDER.sub(lambda m: str(names[m[1]]) if m[1] in names else m[0], text)
