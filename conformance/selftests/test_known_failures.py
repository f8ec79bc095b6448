"""
Known failures: what an entry excuses, when it falls, and what is wrong with a file of them.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from shutil import copyfile

import pytest
import yaml
from click.testing import CliRunner

from dsh_conformance.cli import main
from dsh_conformance.errors import DataError, RunnerBug
from dsh_conformance.paths import fixtures_root
from dsh_conformance.run.known.coverage import Catalogue, mistakes, present_names, problems
from dsh_conformance.run.known.entries import glob_fits, read_known_failures
from dsh_conformance.run.known.ledger import Ledger
from dsh_conformance.run.known.rewrite import rewritten
from dsh_conformance.run.known.update import steady_part
from dsh_conformance.scenario.results import CaseResult, Difference, Failure

TODAY = date(2026, 8, 15)
CATALOGUE = Catalogue(
    edition="2026-08",
    cases={
        "todo/one": ("todo.a.first", "todo.b"),
        "todo/two": ("todo.a.first",),
        "tree/three": ("tree.c",),
        **{f"many/{number:02}": ("many.of-them",) for number in range(30)},
    },
    clauses=frozenset({"todo.a.first", "todo.b", "tree.c", "many.of-them", "tree.unseen"}),
    aliases={"todo.former": "todo.a.first"},
)
COMMON = {"reason": "It is an old port.", "issue": "https://example.org/7"}


def write(folder, *entries, **head):
    """
    Write a file of known failures.
    """
    path = folder / "known.yaml"
    listed = [{"grade": "wrong effect", **COMMON, **entry} for entry in entries]
    path.write_text(yaml.safe_dump({**head, "known-failures": listed}), "utf-8")
    return path


def read(folder, *entries, **head):
    """
    Write one and read it.
    """
    return read_known_failures(write(folder, *entries, **head))


def found(folder, *entries, **head):
    """
    Return what is wrong with one.
    """
    return [one.what for one in problems(read(folder, *entries, **head), CATALOGUE, TODAY)]


def ledger(folder, *entries):
    """
    Open the books on one.
    """
    file = read(folder, *entries)
    return Ledger(present_names(file, CATALOGUE), CATALOGUE, TODAY)


def failed(case="todo/two", clause="todo.a.first", grade="wrong effect", seen="fine", **rest):
    """
    Return a case that failed.
    """
    difference = Difference("text", "Error: no", seen, text=True)
    failure = Failure(clause, f"{case}.yaml:1:1", "error", grade, (difference,))
    return CaseResult(case, "failed", CATALOGUE.cases[case], (failure,), **rest)


def passed(case="todo/two", outcome="passed"):
    """
    Return a case that did not fail.
    """
    return CaseResult(case, outcome, CATALOGUE.cases[case])


def states(books, *results):
    """
    Note results and return what became of the entries.
    """
    for result in results:
        books.add(books.mark(result))
    return [status.state for status in books.finish()]


class TestGlobs:
    """
    How names with wildcards fit.
    """

    @pytest.mark.parametrize(
        ("glob", "name", "separator", "fits"),
        [
            ("todo/*", "todo/one", "/", True),
            ("*", "todo/one", "/", False),
            ("todo/o?e", "todo/one", "/", True),
            ("todo.*", "todo.a.first", ".", False),
            ("todo.*.first", "todo.a.first", ".", True),
            ("todo/one", "todo/one", "/", True),
            ("todo/on", "todo/one", "/", False),
            ("t[ar]*/three", "tree/three", "/", True),
        ],
    )
    def test_stop_at_the_separator(self, glob, name, separator, fits):
        """
        A wildcard stays within one part of a path or of an id.
        """
        assert fits == glob_fits(glob, name, separator)


class TestFile:
    """
    What is wrong with a file before anything is run.
    """

    def test_sound(self, tmp_path):
        """
        A file whose entries each cover something has nothing wrong with it.
        """
        entries = [{"case": "todo/one", "clause": "todo.b"}, {"clause": "tree.c"}]

        assert found(tmp_path, *entries, edition="2026-08") == []

    @pytest.mark.parametrize(
        ("entry", "what"),
        [
            ({"case": "todo/oen"}, "there is no such case"),
            ({"clause": "todo.bb"}, "there is no such clause"),
            ({"case": "none/*"}, "no case matches"),
            ({"clause": "none.*"}, "no clause matches"),
            ({"clause": "tree.unseen"}, "matches nothing: no case checks this"),
            ({"case": "todo/two", "clause": "todo.b"}, "matches nothing: no case checks this"),
            ({"clause": "many.of-them"}, "covers 30 cases; 20 is the most"),
            ({"case": "todo/two", "expires": "2026-08-14"}, "expired on 2026-08-14"),
        ],
    )
    def test_one_wrong_entry(self, tmp_path, entry, what):
        """
        An entry that covers nothing, too much, or is past its day is told.
        """
        assert [what] == found(tmp_path, entry)

    def test_nearest_name(self, tmp_path):
        """
        A name that is not known is answered with the nearest one, and its place.
        """
        [problem] = mistakes(read(tmp_path, {"case": "todo/oen"}), CATALOGUE)

        assert "did you mean 'todo/one'?" == problem.hint
        assert str(problem.where).startswith(f"{tmp_path}/known.yaml:2:")

    def test_last_day(self, tmp_path):
        """
        An entry is good on the day that it names.
        """
        assert found(tmp_path, {"case": "todo/two", "expires": "2026-08-15"}) == []

    def test_former_clause(self, tmp_path):
        """
        A former clause id stands for the present one.
        """
        assert found(tmp_path, {"case": "todo/two", "clause": "todo.former"}) == []

    @pytest.mark.parametrize(
        "entries",
        [
            ({"case": "todo/one"}, {"clause": "todo.b"}),
            ({"case": "todo/*"}, {"case": "todo/two", "clause": "todo.a.first"}),
            ({"clause": "todo.a.*"}, {"clause": "todo.former"}),
        ],
    )
    def test_overlap(self, tmp_path, entries):
        """
        Two entries that could excuse one failure are told, by either name.
        """
        assert ["two entries speak of one failure"] == found(tmp_path, *entries)

    def test_same_case_other_clause(self, tmp_path):
        """
        Two entries for different clauses of one case do not overlap.
        """
        entries = [{"case": "todo/one", "clause": one} for one in ("todo.b", "todo.a.first")]

        assert found(tmp_path, *entries) == []

    def test_other_edition(self, tmp_path):
        """
        A file for another edition is refused whole.
        """
        assert ["the file is for edition 1"] == found(tmp_path, {"case": "x"}, edition="1")

    @pytest.mark.parametrize(
        ("entry", "what"),
        [
            ({"case": "todo/one", "isue": "x"}, "unknown key 'isue'"),
            ({"case": "todo/one", "issue": "soon"}, "not of the form"),
            ({"case": "todo/one", "expires": "2026-02-30"}, "not a day of the calendar"),
            ({"case": "todo/one", "kind": "broken"}, "expected one of failing, flaky"),
            ({"case": "todo/one", "reason": ""}, "must not be empty"),
            ({}, "names neither a case nor a clause"),
        ],
    )
    def test_not_as_its_schema_says(self, tmp_path, entry, what):
        """
        A slip in an entry is told with its place.
        """
        with pytest.raises(DataError, match=what) as caught:
            read(tmp_path, entry)

        assert str(caught.value.where).startswith(f"{tmp_path}/known.yaml:")

    def test_nothing_expected(self, tmp_path):
        """
        An entry says what is expected to be seen, by grade or by text.
        """
        path = tmp_path / "known.yaml"
        path.write_text(yaml.safe_dump({"known-failures": [{"case": "todo/one", **COMMON}]}))

        with pytest.raises(DataError, match="does not say what is expected to be seen"):
            read_known_failures(path)


class TestLedger:
    """
    Expected against seen.
    """

    def test_expected(self, tmp_path):
        """
        A failure as it is expected is known, by the place of its entry.
        """
        books = ledger(tmp_path, {"case": "todo/two", "seen": "fin"})
        marked = books.mark(failed())

        assert f"{tmp_path}/known.yaml:2:3" == marked.failures[0].known
        assert ["seen"] == states(books, failed())

    @pytest.mark.parametrize(
        "result",
        [
            failed(grade="same meaning"),
            failed(seen="something else"),
            failed(case="todo/one", clause="todo.b"),
        ],
    )
    def test_something_else(self, tmp_path, result):
        """
        Another grade, text, case or clause is a new failure.
        """
        books = ledger(tmp_path, {"case": "todo/two", "seen": "fine"})

        assert "" == books.mark(result).failures[0].known

    def test_a_different_failure_is_not_a_pass(self, tmp_path):
        """
        A case that fails in another way does not make its entry stale.
        """
        books = ledger(tmp_path, {"case": "todo/two", "seen": "fine"})

        assert ["not looked at"] == states(books, failed(seen="other"))

    def test_ended_before_it(self, tmp_path):
        """
        A wrong effect elsewhere leaves open whether the entry holds; another wording does not.
        """
        entry = {"case": "todo/one", "clause": "todo.a.first"}
        early = failed("todo/one", "todo.b")
        late = failed("todo/one", "todo.b", grade="same meaning")

        assert ["not looked at"] == states(ledger(tmp_path, entry), early)
        assert ["stale"] == states(ledger(tmp_path, entry), late)

    @pytest.mark.parametrize("outcome", ["passed", "not applicable"])
    def test_stale(self, tmp_path, outcome):
        """
        An entry whose case does not fail is stale.
        """
        books = ledger(tmp_path, {"case": "todo/two"})

        assert ["stale"] == states(books, passed(outcome=outcome))

    def test_each_case_of_a_glob(self, tmp_path):
        """
        An entry that names cases vouches for each: one that passes makes it stale.
        """
        books = ledger(tmp_path, {"case": "todo/*", "clause": "todo.a.first"})

        assert ["stale"] == states(books, failed("todo/one"), passed("todo/two"))
        assert ("todo/two",) == books.finish()[0].passed

    def test_some_case_of_a_clause(self, tmp_path):
        """
        An entry that names a clause alone holds while any of its cases fails.
        """
        entry = {"clause": "todo.a.first"}

        assert ["seen"] == states(ledger(tmp_path, entry), failed("todo/one"), passed("todo/two"))
        assert ["stale"] == states(ledger(tmp_path, entry), passed("todo/one"), passed("todo/two"))
        assert ["not looked at"] == states(ledger(tmp_path, entry), passed("todo/two"))

    def test_flaky(self, tmp_path):
        """
        A flaky failure may pass.
        """
        books = ledger(tmp_path, {"case": "todo/two", "kind": "flaky"})

        assert ["not looked at"] == states(books, passed())

    def test_expired(self, tmp_path):
        """
        An expired entry excuses nothing.
        """
        books = ledger(tmp_path, {"case": "todo/two", "expires": "2026-08-14"})

        assert "" == books.mark(failed()).failures[0].known
        assert ["expired"] == states(books, failed())

    def test_unverified(self, tmp_path):
        """
        A case of which nothing is learned can be expected, with its reason.
        """
        entry = {"case": "todo/two", "grade": "unverified", "seen": "exit status 3"}
        lost = CaseResult("todo/two", "unverified", (), reason="crash: exit status 3", kind="crash")
        books = ledger(tmp_path, entry)

        assert books.mark(lost).known
        assert ["seen"] == states(books, lost)

    def test_a_crash_is_news_to_a_failure(self, tmp_path):
        """
        An entry for a failure does not excuse a crash, nor is it stale by one.
        """
        lost = CaseResult("todo/two", "unverified", CATALOGUE.cases["todo/two"], reason="crash")
        books = ledger(tmp_path, {"case": "todo/two"})

        assert "" == books.mark(lost).known
        assert ["not looked at"] == states(books, lost)

    def test_not_played(self, tmp_path):
        """
        An entry whose cases were not chosen is left alone.
        """
        assert ["not looked at"] == states(ledger(tmp_path, {"case": "todo/two"}))

    def test_closed(self, tmp_path):
        """
        The books take nothing in once they are closed.
        """
        books = ledger(tmp_path, {"case": "todo/two"})
        books.finish()

        with pytest.raises(RunnerBug, match="after the books were closed"):
            books.add(passed())


TEXT = """\
# Our port.
edition: 2026-08   # for now
known-failures:
  # The first group.
  - case: todo/one   # why
    clause: todo.b
    grade: wrong effect
    reason: x
    issue: https://example.org/1
  - {case: todo/two, grade: wrong effect, reason: y, issue: "https://example.org/2"}

  # Its own remark.
  - clause: tree.c
    seen: |
      several
      lines
    reason: z
    issue: https://example.org/3
# The end.
"""


class TestRewrite:
    """
    What becomes of a file's text.
    """

    def text(self, folder, removed, added=()):
        """
        Return the text above with changes made.
        """
        path = folder / "known.yaml"
        path.write_text(TEXT, "utf-8")
        return rewritten(TEXT, read_known_failures(path), removed, added)

    def test_nothing_to_do(self, tmp_path):
        """
        Without changes every character stays.
        """
        assert TEXT == self.text(tmp_path, [])

    def test_remove_the_first(self, tmp_path):
        """
        A comment above a group stays as long as one of the group does.
        """
        lines = TEXT.splitlines(keepends=True)

        assert "".join(lines[:4] + lines[9:]) == self.text(tmp_path, [0])

    def test_remove_with_its_remark(self, tmp_path):
        """
        A comment above a single entry goes with it.
        """
        lines = TEXT.splitlines(keepends=True)

        assert "".join(lines[:10] + lines[10:11] + lines[18:]) == self.text(tmp_path, [2])

    def test_remove_all(self, tmp_path):
        """
        Without entries an empty list is left.
        """
        data = yaml.safe_load(self.text(tmp_path, [0, 1, 2]))

        assert data["known-failures"] == []

    def test_add(self, tmp_path):
        """
        What is added stands at the end of the list, before what follows it.
        """
        added = {"case": "todo/new", "grade": "unverified", "seen": "a: b # c", **COMMON}
        text = self.text(tmp_path, [1], [added])

        assert text.endswith("\n# The end.\n")
        assert added == yaml.safe_load(text)["known-failures"][-1]

    def test_add_something_wrong(self, tmp_path):
        """
        An entry that the schema would refuse is refused before anything is written.
        """
        with pytest.raises(DataError, match="not of the form"):
            self.text(tmp_path, [], [{"case": "a", "grade": "unverified", **COMMON, "issue": "x"}])

    def test_flow_style(self, tmp_path):
        """
        Entries that share a line are not edited.
        """
        text = 'known-failures: [{case: a, seen: b, reason: c, issue: "https://d.example"}]\n'
        path = tmp_path / "known.yaml"
        path.write_text(text, "utf-8")

        with pytest.raises(DataError, match="do not stand on lines of their own"):
            rewritten(text, read_known_failures(path), [0], [])

    @pytest.mark.parametrize(
        ("text", "part"),
        [
            ("task bash-17 is not known to anyone", "is not known to anyone"),
            ("two\nlines", ""),
            ("17", ""),
        ],
    )
    def test_steady_part(self, text, part):
        """
        Only a stretch without numbers is expected to be seen again.
        """
        assert part == steady_part(text)


LIAR = """
from dsh_reference.adapter import Adapter


class Liar:
    def __init__(self):
        self._inner = Adapter()

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._inner, name)

    def tools_call(self, **params):
        result = self._inner.tools_call(**params)
        if result.get("isError") and "duplicate" in result["text"]:
            return {**result, "text": "no duplicates please"}
        return result
"""
CASES = ["todo/duplicate-content", "todo/two-active-items"]


@pytest.fixture
def liar(tmp_path, monkeypatch):
    """
    An adapter that rewords one error.
    """
    name = f"liar_{tmp_path.name}".replace("-", "_")
    (tmp_path / f"{name}.py").write_text(LIAR, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    return f"{name}:Liar"


@pytest.fixture
def few(tmp_path):
    """
    Return the option that names a folder with two scenarios alone.
    """
    for case in CASES:
        path = tmp_path / "scenarios" / f"{case}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        copyfile(fixtures_root() / f"{case}.yaml", path)
    return "--scenarios", tmp_path / "scenarios"


def invoke(*arguments):
    """
    Run a command.
    """
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


class TestCommands:
    """
    The command line.
    """

    def test_from_failing_to_fixed(self, tmp_path, liar, few):
        """
        A failure is written down, excused, told when it is gone, and taken out again.
        """
        path = tmp_path / "known.yaml"
        report = tmp_path / "run.json"
        run = ("run", *few, "--adapter", liar, "--known-failures", path)
        assert 1 == invoke("run", *few, "--adapter", liar, "--report", f"json={report}").exit_code

        left_out = invoke("known-failures", "update", path, "--from", report, *few)
        written = invoke(
            *("known-failures", "update", path, "--from", report, *few),
            *("--reason", "We like it so.", "--issue", "https://example.org/1"),
        )
        excused = invoke(*run)
        fixed = invoke("run", *few, "--known-failures", path)

        assert (1, 0, 0) == (left_out.exit_code, written.exit_code, excused.exit_code)
        assert "left out todo.content.unique in todo/duplicate-content" in left_out.output
        assert "1 of these are known failures" in excused.output
        assert 1 == fixed.exit_code
        assert "no longer fails: todo/duplicate-content" in fixed.output

        invoke("run", *few, "--report", f"json={report}")
        taken_out = invoke("known-failures", "update", path, "--from", report, *few)

        assert 0 == taken_out.exit_code
        assert yaml.safe_load(path.read_text("utf-8"))["known-failures"] == []

    def test_check(self, tmp_path, few):
        """
        Everything that is wrong is told at once, with status 2.
        """
        path = write(tmp_path, {"case": "todo/duplicate-contents"}, {"clause": "todo.nothing"})
        checked = invoke("known-failures", "check", path, *few)

        assert 2 == checked.exit_code
        assert "did you mean 'todo/duplicate-content'?" in checked.output
        assert "there is no such clause" in checked.output

    def test_run_with_a_mistake(self, tmp_path, few):
        """
        A file with a mistake ends a run before it starts, with status 2.
        """
        path = write(tmp_path, {"case": "todo/duplicate-contents"})
        ended = invoke("run", *few, "--known-failures", path)

        assert 2 == ended.exit_code
        assert "there is no such case" in ended.output

    def test_expired(self, tmp_path, liar, few):
        """
        An expired entry is told, and what it excused counts again.
        """
        entry = {"case": CASES[0], "grade": "same meaning", "expires": "2020-01-01"}
        ended = invoke("run", *few, "--adapter", liar, "--known-failures", write(tmp_path, entry))

        assert 1 == ended.exit_code
        assert "known failure expired on 2020-01-01" in ended.output

    def test_missing(self, few):
        """
        A file that is not there is one message, with status 2.
        """
        ended = invoke("run", *few, "--known-failures", Path("nowhere.yaml"))

        assert (2, True) == (ended.exit_code, "no such file" in ended.output)
