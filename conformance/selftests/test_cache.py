"""
The cache of scenarios that were read before.
"""

import os

import pytest

from dsh_conformance.errors import DataError
from dsh_conformance.scenario.cache import SWITCH, cached

KNOWN = ["todo.write.one-event"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """
    A folder of scenarios, and a cache that is empty.
    """
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv(SWITCH, raising=False)
    root = tmp_path / "scenarios"
    root.mkdir()
    (root / "one.yaml").write_text("claim: one\n", "utf-8")
    return root


class Reader:
    """
    Counts how often it is asked.
    """

    def __init__(self):
        self.asked = 0

    def __call__(self):
        """
        Return other scenarios each time.
        """
        self.asked += 1
        return [f"scenario {self.asked}"]


class TestCached:
    """
    When the files are read again, and when not.
    """

    def test_reads_once(self, folder):
        """
        The same files are read once.
        """
        read = Reader()
        first, second = (cached(folder, "2026-08", KNOWN, read) for _ in range(2))

        assert first == second == ["scenario 1"]

    def test_reads_a_changed_file_again(self, folder):
        """
        A file that was written since is read again, even at the same size.
        """
        read = Reader()
        cached(folder, "2026-08", KNOWN, read)
        changed = folder / "one.yaml"
        changed.write_text("claim: two\n", "utf-8")
        os.utime(changed, ns=(1, 1))

        assert ["scenario 2"] == cached(folder, "2026-08", KNOWN, read)

    def test_reads_a_new_file(self, folder):
        """
        A file that was added is seen.
        """
        read = Reader()
        cached(folder, "2026-08", KNOWN, read)
        (folder / "two.yaml").write_text("claim: two\n", "utf-8")

        assert ["scenario 2"] == cached(folder, "2026-08", KNOWN, read)

    @pytest.mark.parametrize(("edition", "known"), [("0.1.0-rc.8", KNOWN), ("2026-08", [])])
    def test_keeps_editions_apart(self, folder, edition, known):
        """
        Another edition, or other clauses, are read for themselves.
        """
        read = Reader()
        cached(folder, "2026-08", KNOWN, read)

        assert ["scenario 2"] == cached(folder, edition, known, read)

    def test_can_be_switched_off(self, folder, monkeypatch):
        """
        Switched off, nothing is looked up and nothing is kept.
        """
        monkeypatch.setenv(SWITCH, "off")
        read = Reader()
        cached(folder, "2026-08", KNOWN, read)

        assert ["scenario 2"] == cached(folder, "2026-08", KNOWN, read)
        assert not (folder.parent / "cache").exists()

    @pytest.mark.parametrize("content", [b"", b"no pickle", b"\x80\x05N."])
    def test_damage_costs_only_time(self, folder, content):
        """
        An entry that cannot be used is made anew.
        """
        read = Reader()
        cached(folder, "2026-08", KNOWN, read)
        (entry,) = (folder.parent / "cache" / "dsh-conformance").iterdir()
        entry.write_bytes(content)

        assert ["scenario 2"] == cached(folder, "2026-08", KNOWN, read)
        assert ["scenario 2"] == cached(folder, "2026-08", KNOWN, read)

    def test_mistakes_are_not_kept(self, folder):
        """
        A mistake in a file is told every time.
        """

        def wrong():
            raise DataError("no such clause", "one.yaml:1:1")

        for _ in range(2):
            with pytest.raises(DataError, match="no such clause"):
                cached(folder, "2026-08", KNOWN, wrong)

    def test_a_folder_that_cannot_be_written_is_no_hindrance(self, folder, monkeypatch):
        """
        Where nothing can be kept, the files are read.
        """
        monkeypatch.setenv("XDG_CACHE_HOME", os.devnull)
        read = Reader()

        assert ["scenario 1"] == cached(folder, "2026-08", KNOWN, read)
