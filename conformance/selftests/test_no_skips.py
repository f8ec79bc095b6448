"""
Nothing is skipped in CI, but for a tool that is not there.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

TESTS = """\
import pytest

def test_passes():
    pass

@pytest.mark.skip(reason="I am tired")
def test_marked():
    pass

def test_needs_missing():
    pytest.skip("needs no-such-tool-here")

def test_needs_present():
    pytest.skip("needs sh")

@pytest.mark.xfail
def test_expected():
    assert False
"""


@pytest.mark.parametrize(
    ("options", "outcome"),
    [
        ([], "1 passed, 3 skipped, 1 xfailed"),
        (["-p", "no_skips"], "1 failed, 1 passed, 1 skipped, 1 xfailed, 1 error"),
    ],
    ids=["without", "with"],
)
def test_plugin(tmp_path, environment, request, options, outcome):
    """
    A skipped test fails unless it needs a tool that is not found.
    """
    (tmp_path / "test_some.py").write_text(TESTS, "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", ".", *options],
        cwd=tmp_path,
        env={**environment(), "PYTHONPATH": str(request.path.parent)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert outcome in done.stdout


def test_module(tmp_path, environment, request):
    """
    So does a module that is skipped as a whole.
    """
    (tmp_path / "test_some.py").write_text(
        "import pytest\npytest.skip('not today', allow_module_level=True)\n", "utf-8"
    )
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "no:cacheprovider",
            "--rootdir",
            ".",
            "-p",
            "no_skips",
        ],
        cwd=tmp_path,
        env={**environment(), "PYTHONPATH": str(request.path.parent)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert "skipped where nothing may be skipped: Skipped: not today" in done.stdout
    assert 0 != done.returncode
