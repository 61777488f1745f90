"""Folders and files that only their owner may read."""

import logging
import os
import stat
from pathlib import Path

import pytest

from bearings.private import NotPrivate, data_folder, private_database, private_folder, tell_unused

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes and owners are POSIX")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's folder of caches, which is not ours."""
    base = tmp_path / "user caches"
    base.mkdir(mode=0o755)
    monkeypatch.setenv("XDG_CACHE_HOME", f"{base}/")
    return base


def test_new_folders_are_the_user_s_alone(base: Path):
    private_folder(base / "bearings/code/graphs")
    assert [mode(base / name) for name in ("bearings", "bearings/code", "bearings/code/graphs")] == [0o700] * 3
    assert mode(base) == 0o755
    private_folder(base / "named by a setting/cache")
    assert mode(base / "named by a setting") == mode(base / "named by a setting/cache") == 0o700


def test_open_folders_and_files_of_ours_are_mended(base: Path):
    folder = base / "bearings/code"
    folder.mkdir(parents=True)
    for name in ("facts.sqlite", "facts.sqlite-journal", "facts.lock"):
        (folder / name).write_text("")
        (folder / name).chmod(0o664)
    (folder / "link").symlink_to(base / "theirs")
    (base / "theirs").write_text("")
    (base / "theirs").chmod(0o664)
    for each in (folder.parent, folder):
        each.chmod(0o775)
    private_folder(folder)
    assert [mode(each) for each in (folder.parent, folder)] == [0o700] * 2
    assert {mode(path) for path in folder.iterdir() if path.name != "link"} == {0o600}
    assert (mode(base), mode(base / "theirs")) == (0o755, 0o664)


def test_a_named_folder_keeps_its_mode(base: Path, tmp_path: Path):
    named = tmp_path / "named"
    named.mkdir(mode=0o755)
    private_folder(named)
    assert private_database(named / "a.sqlite") == 0
    (named / "a.sqlite").chmod(0o644)
    assert private_database(named / "a.sqlite") == 0
    assert (mode(named), mode(named / "a.sqlite")) == (0o755, 0o600)


def test_maps_are_private_among_the_user_s_own_and_public_elsewhere(base: Path, tmp_path: Path):
    (base / "bearings/maps").mkdir(parents=True)
    for folder in (base / "bearings/maps", tmp_path / "srv/maps"):
        data_folder(folder)
        (folder / "a.map").write_text("")
        (folder / "a.map").chmod(0o644)
        data_folder(folder)
    assert (mode(base / "bearings/maps"), mode(base / "bearings/maps/a.map")) == (0o700, 0o600)
    assert mode(tmp_path / "srv/maps/a.map") == 0o644


@pytest.mark.parametrize("which", ["bearings", "bearings/code", "bearings/code/graphs"])
@pytest.mark.parametrize("kind", ["link", "dangling link", "file", "fifo", "somebody else's"])
def test_a_folder_that_may_be_a_stranger_s_is_refused(base: Path, tmp_path: Path, which: str, kind: str):
    path = base / which
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "link":
        path.symlink_to(tmp_path, target_is_directory=True)
    elif kind == "dangling link":
        path.symlink_to(tmp_path / "nowhere")
    elif kind == "file":
        path.write_text("")
    elif kind == "fifo":
        os.mkfifo(path)
    elif os.geteuid() == 0:
        path.mkdir()
        os.chown(path, 65_534, -1)
    else:
        pytest.skip("root alone gives folders away")
    with pytest.raises(NotPrivate, match=r"is a link|is no folder|belongs to somebody else"):
        private_folder(base / "bearings/code/graphs")
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("which", ["a.sqlite", "a.sqlite-journal", "a.sqlite-wal", "a.sqlite-shm"])
@pytest.mark.parametrize("kind", ["link", "folder", "fifo"])
def test_a_file_that_is_none_is_refused_and_said_once(tmp_path: Path, which: str, kind: str, caplog):
    path = tmp_path / which
    if kind == "link":
        path.symlink_to(tmp_path / "theirs")
    elif kind == "folder":
        path.mkdir()
    else:
        os.mkfifo(path)
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            with pytest.raises(NotPrivate) as refused:
                private_database(tmp_path / "a.sqlite")
            tell_unused(refused.value)
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == [f"{path} {refused.value.strerror}"]
    assert not (tmp_path / "theirs").exists()
