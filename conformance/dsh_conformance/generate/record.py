"""
What one implementation answered to one step, in the words of the scenarios.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dsh_conformance.generate.observe import plain_events, plain_messages, without_times
from dsh_conformance.generate.program import RawStep
from dsh_conformance.scenario.patterns import ABSENT
from dsh_conformance.scenario.verbs import Verb

CALLS = frozenset({"call", "model-call", "poll", "abort"})
# What these answer is a host's own: its names for sessions, its numbers.
_UNSEEN = frozenset({"agent", "append", "work"})


@dataclass(frozen=True)
class Record:
    """
    One step as one implementation answered it.

    Attributes:
        index: The step's place in the program.
        step: The step, in the edition's words.
        facts: What was seen, by the scenario key that would expect it; ids are names.
        raw: The result as it came.
        inner: The same for the steps inside.
    """

    index: int
    step: RawStep
    facts: dict[str, Any]
    raw: Any = None
    inner: tuple[Record, ...] = ()

    @property
    def verb(self) -> str:
        """
        The step's verb.
        """
        return next(iter(self.step))

    @property
    def value(self) -> Any:
        """
        The verb's own value.
        """
        return self.step[self.verb]


def facts_of(verb: Verb, result: Any) -> dict[str, Any]:
    """
    Return what a result shows, by the scenario key that would expect it.
    """
    if verb.name in CALLS:
        return _call_facts(result)
    if verb.name == "command":
        return {"says" if result["kind"] == "success" else "error": result["text"]}
    if verb.name == "projection":
        return {"shows": result.get("value") if result["present"] else ABSENT}
    if verb.name in _UNSEEN or "shows" not in verb.expects:
        return {}
    main = result if verb.field is None else result[verb.field]
    nothing = verb.name == "present" and main is None
    return {"shows": ABSENT if nothing else _plain(verb, main)}


def at_path(result: Any, path: str) -> Any:
    """
    Return the field of a result that `bind` names (`id`, `seqs.0`, …), or None.
    """
    for part in path.split("."):
        try:
            result = result[int(part)] if isinstance(result, list) else result[part]
        except (IndexError, KeyError, TypeError, ValueError):
            return None
    return result


def _call_facts(result: dict[str, Any]) -> dict[str, Any]:
    if not result["done"]:
        return {"pending": True}
    facts = {"error" if result["isError"] else "says": result["text"]}
    if "value" in result and not result["isError"]:
        facts["value"] = without_times(result["value"])
    return facts


def _plain(verb: Verb, main: Any) -> Any:
    if verb.observed == "messages":
        return plain_messages(main)
    if verb.observed == "events":
        return plain_events(main)
    if verb.observed == "request":
        return {"messages": plain_messages(main["messages"])}
    return main
