"""The project of a call, by a relative path, a URI, or no path."""

from pathlib import Path

import pytest

from bearings.caller import Caller, calling
from bearings.code.project.roots import ProjectRoots
from bearings.errors import InvalidInput


@pytest.fixture
def home(tmp_path: Path, monkeypatch) -> Path:
    """A directory with two projects, in which the server was started."""
    base = tmp_path.resolve() / "home"
    for name in ("app", "lib", "work/app"):
        (base / name / "src").mkdir(parents=True)
    monkeypatch.chdir(base / "lib")
    return base


def test_an_absolute_path_is_taken_as_it_is(home: Path):
    assert ProjectRoots().locate(str(home / "app")) == (str(home / "app"), "")


def test_a_uri_is_a_path(home: Path):
    path = home / "my app"
    assert ProjectRoots().locate(path.as_uri()) == (str(path), "")


def test_nothing_is_the_clients_root(home: Path):
    path, note = ProjectRoots().locate(None, [home / "app"])
    assert path == str(home / "app")
    assert note == f"no project_path was passed: this is {str(home / 'app')!r}, from the client's roots"


@pytest.mark.parametrize("given", [None, "", ".", "./"])
def test_without_roots_it_is_the_working_directory(home: Path, given: str | None):
    path, note = ProjectRoots().locate(given)
    assert path == str(home / "lib")
    assert note.endswith("from the working directory")


def test_a_relative_path_starts_from_a_root_where_it_leads_somewhere(home: Path):
    assert ProjectRoots().locate("src", [home / "app"])[0] == str(home / "app" / "src")
    assert ProjectRoots().locate("app", [home])[0] == str(home / "app")
    assert ProjectRoots().locate("app", [home / "app"])[0] == str(home / "app")
    assert ProjectRoots().locate("../app")[0] == str(home / "app")


def test_several_roots_are_not_guessed_between(home: Path):
    both = [home / "app", home / "lib"]
    with pytest.raises(InvalidInput, match="may be any of 2") as caught:
        ProjectRoots().locate(None, both)
    assert str(both[0]) in caught.value.hint
    with pytest.raises(InvalidInput, match="may be any of 2"):
        ProjectRoots().locate("src", both)
    assert ProjectRoots().locate("lib", both)[0] == str(home / "lib")


def test_what_leads_nowhere_is_refused(home: Path):
    for given in ("nowhere", "\0", "a" * 5000):
        with pytest.raises(InvalidInput, match="no such directory is known"):
            ProjectRoots().locate(given, [home / "app"])


def test_the_root_of_the_file_system_is_no_project(monkeypatch):
    monkeypatch.chdir("/")
    with pytest.raises(InvalidInput, match="is required"):
        ProjectRoots().locate(None)
    monkeypatch.setenv("HOME", "/usr")
    monkeypatch.chdir("/usr")
    with pytest.raises(InvalidInput, match="is required"):
        ProjectRoots().locate(None)


def test_only_what_may_be_read_is_meant(home: Path):
    held = ProjectRoots([home / "app"])
    assert held.locate(None, [home / "lib"]) == (
        str(home / "app"),
        f"no project_path was passed: this is {str(home / 'app')!r}, the directory that may be read",
    )
    with calling(Caller("alice", (home / "work",))):
        assert ProjectRoots().locate(None, [home / "app"])[0] == str(home / "work")
        assert ProjectRoots().locate("app", [home])[0] == str(home / "work" / "app")


def test_a_home_is_the_users_only_where_anything_may_be_read(home: Path, monkeypatch):
    monkeypatch.setenv("HOME", str(home))
    assert ProjectRoots().locate("~/app") == (str(home / "app"), "")
    with pytest.raises(InvalidInput):
        ProjectRoots([home]).locate("~/app")
    with pytest.raises(InvalidInput):
        ProjectRoots().locate("~nobody-of-that-name/app")
