"""
The terminal that a run writes to.
"""

from __future__ import annotations

import sys
from typing import NoReturn

from rich.console import Console


class _Console(Console):
    def on_broken_pipe(self) -> NoReturn:
        raise BrokenPipeError  # Whoever runs the command decides how that ends.


def make_console() -> Console:
    """
    Return a console on standard output.
    """
    # This one, also while an adapter in the same process prints to what it takes for it.
    return _Console(file=sys.stdout, highlight=False, markup=True)
