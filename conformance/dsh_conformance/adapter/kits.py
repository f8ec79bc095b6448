"""
Starter kits: a small adapter to begin with, for each of several languages.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from dsh_conformance.errors import UsageError

README = "README.md"
NEXT_STEPS = "next-steps.md"
# What a toolchain leaves in a kit's folder.
LEFT_BY_TOOLS = ("__pycache__", "node_modules", "target", "build", "bin", "obj", "*.pyc")


@dataclass(frozen=True, slots=True)
class Kit:
    """
    How a kit is built and started, as argument lists within its folder.
    """

    start: tuple[str, ...]
    build: tuple[str, ...] = ()


KITS = {
    "python": Kit(("python3", "adapter.py")),
    "node": Kit(("node", "adapter.mjs")),
    "typescript": Kit(("node", "adapter.mts")),
    "rust": Kit(("target/release/dsh-adapter",), ("cargo", "build", "--release")),
    "go": Kit(("./dsh-adapter",), ("go", "build", "-o", "dsh-adapter", ".")),
    "csharp": Kit(
        ("dotnet", "build/Adapter.dll"),
        ("dotnet", "build", "--configuration", "Release", "--output", "build"),
    ),
}


def write_kit(language: str, kits: Path, folder: Path) -> list[Path]:
    """
    Write a language's kit into a folder and return its files, relative to it.

    Args:
        language: A key of `KITS`.
        kits: The folder of all kits.
        folder: A folder that is empty or does not exist.

    Raises:
        UsageError: There is something already, or it cannot be written.
    """
    _check_room(folder)
    try:
        shutil.copytree(
            kits / language,
            folder,
            ignore=shutil.ignore_patterns(*LEFT_BY_TOOLS),
            dirs_exist_ok=True,
        )
        with (folder / README).open("a", encoding="utf-8") as readme:
            readme.write("\n" + (kits / NEXT_STEPS).read_text("utf-8"))
    except OSError as error:
        raise UsageError(
            f"the kit cannot be written: {error.strerror}", "DIR", value=str(folder)
        ) from error
    return sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())


def _check_room(folder: Path) -> None:
    if not folder.exists():
        return
    if not folder.is_dir():
        raise UsageError("there is a file of this name", "DIR", value=str(folder), hint=_ROOM)
    if any(folder.iterdir()):
        raise UsageError("the folder is not empty", "DIR", value=str(folder), hint=_ROOM)


_ROOM = "name a new or an empty folder; nothing is ever overwritten"
