"""
A failing program made short.

The script is shrunk, not the choices it was drawn by: what is left is a list of steps of which
none can be spared, whatever machine or file it came from.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from dsh_conformance.contract.schema_check import fits
from dsh_conformance.errors import RunnerBug
from dsh_conformance.generate.finding import Finding
from dsh_conformance.generate.program import Program, RawStep, tidied
from dsh_conformance.generate.trial import Bench

# A trial costs milliseconds; a script that this many do not make short will not get shorter.
MAX_TRIALS = 1500
MAX_PASSES = 6
# Pairs of more steps than these are too many to try.
_ALL_PAIRS = 14
# Longer texts are only cut at their ends.
_EVERY_CHARACTER = 40
_AGENTS = ("alice", "bob", "carol")
# What makes a step that very step, and what says how it is looked at.
_KEPT = frozenset(
    {"bind", "says", "json", "agent", "by", "of", "owner", "log", "inbox", "surface", "request"}
)


class Shrinker:
    """
    Makes one finding's program shorter while it shows the same.

    Args:
        bench: What to try programs on.
        finding: What must still be seen.
        deadline: When to stop, as `time.monotonic` counts.
    """

    def __init__(self, bench: Bench, finding: Finding, *, deadline: float) -> None:
        self.bench = bench
        self.best = finding
        self.deadline = deadline
        self.trials = 0

    def shrunk(self) -> Finding:
        """
        Return the finding with the shortest program met.
        """
        for _ in range(MAX_PASSES):
            before = self.best.program
            self._fewer_steps()
            self._fewer_agents()
            self._plainer_loading()
            self._simpler_values()
            if self.best.program == before or self._spent():
                break
        return self.best

    def _spent(self) -> bool:
        return self.trials >= MAX_TRIALS or time.monotonic() > self.deadline

    def _try(self, program: Program) -> bool:
        if not all(map(_is_step, program.steps)):
            return False
        program = program.with_steps(tidied(program.steps))
        if self._spent() or program == self.best.program or not program.steps:
            return False
        self.trials += 1
        try:
            found = self.bench.trial(program)
        except RunnerBug:
            return False  # What was left out made it no script at all.
        if found is None or found.identity != self.best.identity:
            return False
        self.best = found
        return True

    def _fewer_steps(self) -> None:
        size = max(1, len(self.best.program.steps) // 2)
        while size:
            end = len(self.best.program.steps)
            while end > 0 and not self._spent():
                steps = self.best.program.steps
                end = min(end, len(steps))
                start = max(0, end - size)
                self._try(self.best.program.with_steps(steps[:start] + steps[end:]))
                end = start
            size //= 2
        self._fewer_pairs()

    def _fewer_pairs(self) -> None:
        # Some steps go only together, as a restart and the agent that comes back after it.
        last = len(self.best.program.steps)
        if last > _ALL_PAIRS:
            return
        first = 0
        while first < len(self.best.program.steps) - 1 and not self._spent():
            steps = self.best.program.steps
            gone = any(
                self._try(self.best.program.with_steps(_without(steps, first, second)))
                for second in range(first + 1, len(steps))
            )
            first += not gone

    def _fewer_agents(self) -> None:
        for agent in _AGENTS[1:]:
            steps = self.best.program.steps
            if any(step.get("agent") == agent for step in steps):
                rest = [step for step in steps if step.get("agent") != agent]
                renamed = tuple(_replaced(step, agent, _AGENTS[0]) for step in rest)
                self._try(self.best.program.with_steps(renamed))

    def _plainer_loading(self) -> None:
        program = self.best.program
        names = tuple(next(iter(one)) if isinstance(one, dict) else one for one in program.plugins)
        self._try(Program(names, program.services, program.steps))
        for service in program.services:
            services = tuple(one for one in self.best.program.services if one != service)
            self._try(Program(self.best.program.plugins, services, self.best.program.steps))

    def _simpler_values(self) -> None:
        index = 0
        while index < len(self.best.program.steps):
            self._simpler_step(index)
            index += 1
        self._simpler_texts()

    def _simpler_step(self, index: int) -> None:
        progress = True
        while progress and not self._spent():
            if index >= len(self.best.program.steps):
                return
            progress = any(
                self._put(index, step) for step in simpler(self.best.program.steps[index])
            )

    def _put(self, index: int, step: RawStep) -> bool:
        steps = self.best.program.steps
        return self._try(self.best.program.with_steps((*steps[:index], step, *steps[index + 1 :])))

    def _simpler_texts(self) -> None:
        progress = True
        while progress and not self._spent():
            found = dict.fromkeys(t for step in self.best.program.steps for t in _texts(step))
            named = [text for text in found if self._is_name(text)]
            progress = any(
                self._everywhere(text, plainer)
                for text in found
                for plainer in plainer_texts(text)
                if text not in named or not _confused(plainer, {*named} - {text})
            )

    def _is_name(self, text: str) -> bool:
        # Of a node whose id is read from behind its title.
        said = (step.get("says") for step in self.best.program.steps)
        return any(isinstance(one, str) and f"}}  {text}{{" in one for one in said)

    def _everywhere(self, text: str, plainer: str) -> bool:
        steps = tuple(_with_text(step, text, plainer) for step in self.best.program.steps)
        return self._try(self.best.program.with_steps(steps))


def _confused(title: str, others: set[str]) -> bool:
    return any(title.startswith(one) or one.startswith(title) for one in others)


def _without(steps: tuple[RawStep, ...], *places: int) -> tuple[RawStep, ...]:
    return tuple(step for place, step in enumerate(steps) if place not in places)


def _is_step(step: RawStep) -> bool:
    # What was left out may be what makes it a step.
    return fits(step, "scenario", f"step-{next(iter(step))}")


def simpler(step: RawStep) -> Iterator[RawStep]:
    """
    Yield a step with something left out or made plainer, most daring first.
    """
    first = next(iter(step))
    if first == "model-call":
        yield {"call": step[first], **{key: step[key] for key in list(step)[1:]}}
    if "bind" in step and isinstance(step["bind"], dict):
        yield {key: value for key, value in step.items() if key != "bind"}
    for key in list(step)[1:]:
        if key not in _KEPT | {"with", "events", "label"}:
            yield {name: value for name, value in step.items() if name != key}
    for key, value in step.items():
        if key in _KEPT:
            continue
        for less in _less(value):
            yield {**step, key: less}


def _less(value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        for index in range(len(value)):
            yield value[:index] + value[index + 1 :]
        for index, item in enumerate(value):
            for less in _less(item):
                yield [*value[:index], less, *value[index + 1 :]]
    elif isinstance(value, dict):
        for key in value:
            yield {name: inner for name, inner in value.items() if name != key}
        for key, inner in value.items():
            for less in _less(inner):
                yield {**value, key: less}
    elif isinstance(value, int | float) and not isinstance(value, bool) and value > 1:
        yield 1


def plainer_texts(text: str) -> Iterator[str]:
    """
    Yield shorter and plainer texts.
    """
    if "{" in text:
        return
    size = len(text) // 2
    while size:
        yield text[:-size]
        yield text[size:]
        size //= 2
    if 1 < len(text) <= _EVERY_CHARACTER:
        for index in range(len(text)):
            yield text[:index] + text[index + 1 :]
    if len(text) > _EVERY_CHARACTER and text != "a" * len(text):
        yield "a" * len(text)
    for index, char in enumerate(text[:_EVERY_CHARACTER]):
        if char > "a" and not char.isascii():
            yield text[:index] + "a" + text[index + 1 :]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in {"with", "events", "label", "output", "messages", "calls", "detail"}:
                yield from _leaves(inner)
    return


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _leaves(inner)


def _replaced(value: Any, old: str, new: str) -> Any:
    if isinstance(value, str):
        return new if value == old else value
    if isinstance(value, list):
        return [_replaced(item, old, new) for item in value]
    if isinstance(value, dict):
        return {key: _replaced(inner, old, new) for key, inner in value.items()}
    return value


def _with_text(step: RawStep, old: str, new: str) -> RawStep:
    changed: Callable[[Any], Any] = lambda value: _replaced(value, old, new)  # noqa: E731
    kept = _KEPT | {next(iter(step))}
    return {
        key: value if key in kept else _said(key, value, old, new) or changed(value)
        for key, value in step.items()
    }


def _said(key: str, value: Any, old: str, new: str) -> Any:
    # What a step says to bind names by holds the titles of its call.
    if key == "says" and isinstance(value, str) and old:
        return value.replace(f"}}  {old}{{", f"}}  {new}{{")
    return None
