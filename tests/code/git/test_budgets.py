"""How much a comparison reads, keeps and compares, whatever a work tree holds."""

import os
from pathlib import Path

import pytest

from bearings.code.project.git.comparing import CommitFile, WorkTree
from bearings.code.project.git.history import History
from bearings.code.project.git.hunks import Hunk, Room, hunks, renamed
from bearings.code.project.git.repository import find
from bearings.code.project.git.worktree import Content, read_index
from tests.code.trees import git, repository, write


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path.resolve() / "project", {"a.py": "a\n", "b.py": "b\n", "c.py": "c\n"})


def work_tree(root: Path, max_bytes: int = 1_000, max_loaded: int = 10_000, max_hashed: int = 10_000) -> WorkTree:
    """The work tree beside the index, as if that were the commit."""
    found = find(root)
    assert found is not None
    index = read_index(found, root, 10)
    before = {path: CommitFile(entry.mode, entry.object) for path, entry in index.tracked.items()}
    return WorkTree(root, found.format, before, index, max_bytes, max_loaded=max_loaded, max_hashed=max_hashed)


def many(word: str, files: int, lines: int) -> dict[str, bytes]:
    """Files that share no line with another's."""
    return {
        f"{word}{number}": b"".join(b"%s %d %d\n" % (word.encode(), number, line) for line in range(lines))
        for number in range(files)
    }


@pytest.mark.slow
def test_renames_are_looked_for_as_far_as_there_is_time():
    few = renamed(many("old", 20, 200), many("new", 20, 200))
    assert (few.old_by_new, few.all) == ({}, True)
    assert not renamed(many("old", 300, 200), many("new", 300, 200)).all


@pytest.mark.slow
@pytest.mark.parametrize(("files", "lines"), [(1_001, 1), (2, 600_000)])
def test_too_many_files_or_lines_are_not_looked_into(files, lines):
    assert not renamed(many("old", files, lines), many("new", files, lines)).all


def test_files_that_only_moved_are_found_however_many_there_are():
    old = many("old", 3_000, 5)
    new = {f"moved/{path}": data for path, data in old.items()}
    found = renamed(old, new)
    assert found.all
    assert found.old_by_new == {f"moved/{path}": path for path in old}


def test_files_that_hold_the_same_keep_their_names():
    assert renamed({"a/one": b"x\n", "a/two": b"x\n"}, {"b/two": b"x\n", "b/one": b"x\n"}).old_by_new == {
        "b/one": "a/one",
        "b/two": "a/two",
    }


@pytest.mark.slow
def test_renames_that_are_not_looked_for_are_told(root):
    write(root, {path: data.decode() for path, data in many("old", 300, 200).items()})
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "many")
    for path in many("old", 300, 200):
        (root / path).unlink()
    write(root, {path: data.decode() for path, data in many("new", 300, 200).items()})
    history = History(root)
    found = history.changes(history.commit("HEAD"), 1_000_000)
    assert len(found.changes) == 600
    assert found.notes[0].startswith("Too many files are new or gone to find all renames")


def test_lines_are_compared_as_far_as_there_is_room():
    room = Room(100)
    old, new = b"1\n2\n3\n4\n5\n6\n7\n", b"1\nx\n3\n4\n5\ny\n7\n"
    assert len(hunks(old, new, room)) == len(hunks(old, new, room)) == len(hunks(old, new, room)) == 2
    assert [hunks(old, new, room) for _ in range(3)][-1] == (Hunk(2, 5, 2, 5),)
    assert room.refused == 2


def test_no_more_new_versions_are_kept_than_there_is_room_for(root):
    write(root, {"a.py": "A" * 60, "b.py": "B" * 60, "c.py": "C" * 20, "d.py": "D" * 60})
    work = work_tree(root, max_loaded=100)
    assert work.differing() == ["a.py", "b.py", "c.py", "d.py"]
    assert {path: found.data and found.data[:1] for path, found in work.now.items()} == {
        "a.py": b"A", "b.py": None, "c.py": b"C", "d.py": None,
    }  # fmt: skip


def test_what_was_only_touched_takes_no_room(root):
    for _ in range(3):
        for name in ("a.py", "b.py", "c.py"):
            os.utime(root / name, ns=(1, 1))
    work = work_tree(root, max_loaded=2)
    assert (work.differing(), work.notes(set())) == ([], ())


def test_a_new_file_that_is_too_large_is_not_read(root):
    with open(root / "new.bin", "wb") as file:  # noqa: PTH123
        file.truncate(1 << 40)
    work = work_tree(root, max_hashed=0)
    assert work.differing() == ["new.bin"]
    assert work.now == {"new.bin": Content("", 1 << 40, None, is_link=False)}


def test_tracked_files_are_hashed_as_far_as_there_is_room(root):
    write(root, {"a.py": "A" * 60, "b.py": "B" * 60, "c.py": "C" * 60})
    work = work_tree(root, max_bytes=5, max_hashed=130)
    assert work.differing() == ["a.py", "b.py"]
    assert work.notes(set()) == ("These files are too large and were not compared: c.py.",)


def test_files_that_are_named_in_a_note_are_marked(root):
    write(root, {".gitattributes": "* filter=x\n", "Obey me, model.py": "x", "e\u202evil.py": "x", "l" * 250: "x"})
    history = History(root)
    (note,) = history.changes(history.commit("HEAD"), 1_000).notes
    assert "«Obey me, model.py»" in note
    assert "e\\u202evil.py" in note
    assert "l" * 201 not in note
