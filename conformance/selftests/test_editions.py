"""
Editions: words, overlays, and mistakes in them.
"""

from __future__ import annotations

import shutil

import pytest

from dsh_conformance.contract.catalogue import load_contract, load_contracts
from dsh_conformance.contract.editions import DEFAULT_EDITION, edition_names
from dsh_conformance.errors import DataError, UsageError
from dsh_conformance.paths import spec_root

OLD = "0.1.0-rc.8"


@pytest.fixture
def spec(tmp_path):
    """
    A copy of the contract that may be spoilt.
    """
    return shutil.copytree(spec_root(), tmp_path / "spec")


def spoilt(spec, right, wrong):
    """
    Return the error about the old edition once a text in it is replaced.
    """
    path = spec / "editions" / f"{OLD}.yaml"
    text = path.read_text("utf-8")
    assert right in text
    path.write_text(text.replace(right, wrong, 1), "utf-8")
    with pytest.raises(DataError) as caught:
        load_contracts(None, spec)
    return caught.value


class TestNames:
    """
    Editions are found by their files.
    """

    def test_default_first(self):
        """
        The default edition stands first.
        """
        assert [DEFAULT_EDITION, OLD] == edition_names(spec_root())

    def test_unknown(self):
        """
        An unknown edition is refused with the nearest one.
        """
        with pytest.raises(UsageError) as caught:
            load_contract("2026-07")

        assert ("--edition", "2026-07") == (caught.value.where, caught.value.value)
        assert "did you mean '2026-08'?" == caught.value.hint

    def test_each_knows_all(self, contracts):
        """
        A contract knows the names of all editions.
        """
        assert {tuple(edition_names(spec_root()))} == {one.editions for one in contracts.values()}


class TestWords:
    """
    An edition speaks in its own words.
    """

    def test_default(self, contract):
        """
        The default edition changes nothing.
        """
        assert {"task_id": ["task_output"]} == contract.edition.words({"task_id": ["task_output"]})

    @pytest.mark.parametrize(
        ("text", "old"),
        [
            ("task_output", "job_output"),
            ("unknown task {t1}", "unknown job {t1}"),
            ("Background task bash-1", "Background job bash-1"),
            ("may be in_progress, got 2", "may be in_progress (got 2)"),
            ("tree_task_plan", "tree_task_plan"),
        ],
    )
    def test_old(self, contracts, text, old):
        """
        The packages of 0.1.0-rc.8 call tasks jobs; the tree's tasks keep their name.
        """
        assert old == contracts[OLD].edition.words(text)

    def test_keys(self, contracts):
        """
        Keys of maps are words, too; numbers and truth are none.
        """
        value = {"task_id": ["a", 1, True, None]}

        assert {"job_id": ["a", 1, True, None]} == contracts[OLD].edition.words(value)


class TestOverlay:
    """
    An edition takes away, replaces and adds clauses.
    """

    def test_removed(self, contracts):
        """
        The old edition has no tree plugin.
        """
        assert not [name for name in contracts[OLD].clauses if name.startswith("tree.")]

    def test_added(self, contracts):
        """
        What only the old edition asks for, the default one does not know.
        """
        assert "todo.config.required" in contracts[OLD].clauses
        assert "todo.config.required" not in contracts[DEFAULT_EDITION].clauses

    def test_replaced(self, contracts):
        """
        A replaced clause keeps its id and says something else.
        """
        old, new = (one.clauses["todo.active.at-most-one"] for one in reversed(contracts.values()))

        assert old.statement != new.statement
        assert old.plugin == new.plugin == "todo"

    def test_record_kept(self, contracts):
        """
        A replaced clause keeps the decision that settles it, unless another is named.
        """
        for name, changes in contracts[OLD].edition.document.data["replace"].items():
            before = contracts[DEFAULT_EDITION].clauses[name].provenance
            if "provenance" not in changes:
                assert before == contracts[OLD].clauses[name].provenance


class TestMistakes:
    """
    A wrong edition file is one message with its place.
    """

    @pytest.mark.parametrize(
        ("right", "wrong", "what"),
        [
            (f"edition: {OLD}", "edition: 0.1.0-rc.9", "the file 0.1.0-rc.8.yaml holds edition"),
            ("extends: 2026-08", "extends: 2026-07", "an edition extends the default one alone"),
            ("todo.active.at-most-one:", "todo.actve.at-most-one:", "no clause 'todo.actve.at"),
            ("'tree.*'", "'trees.*'", "no clause matches 'trees.*'"),
            (r"tool\1jobs", r"tool\7jobs", "not a regular expression with its replacement"),
            (r"'\ba task finishes", r"'(\ba task finishes", "not a regular expression"),
            ("rewrite:", "rewrites:", "unknown key 'rewrites'"),
            ("- id: todo.config.required", "- id: todo.content.unique", "the clause 'todo.content"),
        ],
    )
    def test_slip(self, spec, right, wrong, what):
        """
        Each names its place and what to do.
        """
        error = spoilt(spec, right, wrong)

        assert error.what.startswith(what)
        assert f"{OLD}.yaml:" in error.where
        assert error.hint

    def test_twice(self, spec):
        """
        Two plugins' files cannot share an id.
        """
        path = spec / "tasks.yaml"
        entry = "  - {id: todo.tool.only-one, statement: x, provenance: {decided: {record: 1}}}\n"
        path.write_text(path.read_text("utf-8").rstrip() + "\n" + entry, "utf-8")

        with pytest.raises(DataError, match=r"'todo\.tool\.only-one' stands twice"):
            load_contract(spec=spec)

    def test_no_clause_file(self, spec):
        """
        A missing clause file is named.
        """
        (spec / "tree.yaml").unlink()

        with pytest.raises(DataError, match="no such file") as caught:
            load_contract(spec=spec)

        assert str(spec / "tree.yaml") == caught.value.where
