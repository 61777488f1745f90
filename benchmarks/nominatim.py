"""How often a Nominatim's answer is what was meant, beside the confidence said: `python -m benchmarks nominatim`.

Asks the server at NOMINATIM_BASE_URL, which must hold the four extracts of $BEARINGS_DATA/osm, what the oracle of
$BEARINGS_DATA knows. The numbers of `bearings.places.nominatim.judging` were set by the tuning half alone; the table
is of the other half. An object of the map is in one half with all its questions.
"""

import asyncio
import hashlib
import json
import os
import re
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from bearings.places import geometry
from bearings.places.models import BBox, Place, Point, SearchQuery
from bearings.places.nominatim.client import NominatimClient
from bearings.places.nominatim.settings import NominatimSettings
from bearings.places.nominatim.source import NominatimSource
from bearings.places.query import parse
from benchmarks.atlas.judges import folded

WITHIN_M = {"address": 50.0, "name": 500.0, "around": 200.0}
"""An address is right so near; a name is right so near if it is the same name, for an object may be mapped twice. Of
what lies around a point the distances from there differ by no more."""

PAGE = """# How sure a Nominatim's answers are

{day}. Made by `python -m benchmarks nominatim`, which asks the server at `NOMINATIM_BASE_URL`: a real Nominatim 5.3.3
over the extracts of `$BEARINGS_DATA/osm` (Heidelberg, Liechtenstein, Malta, Monaco) in one database, without
Wikipedia's importances, made of the four files by `osmium merge` and `osmium time-filter`:

```console
# python -m tests.nominatim_server serve four.osm.pbf --port 18099
$ NOMINATIM_BASE_URL=http://127.0.0.1:18099 python -m benchmarks nominatim
```

Questions come from the oracle of `$BEARINGS_DATA`: its own; their names alone, with a postcode that is none, and
without the last word; named objects and streets around its points, with and without country or town; houses, and house
numbers that are on no map. Half of the objects, by a hash of their ids, set the numbers of
`places/nominatim/judging.py`; **these tables are of the other half**, looked at once those were set. Right is the first
place if it is the object that was meant, or one of its name within 500 m (200 m around a point); a street if it is any
piece of the street at the point, in the same town; an address within 50 m. A house number on no map is right where the
street's middle is that near. Names are asked for as on the ground.
"""

LEAST_ANSWERS = 50
WRONG_POSTCODE = "99999"
FAR_NUMBER = 9000
"""Added to a house's number: no street of the extracts is so long, and a Nominatim takes four digits for a number."""

ALONG_M, LONGEST_STREET_M = 100.0, 2_000.0
LEAST_WORDS = 3
SETTLED = ("city", "town", "village", "municipality", "hamlet")

Row = dict[str, Any]
Right = Callable[[Place], bool]


@dataclass(frozen=True)
class Question:
    """A query, its form, the object that it was made from, and a test for the right place."""

    form: str
    query: str
    about: str
    right: Right

    @property
    def is_tuning(self) -> bool:
        """Whether its object is in the half that numbers are set by."""
        return hashlib.sha256(self.about.encode()).digest()[0] % 2 == 0


@dataclass(frozen=True)
class Said:
    """An answer: the confidence of its first place, and whether that is right."""

    question: Question
    place: Place
    right: bool


def questions(oracle: Path) -> Iterator[Question]:
    """All of both halves: the oracle's own, names alone, house numbers and postcodes that are on no map."""
    for row in rows(oracle / "search.jsonl"):
        yield Question(row["form"], row["query"], identity(row["expect"]), rule(row["form"], row["expect"]))
        if row["form"] not in ("typo", "address"):
            name, about = row["expect"]["name"], identity(row["expect"])
            yield Question("name alone", name, about, rule("name", row["expect"]))
            yield Question("wrong postcode", f"{row['query']}, {WRONG_POSTCODE}", about, rule("name", row["expect"]))
            if len(name.split()) >= LEAST_WORDS:
                shorter = row["query"].replace(name, " ".join(name.split()[:-1]))
                yield Question("a name without its last word", shorter, about, rule("name", row["expect"]))
    for row in rows(oracle / "bbox.jsonl"):
        yield Question("area", row["query"], identity(row), area(row))
    for row in rows(oracle / "nearby.jsonl"):
        for one in row["expect"]:
            around = Point(row["lat"], row["lon"])
            yield Question("name of a shop, park …", one["name"], identity(one), beside(one, around))
            yield Question("… and its country", f"{one['name']}, {row['region']}", identity(one), beside(one, around))
    yield from addresses(oracle)


def addresses(oracle: Path) -> Iterator[Question]:
    """Streets and houses of the oracle's points; beside each house one that is on no map, which is right near it."""
    for row in rows(oracle / "reverse.jsonl"):
        parts = row["nominatim"].get("address", {})
        town = town_of(parts)
        street, number = parts.get("road"), parts.get("house_number", "")
        if not street:
            continue
        along = street_at(parts, Point(row["lat"], row["lon"]))
        yield Question("street alone", street, street, along)
        yield Question("street and country", f"{street}, {parts['country']}", street, along)
        if town:
            yield Question("street and town", f"{street}, {town}", street, along)
        if town and number:
            here = rule("address", {key: float(row["nominatim"][key]) for key in ("lat", "lon")})
            about = identity(row["nominatim"])
            yield Question("house", f"{street} {number}, {town}", about, here)
            yield Question("house without its town", f"{street} {number}", about, here)
    for row in rows(oracle / "search.jsonl"):
        if row["form"] == "address":
            yield from unknown_numbers(row)


def unknown_numbers(row: Row) -> Iterator[Question]:
    """The oracle's address with a number that is too high."""
    street, _, town = row["query"].partition(",")
    if match := re.search(r"\d+", street):
        far = f"{street[: match.start()]}{FAR_NUMBER + int(match[0]) % 999}, {town}"
        yield Question("house of an unknown number", far, identity(row["expect"]), rule("address", row["expect"]))


def rule(form: str, wanted: Row) -> Right:
    """The oracle's own: the same object, or of the same name and near; an address is right where it is near."""

    def right(place: Place) -> bool:
        away = geometry.distance_m(place.point, Point(wanted["lat"], wanted["lon"])) if "lat" in wanted else 0.0
        if form == "address":
            return away <= WITHIN_M["address"]
        is_same = "osm_id" in wanted and identity(wanted) == f"{place.osm_type}{place.osm_id}"
        is_beside = "name" in wanted and folded(place.name) == folded(wanted["name"]) and away <= WITHIN_M["name"]
        return is_same or is_beside

    return right


def area(wanted: Row) -> Right:
    """The same object, or one of its name within its box."""
    west, south, east, north = wanted["bbox"]
    name = folded(wanted["query"].partition(",")[0])

    def right(place: Place) -> bool:
        within = geometry.contains(BBox(west, south, east, north), place.point)
        return identity(wanted) == f"{place.osm_type}{place.osm_id}" or (within and folded(place.name) == name)

    return right


def street_at(parts: Row, point: Point) -> Right:
    """The street of an address, which the point lies beside: in its town if it has one, and any piece of it."""

    def right(place: Place) -> bool:
        if folded(place.name) != folded(parts["road"]):
            return False
        theirs, ours = town_of(parts), town_of(place.address)
        reach = ALONG_M if theirs != ours else LONGEST_STREET_M
        return geometry.intersects(place.bbox, geometry.around(point, reach))

    return right


def town_of(parts: Mapping[str, str]) -> str | None:
    """The settlement that an address names."""
    return next((parts[key] for key in SETTLED if key in parts), None)


def beside(wanted: Row, around: Point) -> Right:
    """The same object, or one of its name as far from the point that it was found around."""

    def right(place: Place) -> bool:
        away = abs(geometry.distance_m(place.point, around) - wanted["distance_m"])
        alike = folded(place.name) == folded(wanted["name"]) and away <= WITHIN_M["around"]
        return alike or identity(wanted) == f"{place.osm_type}{place.osm_id}"

    return right


def rows(file: Path) -> list[Row]:
    """The rows of a JSON lines file."""
    return [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]


def identity(row: Row) -> str:
    """An object of the map."""
    return f"{row.get('osm_type')}{row.get('osm_id')}"


async def answers(asked: list[Question], directory: Path, *, limit: int = 5) -> list[Said]:
    """The first places of those that are answered."""
    settings = NominatimSettings()
    source = NominatimSource(NominatimClient(settings, cache_dir=directory, pace_dir=directory), settings)
    said = []
    for question in asked:
        query = SearchQuery(text=question.query, limit=limit, language="local", parsed=parse(question.query))
        found = await source.search(query)
        if found.places:
            said.append(Said(question, found.places[0], question.right(found.places[0])))
    await source.aclose()
    return said


def tenths(said: list[Said]) -> list[tuple[int, int, float, float]]:
    """Of each tenth of confidence: its number, how many, the mean said, the share right."""
    by_tenth: dict[int, list[Said]] = defaultdict(list)
    for one in said:
        by_tenth[min(int((one.place.confidence or 0.0) * 10), 9)].append(one)
    return [
        (
            tenth,
            len(some),
            sum(one.place.confidence or 0.0 for one in some) / len(some),
            sum(one.right for one in some) / len(some),
        )
        for tenth, some in sorted(by_tenth.items())
    ]


def by_form(asked: list[Question], said: list[Said]) -> list[str]:
    """A line for each form: how many asked, answered and right; the mean said."""
    lines = []
    for form in dict.fromkeys(question.form for question in asked):
        some = [one for one in said if one.question.form == form]
        number = sum(question.form == form for question in asked)
        mean = sum(one.place.confidence or 0.0 for one in some) / max(1, len(some))
        share = sum(one.right for one in some) / max(1, len(some))
        lines.append(f"| {form} | {number} | {len(some)} | {mean:.2f} | {share:.2f} |")
    return lines


def table(asked: list[Question], said: list[Said]) -> str:
    """The page of a half."""
    lines = ["| confidence | answers | mean said | right | apart (≤ .05) |", "| --- | --- | --- | --- | --- |"]
    for tenth, number, mean, share in tenths(said):
        apart = f"{abs(mean - share):.3f}" if number >= LEAST_ANSWERS else "too few"
        lines.append(
            f"| .{tenth}–{'1' if tenth == 9 else f'.{tenth + 1}'} | {number} | {mean:.3f} | {share:.3f} | {apart} |"
        )
    lines += ["", "| form | asked | answered | mean said | right |", "| --- | --- | --- | --- | --- |"]
    return "\n".join([*lines, *by_form(asked, said), ""])


def half(oracle: Path, *, tuning: bool) -> list[Question]:
    """The questions of a half, each once."""
    once = {(one.query, one.about): one for one in questions(oracle) if one.is_tuning == tuning}
    return list(once.values())


def main() -> str:
    """The page, of the half apart."""
    asked = half(Path(os.environ["BEARINGS_DATA"]) / "oracle", tuning=False)
    with tempfile.TemporaryDirectory() as directory:
        said = asyncio.run(answers(asked, Path(directory)))
    return f"{PAGE.format(day=date.today().isoformat())}\n{table(asked, said)}"
