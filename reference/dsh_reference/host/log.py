"""
The session log: what happened, in order, and the surface that the model sees of it.

Events and messages are dicts in the neutral shapes of the adapter protocol. Once in the log they
are never changed; whoever hands them to a stranger hands out a copy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, overload

from dsh_reference.errors import Rejected
from dsh_reference.host.json_values import LossyValueError, snapshot
from dsh_reference.host.listeners import Disposer, Listeners
from dsh_reference.host.surface import Event, Surface, type_of

Message = dict[str, Any]


class LiveSurface(Sequence[Message]):
    """
    The live nodes of a session in order, each as its message with its `seq`: looked at, not copied.
    """

    def __init__(self, events: Sequence[Event], nodes: Sequence[int]) -> None:
        self._events = events
        self._nodes = nodes

    def __len__(self) -> int:
        return len(self._nodes)

    @overload
    def __getitem__(self, place: int) -> Message: ...

    @overload
    def __getitem__(self, place: slice) -> list[Message]: ...

    def __getitem__(self, place: int | slice) -> Message | list[Message]:
        if isinstance(place, slice):
            return [self._node(seq) for seq in self._nodes[place]]
        return self._node(self._nodes[place])

    def _node(self, seq: int) -> Message:
        return {**self._events[seq]["message"], "seq": seq}


class Session:
    """
    One append-only log; `events` restores one that was kept.

    Attributes:
        sources: The provenance of each replacement: its number, and the numbers that it hides.
    """

    def __init__(self, session_id: str, events: Iterable[Event] = ()) -> None:
        self.id = session_id
        self.events: list[Event] = []
        self.sources: dict[int, tuple[int, ...]] = {}
        self._surface = Surface(self.events)
        self._observers: Listeners[Callable[[Event], None]] = Listeners()
        for event in events:
            self.append(event)

    def append(self, event: Event, *, sources: Sequence[int] | None = None) -> int:
        """
        Add an event and return its number; a refused one changes nothing.

        Args:
            event: In the neutral shape; `replaces` splices it into the surface.
            sources: The provenance of a replacement; by default, all that it hides.

        Raises:
            Rejected: It is not JSON, or may not stand on the surface so.
        """
        seq = len(self.events)
        kept = {**_copied(event), "seq": seq}
        if "replaces" in kept:
            self._replace(kept, seq, sources)
        elif kept["type"] == "message":
            self._surface.append(seq)
        self.events.append(kept)
        for observer in self._observers:
            observer(kept)
        return seq

    def say(self, message: Message) -> int:
        """
        Append a message at the tail.
        """
        return self.append({"type": "message", "message": message})

    def read(self, *, after: int = -1) -> list[Event]:
        """
        Return the events behind a number.
        """
        return self.events[after + 1 :]

    def nodes(self) -> list[Message]:
        """
        Return the live surface nodes in order, each as its message with its `seq`.
        """
        return list(self.surface)

    @property
    def surface(self) -> LiveSurface:
        """
        The live surface nodes as they are at each look.
        """
        return LiveSurface(self.events, self._surface.nodes)

    def messages(self) -> list[Message]:
        """
        Return the nodes that the model is sent: those with something in them.
        """
        return [node for node in self.nodes() if _has_content(node)]

    def observe(self, observer: Callable[[Event], None]) -> Disposer:
        """
        Hear of each event right after it was appended.
        """
        return self._observers.add(observer)

    def _replace(self, event: Event, seq: int, sources: Sequence[int] | None) -> None:
        if event["type"] != "message":
            raise Rejected(
                f'session event "{type_of(event)}" is not surface-eligible'
                " and cannot carry surfaceOp"
            )
        self.sources[seq] = self._surface.replace(event, seq, sources=sources)


def _copied(event: Event) -> Event:
    try:
        kept: Event = snapshot(event)
    except LossyValueError:
        raise Rejected(
            f'session event "{type_of(event)}" carries non-JSON-serializable data'
        ) from None
    return kept


def _has_content(message: Message) -> bool:
    if message["kind"] in {"assistant", "system"}:
        return bool(message["text"] or message.get("calls"))
    return True
