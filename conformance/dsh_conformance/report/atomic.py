"""
Files that are there whole or not at all.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from dsh_conformance.errors import UsageError


def write_whole(path: Path, text: str) -> None:
    """
    Write a file beside its place and move it there.

    Raises:
        UsageError: It cannot be written.
    """
    temporary = None
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=path.parent, prefix=f".{path.name}.", delete=False
        ) as file:
            temporary = Path(file.name)
            # A reply may hold half of a surrogate pair, which UTF-8 has no bytes for.
            file.write(text.encode("utf-8", "backslashreplace").decode("utf-8"))
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        raise unwritable(path, error) from error


def check_writable(path: Path) -> None:
    """
    Make sure that a file can be written in this place, before hours of work depend on it.

    Raises:
        UsageError: It cannot.
    """
    try:
        if path.is_dir():
            raise IsADirectoryError(21, "it is a folder")
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise unwritable(path, error) from error


def unwritable(path: Path, error: OSError) -> UsageError:
    """
    Return the message for a place that cannot be written.
    """
    return UsageError(
        f"cannot be written: {error.strerror or error}",
        str(path),
        hint="name a place in a folder that exists and is yours",
    )


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
