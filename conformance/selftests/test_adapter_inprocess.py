"""
A class as an adapter: the same checks without a process.
"""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from dsh_conformance.adapter.inprocess import STDERR_LIMIT, InProcessClient
from dsh_conformance.errors import AdapterFailure, AdapterNeverUp, RunnerBug


class Refusal(Exception):
    """
    An exception with a protocol code.
    """

    def __init__(self, code, text, data=None):
        super().__init__(text)
        self.code = code
        self.data = data


@pytest.fixture
def client(monkeypatch):
    """
    A function that makes an adapter of some methods.
    """

    def making(**methods):
        module = ModuleType("hostile_in_process")
        bound = {name: staticmethod(method) for name, method in methods.items()}
        module.Adapter = type("Adapter", (), bound)
        monkeypatch.setitem(sys.modules, module.__name__, module)
        return InProcessClient("hostile_in_process:Adapter")

    return making


def raising(error):
    """
    Return a method that raises.
    """

    def method(**_):
        raise error

    return method


class TestCalls:
    """
    Calls that go well.
    """

    def test_prints(self, client, capsys):
        """
        What it prints is kept for whoever asks, and kept away from the terminal.
        """

        def method(**_):
            sys.stdout.write("looking around\n")
            sys.stderr.write("lost\n")
            return {}

        adapter = client(reset=method, shutdown=lambda: sys.stdout.write("bye\n"))
        adapter.call("reset", {"plugins": []})
        adapter.close()

        assert "looking around\nlost\nbye\n" == adapter.stderr_text
        assert ("", "") == capsys.readouterr()

    def test_prints_without_end(self, client):
        """
        Of a flood only the end is kept.
        """
        adapter = client(reset=lambda **_: {} if sys.stdout.write("x" * 2 * STDERR_LIMIT) else None)
        adapter.call("reset", {"plugins": []})

        assert STDERR_LIMIT == len(adapter.stderr_text)

    def test_result_is_a_copy(self, client):
        """
        Shares neither parameters nor results with the adapter.
        """
        kept = []
        result = {"seqs": [1]}

        def append(**params):
            kept.append(params)
            return result

        events = [{"type": "turn/start"}]
        reply = client(log_append=append).call("log.append", {"agent": "a", "events": events})
        reply.result["seqs"].append(2)
        kept[0]["events"].clear()

        assert {"seqs": [1]} == result
        assert [{"type": "turn/start"}] == events

    def test_tuples_become_lists(self, client):
        """
        Takes a result as JSON would carry it.
        """
        reply = client(log_append=lambda **_: {"seqs": (0, 1)}).call(
            "log.append", {"agent": "a", "events": []}
        )

        assert {"seqs": [0, 1]} == reply.result

    def test_no_such_method(self, client):
        """
        Answers a missing method as over stdio.
        """
        assert -32601 == client().call("reload", {}).code


class TestRefusals:
    """
    Exceptions.
    """

    def test_with_a_code(self, client):
        """
        Takes an exception with an integer code as the protocol's error.
        """
        reply = client(reload=raising(Refusal(1, "not here", {"reason": "r"}))).call("reload", {})

        assert (1, "not here", {"reason": "r"}) == (reply.code, reply.message, reply.data)

    @pytest.mark.parametrize(
        "error", [ValueError("boom"), Refusal("3", "boom"), Refusal(code=True, text="boom")]
    )
    def test_without(self, client, error):
        """
        Takes any other exception as an internal error, and keeps its traceback.
        """
        one = client(reload=raising(error))
        reply = one.call("reload", {})

        assert (-32603, f"{type(error).__name__}: boom") == (reply.code, reply.message)
        assert "Traceback" in one.stderr_text
        assert one.alive

    def test_exit(self, client):
        """
        Takes an attempt to end the process as a crash.
        """
        one = client(reload=raising(SystemExit(3)))

        with pytest.raises(AdapterFailure, match="called exit") as caught:
            one.call("reload", {})
        assert "crash" == caught.value.kind
        assert not one.alive

    @pytest.mark.parametrize(
        ("result", "why"),
        [
            (None, 'null is not of type "object"'),
            ({"seqs": ["0"]}, 'seqs[0]: "0" is not of type "integer"'),
            ({"seqs": {1}}, "not JSON serializable"),
            ({"seqs": [], "more": 1}, "'more' was unexpected"),
            ({"seqs": [float("nan")]}, "not JSON compliant"),
        ],
    )
    def test_wrong_results(self, client, result, why):
        """
        Says what is wrong with a result.
        """
        one = client(log_append=lambda **_: result)

        with pytest.raises(AdapterFailure) as caught:
            one.call("log.append", {"agent": "a", "events": []})
        assert why in caught.value.what
        assert "protocol" == caught.value.kind
        assert not one.alive

    def test_our_mistake(self, client):
        """
        Says that wrong parameters are ours.
        """
        with pytest.raises(RunnerBug):
            client().call("agent.create", {})


class TestShutdown:
    """
    The end.
    """

    def test_raises(self, client):
        """
        Remarks on an adapter that fails in shutdown, once.
        """
        one = client(shutdown=raising(ValueError("boom")))

        assert "the adapter raised ValueError in shutdown: boom" == one.close()
        assert one.close() is None

    def test_nothing_to_do(self, client):
        """
        Needs no method for it.
        """
        assert client().close() is None


class TestNames:
    """
    Which class.
    """

    @pytest.mark.parametrize(
        ("name", "why"),
        [
            ("no_such_module_at_all:Adapter", "ModuleNotFoundError"),
            ("json:Adapter", "AttributeError"),
            ("json:dumps", "TypeError"),
        ],
    )
    def test_cannot_be_loaded(self, name, why):
        """
        Says why a class cannot be had.
        """
        with pytest.raises(AdapterNeverUp, match=f"cannot be loaded: {why}"):
            InProcessClient(name)
