"""
What the model is shown, as small text files that a review can read.

From a repository of your own, with plain pytest and the `snapshot` extra::

    import pytest
    from dsh_conformance.snapshot import check, tour


    @pytest.mark.parametrize("surface", tour("node my-adapter.mjs"), ids=str)
    def test_model_text(surface, snapshot):
        check(surface, snapshot)
"""

from __future__ import annotations

from dsh_conformance.snapshot.checking import check
from dsh_conformance.snapshot.surfaces import Surface
from dsh_conformance.snapshot.touring import tour

__all__ = ["Surface", "check", "tour"]
