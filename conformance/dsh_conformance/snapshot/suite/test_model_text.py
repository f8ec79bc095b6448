"""
Every surface of the tour against its snapshot.
"""

from __future__ import annotations

from typing import Any

import pytest

from dsh_conformance.snapshot.checking import check
from dsh_conformance.snapshot.running import SURFACES
from dsh_conformance.snapshot.surfaces import Surface


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """
    Make one test of each surface.
    """
    surfaces = metafunc.config.stash[SURFACES]
    metafunc.parametrize("surface", surfaces, ids=map(str, surfaces))


def test_model_text(surface: Surface, snapshot: Any) -> None:
    """
    What the model is shown is what was recorded.
    """
    check(surface, snapshot)
