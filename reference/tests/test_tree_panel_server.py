"""
The panel in a browser: what is served, and who may change a plan.
"""

import json
import re
import threading
from http.client import HTTPConnection

import pytest

from dsh_reference.tree import panel_server
from dsh_reference.tree import plan as ops
from dsh_reference.tree.model import LastIds
from dsh_reference.tree.panel_server import TOKEN_HEADER, PanelServer
from dsh_reference.tree.plan import Draft
from dsh_reference.tree.store import Store


class Browser:
    """
    Talks to a running server.
    """

    def __init__(self, server):
        self.server = server
        self.port = server.server_address[1]
        self.origin = f"http://127.0.0.1:{self.port}"

    def get(self, path, **headers):
        """
        Return status and text.
        """
        return self._send("GET", path, None, headers)

    def act(self, wanted, **headers):
        """
        Post an action as the page does; `headers` differ from the page's, None leaves one out.
        """
        own = {TOKEN_HEADER: self.server.token, "Origin": self.origin}
        body = wanted if isinstance(wanted, bytes) else json.dumps(wanted).encode()
        sent = {name: value for name, value in (own | headers).items() if value is not None}
        return self._send("POST", "/action", body, sent)

    def _send(self, method, path, body, headers):
        connection = HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()


@pytest.fixture
def store(tmp_path):
    """
    A state folder with one plan.
    """
    store = Store(tmp_path, lambda: 0)
    drafts = [Draft("任务")]
    plan = ops.add_goal(None, Draft("目标"), tasks=drafts, last=LastIds(), now=1).plan
    store.save_plan("a/b", plan)
    return store


@pytest.fixture
def browse(store):
    """
    Start servers on the folder.
    """
    servers = []

    def start(*, actions):
        server = PanelServer(store.root, port=0, actions=actions)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        servers.append((server, thread))
        return Browser(server)

    yield start
    for server, thread in servers:
        server.shutdown()
        thread.join()
        server.server_close()


class TestReading:
    """
    What everyone on this machine may see.
    """

    def test_lists_sessions_and_serves_their_strips(self, browse):
        """
        A session goes by its own id, whatever its file is called.
        """
        browser = browse(actions=False)
        _, strip = browser.get("/strip?session=a%2Fb")

        assert (200, '["a/b"]') == browser.get("/sessions")
        assert "目标" == json.loads(strip)["heading"]

    def test_serves_null_for_no_plan(self, browse):
        """
        What is not there takes no room.
        """
        browser = browse(actions=False)

        assert (200, "null") == browser.get("/strip?session=../../etc/passwd")
        assert (200, "null") == browser.get("/strip")

    def test_serves_the_page_with_a_token_only_for_actions(self, browse):
        """
        A read-only page holds none.
        """
        _, read_only = browse(actions=False).get("/")
        browser = browse(actions=True)
        _, acting = browser.get("/")

        assert 'TOKEN = ""' in read_only
        assert f'TOKEN = "{browser.server.token}"' in acting

    def test_answers_to_its_own_address_only(self, browse):
        """
        A name that somebody points at this machine gets nothing.
        """
        browser = browse(actions=False)

        assert 403 == browser.get("/sessions", Host="evil.example")[0]
        assert 403 == browser.get("/sessions", Origin="http://evil.example")[0]
        assert 404 == browser.get("/nothing")[0]


class TestActing:
    """
    What the page may change.
    """

    def test_completes_drops_pauses_and_clears(self, browse, store):
        """
        Each action shows in the state files at once.
        """
        browser = browse(actions=True)
        wanted = {"session": "a/b", "action": "done", "id": "t-1", "result": "好"}
        seen = [browser.act(wanted), browser.act({"session": "a/b", "action": "pause"})]
        seen.append(browser.act({"session": "a/b", "action": "drop", "id": "g-1"}))

        assert [(200, '{"error": null}')] * 3 == seen
        assert ["dropped", "done"] == [node.status.value for node in store.plan("a/b").walk()]
        assert store.state("a/b").paused
        browser.act({"session": "a/b", "action": "resume"})
        browser.act({"session": "a/b", "action": "clear"})
        assert not store.state("a/b").paused
        assert store.plan("a/b") is None

    @pytest.mark.parametrize(
        ("wanted", "error"),
        [
            ({"session": "a/b", "action": "done", "id": "t-1"}, "完成任务必须提交结果"),
            ({"session": "a/b", "action": "drop", "id": "t-9"}, "找不到节点 t-9"),
            ({"session": "a/b", "action": "burn"}, "不认识的动作：burn"),
            ({"session": "other", "action": "clear"}, "这个会话没有计划"),
            ({}, "这个会话没有计划"),
        ],
    )
    def test_says_why_not(self, wanted, error, browse, store):
        """
        A refusal is an answer, and changes nothing.
        """
        before = store.plan("a/b")
        status, text = browse(actions=True).act(wanted)

        assert (200, True) == (status, error in json.loads(text)["error"])
        assert before == store.plan("a/b")

    @pytest.mark.parametrize(
        "headers",
        [
            {TOKEN_HEADER: "wrong"},
            {TOKEN_HEADER: ""},
            {"Origin": "http://evil.example"},
            {"Origin": "null"},
            {"Origin": None},
            {"Host": "evil.example"},
        ],
    )
    def test_takes_nothing_from_others(self, headers, browse, store):
        """
        Without token and origin of the page no plan changes.
        """
        before = store.plan("a/b")
        status, _ = browse(actions=True).act({"session": "a/b", "action": "clear"}, **headers)

        assert 403 == status
        assert before == store.plan("a/b")

    def test_takes_nothing_when_read_only(self, browse, store):
        """
        Not even with the empty token of a read-only page.
        """
        status, text = browse(actions=False).act({"session": "a/b", "action": "clear"})

        assert (403, True) == (status, "--actions" in text)
        assert store.plan("a/b") is not None

    @pytest.mark.parametrize("body", [b"", b"null", b"[]", b"{", b"\xff", b"[" * 100_000])
    def test_refuses_what_is_no_object(self, body, browse):
        """
        The server answers and lives on.
        """
        browser = browse(actions=True)

        assert 400 == browser.act(body)[0]
        assert 200 == browser.get("/")[0]


class TestMain:
    """
    The command line.
    """

    def test_names_a_folder_that_is_none(self, tmp_path, capsys):
        """
        The message says which option, what it was, and what belongs there.
        """
        status = panel_server.main(["--state-dir", str(tmp_path / "none")])

        assert 2 == status
        assert re.search(r"--state-dir: .*none is no folder; give", capsys.readouterr().err)

    def test_names_a_port_that_is_taken(self, browse, store, capsys):
        """
        Two servers cannot share a port.
        """
        taken = browse(actions=False).port
        status = panel_server.main(["--state-dir", str(store.root), "--port", str(taken)])

        assert 2 == status
        assert f"--port: cannot listen on 127.0.0.1:{taken}" in capsys.readouterr().err
