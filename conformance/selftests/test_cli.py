"""
The command line as a user meets it: lists, help, and one message for each mistake.
"""

from __future__ import annotations

import gc
import shutil
import subprocess
import sys

import pytest

from dsh_conformance.cli import COMMANDS
from dsh_conformance.contract import catalogue
from dsh_conformance.run import selection

HEAD = "claim: c\nclauses: [todo.content.unique]\n"
CALL = "steps:\n  - agent: a\n  - call: todo_write\n    says: x\n"
BINDS = "  - {call: x, says: '{t1}', bind: [t1]}\n"
TWICE = f"steps:\n  - agent: a\n{BINDS}{BINDS}"
EARLY = f"steps:\n  - agent: a\n  - {{call: x, says: '{{t1}}'}}\n{BINDS}"


class TestBadOptions:
    """
    A wrong option, name or file ends the command with one message and status 2.
    """

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["run", "--edition", "2026-80"], ["--edition", "2026-80", "'2026-08'"]),
            (["run", "--plugin", "tod"], ["--plugin", "tod", "'todo'"]),
            (["run", "--clause", "todo.content.uniqe"], ["--clause", "uniqe", "unique'"]),
            (["run", "todo/empty-lst"], ["CASE", "empty-lst", "'todo/empty-list'"]),
            (["run", "--shard", "3/2"], ["--shard", "3/2", "1/3"]),
            (["run", "--shard", "9999/9999"], ["--shard", "9999/9999", "cases"]),
            (["run", "--call-timeout", "0"], ["--call-timeout", "0", "default"]),
            (["run", "-k", "and and"], ["-k", "and and", "joined by and"]),
            (["run", "-k", "no-such-case"], ["-k", "no-such-case", "--list"]),
            (["run", "--scenarios", "none"], ["none", "--scenarios"]),
            (["run", "--known-failures", "none.yaml"], ["none.yaml", "no such file"]),
            (["list", "scenarios", "--edition", "x"], ["--edition", "x", "2026-08"]),
            (["explain", "todo.content.uniqe"], ["CLAUSE", "uniqe", "unique'"]),
            (["run", "--adapter", "no.such.module:Adapter"], ["no.such", "importable"]),
            (["run", "--adapter", "dsh_reference.adapter:Nothing"], ["Nothing", "module:Class"]),
            (["run", "--adapter", "no-such-program-here"], ["no-such-program-here", "path"]),
            (["run", "--adapter", "node 'x"], ["cannot be split", "quote it"]),
            (["run", "--adapter", ""], ["empty", "name a program"]),
        ],
        ids=lambda value: " ".join(value[1:3]) if value[0] in COMMANDS else "",
    )
    def test_message(self, invoke, few, arguments, words):
        """
        It says what, where, the value, and what to do next; nothing else is written.
        """
        folder = [] if "--scenarios" in arguments else ["--scenarios", few]

        status, out, err = invoke(*arguments, *folder)

        assert (2, "") == (status, out)
        assert err.startswith("error: ")
        assert "Traceback" not in err
        assert [] == [word for word in words if word not in err]
        assert "  next:  " in err

    @pytest.mark.parametrize("arguments", [["nosuch"], ["run", "--nosuch"], ["list", "nothing"]])
    def test_click(self, invoke, arguments):
        """
        What click refuses ends alike.
        """
        status, out, err = invoke(*arguments)

        assert (2, "") == (status, out)
        assert "Error: " in err


class TestBadFiles:
    """
    A wrong file ends the command with its place.
    """

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("claim: 'x", ["x.yaml:1:10", "not YAML"]),
            (HEAD + "steps: [{cll: x}]", ["x.yaml:3:10", "'cll'", "'call'"]),
            (HEAD + CALL + "    sys: y", ["x.yaml:7:5", "'sys'", "'says'"]),
            (HEAD.replace("unique", "uniqe") + CALL, ["x.yaml:2:11", "uniqe", "unique'"]),
            ("editions: [x]\n" + HEAD + CALL, ["x.yaml:1:12", "'x'", "2026-08"]),
            ("needs: [todo.projectoin]\n" + HEAD + CALL, ["x.yaml:1:9", "'todo.projection'"]),
            (HEAD + CALL.replace("x", "{$matchs: y}"), ["x.yaml:6:12", "'$matches'"]),
            (HEAD + TWICE, ["x.yaml:6:35", "'t1'", "twice"]),
            (HEAD + EARLY, ["x.yaml:5:21", "{t1}", "before"]),
        ],
        ids=[
            "yaml",
            "verb",
            "key",
            "clause",
            "edition",
            "capability",
            "operator",
            "twice",
            "early",
        ],
    )
    def test_scenario(self, invoke, tmp_path, text, words):
        """
        File, line, column, what was found and what was meant.
        """
        (tmp_path / "todo").mkdir()
        (tmp_path / "todo" / "x.yaml").write_text(text, "utf-8")

        status, out, err = invoke("run", "--scenarios", tmp_path)

        assert (2, "") == (status, out)
        assert "Traceback" not in err
        assert [] == [word for word in words if word not in err]

    @pytest.mark.parametrize(
        ("spoil", "words"),
        [
            (lambda path: path.unlink(), ["todo.yaml", "no such file"]),
            (lambda path: path.write_text("plugin: 'x"), ["todo.yaml:1:11", "not YAML"]),
            (
                lambda path: path.write_text("plugin: todo\nclauses: [{}]"),
                ["todo.yaml:2:11", "'id'"],
            ),
        ],
        ids=["missing", "no yaml", "no clause"],
    )
    def test_clauses(self, invoke, tmp_path, monkeypatch, spoil, words):
        """
        A clause file that is missing or wrong.
        """
        spec = shutil.copytree(catalogue.spec_root(), tmp_path / "spec")
        spoil(spec / "todo.yaml")
        for module in (catalogue, selection):
            monkeypatch.setattr(module, "spec_root", lambda: spec)

        status, out, err = invoke("run")

        assert (2, "") == (status, out)
        assert [] == [word for word in words if word not in err]


class TestFirstVerdict:
    """
    A run is quick to its first verdict.
    """

    def test_imports(self, environment, few):
        """
        Neither pytest nor Hypothesis is waited for where no machine runs.
        """
        code = (
            "import sys\nfrom dsh_conformance.cli import main\n"
            f"try: main({['run', '--no-generated', '--scenarios', str(few)]!r})\n"
            "except SystemExit as end: print(end.code, {'pytest', 'hypothesis'} & set(sys.modules))"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment(), capture_output=True, check=True
        )

        assert b"0 set()" == done.stdout.splitlines()[-1]

    def test_collects_garbage_as_before(self, invoke, few):
        """
        What a command asks of the garbage collector is its own affair.
        """
        before = gc.get_threshold()
        invoke("run", "--no-generated", "--scenarios", few)
        invoke("run", "--edition", "no-such-edition")

        assert before == gc.get_threshold()

    def test_machines_come_last(self, invoke):
        """
        A scenario takes milliseconds, a machine a second: the scenarios go first.
        """
        _, out, _ = invoke("run", "--list", "--plugin", "todo")
        cases = out.splitlines()

        assert "machine/todo" == cases[-1]
        assert "machine/todo" not in cases[:-1]


class TestHelp:
    """
    `--help` is quick: it imports neither pytest nor hypothesis.
    """

    @pytest.mark.parametrize("arguments", [["--help"], *([name, "--help"] for name in COMMANDS)])
    def test_imports(self, environment, arguments):
        """
        Neither the list of commands nor a command's own help needs them.
        """
        code = (
            "import sys\nfrom dsh_conformance.cli import main\n"
            f"try: main({arguments!r})\nexcept SystemExit: pass\n"
            "print(sorted({'pytest', 'hypothesis', 'rich', 'jsonschema'} & set(sys.modules)))"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment(), capture_output=True, check=True
        )

        assert b"[]" == done.stdout.splitlines()[-1]

    def test_module(self, command):
        """
        `python -m dsh_conformance` is the same command.
        """
        ran = command("--help")

        assert 0 == ran.status
        assert ran.out.startswith("Usage: dsh-conformance ")
        assert [] == [name for name in COMMANDS if name not in ran.out]


class TestLists:
    """
    `list` and `--list` name what there is, one a line.
    """

    @pytest.mark.parametrize(
        ("what", "one"),
        [
            ("clauses", "todo.content.unique"),
            ("scenarios", "todo/empty-list"),
            ("capabilities", "todo.projection"),
            ("editions", "2026-08"),
        ],
    )
    def test_list(self, invoke, what, one):
        """
        Each kind.
        """
        status, out, _ = invoke("list", what)

        assert 0 == status
        assert one in [line.split()[0] for line in out.splitlines()]

    def test_cases(self, invoke, few):
        """
        `run --list` names the chosen cases and plays none.
        """
        status, out, _ = invoke(
            "run", "--list", "-k", "two-active", "--adapter", "false", "--scenarios", few
        )

        assert (0, "todo/two-active-items\n") == (status, out)
