"""
A pytest plugin that runs the tests in the random order of a seed, the same for every worker.
"""

from __future__ import annotations

import random

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """
    Add the seed.
    """
    parser.addoption("--order-seed", type=int, default=0, help="seed of the order")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """
    Shuffle.
    """
    random.Random(config.getoption("--order-seed")).shuffle(items)  # noqa: S311  # An order, no secret.
