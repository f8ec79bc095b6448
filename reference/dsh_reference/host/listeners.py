"""
What others hang on a service, in order, each with the means to take it off again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")

Disposer = Callable[[], None]


class Listeners(Generic[T]):
    """
    An ordered collection; iterating sees it as it was when the iteration began.
    """

    def __init__(self) -> None:
        self._items: dict[object, T] = {}

    def add(self, item: T) -> Disposer:
        """
        Add an item and return what removes it; removing twice is harmless.
        """
        token = object()
        self._items[token] = item

        def remove() -> None:
            self._items.pop(token, None)

        return remove

    def __iter__(self) -> Iterator[T]:
        """
        Go over the items in the order they were added.
        """
        return iter(list(self._items.values()))

    def __len__(self) -> int:
        """
        Return how many there are.
        """
        return len(self._items)
