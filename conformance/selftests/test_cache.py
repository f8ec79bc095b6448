"""
The cache of what was read before.
"""

import os
import pickle
import zlib

import pytest

from dsh_conformance.cache import KEPT_ENTRIES, SWITCH, cached
from dsh_conformance.contract.catalogue import load_contracts
from dsh_conformance.errors import DataError, UsageError
from dsh_conformance.run.selection import load_all
from dsh_conformance.run.settings import Settings

EDITION = "2026-08"


@pytest.fixture(autouse=True)
def keeping(tmp_path, monkeypatch):
    """
    A cache that is switched on and empty: its folder.
    """
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv(SWITCH, raising=False)
    return tmp_path / "cache" / "dsh-conformance"


@pytest.fixture
def folder(tmp_path):
    """
    A folder of files, and a cache that is empty.
    """
    root = tmp_path / "scenarios"
    root.mkdir()
    (root / "one.yaml").write_text("claim: one\n", "utf-8")
    return root


def ask(folder, read, *given):
    """
    Return what is read, or kept, of a folder.
    """
    return cached("things", given, [folder], read)


def sealed(content):
    """
    Return a pickle as an entry holds it.
    """
    return zlib.crc32(content).to_bytes(4) + content


class Reader:
    """
    Counts how often it is asked.
    """

    def __init__(self):
        self.asked = 0

    def __call__(self):
        """
        Return another thing each time.
        """
        self.asked += 1
        return [f"thing {self.asked}"]


class TestCached:
    """
    When the files are read again, and when not.
    """

    def test_reads_once(self, folder):
        """
        The same files are read once.
        """
        read = Reader()
        first, second = (ask(folder, read, EDITION) for _ in range(2))

        assert first == second == ["thing 1"]

    def test_reads_a_changed_file_again(self, folder):
        """
        A file that was written since is read again, even at the same size.
        """
        read = Reader()
        ask(folder, read, EDITION)
        changed = folder / "one.yaml"
        changed.write_text("claim: two\n", "utf-8")
        os.utime(changed, ns=(1, 1))

        assert ["thing 2"] == ask(folder, read, EDITION)

    def test_reads_a_new_file(self, folder):
        """
        A file that was added is seen.
        """
        read = Reader()
        ask(folder, read, EDITION)
        (folder / "two.yaml").write_text("claim: two\n", "utf-8")

        assert ["thing 2"] == ask(folder, read, EDITION)

    @pytest.mark.parametrize("given", [["0.1.0-rc.8"], [], [EDITION, "todo.write"]])
    def test_keeps_editions_apart(self, folder, given):
        """
        Another edition, or other clauses, are read for themselves, and both are kept.
        """
        read = Reader()
        ask(folder, read, EDITION)

        assert ["thing 2"] == ask(folder, read, *given)
        assert ["thing 1"] == ask(folder, read, EDITION)

    def test_reads_a_file_set_back(self, folder):
        """
        A file of the same size and time of writing is read again all the same.
        """
        read = Reader()
        changed = folder / "one.yaml"
        os.utime(changed, ns=(1, 1))
        ask(folder, read, EDITION)
        changed.write_text("claim: two\n", "utf-8")
        os.utime(changed, ns=(1, 1))

        assert ["thing 2"] == ask(folder, read, EDITION)

    def test_names_are_told_as_given(self, folder, monkeypatch):
        """
        The same folder under another name is read for itself: places in it are told by that name.
        """
        read = Reader()
        ask(folder, read)
        monkeypatch.chdir(folder.parent)

        assert ["thing 2"] == ask(folder.relative_to(folder.parent), read)

    def test_keeps_few(self, folder, keeping):
        """
        Of many folders only the latest are kept.
        """
        for number in range(KEPT_ENTRIES + 3):
            ask(folder, Reader(), str(number))

        assert KEPT_ENTRIES == len(list(keeping.iterdir()))

    def test_can_be_switched_off(self, folder, monkeypatch):
        """
        Switched off, nothing is looked up and nothing is kept.
        """
        monkeypatch.setenv(SWITCH, "off")
        read = Reader()
        ask(folder, read, EDITION)

        assert ["thing 2"] == ask(folder, read, EDITION)
        assert not (folder.parent / "cache").exists()

    @pytest.mark.parametrize(
        "damaged",
        [
            lambda _: b"",
            lambda _: b"no pickle",
            lambda whole: whole[:-1],
            lambda whole: whole.replace(b"thing 1", b"thing 7"),
            lambda _: sealed(pickle.dumps(None)),
        ],
        ids=["empty", "other", "cut", "flipped", "old"],
    )
    def test_damage_costs_only_time(self, folder, keeping, damaged):
        """
        An entry that cannot be used is made anew.
        """
        read = Reader()
        ask(folder, read, EDITION)
        (entry,) = keeping.iterdir()
        entry.write_bytes(damaged(entry.read_bytes()))

        assert ["thing 2"] == ask(folder, read, EDITION)
        assert ["thing 2"] == ask(folder, read, EDITION)

    def test_mistakes_are_not_kept(self, folder):
        """
        A mistake in a file is told every time.
        """

        def wrong():
            raise DataError("no such clause", "one.yaml:1:1")

        for _ in range(2):
            with pytest.raises(DataError, match="no such clause"):
                ask(folder, wrong)

    def test_no_home(self, folder, monkeypatch):
        """
        A user without a home reads the files.
        """

        def homeless():
            raise RuntimeError

        monkeypatch.delenv("XDG_CACHE_HOME")
        monkeypatch.setattr("pathlib.Path.home", homeless)
        read = Reader()

        assert ["thing 1"] == ask(folder, read)
        assert ["thing 2"] == ask(folder, read)

    def test_a_folder_that_cannot_be_written_is_no_hindrance(self, folder, monkeypatch):
        """
        Where nothing can be kept, the files are read.
        """
        monkeypatch.setenv("XDG_CACHE_HOME", os.devnull)
        read = Reader()

        assert ["thing 1"] == ask(folder, read, EDITION)


class TestSuite:
    """
    What is kept of the suite itself.
    """

    def test_contracts(self, keeping):
        """
        Contracts from the cache equal those of the files.
        """
        read, kept = load_contracts(), load_contracts()

        assert [entry.name.partition("-")[0] for entry in keeping.iterdir()] == ["contracts"]
        assert read == kept
        assert read is not kept

    def test_unknown_edition(self, keeping):
        """
        An edition that does not exist is told before anything is looked up.
        """
        with pytest.raises(UsageError, match="unknown edition"):
            load_contracts(["2026-80"])

        assert not keeping.exists()

    def test_scenarios(self, keeping):
        """
        Scenarios from the cache equal those of the files, script and all.
        """
        read, kept = load_all(Settings()), load_all(Settings())

        assert {"contracts", "scenarios"} == {
            entry.name.partition("-")[0] for entry in keeping.iterdir()
        }
        assert read == kept

    def test_scripts_are_unpacked_when_asked_for(self):
        """
        A scenario from the cache has its steps, and nothing that a scenario has not.
        """
        load_all(Settings())
        (scenario, *_) = load_all(Settings()).scenarios

        assert scenario.steps
        with pytest.raises(AttributeError, match="stepps"):
            _ = scenario.stepps

    def test_packed_twice(self):
        """
        A scenario that was not played yet can be kept again.
        """
        load_all(Settings())
        (scenario, *_) = load_all(Settings()).scenarios
        again = pickle.loads(pickle.dumps(scenario))  # noqa: S301  # Our own.

        assert scenario == again
