"""
Where the entries stand: by id, by owner, and by the session that may see them.

Every look-up costs what it returns, so that a registry of many tasks stays as quick as a small one.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import merge

from dsh_reference.host.agents import Agent
from dsh_reference.host.listeners import Disposer
from dsh_reference.tasks.entries import Entry


class Shelf:
    """
    The tasks of one owner, or those without one.

    `live` counts those that have not ended; a `closed` shelf takes no more.
    """

    def __init__(self, owner: Agent | None) -> None:
        self.owner = owner
        self.live = 0
        self.closed = False
        self.entries: list[Entry] = []
        self.detach: Disposer = lambda: None


class Shelves:
    """
    All entries of a registry.
    """

    def __init__(self) -> None:
        self._by_id: dict[str, Entry] = {}
        self._by_session: dict[str | None, dict[str, Entry]] = {}
        self._by_owner: dict[int, Shelf] = {}
        self._unowned = Shelf(None)

    def of(self, owner: Agent | None) -> Shelf:
        """
        Return the shelf of this very owner, or a new one that still has to be opened.
        """
        if owner is None:
            return self._unowned
        return self._by_owner.get(id(owner)) or Shelf(owner)

    def open(self, shelf: Shelf, detach: Disposer) -> None:
        """
        Keep the shelf of an owner; `detach` takes the registry off that owner's life again.
        """
        shelf.detach = detach
        self._by_owner[id(shelf.owner)] = shelf

    def is_open(self, shelf: Shelf) -> bool:
        """
        Whether the shelf is kept already.
        """
        return shelf.owner is None or id(shelf.owner) in self._by_owner

    def put(self, entry: Entry, shelf: Shelf) -> None:
        """
        Add a live entry.
        """
        self._by_id[entry.id] = entry
        self._by_session.setdefault(entry.session, {})[entry.id] = entry
        shelf.entries.append(entry)
        shelf.live += 1

    def get(self, task_id: str) -> Entry | None:
        """
        Return the entry of that id.
        """
        return self._by_id.get(task_id)

    def visible(self, session: str | None) -> Iterable[Entry]:
        """
        Return the entries of a session and those of nobody, oldest first.
        """
        shared = self._by_session.get(None, {}).values()
        if session is None:
            return shared
        own = self._by_session.get(session, {}).values()
        return merge(own, shared, key=lambda entry: entry.number)

    def drop(self, shelf: Shelf) -> None:
        """
        Forget an owner and all its entries.
        """
        self._by_owner.pop(id(shelf.owner), None)
        for entry in shelf.entries:
            if self._by_id.pop(entry.id, None) is not None:
                self._forget_session(entry)

    def everything(self) -> list[Entry]:
        """
        Return all entries, oldest first.
        """
        return list(self._by_id.values())

    def clear(self) -> list[Shelf]:
        """
        Forget everything and return the shelves that owners had.
        """
        shelves = list(self._by_owner.values())
        self._by_id.clear()
        self._by_session.clear()
        self._by_owner.clear()
        self._unowned = Shelf(None)
        return shelves

    def _forget_session(self, entry: Entry) -> None:
        entries = self._by_session[entry.session]
        del entries[entry.id]
        if not entries:
            del self._by_session[entry.session]
