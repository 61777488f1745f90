"""The real build, from the installed packages, from nothing; slow."""

import sqlite3
from pathlib import Path

import pytest

from bearings.places.gazetteer import store
from bearings.places.gazetteer.source import build

pytestmark = pytest.mark.slow


class Heard:
    """Keeps every report."""

    def __init__(self) -> None:
        self.reports: list[tuple[float, float | None, str]] = []

    def update(self, done: float, total: float | None, message: str) -> None:
        self.reports.append((done, total, message))


def test_a_build_from_nothing_says_how_far_it_is_and_leaves_one_file(tmp_path: Path):
    heard = Heard()
    store.open_or_build(tmp_path, heard, build).close()
    [path] = tmp_path.glob("*.sqlite")
    assert path.name == store.file_name()
    assert path.stat().st_mode & 0o077 == 0
    assert path.stat().st_size < 150_000_000
    assert not [left for left in tmp_path.iterdir() if left.suffix not in (".sqlite", ".lock")]
    assert len({message for _, _, message in heard.reports}) >= 3
    assert all(total is None or 0 <= done <= total for done, total, _ in heard.reports)
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        [count] = connection.execute("SELECT count(*) FROM place WHERE place_rank > 12").fetchone()
    connection.close()
    assert count == 234_908
