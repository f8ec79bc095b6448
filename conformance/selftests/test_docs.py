"""
The pages of `docs/`: what they show works, what is generated is current, and links lead somewhere.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from dsh_conformance.contract.documents import parse_document
from dsh_conformance.report.contract_pages import write_pages

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
BLOCK = re.compile(r"(<!-- not run: [^\n]+ -->\n)?```(\w+)\n(.*?)```", re.DOTALL)
# Every page of commands is played in a folder with an adapter of this name.
ADAPTER = "my-adapter.mjs"
BASH = shutil.which("bash") or "sh"
SHIM = '#!/bin/sh\nexec {python} -m {module} "$@"\n'


def page_id(page):
    """
    Return a page's path as its id.
    """
    return str(page.relative_to(ROOT))


def blocks(page, language):
    """
    Return the code blocks of a language on a page that are meant to be run.
    """
    found = BLOCK.findall(page.read_text("utf-8"))
    return [body for not_run, kind, body in found if kind == language and not not_run]


def commands(page):
    """
    Return the command lines on a page, continued lines joined, comments left out.
    """
    joined = "\n".join(blocks(page, "console")).replace("\\\n", " ")
    return [line for line in joined.split("\n") if line.strip()]


@pytest.fixture
def desk(tmp_path):
    """
    A folder as a reader's: the commands on the path, an adapter, and the official packages' folder.
    """
    folder = tmp_path
    (folder / "bin").mkdir()
    for name, module in {"dsh-conformance": "dsh_conformance.cli", "pytest": "pytest"}.items():
        shim = folder / "bin" / name
        shim.write_text(SHIM.format(python=shlex.quote(sys.executable), module=module))
        shim.chmod(0o755)
    relay = (
        "import {spawn} from 'node:child_process';"
        f"spawn({sys.executable!r}, ['-m', 'dsh_reference'], {{stdio: 'inherit'}})"
        ".on('exit', (code) => process.exit(code ?? 1));\n"
    )
    (folder / ADAPTER).write_text(relay)
    (folder / "conformance").symlink_to(ROOT / "conformance")
    (folder / "fixtures").symlink_to(ROOT / "fixtures")
    return folder


@pytest.fixture
def run_line(desk):
    """
    Return a function that runs one line as the reader would.
    """
    path = [str(ROOT / "conformance"), str(ROOT / "reference")]
    environment = {
        **os.environ,
        "PATH": f"{desk / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": ":".join([*path, os.environ.get("PYTHONPATH", "")]),
    }
    return lambda line: subprocess.run(
        [BASH, "-c", line], cwd=desk, env=environment, capture_output=True, text=True, check=False
    )


class TestCommands:
    """
    Command lines shown to readers.
    """

    @pytest.mark.parametrize("page", PAGES, ids=page_id)
    def test_commands_run(self, page, run_line):
        """
        Every command on a page runs, from the first to the last, in a reader's folder.
        """
        for line in commands(page):
            done = run_line(line)

            assert 0 == done.returncode, f"{line}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"


class TestSnippets:
    """
    YAML shown to readers.
    """

    @pytest.mark.parametrize("page", PAGES, ids=page_id)
    def test_yaml_parses(self, page):
        """
        Every YAML block is YAML as the suite reads it.
        """
        for body in blocks(page, "yaml"):
            # Lists of alternatives stand one a line, as separate documents would.
            parts = body.split("\n\n") if "\n\n" in body else [body]
            for part in parts:
                if not part.lstrip().startswith(("{", "#")):
                    parse_document(page, part)


class TestContractPages:
    """
    The pages made from the clauses.
    """

    def test_are_current(self):
        """
        The committed pages are what the clauses and scenarios make today.
        """
        stale = [
            path.name
            for path, text in write_pages(DOCS / "contract").items()
            if not path.is_file() or path.read_text("utf-8") != text
        ]

        assert [] == stale, "run `python conformance/site/pages.py`"


class TestSite:
    """
    The pages as a site.
    """

    def test_builds_without_a_warning(self, tmp_path):
        """
        Every link leads somewhere and every page of the navigation exists.
        """
        pytest.importorskip("mkdocs", reason="needs mkdocs")
        config = str(ROOT / "conformance" / "site" / "mkdocs.yml")
        command = [sys.executable, "-m", "mkdocs", "build", "--strict"]
        done = subprocess.run(
            [*command, "-f", config, "-d", str(tmp_path / "site")],
            capture_output=True,
            text=True,
            check=False,
        )

        assert 0 == done.returncode, done.stderr

    def test_every_page_is_in_the_navigation(self):
        """
        No page is left out of the site's navigation.
        """
        config = yaml.safe_load((ROOT / "conformance" / "site" / "mkdocs.yml").read_text("utf-8"))
        named = set(re.findall(r"[\w/-]+\.md", str(config["nav"])))
        pages = {str(path.relative_to(DOCS)) for path in DOCS.glob("*.md")}

        assert set() == pages - named

    def test_needs_no_network(self, tmp_path):
        """
        No page of the site loads anything from elsewhere.
        """
        pytest.importorskip("mkdocs", reason="needs mkdocs")
        config = str(ROOT / "conformance" / "site" / "mkdocs.yml")
        command = [sys.executable, "-m", "mkdocs", "build", "-q", "-f", config]
        subprocess.run([*command, "-d", str(tmp_path)], capture_output=True, check=True)
        loads = re.compile(r"<(?:script|link|img)[^>]+(?:src|href)=\"https?://[^\"]+\"")
        found = {
            match
            for page in tmp_path.rglob("*.html")
            for match in loads.findall(page.read_text("utf-8"))
        }

        assert set() == found
