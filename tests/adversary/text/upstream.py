"""A Nominatim whose every text has a string of the corpus, in a thread of its own."""

import asyncio
import itertools
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.adversary.text.corpus import CORPUS
from tests.places.remote.server import Asked, answers, serving

_next = itertools.count()


def hostile_row(text: str) -> dict[str, Any]:
    """A row as Nominatim sends it, with the text in all that is text."""
    return {
        "place_id": 1, "licence": f"Data {text}", "osm_type": "node", "osm_id": 42, "lat": "51.78", "lon": "0.92",
        "category": f"place{text}", "class": f"place{text}", "type": f"town{text}", "place_rank": 16, "importance": 0.4,
        "addresstype": f"town{text}", "name": f"Sea{text}ford", "display_name": f"Sea{text}ford, Shire{text}, Land",
        "boundingbox": ["51.75", "51.80", "0.89", "0.95"], "icon": text,
        "address": {
            "town": f"Sea{text}ford", f"key{text}": f"value{text}", "county": f"Shire{text}", "country": f"Land{text}",
            "country_code": "xx", "ISO3166-2-lvl4": f"XX-1{text}", "postcode": f"AB1{text}", "road": f"Road{text}",
        },
        "extratags": {"website": f"https://x/{text}", f"tag{text}": text}, "namedetails": {"name": f"Sea{text}ford"},
    }  # fmt: skip


async def _behave(asked: Asked, writer: asyncio.StreamWriter) -> None:
    """Rows with the next texts of the corpus; every seventh answer is an error that quotes one."""
    number = next(_next)
    text = CORPUS[number % len(CORPUS)]
    kind = asked.path.rpartition("/")[2]
    body: Any
    if number % 7 == 6:
        body = {"error": {"code": 400, "message": f"bad {text}"}}
    elif kind == "status":
        body = {"status": 0, "message": f"OK {text}", "data_updated": f"2024-01-01{text}", "software_version": text}
    elif kind == "reverse":
        body = hostile_row(text)
    else:
        body = [hostile_row(CORPUS[(number + step) % len(CORPUS)]) | {"osm_id": 42 + step} for step in range(10)]
    await answers(200, json.dumps(body), Content_Type="application/json")(asked, writer)


@contextmanager
def hostile_nominatim() -> Iterator[str]:
    """Its base URL, until the end of the block."""
    ready = threading.Event()
    told: dict[str, Any] = {}

    async def run() -> None:
        told["stop"] = asyncio.Event()
        told["loop"] = asyncio.get_running_loop()
        async with serving(_behave) as server:
            told["url"] = server.url
            ready.set()
            await told["stop"].wait()

    thread = threading.Thread(target=lambda: asyncio.run(run()), daemon=True)
    thread.start()
    assert ready.wait(10)
    try:
        yield told["url"]
    finally:
        told["loop"].call_soon_threadsafe(told["stop"].set)
        thread.join(10)
