"""Running git: what it says is bounded, and what is wrong with it is told."""

import os
import time
from pathlib import Path

import pytest

from bearings.code.project.git.files import git_files
from bearings.code.project.git.history import History
from bearings.code.project.listing import Lister
from bearings.code.project.working_tree import WorkingTree
from bearings.errors import Unsupported
from tests.code.trees import repository
from tests.scripts import python_script

pytestmark = pytest.mark.skipif(os.name != "posix", reason="programs are shell scripts")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path.resolve() / "project", {"a.py": "a\n"})


def program(folder: Path, text: str) -> Path:
    """A git of another text; the folder that PATH is to name."""
    folder.mkdir(parents=True, exist_ok=True)
    python_script(folder / "git", f"import os, sys\n{text}\n")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("text", [
    "while True: os.write(1, b'a.py\\0' * 10_000)",
    "while True: os.write(1, b'x' * 60_000)",
    "while True: os.write(2, b'x' * 60_000)",
], ids=["entries", "output", "errors"])  # fmt: skip
def test_a_git_that_never_ends_is_stopped_long_before_its_time(root, tmp_path, monkeypatch, text):
    monkeypatch.setenv("PATH", str(program(tmp_path / "bin", text)))
    started = time.monotonic()
    assert git_files(root, 120) is None
    assert time.monotonic() - started < 100


def test_errors_before_and_after_the_output_are_heard(root, tmp_path, monkeypatch):
    text = (
        "os.write(2, b\"warning: could not open directory 'one/': Permission denied\\n\")\n"
        "os.write(1, b'a.py\\0')\n"
        "os.write(2, b\"warning: could not open directory 'two/': Permission denied\\n\")\n"
    )
    for folder in ("one", "two"):
        (root / folder).mkdir()
    monkeypatch.setenv("PATH", str(program(tmp_path / "bin", text)))
    found = git_files(root, 60)
    assert found is not None
    assert (found.files, found.unreadable) == ([b"a.py"], [b"one/", b"two/"])


def test_a_process_that_git_leaves_behind_is_not_waited_for(root, tmp_path, monkeypatch):
    text = (
        "import subprocess\nos.write(1, b'a.py\\0')\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(50)'], stdout=subprocess.DEVNULL)\n"
    )
    monkeypatch.setenv("PATH", str(program(tmp_path / "bin", text)))
    started = time.monotonic()
    assert git_files(root, 40) is not None
    assert time.monotonic() - started < 30


def test_a_git_inside_the_project_is_said_to_be_the_reason(root, tmp_path, monkeypatch):
    inside = program(root / "bin", "sys.exit(1)")
    monkeypatch.setenv("PATH", str(inside))
    with pytest.raises(Unsupported, match="inside the project"):
        History(root).commit("HEAD")
    monkeypatch.setenv("PATH", str(tmp_path / "none"))
    with pytest.raises(Unsupported, match="not installed"):
        History(root).commit("HEAD")


@pytest.mark.parametrize("has_home", [True, False])
@pytest.mark.parametrize("rules", ["~nobodyx/ignore", "~/ignored", "a\\0b", "/", "/dev/null"])
def test_settings_of_the_users_own_that_name_no_file_are_passed_over(root, tmp_path, monkeypatch, has_home, rules):
    (tmp_path / "home").mkdir()
    (tmp_path / "home/.gitconfig").write_text(f'[core]\n\texcludesFile = "{rules}"\n')
    monkeypatch.setenv("HOME", str(tmp_path / "home") if has_home else "")
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    assert Lister(root).list().paths == ("a.py",)


def test_the_users_own_rules_are_obeyed(root, tmp_path, monkeypatch):
    (tmp_path / "home").mkdir()
    (tmp_path / "home/.gitconfig").write_text("[core]\n\texcludesFile = ~/mine\n")
    (tmp_path / "home/mine").write_text("new.py\n")
    (root / "new.py").write_text("x")
    (root / "other.py").write_text("x")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    assert Lister(root).list().paths == ("a.py", "other.py")


def test_reports_are_not_looked_for_through_links(root, tmp_path):
    from bearings.code.project.reports import find_reports

    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/lcov.info").write_text("SF:a.py\n")
    (root / "coverage").symlink_to(tmp_path / "outside")
    (root / "reports").mkdir()
    (root / "reports/lcov.info").write_text("SF:a.py\nDA:1,1\n")
    assert [report.path for report in find_reports(WorkingTree(root), ["lcov.info"], 1_000)] == ["reports/lcov.info"]
