"""
The short forms of messages and events, as sent and as expected.
"""

from __future__ import annotations

import pytest

from dsh_conformance.scenario.calls import Calls
from dsh_conformance.scenario.messages import (
    CallIds,
    expected,
    expected_event,
    expected_message,
    to_event,
    to_message,
)
from dsh_conformance.scenario.patterns import Matching

USER = {"kind": "user", "text": "hi", "source": {"kind": "user"}}
PLUGIN = {"kind": "user", "text": "hi", "source": {"kind": "plugin", "plugin": "p", "form": "f"}}


class TestSent:
    """
    A short form stands for the protocol's own.
    """

    @pytest.mark.parametrize(
        ("short", "full"),
        [
            ({"system": "s"}, {"kind": "system", "text": "s"}),
            ({"human": "hi"}, USER),
            ({"user": "hi"}, {"kind": "user", "text": "hi"}),
            ({"plugin": "p", "text": "hi", "form": "f"}, PLUGIN),
            ({"assistant": "a"}, {"kind": "assistant", "text": "a"}),
            ({"kind": "user", "text": "x"}, {"kind": "user", "text": "x"}),
        ],
    )
    def test_message(self, short, full):
        """
        Each kind of message.
        """
        assert full == to_message(short, CallIds())
        assert {"type": "message", "message": full} == to_event(short, CallIds())

    @pytest.mark.parametrize(
        ("short", "full"),
        [
            ({"turn": "start"}, {"type": "turn/start"}),
            ({"todos": []}, {"type": "todo/write", "todos": []}),
            ({"other": "x"}, {"type": "other", "name": "x"}),
            ({"type": "other", "name": "x"}, {"type": "other", "name": "x"}),
        ],
    )
    def test_event(self, short, full):
        """
        Each kind of event.
        """
        assert full == to_event(short, CallIds())

    def test_replacement(self):
        """
        A message may take the place of others.
        """
        event = to_event({"user": "x", "replaces": {"from": 1, "to": 2}}, CallIds())

        assert {"from": 1, "to": 2} == event["replaces"]

    def test_calls(self):
        """
        Arguments are JSON text, or raw as they stand; calls get ids.
        """
        calls = [{"name": "read", "with": {"p": "é"}}, {"name": "x", "raw": '{"bro', "id": "mine"}]
        message = to_message({"assistant": "", "calls": calls}, CallIds())

        assert ["call-1", "mine"] == [call["id"] for call in message["calls"]]
        assert ['{"p": "é"}', '{"bro'] == [call["arguments"] for call in message["calls"]]

    def test_results_in_order(self):
        """
        A result belongs to the first call without one, unless it names another.
        """
        ids = CallIds()
        to_message({"assistant": "", "calls": [{"name": "a"}, {"name": "b"}, {"name": "c"}]}, ids)
        answers = [{"result": "x", "call": "call-2"}, {"result": "y"}, {"result": "z"}]

        assert ["call-2", "call-1", "call-3"] == [to_message(one, ids)["call"] for one in answers]


class TestModelCalls:
    """
    The result of a model's call stands at that call.
    """

    def call(self, calls, tool="t"):
        """
        Make a model call.
        """
        _, event = calls.assistant_message(
            "tools.call", {"agent": "a", "name": tool, "arguments": {}}
        )
        return event["message"]["calls"][0]["id"]

    def test_open_call_before(self):
        """
        A call of before that never got a result keeps none.
        """
        calls = Calls()
        calls.ids("a").new()
        ident = self.call(calls)

        event = calls.result_event("a", {"done": True, "text": "x"})

        assert ident == event["message"]["call"]

    def test_pending(self):
        """
        Calls that end later, in any order, get their own results.
        """
        calls = Calls()
        idents = {}
        for handle in ("h1", "h2"):
            idents[handle] = self.call(calls)
            assert calls.result_event("a", {"done": False, "call": handle}) is None

        seen = {}
        for handle in ("h2", "h1"):
            assert "a" == calls.finished(handle)
            event = calls.result_event("a", {"done": True, "text": "x"})
            seen[handle] = event["message"]["call"]

        assert idents == seen
        assert calls.finished("h1") is None


class TestExpected:
    """
    In an expectation a short form looks only at what it names.
    """

    def holds(self, short, seen):
        """
        Return whether a short form holds for a message with a seq.
        """
        return Matching().compare(expected_message(short), {**seen, "seq": 4})

    def test_looks_at_what_it_names(self):
        """
        A plugin's message without a text has any text; another plugin's is another message.
        """
        assert self.holds({"plugin": "p"}, PLUGIN)
        assert self.holds({"plugin": "p", "text": "hi", "form": "f"}, PLUGIN)
        assert not self.holds({"plugin": "q"}, PLUGIN)
        assert not self.holds({"plugin": "p", "summary": "s"}, PLUGIN)
        assert not self.holds({"human": "hi"}, PLUGIN)

    def test_full_form_whole(self):
        """
        The protocol's own form is compared whole, but for its number.
        """
        assert self.holds(USER, USER)
        assert not self.holds({"kind": "user", "text": "hi"}, USER)

    def test_numbered(self):
        """
        A number that is named counts.
        """
        assert self.holds({"human": "hi", "seq": 4}, USER)
        assert not self.holds({"human": "hi", "seq": 5}, USER)

    def test_arguments_as_json(self):
        """
        Arguments are compared as JSON, raw ones as text.
        """
        seen = {
            "kind": "assistant",
            "text": "",
            "calls": [{"id": "1", "name": "t", "arguments": '{ "a":1}'}],
        }

        assert self.holds({"assistant": "", "calls": [{"name": "t", "with": {"a": 1}}]}, seen)
        assert not self.holds({"assistant": "", "calls": [{"name": "t", "with": {"a": 2}}]}, seen)
        assert not self.holds({"assistant": "", "calls": [{"name": "t", "raw": "{}"}]}, seen)

    def test_no_json(self):
        """
        Arguments that are no JSON differ.
        """
        seen = {"kind": "assistant", "text": "", "calls": [{"name": "t", "arguments": "[" * 9999}]}

        assert not self.holds({"assistant": "", "calls": [{"name": "t", "with": {}}]}, seen)

    def test_inside_operators(self):
        """
        Short forms stand inside lists and operators, too.
        """
        pattern = expected({"$includes": [{"human": "hi"}]}, expected_message)

        assert Matching().compare(pattern, [PLUGIN, USER])

    def test_events(self):
        """
        Events are compared whole, messages by what they name.
        """
        seen = [{"type": "turn/start", "seq": 1}, {"type": "message", "message": USER, "seq": 2}]

        assert Matching().compare(
            expected([{"turn": "start"}, {"human": "hi"}], expected_event), seen
        )
        assert not Matching().compare(
            expected([{"turn": "end"}, {"human": "hi"}], expected_event), seen
        )
