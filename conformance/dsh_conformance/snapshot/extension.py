"""
Snapshots as text files, one a surface, under the surface's own name.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from syrupy.data import Snapshot, SnapshotCollection, SnapshotCollections
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.location import PyTestLocation

# What test functions of surfaces are called: syrupy relates a snapshot to its test by that name.
TEST_NAME = "test_model_text"
FOLDERS = frozenset({"tools", "prompt", "results", "folds"})


class SurfaceExtension(SingleFileSnapshotExtension):
    """
    Keeps `tools/todo_write` in `tools/todo_write.txt` below the snapshot folder.
    """

    file_extension = "txt"
    _write_mode = WriteMode.TEXT

    @classmethod
    def get_snapshot_name(cls, *, test_location: PyTestLocation, index: Any = 0) -> str:  # noqa: ARG003  # syrupy's.
        """
        Return the name by which syrupy knows a surface.
        """
        return f"{TEST_NAME}[{index}]"

    @classmethod
    def get_file_basename(cls, *, test_location: PyTestLocation, index: Any) -> str:  # noqa: ARG003  # syrupy's.
        """
        Return the surface's own name: a path below the folder.
        """
        return str(index)

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:
        """
        Return the folder of all snapshots, the same for every test file beside it.
        """
        return str(Path(test_location.filepath).parent / cls.snapshot_dirname)

    @classmethod
    def matches_test_location(
        cls, *, test_location: PyTestLocation, snapshot_location: str
    ) -> bool:
        """
        Whether a file lies below the folder of snapshots.
        """
        return Path(cls.dirname(test_location=test_location)) in Path(snapshot_location).parents

    def discover_snapshots(
        self,
        *,
        test_location: PyTestLocation,
        ignore_extensions: list[str] | None = None,  # noqa: ARG002  # syrupy's.
    ) -> SnapshotCollections:
        """
        Return the surfaces that are there; other files in the folder are nobody's business.
        """
        root = Path(self.dirname(test_location=test_location))
        found = SnapshotCollections()
        for folder in FOLDERS:
            for path in (root / folder).rglob(f"*.{self.file_extension}"):
                surface = path.relative_to(root).with_suffix("").as_posix()
                collection = SnapshotCollection(location=str(path))
                collection.add(Snapshot(name=f"{TEST_NAME}[{surface}]"))
                found.add(collection)
        return found

    def read_snapshot_data_from_location(
        self,
        *,
        snapshot_location: str,
        snapshot_name: str,  # noqa: ARG002  # syrupy's.
        session_id: str,  # noqa: ARG002  # syrupy's.
    ) -> str | None:
        """
        Return a file's text; what someone made unreadable differs from everything.
        """
        try:
            return Path(snapshot_location).read_text("utf-8", errors="replace")
        except FileNotFoundError:
            return None
