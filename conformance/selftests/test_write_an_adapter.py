"""
The page that teaches how to write an adapter: typed in from its first line to its last, it works.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "write-an-adapter.md"
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
WHOLE = re.compile(r"# (\S+)\n")
PART = re.compile(r"# in (\S+)\n")
SHIM = '#!/bin/sh\nexec "{python}" -m dsh_conformance.cli "$@"\n'


def merged(old, new):
    """
    Put what a snippet defines into a source: over what it replaces, or else at the end.
    """
    tree, addition = ast.parse(old), ast.parse(new)
    for node in addition.body:
        if isinstance(node, ast.ClassDef):
            _merge_into(_named(tree.body, node.name), node.body)
        else:
            _merge_into(tree, [node])
    return ast.unparse(tree)


def _named(body, name):
    return next(node for node in body if getattr(node, "name", None) == name)


def _merge_into(owner, nodes):
    for node in nodes:
        places = [i for i, old in enumerate(owner.body) if _key(old) == _key(node)]
        if places:
            owner.body[places[0]] = node
        elif isinstance(node, ast.Import | ast.Assign):
            owner.body.insert(1, node)
        else:
            # Before the lines that start the program.
            at = len(owner.body) - isinstance(owner.body[-1], ast.If)
            owner.body.insert(at, node)


def _key(node):
    if isinstance(node, ast.Assign):
        return ast.unparse(node.targets[0])
    return getattr(node, "name", None) or ast.unparse(node)


class Reader:
    """
    Does what the page says, in a folder of its own.
    """

    def __init__(self, folder):
        self.folder = folder
        self.output = []
        (folder / "bin").mkdir()
        shim = folder / "bin" / "dsh-conformance"
        shim.write_text(SHIM.format(python=sys.executable), encoding="utf-8")
        shim.chmod(0o755)

    def type_in(self, body):
        """
        Write a file, or change one.
        """
        part = PART.match(body)
        name = (part or WHOLE.match(body))[1]
        path = self.folder / name
        text = merged(path.read_text("utf-8"), body) if part else body
        path.write_text(text, encoding="utf-8")

    def run(self, line):
        """
        Run a command, keeping its exit status and output.
        """
        packages = f"{ROOT / 'conformance'}:{ROOT / 'reference'}"
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        line = line.replace("PYTHONPATH=.", f"PYTHONPATH=.:{packages}")
        done = subprocess.run(
            [shutil.which("bash"), "-c", line],
            cwd=self.folder,
            env={**os.environ, "PATH": path, "PYTHONPATH": packages},
            capture_output=True,
            text=True,
            check=False,
        )
        self.output.append((line, done.returncode, done.stdout + done.stderr))


@pytest.fixture(scope="module")
def typed(tmp_path_factory):
    """
    Follow the page once, and return what each command said.
    """
    reader = Reader(tmp_path_factory.mktemp("reader"))
    for kind, body in BLOCK.findall(PAGE.read_text("utf-8")):
        if kind == "python":
            reader.type_in(body)
        else:
            for line in body.splitlines():
                reader.run(line)
    return reader


def commands(typed, word):
    """
    Return the exit statuses and outputs of the commands with a word.
    """
    return [(status, text) for line, status, text in typed.output if f" {word} " in line]


class TestThePage:
    """
    The page from nothing to a green `todo`.
    """

    def test_every_command_has_the_exit_status_it_tells(self, typed):
        """
        The doctor has something to fix once, as the page says; all else ends well.
        """
        statuses = [status for _, status, _ in typed.output]

        assert [0, 0, 1, 0, 0, 0, 0] == statuses, typed.output

    def test_the_doctor_says_what_the_page_shows(self, typed):
        """
        The excerpts of the doctor's diagnosis are its words.
        """
        first, second, third = (text for _, text in commands(typed, "doctor"))

        assert "todo   not declared. To begin: write log.append and log.read" in first
        assert "FIX      log                works, but is not declared" in second
        assert 'next:  add "log" to the capabilities that initialize answers' in second
        assert "FIX" not in third
        assert "run --plugin todo" in third

    def test_the_first_run_finds_the_trap(self, typed):
        """
        Python's blanks break the two clauses that the page names, and no others.
        """
        _, report = commands(typed, "run")[0]
        broken = set(re.findall(r"^(\S+) \((?:must|should)", report, re.MULTILINE))

        assert {"todo.white-space.stripped", "todo.white-space.kept"} == broken

    def test_the_last_run_is_green(self, typed):
        """
        Every case that applies passes under --strict.
        """
        _, report = commands(typed, "run")[-1]

        assert re.search(r"^conformant: 1\d\d passed, \d+ not applicable$", report, re.MULTILINE)

    def test_it_runs_in_process_too(self, typed):
        """
        The class needs no process, as the page says.
        """
        typed.run("PYTHONPATH=.:my-adapter dsh-conformance doctor --adapter adapter:Adapter")

        assert 0 == typed.output.pop()[1]
