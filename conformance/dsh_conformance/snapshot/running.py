"""
The tour and its comparison, as the command runs them.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dsh_conformance.errors import DshError, UsageError
from dsh_conformance.report.atomic import check_writable, unwritable
from dsh_conformance.snapshot import suite
from dsh_conformance.snapshot.surfaces import Surface

SURFACES = pytest.StashKey[list[Surface]]()
"""Where pytest's configuration keeps what is to be compared."""

EXTENSION = "dsh_conformance.snapshot.extension.SurfaceExtension"
SAME = 0
CHANGED = 1
_WORKER = ("PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT")


class _Bridge:
    def __init__(self, surfaces: list[Surface]) -> None:
        self.surfaces = surfaces

    def pytest_configure(self, config: pytest.Config) -> None:
        config.stash[SURFACES] = self.surfaces


def check_ready(folder: Path, *, update: bool) -> None:
    """
    See that snapshots can be read, or written, before the tour begins.

    Raises:
        UsageError: They cannot.
    """
    if importlib.util.find_spec("syrupy") is None:
        raise UsageError(
            "snapshots need syrupy", "snapshot", hint="pip install 'dsh-conformance[snapshot]'"
        )
    if update:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise unwritable(folder, error) from error
        check_writable(folder / "snapshot")
    elif not folder.is_dir():
        raise UsageError(
            "there are no snapshots here", f"--dir {folder}", hint="record them with --update"
        )


def compare(surfaces: list[Surface], folder: Path, *, update: bool) -> int:
    """
    Hold surfaces to the snapshots of a folder, or record them there; return the exit status.

    Raises:
        DshError: pytest could not do it.
    """
    place = Path(suite.__file__).parent
    # syrupy looks for snapshots that nobody asked for only where no path was given.
    arguments = ["-c", str(place / "pytest.ini"), "--rootdir", str(Path.cwd())]
    arguments += ["-o", f"testpaths={place}"]
    arguments += ["-p", "syrupy", "-p", "no:cacheprovider", "-q", "--no-header", "-rN"]
    arguments += [f"--snapshot-dirname={folder.resolve()}", "--snapshot-details"]
    # Its own default extension would take every other file of the folder for a lost snapshot.
    arguments.append(f"--snapshot-default-extension={EXTENSION}")
    if update:
        arguments.append("--snapshot-update")
    with _own_environment():
        status = pytest.main(arguments, plugins=[_Bridge(surfaces)])
    if status not in {SAME, CHANGED}:
        raise DshError("the comparison broke off", hint="report it, with what stands above")
    return int(status)


@contextmanager
def _own_environment() -> Iterator[None]:
    # A project's own pytest options and plugins must not change a verdict.
    # Nor is this pytest a worker, should a worker have started it.
    names = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTEST_DISABLE_PLUGIN_AUTOLOAD", *_WORKER)
    before = {name: os.environ.pop(name, None) for name in names}
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
