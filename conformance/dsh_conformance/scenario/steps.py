"""
The steps of a scenario file, each checked and made ready to be played.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from dsh_conformance.contract.catalogue import Contract
from dsh_conformance.contract.documents import Document, Place
from dsh_conformance.contract.schema_check import check_part, suggestion
from dsh_conformance.errors import DataError
from dsh_conformance.scenario.messages import expected, expected_event, expected_message
from dsh_conformance.scenario.model import Step
from dsh_conformance.scenario.names import placeholders
from dsh_conformance.scenario.pattern_check import (
    bindable,
    check_pattern,
    check_value,
    remembered,
)
from dsh_conformance.scenario.scope import Scope
from dsh_conformance.scenario.step_check import check_inside, check_step
from dsh_conformance.scenario.values import ValueMistake, worked_out
from dsh_conformance.scenario.verbs import ANY_STEP_KEYS, VERBS, Verb


class Steps:
    """
    Reads the steps of one document for one edition, in order.

    Args:
        document: The file.
        contract: The contract of the edition.
        known: Ids of clauses of every edition.

    Attributes:
        needs: Capabilities without which the steps read so far cannot be played.
        main_clause: The clause that a step breaks which names none.
    """

    def __init__(self, document: Document, contract: Contract, known: frozenset[str]) -> None:
        self.document = document
        self.contract = contract
        self.known = known
        self.needs: set[str] = set()
        self.main_clause = ""
        data = document.data if isinstance(document.data, dict) else {}
        self.scope = Scope(document, data)

    def read(self, listed: list[Any], place: Place) -> tuple[Step, ...]:
        """
        Return the steps of a list, but for those of other editions.

        Raises:
            DataError: One of them is wrong.
        """
        steps: list[Step] = []
        for index, entry in enumerate(listed):
            step = self._step(entry, (*place, index))
            if step is not None:
                steps.append(step)
        return tuple(steps)

    def plugins(self, listed: list[Any], place: Place) -> Iterator[dict[str, Any]]:
        """
        Yield plugins as the protocol's `reset` takes them.

        Raises:
            DataError: A configuration holds what cannot be worked out.
        """
        edition = self.contract.edition
        for index, entry in enumerate(listed):
            if isinstance(entry, dict):
                ((name, config),) = entry.items()
                here = (*place, index, name)
                check_value(self.document, config, here)
                yield {"name": name, "config": edition.words(self._worked_out(config, here))}
            elif entry in edition.config:
                yield {"name": entry, "config": edition.config[entry]}
            else:
                yield {"name": entry}

    def clause(self, name: str, place: Place) -> str:
        """
        Return a clause's id, given that or a former one.

        Raises:
            DataError: No edition has it.
        """
        found = self.contract.aliases.get(name, name)
        if found not in self.known and found not in self.contract.clauses:
            raise DataError(
                f"unknown clause {name!r}",
                self.document.at(place),
                hint=suggestion(name, self.known) if self.known else None,
            )
        return found

    def check_editions(self, entry: dict[str, Any], place: Place) -> None:
        """
        Check the editions that a head or a step names.

        Raises:
            DataError: There is no such edition.
        """
        known = self.contract.editions or (self.contract.edition.name,)
        for index, name in enumerate(entry.get("editions", ())):
            if name not in known:
                raise DataError(
                    f"unknown edition {name!r}",
                    self.document.at((*place, "editions", index)),
                    hint=suggestion(name, known),
                )

    def part(self, place: Place, data: Any, definition: str) -> None:
        """
        Hold a part of the file to a definition of the schema.

        Raises:
            DataError: It does not fit.
        """
        check_part(self.document, place, data, schema="scenario", definition=definition)

    def _step(self, entry: Any, place: Place) -> Step | None:
        verb = self._verb(entry, place)
        self.part(place, entry, f"step-{verb.name}")
        self.check_editions(entry, place)
        only = entry.get("editions")
        if only is not None and self.contract.edition.name not in only:
            return None
        self._check_written(verb, entry, place)
        self.needs |= verb.needs | _needs_of(verb, entry)
        inner = self._inner(verb, entry, place)
        words = self._in_words(verb, entry, place)
        self._check_names(verb, words, place)
        captures, binds = self._binds(verb, entry, place)
        return Step(
            verb=verb,
            value=self._value(verb, words, place),
            params=self._params(verb, words, place),
            expects=self._expects(verb, words),
            clauses=self._step_clauses(verb, entry, place),
            claims="clause" in entry,
            captures=captures,
            binds=binds,
            remember=entry.get("remember"),
            steps=inner,
            where=self.document.at(place),
            source={**words, **({"steps": entry["steps"]} if "steps" in entry else {})},
        )

    def _check_written(self, verb: Verb, entry: dict[str, Any], place: Place) -> None:
        check_step(self.document, verb, entry, place)
        for key, value in entry.items():
            if key in verb.seen:
                check_pattern(self.document, value, (*place, key))
                for name, there in remembered(value, (*place, key)):
                    self.scope.check_remembered(name, there)
            elif key in verb.params and key != "steps":
                check_value(self.document, value, (*place, key))
        self._check_agents(verb, entry, place)
        if "remember" in entry:
            self.scope.remember(entry["remember"])

    def _check_agents(self, verb: Verb, entry: dict[str, Any], place: Place) -> None:
        named: list[str] = [
            key for key in ("by", "of", "owner") if key in verb.params and key in entry
        ]
        if verb.main == "agent" and verb.name != "agent":
            named.append(verb.name)
        for key in named:
            self.scope.check_agent(entry[key], verb, (*place, key))
        for index, name in enumerate(entry.get("unchanged", ())):
            self.scope.check_agent(name, verb, (*place, "unchanged", index))

    def _value(self, verb: Verb, words: dict[str, Any], place: Place) -> Any:
        value = words[verb.name]
        return list(self.plugins(value, (*place, "load"))) if verb.name == "load" else value

    def _verb(self, entry: Any, place: Place) -> Verb:
        if not isinstance(entry, dict):
            raise DataError(
                "a step must be a map that begins with a verb",
                self.document.at(place),
                value=json.dumps(entry, ensure_ascii=False),
                hint="see docs/scenarios.md",
            )
        # `say … text` and the like share words with verbs, so the first key decides.
        first = next((key for key in entry if key not in ANY_STEP_KEYS), "")
        if first in VERBS:
            return VERBS[first]
        named = [key for key in entry if key in VERBS]
        hint = f"write {named[0]!r} first" if named else suggestion(str(first), VERBS)
        raise DataError(
            f"a step begins with its verb; {first!r} is none" if first else "a step without a verb",
            self.document.at_key((*place, first)) if first else self.document.at(place),
            hint=hint if first else "see the table of verbs in docs/scenarios.md",
        )

    def _inner(self, verb: Verb, entry: dict[str, Any], place: Place) -> tuple[Step, ...]:
        if verb.name == "together":
            check_inside(self.document, verb, entry["together"], (*place, "together"))
            return self._together(entry["together"], (*place, "together"))
        if verb.name == "repeat":
            with self.scope.repeated():
                return self.read(entry["steps"], (*place, "steps"))
        if verb.name == "any-of":
            return tuple(
                self._alternative(verb, group, (*place, "any-of", index))
                for index, group in enumerate(entry["any-of"])
            )
        return ()

    def _together(self, listed: list[Any], place: Place) -> tuple[Step, ...]:
        before = self.scope.bound
        steps = self.read(listed, place)
        new = self.scope.bound - before
        for step in steps:
            for name in placeholders([step.value, step.params]):
                if name in new:
                    raise DataError(
                        f"the name {{{name}}} is bound only when all of together is over",
                        step.where,
                        hint="bind it before together",
                    )
        return steps

    def _alternative(self, verb: Verb, group: list[Any], place: Place) -> Step:
        check_inside(self.document, verb, group, place)
        steps = self.read(group, place)
        return Step(
            verb=verb,
            value=None,
            params={},
            expects={},
            clauses={"*": self.main_clause},
            claims=False,
            captures=(),
            binds={},
            remember=None,
            steps=steps,
            where=self.document.at(place),
            source={},
        )

    def _in_words(self, verb: Verb, entry: dict[str, Any], place: Place) -> dict[str, Any]:
        kept = {"clause", "editions", "bind", "remember", "note", "steps", "together", "any-of"}
        edition = self.contract.edition
        words: dict[str, Any] = {}
        for key, value in entry.items():
            if key in kept:
                words[key] = value
            else:
                words[key] = edition.words(self._worked_out(value, (*place, key)))
        return {verb.name: words.pop(verb.name), **words}

    def _params(self, verb: Verb, words: dict[str, Any], place: Place) -> dict[str, Any]:
        params = {key: words[key] for key in verb.params if key in words and key != "steps"}
        for key in ("by", "of"):
            if key in verb.params and key not in params:
                params[key] = self.scope.only_agent(place)
        return params

    def _expects(self, verb: Verb, words: dict[str, Any]) -> dict[str, Any]:
        expects = {key: words[key] for key in words if key in verb.seen}
        if "shows" in expects:
            expects["shows"] = _observation(verb, expects["shows"])
        if "logs" in expects:
            expects["logs"] = expected(expects["logs"], expected_event)
        return expects

    def _step_clauses(self, verb: Verb, entry: dict[str, Any], place: Place) -> dict[str, str]:
        named = entry.get("clause", {})
        if isinstance(named, str):
            return {"*": self.clause(named, (*place, "clause"))}
        clauses = {"*": self.main_clause}
        for key, name in named.items():
            expected_here = verb.seen & set(entry)
            if key not in expected_here:
                raise DataError(
                    f"the step expects no {key!r}",
                    self.document.at_key((*place, "clause", key)),
                    hint=suggestion(key, expected_here),
                )
            clauses[key] = self.clause(name, (*place, "clause", key))
        return clauses

    def _binds(
        self, verb: Verb, entry: dict[str, Any], place: Place
    ) -> tuple[tuple[str, ...], dict[str, str]]:
        listed = entry.get("bind", {})
        self.scope.bind(listed, (*place, "bind"))
        if isinstance(listed, dict):
            return (), dict(listed)
        there = set(bindable([value for key, value in entry.items() if key in verb.seen]))
        for index, name in enumerate(listed):
            if name not in there:
                raise DataError(
                    f"{{{name}}} stands in no text of this step that could bind it",
                    self.document.at((*place, "bind", index)),
                    hint="write it into what must be seen, or bind a field: `bind: {name: field}`",
                )
        return tuple(listed), {}

    def _check_names(self, verb: Verb, words: dict[str, Any], place: Place) -> None:
        captured = words.get("bind", ())
        here = captured if isinstance(captured, list) else ()
        for key, value in words.items():
            if key in verb.seen:
                self.scope.check_names(value, here, (*place, key))
            elif key in {verb.name, *verb.params} - {"steps", "together", "any-of"}:
                self.scope.check_names(value, (), (*place, key))

    def _worked_out(self, value: Any, place: Place) -> Any:
        try:
            return worked_out(value)
        except ValueMistake as error:
            hint = "see Patterns in docs/scenarios.md"
            raise DataError(str(error), self.document.at(place), hint=hint) from error


def _observation(verb: Verb, pattern: Any) -> Any:
    if verb.observed == "messages":
        return expected(pattern, expected_message)
    if verb.observed == "events":
        return expected(pattern, expected_event)
    if verb.observed == "request" and isinstance(pattern, dict):
        return _request(pattern)
    return pattern


def _request(pattern: dict[str, Any]) -> dict[str, Any]:
    if "$has" in pattern:
        return {**pattern, **_request(pattern["$has"])}
    if any(key.startswith("$") for key in pattern):
        return pattern
    if "messages" in pattern:
        pattern = {**pattern, "messages": expected(pattern["messages"], expected_message)}
    return {"$has": pattern}


def _needs_of(verb: Verb, entry: dict[str, Any]) -> set[str]:
    needs = {"log"} if {"logs", "unchanged"} & set(entry) else set()
    if verb.name == "describe":
        # Only of todo the contract says what its module exports.
        needs.add("todo.exports" if entry["describe"] == "todo" else entry["describe"])
    return needs
