"""
The HTML report in a real browser: works from disk, alone, for everyone, and runs no other's script.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from urllib.parse import quote

import pytest
from click.testing import CliRunner

from dsh_conformance.cli import main
from dsh_conformance.paths import fixtures_root

CASES = (
    "todo/duplicate-content",
    "todo/two-active-items",
    "todo/empty-content",
    "todo/empty-list",
    "tree/fold-after-the-pause",
    "tree/panel-follows-the-plan",
)
KNOWN = """\
known-failures:
  - case: todo/duplicate-content
    grade: same meaning
    reason: <i>We</i> like it so.
    issue: https://example.org/issues/1
"""
DESK = {"width": 1100, "height": 900}
UNFOLD_ALL = "document.querySelectorAll('button.row, button.case').forEach((one) => one.click())"
# A step of a page takes milliseconds; a busy machine is given time.
PATIENCE_MS = 10_000
PHONE = {"width": 360, "height": 780}


def browser_path():
    """
    Return where Chromium is, or None.
    """
    named = os.environ.get("DSH_CHROMIUM")
    return named or shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    """
    Make the report of a few cases on an adapter that plants harm.
    """
    folder = tmp_path_factory.mktemp("html")
    for case in CASES:
        source = fixtures_root() / f"{case}.yaml"
        if source.exists():
            target = folder / "scenarios" / f"{case}.yaml"
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    known = folder / "known.yaml"
    known.write_text(KNOWN, "utf-8")
    planted = str(Path(__file__).parent / "reports")
    sys.path.insert(0, planted)
    try:
        arguments = ["run", "--adapter", "planted:Planted", "--scenarios", folder / "scenarios"]
        arguments += ["--known-failures", known, "--report", f"html={folder / 'run.html'}"]
        ended = CliRunner().invoke(main, [str(one) for one in arguments])
    finally:
        sys.path.remove(planted)
    assert ended.exit_code == 1, ended.output
    return folder / "run.html"


@pytest.fixture(scope="module")
def browser():
    """
    Start Chromium once.
    """
    path = browser_path()
    if path is None:
        pytest.skip("no Chromium here: install it, or name it in DSH_CHROMIUM")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as tool:
        started = tool.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield started
        started.close()


class Visit:
    """
    The page in a window, with everything that it said or asked for.
    """

    def __init__(self, browser, file, **window):
        self.file = file
        self.page = browser.new_page(**{"viewport": DESK, **window})
        self.page.set_default_timeout(PATIENCE_MS)
        self.said = []
        self.asked = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: self.said.append(dialog.message))
        self.page.on("request", lambda request: self.asked.append(request.url))

    def go(self, address=""):
        """
        Load the page at an address.
        """
        self.page.goto(f"{self.file.as_uri()}{address}")
        return self.page

    def rows(self):
        """
        Return the ids of the clauses and cases to be seen.
        """
        return self.page.locator("button.row:visible, button.case:visible").all_text_contents()

    def is_open(self, name):
        """
        Whether a clause or case is unfolded.
        """
        button = self.page.get_by_role("button", name=name, exact=True)
        return button.get_attribute("aria-expanded") == "true"


@pytest.fixture
def visit(browser, page_file):
    """
    Open windows on the page and close them again.
    """
    visits = []

    def opened(**window):
        visits.append(Visit(browser, page_file, **window))
        return visits[-1]

    yield opened
    for one in visits:
        one.page.close()


class TestAlone:
    """
    A file from disk.
    """

    def test_is_quiet(self, visit):
        """
        Nothing but the file is asked for, and nothing is complained of.
        """
        seen = visit()
        page = seen.go()
        page.evaluate(UNFOLD_ALL)

        assert [] == seen.said
        assert {page_url(one) for one in seen.asked} == {page_url(seen.file.as_uri())}

    def test_runs_no_planted_script(self, visit, page_file):
        """
        What an implementation said stands there as text, invisible characters shown.
        """
        page = visit().go("#case=todo%2Fduplicate-content")
        text = page.locator("#cases").inner_text()

        assert "owned" not in page.title().replace("title='owned'", "")
        assert "<script>document.title='owned'</script>" in text
        assert r"\x1b[31mred\x07" in text
        assert r"\u202eevil\u2066" in text
        assert 0 == page.locator("img, b, main script").count()
        assert 2 == page_file.read_text("utf-8").count("<script")

    def test_remarks(self, visit):
        """
        How the adapter left stands at the head, as text.
        """
        note = visit().go().locator("#head .note").inner_text()

        assert note.startswith("Note: the adapter raised ValueError in shutdown: <script>")
        assert r"\u202eevil" in note

    def test_links_nowhere_but_the_web(self, visit):
        """
        Every link leads into the page or to an http address.
        """
        page = visit().go("#case=todo%2Fduplicate-content")
        links = page.evaluate("[...document.querySelectorAll('a')].map((a) => a.href)")
        strange = [one for one in links if not one.startswith(("file:", "https:"))]

        assert [] == strange
        assert "https://example.org/issues/1" in links


class TestFilters:
    """
    Search and filters.
    """

    def test_stay_in_the_address(self, visit):
        """
        What is chosen is in the address, and comes back with it.
        """
        first, second = visit(), visit()
        page = first.go()
        page.get_by_label("Outcome").select_option("new")
        page.get_by_label("Search ( / )").fill("two-active")
        wanted = first.rows()
        second.go(page.evaluate("location.hash"))

        assert ["todo/two-active-items"] == [one for one in wanted if "/" in one]
        assert wanted == second.rows()
        assert "two-active" == second.page.get_by_label("Search ( / )").input_value()

    @pytest.mark.parametrize(
        ("address", "case", "there"),
        [
            ("#plugin=tree", "tree/fold-after-the-pause", True),
            ("#plugin=todo", "tree/fold-after-the-pause", False),
            ("#outcome=failed", "todo/duplicate-content", True),
            ("#outcome=new", "todo/duplicate-content", False),
            ("#outcome=unverified", "todo/empty-content", True),
            ("#q=nothing+of+the+kind", "todo/empty-list", False),
            ("#level=may", "todo/duplicate-content", False),
        ],
    )
    def test_choose(self, visit, address, case, there):
        """
        Each filter leaves what fits it.
        """
        seen = visit()
        seen.go(address)

        assert there is (case in seen.rows())

    def test_clear(self, visit):
        """
        Clear, and Escape, bring everything back.
        """
        seen = visit()
        page = seen.go("#outcome=failed&q=two")
        some = seen.rows()
        page.get_by_role("button", name="Clear").click()
        everything = seen.rows()
        page.get_by_label("Plugin").select_option("tree")
        page.keyboard.press("Escape")

        assert len(some) < len(everything)
        assert everything == seen.rows()

    def test_from_the_summary(self, visit):
        """
        A number of the summary leads to the clauses that it counts.
        """
        seen = visit()
        page = seen.go()
        link = page.locator("#summary a.failed").first
        number = int(link.inner_text())
        link.click()

        assert number == page.locator("button.row:visible").count()


class TestDeepLinks:
    """
    Addresses of one clause or case.
    """

    @pytest.mark.parametrize(
        ("kind", "name"), [("case", "todo/two-active-items"), ("clause", "todo.content.unique")]
    )
    def test_unfold(self, visit, kind, name):
        """
        The clause or case of the address is unfolded, in view and focused.
        """
        seen = visit()
        page = seen.go(f"#{kind}={quote(name, safe='')}")
        button = page.get_by_role("button", name=name, exact=True)

        assert seen.is_open(name)
        assert button.evaluate("(one) => one === document.activeElement")
        assert button.evaluate("(one) => one.getBoundingClientRect().top < innerHeight")

    def test_in_spite_of_a_filter(self, visit):
        """
        It is shown even where the filters of the address would hide it.
        """
        seen = visit()
        seen.go("#outcome=failed&case=todo%2Fempty-list")

        assert seen.is_open("todo/empty-list")

    def test_from_clause_to_case_and_back(self, visit):
        """
        A clause names its cases, a case its clauses, and Back goes back.
        """
        seen = visit()
        page = seen.go("#clause=todo.content.unique")
        page.locator("#clauses a", has_text="todo/duplicate-content").click()
        opened = seen.is_open("todo/duplicate-content")
        page.go_back()

        assert opened
        assert page.url.endswith("#clause=todo.content.unique")


class TestCase:
    """
    A case as it is told.
    """

    def test_expected_and_seen(self, visit):
        """
        Expected and seen stand side by side, and the difference is marked.
        """
        page = visit().go("#case=todo%2Fduplicate-content")
        expected = page.locator("#cases pre.expected").first
        seen = page.locator("#cases pre.seen").first

        assert 'Error: invalid todos: duplicate content "x"' == expected.inner_text()
        assert seen.locator("mark").inner_text().startswith("<script>")
        assert expected.bounding_box()["y"] == seen.bounding_box()["y"]

    def test_fold(self, visit):
        """
        The context before and after a fold stands in two columns, hidden and new marked.
        """
        page = visit().go("#case=tree%2Ffold-after-the-pause")
        before, after = page.locator(".fold .column").all()

        assert before.locator(".hidden").inner_text().startswith("assistant, hidden")
        assert "隐藏了1条过程上下文" in after.locator(".new").inner_text()
        assert before.bounding_box()["x"] < after.bounding_box()["x"]

    def test_known(self, visit):
        """
        A known failure is told with its reason and its issue.
        """
        page = visit().go("#case=todo%2Fduplicate-content")

        assert "Known (failing): <i>We</i> like it so." in page.locator("#cases").inner_text()


class TestEveryone:
    """
    Keyboard, colours, small screens, paper.
    """

    def test_keys(self, visit):
        """
        The page is worked without a mouse.
        """
        seen = visit()
        page = seen.go()
        page.keyboard.press("/")
        page.keyboard.type("duplicate-content")
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("k")
        page.keyboard.press("Enter")
        opened = seen.is_open("todo/duplicate-content")
        page.keyboard.press("?")

        assert opened
        assert page.get_by_role("dialog").is_visible()

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_contrast_and_labels(self, visit, scheme):
        """
        axe-core finds nothing, in either colour scheme, with rows unfolded.
        """
        axe = pytest.importorskip("axe_playwright_python.sync_playwright")
        page = visit(color_scheme=scheme).go("#case=todo%2Fduplicate-content")
        for name in ("tree/fold-after-the-pause", "todo.content.unique", "todo/empty-content"):
            page.get_by_role("button", name=name, exact=True).click()
        found = axe.Axe().run(page)

        assert 0 == found.violations_count, found.generate_report()

    def test_phone(self, visit):
        """
        At 360 pixels nothing has to be scrolled sideways, whatever is unfolded.
        """
        page = visit(viewport=PHONE).go()
        page.evaluate(UNFOLD_ALL)
        width = page.evaluate("document.documentElement.scrollWidth")

        assert PHONE["width"] == width

    def test_paper(self, visit):
        """
        On paper the controls are gone, and what failed is unfolded.
        """
        page = visit().go()
        page.emulate_media(media="print")
        page.evaluate("window.dispatchEvent(new Event('beforeprint'))")

        assert not page.locator("#filters").is_visible()
        assert page.locator("#cases pre.seen").first.is_visible()


def page_url(url):
    """
    Return an address without its fragment.
    """
    return re.sub("#.*", "", url)
