"""
Report files: written whole, read back with every doubt told, harmless, and all of one story.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

from dsh_conformance.cli import main
from dsh_conformance.paths import fixtures_root
from dsh_conformance.report.formats import FORMATS
from dsh_conformance.report.json_report import mistake

CASES = (
    "todo/duplicate-content",
    "todo/two-active-items",
    "todo/empty-content",
    "todo/empty-list",
    "tree/fold-after-the-pause",
)
PLANTED = "planted:Planted"
# Everything a terminal or a reader's eye could be led astray by.
HARMFUL = ("\x1b", "\x07", "\u202e", "\u2066")


def invoke(*arguments):
    """
    Run a command.
    """
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture(scope="module", autouse=True)
def _planted():
    folder = str(Path(__file__).parent / "reports")
    sys.path.insert(0, folder)
    yield
    sys.path.remove(folder)


@pytest.fixture(scope="module")
def scenarios(tmp_path_factory):
    """
    Make a folder of a few scenarios.
    """
    folder = tmp_path_factory.mktemp("scenarios")
    for case in CASES:
        target = folder / f"{case}.yaml"
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(fixtures_root() / f"{case}.yaml", target)
    return folder


@pytest.fixture(scope="module")
def reports(tmp_path_factory, scenarios):
    """
    Write every report of a run on an adapter that plants harm.
    """
    folder = tmp_path_factory.mktemp("reports")
    asked = [f"--report={form}={folder / form}" for form in FORMATS]
    ended = invoke(
        *("run", "--adapter", PLANTED, "--scenarios", scenarios, "--build", "abc123"),
        *(*asked, "--packet", folder / "packet"),
    )
    (folder / "terminal").write_text(ended.output, "utf-8")
    assert ended.exit_code == 1, ended.output
    return folder


@pytest.fixture(scope="module")
def data(reports):
    """
    Read the JSON report.
    """
    return json.loads((reports / "json").read_text("utf-8"))


class TestJson:
    """
    The JSON report.
    """

    def test_schema(self, data):
        """
        It is as its schema says.
        """
        assert mistake(data) is None

    def test_says_what_ran(self, data):
        """
        Run, suite, adapter and surroundings are named, with digests.
        """
        run = data["run"]

        assert (1, "non-conformant", len(CASES)) == (
            run["exitStatus"],
            run["verdict"],
            run["planned"],
        )
        assert data["complete"]
        assert (PLANTED, "abc123") == (data["adapter"]["command"], data["adapter"]["build"])
        digests = [data["suite"]["specDigest"], data["suite"]["fixturesDigest"]]
        assert {64} == {len(digest) for digest in [*digests, data["adapter"]["digest"]]}

    def test_cases(self, data):
        """
        Each case has its outcome, script and transcript.
        """
        cases = {case["id"]: case for case in data["cases"]}
        outcomes = [cases[case]["outcome"] for case in CASES]

        assert ["failed", "failed", "unverified", "passed", "passed"] == outcomes
        assert all(case["script"] and case["transcript"] for case in data["cases"])

    def test_names_no_folder_of_this_machine(self, data, scenarios):
        """
        Places are told below the scenarios, wherever those lie.
        """
        places = [place for case in data["cases"] for place in case["places"]]

        assert all(place.startswith("scenarios/") for place in places)
        assert str(scenarios) not in json.dumps(data["clauses"])


class TestHarmless:
    """
    What an implementation said, in every format.
    """

    @pytest.mark.parametrize("name", ["terminal", "markdown", "text", "badge", "badge-svg", "html"])
    def test_no_control_characters(self, reports, name):
        """
        Characters that move a cursor or turn the writing are shown, not sent.
        """
        text = (reports / name).read_text("utf-8")

        assert [] == [char for char in HARMFUL if char in text]

    def test_packet(self, reports):
        """
        Nor are they in a packet, and no code block is closed from inside.
        """
        for page in (reports / "packet").glob("*.md"):
            text = page.read_text("utf-8")
            outside = [part for part in text.split("```")[::2] if "<script" in part]

            assert [] == [char for char in HARMFUL if char in text]
            assert [] == outside

    def test_markdown(self, reports):
        """
        In Markdown markup stands only inside code blocks.
        """
        text = (reports / "markdown").read_text("utf-8")
        outside = "".join(text.split("```")[::2])

        assert "<script" not in outside
        assert "<b>" not in outside
        assert "](javascript" not in outside

    def test_svg(self, reports):
        """
        The badge is one picture without a script.
        """
        names = {one.tag.partition("}")[2] for one in ET.parse(reports / "badge-svg").iter()}  # noqa: S314  # Ours.

        assert {"svg", "title", "rect", "g", "text"} == names


class TestRemarks:
    """
    What the adapter's author should know beside the verdicts.
    """

    @pytest.mark.parametrize("form", ["json", "html", "junit", "markdown", "text", "terminal"])
    def test_shown(self, reports, form):
        """
        Each report that is read by people says how the adapter left.
        """
        assert "the adapter raised ValueError in shutdown" in (reports / form).read_text("utf-8")

    def test_report_of_before(self, reports, tmp_path):
        """
        A report that was written before there were remarks is read as one without.
        """
        data = json.loads((reports / "json").read_text("utf-8"))
        old = tmp_path / "old.json"
        old.write_text(json.dumps({key: data[key] for key in data if key != "remarks"}), "utf-8")
        ended = invoke("report", old, "--format", "markdown")

        assert 0 == ended.exit_code
        assert "Note:" not in ended.output


class TestJunit:
    """
    JUnit XML, of the run and from its JSON report.
    """

    def cases(self, path):
        """
        Return verdict and clauses of each case in a file.
        """
        found = {}
        for case in ET.parse(path).iter("testcase"):  # noqa: S314  # Our own file.
            name = case.attrib["name"]
            clauses = [
                one.attrib["value"]
                for one in case.iter("property")
                if one.attrib["name"] == "clause"
            ]
            verdict = next(
                (tag for tag in ("failure", "skipped") if case.find(tag) is not None), ""
            )
            found[name] = (verdict, clauses)
        return found

    def test_clauses(self, reports):
        """
        Each case has its clause ids as properties.
        """
        verdict, clauses = self.cases(reports / "junit")["todo/duplicate-content"]

        assert "failure" == verdict
        assert "todo.content.unique" in clauses

    def test_same_story_later(self, reports, tmp_path):
        """
        The file made of the JSON report tells the same.
        """
        later = tmp_path / "later.xml"
        ended = invoke("report", reports / "json", "--format", "junit", "-o", later)

        assert 0 == ended.exit_code
        assert self.cases(reports / "junit") == self.cases(later)


class TestOthers:
    """
    Markdown, badge and packet.
    """

    def test_markdown(self, reports):
        """
        The summary has the verdict, the table, and what failed.
        """
        text = (reports / "markdown").read_text("utf-8")

        assert text.startswith("## ❌")
        assert "| todo | must |" in text
        assert "<code>todo/two-active-items</code> breaks" in text

    def test_badge(self, reports):
        """
        The badge says edition and verdict, as the shields service reads it.
        """
        badge = json.loads((reports / "badge").read_text("utf-8"))

        assert (1, "2026-08 non-conformant") == (badge["schemaVersion"], badge["message"])

    def test_packet(self, reports):
        """
        A packet has a page for each failure: clause, cause, script, transcript, replay.
        """
        pages = {page.stem: page.read_text("utf-8") for page in (reports / "packet").glob("*.md")}
        page = pages["todo--two-active-items"]
        wanted = ("**todo.active.at-most-one** (must", "Likely cause:** It was accepted where")

        assert {one.replace("/", "--") for one in CASES[:3]} == set(pages)
        assert [] == [one for one in wanted if one not in page]
        assert "dsh-conformance run --adapter planted:Planted" in page

    def test_packet_again(self, reports, tmp_path):
        """
        A new packet takes the place of the old one, and leaves other files alone.
        """
        folder = tmp_path / "packet"
        shutil.copytree(reports / "packet", folder)
        (folder / "old--case.md").write_text((folder / "todo--empty-content.md").read_text("utf-8"))
        (folder / "notes.md").write_text("mine")
        invoke("report", reports / "json", "--format", "packet", "-o", folder)

        assert (folder / "notes.md").exists()
        assert not (folder / "old--case.md").exists()

    @pytest.mark.parametrize("form", ["text", "markdown", "html", "badge", "badge-svg", "json"])
    def test_render_later(self, reports, form):
        """
        Every format can be made of the JSON report, and is what the run wrote.
        """
        ended = invoke("report", reports / "json", "--format", form)

        assert 0 == ended.exit_code
        assert (reports / form).read_text("utf-8") == ended.output


class TestBadInput:
    """
    Files that are no reports, and places that cannot be written.
    """

    def told(self, path):
        """
        Return what each reader says of a file.
        """
        ended = [
            invoke("report", path),
            invoke("diff", path, path),
            invoke("matrix", path),
            invoke("known-failures", "update", path.with_suffix(".yaml"), "--from", path),
        ]
        assert {2} == {one.exit_code for one in ended}
        messages = {one.output for one in ended}
        assert 1 == len(messages)
        return messages.pop()

    def write(self, folder, text):
        """
        Write a file.
        """
        path = folder / "run.json"
        path.write_text(text, "utf-8")
        return path

    def test_newer(self, data, tmp_path):
        """
        A report of a newer suite is refused by name.
        """
        newer = {**data, "version": 7, "suite": {**data["suite"], "version": "9.1"}}

        told = self.told(self.write(tmp_path, json.dumps(newer)))

        assert "written by a newer suite (9.1): report version 7, and this one reads 1" in told

    def test_cut_off(self, data, tmp_path):
        """
        A truncated file is told with the place where it ends.
        """
        text = json.dumps(data)

        assert "not whole JSON" in self.told(self.write(tmp_path, text[: len(text) // 2]))

    def test_changed_by_hand(self, data, tmp_path):
        """
        A file that the schema refuses is told with the path of the mistake.
        """
        cases = [{**data["cases"][0], "outcome": "fine"}]
        told = self.told(self.write(tmp_path, json.dumps({**data, "cases": cases})))

        assert "'fine' is not one of" in told
        assert "$.cases[0].outcome" in told

    @pytest.mark.parametrize("text", ["[]", "{}", "17", '{"format": "other"}'])
    def test_something_else(self, tmp_path, text):
        """
        Other JSON is refused.
        """
        assert "not a report of dsh-conformance" in self.told(self.write(tmp_path, text))

    def test_binary(self, tmp_path):
        """
        A file that is no text is refused.
        """
        path = tmp_path / "run.json"
        path.write_bytes(b"\xff\xfe\x00")

        assert "not JSON" in self.told(path)

    def test_missing(self, tmp_path):
        """
        A file that is not there is one message.
        """
        assert "No such file" in self.told(tmp_path / "none.json")

    @pytest.mark.parametrize(
        ("asked", "message"),
        [
            ("json=nowhere/run.json", "cannot be written: No such file or directory"),
            ("json=.", "it is a folder"),
            ("jsn=run.json", "did you mean 'json'?"),
            ("json", "not FORMAT=FILE"),
        ],
    )
    def test_before_the_run(self, scenarios, asked, message):
        """
        A report that cannot be written is told before the first case.
        """
        ended = invoke("run", "--scenarios", scenarios, "--report", asked)

        assert 2 == ended.exit_code
        assert message in ended.output
        assert "passed" not in ended.output

    def test_packet_nowhere(self, reports, tmp_path):
        """
        A packet folder that is a file is one message.
        """
        (tmp_path / "file").write_text("")
        ended = invoke(
            "report", reports / "json", "--format", "packet", "-o", tmp_path / "file" / "packet"
        )

        assert (2, True) == (ended.exit_code, "cannot be written" in ended.output)


SLOW = """
import os
import time

from dsh_reference.adapter import Adapter


class Slow:
    def __init__(self):
        self._inner = Adapter()
        self._calls = 0

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._inner, name)

    def reset(self, **params):
        self._calls += 1
        if self._calls == 3:
            os.close(os.open(os.environ["STARTED"], os.O_WRONLY))
            time.sleep(60)
        return self._inner.reset(**params)
"""


class TestInterrupted:
    """
    A run that ends before its time.
    """

    @pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
    def test_leaves_an_incomplete_report(self, tmp_path, scenarios, sent):
        """
        However it is ended, the report is whole JSON, and says that it is incomplete.
        """
        (tmp_path / "slow.py").write_text(SLOW, "utf-8")
        path = tmp_path / "run.json"
        script = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); "
        script += "from dsh_conformance.cli import main; main()"
        command = [sys.executable, "-c", script, "run", "--adapter", "slow:Slow"]
        command += ["--scenarios", str(scenarios), "--report", f"json={path}"]
        started = tmp_path / "started"
        os.mkfifo(started)
        run = subprocess.Popen(command, env={**os.environ, "STARTED": str(started)})
        started.read_bytes()
        run.send_signal(sent)
        run.wait(timeout=30)
        data = json.loads(path.read_text("utf-8"))

        assert not data["complete"]
        assert data["incompleteReason"]
        assert 0 != run.returncode
        assert [] == list(tmp_path.glob(".run.json.*"))
        assert 0 == invoke("report", path).exit_code

    def test_fail_fast(self, tmp_path, scenarios):
        """
        A run that stops at its first failure is incomplete, too.
        """
        path = tmp_path / "run.json"
        invoke(
            *("run", "--adapter", PLANTED, "--scenarios", scenarios),
            *("--fail-fast", "--report", f"json={path}"),
        )
        data = json.loads(path.read_text("utf-8"))

        assert "stopped at the first failure" == data["incompleteReason"]
        assert 1 == len(data["cases"])
