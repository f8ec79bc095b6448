"""
What a planted fault is, and the means to plant one on the reference without breaking it for others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dsh_reference.adapter import Adapter
from dsh_reference.host.composition import Composition

DEFAULT_EDITION = "2026-08"
JOBS_EDITION = "0.1.0-rc.8"

_ABSENT = object()


class Patch:
    """
    Changes to modules, classes and mappings that hold inside a `with` block only.

    They are recorded against the sound reference, so that a fault may call what it replaces.
    """

    def __init__(self) -> None:
        self._changes: list[tuple[Any, str, Any]] = []
        self._before: list[tuple[Any, str, Any]] = []

    def set(self, owner: Any, name: str, value: Any) -> None:
        """
        Put a value in an attribute's, or in a mapping entry's, place.
        """
        self._changes.append((owner, name, value))

    def around(self, owner: Any, name: str, body: Callable[..., Any]) -> None:
        """
        Put `body` in a function's place; it is given the sound one first, then the arguments.
        """
        sound = getattr(owner, name)

        def replaced(*args: Any, **kwargs: Any) -> Any:
            return body(sound, *args, **kwargs)

        self.set(owner, name, replaced)

    def after(self, owner: Any, name: str, change: Callable[[Any], Any]) -> None:
        """
        Change what a function returns.
        """
        self.around(owner, name, lambda sound, *args, **kwargs: change(sound(*args, **kwargs)))

    def text(self, owner: Any, name: str, old: str, new: str) -> None:
        """
        Reword a constant.
        """
        sound = owner[name] if isinstance(owner, dict) else getattr(owner, name)
        assert old in sound, f"{old!r} does not stand in {name}"
        self.set(owner, name, sound.replace(old, new))

    def __enter__(self) -> None:
        for owner, name, value in self._changes:
            self._before.append((owner, name, _get(owner, name)))
            _put(owner, name, value)

    def __exit__(self, *_: object) -> None:
        while self._before:
            _put(*self._before.pop())


def _get(owner: Any, name: str) -> Any:
    held = owner if isinstance(owner, dict) else vars(owner)
    return held.get(name, _ABSENT)


def _put(owner: Any, name: str, value: Any) -> None:
    if isinstance(owner, dict):
        if value is _ABSENT:
            del owner[name]
        else:
            owner[name] = value
    elif value is _ABSENT:
        delattr(owner, name)
    else:
        setattr(owner, name, value)


@dataclass(frozen=True)
class Fault:
    """
    The reference, wrong in one way.

    Attributes:
        name: What it does.
        plugin: Whose contract it breaks.
        clauses: The clauses that it must turn red.
        apply: Plants it.
        also: Clauses that break along with these, because they rest on them; they stand in
            `consequences.yaml`.
        edition: The edition in which it shows.
        wording: Whether it changes words and nothing else, as `wording.yaml` says.
    """

    name: str
    plugin: str
    clauses: frozenset[str]
    apply: Callable[[Patch], None]
    also: frozenset[str] = frozenset()
    edition: str = DEFAULT_EDITION
    wording: bool = False

    def may_break(self, clause: str) -> bool:
        """
        Whether a fixed case may find the clause broken.
        """
        return clause in self.clauses or clause in self.also

    def concerns(self, clause: str) -> bool:
        """
        Whether the clause is of a topic (its first two words) that the fault is seen in.

        Cases nobody wrote, from generated scripts, meet clauses that no fixed case meets.
        """
        return _topic(clause) in {_topic(each) for each in self.clauses | self.also}


def _topic(clause: str) -> str:
    return ".".join(clause.split(".")[:2])


class FaultyAdapter:
    """
    The reference's adapter with a fault in it; the fault is there only while a method runs.
    """

    def __init__(self, fault: Fault) -> None:
        self._patch = Patch()
        fault.apply(self._patch)
        with self._patch:
            self._sound = Adapter()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """
        Return a method of the protocol.
        """
        method = getattr(self._sound, name)

        def faulty(**params: Any) -> Any:
            with self._patch:
                return method(**params)

        return faulty


class Planter:
    """
    Collects the faults of one plugin.

    Clauses are ids parted by blanks, so that a fault fits on a line or two.
    """

    def __init__(self, plugin: str) -> None:
        self.plugin = plugin
        self.faults: dict[str, Fault] = {}

    def __call__(self, clauses: str, **more: Any) -> Callable[..., Callable[[Patch], None]]:
        """
        Register the decorated function under its name.
        """

        def register(apply: Callable[[Patch], None]) -> Callable[[Patch], None]:
            self.plant(apply.__name__, clauses, apply, more)
            return apply

        return register

    def text(
        self, name: str, clauses: str, owner: Any, constant: str, old: str, new: str, **more: Any
    ) -> None:
        """
        Register a fault of wording.
        """
        self.plant(name, clauses, lambda patch: patch.text(owner, constant, old, new), more)

    def set(
        self, name: str, clauses: str, owner: Any, attribute: str, value: Any, **more: Any
    ) -> None:
        """
        Register a fault that puts a value or a function in the place of another.
        """
        self.plant(name, clauses, lambda patch: patch.set(owner, attribute, value), more)

    def around(
        self,
        name: str,
        clauses: str,
        owner: Any,
        function: str,
        body: Callable[..., Any],
        **more: Any,
    ) -> None:
        """
        Register a fault that wraps a function; `body` is given the sound one first.
        """
        self.plant(name, clauses, lambda patch: patch.around(owner, function, body), more)

    def after(
        self,
        name: str,
        clauses: str,
        owner: Any,
        function: str,
        change: Callable[[Any], Any],
        **more: Any,
    ) -> None:
        """
        Register a fault that changes what a function returns.
        """
        self.plant(name, clauses, lambda patch: patch.after(owner, function, change), more)

    def plant(
        self, name: str, clauses: str, apply: Callable[[Patch], None], more: dict[str, Any]
    ) -> None:
        """
        Register a fault.
        """
        assert name not in self.faults, f"two faults are called {name}"
        self.faults[name] = Fault(name, self.plugin, frozenset(clauses.split()), apply, **more)


todo = Planter("todo")
tasks = Planter("tasks")
tree = Planter("tree")


def memory(patch: Patch) -> dict[Any, Any]:
    """
    Return a dict that lasts as long as a composition.
    """
    kept: dict[Any, Any] = {}

    def begin(sound: Any, self: Composition, *args: Any, **kwargs: Any) -> None:
        kept.clear()
        sound(self, *args, **kwargs)

    patch.around(Composition, "__init__", begin)
    return kept


def stage(patch: Patch) -> dict[str, Composition]:
    """
    Return a dict that holds the composition of the moment under `now`.
    """
    kept: dict[str, Composition] = {}

    def begin(sound: Any, self: Composition, *args: Any, **kwargs: Any) -> None:
        sound(self, *args, **kwargs)
        kept["now"] = self

    patch.around(Composition, "__init__", begin)
    return kept
