"""
What the tests of the core share: the contract, scenarios written in place, and ways to play them.
"""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import types
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile

import pytest
from click.testing import CliRunner

from dsh_conformance.adapter.connection import Connection
from dsh_conformance.cli import main
from dsh_conformance.contract.catalogue import load_contracts
from dsh_conformance.paths import fixtures_root
from dsh_conformance.scenario.loader import load_scenario
from dsh_conformance.scenario.player import play as play_scenario

# A command reads a few hundred files first; a busy machine takes its time.
COMMAND_TIMEOUT = 90
PACKAGES = Path(__file__).resolve().parents[1]
REFERENCE = "dsh_reference.adapter:Adapter"
FEW = ("empty-list", "active-item-moves-on", "two-active-items")
HEAD = "claim: Something holds.\nclauses: [todo.content.unique]\n"
# Answers initialize as its argument says; hangs in the first call, having made a file of that name.
GREETER = """\
import json, sys, time
for line in sys.stdin:
    message = json.loads(line)
    result = {
        "protocolVersion": 1,
        "implementation": {"name": "greeter", "version": "1", "language": "python"},
        "editions": ["2026-08"], "capabilities": ["todo"], "clock": "virtual",
    }
    result.update(json.loads(sys.argv[1]))
    if message["method"] == "initialize":
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
    else:
        open(sys.argv[2], "w").close()
        time.sleep(600)
"""
_numbers = itertools.count(1)

# The planted faults are a package beside the tests.
sys.path.insert(0, str(Path(__file__).resolve().parent))


@pytest.fixture(scope="session")
def contracts():
    """
    The contracts of all editions, by name.
    """
    return load_contracts()


@pytest.fixture(scope="session")
def contract(contracts):
    """
    The contract of the default edition.
    """
    return contracts["2026-08"]


@pytest.fixture(scope="session")
def known(contracts):
    """
    The clause ids of all editions.
    """
    return frozenset(clause for one in contracts.values() for clause in one.clauses)


@pytest.fixture
def load(tmp_path, contracts, known):
    """
    Read a scenario of which the steps (or all but the head) are given.
    """

    def loaded(text, *, head=HEAD, edition="2026-08", name="todo/x"):
        path = tmp_path / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(head + text, "utf-8")
        return load_scenario(path, tmp_path, contracts[edition], known)

    return loaded


@pytest.fixture
def installed(monkeypatch):
    """
    Make a class nameable as `--adapter` wants it.
    """

    def named(cls):
        name = f"adapter_of_a_test_{next(_numbers)}"
        module = types.ModuleType(name)
        module.Adapter = cls
        monkeypatch.setitem(sys.modules, name, module)
        return f"{name}:Adapter"

    return named


@pytest.fixture
def play(load, installed, contracts):
    """
    Play a scenario on the reference, or on a class of the test's own, and return the result.
    """

    def played(text, adapter=None, *, edition="2026-08", **more):
        scenario = load(text, edition=edition, **more)
        name = REFERENCE if adapter is None else installed(adapter)
        connection = Connection(name, edition)
        try:
            return play_scenario(scenario, connection, contracts[edition])
        finally:
            connection.close()

    return played


@dataclass
class Ran:
    """
    How a command ended.
    """

    status: int
    out: str
    err: str

    @property
    def lines(self):
        """
        The lines of its output.
        """
        return self.out.splitlines()


@pytest.fixture
def command(tmp_path):
    """
    Run `dsh-conformance` as a user does, in an empty folder.
    """

    def ran(*arguments, cwd=tmp_path, module="dsh_conformance", **environment):
        done = subprocess.run(
            [sys.executable, "-m", module, *map(str, arguments)],
            cwd=cwd,
            env=child_environment(**environment),
            capture_output=True,
            timeout=COMMAND_TIMEOUT,
            check=False,
        )
        return Ran(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))

    return ran


def child_environment(**changes):
    """
    Return an environment in which a child finds both packages, and nothing of this pytest.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    path = os.pathsep.join(map(str, (PACKAGES, PACKAGES.parent / "reference")))
    return {**kept, "PYTHONPATH": path, "COLUMNS": "100", "PYTHONIOENCODING": "utf-8", **changes}


@pytest.fixture
def environment():
    """
    Make an environment for a child process.
    """
    return child_environment


@pytest.fixture
def invoke(tmp_path, monkeypatch):
    """
    Call the command line inside this process; return its status and its two outputs.
    """
    monkeypatch.chdir(tmp_path)

    def invoked(*arguments):
        result = CliRunner().invoke(main, list(map(str, arguments)), catch_exceptions=False)
        return result.exit_code, result.stdout, result.stderr

    return invoked


@pytest.fixture
def greeter(tmp_path):
    """
    Return a command line of an adapter that greets, and then hangs in its first call.
    """
    script = tmp_path / "greeter.py"
    script.write_text(GREETER, "utf-8")

    def named(**changes):
        return f"{sys.executable} {script} '{json.dumps(changes)}' {tmp_path / 'called'}"

    named.called = tmp_path / "called"
    return named


@pytest.fixture
def few(tmp_path):
    """
    A folder of a few of our scenarios: reading all of them takes longer than what is tested.
    """
    folder = tmp_path / "few" / "todo"
    folder.mkdir(parents=True)
    for name in FEW:
        copyfile(fixtures_root() / "todo" / f"{name}.yaml", folder / f"{name}.yaml")
    return folder.parent
