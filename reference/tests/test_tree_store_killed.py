"""
State files of a process that is killed while it writes.
"""

import json
import subprocess
import sys

import pytest

WRITES = 1000
# Each kill lands wherever the process happens to be in the write that it had announced.
KILLS = range(100, WRITES + 1, 100)
TITLES = ("old" * 2000, "new" * 4000)

WRITER = f"""
import sys
from pathlib import Path
from dsh_reference.tree import plan as ops
from dsh_reference.tree.model import LastIds
from dsh_reference.tree.plan import Draft
from dsh_reference.tree.store import Store

store = Store(Path(sys.argv[1]), lambda: 9)
plans = [
    ops.add_goal(None, Draft(title), tasks=[Draft("t")], last=LastIds(), now=1).plan
    for title in {TITLES!r}
]
for number in range({WRITES}):
    print(number, flush=True)
    store.save_plan("s", plans[number % 2])
print("done", flush=True)
"""


def killed_after(lines, state):
    """
    Run the writer and kill it once it has announced so many writes.
    """
    command = [sys.executable, "-c", WRITER, str(state)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
        for _ in range(lines):
            assert writer.stdout.readline().strip().isdigit()
        writer.kill()


class TestKilledWriter:
    """
    A plan file, whatever became of its writer.
    """

    @pytest.mark.parametrize("lines", KILLS)
    def test_leaves_an_old_or_a_new_file(self, lines, tmp_path):
        """
        A kill at any of a thousand writes leaves one whole plan, the old or the new.
        """
        killed_after(lines, tmp_path)
        stored = json.loads((tmp_path / "plans" / "s.json").read_text("utf-8"))

        assert stored["goals"][0]["title"] in TITLES

    def test_a_later_writer_is_not_hindered(self, tmp_path):
        """
        What a killed writer left lying about stops no later write.
        """
        killed_after(7, tmp_path)
        command = [sys.executable, "-c", WRITER, str(tmp_path)]
        output = subprocess.run(command, capture_output=True, check=True).stdout

        assert output.endswith(b"done\n")
