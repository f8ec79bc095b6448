"""
The doctor: what it says of good adapters, and of each kind of liar.
"""

import itertools
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from dsh_conformance.commands.doctor import doctor
from dsh_conformance.paths import CHECKOUT

REFERENCE = "dsh_reference.adapter:Adapter"
OVER_STDIO = f"{sys.executable} -m dsh_reference"
OFFICIAL = CHECKOUT / "conformance" / "adapters" / "official-npm"
EDITIONS = ["2026-08", "0.1.0-rc.8"]

LIAR = """
from dsh_reference.adapter import Adapter as Reference


class Refusal(Exception):
    def __init__(self, code, message="because", data=None):
        super().__init__(message)
        self.code, self.data = code, data


class Adapter:
    def __init__(self):
        self.truth = Reference()
        self.calls = 0

    def __getattr__(self, name):
        return getattr(self.truth, name)
"""

numbers = itertools.count()


def examined(adapter, *options):
    """
    Run the doctor and return its exit status and what it printed.
    """
    result = CliRunner().invoke(doctor, ["--adapter", adapter, *options])
    return result.exit_code, result.output


@pytest.fixture
def liar(tmp_path, monkeypatch):
    """
    Make an adapter that is the reference but for one method.
    """
    monkeypatch.syspath_prepend(tmp_path)

    def make(method):
        name = f"liar_{next(numbers)}"
        body = "".join(f"    {line}\n" for line in method.strip().splitlines())
        (tmp_path / f"{name}.py").write_text(f"{LIAR}\n{body}", encoding="utf-8")
        return f"{name}:Adapter"

    return make


def fixes(output):
    """
    Return the checks that have to be fixed, and what was seen, by name.
    """
    lines = [line.split(maxsplit=2) for line in output.splitlines()]
    return {line[1]: line[2] for line in lines if line[:1] == ["FIX"]}


class TestGoodAdapters:
    """
    An adapter that keeps the protocol has nothing to fix.
    """

    @pytest.mark.parametrize("edition", EDITIONS)
    @pytest.mark.parametrize("adapter", [REFERENCE, OVER_STDIO], ids=["in-process", "stdio"])
    def test_the_reference_has_nothing_to_fix(self, adapter, edition):
        """
        The reference is fine in both editions, in-process and over stdio.
        """
        status, output = examined(adapter, "--edition", edition)

        assert (0, {}) == (status, fixes(output))
        assert "Nothing to fix, nothing missing." in output

    @pytest.mark.skipif(
        not (OFFICIAL / "node_modules").is_dir(), reason="npm ci was not run in official-npm"
    )
    @pytest.mark.parametrize("edition", EDITIONS)
    def test_the_official_packages_have_nothing_to_fix(self, edition):
        """
        The adapter of the official packages is fine in both editions.
        """
        status, output = examined(f"node {OFFICIAL / 'adapter.mjs'}", "--edition", edition)

        assert (0, {}) == (status, fixes(output))

    def test_what_an_edition_does_not_have_is_not_tried(self):
        """
        An edition without the tree does not ask for it, and says so.
        """
        _, output = examined(REFERENCE, "--edition", "0.1.0-rc.8")

        assert "tree   edition 0.1.0-rc.8 has no such plugin" in output
        assert "tree.fold" not in output

    def test_the_next_command_is_named(self):
        """
        A plugin that is ready gets the command that runs its cases.
        """
        _, output = examined(REFERENCE)

        assert (
            f"dsh-conformance run --plugin todo --edition 2026-08 --adapter {REFERENCE}" in output
        )


class TestMissingCapabilities:
    """
    What is neither declared nor there is missing, which is no fault.
    """

    def test_an_adapter_that_can_nothing_yet_is_fine(self, tmp_path, monkeypatch):
        """
        The empty list of capabilities is a right one; each plugin is told how to begin.
        """
        monkeypatch.syspath_prepend(tmp_path)
        (tmp_path / "nothing_yet.py").write_text(
            LIAR
            + """
    def initialize(self, **params):
        return {**self.truth.initialize(**params), "capabilities": []}

    def __getattr__(self, name):
        if name not in ("reset", "together", "clock_advance", "shutdown"):
            raise AttributeError(name)
        return getattr(self.truth, name)

    def reset(self, plugins, **rest):
        if plugins:
            raise Refusal(1, "not yet", {"reason": "not yet"})
        return self.truth.reset(plugins=plugins)
""",
            encoding="utf-8",
        )

        status, output = examined("nothing_yet:Adapter")

        assert (0, {}) == (status, fixes(output))
        assert "todo   not declared. To begin: write log.append and log.read" in output
        assert "missing  tree.panel" in output


# Each liar: what it does, which check names it, and words of the message.
LIARS = {
    "says less than it can": (
        """
def initialize(self, **params):
    told = self.truth.initialize(**params)
    return {**told, "capabilities": [c for c in told["capabilities"] if c != "todo.present"]}
""",
        {"todo.present": "works, but is not declared"},
    ),
    "says more than it can": (
        """
def panel_read(self, **params):
    raise Refusal(-32601, "no panel")
""",
        {"tree.panel": "panel.read is not written yet"},
    ),
    "has no card": (
        """
def tools_present(self, **params):
    return None
""",
        {"todo.present": "shows no card", "tasks.present": "shows no card"},
    ),
    "answers the wrong shape": (
        """
def surface_read(self, **params):
    return {"messages": [{"text": "hello"}]}
""",
        {"surface": "wrong result", "tree.fold": "wrong result"},
    ),
    "fails in its own way where a tool refuses": (
        """
def tools_call(self, name, arguments, **rest):
    result = self.truth.tools_call(name=name, arguments=arguments, **rest)
    if result.get("isError"):
        raise Refusal(-32000, result["text"])
    return result
""",
        {"todo": "tools.call of todo_write failed with -32000", "tasks": "failed with -32000"},
    ),
    "counts seconds": (
        """
def clock_advance(self, ms):
    return {"now": self.truth.clock_advance(ms=ms)["now"] / 1000}
""",
        {"clock": "clock.advance by 1500 ms told 1.5, not 1500"},
    ),
    "has timers of its own": (
        """
def clock_advance(self, ms):
    self.calls = 0 if ms == 0 else self.calls + ms
    return {"now": self.calls}
""",
        {"waits": "did not end with the clock"},
    ),
    "remembers agents": (
        """
def reset(self, **params):
    self.truth.reset(**params)
    for agent in self.calls or ():
        self.truth.agent_create(agent=agent)
    return {}

def agent_create(self, agent, **rest):
    self.calls = [agent]
    try:
        return self.truth.agent_create(agent=agent, **rest)
    except Exception:
        return {"session": agent}
""",
        {"fresh-start": "an agent of before the reset is still there"},
    ),
    "remembers the log": (
        """
def log_append(self, agent, events):
    self.calls = self.calls or []
    self.calls += [dict(e, seq=900 + n) for n, e in enumerate(events)]
    return self.truth.log_append(agent=agent, events=events)

def log_read(self, agent, after=-1):
    return {"events": self.calls or []}
""",
        {"fresh-start": "the log outlived a reset"},
    ),
    "tidies texts up": (
        """
def log_append(self, agent, events):
    for event in events:
        if "message" in event:
            event["message"]["text"] = event["message"]["text"].strip().replace("\\r\\n", "\\n")
    return self.truth.log_append(agent=agent, events=events)
""",
        {"log": "otherwise than it was appended"},
    ),
    "loses the log in a restart": (
        """
def reload(self):
    return self.truth.reset(plugins=[])
""",
        {"reload": "did not survive reload"},
    ),
    "refuses the log in its own way": (
        """
def log_append(self, **params):
    try:
        return self.truth.log_append(**params)
    except Exception as error:
        raise Refusal(-32000, str(error)) from error
""",
        {"rejected": "answered with -32000"},
    ),
    "refuses settings in its own way": (
        """
def reset(self, **params):
    try:
        return self.truth.reset(**params)
    except Exception as error:
        raise Refusal(3, str(error)) from error
""",
        {"load-failed": "a refused configuration was answered with 3"},
    ),
    "refuses a start in its own way": (
        """
def tasks_start(self, **params):
    try:
        return self.truth.tasks_start(**params)
    except Exception as error:
        raise Refusal(1, str(error), {"reason": "no"}) from error
""",
        {"start-refused": "answered with 1"},
    ),
    "gives one handle for all": (
        """
def tools_call(self, **params):
    result = self.truth.tools_call(**params)
    return result if result["done"] else {"done": False, "call": "call"}

def tools_poll(self, call):
    return {"done": True, "isError": False, "text": "task"}
""",
        {"handles": "two pending calls have one handle"},
    ),
    "knows handles of before": (
        """
def tools_poll(self, call):
    try:
        return self.truth.tools_poll(call=call)
    except Exception:
        return {"done": True, "isError": False, "text": ""}
""",
        {"handles": "tools.poll still knows what was begun before the reset"},
    ),
    "gives ids with blanks": (
        """
def tasks_start(self, **params):
    return {"id": "my " + self.truth.tasks_start(**params)["id"]}
""",
        {"tasks": "an id that a text cannot name"},
    ),
    "answers before the notice is there": (
        """
def tasks_settle(self, **params):
    self.calls = 1
    return self.truth.tasks_settle(**params)

def agent_inbox(self, agent):
    messages = self.truth.agent_inbox(agent=agent)["messages"]
    self.calls, late = 0, self.calls
    return {"messages": [] if late else messages}
""",
        {"notices": "the notice was there only 0.04 s later"},
    ),
    "runs together backwards": (
        """
def together(self, calls):
    return {"results": self.truth.together(calls=calls)["results"][::-1][:2]}
""",
        {"together": "together answered 2 of 3 calls"},
    ),
    "does not know what it does not know": (
        """
def together(self, calls):
    results = self.truth.together(calls=calls)["results"]
    for result in results:
        if "error" in result:
            result["error"]["code"] = -32603
    return {"results": results}
""",
        {"unknown-method": "an unknown method was answered with -32603"},
    ),
    "gives no reason": (
        """
def panel_read(self, **params):
    raise Refusal(1)
""",
        {
            "errors": "panel.read answered error 1 without data: {reason}",
            "tree.panel": "unsupported",
        },
    ),
    "says something else of itself each time": (
        """
times = []

def initialize(self, **params):
    told = self.truth.initialize(**params)
    self.times.append(1)
    return {**told, "implementation": {**told["implementation"], "version": str(len(self.times))}}
""",
        {"restart": "describes itself differently after a restart"},
    ),
}


class TestLiars:
    """
    Each way not to keep the protocol is named, with what to do.
    """

    @pytest.mark.parametrize("name", LIARS)
    def test_a_liar_is_named(self, liar, name):
        """
        The check that a liar breaks says what was seen, and each fix says what to do next.
        """
        method, expected = LIARS[name]

        status, output = examined(liar(method))

        found = fixes(output)
        steps = [line for line in output.splitlines() if line.lstrip().startswith("next:")]
        assert (1, len(found)) == (status, len(steps))
        for check, words in expected.items():
            assert words in found.get(check, f"not named: {found}")


class TestBrokenAdapters:
    """
    An adapter that fails altogether is not examined to no end.
    """

    def test_three_failures_in_a_row_end_it(self, liar):
        """
        The examination is broken off, and the first failure is named.
        """
        status, output = examined(liar("def agent_create(self, **params):\n    return None"))

        assert status == 1
        assert "broken off: the adapter failed 3 times in a row" in output
        assert "missing  todo" not in output

    def test_without_reset_nothing_else_is_tried(self, liar):
        """
        An adapter whose reset does not work is told that, and what it said of it.
        """
        status, output = examined(liar("def reset(self, **params):\n    raise RuntimeError('oh')"))

        assert (1, ["reset", "examination"]) == (status, list(fixes(output)))
        assert "RuntimeError: oh" in output

    def test_an_adapter_that_never_came_up_ends_with_status_2(self):
        """
        Without a handshake there is no diagnosis; the message says why.
        """
        status, output = examined(f"{sys.executable} -c 'print(1)'")

        assert status == 2
        assert "the adapter never came up" in output

    def test_a_wrong_edition_ends_with_status_2(self):
        """
        An edition that does not exist is a mistake on the command line.
        """
        status, output = examined(REFERENCE, "--edition", "2020-01")

        assert status == 2
        assert "unknown edition" in output

    def test_an_adapter_that_does_not_leave_is_named(self, tmp_path):
        """
        A process that outlives its shutdown has to be fixed.
        """
        script = tmp_path / "stays.py"
        script.write_text(
            "import threading\nfrom dsh_reference.__main__ import main\n"
            "threading.Thread(target=threading.Event().wait).start()\nmain([])\n",
            encoding="utf-8",
        )

        status, output = examined(f"{sys.executable} {script}")

        assert status == 1
        assert "shutdown" in fixes(output)

    def test_control_characters_are_shown_not_sent(self, liar):
        """
        What an adapter says reaches the terminal as visible characters.
        """
        _, output = examined(liar('def reload(self):\n    raise Refusal(3, "\\x1b[2J")'))

        assert "\x1b" not in output
        assert "\\x1b[2J" in output


class TestLayers:
    """
    The doctor knows the protocol and nothing else.
    """

    def test_no_import_of_contract_or_scenario(self):
        """
        The package imports nothing beyond the adapter layer, errors and paths.
        """
        folder = Path(doctor.callback.__code__.co_filename).parents[1] / "adapter" / "doctor"
        text = "".join(path.read_text("utf-8") for path in folder.glob("*.py"))

        assert "dsh_conformance.contract" not in text
        assert "dsh_conformance.scenario" not in text
