"""
The record of the published tree plugin, as cases.
"""

import json
from collections import Counter

import pytest

from dsh_conformance.adapter.connection import Connection
from dsh_conformance.contract.catalogue import load_contracts
from dsh_conformance.errors import DataError
from dsh_conformance.golden.cases import golden_root, load_golden, scenario_data
from dsh_conformance.golden.vectors import KINDS, accepted, read_vectors
from dsh_conformance.run.settings import REFERENCE
from dsh_conformance.scenario.player import play


@pytest.fixture(scope="module")
def contracts():
    """
    The contracts of all editions.
    """
    return load_contracts()


@pytest.fixture(scope="module")
def scenarios(contracts):
    """
    Every vector that can be followed.
    """
    known = frozenset(clause for one in contracts.values() for clause in one.clauses)
    return load_golden(contracts["2026-08"], known)


class TestTheRecord:
    """
    All vectors, against the reference.
    """

    def test_all_but_a_few_can_be_followed(self, scenarios):
        """
        Only vectors that begin where the protocol or a decision ends are left out.
        """
        whole = sum(1 for kind in KINDS for _ in read_vectors(golden_root(), kind))

        assert (860, 853) == (whole, len(scenarios))

    def test_the_reference_agrees(self, contracts, scenarios):
        """
        The reference does what the published plugin did, with the decided differences.
        """
        contract = contracts["2026-08"]
        connection = Connection(REFERENCE, "2026-08")
        # The whole record is `run --golden`; every ninth vector keeps this test short.
        results = [play(scenario, connection, contract) for scenario in scenarios[::9]]
        connection.close()

        assert {"passed": len(results)} == dict(Counter(result.outcome for result in results))


class TestBadFiles:
    """
    A record that is damaged.
    """

    def test_names_file_and_line(self, tmp_path):
        """
        A line that is not JSON is reported with its file and line.
        """
        (tmp_path / "fold.jsonl").write_text('{"id": "fold-1"}\n{"id": \n', "utf-8")

        with pytest.raises(DataError) as caught:
            list(read_vectors(tmp_path, "fold"))

        assert f"{tmp_path}/fold.jsonl:2" == caught.value.where

    def test_missing_file(self, tmp_path):
        """
        A missing file is reported by its path.
        """
        with pytest.raises(DataError, match=r"plan\.jsonl"):
            list(read_vectors(tmp_path, "plan"))


class TestAccepted:
    """
    The forms of a recorded text.
    """

    def test_plain_text_stands_alone(self):
        """
        A text that no decision touches has one form.
        """
        assert "还没有计划。" == accepted("还没有计划。")

    def test_checkpoint_of_a_task_has_two_names(self):
        """
        A task at its checkpoint may be named with or without its title (record 12).
        """
        text = "检查点：任务「甲」<t1> 的步骤已全部结束，请确认任务「甲」<t1> 是否完成"
        bare = "检查点：任务{t1} 的步骤已全部结束，请确认任务{t1} 是否完成"

        assert bare in accepted(text)["$oneOf"]

    def test_goal_may_carry_the_mark(self):
        """
        The first open goal may carry the mark, also below a title of two lines (record 15).
        """
        text = "[ ] 目标  <g1>  甲\n乙\n  [x] 任务  <t1>  丙"
        marked = "[ ] 目标  {g1}  甲\n乙 ← 当前\n  [x] 任务  {t1}  丙"

        assert marked in accepted(text)["$oneOf"]


class TestScripts:
    """
    What becomes of a vector that cannot be followed to its end.
    """

    def test_ends_before_a_call_that_breaks_the_schema(self):
        """
        A host refuses such a call before the tool runs, so the script ends there.
        """
        call = {"tool": "tree_task_status", "args": {}, "text": "x", "schema": "violates"}
        vector = {"id": "plan-x", "class": "edge", "calls": [call], "status": []}

        assert scenario_data("plan", vector) is None

    def test_every_vector_is_json_data(self):
        """
        A script is plain data, as a scenario file would hold it.
        """
        _, vector = next(read_vectors(golden_root(), "fold"))

        assert json.loads(json.dumps(scenario_data("fold", vector)))
