"""
The state folder of a case, as the runner sees it.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from dsh_conformance.scenario.patterns import ABSENT

# A state file is a few kilobytes; one that an implementation lets grow must not fill the memory.
SIZE_LIMIT = 8 << 20


class LeadsOutside(OSError):
    """
    A path leaves the case's folder: by a name in it, or by a link that the implementation made.
    """

    def __init__(self, path: str) -> None:
        super().__init__(f"the path leaves the case's folder: {path}")


class Workspace:
    """
    A temporary folder with the state folder inside.

    The folder around it lets a case see what leaks out.
    """

    def __init__(self) -> None:
        import tempfile  # noqa: PLC0415  # The first verdict need not wait for it.

        self.outer = Path(tempfile.mkdtemp(prefix="dsh-conformance-"))
        self.state = self.outer / "state"
        self.state.mkdir()

    def close(self) -> None:
        """
        Remove it.
        """
        import shutil  # noqa: PLC0415  # As above.

        shutil.rmtree(self.outer, ignore_errors=True)

    def read(self, path: str, *, as_json: bool) -> Any:
        """
        Return a file's text or JSON, `ABSENT` when there is none, or what is wrong with it.
        """
        place = self._inside(path)
        if not place.is_file():
            return ABSENT
        with place.open("rb") as file:
            text = file.read(SIZE_LIMIT).decode("utf-8", "replace")
        if not as_json:
            return text
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            return f"not JSON ({error}): {text[:200]}"

    def files(self, glob: str) -> list[str]:
        """
        Return the files that a glob finds, relative to the state folder, sorted.
        """
        base, pattern = self.state, glob
        if glob.startswith("../"):
            base, pattern = self.outer, glob.removeprefix("../")
        if ".." in Path(pattern).parts or Path(pattern).is_absolute() or not pattern:
            raise LeadsOutside(glob)
        found = (path for path in base.glob(pattern) if path.is_file() and self._holds(path))
        prefix = "../" if base is self.outer else ""
        return sorted(prefix + path.relative_to(base).as_posix() for path in found)

    def write(self, path: str, *, text: str | None, base64_text: str | None) -> None:
        """
        Write a file, with the folders it needs.
        """
        place = self._inside(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        if base64_text is not None:
            place.write_bytes(base64.b64decode(base64_text))
        else:
            place.write_text(text or "", "utf-8", errors="surrogatepass")

    def _inside(self, path: str) -> Path:
        if "\0" in path:
            raise LeadsOutside(path)
        place = self.state / path
        if not self._holds(place):
            raise LeadsOutside(path)
        return place.resolve()

    def _holds(self, place: Path) -> bool:
        return place.resolve().is_relative_to(self.outer.resolve())
