"""
Runs side by side: two of one implementation, or one of each of several.
"""

from __future__ import annotations

import json
from copy import deepcopy

import pytest
from click.testing import CliRunner

from dsh_conformance.cli import main
from dsh_conformance.report.diff import compare, lines
from dsh_conformance.report.matrix import RENDERERS, matrix
from dsh_conformance.report.told import Report


def clause(name, outcome):
    """
    Return a clause as a report has it.
    """
    return {
        "id": name,
        "plugin": name.partition(".")[0],
        "level": "must",
        "statement": "It holds.",
        "text": [],
        "needs": [],
        "provenance": {"decided": {"record": 1}},
        "source": "decided",
        "aliases": [],
        "untestable": None,
        "where": "spec/x.yaml:1:1",
        "outcome": outcome,
        "known": False,
        "cases": [],
    }


def case(ident, outcome, clauses):
    """
    Return a case as a report has it.
    """
    empty = {"failures": [], "script": [], "places": [], "expectations": [], "transcript": []}
    texts = {"claim": "", "reason": "", "kind": "", "known": ""}
    times = {"seconds": 0.1, "adapterSeconds": 0.1}
    return {"id": ident, "outcome": outcome, "clauses": clauses, **empty, **texts, **times}


BASE = {
    "format": "dsh-conformance-report",
    "version": 1,
    "complete": True,
    "incompleteReason": "",
    "suite": {"name": "x", "version": "1.0", "specDigest": "a" * 64, "fixturesDigest": "b" * 64},
    "edition": {"name": "2026-08", "about": ""},
    "adapter": {"command": "x", "digest": "c" * 64, "build": ""},
    "implementation": {
        "name": "port",
        "version": "1",
        "language": "c",
        "homepage": None,
        "editions": [],
        "capabilities": ["todo"],
        "clock": "virtual",
    },
    "environment": {"python": "3", "platform": "x", "pytest": "9", "ci": False},
    "run": {
        "started": "",
        "finished": "",
        "seconds": 1,
        "planned": 2,
        "strict": False,
        "plugins": [],
        "clauses": [],
        "cases": [],
        "shard": "1/1",
        "exitStatus": 0,
        "verdict": "conformant",
    },
    "totals": {"cases": {}, "clauses": {}},
    "clauses": [clause("todo.a", "passed"), clause("todo.b", "failed"), clause("tree.c", "passed")],
    "cases": [case("todo/one", "passed", ["todo.a"]), case("todo/two", "failed", ["todo.b"])],
    "knownFailures": [],
}


def changed(**parts):
    """
    Return the report above with some parts changed.
    """
    data = deepcopy(BASE)
    for part, value in parts.items():
        data[part] = {**data[part], **value} if isinstance(value, dict) else value
    return Report(data)


def worse(**parts):
    """
    Return it with a clause broken.
    """
    return changed(
        clauses=[
            clause("todo.a", "failed"),
            clause("todo.b", "failed"),
            clause("tree.c", "passed"),
        ],
        cases=[case("todo/one", "failed", ["todo.a"]), case("todo/two", "failed", ["todo.b"])],
        **parts,
    )


class TestDiff:
    """
    Two runs of one implementation.
    """

    @pytest.mark.parametrize(
        ("parts", "who"),
        [
            ({"adapter": {"digest": "d" * 64}}, "The implementation changed; the suite did not."),
            ({"implementation": {"version": "2"}}, "The implementation changed; the suite did not"),
            ({"adapter": {"build": "f00"}}, "The implementation changed; the suite did not."),
            ({"suite": {"fixturesDigest": "d" * 64}}, "The suite changed; the implementation did"),
            (
                {"suite": {"version": "2"}, "implementation": {"version": "2"}},
                "The implementation and the suite both changed.",
            ),
            ({}, "Neither the implementation nor the suite changed"),
        ],
    )
    def test_who(self, parts, who):
        """
        Digests and versions tell which side changed.
        """
        assert compare(changed(), worse(**parts)).who.startswith(who)

    def test_which(self):
        """
        Only clauses with another outcome are named, with the cases that changed.
        """
        [change] = compare(changed(), worse()).changes

        assert ("todo.a", "passed", "failed") == (change.clause, change.before, change.after)
        assert ("todo/one: passed → failed",) == change.cases

    @pytest.mark.parametrize(
        ("before", "after", "is_worse"),
        [
            ("passed", "failed", True),
            ("passed", "unverified", True),
            ("unverified", "failed", True),
            ("failed", "unverified", False),
            ("failed", "passed", False),
            ("not run", "failed", True),
            ("passed", "not applicable", False),
        ],
    )
    def test_worse(self, before, after, is_worse):
        """
        Worse is what was not broken, or not in doubt, before.
        """
        old = changed(clauses=[clause("todo.a", before)])
        new = changed(clauses=[clause("todo.a", after)])

        assert is_worse is compare(old, new).is_worse

    def test_clauses_that_come_and_go(self):
        """
        A clause that only one run knows is named as absent from the other.
        """
        new = changed(clauses=[clause("todo.a", "passed"), clause("new.d", "passed")])
        found = {one.clause: (one.before, one.after) for one in compare(changed(), new).changes}

        assert ("absent", "passed") == found["new.d"]
        assert ("passed", "absent") == found["tree.c"]

    def test_renamed(self):
        """
        A clause under a former name is the same clause.
        """
        new = [{**clause("todo.renamed", "passed"), "aliases": ["todo.a"]}, *BASE["clauses"][1:]]

        assert () == compare(changed(), changed(clauses=new)).changes

    @pytest.mark.parametrize(
        ("parts", "doubt"),
        [
            ({"edition": {"name": "1"}}, "the editions differ: 2026-08 and 1"),
            (
                {"complete": False, "incompleteReason": "killed"},
                "the new run is incomplete: killed",
            ),
            ({"run": {"plugins": ["todo"]}}, "the runs did not choose the same cases"),
        ],
    )
    def test_doubts(self, parts, doubt):
        """
        What makes two runs hard to compare is said.
        """
        assert (doubt,) == compare(changed(), changed(**parts)).doubts

    def test_harmless(self):
        """
        Names of implementations are shown, not sent to the terminal.
        """
        text = "\n".join(lines(compare(changed(), changed(implementation={"name": "\x1b[2J"}))))

        assert "\x1b" not in text
        assert r"\x1b[2J" in text

    @pytest.mark.parametrize(("swap", "status"), [(False, 1), (True, 0)])
    def test_exit_status(self, tmp_path, swap, status):
        """
        The exit status is 1 where a clause got worse, and 0 where none did.
        """
        pair = [changed().data, worse().data]
        paths = [tmp_path / "old.json", tmp_path / "new.json"]
        for path, data in zip(paths, reversed(pair) if swap else pair, strict=True):
            path.write_text(json.dumps(data), "utf-8")
        ended = CliRunner().invoke(main, ["diff", *map(str, paths)])

        assert status == ended.exit_code, ended.output
        assert "- todo.a: " in ended.output


class TestMatrix:
    """
    Several implementations.
    """

    def table(self, **options):
        """
        Put two of them side by side.
        """
        other = worse(
            implementation={"name": "<b>|other"},
            run={"verdict": "non-conformant"},
            edition={"name": "1"},
        )
        return matrix([changed(), other], **options)

    def test_rows(self):
        """
        Each clause has a row, each implementation a column.
        """
        found = {name: outcomes for name, _, outcomes in self.table().rows}

        assert ("passed", "failed") == found["todo.a"]
        assert ("failed", "failed") == found["todo.b"]

    def test_differing(self):
        """
        Where only differences are asked for, rows on which all agree are left out.
        """
        assert ["todo.a"] == [name for name, _, _ in self.table(differing=True).rows]

    def test_a_clause_of_one_edition(self):
        """
        A clause that an implementation's edition lacks leaves its cell empty.
        """
        table = matrix([changed(), changed(clauses=[clause("new.d", "passed")])])
        found = {name: outcomes for name, _, outcomes in table.rows}

        assert (None, "passed") == found["new.d"]

    def test_namesakes(self):
        """
        Columns of one name are told apart.
        """
        table = matrix([changed(), changed(edition={"name": "1"}), changed()])

        assert 3 == len(set(table.columns))

    @pytest.mark.parametrize("form", RENDERERS)
    def test_formats(self, form):
        """
        Every format has every clause and the verdicts, and what is markup is escaped.
        """
        text = "\n".join(RENDERERS[form](self.table()))

        assert all(name in text for name in ("todo.a", "todo.b", "tree.c", "non-conformant"))
        assert form == "text" or "<b>" not in text

    def test_markdown_cells(self):
        """
        A bar in a name does not break the table.
        """
        rows = [line for line in RENDERERS["markdown"](self.table()) if line.startswith("|")]

        assert {5} == {line.replace(r"\|", "").count("|") for line in rows}

    def test_command(self, tmp_path):
        """
        The command reads JSON reports and writes the page.
        """
        paths = [tmp_path / "a.json", tmp_path / "b.json"]
        for path, report in zip(paths, [changed(), worse()], strict=True):
            path.write_text(json.dumps(report.data), "utf-8")
        target = tmp_path / "matrix.html"
        ended = CliRunner().invoke(
            main, ["matrix", *map(str, paths), "--format", "html", "-o", str(target)]
        )

        assert 0 == ended.exit_code, ended.output
        assert "✗ failed" in target.read_text("utf-8")
