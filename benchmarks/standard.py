"""Clients of Nominatim ask a real one and `--api`, over the same extract: `python -m benchmarks standard`.

Needs $BEARINGS_DATA, Debian 12 and root, as own_map does. 200 queries inside the extract (names, names with a town,
addresses; none misspelt, as Nominatim answers no typo) go through geopy, and as the requests that QGIS's locator and
Leaflet's control send, to both servers; what counts is the first hit.
"""

import json
import math
import os
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from geopy.geocoders import Nominatim
from tests.nominatim_server import cluster, nominatim
from tests.nominatim_server.machine import install, work_directory
from tests.places.standard.test_clients import serving

from benchmarks.extracts import copied
from benchmarks.measure import header, progress, table
from benchmarks.own_map import MAKE
from benchmarks.own_map_answers import rows

QUERIES = 200

NEAR_M = 100.0
"""Two hits of one name that are no farther apart are one place: parts of one street, a building and its shop."""

Hit = Mapping[str, Any]
Ask = Callable[[str, str], Hit | None]
"""The first hit of a query at a server's URL."""


def geopy(url: str, query: str) -> Hit | None:
    """geopy's Nominatim."""
    host = url.removeprefix("http://")
    client = Nominatim(user_agent="bearings benchmarks", domain=host, scheme="http", timeout=30)
    found = client.geocode(query, exactly_one=True, language="en")
    return None if found is None else found.raw


def qgis(url: str, query: str) -> Hit | None:
    """QgsNominatimGeocoder: https://github.com/qgis/QGIS/blob/master/src/core/geocoding/qgsnominatimgeocoder.cpp"""
    return _first(url, {"format": "json", "addressdetails": "1", "q": query})


def leaflet(url: str, query: str) -> Hit | None:
    """https://github.com/perliedman/leaflet-control-geocoder/blob/master/src/geocoders/nominatim.ts"""
    return _first(url, {"q": query, "limit": "5", "format": "json", "addressdetails": "1"})


CLIENTS: Mapping[str, Ask] = {"geopy": geopy, "QGIS's locator": qgis, "Leaflet's control": leaflet}


def main() -> str:
    """The table."""
    data = Path(os.environ["BEARINGS_DATA"])
    asked = queries(rows(data / "oracle", "search.jsonl"))
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        extract = Path(folder) / "four.osm.pbf"
        copied(extract, 1)
        progress("standard: the map …")
        subprocess.run(
            [sys.executable, "-c", MAKE, extract, Path(folder) / "four.map"], check=True, capture_output=True
        )
        with _real(extract) as theirs, serving(Path(folder), Path(folder)) as ours:
            found = {
                name: [(query, ask(theirs, query["query"]), ask(ours, query["query"])) for query in asked]
                for name, ask in CLIENTS.items()
            }
    return _page(found)


def queries(oracle: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """An equal part of each form of question."""
    forms = sorted({row["form"] for row in oracle} - {"typo"})
    each = -(-QUERIES // len(forms))
    chosen = [row for form in forms for row in [row for row in oracle if row["form"] == form][:each]]
    return chosen[:QUERIES]


@contextmanager
def _real(extract: Path) -> Iterator[str]:
    """The URL of a real Nominatim over the extract."""
    work = work_directory()
    with work.locked():
        install(work)
        cluster.start(work)
        project = nominatim.project_of(work, extract)
        progress("standard: Nominatim imports …")
        nominatim.import_file(work, extract)
        try:
            yield nominatim.serve(work, project)
        finally:
            nominatim.end(project)
            cluster.stop(work)


def _first(url: str, parameters: Mapping[str, str]) -> Hit | None:
    request = f"{url}/search?{urllib.parse.urlencode(parameters)}"
    with urllib.request.urlopen(request) as reply:
        hits = json.load(reply)
    return hits[0] if hits else None


def judged(theirs: Hit | None, ours: Hit | None) -> str:
    """How two first hits compare."""
    if theirs is None or ours is None:
        return "same object" if theirs is ours else "only ours" if theirs is None else "only Nominatim's"
    if (theirs["osm_type"], theirs["osm_id"]) == (ours["osm_type"], ours["osm_id"]):
        return "same object"
    names = [hit["display_name"].split(",")[0] for hit in (theirs, ours)]
    return "same place" if names[0] == names[1] and _apart_m(theirs, ours) <= NEAR_M else "other"


def _apart_m(one: Hit, other: Hit) -> float:
    lat = math.radians(float(one["lat"]))
    north = (float(one["lat"]) - float(other["lat"])) * 111_195
    east = (float(one["lon"]) - float(other["lon"])) * 111_195 * math.cos(lat)
    return math.hypot(north, east)


def _shown(hit: Hit | None) -> str:
    return "–" if hit is None else f"{hit['display_name']} ({hit['osm_type']} {hit['osm_id']})"


def _page(found: Mapping[str, Sequence[tuple[Mapping[str, Any], Hit | None, Hit | None]]]) -> str:
    kinds = ("same object", "same place", "other", "only ours", "only Nominatim's")
    lines, differing = [], {}
    for name, answers in found.items():
        counts = Counter(judged(theirs, ours) for _, theirs, ours in answers)
        same = counts["same object"] + counts["same place"]
        both = len(answers) - counts["only ours"] - counts["only Nominatim's"]
        rates = [f"{same / len(answers):.3f}", f"{same / both:.3f}"]
        lines.append([name, str(len(answers)), *rates, *(str(counts[kind]) for kind in kinds)])
        for query, theirs, ours in answers:
            if judged(theirs, ours) not in kinds[:2]:
                differing[query["query"]] = (query["form"], theirs, ours)
    shown = [[form, query, *map(_shown, hits)] for query, (form, *hits) in differing.items()]
    head = header("As a Nominatim", "osmium", "geopy", rounds=1, command="python -m benchmarks standard")
    return (
        f"{head}The first hits of Nominatim 5.3.3 and of `bearings places serve http --api`, both over Heidelberg, "
        f"Liechtenstein, Malta and Monaco joined, by the same client. "
        f"*Same place*: the same name within {NEAR_M:g} m.\n\n"
        + table(["client", "queries", "same", "same where both answer", *kinds], lines)
        + "\nWhere they differ:\n\n"
        + table(["form", "query", "Nominatim", "bearings"], shown)
    )
