"""Replies of a geocoder that are larger, deeper or wilder than anybody asked for: refused, and memory stays flat."""

import asyncio
import gzip
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bearings.errors import BadResponse, BearingsError
from bearings.places.models import Point, SearchQuery
from bearings.places.nominatim.client import NominatimClient
from tests.adversary.conftest import Tally, attempts
from tests.places.nominatim.conftest import row, settings
from tests.places.remote.server import Server, answers, serving

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

ROWS = [row(osm_id=number, display_name=f"Place {number}, Shire") for number in range(15_000)]
ROW = json.dumps(row())


def having(**raw: str) -> str:
    """A list of one row, some of whose values are written by hand."""
    values = {key: json.dumps(value) for key, value in row().items()} | raw
    return "[{" + ", ".join(f'"{key}": {value}' for key, value in values.items()) + "}]"


HOSTILE = {
    "15,000 rows": json.dumps(ROWS)[:4_900_000].rsplit("}, {", 1)[0] + "}]",
    "a million empty rows": "[" + "{}," * 1_000_000 + "{}]",
    "a row of four megabytes": having(display_name='"' + "x" * 4_000_000 + '"'),
    "lists in lists": "[" * 2_000_000,
    "objects in objects": '{"a":' * 500_000,
    "a row after the list": f"[{ROW}] {ROW}",
    "no comma between rows": f"[{ROW} {ROW}]",
    "a list that breaks off": json.dumps(ROWS[:90])[:-1] + "," + " " * 4_000_000,
    "a latitude of 400 digits": having(lat="1" + "0" * 400),
    "a latitude of 5,000 digits": having(lat="9" * 5_000),
    "a latitude beyond all numbers": having(lat="1e999"),
    "a longitude that is no number": having(lon="NaN"),
    "a longitude that is infinite": having(lon="-Infinity"),
    "a longitude in words": having(lon='"1e999"'),
    "a rank beyond counting": having(place_rank="1" + "0" * 400),
    "lone surrogates cut short": '["\\ud800',
    "a bomb": "",
}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with serving(answers(200, "[]")) as one:
        yield one


@pytest.fixture
async def client(server: Server, tmp_path: Path) -> AsyncIterator[NominatimClient]:
    one = NominatimClient(settings(base_url=server.url), cache_dir=None, pace_dir=tmp_path)
    yield one
    await one.close()


def hostile(server: Server, name: str) -> None:
    """Has the server answer so."""
    server.behave = answers(200, HOSTILE[name])
    if name == "a bomb":
        server.behave = answers(200, gzip.compress(b"[" + b" " * 200_000_000, 9), Content_Encoding="gzip")


async def test_each_is_a_bad_response(client: NominatimClient, server: Server, tally: Tally) -> None:
    survived = 0
    for number, name in enumerate(HOSTILE):
        hostile(server, name)
        for ask in (
            client.search(SearchQuery(text=f"place {number}", limit=5)),
            client.lookup([f"N{number}"], language="en"),
        ):
            with pytest.raises(BadResponse) as refused:
                await ask
            assert refused.value.__cause__ is None or "bomb" in name, f"{name}: the cause holds the text"
            survived += 1
    tally("hostile reply of a geocoder", 2 * len(HOSTILE), survived)


async def test_values_that_osm_can_t_have_are_left_out(client: NominatimClient, server: Server) -> None:
    tags = {f"key{number}": "value" for number in range(10_000)} | {"note": "y" * 100_000}
    server.behave = answers(200, json.dumps([row(address={"town": "x" * 2_000, "country": "Land"}, extratags=tags)]))
    place = (await client.search(SearchQuery(text="Seaford"))).value.places[0]
    assert place.address == {"country": "Land"}
    assert len(place.tags) == 1_000


async def test_other_work_goes_on_while_a_large_reply_is_read(client: NominatimClient, server: Server) -> None:
    hostile(server, "a row of four megabytes")
    turns = 0
    asking = asyncio.create_task(client.reverse(Point(1, 2), zoom=18, language="en"))
    while not asking.done():
        await asyncio.sleep(0)
        turns += 1
    with pytest.raises(BearingsError):
        await asking
    assert turns > 20


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_memory_is_flat_over_hostile_replies(tmp_path: Path, tally: Tally) -> None:
    count = attempts(120, 1_000)
    words = [sys.executable, "-m", __name__, str(count), str(tmp_path)]  # a process in which nothing else ran
    ran = subprocess.run(words, capture_output=True, timeout=600, check=False)
    assert ran.returncode == 0, ran.stderr.decode()
    told = json.loads(ran.stdout)
    used = told["used_mb"]
    tally("hostile reply of a geocoder, one after another", count, told["survived"])
    third = count // 3
    first, last = max(used[:third]), max(used[-third:])
    said = f"{used[0]} MB at first, at most {first} MB soon after, and {last} MB in the end"
    print(said)  # noqa: T201 - a soak shows it
    assert last < first + 30, said


async def one_after_another(count: int, pace: Path) -> None:
    """Ask a server for `count` hostile replies, and print how many were refused and the memory after each, in MB."""
    names = [name for name in HOSTILE if name != "a bomb"]
    survived, used = 0, []
    async with serving(answers(200, "[]")) as server:
        client = NominatimClient(settings(base_url=server.url), cache_dir=None, pace_dir=pace)
        for number in range(count):
            hostile(server, names[number % len(names)])
            try:
                await client.search(SearchQuery(text=f"place {number}", limit=5))
            except BadResponse:
                survived += 1
            used.append(resident_mb())
        await client.close()
    print(json.dumps({"survived": survived, "used_mb": used}))  # noqa: T201 - the test reads it


def resident_mb() -> int:
    """This process's resident memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 2**20


if __name__ == "__main__":
    asyncio.run(one_after_another(int(sys.argv[1]), Path(sys.argv[2])))
