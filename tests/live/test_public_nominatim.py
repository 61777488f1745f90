"""The first examples of this project, sent to nominatim.openstreetmap.org: by hand only, with an address as consent.

`NOMINATIM_EMAIL=you@example.org pytest -m live -n 0 tests/live` sends some ten requests, 1.05 s apart. Answers stay
beside pytest's own cache, so that a second run within the hour sends none.
"""

import os
from collections.abc import AsyncIterator

import pytest

from bearings.places import geometry
from bearings.places.geocoder import Geocoder
from bearings.places.models import Backend, Point, SearchQuery
from bearings.places.nominatim.client import NominatimClient
from bearings.places.nominatim.settings import PUBLIC_INTERVAL_S, NominatimSettings
from bearings.places.nominatim.source import NominatimSource
from bearings.places.settings import PlacesSettings

pytestmark = [pytest.mark.live, pytest.mark.anyio]

MERSEA = Point(51.79, 0.93)
STROOD = Point(51.797, 0.914)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def source() -> AsyncIterator[NominatimSource]:
    """The public server, at its pace; skips without a contact address, which is the consent."""
    if os.environ.get("CI") or not os.environ.get("NOMINATIM_EMAIL"):
        pytest.skip("set NOMINATIM_EMAIL to your address: that is consent to ask the public server; never in CI")
    settings = NominatimSettings.model_validate(
        {"base_url": "https://nominatim.openstreetmap.org", "email": os.environ["NOMINATIM_EMAIL"]}
    )
    assert settings.is_public
    assert settings.interval_s >= PUBLIC_INTERVAL_S
    made = NominatimSource(NominatimClient(settings, cache_dir=PlacesSettings().cache_dir), settings)
    yield made
    await made.aclose()


async def test_mersea_island_is_found_with_a_box_of_its_own(source: NominatimSource) -> None:
    found = await source.search(SearchQuery(text="Mersea Island, Essex", country_codes=("gb",)))
    best = found.places[0]
    assert geometry.distance_m(best.point, MERSEA) < 5_000
    assert best.bbox_kind == "exact"
    assert 5 < geometry.area_km2(best.bbox) < 100
    assert found.provenance.backend is Backend.NOMINATIM


async def test_the_strood_causeway_is_found(source: NominatimSource) -> None:
    found = await source.search(SearchQuery(text="The Strood, Mersea Island", country_codes=("gb",)))
    assert any(geometry.distance_m(place.point, STROOD) < 3_000 for place in found.places)


async def test_a_point_on_the_strood_is_in_colchester_in_england(source: NominatimSource) -> None:
    located = await source.reverse(STROOD, zoom=18, language="en")
    areas = await source.admin(STROOD, language="en")
    assert located.place.address["country_code"] == "gb"
    assert areas.levels[0].level == "country"
    assert {"England", "Essex"} <= {area.name for area in areas.levels}


async def test_fiji_has_a_narrow_box_across_180(source: NominatimSource) -> None:
    geocoder = Geocoder(source, settings=PlacesSettings.model_validate({"backend": "nominatim"}))
    reply = (await geocoder.bbox_from_place("Fiji")).structured()
    assert len(reply["bboxes"]) == 2
    assert all(west < east for west, _, east, _ in reply["bboxes"])


async def test_the_second_question_is_answered_from_memory(source: NominatimSource) -> None:
    query = SearchQuery(text="West Mersea", country_codes=("gb",))
    await source.search(query)
    assert (await source.search(query)).provenance.cached
