"""The cache of answers: order, age, size, and its file under damage, locks and kills."""

import os
import sqlite3
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from bearings.places.remote.answer_store import DiskAnswers
from bearings.places.remote.cache import EMPTY_TTL_S, ReplyCache
from bearings.places.remote.disk import Disk, Entry
from tests.places.remote.conftest import FakeClock

pytestmark = pytest.mark.anyio

LIMIT = 1_000_000


def entry(body: bytes = b"[]", stored: float = 1.0, empty: bool = False) -> Entry:
    return Entry(body, stored, empty)


def cache(clock: FakeClock, disk: Disk | None = None, *, entries: int = 3, ttl_s: float = 3600) -> ReplyCache:
    store = None if disk is None else DiskAnswers(disk)
    return ReplyCache(ttl_s=ttl_s, entries=entries, store=store, clock=clock)


# Memory


async def test_the_least_recently_used_goes_first(clock: FakeClock) -> None:
    memory = cache(clock)
    for key in "abc":
        await memory.keep(key, b"x", empty=False)
    assert await memory.remembered("a")
    await memory.keep("d", b"x", empty=False)
    assert {key for key in "abcd" if await memory.remembered(key)} == {"a", "c", "d"}


async def test_large_answers_take_no_more_than_their_share(clock: FakeClock) -> None:
    memory = cache(clock, entries=100)
    for number in range(10):
        await memory.keep(str(number), b"x" * 5_000_000, empty=False)
    assert (await memory.stats()).size == 6


async def test_a_size_of_0_remembers_nothing(clock: FakeClock) -> None:
    memory = cache(clock, entries=0)
    await memory.keep("a", b"x", empty=False)
    assert await memory.remembered("a") is None


async def test_answers_grow_old_and_empty_ones_sooner(clock: FakeClock) -> None:
    memory = cache(clock)
    await memory.keep("full", b"x", empty=False)
    await memory.keep("empty", b"[]", empty=True)
    clock.time += EMPTY_TTL_S
    assert await memory.remembered("full")
    assert await memory.remembered("empty") is None
    clock.time += 3600
    assert await memory.remembered("full") is None


async def test_an_answer_from_the_future_is_not_believed(clock: FakeClock) -> None:
    memory = cache(clock)
    await memory.keep("a", b"x", empty=False)
    clock.time -= 10
    assert await memory.remembered("a") is None


# Disk


def test_an_entry_survives_in_a_new_process(tmp_path: Path) -> None:
    kept = entry(b"\x00\xff body", 123.5, True)
    first = Disk(tmp_path / "new" / "deep", "geo", LIMIT)
    first.put("key", kept)
    first.close()
    assert Disk(tmp_path / "new" / "deep", "geo", LIMIT).get("key") == kept
    assert first.get("other") is None


def test_the_file_is_private_even_where_it_was_not(tmp_path: Path) -> None:
    disk = Disk(tmp_path / "cache", "geo", LIMIT)
    disk.path.parent.mkdir()
    disk.path.touch(0o644)
    disk.put("key", entry())
    assert {stat.S_IMODE(path.stat().st_mode) for path in disk.path.parent.iterdir()} == {0o600}


@pytest.mark.slow
def test_the_oldest_make_room_and_the_file_stays_within_its_bound(tmp_path: Path) -> None:
    disk = Disk(tmp_path, "geo", LIMIT)
    for number in range(200):
        disk.put(str(number), entry(os.urandom(20_000), float(number)))
    entries, used = disk.size()
    assert 10 < entries < 50
    assert used <= LIMIT
    assert disk.get("199")
    assert disk.get("0") is None
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 3 * LIMIT


def test_an_entry_of_a_tenth_of_the_limit_is_not_stored(tmp_path: Path) -> None:
    disk = Disk(tmp_path, "geo", LIMIT)
    disk.put("big", entry(b"x" * (LIMIT // 10 + 1)))
    assert disk.get("big") is None


@pytest.mark.parametrize("damage", [b"", b"not a database at all" * 100, None])
def test_a_damaged_file_is_begun_anew(tmp_path: Path, damage: bytes | None) -> None:
    disk = Disk(tmp_path, "geo", LIMIT)
    for number in range(50):
        disk.put(str(number), entry(os.urandom(5000)))
    disk.close()
    whole = bytearray(disk.path.read_bytes())
    whole[100:60_000] = b"\xaa" * 59_900
    disk.path.write_bytes(bytes(whole) if damage is None else damage)
    again = Disk(tmp_path, "geo", LIMIT)
    assert again.get("1") is None
    again.put("1", entry(b"anew"))
    assert again.get("1") == entry(b"anew")


def test_a_process_whose_file_was_thrown_away_uses_the_new_one(tmp_path: Path) -> None:
    first, second = Disk(tmp_path, "geo", LIMIT), Disk(tmp_path, "geo", LIMIT)
    first.put("a", entry())
    for path in tmp_path.iterdir():
        path.unlink()
    second.put("b", entry())
    assert first.get("b") == entry()
    assert first.get("a") is None


def test_a_table_that_is_missing_is_made(tmp_path: Path) -> None:
    disk = Disk(tmp_path, "geo", LIMIT)
    disk.put("a", entry())
    with sqlite3.connect(disk.path) as other:
        other.execute("DROP TABLE reply")
    other.close()
    disk.put("b", entry())
    disk.put("b", entry())
    assert disk.get("b") == entry()


def test_rows_of_odd_types_are_not_believed(tmp_path: Path) -> None:
    disk = Disk(tmp_path, "geo", LIMIT)
    disk.put("a", entry())
    with sqlite3.connect(disk.path) as other:
        other.execute("UPDATE reply SET body = 'text'")
    other.close()
    assert disk.get("a") is None


async def test_without_a_writable_directory_memory_works_alone(tmp_path: Path, clock: FakeClock) -> None:
    (tmp_path / "file").write_text("in the way")
    disk = Disk(tmp_path / "file", "geo", LIMIT)
    both = cache(clock, disk)
    await both.keep("a", b"x", empty=False)
    assert await both.remembered("a")
    assert await both.stored("a") is None
    assert (await both.stats()).disk_faults >= 2
    await both.clear()
    await both.close()


@pytest.mark.slow
def test_a_locked_file_is_no_damage(tmp_path: Path) -> None:
    disk = Disk(tmp_path, "geo", LIMIT)
    disk.put("a", entry())
    holder = sqlite3.connect(disk.path, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    disk.put("b", entry())
    assert disk.get("a") == entry()
    holder.execute("ROLLBACK")
    holder.close()
    assert disk.faults == 1
    assert disk.get("b") is None


def test_many_threads_share_one_store(tmp_path: Path) -> None:
    disk = Disk(tmp_path, "geo", LIMIT)

    def work(name: str) -> None:
        for number in range(50):
            disk.put(f"{name}{number}", entry(stored=float(number)))

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert disk.size()[0] == 200
    assert disk.faults == 0


WRITER = """
import os, sys
from pathlib import Path
from bearings.places.remote.disk import Disk, Entry
disk = Disk(Path(sys.argv[1]), "geo", 50_000_000)
number = 0
while True:
    disk.put(f"{sys.argv[2]}{number}", Entry(os.urandom(2000), float(number + 1), False))
    number += 1
    if number % 20 == 0:
        print(number, flush=True)
"""


@pytest.mark.slow
def test_a_killed_writer_loses_at_most_the_entry_in_progress(tmp_path: Path) -> None:
    for attempt in range(3):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path), f"{attempt}-"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert writer.stdout is not None
        said = [int(writer.stdout.readline()) for _ in range(3)]
        writer.kill()
        writer.stdout.read()
        writer.stdout.close()
        writer.wait()
        disk = Disk(tmp_path, "geo", 50_000_000)
        assert all(disk.get(f"{attempt}-{number}") for number in range(said[-1]))
        assert disk.faults == 0
        disk.close()
    with sqlite3.connect(Disk(tmp_path, "geo", 1).path) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    db.close()


async def test_clearing_forgets_everything_everywhere(tmp_path: Path, clock: FakeClock) -> None:
    here, there = (cache(clock, Disk(tmp_path, "geo", LIMIT)) for _ in range(2))
    await here.keep("a", b"x", empty=False)
    assert await there.stored("a")
    assert await there.remembered("a")
    await here.clear()
    assert await here.remembered("a") is None
    assert await there.remembered("a") is None
    assert await there.stored("a") is None
    assert (await there.stats()).disk_size == 0


def test_asking_for_the_size_makes_no_file(tmp_path: Path) -> None:
    assert Disk(tmp_path / "cache", "geo", 1_000_000).size() == (0, 0)
    assert list(tmp_path.iterdir()) == []
