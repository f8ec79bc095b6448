"""
Where the data lies: inside the wheel, or beside the package in a checkout.
"""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
CHECKOUT = PACKAGE.parents[1]


def data_root(name: str) -> Path:
    """
    Return the folder of `spec` or `fixtures` that belongs to this installation.
    """
    installed = PACKAGE / name
    return installed if installed.is_dir() else CHECKOUT / name


def spec_root() -> Path:
    """
    The folder of clauses, editions and schemas.
    """
    return data_root("spec")


def fixtures_root() -> Path:
    """
    The folder of scenarios.
    """
    return data_root("fixtures")


def kits_root() -> Path:
    """
    The folder of starter kits for new adapters.
    """
    installed = PACKAGE / "starter-kits"
    return installed if installed.is_dir() else CHECKOUT / "conformance/adapters/starter-kits"
