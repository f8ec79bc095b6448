"""
What was read from data files and checked before, kept for the next run.

Reading the contract and six hundred scenarios takes longer than many an adapter takes to start.
What is kept names the state of every file it was made from, this package's own among them, so
nothing stale is ever used, and has a checksum, so nothing damaged is; a cache that cannot be read
or written only costs the time it would have saved.
"""

from __future__ import annotations

import os
import pickle
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from dsh_conformance import __version__

Read = TypeVar("Read")

SWITCH = "DSH_CONFORMANCE_CACHE"
# One a kind, edition and folder: enough for whoever goes back and forth between a few.
KEPT_ENTRIES = 8
_CHECKSUM = 4


def cached(
    kind: str, given: Sequence[str], sources: Sequence[Path], read: Callable[[], Read]
) -> Read:
    """
    Return what `read` returns, from the cache where nothing it depends on has changed.

    The folder is `$XDG_CACHE_HOME/dsh-conformance` (`~/.cache` without it); with
    `DSH_CONFORMANCE_CACHE=off` nothing is looked up and nothing kept.

    Args:
        kind: What it is, for the name of the entry.
        given: What it depends on besides files.
        sources: The files it is made of, and folders of such.
        read: Reads them; what it raises is passed on and nothing is kept.
    """
    folder = _folder()
    if folder is None:
        return read()
    named = "\0".join([__version__, sys.version, *given, *map(str, sources)])
    made_of = "\0".join([named, *_states_of(sources)])
    entry = folder / f"{kind}-{zlib.crc32(_bytes(named)):08x}.pickle"
    kept = _load(entry, made_of)
    if kept is not None:
        value: Read = kept[0]
        return value
    value = read()
    with suppress(OSError):
        _store(entry, kind, made_of, value)
    return value


def _folder() -> Path | None:
    if os.environ.get(SWITCH) == "off":
        return None
    try:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    except RuntimeError:
        # In a container, say, where the user has no entry and no home.
        return None
    return Path(base) / "dsh-conformance"


def _states_of(sources: Sequence[Path]) -> Iterator[str]:
    for source in sources:
        yield from sorted(_states(os.path.realpath(source)))


def _states(path: str) -> Iterator[str]:
    """
    Yield a line for a file, or for each file below a folder, that is another when it is written.
    """
    if not os.path.isdir(path):  # noqa: PTH112  # Hundreds of times, before anything is seen.
        with suppress(OSError):
            yield _state(path, os.stat(path))  # noqa: PTH116  # As above.
        return
    with suppress(OSError), os.scandir(path) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name != "__pycache__":
                    yield from _states(entry.path)
            else:
                with suppress(OSError):
                    yield _state(entry.path, entry.stat())


def _state(path: str, status: os.stat_result) -> str:
    # Archives and checkouts can set the time of writing back, but not that of the change itself.
    return f"{path}:{status.st_mtime_ns}:{status.st_ctime_ns}:{status.st_size}"


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _load(entry: Path, made_of: str) -> tuple[Any] | None:
    try:
        # A pickle is a program: only one that this user wrote, and wrote whole, is ever opened.
        if entry.stat().st_uid != os.getuid():
            return None
        content = memoryview(entry.read_bytes())
        if zlib.crc32(content[_CHECKSUM:]).to_bytes(_CHECKSUM) != content[:_CHECKSUM]:
            return None
        of_then, value = pickle.loads(content[_CHECKSUM:])  # noqa: S301  # Our own, see above.
        if of_then != made_of:
            return None
        entry.touch()
        return (pickle.loads(value),)  # noqa: S301  # As above.
    except Exception:  # noqa: BLE001  # Whatever is wrong with it, the files can be read again.
        return None


def _store(entry: Path, kind: str, made_of: str, value: Any) -> None:
    import tempfile  # noqa: PLC0415  # Only who reads the files themselves waits for it.

    content = _pickled((made_of, _pickled(value)))
    entry.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=entry.parent, delete=False) as file:
        file.write(zlib.crc32(content).to_bytes(_CHECKSUM) + content)
    Path(file.name).replace(entry)
    entries = sorted(entry.parent.glob(f"{kind}-*.pickle"), key=lambda path: path.stat().st_mtime)
    for old in entries[:-KEPT_ENTRIES]:
        old.unlink(missing_ok=True)


def _pickled(value: Any) -> bytes:
    return pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
