"""
Starter kits: what `new-adapter` writes works as it is.
"""

import shutil
import subprocess

import pytest
from click.testing import CliRunner

from dsh_conformance.adapter.kits import KITS
from dsh_conformance.commands.doctor import doctor
from dsh_conformance.commands.new_adapter import LANGUAGES, new_adapter
from dsh_conformance.paths import kits_root

MOST_LINES = 150
CODE = {".py", ".mjs", ".mts", ".rs", ".go", ".cs"}
BUILD_SECONDS = 120
# The first Node that runs TypeScript as it is.
TYPES_STRIPPED_SINCE = (22, 18)
COMPILE = ("tsc", "--target", "es2022", "--module", "nodenext", "adapter.mts")


def written(language, folder):
    """
    Write a kit and return the command's exit status and output.
    """
    result = CliRunner().invoke(new_adapter, [language, str(folder)])
    return result.exit_code, result.output


def node_version():
    """
    Return the version of Node as numbers.
    """
    told = subprocess.run(
        [shutil.which("node"), "--version"], capture_output=True, text=True, check=True
    )
    return tuple(int(part) for part in told.stdout.strip().lstrip("v").split("."))


def missing_tool(language):
    """
    Say why a kit cannot be tried here, or return None.
    """
    kit = KITS[language]
    for tool in {kit.start[0], *kit.build[:1]}:
        if "/" not in tool and shutil.which(tool) is None:
            return f"needs {tool}"
    if language == "typescript" and not runs_types() and shutil.which("tsc") is None:
        return "needs tsc"
    return None


def runs_types():
    """
    Whether Node runs TypeScript as it is.
    """
    return node_version() >= TYPES_STRIPPED_SINCE


def command_in(folder, language):
    """
    Build a kit and return the command line that starts it from anywhere.
    """
    kit = KITS[language]
    if language == "typescript" and not runs_types():
        # Without Node's type declarations it complains, and compiles all the same.
        subprocess.run(COMPILE, cwd=folder, check=False, timeout=BUILD_SECONDS)
        return f"node {folder / 'adapter.mjs'}"
    if kit.build:
        subprocess.run(kit.build, cwd=folder, check=True, timeout=BUILD_SECONDS)
    return " ".join(str(folder / part) if (folder / part).exists() else part for part in kit.start)


@pytest.fixture(scope="module")
def built_kits(tmp_path_factory):
    """
    Build each kit once, and skip those whose tools are not here.
    """
    commands = {}

    def command_of(language):
        reason = missing_tool(language)
        if reason is not None:
            pytest.skip(reason)
        if language not in commands:
            folder = tmp_path_factory.mktemp(language)
            written(language, folder)
            commands[language] = command_in(folder, language)
        return commands[language]

    return command_of


class TestKitsWork:
    """
    A kit is an adapter from the first minute.
    """

    @pytest.mark.parametrize("edition", ["2026-08", "0.1.0-rc.8"])
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_a_kit_passes_the_doctor(self, language, edition, built_kits):
        """
        Built and started, it has nothing to fix, and is told how to go on.
        """
        command = built_kits(language)

        result = CliRunner().invoke(doctor, ["--adapter", command, "--edition", edition])

        assert (0, True) == (result.exit_code, "Nothing to fix." in result.output), result.output
        assert "todo   not declared. To begin: write" in result.output

    def test_the_python_kit_runs_in_process_too(self, tmp_path, monkeypatch):
        """
        The class of the Python kit needs no process of its own.
        """
        written("python", tmp_path / "mine")
        shutil.move(tmp_path / "mine" / "adapter.py", tmp_path / "kit_in_process.py")
        monkeypatch.syspath_prepend(tmp_path)

        result = CliRunner().invoke(doctor, ["--adapter", "kit_in_process:Adapter"])

        assert result.exit_code == 0, result.output


class TestKitsAreSmall:
    """
    A kit fits in one look.
    """

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_no_kit_has_more_than_150_lines(self, language):
        """
        All its code together stays within the limit.
        """
        files = [path for path in (kits_root() / language).rglob("*") if path.suffix in CODE]
        lines = sum(len(path.read_text("utf-8").splitlines()) for path in files)

        assert 0 < lines <= MOST_LINES

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_every_kit_shows_where_to_write(self, language):
        """
        The places for the implementation's own calls are marked.
        """
        texts = [
            path.read_text("utf-8")
            for path in (kits_root() / language).rglob("*")
            if path.suffix in CODE
        ]

        assert sum(text.count("WRITE HERE") for text in texts) == 2

    def test_the_table_of_languages_is_the_commands(self):
        """
        The command offers exactly the kits there are.
        """
        folders = {path.name for path in kits_root().iterdir() if path.is_dir()}

        assert folders == set(LANGUAGES) == set(KITS)


class TestWriting:
    """
    `new-adapter` writes into room of its own, and says what it did.
    """

    def test_it_names_the_files_and_the_next_commands(self, tmp_path):
        """
        What was written and what to type next is on the screen.
        """
        status, output = written("rust", tmp_path / "deep" / "mine")

        assert status == 0
        assert f"wrote {tmp_path / 'deep' / 'mine' / 'src' / 'main.rs'}" in output
        assert "cargo build --release" in output
        assert "dsh-conformance doctor --adapter target/release/dsh-adapter" in output

    def test_the_readme_ends_with_the_next_steps(self, tmp_path):
        """
        Each kit's page says how to start it and how to go on.
        """
        written("node", tmp_path / "mine")

        readme = (tmp_path / "mine" / "README.md").read_text("utf-8")

        assert readme.startswith("# An adapter in JavaScript")
        assert "## Next steps" in readme

    def test_an_empty_folder_is_room_enough(self, tmp_path):
        """
        A folder that exists and is empty is written into.
        """
        status, _ = written("python", tmp_path)

        assert (0, True) == (status, (tmp_path / "adapter.py").is_file())

    def test_a_folder_with_anything_in_it_is_left_alone(self, tmp_path):
        """
        One clear message, status 2, and nothing is written.
        """
        (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")

        status, output = written("python", tmp_path)

        assert status == 2
        assert output.startswith("error: DIR: the folder is not empty\n")
        assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]

    def test_a_file_in_the_place_is_left_alone(self, tmp_path):
        """
        A file of that name is no folder to write into.
        """
        (tmp_path / "mine").write_text("mine", encoding="utf-8")

        status, output = written("python", tmp_path / "mine")

        assert (2, True) == (status, "there is a file of this name" in output)

    def test_an_unknown_language_names_the_known_ones(self, tmp_path):
        """
        A language without a kit is a mistake on the command line.
        """
        status, output = written("cobol", tmp_path / "mine")

        assert (2, True) == (status, "csharp" in output)
