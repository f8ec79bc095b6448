"""
The terminal that a run writes to.
"""

from __future__ import annotations

from typing import NoReturn

from rich.console import Console


class _Console(Console):
    def on_broken_pipe(self) -> NoReturn:
        raise BrokenPipeError  # Whoever runs the command decides how that ends.


def make_console() -> Console:
    """
    Return a console on standard output.
    """
    return _Console(highlight=False, markup=True)
