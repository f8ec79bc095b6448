"""
One adapter for a whole run: the handshake, restarts, and the end of patience.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from dsh_conformance.adapter.connection import MAX_FAILURES_IN_A_ROW, Connection, handshake
from dsh_conformance.adapter.protocol import Reply
from dsh_conformance.errors import AdapterFailure, AdapterNeverUp

PLAIN = f"{sys.executable} -S {Path(__file__).parent / 'hostile' / 'plain.py'}"
EDITION = "2026-08"
HELLO = {
    "protocolVersion": 1,
    "implementation": {"name": "n", "version": "1", "language": "x"},
    "editions": [EDITION],
    "capabilities": ["todo", "log"],
    "clock": "virtual",
}
FAILURE = AdapterFailure("it fell over", "reset", kind="crash", hint="hold on")


@pytest.fixture
def connect():
    """
    A function that connects to the plain adapter in a mode.
    """
    opened = []

    def opening(mode=""):
        opened.append(Connection(f"{PLAIN} {mode}", EDITION))
        return opened[-1]

    yield opening
    for one in opened:
        one.close()


class Answering:
    """
    A client that answers `initialize` with what it was given.
    """

    command = "some adapter"
    alive = True
    stderr_text = ""

    def __init__(self, reply):
        self.reply = reply
        self.asked = []

    def call(self, method, params):
        """
        Answer.
        """
        self.asked.append((method, params))
        if isinstance(self.reply, Exception):
            raise self.reply
        return self.reply

    def check_quiet(self, method):
        """
        Have said nothing else.
        """


def shake(**changes):
    """
    Shake hands with an adapter that says something else of itself.
    """
    return handshake(Answering(Reply({**HELLO, **changes})), EDITION)


class TestHandshake:
    """
    What `initialize` says.
    """

    def test_info(self):
        """
        Returns what the adapter said of itself.
        """
        info = shake(capabilities=["todo", "todo", "log"])

        assert ("n", "1", "x") == (info.name, info.version, info.language)
        assert frozenset({"todo", "log"}) == info.capabilities

    def test_asks_for_the_edition(self):
        """
        Sends the protocol version, the edition, and who asks.
        """
        client = Answering(Reply(HELLO))
        handshake(client, EDITION)
        ((method, params),) = client.asked

        assert "initialize" == method
        assert (1, EDITION) == (params["protocolVersion"], params["edition"])
        assert "dsh-conformance" == params["suite"]["name"]

    @pytest.mark.parametrize(
        ("reply", "what", "value", "hint"),
        [
            (
                Reply({**HELLO, "editions": []}),
                "the adapter does not serve edition 2026-08",
                "editions: none",
                "--edition",
            ),
            (
                Reply({**HELLO, "capabilities": ["todo", "tod.present"]}),
                "the adapter declares an unknown capability",
                "tod.present",
                "did you mean todo.present?",
            ),
            (
                Reply({**HELLO, "capabilities": ["xyz"]}),
                "the adapter declares an unknown capability",
                "xyz",
                "known: todo, ",
            ),
            (
                Reply(code=-32000, message="later\x1b[2J"),
                "the adapter refused the handshake",
                "-32000: later\x1b[2J",
                "answer initialize for edition 2026-08",
            ),
            (FAILURE, "the adapter never came up: it fell over", None, "hold on"),
        ],
    )
    def test_refused(self, reply, what, value, hint):
        """
        Says what, the value, and what to do.
        """
        with pytest.raises(AdapterNeverUp) as caught:
            handshake(Answering(reply), EDITION)

        assert what == caught.value.what
        assert value == caught.value.value
        assert hint in caught.value.hint
        assert "\x1b" not in str(caught.value)


class TestRestart:
    """
    After a crash.
    """

    def test_handshake_is_replayed(self, connect, tmp_path):
        """
        Starts the adapter again for the next case and sends the same handshake.
        """
        seen = tmp_path / "seen"
        connection = connect(f"count {seen}")
        connection._client.kill()
        connection.begin_case()
        connection.begin_case()
        first, again = map(json.loads, seen.read_text("utf-8").splitlines())

        assert first == again
        assert 1 == connection.restarts
        assert connection.call("reset", {"plugins": []}).ok

    def test_failure_then_recovery(self, connect, tmp_path):
        """
        Goes on with a new process where the old one crashed.
        """
        cured = tmp_path / "cured"
        connection = connect(f"crash {cured}")
        with pytest.raises(AdapterFailure, match="exited with status 9 instead of answering"):
            connection.call("reset", {"plugins": []})
        cured.touch()
        connection.begin_case()

        assert connection.call("reset", {"plugins": []}).ok


class TestPatience:
    """
    Failures in a row.
    """

    def test_third_ends_the_run(self, connect):
        """
        Ends the run at the third failure in a row, with what the last one was.
        """
        connection = connect()
        for _ in range(MAX_FAILURES_IN_A_ROW - 1):
            connection.end_case(FAILURE)

        with pytest.raises(AdapterNeverUp) as caught:
            connection.end_case(FAILURE)
        assert "the adapter failed 3 cases in a row, last: it fell over" == caught.value.what
        assert "hold on" == caught.value.hint

    def test_a_case_that_goes_well_forgives(self, connect):
        """
        Counts anew after a case without a failure.
        """
        connection = connect()
        for failure in (FAILURE, FAILURE, None, FAILURE, FAILURE, None, FAILURE):
            connection.end_case(failure)

        assert 1 == connection._failures
