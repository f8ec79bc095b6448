"""
What cases add up to: outcomes of clauses, counts, and the exit status.
"""

from __future__ import annotations

import pytest

from dsh_conformance.run.summary import CONFORMANT, NON_CONFORMANT, UNVERIFIED, Summary
from dsh_conformance.scenario.results import CaseResult, Difference, Exchange, Failure

MUST = "todo.refused.writes-nothing"
SHOULD = "todo.content.trimmed"


def case(outcome, *broken, clauses=(MUST, SHOULD), name="todo/x"):
    """
    Return a result.
    """
    failures = tuple(Failure(one, "x.yaml:1:1", "says", "wrong effect", ()) for one in broken)
    return CaseResult(name, outcome, clauses, failures)


PASSED, FAILED = case("passed"), case("failed", MUST)
SHOULD_FAILED = case("failed", SHOULD)
CRASHED, ELSEWHERE = case("unverified"), case("not applicable")


@pytest.fixture
def summary(contract):
    """
    Sum up results.
    """
    should = next(
        name
        for name, clause in contract.clauses.items()
        if clause.level == "should" and clause.untestable is None
    )

    def summed(*results, strict=False):
        one = Summary(contract, strict=strict)
        for result in results:
            one.add(result)
        return one

    summed.should = should
    return summed


class TestExitStatus:
    """
    0 conformant, 1 something failed, 3 nothing failed but something is unverified.
    """

    @pytest.mark.parametrize(
        ("results", "status"),
        [
            ([PASSED], CONFORMANT),
            ([PASSED, ELSEWHERE], CONFORMANT),
            ([PASSED, FAILED], NON_CONFORMANT),
            ([PASSED, CRASHED], UNVERIFIED),
            ([FAILED, CRASHED], NON_CONFORMANT),
            ([ELSEWHERE, ELSEWHERE], UNVERIFIED),
            ([], UNVERIFIED),
        ],
        ids=["passed", "elsewhere", "failed", "crashed", "both", "nothing asked", "nothing"],
    )
    def test_status(self, summary, results, status):
        """
        The worst counts; where nothing at all was asked, nothing is verified.
        """
        assert status == summary(*results).exit_status()

    @pytest.mark.parametrize(("strict", "status"), [(False, CONFORMANT), (True, NON_CONFORMANT)])
    def test_should(self, summary, strict, status):
        """
        A broken should counts in a strict run alone.
        """
        broken = case("failed", summary.should, clauses=(summary.should,))

        assert status == summary(PASSED, broken, strict=strict).exit_status()

    def test_broken_off(self, summary):
        """
        What a broken-off run did not play may not conform.
        """
        one = summary(PASSED)
        one.broken_off = "the run was interrupted"

        assert UNVERIFIED == one.exit_status()

    def test_should_hides_no_crash(self, summary):
        """
        Beside a broken should, what stayed unverified still shows.
        """
        broken = case("failed", summary.should, clauses=(summary.should,))

        assert UNVERIFIED == summary(broken, CRASHED).exit_status()


class TestClauses:
    """
    A clause's outcome comes from all its cases.
    """

    @pytest.mark.parametrize(
        ("results", "outcome"),
        [
            ([PASSED], "passed"),
            ([PASSED, FAILED], "failed"),
            ([CRASHED, PASSED], "passed"),
            ([CRASHED], "unverified"),
            ([ELSEWHERE], "not applicable"),
            ([ELSEWHERE, CRASHED], "unverified"),
            ([], "not run"),
        ],
    )
    def test_outcome(self, summary, results, outcome):
        """
        Failed before passed before unverified before not applicable before not run.
        """
        assert outcome == summary(*results).clause_outcomes()[MUST]

    def test_failed_elsewhere(self, summary):
        """
        A case that failed at another clause says nothing of this one.
        """
        result = case("failed", MUST, clauses=(MUST, summary.should))

        assert "unverified" == summary(result).clause_outcomes()[summary.should]

    def test_untestable(self, summary, contract):
        """
        What nobody can test from outside is said to be so.
        """
        names = [name for name, clause in contract.clauses.items() if clause.untestable]

        assert {"untestable"} == {summary(PASSED).clause_outcomes()[name] for name in names}

    def test_by_plugin(self, summary, contract):
        """
        Every clause of the edition is counted once.
        """
        one = summary(PASSED, FAILED)
        table = one.by_plugin(one.clause_outcomes())

        assert len(contract.clauses) == sum(sum(row.values()) for row in table.values())
        assert 1 == table["todo", "must"]["failed"]

    def test_counts(self, summary):
        """
        Cases are counted by outcome.
        """
        counts = summary(PASSED, FAILED, FAILED, CRASHED).counts()

        assert {"passed": 1, "failed": 2, "unverified": 1} == dict(counts)


class TestResults:
    """
    A result goes from process to process unchanged.
    """

    def test_round_trip(self):
        """
        What `to_json` returns, `from_json` reads.
        """
        failure = Failure(
            MUST, "x:1:1", "says", "same meaning", (Difference("", "a", "b", text=True),)
        )
        result = CaseResult(
            "todo/x",
            "failed",
            (MUST,),
            (failure,),
            script=("agent: a",),
            transcript=(Exchange("x:1:1", "reset", {}, {"error": {"code": 3}}),),
        )

        assert result == CaseResult.from_json(result.to_json())

    @pytest.mark.parametrize(
        ("grades", "worst"),
        [
            ([], None),
            (["same meaning"], "same meaning"),
            (["same meaning", "wrong effect"], "wrong effect"),
        ],
    )
    def test_grade(self, grades, worst):
        """
        The worst grade among the failures is the case's.
        """
        failures = tuple(Failure(MUST, "", "says", grade, ()) for grade in grades)

        assert worst == CaseResult("x", "failed", (MUST,), failures).grade
