"""
Scenarios that were read and checked before, kept for the next run.

Reading six hundred files takes longer than many an adapter takes to start. What is kept is keyed by
every file it was made from, this package's own among them, so nothing stale is ever used; a cache
that cannot be read or written only costs the time it would have saved.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from dsh_conformance import __version__
from dsh_conformance.paths import PACKAGE, spec_root
from dsh_conformance.scenario.model import Scenario

SWITCH = "DSH_CONFORMANCE_CACHE"
# One entry an edition and folder; older ones are of files that have changed since.
KEPT_ENTRIES = 8


def cached(
    root: Path, edition: str, known: Iterable[str], read: Callable[[], list[Scenario]]
) -> list[Scenario]:
    """
    Return what `read` returns, from the cache where nothing it depends on has changed.

    The folder is `$XDG_CACHE_HOME/dsh-conformance` (`~/.cache` without it); with
    `DSH_CONFORMANCE_CACHE=off` nothing is looked up and nothing kept.

    Args:
        root: The folder of scenarios.
        edition: The edition they are read for.
        known: Ids of clauses of every edition.
        read: Reads them; what it raises is passed on and nothing is kept.
    """
    if os.environ.get(SWITCH) == "off":
        return read()
    entry = _folder() / f"scenarios-{_key(root, edition, known)}.pickle"
    kept = _load(entry)
    if kept is not None:
        return kept
    scenarios = read()
    with suppress(OSError):
        _store(entry, scenarios)
    return scenarios


def _folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "dsh-conformance"


def _key(root: Path, edition: str, known: Iterable[str]) -> str:
    parts = [__version__, sys.version, edition, *sorted(known)]
    for path in _sources(root):
        with suppress(OSError):
            status = path.stat()
            parts.append(f"{path}:{status.st_mtime_ns}:{status.st_size}")
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _sources(root: Path) -> Iterator[Path]:
    yield from sorted(root.resolve().rglob("*.yaml"))
    yield from sorted(spec_root().rglob("*.*"))
    for folder in ("contract", "scenario"):
        yield from sorted((PACKAGE / folder).glob("*.py"))


def _load(entry: Path) -> list[Scenario] | None:
    try:
        # A pickle is a program: only one that this user wrote is ever opened.
        if entry.stat().st_uid != os.getuid():
            return None
        scenarios = pickle.loads(entry.read_bytes())  # noqa: S301  # Our own, see above.
        entry.touch()
    except Exception:  # noqa: BLE001  # Whatever is wrong with it, the files can be read again.
        return None
    return scenarios if isinstance(scenarios, list) else None


def _store(entry: Path, scenarios: list[Scenario]) -> None:
    entry.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=entry.parent, delete=False) as file:
        pickle.dump(scenarios, file, protocol=pickle.HIGHEST_PROTOCOL)
    Path(file.name).replace(entry)
    entries = sorted(entry.parent.glob("scenarios-*.pickle"), key=lambda path: path.stat().st_mtime)
    for old in entries[:-KEPT_ENTRIES]:
        old.unlink(missing_ok=True)
