"""
A pytest plugin for CI: a skipped test fails, unless it needs a tool that really is not there.

Loaded by `-p no_skips`, so that it also holds for tests beside these.
"""

from __future__ import annotations

import re
import shutil

import pytest

_NEEDS = re.compile(r"(?:Skipped: )?needs (\S+)")


def allowed(reason):
    """
    Return whether a reason for skipping is `needs <tool>`, and the tool is not there.
    """
    match = _NEEDS.fullmatch(reason)
    return match is not None and shutil.which(match[1]) is None


def _fail_if_skipped(report):
    if report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if not allowed(reason):
            report.outcome = "failed"
            report.longrepr = f"skipped where nothing may be skipped: {reason}"
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport():
    """
    Look at each test's report.
    """
    return _fail_if_skipped((yield))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report():
    """
    Look at each module's report.
    """
    return _fail_if_skipped((yield))
