"""
Fixtures and state files from strangers are data: no path of theirs leads out of the case's folder.
"""

from __future__ import annotations

import os

import pytest

from dsh_conformance.errors import DataError
from dsh_conformance.scenario import workspace as module
from dsh_conformance.scenario.loader import scenario_files
from dsh_conformance.scenario.patterns import ABSENT
from dsh_conformance.scenario.values import EXPANSION_LIMIT, ValueMistake, worked_out
from dsh_conformance.scenario.workspace import LeadsOutside, Workspace

OUTSIDE = ["../../x", "/etc/passwd", "a/../../../x", "../../../../etc/passwd", "a\0b"]


@pytest.fixture
def workspace():
    """
    The folder of a case.
    """
    made = Workspace()
    yield made
    made.close()


class TestPaths:
    """
    Paths that a scenario names.
    """

    @pytest.mark.parametrize("path", OUTSIDE)
    def test_outside(self, workspace, path):
        """
        Neither reads nor writes outside the folder of the case.
        """
        with pytest.raises(LeadsOutside):
            workspace.read(path, as_json=False)
        with pytest.raises(LeadsOutside):
            workspace.write(path, text="x", base64_text=None)

    def test_inside(self, workspace):
        """
        Reaches the state folder and the one around it.
        """
        workspace.write("a/b.json", text="[1]", base64_text=None)
        workspace.write("../beside", text="x", base64_text=None)

        assert [1] == workspace.read("a/b.json", as_json=True)
        assert ["a/b.json"] == workspace.files("**/*")
        assert ["../beside", "../state/a/b.json"] == workspace.files("../**/*")

    @pytest.mark.parametrize("glob", ["../../*", "/etc/*", "a/../../../*", "..", "", "../"])
    def test_globs(self, workspace, glob):
        """
        Lists nothing outside the folder of the case.
        """
        with pytest.raises(LeadsOutside):
            workspace.files(glob)


class TestLinks:
    """
    Links that an implementation made in its state folder.
    """

    def test_file(self, workspace, tmp_path):
        """
        Does not follow a link out of the folder, in either direction.
        """
        secret = tmp_path / "secret"
        secret.write_text("secret")
        (workspace.state / "link").symlink_to(secret)

        with pytest.raises(LeadsOutside):
            workspace.read("link", as_json=False)
        with pytest.raises(LeadsOutside):
            workspace.write("link", text="x", base64_text=None)
        assert [] == workspace.files("*")
        assert "secret" == secret.read_text()

    def test_folder(self, workspace, tmp_path):
        """
        Does not list what a linked folder holds.
        """
        (tmp_path / "secret").write_text("secret")
        (workspace.state / "link").symlink_to(tmp_path)

        assert [] == workspace.files("link/*")
        assert [] == workspace.files("**/*")

    def test_loop(self, workspace):
        """
        Takes a link to itself for no file.
        """
        (workspace.state / "loop").symlink_to("loop")

        with pytest.raises((OSError, RuntimeError)):
            workspace.read("loop", as_json=False)


class TestContents:
    """
    What an implementation wrote.
    """

    def test_size(self, workspace, monkeypatch):
        """
        Reads no more of a file than a bound.
        """
        monkeypatch.setattr(module, "SIZE_LIMIT", 100)
        workspace.write("big", text="x" * 1000, base64_text=None)

        assert "x" * 100 == workspace.read("big", as_json=False)

    def test_pipe(self, workspace):
        """
        Does not wait for a named pipe.
        """
        os.mkfifo(workspace.state / "pipe")

        assert workspace.read("pipe", as_json=False) is ABSENT

    @pytest.mark.parametrize("text", ["[" * 100_000, "{", "\xff", "nothing"])
    def test_no_json(self, workspace, text):
        """
        Says that a file is no JSON.
        """
        workspace.write("state.json", text=text, base64_text=None)

        assert workspace.read("state.json", as_json=True).startswith("not JSON (")


class TestValues:
    """
    Values that unfold.
    """

    @pytest.mark.parametrize(
        "value",
        [
            {"$repeat": ["xx", EXPANSION_LIMIT]},
            {"$repeat": ["", 10**30]},
            {"$each": {"to": EXPANSION_LIMIT, "value": "xx"}},
            {"$each": {"to": 10**30, "value": ""}},
            {"$each": {"to": 9000, "value": {"$each": {"to": 9000, "value": 1}}}},
            {"$each": {"to": 3000, "value": {"$repeat": ["x", 3000]}}},
            [{"$repeat": ["x", EXPANSION_LIMIT]}, {"$repeat": ["x", EXPANSION_LIMIT]}],
            {"$json": "[" * 100_000},
            {"$json": "NaN"},
            {"$json": "1e999"},
        ],
    )
    def test_bounded(self, value):
        """
        Refuses what would unfold without bound, or hold what no message can.
        """
        with pytest.raises(ValueMistake):
            worked_out(value)


class TestFolders:
    """
    A folder of scenarios from a stranger.
    """

    def test_link(self, tmp_path):
        """
        Does not read what a link in it names elsewhere.
        """
        folder = tmp_path / "cases"
        folder.mkdir()
        (tmp_path / "secret.yaml").write_text("secret")
        (folder / "case.yaml").symlink_to(tmp_path / "secret.yaml")

        with pytest.raises(DataError, match="a link that leads out of the folder"):
            scenario_files(folder)
