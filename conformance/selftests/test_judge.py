"""
Which clause a surprise breaks, and how badly.
"""

from __future__ import annotations

import pytest

from dsh_conformance.adapter.protocol import Reply
from dsh_conformance.scenario.judge import Judge, Seen, without_others

WORDED = "todo.content.unique"  # Has exact texts.
WORDLESS = "todo.refused.writes-nothing"  # Has none.
ENDED = {"done": True, "isError": False, "text": "fine"}


@pytest.fixture
def judged(contract, load):
    """
    Judge one step, given what it expects and what was seen.
    """

    def failures(expects, seen, clause=WORDED, verb="call: todo_write"):
        head = f"claim: c\nclauses: [{clause}]\n"
        step = load(f"steps:\n  - agent: a\n  - {verb}\n    {expects}\n", head=head).steps[1]
        found, _ = Judge(contract, {}).failures(step, step.expects, seen)
        return found

    return failures


def reply(**result):
    """
    Return what was seen of a call.
    """
    return Seen(Reply({**ENDED, **result}))


class TestGrade:
    """
    Words alone, or the effect.
    """

    def test_words(self, judged):
        """
        Another wording of a clause that has texts keeps the meaning.
        """
        (failure,) = judged("says: good", reply())

        assert ("same meaning", WORDED, "says") == (failure.grade, failure.clause, failure.key)

    def test_clause_without_texts(self, judged):
        """
        A clause that is not about words is broken in effect.
        """
        (failure,) = judged("says: good", reply(), clause=WORDLESS)

        assert "wrong effect" == failure.grade

    @pytest.mark.parametrize(
        ("expects", "seen"),
        [
            ("error: bad", reply()),
            ("says: fine", reply(isError=True)),
            ("says: fine", Seen(Reply({"done": False, "call": "c"}))),
            ("pending: true", reply()),
            ("value: {a: b}", reply(value={"a": "c"})),
            ("value: 1", reply()),
        ],
        ids=["no error", "an error", "not finished", "finished", "other value", "no value"],
    )
    def test_effect(self, judged, expects, seen):
        """
        Whether it ended, how it ended and what it returned are effects.
        """
        (failure,) = judged(expects, seen)

        assert "wrong effect" == failure.grade

    def test_as_expected(self, judged):
        """
        What is as expected breaks nothing.
        """
        assert [] == judged("says: fine", reply())

    def test_prefix(self, judged):
        """
        Where only the leading “Error: ” is missing, the failure says so.
        """
        (failure,) = judged("error: 'Error: x'", reply(isError=True, text="x"))

        assert "only the leading “Error: ” is missing" == failure.note


class TestRefusal:
    """
    A refused operation is an observation of its own.
    """

    def test_text(self, judged):
        """
        The text of the refusal counts.
        """
        assert [] == judged("refused: nay", Seen(Reply(code=3, message="nay")))
        assert (
            "same meaning" == judged("refused: nay", Seen(Reply(code=3, message="never")))[0].grade
        )

    @pytest.mark.parametrize("seen", [reply(), Seen(Reply(code=2, message="nay"))])
    def test_another_end(self, judged, seen):
        """
        Carried out, or refused at loading, is something else.
        """
        assert "wrong effect" == judged("refused: nay", seen)[0].grade

    def test_nothing_else_changes(self, judged):
        """
        Beside a refusal the state can be held to be unchanged.
        """
        seen = Seen(Reply(code=3, message="nay"))

        assert [] == judged("refused: nay\n    unchanged: [a]", seen)

        seen.changed = [(("a", "log"), 1, 2)]
        (failure,) = judged("refused: nay\n    unchanged: [a]", seen)

        assert ("unchanged", "wrong effect") == (failure.key, failure.grade)


class TestOthers:
    """
    Events of type `other` count only where one is expected.
    """

    EVENTS = ({"type": "other", "name": "x"}, {"type": "turn/start"})

    def test_left_out(self):
        """
        They are the host's own affair.
        """
        assert [{"type": "turn/start"}] == without_others(list(self.EVENTS), [{"$any": True}])

    def test_named(self):
        """
        An expectation that names one sees them all.
        """
        pattern = [{"$butSeq": {"type": "other", "name": "x"}}]

        assert list(self.EVENTS) == without_others(list(self.EVENTS), pattern)

    def test_a_text_of_that_word(self):
        """
        The word in a text names none.
        """
        pattern = [{"type": "todo/write", "todos": [{"content": "other"}]}]

        assert [{"type": "turn/start"}] == without_others(list(self.EVENTS), pattern)
