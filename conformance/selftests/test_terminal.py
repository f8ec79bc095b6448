"""
What a person reads on the terminal.
"""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console

from dsh_conformance.adapter.protocol import AdapterInfo
from dsh_conformance.report.console import make_console
from dsh_conformance.report.terminal import TerminalReport
from dsh_conformance.report.textdiff import SHOWN_LIMIT, shortened, shown, text_diff
from dsh_conformance.run.settings import Settings
from dsh_conformance.run.summary import Summary
from dsh_conformance.scenario.results import CaseResult, Difference, Exchange, Failure

MUST, SHOULD = "todo.content.unique", "todo.schema.texts"
INFO = AdapterInfo(
    "my [bold]port", "1.0\x1b[31m", "go", ("2026-08",), frozenset({"todo"}), "virtual"
)


def failed(*differences, clause=MUST, grade="same meaning", **more):
    """
    Return a case that failed.
    """
    failure = Failure(clause, "todo/x.yaml:5:5", "error", grade, differences)
    script = ("agent: a", 'call: todo_write, with: {"todos": []}')
    transcript = (Exchange("todo/x.yaml:5:5", "tools.call", {"name": "x"}, {"done": True}),)
    return CaseResult(
        "todo/x", "failed", (clause,), (failure,), script=script, transcript=transcript, **more
    )


def page(name):
    """
    Return a recorded page.
    """
    return (Path(__file__).parent / "terminal" / f"{name}.txt").read_text("utf-8")


@pytest.fixture
def told(contract):
    """
    Tell a run to a console and return what it wrote.
    """
    few = {name: contract.clauses[name] for name in (MUST, SHOULD, ELSEWHERE.clauses[0])}
    small = replace(contract, clauses=few)

    def written(*results, verbose=False, width=100, broken_off="", strict=False, **console):
        out = StringIO()
        report = TerminalReport(Console(file=out, width=width, **console), verbose=verbose)
        summary = Summary(small, strict=strict)
        summary.broken_off = broken_off
        report.started(Settings(adapter="node my 'adapter'.mjs"), INFO, len(results))
        for result in results:
            summary.add(result)
            report.played(result)
        report.finished(summary)
        return out.getvalue()

    return written


WORDS = failed(Difference("text", "Error: a\u200bb", "Error: a b\n", text=True))
EFFECT = failed(Difference("[0].status", "1", "nothing", text=False), grade="wrong effect")
CRASHED = CaseResult(
    "todo/y", "unverified", (MUST,), reason="tools.call: gone\n  next:  run it\x1b[2J", kind="crash"
)
PASSED = CaseResult("todo/z", "passed", (MUST,))
ELSEWHERE = CaseResult("tree/q", "not applicable", ("tree.fold.range",), reason="needs tree")


class TestPages:
    """
    A run is a line a case that did not pass, a story a failure, a table and a verdict.
    """

    def test_run(self, told):
        """
        Clause, provenance, expected and seen, script, and the command that plays it again.
        """
        assert page("run") == told(WORDS, CRASHED, PASSED, ELSEWHERE)

    def test_verbose(self, told):
        """
        Verbosely every case is named, with the calls of those that did not pass.
        """
        assert page("verbose") == told(EFFECT, PASSED, ELSEWHERE, verbose=True)

    def test_conformant(self, told):
        """
        A conformant run is short.
        """
        assert page("conformant") == told(PASSED, ELSEWHERE)

    def test_should(self, told):
        """
        A broken should is told, and that it does not count.
        """
        broken = failed(Difference("text", "a", "b", text=True), clause=SHOULD)

        assert "does not count" in told(broken, PASSED)
        assert "--strict counts them" in told(broken, PASSED)
        assert "does not count" not in told(broken, PASSED, strict=True)

    def test_broken_off(self, told):
        """
        A run that was broken off is not called conformant.
        """
        lines = told(PASSED, broken_off="the run was interrupted").splitlines()

        assert ["unverified: 1 passed", "incomplete: the run was interrupted"] == lines[-2:]


class TestHarmless:
    """
    What an adapter says cannot play tricks on the terminal.
    """

    def test_no_escapes(self, told):
        """
        Control characters are shown; markup is text.
        """
        page = told(WORDS, CRASHED)

        assert "\x1b" not in page
        assert "my [bold]port 1.0\\x1b[31m" in page

    def test_long(self, told):
        """
        Of a very long value both ends are shown.
        """
        long = Difference("text", "a" * 5000, "b" * 1_000_000, text=True)
        whole = Difference("", "c" * 1_000_000, "d" * 1_000_000, text=False)

        assert len(told(failed(long, whole))) < 10_000

    def test_many(self, told):
        """
        Of many differences the first are shown, and how many more there are.
        """
        many = [Difference(f"[{n}]", "a", "b", text=True) for n in range(100)]

        assert "… and 92 more differences" in told(failed(*many))

    def test_surrogate(self, told):
        """
        Half a character is shown as an escape.
        """
        page = told(failed(Difference("text", "a", "\ud800", text=True)))

        assert "\\ud800" in page
        assert page.encode("utf-8")


class TestTerminals:
    """
    Colours and widths are the terminal's affair.
    """

    def test_colour(self, told):
        """
        A terminal gets colours, a file gets none.
        """
        assert "\x1b[" in told(PASSED, force_terminal=True, color_system="standard")
        assert "\x1b[" not in told(PASSED)

    def test_no_color(self, told, monkeypatch):
        """
        NO_COLOR is kept to.
        """
        monkeypatch.setenv("NO_COLOR", "1")

        page = told(WORDS, force_terminal=True)

        assert "\x1b[31m" not in page
        assert "\x1b[32m" not in page

    def test_narrow(self, told):
        """
        A narrow terminal breaks nothing that one would copy.
        """
        page = told(WORDS, width=20)

        assert "dsh-conformance run --adapter 'node my '\"'\"'adapter'\"'\"'.mjs' -v todo/x" in page

    def test_closed(self):
        """
        A closed pipe is told to whoever runs the command.
        """
        console = make_console()
        console.file = SimpleNamespace(write=_closed, flush=_closed)

        with pytest.raises(BrokenPipeError):
            console.print("x")


def _closed(*_):
    raise BrokenPipeError


class TestDiff:
    """
    Two texts, character by character.
    """

    def test_pieces(self):
        """
        The pieces of each side make up that side.
        """
        left, right = text_diff("got 2 items", "(got 3 items)")

        assert "got 2 items" == "".join(piece.text for piece in left)
        assert "(got 3 items)" == "".join(piece.text for piece in right)
        assert ["2"] == [piece.text for piece in left if piece.differs]

    def test_long(self):
        """
        Texts too long for that part where they first differ.
        """
        left, right = text_diff("a" * 9000 + "b", "a" * 9000 + "c")

        assert ["b"] == [piece.text for piece in left if piece.differs]
        assert ["c"] == [piece.text for piece in right if piece.differs]

    @pytest.mark.parametrize(
        ("text", "seen"),
        [("a b", "a·b"), ("\n\t\r", "\\n\\t\\r"), ("\u200b\u3000", "\\u200b\\u3000"), ("中", "中")],
    )
    def test_invisible(self, text, seen):
        """
        What cannot be seen is shown.
        """
        assert seen == shown(text, everything=True)

    def test_shortened(self):
        """
        Both ends stay, and how much is between them.
        """
        assert "x" * SHOWN_LIMIT == shortened("x" * SHOWN_LIMIT)
        assert "a…(8 characters)…b" == shortened("a" + "x" * 8 + "b", 2)
