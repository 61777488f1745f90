"""The parts that read git: configuration, lines that differ, files that are alike, names of refs."""

import random
import subprocess
import threading
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.code.project.git.config import variables
from bearings.code.project.git.hunks import hunks, lines, renamed
from bearings.code.project.git.object_store import check_objects
from bearings.code.project.git.plumbing import GitFails, objects
from bearings.code.project.git.repository import Refused, find, read
from tests.code.trees import git, repository


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[core]\n\tbare = false\n", {"core.bare": "false"}),
        ("[CORE] Bare=TRUE ; comment\n", {"core.bare": "TRUE"}),
        ("[core]\nbare\n", {"core.bare": "true"}),
        ('[core]\nx = "a # b" # c\n', {"core.x": "a # b"}),
        ('[core]\nx = "a\\"b\\\\c\\td"\n', {"core.x": 'a"b\\c\td'}),
        ("[core]\nx = one \\\n two\n", {"core.x": "one  two"}),
        ("[core]\r\nx = 1\r\n", {"core.x": "1"}),
        ("# [core]\nx = 1\n", {}),
        ('[remote "x"]\nurl = u\n[core]\ny = 1\n', {"core.y": "1"}),
        ("[core]\nx = 1\nx = 2\n", {"core.x": "2"}),
        ("\ufeff[core]\nx = 1\n", {"core.x": "1"}),
        ("[[[\n= =\n\0", {}),
    ],
)
def test_a_configuration_is_read(text, expected):
    assert variables(text.encode()) == expected


@pytest.mark.parametrize(
    "value", ["plain", "with space", 'quo"te', "back\\slash", "semi;colon", "hash#", " padded ", "tab\t"]
)
def test_values_are_read_as_git_writes_them(tmp_path, value):
    file = tmp_path / "config"
    subprocess.run(["git", "config", "--file", str(file), "a.b", value], check=True)
    assert variables(file.read_bytes()) == {"a.b": value}


@given(st.binary(max_size=300))
def test_no_configuration_is_an_error(data):
    variables(data)


texts = st.lists(st.sampled_from([b"a", b"b", b"c", b"", b"}"]), max_size=12).map(b"\n".join)


@given(texts, texts)
def test_hunks_turn_one_version_into_the_other(old, new):
    before, after = lines(old), lines(new)
    made, place = [], 0
    for hunk in hunks(old, new):
        assert hunk.old_count or hunk.new_count
        made += before[place : hunk.old_start - 1]
        made += after[hunk.new_start - 1 : hunk.new_start - 1 + hunk.new_count]
        place = hunk.old_start - 1 + hunk.old_count
    assert made + before[place:] == after


def test_versions_that_are_too_long_to_compare_are_one_hunk():
    drawn = random.Random(1)
    old, new = (b"\n".join(b"%d" % drawn.random().__hash__() for _ in range(30_000)) for _ in range(2))
    (hunk,) = hunks(b"same\n" + old, b"same\n" + new)
    assert hunk == (2, 30_000, 2, 30_000)


def test_files_are_alike_by_their_lines():
    old = {"a.py": b"1\n2\n3\n4\n", "b.py": b"x\ny\nz\nw\n", "empty": b""}
    new = {"c.py": b"x\ny\nz\n0\n", "d/a.py": b"1\n2\n3\n4\n5\n", "e.py": b"none of it\n", "empty2": b""}
    assert renamed(old, new).old_by_new == {"c.py": "b.py", "d/a.py": "a.py"}


def test_one_file_is_renamed_once_to_the_most_alike():
    assert renamed({"a": b"1\n2\n3\n"}, {"b": b"1\n2\n3\n4\n", "c": b"1\n2\n3\n"}).old_by_new == {"c": "a"}
    assert renamed({"x/n": b"1\n2\n", "y/m": b"1\n2\n"}, {"z/m": b"1\n2\n"}).old_by_new == {"z/m": "y/m"}


def test_what_git_can_not_read_is_an_error(tmp_path):
    found = find(repository(tmp_path.resolve(), {"a": "a"}))
    assert found is not None
    with pytest.raises(GitFails):
        objects(found, ["ls-tree", "0" * 40], 5)


def test_a_file_of_a_git_directory_is_read_through_no_link(tmp_path):
    root = repository(tmp_path.resolve() / "r", {"a": "a"})
    directory = root / ".git"
    (directory / "link").symlink_to("HEAD")
    (directory / "away").symlink_to(tmp_path)
    assert (read(directory, "HEAD") or b"").startswith(b"ref: refs/heads/")
    assert read(directory, "HEAD", 3) is None
    assert [read(directory, path) for path in ("link", "away/r/a", "refs", "none", "../a", "\0")] == [None] * 6


def test_a_git_directory_behind_a_link_must_name_the_project(tmp_path):
    base = tmp_path.resolve()
    victim = repository(base / "victim", {"secret.py": "s"})
    (base / "project").mkdir()
    (base / "project/.git").symlink_to(victim / ".git")
    with pytest.raises(Refused, match="name this folder"):
        find(base / "project")
    git(victim, "config", "core.worktree", str(base / "project"))
    assert find(base / "project") is not None


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (".git/commondir", b"a\0b\n"),
        (".git/commondir", b"/" + b"a/" * 5_000),
        (".git", b"gitdir: a\0b\n"),
        (".git", b"gitdir: " + b"a/" * 4_000),
        (".git/config", b"[core]\nworktree = a\0b\n"),
        (".git/objects/info/alternates", b"a\0b\n"),
        (".git/objects/info/alternates", b"/" + b"a/" * 5_000),
    ],
)
def test_a_git_directory_that_names_no_path_is_refused_or_none(tmp_path, file, text):
    root = repository(tmp_path / "project", {"a.py": "x = 1\n"}).resolve()
    if file == ".git":
        (root / ".git").rename(root / "moved")
    (root / file).write_bytes(text)
    with suppress(Refused):
        found = find(root, (tmp_path.resolve(),))
        assert found is not None
        check_objects(found, (tmp_path.resolve(),))


@pytest.mark.slow
def test_a_project_that_goes_while_it_is_looked_at_is_no_repository(tmp_path):
    root = repository(tmp_path / "project", {"a.py": "x = 1\n"}).resolve()
    over = threading.Event()

    def move() -> None:
        while not over.is_set():
            root.rename(tmp_path / "away")
            (tmp_path / "away").rename(root)

    mover = threading.Thread(target=move)
    mover.start()
    try:
        for _ in range(2_000):
            with suppress(Refused):
                find(root, (tmp_path.resolve(),))
    finally:
        over.set()
        mover.join()
