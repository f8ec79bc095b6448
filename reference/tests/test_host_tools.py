"""
The tool registry: checks, texts, cards and calls that take their time.
"""

import pytest

from dsh_reference.errors import Rejected, ToolError
from dsh_reference.host.deferred import Deferred
from dsh_reference.host.tools import Tool, ToolOutcome, ToolRegistry
from dsh_reference.todo import PARAMETERS

INVALID = "Error: invalid arguments: "


def registry(run, present=lambda _: {"card": "generic"}):
    """
    Return a registry with one tool, whose schema is that of `todo_write`.
    """
    tools = ToolRegistry()
    tools.register(Tool(name="t", description="", parameters=PARAMETERS, run=run, present=present))
    return tools


def ok(_arguments, _call):
    """
    Answer at once.
    """
    return ToolOutcome("ok")


def nested(levels):
    """
    Return lists inside lists.
    """
    value = []
    for _ in range(levels):
        value = [value]
    return value


class TestSchemaCheck:
    """
    The check of arguments, with its exact texts and their order.
    """

    @pytest.mark.parametrize(
        ("arguments", "text"),
        [
            (None, '"arguments" must be an object'),
            ([], '"arguments" must be an object'),
            ({}, 'missing required property "todos"'),
            ({"todos": None}, '"todos" must be an array'),
            ({"todos": [None]}, '"todos[0]" must be an object'),
            (
                {"todos": [{"id": 1}]},
                (
                    'missing required property "todos[0].content";'
                    ' missing required property "todos[0].status";'
                    ' "todos[0].id" is not a declared property (additionalProperties: false)'
                ),
            ),
            (
                {"todos": [{"zz": 1, "status": "bad", "content": 5}]},
                (
                    '"todos[0].content" must be a string;'
                    ' "todos[0].status" must be one of ["pending","in_progress","completed"];'
                    ' "todos[0].zz" is not a declared property (additionalProperties: false)'
                ),
            ),
            (
                {"todos": [{"content": True}, {"content": "a", "status": 1}]},
                (
                    'missing required property "todos[0].status";'
                    ' "todos[0].content" must be a string;'
                    ' "todos[1].status" must be a string'
                ),
            ),
            ({"todos": nested(10_000)}, '"todos[0]" must be an object'),
        ],
    )
    def test_joins_all_violations(self, arguments, text):
        """
        Missing before wrong before undeclared, and a wrong type is not looked into.
        """
        result = registry(ok).call("t", arguments).result

        assert INVALID + text == result.text
        assert result.is_error

    @pytest.mark.parametrize("extra", [1, nested(10_000)])
    def test_takes_undeclared_arguments(self, extra):
        """
        The root of the arguments is open, however deep they go.
        """
        assert "ok" == registry(ok).call("t", {"todos": [], "extra": extra}).result.text

    @pytest.mark.parametrize("value", [float("nan"), float("inf"), -0.0, {1}, {1: 2}])
    def test_refuses_what_json_loses(self, value):
        """
        Arguments that JSON cannot carry are refused before the schema is looked at.
        """
        result = registry(ok).call("t", {"todos": 5, "extra": value}).result

        assert "Error: tool execution arguments must be losslessly JSON-serializable" == result.text


class TestCalls:
    """
    How a call ends.
    """

    def test_names_an_unknown_tool(self):
        """
        A tool that is not registered is an error of the call.
        """
        assert 'Error: unknown tool "x"' == ToolRegistry().call("x", {}).result.text

    def test_renders_a_refusal(self):
        """
        What a tool refuses gets the prefix.
        """

        def refuse(_arguments, _call):
            raise ToolError("no")

        result = registry(refuse).call("t", {"todos": []}).result

        assert ("Error: no", True) == (result.text, result.is_error)

    def test_raises_a_fault(self):
        """
        What is no refusal is not dressed up as one.
        """
        with pytest.raises(ZeroDivisionError):
            registry(lambda *_: 1 // 0).call("t", {"todos": []})

    def test_waits_for_an_answer(self):
        """
        A call has no result until its tool answers.
        """
        later = Deferred()
        call = registry(lambda *_: later).call("t", {"todos": []})
        before = call.result

        later.resolve(ToolOutcome("late", value=1))

        assert before is None
        assert ("late", False, 1) == (call.result.text, call.result.is_error, call.result.value)

    def test_lets_a_tool_mind_the_abort(self):
        """
        A tool that rejects on the signal ends its call with its own words.
        """
        later = Deferred()

        def wait(_arguments, call):
            call.signal.on_abort(lambda: later.reject(ToolError("wait aborted")))
            return later

        call = registry(wait).call("t", {"todos": []})
        call.signal.abort()

        assert "Error: wait aborted" == call.result.text

    def test_gives_the_tool_a_copy(self):
        """
        A tool may change its arguments without the caller noticing.
        """
        arguments = {"todos": []}

        def change(arguments, _call):
            arguments["todos"].append(1)
            return ToolOutcome("ok")

        registry(change).call("t", arguments)

        assert {"todos": []} == arguments


class TestCards:
    """
    How a call is shown.
    """

    def test_gives_none_for_wrong_arguments(self):
        """
        A violation of the schema gives no card, and never throws.
        """
        assert registry(ok).present("t", {"todos": 1}) is None
        assert registry(ok).present("x", {}) is None

    def test_ignores_undeclared_arguments(self):
        """
        Extra arguments do not cost the card.
        """
        assert {"card": "generic"} == registry(ok).present("t", {"todos": [], "x": 1})


class TestRegistration:
    """
    Names of tools are unique.
    """

    def test_refuses_a_taken_name(self):
        """
        The refusal points to the way out.
        """
        tools = registry(ok)

        with pytest.raises(Rejected) as refused:
            tools.register(Tool(name="t", description="", parameters=PARAMETERS, run=ok))

        assert str(refused.value) == (
            'tool "t" is already registered (for a per-agent variant, register'
            " through that agent's `agent.ctx` instead)"
        )
