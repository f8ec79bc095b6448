"""
One surface against its snapshot.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff
from typing import Any

import pytest

from dsh_conformance.snapshot.surfaces import Surface
from dsh_conformance.snapshot.tokens import change


def check(surface: Surface, snapshot: Any) -> None:
    """
    Fail the test, with a diff and what the change costs, unless the surface is as its snapshot.

    Args:
        surface: What the model is shown now.
        snapshot: syrupy's fixture.
    """
    from dsh_conformance.snapshot.extension import SurfaceExtension  # noqa: PLC0415  # An extra.

    assertion = snapshot.use_extension(SurfaceExtension)
    if assertion(name=surface.name) == surface.text:
        return
    before = assertion.executions[0].recalled_data
    pytest.fail("\n".join(story(surface, before)), pytrace=False)


def story(surface: Surface, before: str | None) -> Iterator[str]:
    """
    Yield what became of a text: how its length changed, and line by line.
    """
    if before is None:
        yield f"{surface.name}: new, {change('', surface.text)}"
        return
    yield f"{surface.name}: {change(before, surface.text)}"
    old, new = before.splitlines(), surface.text.splitlines()
    yield from unified_diff(old, new, "recorded", "now", lineterm="", n=2)
