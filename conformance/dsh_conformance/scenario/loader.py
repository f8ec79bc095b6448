"""
A scenario file, read for one edition and checked before anything runs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from dsh_conformance.contract.catalogue import Contract
from dsh_conformance.contract.documents import Document, Place, read_document
from dsh_conformance.contract.editions import PLUGINS
from dsh_conformance.contract.schema_check import check_part, suggestion
from dsh_conformance.errors import DataError
from dsh_conformance.scenario.messages import expected, expected_event, expected_message
from dsh_conformance.scenario.model import Scenario, Step
from dsh_conformance.scenario.names import COUNTER, likely_slip, placeholders
from dsh_conformance.scenario.patterns import OPERATORS
from dsh_conformance.scenario.values import ValueMistake, worked_out
from dsh_conformance.scenario.verbs import ANY_STEP_KEYS, VERBS, Verb

LOOK_KEYS = frozenset({"bind", "remember", "unchanged", "logs"})
_NOT_SEEN = frozenset({"note", "clause", "editions", "bind", "remember"})


def scenario_files(root: Path) -> list[Path]:
    """
    Return the scenario files below a folder, in a stable order.

    Raises:
        DataError: The folder does not exist, or holds none.
    """
    if not root.is_dir():
        raise DataError("no such folder of scenarios", str(root), hint="check --scenarios")
    files = sorted(path for path in root.rglob("*.yaml") if "golden" not in path.parts)
    if not files:
        raise DataError("no scenario files here", str(root), hint="scenarios end in .yaml")
    return files


def load_scenarios(
    root: Path, contract: Contract, known: Iterable[str] | None = None
) -> list[Scenario]:
    """
    Read every scenario below a folder for one edition.

    Args:
        root: The folder.
        contract: The edition's contract.
        known: Ids of clauses of every edition; those of `contract` by default.

    Raises:
        DataError: A file is wrong.
    """
    every = frozenset(known if known is not None else contract.clauses)
    return [load_scenario(path, root, contract, every) for path in scenario_files(root)]


def load_scenario(path: Path, root: Path, contract: Contract, known: frozenset[str]) -> Scenario:
    """
    Read one scenario for one edition.

    Raises:
        DataError: The file is wrong; the message names file, line and column.
    """
    ident = path.relative_to(root).with_suffix("").as_posix() if root != path else path.stem
    return Loader(read_document(path), ident, contract, known).scenario()


class Loader:
    """
    Reads one document as a scenario.

    Args:
        document: The file.
        ident: The scenario's id.
        contract: The contract of the edition.
        known: Ids of clauses of every edition.
    """

    def __init__(
        self, document: Document, ident: str, contract: Contract, known: frozenset[str]
    ) -> None:
        self.document = document
        self.ident = ident
        self.contract = contract
        self.known = known
        self.data: dict[str, Any] = document.data if isinstance(document.data, dict) else {}
        self._needs: set[str] = set()
        self._agents: set[str] = set()
        self._bound: set[str] = set()
        self._named_clauses: set[str] = set()
        self._binds_somewhere: set[str] = set()

    def scenario(self) -> Scenario:
        """
        Return the scenario.

        Raises:
            DataError: Something in the file is wrong.
        """
        self._part(document_place := (), self.document.data, "head")
        clauses = tuple(self._clause(c, ("clauses", i)) for i, c in enumerate(self.data["clauses"]))
        excluded = self._excluded(clauses)
        self._default_clause = clauses[0]
        self._agents = set(_agents(self.data))
        self._binds_somewhere = set(_bind_names(self.data))
        given = self._steps(self.data.get("given", []), ("given",))
        steps = self._steps(self.data["steps"], ("steps",))
        self._check_clauses_named(clauses, given + steps, excluded)
        self._needs |= set(self.data.get("needs", ()))
        for clause in clauses:
            if clause in self.contract.clauses:
                self._needs |= self.contract.clauses[clause].needs
        return Scenario(
            id=self.ident,
            claim=self.data["claim"],
            clauses=clauses,
            plugins=tuple(self._plugins(self._plugin_list())),
            services=tuple(self.data.get("services", ())),
            needs=frozenset(self._needs),
            given=given,
            steps=steps,
            excluded=excluded,
            where=self.document.at(document_place),
        )

    def _plugin_list(self) -> list[Any]:
        folder = self.ident.partition("/")[0]
        default = [folder] if folder in PLUGINS else []
        plugins: list[Any] = self.data.get("plugins", default)
        return plugins

    def _plugins(self, listed: list[Any]) -> Iterator[dict[str, Any]]:
        edition = self.contract.edition
        for entry in listed:
            if isinstance(entry, dict):
                ((name, config),) = entry.items()
                yield {"name": name, "config": edition.words(self._worked_out(config, ()))}
            elif entry in edition.config:
                yield {"name": entry, "config": edition.config[entry]}
            else:
                yield {"name": entry}

    def _excluded(self, clauses: tuple[str, ...]) -> str | None:
        edition = self.contract.edition.name
        only = self.data.get("editions")
        if only is not None and edition not in only:
            return f"it is about edition {' and '.join(only)}"
        missing = [clause for clause in clauses if clause not in self.contract.clauses]
        return f"edition {edition} has no clause {missing[0]}" if missing else None

    def _clause(self, name: str, place: Place) -> str:
        found = self.contract.aliases.get(name, name)
        if found not in self.known and found not in self.contract.clauses:
            raise DataError(
                f"unknown clause {name!r}",
                self.document.at(place),
                hint=suggestion(name, self.known) if self.known else None,
            )
        return found

    def _check_clauses_named(
        self, clauses: tuple[str, ...], steps: tuple[Step, ...], excluded: str | None
    ) -> None:
        used = set(_clauses_of(steps))
        for index, clause in enumerate(clauses):
            if excluded is None and clause not in used:
                raise DataError(
                    f"no step checks the clause {clause!r}",
                    self.document.at(("clauses", index)),
                    hint="name it with `clause:` at the step that would break it, or take it out",
                )
        for clause in used - set(clauses):
            raise DataError(
                f"a step names the clause {clause!r}, which the head does not",
                self.document.at(("clauses",)),
                hint="add it to `clauses`",
            )

    def _steps(self, listed: list[Any], place: Place) -> tuple[Step, ...]:
        steps: list[Step] = []
        for index, entry in enumerate(listed):
            step = self._step(entry, (*place, index))
            if step is not None:
                steps.append(step)
        return tuple(steps)

    def _step(self, entry: Any, place: Place) -> Step | None:
        verb = self._verb(entry, place)
        self._part(place, entry, f"step-{verb.name}")
        only = entry.get("editions")
        if only is not None and self.contract.edition.name not in only:
            return None
        self._check_operators(entry, place)
        self._needs |= verb.needs | _needs_of(verb, entry)
        inner = self._inner(verb, entry, place)
        words = self._in_words(verb, entry, place)
        self._check_names(verb, words, place)
        captures, binds = self._binds(entry, place)
        return Step(
            verb=verb,
            value=self._value(verb, words),
            params=self._params(verb, words, place),
            expects=self._expects(verb, words),
            clauses=self._step_clauses(entry, place),
            claims="clause" in entry,
            captures=captures,
            binds=binds,
            remember=entry.get("remember"),
            steps=inner,
            where=self.document.at(place),
            source={**words, **({"steps": entry["steps"]} if "steps" in entry else {})},
        )

    def _value(self, verb: Verb, words: dict[str, Any]) -> Any:
        value = words[verb.name]
        return list(self._plugins(value)) if verb.name == "load" else value

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
        raise DataError(
            f"a step begins with its verb; {first!r} is none",
            self.document.at((*place, first)),
            hint=f"write {named[0]!r} first" if named else suggestion(str(first), VERBS),
        )

    def _inner(self, verb: Verb, entry: dict[str, Any], place: Place) -> tuple[Step, ...]:
        if verb.name == "together":
            return self._steps(entry["together"], (*place, "together"))
        if verb.name == "repeat":
            self._bound.add(COUNTER)
            return self._steps(entry["steps"], (*place, "steps"))
        if verb.name == "any-of":
            groups = [
                self._alternative(group, (*place, "any-of", index))
                for index, group in enumerate(entry["any-of"])
            ]
            return tuple(groups)
        return ()

    def _alternative(self, group: list[Any], place: Place) -> Step:
        steps = self._steps(group, place)
        for index, entry in enumerate(group):
            for key in LOOK_KEYS & set(entry):
                raise DataError(
                    f"{key!r} cannot stand inside any-of",
                    self.document.at((*place, index, key)),
                    hint="an alternative only looks",
                )
        return Step(
            verb=VERBS["any-of"],
            value=None,
            params={},
            expects={},
            clauses={"*": self._default_clause},
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

    def _worked_out(self, value: Any, place: Place) -> Any:
        try:
            return worked_out(value)
        except ValueMistake as error:
            raise DataError(str(error), self.document.at(place)) from error

    def _params(self, verb: Verb, words: dict[str, Any], place: Place) -> dict[str, Any]:
        params = {key: words[key] for key in verb.params if key in words and key != "steps"}
        for key in ("by", "of"):
            if key in verb.params and key not in params:
                params[key] = self._only_agent(place)
        return params

    def _only_agent(self, place: Place) -> str:
        if len(self._agents) == 1:
            return next(iter(self._agents))
        raise DataError(
            "who does this? There is not exactly one agent",
            self.document.at(place),
            hint="add `by:` (or `of:`) with one of " + ", ".join([*sorted(self._agents), "nobody"]),
        )

    def _expects(self, verb: Verb, words: dict[str, Any]) -> dict[str, Any]:
        keys = (verb.expects | ANY_STEP_KEYS) - _NOT_SEEN
        expects = {key: words[key] for key in words if key in keys}
        if "shows" in expects:
            expects["shows"] = _observation(verb, expects["shows"])
        if "logs" in expects:
            expects["logs"] = expected(expects["logs"], expected_event)
        return expects

    def _step_clauses(self, entry: dict[str, Any], place: Place) -> dict[str, str]:
        named = entry.get("clause", {})
        if isinstance(named, str):
            return {"*": self._clause(named, (*place, "clause"))}
        clauses = {"*": self._default_clause}
        for key, name in named.items():
            if key not in entry:
                raise DataError(
                    f"the step expects no {key!r}",
                    self.document.at((*place, "clause", key)),
                    hint=suggestion(key, entry),
                )
            clauses[key] = self._clause(name, (*place, "clause", key))
        return clauses

    def _binds(self, entry: dict[str, Any], place: Place) -> tuple[tuple[str, ...], dict[str, str]]:
        listed = entry.get("bind", {})
        for name in listed:
            if name in self._bound:
                raise DataError(
                    f"the name {name!r} is bound twice",
                    self.document.at((*place, "bind")),
                    hint="choose another name for the second",
                )
            self._bound.add(name)
        if isinstance(listed, list):
            return tuple(listed), {}
        return (), dict(listed)

    def _check_names(self, verb: Verb, words: dict[str, Any], place: Place) -> None:
        here = set(words.get("bind", {}))
        skipped = {"bind", "note", "clause", "steps", "together", "any-of"}
        for key, value in words.items():
            if key in skipped:
                continue
            for name in placeholders(value):
                self._check_name(name, here, (*place, key), verb)

    def _check_name(self, name: str, here: set[str], place: Place, verb: Verb) -> None:
        if name in self._bound or name in here:
            return
        if name in self._binds_somewhere:
            raise DataError(
                f"the name {{{name}}} is used before it is bound",
                self.document.at(place),
                hint=f"bind it at this {verb.name!r} step or an earlier one",
            )
        slip = likely_slip(name, self._binds_somewhere)
        if slip is not None:
            raise DataError(
                f"no step binds {{{name}}}",
                self.document.at(place),
                hint=f"did you mean {{{slip}}}?",
            )

    def _check_operators(self, entry: dict[str, Any], place: Place) -> None:
        for key in ("says", "error", "refused", "load-failed", "shows", "logs", "value"):
            if key in entry:
                self._check_pattern(entry[key], (*place, key))

    def _check_pattern(self, pattern: Any, place: Place) -> None:
        known = OPERATORS | {"$json", "$repeat", "$each"}
        if isinstance(pattern, list):
            for index, item in enumerate(pattern):
                self._check_pattern(item, (*place, index))
        elif isinstance(pattern, dict):
            for key, value in pattern.items():
                if key.startswith("$") and key not in known:
                    raise DataError(
                        f"unknown operator {key!r}",
                        self.document.at((*place, key)),
                        hint=suggestion(key, known),
                    )
                self._check_pattern(value, (*place, key))

    def _part(self, place: Place, data: Any, definition: str) -> None:
        check_part(self.document, place, data, schema="scenario", definition=definition)


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
        needs.add(f"{entry['describe']}.exports")
    return needs


def _agents(data: Any) -> Iterator[str]:
    if isinstance(data, list):
        for item in data:
            yield from _agents(item)
    elif isinstance(data, dict):
        if next(iter(data), None) == "agent" and isinstance(data["agent"], str):
            yield data["agent"]
        for value in data.values():
            yield from _agents(value)


def _bind_names(data: Any) -> Iterator[str]:
    if isinstance(data, list):
        for item in data:
            yield from _bind_names(item)
    elif isinstance(data, dict):
        yield from data.get("bind", ()) if isinstance(data.get("bind", ()), list | dict) else ()
        for value in data.values():
            yield from _bind_names(value)


def _clauses_of(steps: Iterable[Step]) -> Iterator[str]:
    for step in steps:
        yield from (step.clause_for(key) for key in step.expects)
        if step.claims or step.verb.name == "any-of":
            yield step.clauses["*"]
        yield from _clauses_of(step.steps)
