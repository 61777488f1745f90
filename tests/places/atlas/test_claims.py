"""The full atlas's time zones and disputed areas of points."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bearings.places.atlas.answers import Atlas
from bearings.places.atlas.index import Index
from bearings.places.models import Point, SearchQuery


@pytest.fixture(scope="module")
def atlas(full_atlas: Path) -> Iterator[Atlas]:
    index = Index(full_atlas)
    yield Atlas(index)
    index.close()


@pytest.mark.parametrize(
    ("lat", "lon", "zone", "nautical"),
    [
        (48.2, 16.37, "Europe/Vienna", False),
        (41.9, -84.0, "America/Detroit", False),
        (53.3, -60.4, "America/Goose_Bay", False),
        (62.8, -92.1, "America/Rankin_Inlet", False),
        (56.48, 84.97, "Asia/Tomsk", False),
        (32.5, 80.1, "Asia/Shanghai", False),
        (-33.63, -78.83, "America/Santiago", False),
        (-18.14, 178.44, "Pacific/Fiji", False),
        (-16.8, -179.97, "Pacific/Fiji", False),
        (0, -30, "Etc/GMT+2", True),
        (90, 0, "Etc/GMT", True),
        (-77.85, 166.67, "Antarctica/McMurdo", False),
        (-80, 100, "Etc/GMT-7", True),
    ],
)
def test_a_point_keeps_a_time(atlas: Atlas, lat: float, lon: float, zone: str, nautical: bool):
    place = atlas.reverse(Point(lat, lon), 18, "en")
    assert place is not None
    assert place.time_zone is not None
    assert (place.time_zone.id, place.time_zone.nautical) == (zone, nautical)


@pytest.mark.parametrize(
    ("lat", "lon", "name", "held", "claimed"),
    [
        (44.95, 34.1, "Crimea", ["RU"], ["UA"]),
        (34.1, 74.8, "Jammu and Kashmir", ["IN"], ["PK"]),
        (35.1, 79.3, "Aksai Chin", ["CN"], ["IN"]),
        (27.15, -13.2, "Western Sahara", ["MA"], ["EH"]),
        (33.0, 35.8, "Golan Heights", ["IL"], ["SY"]),
        (43.0, 41.1, "Abkhazia", [None], ["GE"]),
        (-51.7, -57.85, "Falkland Islands", ["GB"], ["AR"]),
        (22.3, 35.4, "Halaib Triangle", ["EG"], ["SD"]),
        (-77.85, 166.67, "Ross Dependency", [], ["NZ"]),
    ],
)
def test_a_point_has_the_administrators_and_claimants_of_its_area(
    atlas: Atlas, lat: float, lon: float, name: str, held: list[str | None], claimed: list[str]
):
    (area,) = [each for each in atlas.disputed(Point(lat, lon), "en") if each.name == name]
    assert [party.code for party in area.administered_by] == held
    assert [party.code for party in area.claimed_by] == claimed
    assert area.source


def test_the_claims_in_antarctica_overlap_and_meet_at_the_pole(atlas: Atlas):
    def claimants(lat: float, lon: float) -> set[str | None]:
        return {party.code for area in atlas.disputed(Point(lat, lon), "en") for party in area.claimed_by}

    assert claimants(-65.5, -64.0) == {"AR", "CL", "GB"}
    assert claimants(-80, -120) == set()
    assert claimants(-90, 0) == {"AR", "AU", "CL", "FR", "GB", "NO", "NZ"}


@pytest.mark.parametrize("query", ["Crimea", "Kashmir", "Western Sahara", "Golan Heights"])
def test_the_name_of_a_disputed_area_tells_its_sides(atlas: Atlas, query: str):
    first = atlas.search(SearchQuery(text=query)).places[0]
    assert first.disputed
    assert all(area.administered_by and area.claimed_by for area in first.disputed)


@pytest.mark.parametrize(("query", "zone"), [("Tokyo", "Asia/Tokyo"), ("Nuuk", "America/Nuuk"), ("Arizona", None)])
def test_a_place_that_keeps_one_time_tells_it(atlas: Atlas, query: str, zone: str | None):
    found = atlas.search(SearchQuery(text=query)).places[0].time_zone
    assert (found and found.id) == zone
