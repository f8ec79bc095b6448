"""
The settings of the plugin, checked when it loads.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dsh_reference.errors import LoadFailed
from dsh_reference.tasks.wording import json_text, plain_text
from dsh_reference.tasks.words import Words

WAIT_TIMEOUT = "waitTimeoutMs"
MAX_WAIT_TIMEOUT = "maxWaitTimeoutMs"
DELIVERY = "completionDelivery"
MAX_WAKES = "maxConsecutiveWakes"

QUIET = "quiet"
WAKEUP = "wakeup"

_WAITS: Mapping[str, Any] = {WAIT_TIMEOUT: 30_000, MAX_WAIT_TIMEOUT: 600_000}
_WAKES: Mapping[str, Any] = {DELIVERY: WAKEUP, MAX_WAKES: 3}

_PROBLEM = "invalid config:\n  - $.{key} expected {expected} but got {value} (at {key})"
_ABOVE_CAP = "{plugin}: waitTimeoutMs ({default}) exceeds maxWaitTimeoutMs ({cap})"
_NOT_WHOLE = "{plugin}: maxConsecutiveWakes ({wakes}) must be a whole number of turns"
# From here on a double does not tell each whole number from the next.
_LARGEST_WHOLE = 2**53 - 1


@dataclass(frozen=True)
class Config:
    """
    How long a wait may last, in milliseconds: where the model does not say, and at most.

    `wakes` is how often in a row notices may wake an idle owner.
    """

    wait_timeout_ms: float
    max_wait_timeout_ms: float
    wakes: int = 0


def defaults(words: Words) -> Mapping[str, Any]:
    """
    Return the settings an edition knows, and their values where none are given.
    """
    return {**_WAITS, **_WAKES} if words.wakes else _WAITS


def load_config(given: Mapping[str, Any], words: Words) -> Config:
    """
    Return the settings; null counts as not given, unknown keys are ignored.

    Raises:
        LoadFailed: A value is not of its kind, or the default wait is above the cap.
    """
    merged = {
        key: default if given.get(key) is None else given[key]
        for key, default in defaults(words).items()
    }
    for key, value in merged.items():
        _check(key, value)
    default, cap = merged[WAIT_TIMEOUT], merged[MAX_WAIT_TIMEOUT]
    if default > cap:
        shown = {"default": plain_text(default), "cap": plain_text(cap)}
        raise LoadFailed(_ABOVE_CAP.format(plugin=words.plugin, **shown))
    return Config(default, cap, _wakes(merged, words))


def _check(key: str, value: Any) -> None:
    if key == DELIVERY:
        if value not in (QUIET, WAKEUP):
            _refuse(key, f'"{QUIET}" | "{WAKEUP}"', json_text(value))
    elif not _is_number(value):
        _refuse(key, "number", plain_text(value))
    elif value < 1:
        _refuse(key, "number >= 1", plain_text(value))


def _refuse(key: str, expected: str, value: str) -> None:
    raise LoadFailed(_PROBLEM.format(key=key, expected=expected, value=value))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and not math.isnan(value)


def _wakes(merged: Mapping[str, Any], words: Words) -> int:
    wakes = merged.get(MAX_WAKES, 0)
    if wakes % 1 or wakes > _LARGEST_WHOLE:
        raise LoadFailed(_NOT_WHOLE.format(plugin=words.plugin, wakes=plain_text(wakes)))
    return int(wakes) if merged.get(DELIVERY) == WAKEUP else 0
