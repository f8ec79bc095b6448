"""
The mutation score: what is written of it is whole, and its script says what it needs.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "conformance" / "mutation"
_SPEC = importlib.util.spec_from_file_location("mutation_page", FOLDER / "page.py")
pages = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(pages)


@pytest.fixture
def results():
    """
    Return the last result by module.
    """
    return json.loads((FOLDER / "results.json").read_text("utf-8"))


class TestVerdicts:
    """
    What is written on survivors.
    """

    def test_every_survivor_has_one(self, results):
        """
        No mutant survives without a word on why that may be.
        """
        open_ones = [
            (module, survivor["key"])
            for module, result in results.items()
            for survivor in result["survivors"]
            if pages.verdict_on(survivor["key"], module, pages.verdicts()) == pages.OPEN
        ]

        assert [] == open_ones

    def test_each_is_on_a_survivor(self, results):
        """
        A verdict outlives no mutant.
        """
        survivors = {
            (module, survivor["key"])
            for module, result in results.items()
            for survivor in result["survivors"]
        }
        written = {
            (module, key)
            for module, own in pages.verdicts().items()
            if module != "everywhere"
            for key in own
        }

        assert [] == sorted(written - survivors)

    def test_one_without_a_word_is_seen(self):
        """
        A change that nobody wrote on is called open.
        """
        assert pages.OPEN == pages.verdict_on("a → b", "todo.py", {"everywhere": [], "todo.py": {}})


class TestPage:
    """
    `docs/mutation.md`.
    """

    def test_is_what_the_results_and_verdicts_make(self, results):
        """
        Nothing on the page is written by hand.
        """
        written = (ROOT / "docs" / "mutation.md").read_text("utf-8")

        assert pages.page(results, pages.verdicts()) == written, "run conformance/mutation/page.py"

    def test_knows_every_module_that_is_scored(self, results):
        """
        The modules of the three plugins are all scored, but for those that no case reaches.
        """
        reference = ROOT / "reference" / "dsh_reference"
        paths = [reference / "todo.py", *(reference / "tasks").glob("*.py")]
        paths += (reference / "tree").glob("*.py")
        names = {str(path.relative_to(reference)) for path in paths if path.stem != "__init__"}

        assert names - pages.LEFT_OUT == set(results)


class TestScript:
    """
    `python conformance/mutation/run.py`.
    """

    def test_says_what_to_install(self):
        """
        Without Cosmic Ray it ends with one line that says how to get it.
        """
        script = (
            "import runpy, sys; sys.modules['cosmic_ray'] = None; "
            f"runpy.run_path({str(FOLDER / 'run.py')!r}, run_name='__main__')"
        )
        ended = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=False
        )

        assert 1 == ended.returncode
        assert [True] == [
            'pip install -e ".[mutation]"' in one for one in ended.stderr.splitlines()
        ]
