"""
A faulty reference over stdio: `python -m faults NAME`; without a name, the list of them.
"""

from __future__ import annotations

import sys

from dsh_reference.__main__ import main as serve
from faults import FAULTS
from faults.kit import Patch


def main(argv: list[str]) -> int:
    """
    Serve the protocol with a fault planted; return the exit status.
    """
    if not argv:
        print(*FAULTS, sep="\n")  # noqa: T201  # The list that was asked for.
        return 0
    patch = Patch()
    FAULTS[argv[0]].apply(patch)
    with patch:
        return serve([])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
