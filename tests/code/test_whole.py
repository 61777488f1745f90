"""Files are written together or not at all, wherever the writing ends, and the next command settles the rest."""

import os
import stat
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from bearings.code.project.safe_directory import SafeDirectory
from bearings.code.project.sources import stamp_of
from bearings.code.project.whole import Whole, journal_of, settled, unfinished, write_alone
from bearings.errors import WriteFailed

FILES = 7

STOPPED = """
import os, sys
from pathlib import Path
from bearings.code.project.safe_directory import SafeDirectory
from bearings.code.project.whole import Whole
import bearings.code.project.whole as whole

class Dying(SafeDirectory):
    "Ends the process instead of the call numbered `left`."
    left = int(sys.argv[3])
    def replace(self, draft, path):
        self.end("replace")
        super().replace(draft, path)
    def create(self, path, mode):
        self.end("create")
        return super().create(path, mode)
    def end(self, call):
        if call == sys.argv[2]:
            Dying.left -= 1
            if Dying.left < 0:
                os._exit(9)

root = Path(sys.argv[1])
with Whole(root, "the rename of old", tree=Dying(root)) as work:
    for path in sorted(root.glob("*.txt")):
        work.draft(path.name, path.read_bytes(), b"new " + path.read_bytes())
    work.commit()
"""


MOVED = (
    STOPPED.split("root = Path")[0].replace(
        "    def end(",
        """    def unlink(self, path):
        if not path.endswith(".tmp"):
            self.end("unlink")
        super().unlink(path)
    def make_folder(self, path):
        self.end("make_folder")
        super().make_folder(path)
    def end(""",
    )
    + """
root = Path(sys.argv[1])
with Whole(root, "the move of all", tree=Dying(root)) as work:
    paths = sorted(root.glob("*.txt"))
    for path in paths:
        work.draft(f"new/{path.stem}/{path.name}", None, b"new " + path.read_bytes(), like=path.name)
    for path in paths:
        work.draft(path.name, path.read_bytes(), None)
    work.commit()
"""
)
"""Moves all files, each to a folder of its own."""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files, and a state folder elsewhere."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    root = tmp_path.resolve() / "root"
    root.mkdir()
    for number in range(FILES):
        (root / f"{number}.txt").write_text(f"{number}")
    return root


def contents(root: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted(root.iterdir())}


BEFORE = {f"{number}.txt": f"{number}" for number in range(FILES)}
AFTER = {f"{number}.txt": f"new {number}" for number in range(FILES)}


def stopped(root: Path, call: str, left: int) -> int:
    """Write all files in a process that ends at a call; returns its status."""
    command = [sys.executable, "-c", STOPPED, str(root), call, str(left)]
    return subprocess.run(command, check=False).returncode


@pytest.mark.parametrize("call", ["create", "replace"])
@pytest.mark.parametrize("left", [0, 1, FILES // 2, FILES - 1, FILES])
def test_what_is_stopped_anywhere_is_all_or_none_after_the_next_command(root, call, left):
    assert stopped(root, call, left) == (0 if left == FILES else 9)
    if left < FILES:
        said = unfinished(root)
        assert said.startswith("The rename of old was stopped")
        assert (f"{left} of {FILES} files are written" in said) == (call == "replace")
    with Whole(root, "another work"):
        pass
    assert contents(root) == (AFTER if call == "replace" or left == FILES else BEFORE)
    assert unfinished(root) == settled(root) == ""
    assert not journal_of(root).exists()


@pytest.mark.parametrize("call", ["create", "make_folder", "replace", "unlink"])
@pytest.mark.parametrize("left", [0, 1, FILES // 2, FILES])
def test_a_move_that_is_stopped_anywhere_is_all_or_none_after_the_next_command(root, call, left):
    (root / "3.txt").chmod(0o751)
    command = [sys.executable, "-c", MOVED, str(root), call, str(left)]
    is_ended = subprocess.run(command, check=False).returncode == 9
    assert is_ended == (left < FILES or call == "make_folder")
    settled(root)
    there = {path.relative_to(root).as_posix(): path.read_text() for path in root.rglob("*") if path.is_file()}
    if is_ended and call in ("create", "make_folder"):
        assert there == BEFORE
        assert not (root / "new").exists()
    else:
        assert there == {f"new/{number}/{number}.txt": f"new {number}" for number in range(FILES)}
        assert stat.S_IMODE((root / "new/3/3.txt").stat().st_mode) == 0o751


def test_a_new_file_never_replaces_one_that_was_made_meanwhile(root):
    with Whole(root, "a move") as work:
        work.draft("a.txt", None, b"ours")
        (root / "a.txt").write_text("theirs")
        work.draft("0.txt", b"0", None)
        with pytest.raises(WriteFailed, match="was made by somebody else"):
            work.commit()
    assert contents(root) == {**BEFORE, "a.txt": "theirs"}


def test_a_file_that_changed_since_is_named_and_nothing_is_touched(root):
    stopped(root, "replace", 3)
    (root / "5.txt").write_text("theirs")
    there = contents(root)
    with pytest.raises(WriteFailed, match=r"1 of 7 files have changed since: '5\.txt'") as failed:
        settled(root)
    assert str(journal_of(root)) in failed.value.hint
    assert contents(root) == there
    (root / "5.txt").write_text("5")
    assert "was finished first: 4 files" in settled(root)
    assert contents(root) == AFTER


class Refusing(SafeDirectory):
    """A folder in which no file can be replaced, as where somebody swaps a folder for a link."""

    def replace(self, draft, path):
        raise NotADirectoryError(20, "Not a directory", path)


@pytest.mark.slow
def test_a_rename_that_is_refused_again_is_left_to_the_next_command(root):
    stopped(root, "replace", 3)
    with (
        pytest.raises(WriteFailed, match="the rename of old stopped: Not a directory"),
        Whole(root, "another work", tree=Refusing(root)),
    ):
        pass
    assert "3 of 7 files are written" in unfinished(root)
    assert "was finished first: 4 files" in settled(root)
    assert contents(root) == AFTER


@pytest.mark.skipif(not hasattr(os, "O_NOFOLLOW"), reason="links are followed here")
def test_a_journal_that_is_a_link_is_an_error(root, tmp_path):
    stopped(root, "replace", 3)
    there = contents(root)
    journal = journal_of(root)
    journal.rename(tmp_path / "elsewhere")
    journal.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(WriteFailed, match="can't be finished") as failed:
        settled(root)
    assert str(journal) in failed.value.hint
    assert contents(root) == there


def test_a_draft_that_is_gone_is_said_and_nothing_is_touched(root):
    stopped(root, "replace", FILES - 1)
    next(root.glob(".*.tmp")).unlink()
    there = contents(root)
    with pytest.raises(WriteFailed, match=r"have changed since: '6\.txt'"):
        settled(root)
    assert contents(root) == there


def test_a_journal_whose_last_line_is_cut_is_undone(root):
    stopped(root, "replace", 0)
    journal = journal_of(root)
    journal.write_bytes(journal.read_bytes()[:-9])
    assert "before it changed a file" in settled(root)
    assert contents(root) == BEFORE


def test_modes_stay_and_the_journal_is_for_its_owner_alone(root):
    (root / "0.txt").chmod(0o751)
    with Whole(root, "a work") as work:
        work.draft("0.txt", b"0", b"x", stamp_of(root, "0.txt"))
        work.draft("new.txt", None, b"y", mode=0o600)
        journal = journal_of(root)
        assert stat.S_IMODE(journal.stat().st_mode) == 0o600
        assert stat.S_IMODE(journal.parent.stat().st_mode) == 0o700
        work.commit()
    assert stat.S_IMODE((root / "0.txt").stat().st_mode) == 0o751
    assert stat.S_IMODE((root / "new.txt").stat().st_mode) == 0o600


def test_files_are_removed_with_the_others(root):
    with Whole(root, "a work") as work:
        work.draft("0.txt", b"0", None)
        work.draft("1.txt", b"1", b"x")
        work.commit()
    assert not (root / "0.txt").exists()
    assert (root / "1.txt").read_text() == "x"


def test_without_a_commit_nothing_stays(root):
    with Whole(root, "a work") as work:
        work.draft("0.txt", b"0", b"x")
    assert contents(root) == BEFORE


def test_a_file_that_changed_before_the_renames_leaves_all(root):
    with Whole(root, "a work") as work:
        for name in ("0.txt", "1.txt"):
            work.draft(name, b"", b"x", stamp_of(root, name))
        (root / "1.txt").write_text("theirs")
        with pytest.raises(WriteFailed, match=r"'1\.txt' was changed by somebody else"):
            work.commit()
    assert contents(root) == {**BEFORE, "1.txt": "theirs"}


@pytest.mark.slow
def test_two_commands_don_t_write_at_once(root):
    with Whole(root, "a work"):
        command = [sys.executable, "-c", STOPPED, str(root), "none", "0"]
        other = subprocess.run(command, check=False, capture_output=True, text=True)
        assert "another command is writing there" in other.stderr
        assert unfinished(root) == ""
    assert contents(root) == BEFORE


@pytest.mark.slow
def test_drafts_end_and_renames_are_waited_for_when_the_process_is_to_end(root):
    script = STOPPED.replace("    for path in", "    whole.stop(0)\n    for path in")
    command = [sys.executable, "-c", script, str(root), "", "0"]
    result = subprocess.run(command, check=False, capture_output=True, text=True)
    assert "the work was stopped" in result.stderr
    assert contents(root) == BEFORE


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs and links")
def test_only_files_are_replaced(root):
    os.mkfifo(root / "fifo")
    (root / "link").symlink_to("0.txt")
    (root / "folder").mkdir()
    for name in ("fifo", "link", "folder"):
        with pytest.raises(WriteFailed, match="no regular file"):
            write_alone(root, name, b"x")
    assert stat.S_ISFIFO((root / "fifo").stat().st_mode)
    assert (root / "link").is_symlink()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs links")
def test_a_state_folder_that_is_a_link_is_refused_but_one_file_needs_none(root, tmp_path):
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "bearings").symlink_to(tmp_path)
    with pytest.raises(WriteFailed, match="no journal can be written"), Whole(root, "a work"):
        pass
    write_alone(root, "0.txt", b"x")
    assert (root / "0.txt").read_text() == "x"
    assert list(tmp_path.glob("writes")) == []


@pytest.mark.slow
def test_a_kill_of_the_process_leaves_all_or_none(root):
    for number in range(300):
        (root / f"many{number}.txt").write_text("x")
    for delay in (0.15, 0.2, 0.25):
        process = subprocess.Popen([sys.executable, "-c", STOPPED, str(root), "", "0"])
        with suppress(subprocess.TimeoutExpired):
            process.wait(delay)
        process.kill()
        process.wait()
        settled(root)
        texts = {text.count("new ") for text in contents(root).values()}
        assert len(texts) == 1
        assert not list(root.glob(".*.tmp"))


def test_a_folder_that_is_a_link_is_not_written(root, tmp_path):
    (root / "sub").mkdir()
    (root / "sub/a.txt").write_text("a")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/a.txt").write_text("a")
    (root / "sub").rename(root / "moved")
    (root / "sub").symlink_to(tmp_path / "outside")
    with Whole(root, "a work") as work, pytest.raises(WriteFailed):
        work.draft("sub/a.txt", b"a", b"x")
    assert (tmp_path / "outside/a.txt").read_text() == "a"
