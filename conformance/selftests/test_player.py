"""
Playing a case: its outcome, the clause it breaks, and every verb that is more than one call.
"""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from dsh_reference.adapter import Adapter

WRITE = """\
steps:
  - agent: a
  - call: todo_write
    with: {todos: [{content: x, status: pending}, {content: x, status: pending}]}
    error: 'Error: invalid todos: duplicate content "x"'
"""
START = """\
plugins: [tasks]
steps:
  - agent: a
  - start: bash
    label: sleep 10
    owner: a
    bind: {t1: id}
"""
MESSAGE = "steps:\n  - agent: a\n  - log: a\n    shows: [{human: hi}]\n"


class Refusal(Exception):
    """
    A protocol error.
    """

    def __init__(self, code, message="no", data=None):
        super().__init__(message)
        self.code = code
        self.data = data


def altered(**changes):
    """
    Return the reference with methods replaced: by a function that is given the sound one, or None.
    """

    class Altered:
        def __init__(self):
            self._sound = Adapter()

        def __getattr__(self, name):
            if changes.get(name, 0) is None:
                raise AttributeError(name)
            sound = getattr(self._sound, name)
            change = changes.get(name)
            return sound if change is None else lambda **params: change(sound, **params)

    return Altered


def raising(error):
    """
    Return a method that raises.
    """

    def method(_, **__):
        raise error

    return method


def answering(**fields):
    """
    Return a method that answers as the sound one does, but for some fields.
    """
    return lambda sound, **params: {**sound(**params), **fields}


def with_capabilities(change):
    """
    Return the reference with other capabilities.
    """

    def initialize(sound, **params):
        info = sound(**params)
        return {**info, "capabilities": change(info["capabilities"])}

    return altered(initialize=initialize)


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


class TestNames:
    """
    Ids of the implementation's own making.
    """

    def test_bound(self, play):
        """
        A field of an answer, or a part of a text, is used from then on.
        """
        text = (
            START
            + """\
  - call: task_list
    says: "{id} [bash] running — sleep 10"
    bind: [id]
  - settle: "{t1}"
  - call: task_output
    with: {task_id: "{id}"}
    says: {$endsWith: "[status: completed]"}
"""
        )
        result = play(text)

        assert ("passed", "") == (result.outcome, result.reason), result.failures

    def test_no_such_field(self, play):
        """
        A field that is not there leaves the case unverified.
        """
        result = play(START.replace("t1: id", "t1: idd") + "    clause: todo.content.unique\n")

        assert ("unverified", "prerequisite") == (result.outcome, result.kind)
        assert "nothing to bind at 'idd'" in result.reason

    def test_unbound_after_other_words(self, play):
        """
        A name that other words did not bind ends the script, and the failure stands.
        """
        text = """\
steps:
  - agent: a
  - call: todo_write
    with: {todos: []}
    says: "Done: {x}"
    bind: [x]
  - say: "{x}"
"""

        result = play(text)

        assert ("failed", 2) == (result.outcome, len(result.script))

    def test_remember(self, play):
        """
        `remember` keeps an observation, for `$same` and `$extends`.
        """
        text = """\
steps:
  - agent: a
  - request: a
    remember: before
  - request: a
    shows: {$same: before}
  - append: a
    events: [{human: hi}]
  - request: a
    shows: {$extends: before}
  - surface: a
    shows: {$not: {$same: before}}
"""

        assert "passed" == play(text).outcome


class TestRepeat:
    """
    `repeat` plays its steps over and over.
    """

    TEXT = """\
steps:
  - agent: a
  - repeat: 3
    steps:
      - call: todo_write
        with: {todos: [{content: "item {n}", status: pending}]}
        logs: [{todos: [{content: "item {n}", status: pending}]}]
"""

    def test_count(self, play):
        """
        `{n}` counts from 1.
        """
        result = play(self.TEXT)

        contents = [
            exchange.params["arguments"]["todos"][0]["content"]
            for exchange in result.transcript
            if exchange.method == "tools.call"
        ]
        assert ["item 1", "item 2", "item 3"] == contents

    def test_script(self, play):
        """
        The script shows the round in which it ended.
        """
        rounds = count(1)

        def third_fails(sound, **params):
            return {**sound(**params), **({"isError": True} if next(rounds) == 2 else {})}

        text = self.TEXT.replace("        logs:", "        says: {$any: true}\n        logs:")
        result = play(text, altered(tools_call=third_fails))

        assert ["agent: a", "repeat: 3"] == list(result.script[:2])
        assert 3 == len(result.script)
        assert "item 2" in result.script[2]
        assert len(result.script) == len(result.places) == len(result.expectations)

    def test_names_are_new(self, play):
        """
        What a round binds is new in the next.
        """
        text = """\
plugins: [tasks]
steps:
  - agent: a
  - repeat: 2
    steps:
      - {start: bash, label: "l {n}", owner: a, bind: {t: id}}
      - {settle: "{t}"}
      - {call: task_list, says: {$contains: "{t} [bash] completed — l {n}"}}
"""

        assert "passed" == play(text).outcome


class TestTogether:
    """
    `together` is one call, judged step by step.
    """

    RACE = (
        START
        + """\
  - call: task_output
    with: {task_id: "{t1}", wait: true, timeout_ms: 60000}
    pending: true
    bind: {c1: call}
  - together:
      - {settle: "{t1}", status: completed}
      - {abort: "{c1}"}
"""
    )

    def test_one_call(self, play):
        """
        All steps go over the wire at once.
        """
        result = play("services: []\n" + self.RACE.replace("timeout_ms: 60000", "timeout: 60"))
        methods = [exchange.method for exchange in result.transcript]

        assert 1 == methods.count("together")
        assert "tasks.settle" not in methods

    def test_inner_failure(self, play):
        """
        Each step is judged by itself, at its own place.
        """
        text = """\
steps:
  - agent: a
  - together:
      - {call: todo_write, with: {todos: []}, error: x}
"""

        (failure,) = play(text).failures

        assert ("error", "6:9") == (failure.key, failure.where.partition("x.yaml:")[2])

    @pytest.mark.parametrize(
        ("results", "reason"),
        [([], "answered 0 of 1 calls"), ([{"result": {"done": 3}}], "tools.call")],
        ids=["too few", "a wrong one"],
    )
    def test_protocol(self, play, results, reason):
        """
        Answers that are too few, or wrong inside, teach nothing.
        """
        text = (
            "steps:\n  - agent: a\n  - together: [{call: todo_write, with: {todos: []}, says: x}]\n"
        )

        result = play(text, altered(together=lambda _, **__: {"results": results}))

        assert ("unverified", "protocol") == (result.outcome, result.kind)
        assert reason in result.reason

    @pytest.mark.parametrize("early", [True, False])
    def test_early_end(self, play, early):
        """
        A call may end inside together or give a handle: its end is read alike, and so is its log.
        """
        done = {"done": True, "isError": False, "text": "over"}
        first = done if early else {"done": False, "call": "h1"}
        adapter = altered(
            together=lambda _, **__: {"results": [{"result": first}]},
            tools_poll=lambda _, **__: done,
            log_read=lambda _, **__: {"events": []},
        )
        text = """\
steps:
  - agent: a
  - together: [{call: todo_write, by: a, bind: {c1: call}}]
  - poll: "{c1}"
    says: over
    logs: []
  - any-of:
      - - {poll: "{c1}", says: never}
      - - {poll: "{c1}", says: over}
"""

        result = play(text, adapter)
        assert ("passed", "") == (result.outcome, result.reason)
        # The log that is held to be as it was is the caller's, also for a call that ended early.
        assert "log.read" in [exchange.method for exchange in result.transcript]


class TestAnyOf:
    """
    `any-of` holds when one of its alternatives does.
    """

    TEXT = """\
steps:
  - agent: a
  - say: hi
  - any-of:
      - - {inbox: a, shows: []}
      - - {inbox: a, shows: [{human: %s}]}
"""

    def test_one(self, play):
        """
        The second alternative holds; the look is made once.
        """
        result = play(self.TEXT % "hi")

        assert "passed" == result.outcome
        assert 1 == [exchange.method for exchange in result.transcript].count("agent.inbox")

    def test_none(self, play):
        """
        The failure shows every alternative and what was seen.
        """
        (failure,) = play(self.TEXT % "ho").failures

        assert ("any-of", "wrong effect") == (failure.key, failure.grade)
        assert " or " in failure.differences[0].expected
        assert '"hi"' in failure.differences[0].seen


class TestModelCall:
    """
    `model-call` writes the call and its result to the log, as a model's call would stand there.
    """

    def test_log(self, play):
        """
        Call, the tool's own event, result: in this order, with one id.
        """
        text = """\
steps:
  - agent: a
  - work: a
    calls: [{name: read, result: null}]
  - log: a
  - model-call: todo_write
    with: {todos: []}
    logs:
      - {assistant: "", calls: [{name: todo_write, with: {todos: []}}]}
      - {todos: []}
      - {result: {$startsWith: Updated}, call: call-2}
"""

        result = play(text)

        assert ("passed", "") == (result.outcome, result.reason), result.failures


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


class TestFiles:
    """
    The state folder is the case's own.
    """

    @pytest.fixture
    def on_files(self, play):
        """
        Play steps that look at files.
        """

        def played(steps, adapter=None):
            text = "plugins: [tree]\nsteps:\n  - agent: a\n" + steps
            return play(text, adapter)

        return played

    def test_written(self, on_files):
        """
        What is written is there, as text, bytes or JSON; what is not there is absent.
        """
        result = on_files("""\
  - {write-file: sub/a.json, text: '{"x": 1}'}
  - {write-file: sub/b, base64: gA==}
  - {file: sub/a.json, json: true, shows: {x: 1}}
  - {file: sub/a.json, shows: '{"x": 1}'}
  - {file: sub/b, shows: {$json: '"\\ufffd"'}}
  - {file: sub/b, json: true, shows: {$startsWith: not JSON}}
  - {file: sub/c, shows: {$absent: true}}
  - {files: 'sub/*', shows: [sub/a.json, sub/b]}
  - {files: '../*', shows: []}
""")

        assert ("passed", "") == (result.outcome, result.reason), result.failures

    def test_difference(self, on_files):
        """
        Another text breaks the clause.
        """
        result = on_files("  - {write-file: a, text: x}\n  - {file: a, shows: y}\n")

        assert "wrong effect" == result.grade

    def test_cannot_be_written(self, on_files):
        """
        A file where a folder is needed leaves the case unverified.
        """
        result = on_files(
            "  - {write-file: a, text: x}\n"
            "  - {write-file: a/b, text: x}\n"
            "  - {file: a, shows: x}\n"
        )

        assert ("unverified", "prerequisite") == (result.outcome, result.kind)

    def test_link_outside(self, on_files):
        """
        A link that the implementation put there is not followed.
        """

        def reset(sound, **params):
            Path(params["stateDir"], "out").symlink_to("/etc")
            return sound(**params)

        result = on_files("  - {file: out/passwd, shows: x}\n", altered(reset=reset))

        assert ("unverified", "prerequisite") == (result.outcome, result.kind)
        assert "leaves the case's folder" in result.reason

    def test_own_folder(self, on_files):
        """
        Each case gets an empty folder of its own, and it is gone afterwards.
        """
        folders = []

        def reset(sound, **params):
            folders.append(Path(params["stateDir"]))
            assert [] == list(folders[-1].iterdir())
            return sound(**params)

        for _ in range(2):
            on_files("  - {file: x, shows: {$absent: true}}\n", altered(reset=reset))

        assert 2 == len(set(folders))
        assert not any(folder.exists() for folder in folders)


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
