"""
Playing a case: its outcome, the clause it breaks, and what is looked at beside a step.
"""

from __future__ import annotations

from itertools import count

import pytest
from altered import Refusal, altered, answering, raising, with_capabilities

from dsh_conformance.scenario import bounded

WRITE = """\
steps:
  - agent: a
  - call: todo_write
    with: {todos: [{content: x, status: pending}, {content: x, status: pending}]}
    error: 'Error: invalid todos: duplicate content "x"'
"""


class TestOutcomes:
    """
    A case ends in one of four ways.
    """

    def test_passed(self, play):
        """
        Passed: everything is as expected.
        """
        result = play(WRITE)

        assert ("passed", (), "") == (result.outcome, result.failures, result.reason)

    def test_failed(self, play):
        """
        Failed: an observation contradicts a clause.
        """
        result = play(WRITE, altered(tools_call=answering(isError=False)))

        assert ("failed", "wrong effect") == (result.outcome, result.grade)
        assert ["todo.content.unique"] == [failure.clause for failure in result.failures]
        assert result.failures[0].where.endswith("x.yaml:5:5")

    def test_wording(self, play):
        """
        Failed with the meaning kept: only the words differ.
        """
        result = play(WRITE, altered(tools_call=answering(text="Error: x stands twice")))

        assert ("failed", "same meaning") == (result.outcome, result.grade)

    def test_wording_goes_on(self, play):
        """
        After other words the script goes on, after a wrong effect it ends.
        """
        more = WRITE + "    logs: []\n  - say: hi\n"
        worded = play(more, altered(tools_call=answering(text="Error: other")))
        wrong = play(more, altered(tools_call=answering(isError=False)))

        assert ([3, 2]) == [len(result.script) for result in (worded, wrong)]

    def test_crash(self, play):
        """
        Unverified: the adapter failed.
        """
        result = play(WRITE, altered(tools_call=raising(KeyError("x"))))

        assert ("unverified", ()) == (result.outcome, result.failures)
        assert "KeyError" in result.reason

    def test_text_that_keeps_a_pattern_busy(self, play, monkeypatch):
        """
        Unverified: whether an answer matches would take days to know.
        """
        monkeypatch.setattr(bounded, "MATCH_SECONDS", 0.01)
        wanted = 'error: "{rest} {a}  A{rest} {b}  B{rest} {c}  C"\n    bind: [a, b, c]\n'
        script = WRITE[: WRITE.index("error:")] + wanted
        text = " x  A" * 3000 + " x  B" * 3000
        result = play(script, altered(tools_call=answering(text=text)))

        assert ("unverified", "error") == (result.outcome, result.kind)
        assert "x.yaml:5:5: error: after 0.01 s" in result.reason
        assert "make the pattern or the answer simpler" in result.reason

    def test_error(self, play):
        """
        Unverified: a call ended in an error that the protocol does not name.
        """
        result = play(WRITE, altered(tools_call=raising(Refusal(-32603, "boom"))))

        assert ("unverified", "error") == (result.outcome, result.kind)
        assert "call failed with -32603: boom" in result.reason

    def test_error_is_no_refusal(self, play):
        """
        An error of the adapter's does not pass for, nor break, an expected refusal.
        """
        refused = WRITE.replace(
            "    error: 'Error: invalid todos: duplicate content \"x\"'", "    refused: nay"
        )
        result = play(refused, altered(tools_call=raising(Refusal(-32603, "nay"))))

        assert "unverified" == result.outcome

    def test_prerequisite(self, play):
        """
        Unverified: a step that was only to work did not.
        """
        text = WRITE + "  - call: todo_write\n    with: {todos: 3}\n"

        result = play(text)

        assert ("unverified", "prerequisite") == (result.outcome, result.kind)
        assert "call ended in an error" in result.reason

    def test_load_refused(self, play):
        """
        Unverified: what the case loads is refused.
        """
        result = play(WRITE, altered(reset=raising(Refusal(2, "bad config"))))

        assert ("unverified", "prerequisite") == (result.outcome, result.kind)
        assert "bad config" in result.reason

    def test_stage(self, play):
        """
        Unverified: the stage could not be set.
        """
        text = f"{WRITE.replace('steps:', 'given:')}steps:\n  - {{say: x, unchanged: [a]}}\n"

        result = play(text, altered(tools_call=answering(isError=False)))

        assert ("unverified", "prerequisite") == (result.outcome, result.kind)
        assert "the stage could not be set" in result.reason

    def test_failure_outlives_the_rest(self, play):
        """
        What was contradicted stays so, however the case ends afterwards.
        """
        steps = count()
        text = WRITE + "  - say: hi\n"
        for end in (Refusal(1), Refusal(-32603), KeyError("x")):
            adapter = altered(tools_call=answering(text="Error: other"), agent_say=raising(end))

            assert "failed" == play(text, adapter, name=f"todo/{next(steps)}").outcome


class TestNotApplicable:
    """
    A case is asked only of what can answer.
    """

    def test_other_edition(self, play):
        """
        Another edition's case is not played.
        """
        result = play("editions: [0.1.0-rc.8]\n" + WRITE)

        assert ("not applicable", ()) == (result.outcome, result.transcript)

    def test_capability(self, play):
        """
        A capability that is not declared excludes the case, and is named.
        """
        adapter = with_capabilities(lambda all_: [one for one in all_ if one != "log"])

        result = play(WRITE + "    logs: []\n", adapter)

        assert ("not applicable", "needs log, not declared") == (result.outcome, result.reason)

    def test_unsupported(self, play):
        """
        What the adapter says it does not support is not held against it, wherever it stands.
        """
        reason = {"reason": "no human input", "issue": "https://example.org/1"}
        adapter = altered(agent_say=raising(Refusal(1, "unsupported", reason)))
        text = "steps:\n  - agent: a\n  - say: hi\n    refused: x\n"

        result = play(text, adapter)

        assert ("not applicable", "no human input") == (result.outcome, result.reason)

    def test_method_missing(self, play):
        """
        A method that is missing though nothing excuses it leaves the case unverified.
        """
        result = play(WRITE + "  - say: hi\n", altered(agent_say=None))

        assert ("unverified", "error") == (result.outcome, result.kind)
        assert "no such method" in result.reason


class TestClauses:
    """
    A step that names a clause makes its mere working a claim.
    """

    @pytest.mark.parametrize(
        ("adapter", "outcome"),
        [
            (altered(agent_say=raising(Refusal(3, "nay"))), "failed"),
            (altered(), "passed"),
        ],
        ids=["refused", "worked"],
    )
    def test_claim(self, play, adapter, outcome):
        """
        A refusal breaks the clause.
        """
        text = "steps:\n  - agent: a\n  - say: hi\n    clause: todo.content.unique\n"

        assert outcome == play(text, adapter).outcome

    def test_claim_of_a_call(self, play):
        """
        An error result does, too.
        """
        call = "{call: todo_write, with: {todos: 3}, clause: todo.content.unique}"
        text = f"steps:\n  - agent: a\n  - {call}\n"

        assert "failed" == play(text).outcome

    def test_refused_though_expected_unchanged(self, play):
        """
        A refusal is a failure also where only the state was looked at.
        """
        text = "steps:\n  - agent: a\n  - say: hi\n    unchanged: [a]\n"

        result = play(text, altered(agent_say=raising(Refusal(3, "nay"))))

        assert ["unchanged"] == [failure.key for failure in result.failures]


class TestUnchanged:
    """
    `unchanged` compares log, surface, inbox, next request and projection.
    """

    def test_holds(self, play):
        """
        A refused call changes nothing.
        """
        assert "passed" == play(WRITE + "    unchanged: [a]\n").outcome

    def test_names_what_changed(self, play):
        """
        A call that writes names each part that is no longer as before.
        """
        text = WRITE.replace("{content: x, status: pending}, ", "").replace(
            "    error: 'Error: invalid todos: duplicate content \"x\"'\n", "    unchanged: [a]\n"
        )

        (failure,) = play("services: [projections]\n" + text).failures

        assert {"a.log", "a.todos"} <= {difference.path for difference in failure.differences}

    @pytest.mark.parametrize("verb", ["log: a", "advance: 1s", "tools: a"])
    def test_any_verb(self, play, verb):
        """
        It stands at every verb that asks the adapter something.
        """
        text = f"steps:\n  - agent: a\n  - {verb}\n    unchanged: [a]\n"

        assert "passed" == play(text).outcome


class TestLogs:
    """
    `logs` is exactly what the caller's log gained in the step.
    """

    TODO = "    with: {todos: [{content: x, status: pending}]}\n"

    def test_gained(self, play):
        """
        One write is one event; what stood there before does not count.
        """
        event = "{todos: [{content: x, status: pending}]}"
        call = f"  - call: todo_write\n{self.TODO}"
        text = f"steps:\n  - agent: a\n{call}{call}    logs: [{event}]\n"

        assert "passed" == play(text).outcome

    @pytest.mark.parametrize("logs", ["[]", "[{todos: []}]", "[{turn: start}, {turn: end}]"])
    def test_other(self, play, logs):
        """
        None, another, or too many are a wrong effect.
        """
        text = f"steps:\n  - agent: a\n  - call: todo_write\n{self.TODO}    logs: {logs}\n"

        assert "wrong effect" == play(text).grade

    def test_log_verb(self, play):
        """
        `log` shows what came since the last look at this agent's log, whoever else wrote.
        """
        text = """\
steps:
  - agent: a
  - agent: b
  - append: a
    events: [{human: one}]
  - log: a
    shows: [{human: one}]
  - append: b
    events: [{human: two}]
  - append: a
    events: [{human: three}]
  - log: a
    shows: [{human: three}]
"""

        assert "passed" == play(text).outcome

    def test_another_session(self, play):
        """
        An agent of the same name with another session has another log.
        """
        text = """\
steps:
  - agent: a
    session: s1
  - append: a
    events: [{human: one}, {human: two}]
  - log: a
    shows: [{human: one}, {human: two}]
  - dispose: a
  - agent: a
    session: s2
  - append: a
    events: [{human: new}]
  - log: a
    shows: [{human: new}]
"""

        assert "passed" == play(text).outcome


class TestClock:
    """
    A real clock is waited for, briefly.
    """

    @staticmethod
    def real():
        """
        Return the reference as one whose clock cannot be moved.
        """

        def initialize(sound, **params):
            return {**sound(**params), "clock": "real"}

        return altered(initialize=initialize, clock_advance=None)

    @pytest.mark.parametrize("text", ["advance: 1ms", "{repeat: 2, steps: [{advance: 1ms}]}"])
    def test_short(self, play, text):
        """
        A short wait is really waited, and nothing is asked of the adapter.
        """
        result = play(f"{WRITE}  - {text}\n", self.real())

        assert "passed" == result.outcome

    @pytest.mark.parametrize(
        "text",
        [
            "advance: 3s",
            "{repeat: 30, steps: [{advance: 100ms}]}",
            "together: [{advance: 1ms}]",
            "{repeat: 1, steps: [{together: [{advance: 1ms}]}]}",
        ],
    )
    def test_long(self, play, text):
        """
        A long one, or one that must happen in an instant with others, needs virtual time.
        """
        result = play(f"{WRITE}  - {text}\n", self.real())

        assert ("not applicable", "needs virtual time") == (result.outcome, result.reason)

    def test_on_the_stage(self, play):
        """
        Waits that set the stage count, too.
        """
        result = play("given: [{advance: 3s}]\n" + WRITE, self.real())

        assert "needs virtual time" == result.reason


class TestMistakes:
    """
    A step that the protocol refuses is told with its place.
    """

    def test_wrong_parameters(self, play):
        """
        The place, the method and what to do.
        """
        with pytest.raises(Exception, match="wrong parameters") as caught:
            play("steps: [agent: a, {enter: a, messages: [{turn: start}], shows: entered}]\n")

        assert caught.value.where.endswith("step.enter")
        assert "x.yaml:3:19" in caught.value.where
