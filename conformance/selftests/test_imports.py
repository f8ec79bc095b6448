"""
Who knows whom, as docs/architecture.md has it.
"""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import dsh_conformance

ROOT = Path(dsh_conformance.__file__).parent
PACKAGE = ROOT.name
# Whoever stands in a line may import from those before it in theirs, and from what stands alone.
ALLOWED = {
    "adapter": set(),
    "contract": set(),
    "scenario": {"adapter", "contract"},
    "golden": {"contract", "scenario"},
    "generate": {"adapter", "contract", "scenario"},
    "run": {"adapter", "contract", "scenario", "golden", "generate"},
    "report": {"adapter", "contract", "scenario", "generate", "run"},
    "suite": {"scenario", "run", "report"},
    "snapshot": {"adapter", "contract", "scenario", "run", "report"},
}


def name_of(path):
    """
    Return a module's name below the package.
    """
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


MODULES = {name_of(path): path for path in ROOT.rglob("*.py")}


def imported(path):
    """
    Return the modules of the package that a module imports when it runs, be it late.
    """
    found = set()
    for node in nodes(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == PACKAGE:
            base = node.module.removeprefix(PACKAGE).removeprefix(".")
            inner = {f"{base}.{name.name}".removeprefix(".") for name in node.names}
            found |= {name if name in MODULES else base for name in inner}
    return found & set(MODULES) - {name_of(path)}


def nodes(node):
    """
    Yield a tree's nodes but those that only type checkers see.
    """
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from nodes(child)


GRAPH = {name: imported(path) for name, path in MODULES.items()}


class TestImports:
    """
    Imports run one way.
    """

    def test_no_circle(self):
        """
        No module comes back to itself by what it imports.
        """
        try:
            tuple(TopologicalSorter(GRAPH).static_order())
        except CycleError as error:
            pytest.fail(" → ".join(error.args[1]))

    @pytest.mark.parametrize("folder", ALLOWED)
    def test_folder(self, folder):
        """
        A folder knows those below it and no other.
        """
        own = {name for name in GRAPH if name.split(".")[0] == folder}
        known = {other.split(".")[0] for name in own for other in GRAPH[name]}

        assert own
        assert set() == (known & {*ALLOWED, "commands", "cli", "pytest_plugin"}) - (
            ALLOWED[folder] | {folder}
        )

    @pytest.mark.parametrize("name", ["cli", "pytest_plugin"])
    def test_entrances(self, name):
        """
        Nothing imports an entrance but `python -m`.
        """
        assert {one for one, others in GRAPH.items() if name in others} <= {"__main__"}

    def test_sees_imports(self):
        """
        Imports within functions are seen, and those for type checkers are not.
        """
        assert "run.engine" in GRAPH["commands.run"]
        assert "run.generated" in GRAPH["run.state"]
        assert "run.known.ledger" not in GRAPH["run.summary"]
