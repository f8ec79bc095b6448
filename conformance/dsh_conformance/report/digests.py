"""
What a run was made of, as digests: two runs that differ say by them which side changed.
"""

from __future__ import annotations

import hashlib
import importlib.util
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

from dsh_conformance.adapter.connection import CLASS_NAME

# An adapter is small; whoever points at more than this is told the digest of what was read.
MOST_FILES = 2000
_SKIPPED = {"node_modules", "__pycache__"}


def tree_digest(root: Path) -> str:
    """
    Return the digest of every file below a folder, by name and content.
    """
    return digest(root, (path for path in sorted(root.rglob("*")) if path.is_file()))


def digest(root: Path, files: Iterable[Path]) -> str:
    """
    Return the SHA-256 of files, each with its path below `root`.
    """
    total = hashlib.sha256()
    for path in files:
        total.update(f"{path.relative_to(root).as_posix()}\0".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def adapter_digest(adapter: str) -> str | None:
    """
    Return the digest of an adapter's own files, or None where no file can be named.

    For a class: its top-level package. For a command: the files that it names, each with the files
    of the same kind beside and below it. What they import from elsewhere is not in it.
    """
    try:
        files = list(_files_of(adapter))[:MOST_FILES]
        if not files:
            return None
        root = Path(files[0].anchor)
        return digest(root, files) if len(files) == 1 else _relative(files)
    except (OSError, ImportError, ValueError):
        return None


def _relative(files: list[Path]) -> str:
    shared = next(
        parent for parent in files[0].parents if all(parent in file.parents for file in files)
    )
    return digest(shared, files)


def _files_of(adapter: str) -> Iterator[Path]:
    if CLASS_NAME.fullmatch(adapter):
        yield from _package_files(adapter.partition(":")[0].partition(".")[0])
        return
    for word in shlex.split(adapter):
        path = Path(word)
        if path.is_file() and path.suffix:
            yield from _kin(path.resolve())


def _package_files(package: str) -> Iterator[Path]:
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        return
    origin = Path(spec.origin)
    if origin.name == "__init__.py":
        yield from _kin(origin)
    else:
        yield origin


def _kin(path: Path) -> Iterator[Path]:
    for file in sorted(path.parent.rglob(f"*{path.suffix}")):
        hidden = any(part in _SKIPPED or part.startswith(".") for part in file.parts[1:])
        if file.is_file() and not hidden:
            yield file
