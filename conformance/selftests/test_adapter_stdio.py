"""
The stdio client: order, pipelining, limits, and commands that cannot be started.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from dsh_conformance.adapter.stdio import PIPELINE_DEPTH, StdioClient
from dsh_conformance.errors import AdapterFailure, AdapterNeverUp, RunnerBug

PLAIN = f"{sys.executable} -S {Path(__file__).parent / 'hostile' / 'plain.py'}"


@pytest.fixture
def client():
    """
    A function that starts the plain adapter in a mode.
    """
    opened = []

    def opening(mode="", **limits):
        opened.append(StdioClient(f"{PLAIN} {mode}", **limits))
        return opened[-1]

    yield opening
    for one in opened:
        one.kill()


def say(text):
    """
    Return a call whose answer says the text.
    """
    return "agent.say", {"agent": "a", "text": text}


class TestCalls:
    """
    Requests and answers.
    """

    def test_result(self, client):
        """
        Returns a result.
        """
        reply = client().call("agent.create", {"agent": "a"})

        assert reply.ok
        assert {"session": "s"} == reply.result

    def test_error(self, client):
        """
        Returns an error as a reply.
        """
        reply = client().call(*say("no \ud800"))

        assert (3, "no \ud800") == (reply.code, reply.message)

    def test_pipelining(self, client):
        """
        Writes several requests before it reads the answers.
        """
        replies = client("hold 5").call_many([say(str(n)) for n in range(5)])

        assert list("01234") == [reply.message for reply in replies]

    def test_order_of_many(self, client):
        """
        Keeps the order over more calls than it writes ahead.
        """
        count = PIPELINE_DEPTH * 3 + 1
        replies = client().call_many([say(str(n)) for n in range(count)])

        assert [str(n) for n in range(count)] == [reply.message for reply in replies]

    def test_depth(self, client):
        """
        Writes no more than a fixed number of requests ahead.
        """
        calls = [say(str(n)) for n in range(PIPELINE_DEPTH * 2)]

        assert len(calls) == len(client(f"hold {PIPELINE_DEPTH}").call_many(calls))
        with pytest.raises(AdapterFailure, match="no answer within"):
            client(f"hold {PIPELINE_DEPTH + 1}", start_timeout=0.3).call_many(calls)

    def test_standard_error_is_kept(self, client):
        """
        Keeps the end of a flood on standard error, which holds nothing up.
        """
        chatty = client("chatty 3")
        chatty.call("agent.create", {"agent": "a"})
        chatty.close()

        assert chatty.stderr_text.endswith("x\nthe end\n")


class TestOurOwnMistakes:
    """
    Requests that are wrong on our side.
    """

    def test_wrong_parameters(self, client):
        """
        Says that the mistake is ours, and does not send it.
        """
        with pytest.raises(RunnerBug, match=r"the suite sent wrong parameters: .*\"agent\" is a"):
            client().call("agent.create", {})

    def test_in_the_middle(self, client):
        """
        Leaves no answer of an earlier request behind.
        """
        one = client()
        with pytest.raises(RunnerBug):
            one.call_many([say("first"), ("agent.create", {})])

        assert "second" == one.call(*say("second")).message

    def test_unknown_method(self, client):
        """
        Does not know other methods than the protocol's.
        """
        with pytest.raises(FileNotFoundError):
            client().call("agent.dance", {})


class TestLimits:
    """
    Time limits.
    """

    def test_first_call(self, client):
        """
        Gives the first call the time to start up, and names its option.
        """
        one = client("hold 9", start_timeout=0.2, call_timeout=60)

        with pytest.raises(AdapterFailure, match=r"no answer within 0\.2 s\n.*--start-timeout"):
            one.call("reset", {"plugins": []})
        assert not one.alive

    def test_later_calls(self, client):
        """
        Gives every other call the limit of calls, and names its option.
        """
        one = client("hold 1", call_timeout=0.2)
        one.call("reset", {"plugins": []})
        one._child.send(b"")
        one._child.read_line = lambda _: (_ for _ in ()).throw(TimeoutError)

        with pytest.raises(AdapterFailure, match=r"no answer within 0\.2 s\n.*--call-timeout"):
            one.call("reset", {"plugins": []})


class TestEnd:
    """
    Shutting down.
    """

    def test_clean(self, client):
        """
        Has nothing to remark on an adapter that leaves as it should.
        """
        one = client()
        one.call("reset", {"plugins": []})

        assert one.close() is None
        assert one.close() is None
        assert not one.alive

    def test_never_called(self, client):
        """
        Shuts down an adapter that was never called.
        """
        assert client().close() is None


class TestCommands:
    """
    Commands that cannot be started.
    """

    @pytest.mark.parametrize(
        ("command", "why"),
        [
            ("", "the adapter command is empty"),
            ("   ", "the adapter command is empty"),
            ("'node adapter.mjs", "the adapter command cannot be split: No closing quotation"),
            ("no-such-program-at-all --x", "cannot be started: No such file or directory"),
            ("/", "cannot be started: Permission denied"),
            ("python3 a\0b", "cannot be started: embedded null byte"),
        ],
    )
    def test_message(self, command, why):
        """
        Says what is wrong with a command, and what to do.
        """
        with pytest.raises(AdapterNeverUp) as caught:
            StdioClient(command)

        assert why in caught.value.what
        assert "--adapter" == caught.value.where
        assert caught.value.hint
