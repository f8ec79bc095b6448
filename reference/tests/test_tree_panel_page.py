"""
The strip in a real browser.
"""

import shutil
import threading
from types import SimpleNamespace

import pytest

from dsh_reference.adapter import Adapter
from dsh_reference.tree.panel_server import PanelServer

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")

LONG_TITLE = "一个很长的目标标题" * 20
RESULT = "第一行\n第二行\n" + "x" * 300


@pytest.fixture(scope="module")
def browser():
    """
    One headless browser for all.
    """
    with playwright.sync_playwright() as tools:
        running = tools.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture
def plan(tmp_path):
    """
    Return a function that calls a tree tool in session `s1` of a state folder.
    """
    adapter = Adapter()
    adapter.reset(plugins=[{"name": "tree"}], services=["commands"], stateDir=str(tmp_path))
    adapter.agent_create(agent="s1", session="s1")
    return lambda name, **arguments: adapter.tools_call(agent="s1", name=name, arguments=arguments)


@pytest.fixture
def serve(browser, tmp_path):
    """
    Return a function that serves the folder and opens the page on it.
    """
    opened = []

    def start(*, actions=False):
        server = PanelServer(tmp_path, port=0, actions=actions)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = browser.new_page(viewport={"width": 700, "height": 700})
        complaints = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else 0)
        with page.expect_response(lambda answer: "/tree" in answer.url or "session" in answer.url):
            page.goto(min(server.origins))
        opened.append((server, page))
        return SimpleNamespace(page=page, complaints=complaints)

    yield start
    for server, page in opened:
        page.close()
        server.shutdown()
        server.server_close()


@pytest.fixture
def grown(plan):
    """
    Lay out a goal with a finished, an open and a dropped step, and a second task.
    """
    plan("tree_task_create", title=LONG_TITLE, tasks=[{"title": "任务一"}, {"title": "任务二"}])
    steps = [{"title": "步骤一"}, {"title": "步骤二"}, {"title": "步骤三"}]
    plan("tree_task_plan", parentId="t-1", children=steps)
    plan("tree_task_done", id="s-1", result=RESULT)
    plan("tree_task_drop", id="s-3")


def row(page, title):
    """
    Return the row of a node.
    """
    return page.locator("li > .row", has=page.locator(".title", has_text=title)).last


class TestClosed:
    """
    The strip as it first appears.
    """

    @pytest.mark.usefixtures("grown")
    def test_is_one_row_of_36_pixels(self, serve):
        """
        Closed, the strip is a single bar, 36 pixels high.
        """
        shown = serve()
        bar = shown.page.locator(".bar")
        bar.wait_for()

        assert 36 == bar.bounding_box()["height"]
        assert 0 == shown.page.locator(".body").count()
        assert [] == shown.complaints

    def test_takes_no_room_without_a_plan(self, serve):
        """
        Without a plan nothing of the strip is drawn.
        """
        shown = serve()

        assert not shown.page.locator("#strip").is_visible()
        assert [] == shown.complaints

    @pytest.mark.usefixtures("grown")
    def test_offers_no_action_when_read_only(self, serve):
        """
        Read-only, the bar has the one button that opens it.
        """
        shown = serve()
        shown.page.locator(".bar").wait_for()

        assert ["展开"] == [
            button.get_attribute("aria-label") for button in shown.page.locator("button").all()
        ]


@pytest.mark.usefixtures("grown")
class TestOpen:
    """
    The card below the bar.
    """

    def opened(self, serve, **options):
        """
        Open the card.
        """
        shown = serve(**options)
        shown.page.get_by_role("button", name="展开").click()
        shown.page.locator(".body").wait_for()
        return shown

    def test_shows_the_active_path_open(self, serve):
        """
        The active goal, task and step are laid open; the rest is there and closed.
        """
        page = self.opened(serve).page

        assert 3 == page.locator(".tag", has_text="当前").count()
        assert row(page, "步骤二").count() == 1
        assert 0 == page.locator(".result").count()

    def test_never_cuts_a_title(self, serve):
        """
        A long title wraps and is wholly there.
        """
        title = self.opened(serve).page.locator(".title").first
        cut = title.evaluate("node => node.scrollWidth > node.clientWidth")

        assert title.inner_text().startswith(LONG_TITLE)
        assert not cut

    def test_marks_the_states(self, serve):
        """
        Done, current and dropped nodes carry marks of their own; only the current one turns.
        """
        page = self.opened(serve).page
        marks = {
            title: row(page, title).locator(".mark").get_attribute("class").split()
            for title in ("步骤一", "步骤二", "步骤三", "任务二")
        }
        turning = page.locator(".mark.current svg").first.evaluate(
            "node => getComputedStyle(node).animationDuration"
        )

        assert ["mark", "done"] == marks["步骤一"]
        assert ["mark", "pending", "current"] == marks["步骤二"]
        assert ["mark", "dropped"] == marks["步骤三"]
        assert ["mark", "pending"] == marks["任务二"]
        assert "1s" == turning

    def test_result_takes_one_line_until_clicked(self, serve):
        """
        A submitted result is one line high, and whole after a click.
        """
        page = self.opened(serve).page
        row(page, "步骤一").locator(".arrow").click()
        result = page.locator(".result")
        closed = result.bounding_box()["height"]
        result.click()
        whole = page.locator(".result[aria-expanded=true]")
        whole.wait_for()

        assert closed < 30
        assert whole.bounding_box()["height"] > 2 * closed
        assert RESULT in whole.inner_text()

    def test_fits_a_narrow_window(self, serve):
        """
        At 360 pixels the page does not scroll sideways.
        """
        page = self.opened(serve, actions=True).page
        page.set_viewport_size({"width": 360, "height": 700})
        wide = page.evaluate("document.documentElement.scrollWidth")

        assert wide <= 360


@pytest.mark.usefixtures("grown")
class TestActions:
    """
    What a person may do when actions are allowed.
    """

    def test_pause_and_resume(self, serve):
        """
        Pausing shows the paused phase, and the button then resumes.
        """
        shown = serve(actions=True)
        page = shown.page
        page.get_by_role("button", name="暂停").click()
        page.get_by_role("button", name="继续").wait_for()
        paused = page.locator(".label").inner_text()
        page.get_by_role("button", name="继续").click()
        page.get_by_role("button", name="暂停").wait_for()

        assert "已暂停" == paused
        assert "进行中" == page.locator(".label").inner_text()
        assert [] == shown.complaints

    def test_clearing_asks_first(self, serve):
        """
        The plan is cleared only when the question is answered with yes.
        """
        page = serve(actions=True).page
        page.once("dialog", lambda dialog: dialog.dismiss())
        page.get_by_role("button", name="清空计划").click()
        kept = page.locator(".bar").is_visible()
        page.once("dialog", lambda dialog: dialog.accept())
        page.get_by_role("button", name="清空计划").click()
        page.locator("#strip").wait_for(state="hidden")

        assert kept
