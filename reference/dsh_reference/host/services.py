"""
What is there to be injected, and what is told when it comes later.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dsh_reference.errors import Rejected
from dsh_reference.host.listeners import Disposer, Listeners

Attach = Callable[[Any], Disposer | None]


class Services:
    """
    Named services, and those who wait for one.
    """

    def __init__(self) -> None:
        self._services: dict[str, Any] = {}
        self._waiting: Listeners[tuple[str, Callable[[Any], None]]] = Listeners()

    def get(self, name: str) -> Any:
        """
        Return a service, or None.
        """
        return self._services.get(name)

    def names(self) -> list[str]:
        """
        Return the names, in order of arrival.
        """
        return list(self._services)

    def provide(self, name: str, service: Any) -> Disposer:
        """
        Add a service, tell those who wait for it, and return what removes it.

        Raises:
            Rejected: There is one of this name.
        """
        if name in self._services:
            raise Rejected(f'service "{name}" is already provided')
        self._services[name] = service
        for wanted, attach in self._waiting:
            if wanted == name:
                attach(service)

        def remove() -> None:
            if self._services.get(name) is service:
                del self._services[name]

        return remove

    def on(self, name: str, attach: Attach) -> Disposer:
        """
        Attach to a service, now or when it comes; the returned disposer also undoes the attaching.
        """
        undo: list[Disposer] = []

        def take(service: Any) -> None:
            detach = attach(service)
            if detach is not None:
                undo.append(detach)

        stop = self._waiting.add((name, take))
        if name in self._services:
            take(self._services[name])

        def remove() -> None:
            stop()
            while undo:
                undo.pop()()

        return remove
