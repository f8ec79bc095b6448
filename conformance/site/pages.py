"""
Makes the pages of `docs/contract/`: `python conformance/site/pages.py`.
"""

from __future__ import annotations

from pathlib import Path

from dsh_conformance.report.contract_pages import write_pages

FOLDER = Path(__file__).parents[2] / "docs" / "contract"

if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path, text in write_pages(FOLDER).items():
        path.write_text(text, "utf-8")
        print(path.relative_to(FOLDER.parents[1]))
