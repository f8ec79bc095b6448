"""
Before a run: the adapter comes up while the suite is still being read.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from dsh_conformance.adapter.connection import CLASS_NAME, Client, open_client
from dsh_conformance.errors import AdapterNeverUp
from dsh_conformance.run.settings import Settings

_ENDING = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def started(settings: Settings) -> Iterator[Client | None]:
    """
    Start an adapter that is a process, and see to it that nothing of it is left in the end.

    One that cannot be started is told of when it is needed: mistakes in files come first.
    """
    with ended_by_signal():
        client = _start(settings)
        try:
            yield client
        finally:
            if client is not None:
                client.kill()


def _start(settings: Settings) -> Client | None:
    if CLASS_NAME.fullmatch(settings.adapter):
        return None
    with suppress(AdapterNeverUp):
        return open_client(
            settings.adapter,
            call_timeout=settings.call_timeout,
            start_timeout=settings.start_timeout,
        )
    return None


@contextmanager
def ended_by_signal() -> Iterator[None]:
    """
    Let SIGTERM and SIGHUP end what is done here as Ctrl-C does.

    A CI job that is cancelled is asked to end: the reports are then written, as incomplete.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {one: signal.signal(one, signal.default_int_handler) for one in _ENDING}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
