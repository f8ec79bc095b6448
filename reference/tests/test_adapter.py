"""
The reference as an adapter: in-process, and over stdio.
"""

import io
import json
import subprocess
import sys
from types import SimpleNamespace

import pytest

from dsh_reference import catalog
from dsh_reference.__main__ import serve
from dsh_reference.adapter import Adapter
from dsh_reference.host.deferred import Deferred
from dsh_reference.host.steps import Decision
from dsh_reference.host.tools import Tool, ToolOutcome

WRITE = {"todos": [{"content": "x", "status": "pending"}]}


@pytest.fixture
def adapter():
    """
    An adapter on the todo plugin, with an agent.
    """
    adapter = Adapter()
    adapter.initialize(protocolVersion=1, edition="2026-08", suite={})
    adapter.reset(plugins=[{"name": "todo"}], services=["projections"])
    adapter.agent_create(agent="a")
    return adapter


@pytest.fixture
def slow(adapter):
    """
    A tool that answers when its Deferred settles, a moment later.
    """
    composition, later = adapter._stage.composition, Deferred()
    answer = Deferred()
    later.then(lambda value: composition.clock.soon(lambda: answer.resolve(value)), answer.reject)
    schema = {"type": "object"}
    composition.tools.register(
        Tool(name="slow", description="", parameters=schema, run=lambda *_: answer)
    )
    return later


class TestMethods:
    """
    The methods of the protocol.
    """

    def test_knows_every_method(self, adapter):
        """
        Dots become underscores, and nothing is missing.
        """
        methods = [
            "initialize",
            "reset",
            "reload",
            "plugin.unload",
            "service.mount",
            "together",
            "plugin.describe",
            "shutdown",
            "agent.create",
            "agent.dispose",
            "agent.say",
            "agent.inbox",
            "agent.idle",
            "log.append",
            "log.read",
            "surface.read",
            "request.read",
            "step.enter",
            "step.poll",
            "step.abort",
            "turn.stop",
            "tools.list",
            "tools.call",
            "tools.poll",
            "tools.abort",
            "tools.present",
            "projection.read",
            "projection.fold",
            "tasks.start",
            "tasks.emit",
            "tasks.settle",
            "tasks.cancellations",
            "commands.list",
            "commands.run",
            "clock.advance",
            "panel.read",
        ]

        assert {method.replace(".", "_") for method in methods} == set(adapter._methods)
        assert not hasattr(adapter, "no_such")

    def test_shares_nothing_with_the_host(self, adapter):
        """
        Whoever changes an answer does not change the log.
        """
        adapter.tools_call(agent="a", name="todo_write", arguments=WRITE)
        adapter.log_read(agent="a")["events"][0]["todos"].clear()

        assert [{"type": "todo/write", **WRITE, "seq": 0}] == adapter.log_read(agent="a")["events"]

    def test_builds_the_request(self, adapter):
        """
        A request holds the tools, and the messages without their numbers.
        """
        adapter.agent_say(agent="a", text="hello")
        adapter.step_enter(agent="a")

        request = adapter.request_read(agent="a")

        message = {"kind": "user", "text": "hello", "source": {"kind": "user"}}
        assert [message] == request["messages"]
        assert ["todo_write"] == [tool["name"] for tool in request["tools"]]
        assert [{**message, "seq": 0}] == adapter.surface_read(agent="a")["messages"]

    def test_refuses_with_a_code(self, adapter):
        """
        What the protocol names has its code; there is no agent `b`.
        """
        with pytest.raises(Exception, match='agent "b" is not registered') as refused:
            adapter.agent_inbox(agent="b")
        with pytest.raises(Exception, match="edition") as unsupported:
            adapter.initialize(protocolVersion=1, edition="x", suite={})

        assert 3 == refused.value.code
        assert (1, {"reason": str(unsupported.value)}) == (
            unsupported.value.code,
            unsupported.value.data,
        )

    def test_survives_a_refused_configuration(self, adapter):
        """
        A refused load has code 2, and the next reset is none the worse for it.
        """
        adapter.initialize(protocolVersion=1, edition="0.1.0-rc.8", suite={})

        with pytest.raises(Exception, match="missing required value") as refused:
            adapter.reset(plugins=[{"name": "todo"}])
        adapter.reset(plugins=[{"name": "todo", "config": {"allowParallelInProgress": True}}])

        assert 2 == refused.value.code
        assert 1 == len(adapter.tools_list()["tools"])

    def test_restarts(self, adapter):
        """
        After a reload the log is there, and agents have to be created again.
        """
        adapter.tools_call(agent="a", name="todo_write", arguments=WRITE)
        adapter.reload()
        adapter.agent_create(agent="b", session="a")

        read = adapter.projection_read(agent="b", key="todos")

        assert {"present": True, "value": WRITE["todos"], "stateVersion": 2} == read

    def test_unloads(self, adapter):
        """
        Plugins are unloaded by the protocol's name for them.
        """
        adapter.plugin_unload(plugin="todo")

        assert [] == adapter.tools_list()["tools"]
        assert {"present": False} == adapter.projection_read(agent="a", key="todos")

    @pytest.mark.parametrize(
        ("edition", "exports"),
        [
            ("2026-08", ["apply", "inject", "name"]),
            ("0.1.0-rc.8", ["apply", "Config", "inject", "name"]),
        ],
    )
    def test_describes(self, adapter, edition, exports):
        """
        The plugin's face is that of the edition.
        """
        adapter.initialize(protocolVersion=1, edition=edition, suite={})

        assert adapter.plugin_describe(plugin="todo") == {
            "name": "tool-todo",
            "inject": ["tools"],
            "exports": exports,
            "hasDefault": False,
            "defaults": {},
        }

    def test_declares_what_is_there(self):
        """
        Capabilities follow plugins and edition; the older packages know no tree.
        """
        declared = catalog.capabilities("0.1.0-rc.8")

        assert {"log", "surface", "request", "todo"} < set(declared)
        assert not [name for name in declared if name.startswith("tree")]


class TestPending:
    """
    Calls and steps that take their time.
    """

    def test_gives_handles(self, adapter, slow):
        """
        A pending call has a handle until it has a result.
        """
        first = adapter.tools_call(name="slow", arguments={})
        slow.resolve(ToolOutcome("late"))

        assert {"done": False, "call": "call-1"} == first
        assert {"done": True, "isError": False, "text": "late"} == adapter.tools_poll(call="call-1")

    def test_follows_a_held_step(self, adapter):
        """
        A held step shows its state until it is entered.
        """
        later = Deferred()
        adapter._stage.composition.steps.on_enter(lambda *_: later)
        first = adapter.step_enter(agent="a")
        later.resolve(Decision("enter"))

        assert {"step": "step-1", "state": "held"} == first
        assert {"state": "entered"} == adapter.step_poll(step="step-1")

    def test_answers_when_a_cleanup_never_ends(self, adapter):
        """
        Disposing an agent is answered at once.
        """
        adapter._stage.agent("a").scope.on_dispose(Deferred)

        assert {} == adapter.agent_dispose(agent="a")

    def test_names_a_handle_never_given(self, adapter):
        """
        A handle of nobody is refused.
        """
        with pytest.raises(Exception, match='no call "call-9"'):
            adapter.tools_poll(call="call-9")


class TestTogether:
    """
    Several calls in one instant.
    """

    def test_lets_ready_work_go_after_the_last(self, adapter):
        """
        Work that is ready runs behind the last call, and before the answer.
        """
        clock, seen = adapter._stage.composition.clock, []
        adapter._methods["first"] = lambda: clock.soon(lambda: seen.append("ready"))
        adapter._methods["second"] = lambda: {"seen": list(seen)}
        calls = [{"method": method, "params": {}} for method in ("first", "second")]

        results = adapter.together(calls=calls)["results"]

        assert [{"result": None}, {"result": {"seen": []}}] == results
        assert ["ready"] == seen

    def test_tells_refusals_apart(self, adapter):
        """
        A refused call is an error in its place, and the calls behind it run.
        """
        calls = [
            {"method": "agent.inbox", "params": {"agent": "b"}},
            {"method": "no.such", "params": {}},
            {"method": "tools.call", "params": {"name": "x", "arguments": {}}},
        ]

        results = adapter.together(calls=calls)["results"]

        assert [3, -32601] == [result["error"]["code"] for result in results[:2]]
        assert {"done": True, "isError": True, "text": 'Error: unknown tool "x"'} == (
            results[2]["result"]
        )


class TestPanel:
    """
    The strip above the input.
    """

    def test_asks_the_service(self, adapter):
        """
        The strip is what the panel's service reads, or null.
        """
        without = adapter.panel_read(agent="a")
        panel = SimpleNamespace(read=lambda agent: {"for": agent.id})
        adapter._stage.composition.services.provide("tree.panel", panel)

        assert without is None
        assert {"for": "a"} == adapter.panel_read(agent="a")


def answers(*lines):
    """
    Serve lines and return the answers.
    """
    out = io.StringIO()
    serve([line.encode() for line in lines], out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def request(method, **params):
    """
    Return a request line.
    """
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})


class TestStdio:
    """
    JSON-RPC, one message a line.
    """

    def test_ends_at_shutdown(self):
        """
        Shutdown is answered, and nothing behind it is.
        """
        lines = answers(request("commands.list"), request("shutdown"), request("commands.list"))

        assert [{"commands": []}, {}] == [line["result"] for line in lines]

    @pytest.mark.parametrize(
        ("line", "code", "message"),
        [
            (request("no.such"), -32601, "method not found: no.such"),
            (request("log_read"), -32601, "method not found: log_read"),
            (
                request("log.read"),
                -32602,
                "log.read: missing a required argument: 'agent'",
            ),
            (request("log.read", agent="a"), 3, 'agent "a" is not registered'),
            (request("clock.advance", ms="x"), -32603, "TypeError: "),
            ("{", -32700, "not JSON: "),
        ],
    )
    def test_answers_with_an_error(self, line, code, message):
        """
        Whatever goes wrong has a code and says what it was.
        """
        (answer,) = answers(line)

        assert code == answer["error"]["code"]
        assert answer["error"]["message"].startswith(message)

    def test_carries_lone_surrogates(self):
        """
        Text that is no Unicode comes back as it went.
        """
        todos = {"todos": [{"content": "\ud800", "status": "pending"}]}
        lines = answers(
            request("reset", plugins=[{"name": "todo"}]),
            request("agent.create", agent="a"),
            request("tools.call", agent="a", name="todo_write", arguments=todos),
        )

        assert "\ud800" == lines[2]["result"]["value"]["todos"][0]["content"]

    def test_takes_deep_arguments_and_ends_with_its_input(self):
        """
        Ten thousand levels are answered; at the end of the input the process ends well.
        """
        deep = "[" * 10_000 + "]" * 10_000
        reset = request("reset", plugins=[{"name": "todo"}])
        params = {"name": "todo_write", "arguments": {"todos": [], "deep": 0}}
        call = request("tools.call", **params).replace('"deep": 0', f'"deep": {deep}')

        done = subprocess.run(
            [sys.executable, "-m", "dsh_reference"],
            input=f"{reset}\n{call}\n",
            capture_output=True,
            text=True,
            check=True,
            timeout=60,  # A deadlock's end, not a measure: it takes a fraction of a second.
        )

        answer = json.loads(done.stdout.splitlines()[1])
        assert "Error: todo_write requires an owning agent session" == answer["result"]["text"]
