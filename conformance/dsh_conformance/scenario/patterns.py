"""
Expected against seen: exact values, or operators where exact is too much.

Every difference is kept, with its path.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from dsh_conformance.scenario.bounded import search
from dsh_conformance.scenario.messages import BUT_SEQ

Path = tuple[str | int, ...]


class _Absent:
    """
    What is seen where nothing is.
    """

    def __repr__(self) -> str:
        return "nothing"


ABSENT = _Absent()

# Fields whose words are the implementation's; any other difference is one of effect.
WORDED = frozenset({"text", "description", "title"})

# What these ask is whether a text is there at all, not how it is worded.
_PRESENCE = frozenset({"$absent", "$any"})

PLACEHOLDER = re.compile(r"\{([A-Za-z][A-Za-z0-9_-]*)\}")


def is_rest(name: str) -> bool:
    """
    Whether a name stands for any text at all.
    """
    return name.startswith("rest")


@dataclass(frozen=True)
class Mismatch:
    """
    One difference.

    Attributes:
        path: Where in the observation.
        expected: The pattern that stood there.
        seen: What was there, or `ABSENT`.
        wording: Whether only the words of a text differ.
    """

    path: Path
    expected: Any
    seen: Any
    wording: bool


@dataclass
class Matching:
    """
    One comparison: names to capture, observations kept earlier, and what was found.

    Attributes:
        captures: Names that the texts of this step bind.
        memory: What `remember` kept, by name.
        found: Names and the texts they were bound to.
        mismatches: Every difference.
    """

    captures: frozenset[str] = frozenset()
    memory: dict[str, Any] = field(default_factory=dict)
    found: dict[str, str] = field(default_factory=dict)
    mismatches: list[Mismatch] = field(default_factory=list)

    def compare(self, expected: Any, seen: Any, path: Path = ()) -> bool:
        """
        Compare, note the differences, and say whether there were none.
        """
        before = len(self.mismatches)
        self._compare(expected, seen, path)
        return len(self.mismatches) == before

    def _compare(self, expected: Any, seen: Any, path: Path) -> None:
        if isinstance(expected, dict):
            self._compare_map(expected, seen, path)
        elif isinstance(expected, list):
            self._compare_list(expected, seen, path)
        elif isinstance(expected, str):
            self._compare_text(expected, seen, path)
        elif type(expected) is bool or type(seen) is bool or expected is None:
            self._note(seen is expected, expected, seen, path)
        else:
            self._note(expected == seen, expected, seen, path)

    def _note(self, holds: bool, expected: Any, seen: Any, path: Path) -> None:  # noqa: FBT001
        if not holds:
            wording = isinstance(seen, str) and bool(path) and path[-1] in WORDED
            wording = wording and not (isinstance(expected, dict) and _PRESENCE & set(expected))
            self.mismatches.append(Mismatch(path, expected, seen, wording))

    def _compare_text(self, expected: str, seen: Any, path: Path) -> None:
        names = {n for n in PLACEHOLDER.findall(expected) if n in self.captures or is_rest(n)}
        if not names or not isinstance(seen, str):
            self._note(expected == seen, expected, seen, path)
            return
        groups: list[str] = []
        match = search(self._capturing(expected, groups), seen, whole=True)
        self._note(match is not None, expected, seen, path)
        if match is not None:
            self.found.update(zip(groups, match.groups(), strict=True))

    def _capturing(self, expected: str, groups: list[str]) -> str:
        pieces, end = [], 0
        for match in PLACEHOLDER.finditer(expected):
            pieces += [re.escape(expected[end : match.start()]), self._group(match, groups)]
            end = match.end()
        return "".join([*pieces, re.escape(expected[end:])])

    def _group(self, match: re.Match[str], groups: list[str]) -> str:
        name = match[1]
        anything = ".*?" if is_rest(name) else r"\S+?"
        behind = PLACEHOLDER.match(match.string, match.end())
        if behind is not None and is_rest(behind[1]):
            anything = anything.rstrip("?")  # Nothing but white space tells it from the rest.
        if name not in self.captures:
            return anything if is_rest(name) else re.escape(match[0])
        if name in self.found:
            return re.escape(self.found[name])
        if name in groups:
            return rf"(?:\{groups.index(name) + 1})"
        groups.append(name)
        return f"({anything})"

    def _compare_list(self, expected: list[Any], seen: Any, path: Path) -> None:
        if not isinstance(seen, list):
            self._note(False, expected, seen, path)  # noqa: FBT003
            return
        for index in range(max(len(expected), len(seen))):
            if index >= len(seen):
                self._missing(expected[index], (*path, index))
            elif index >= len(expected):
                self.mismatches.append(Mismatch((*path, index), ABSENT, seen[index], wording=False))
            else:
                self._compare(expected[index], seen[index], (*path, index))

    def _missing(self, expected: Any, path: Path) -> None:
        self.mismatches.append(Mismatch(path, expected, ABSENT, wording=False))

    def _compare_map(self, expected: dict[str, Any], seen: Any, path: Path) -> None:
        operators = [key for key in expected if key.startswith("$")]
        if operators:
            for name in operators:
                self._operator(name, expected[name], seen, path)
            return
        if not isinstance(seen, dict):
            self._note(False, expected, seen, path)  # noqa: FBT003
            return
        self._compare_fields(expected, seen, path)
        for key in seen.keys() - expected.keys():
            self.mismatches.append(Mismatch((*path, key), ABSENT, seen[key], wording=False))

    def _compare_fields(self, expected: dict[str, Any], seen: dict[str, Any], path: Path) -> None:
        for key, pattern in expected.items():
            self._compare(pattern, seen.get(key, ABSENT), (*path, key))

    def _operator(self, name: str, value: Any, seen: Any, path: Path) -> None:
        structural = _STRUCTURAL.get(name)
        if structural is not None:
            structural(self, value, seen, path)
            return
        self._note(self.holds(name, value, seen), {name: value}, seen, path)

    def holds(self, name: str, value: Any, seen: Any) -> bool:
        """
        Say whether an operator that has no inner paths holds.
        """
        return _TESTS[name](self, value, seen)

    def matches(self, expected: Any, seen: Any) -> bool:
        """
        Say whether a pattern holds, keeping what it captured only if it does.
        """
        trial = Matching(self.captures, self.memory, dict(self.found))
        if not trial.compare(expected, seen):
            return False
        self.found.update(trial.found)
        return True

    def has(self, value: dict[str, Any], seen: Any, path: Path) -> None:
        """
        Compare only the named fields of a map.
        """
        if isinstance(seen, dict):
            self._compare_fields(value, seen, path)
        else:
            self._note(False, {"$has": value}, seen, path)  # noqa: FBT003

    def but_seq(self, value: dict[str, Any], seen: Any, path: Path) -> None:
        """
        Compare a map whole, but for its place in the log.
        """
        if isinstance(seen, dict):
            seen = {key: inner for key, inner in seen.items() if key != "seq"}
        self._compare_map(value, seen, path)

    def json_text(self, value: Any, seen: Any, path: Path) -> None:
        """
        Compare a text as the JSON it holds.
        """
        try:
            self._compare(value, json.loads(seen), path)
        except (TypeError, ValueError, RecursionError):
            self._note(False, {"$jsonText": value}, seen, path)  # noqa: FBT003


def _texts(value: Any) -> list[str]:
    return value if isinstance(value, list) else [value]


def _contains(_: Matching, value: Any, seen: Any) -> bool:
    return isinstance(seen, str) and all(text in seen for text in _texts(value))


def _lacks(_: Matching, value: Any, seen: Any) -> bool:
    return isinstance(seen, str) and not any(text in seen for text in _texts(value))


def _find(_: Matching, value: Any, seen: Any) -> bool:
    return isinstance(seen, str) and search(value, seen) is not None


def _includes(matching: Matching, value: Any, seen: Any) -> bool:
    left = list(seen) if isinstance(seen, list) else []
    for pattern in value:
        hit = next((item for item in left if matching.matches(pattern, item)), ABSENT)
        if hit is ABSENT:
            return False
        left.remove(hit)
    return True


def _excludes(matching: Matching, value: Any, seen: Any) -> bool:
    return isinstance(seen, list) and not any(
        matching.matches(pattern, item) for pattern in value for item in seen
    )


def _extends(matching: Matching, value: str, seen: Any) -> bool:
    before = matching.memory[value]
    if isinstance(before, list) and isinstance(seen, list):
        return seen[: len(before)] == before
    if not isinstance(before, dict) or not isinstance(seen, dict):
        return bool(seen == before)
    same = all(before.get(key) == seen.get(key) for key in ("system", "tools"))
    earlier = before.get("messages", [])
    return same and seen.get("messages", [])[: len(earlier)] == earlier


_TESTS: dict[str, Callable[[Matching, Any, Any], bool]] = {
    "$matches": _find,
    "$contains": _contains,
    "$lacks": _lacks,
    "$startsWith": lambda _, value, seen: isinstance(seen, str) and seen.startswith(value),
    "$endsWith": lambda _, value, seen: isinstance(seen, str) and seen.endswith(value),
    "$oneOf": lambda m, value, seen: any(m.matches(pattern, seen) for pattern in value),
    "$includes": _includes,
    "$excludes": _excludes,
    "$size": lambda _, value, seen: hasattr(seen, "__len__") and len(seen) == value,
    "$any": lambda _, value, seen: (seen is not ABSENT) == value,
    "$absent": lambda _, value, seen: (seen is ABSENT) == value,
    "$not": lambda m, value, seen: not m.matches(value, seen),
    "$same": lambda m, value, seen: bool(m.memory[value] == seen),
    "$extends": _extends,
}

_STRUCTURAL: dict[str, Callable[[Matching, Any, Any, Path], None]] = {
    "$has": Matching.has,
    BUT_SEQ: Matching.but_seq,
    "$jsonText": Matching.json_text,
}

OPERATORS = frozenset(_TESTS) | frozenset({"$has"})
"""Operators that a scenario may write."""

VALUES = frozenset({"$json", "$repeat", "$each"})
"""Operators that stand for a value and are worked out when the file is read."""
