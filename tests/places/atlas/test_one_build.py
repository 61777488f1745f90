"""A full atlas is made once, by one process, whole or not at all."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from bearings.errors import Unsupported, WriteFailed
from bearings.places.atlas import making
from bearings.places.atlas.edition import file_name
from bearings.places.atlas.index import Index
from bearings.places.atlas.making import make
from bearings.places.atlas.store import readable
from bearings.progress import NoProgress
from tests.places import small_index


class Heard:
    """Keeps every report."""

    def __init__(self) -> None:
        self.messages: list[str] = []

    def update(self, done: float, total: float | None, message: str) -> None:
        self.messages.append(message)


def test_it_is_made_once_and_says_how_far_it_is(tmp_path: Path):
    first, second = Heard(), Heard()
    path = tmp_path / "new" / "atlas.sqlite"
    assert make(path, first, small_index.build)
    assert first.messages[-1] == "small"
    assert not make(path, second, small_index.build)
    assert second.messages == []
    assert path.stat().st_mode & 0o077 == 0


def test_a_directory_that_cannot_be_written_names_the_setting(tmp_path: Path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(WriteFailed) as refused:
        make(blocked / "cache" / "atlas.sqlite", NoProgress(), small_index.build)
    assert str(blocked)[:60] in refused.value.error  # a long path is cut
    assert "GEOCODER_CACHE_DIR" in refused.value.hint


@pytest.mark.skipif(not making.missing_packages(), reason="the build's packages are installed here")
def test_missing_packages_are_reported_with_the_command_to_run(tmp_path: Path):
    with pytest.raises(Unsupported, match=making.missing_packages()[0]) as refused:
        make(tmp_path / "atlas.sqlite", NoProgress())
    assert "make install" in refused.value.hint
    assert "make atlas-wheel" in refused.value.hint
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("damage", [b"", b"not a database", None])
def test_a_damaged_file_is_made_again(tmp_path: Path, damage: bytes | None):
    path = tmp_path / file_name()
    make(path, NoProgress(), small_index.build)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2] if damage is None else damage)
    assert not readable(path)
    assert make(path, NoProgress(), small_index.build)
    again = Index(path)
    assert again.rows([1])[1].name == "United States"
    again.close()


def test_leftovers_and_other_versions_that_are_a_week_old_are_removed(tmp_path: Path):
    young, others = (
        "atlas-v0-2026.1.0-abc.sqlite",
        ["gazetteer-v0-abc.sqlite", "atlas-v0-2020.1.0-abc.sqlite", "other.sqlite"],
    )
    for name in (young, *others, "atlas-v1-abc-xyz.building"):
        (tmp_path / name).write_text("")
    for name in others:
        os.utime(tmp_path / name, (0, 0))
    make(tmp_path / file_name(), NoProgress(), small_index.build)
    left = {path.name for path in tmp_path.iterdir() if path.suffix != ".lock"}
    assert left == {file_name(), young, "other.sqlite"}


def process(directory: Path, builder: str) -> subprocess.Popen[bytes]:
    root = Path(__file__).parents[3]
    return subprocess.Popen([sys.executable, "-m", small_index.__name__, str(directory), builder], cwd=root)


@pytest.mark.slow
def test_a_killed_build_leaves_nothing_that_is_used(tmp_path: Path):
    building = process(tmp_path, "hang")
    while not (tmp_path / "started").exists() and building.poll() is None:
        with suppress(subprocess.TimeoutExpired):
            building.wait(0.02)
    building.kill()
    building.wait()
    assert not (tmp_path / file_name()).exists()
    assert list(tmp_path.glob("*.building"))
    make(tmp_path / file_name(), NoProgress(), small_index.build)
    assert not list(tmp_path.glob("*.building"))


@pytest.mark.slow
def test_one_of_two_processes_builds(tmp_path: Path):
    both = [process(tmp_path, "counted") for _ in range(2)]
    assert [each.wait() for each in both] == [0, 0]
    assert len(list(tmp_path.glob("built-by-*"))) == 1
