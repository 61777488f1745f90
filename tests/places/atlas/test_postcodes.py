"""The layer of postcodes: alone, beside a place, without a file."""

import os
import re
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import anyio
import pytest

import bearings.places
from bearings.errors import Unsupported
from bearings.places.atlas import making, postcodes
from bearings.places.atlas.answers import Atlas
from bearings.places.atlas.by_postcode import ByPostcode
from bearings.places.atlas.edition import file_name
from bearings.places.atlas.index import Index
from bearings.places.atlas.integrity import CHECKSUM
from bearings.places.atlas.postcodes import ATLAS, Origin, Postcode, Postcodes, write
from bearings.places.atlas.source import GazetteerSource
from bearings.places.geocoder import Geocoder
from bearings.places.models import Match, Place, Point, SearchQuery, Structured
from bearings.places.opening import Places
from bearings.places.replies import GeocodeReply
from bearings.places.settings import PlacesSettings
from bearings.places.tables.answering import Answered, Asker, QuestionOptions
from bearings.progress import NoProgress
from builder.postcodes import _spellings
from tests.conftest import USERS_CACHE
from tests.places import small_index

ILLINOIS, KOELN, LONDON = Point(39.80, -89.64), Point(50.93, 6.95), Point(51.51, -0.13)
CODES = (
    Postcode("62701", "us", ILLINOIS, Origin.ZIP_CODE, "Springfield"),
    Postcode("02139", "us", Point(42.36, -71.10), Origin.ZIP_CODE, "Cambridge"),
    Postcode("50667", "de", KOELN, Origin.SETTLEMENT, "Köln"),
    Postcode("50667", "us", ILLINOIS, Origin.CODE),
    Postcode("5-0668", "de", KOELN, Origin.SETTLEMENT, "Köln"),
    Postcode("50668", "us", ILLINOIS, Origin.CODE),
    Postcode("10115", "de", Point(52.53, 13.38), Origin.CODE, "Berlin"),
    Postcode("1234", "us", ILLINOIS, Origin.CODE),
    Postcode("WC", "gb", LONDON, Origin.CODE, "London West Central"),
    Postcode("SW1A", "gb", LONDON, Origin.CODE, "London"),
)


def made(directory: Path) -> Path:
    """A cache directory with the small atlas and a few codes."""
    path = directory / file_name()
    small_index.build(path, NoProgress())
    with closing(Index(path)) as index:
        settlements = index.query("SELECT id, lat, lon FROM place WHERE layer = 'settlement'")
        ids = {Point(lat, lon): place for place, lat, lon in settlements}
        meta = {ATLAS: index.meta[CHECKSUM]}
    write(directory / postcodes.file_name(), [code._replace(place=ids.get(code.point)) for code in CODES], meta)
    return directory


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Places]:
    with bearings.places.open(backend="gazetteer", cache_dir=str(made(tmp_path))) as places:
        yield places


def told(reply: GeocodeReply) -> dict[str, object]:
    first = reply.results[0]
    return {"name": first.name, "type": first.type, "code": first.address.get("postcode"), "unused": reply.unused}


@pytest.mark.parametrize(
    ("query", "name", "kind", "code", "unused"),
    [
        ("62701, USA", "62701", "postcode", "62701", None),
        ("USA 62701", "62701", "postcode", "62701", None),
        ("62701, Illinois", "62701", "postcode", "62701", None),
        ("50667, Germany", "50667", "postcode", "50667", None),
        ("D-50667", "50667", "postcode", "50667", None),
        ("50667 Köln", "Cologne", "city", "50667", None),
        ("D-50667 Köln", "Cologne", "city", "50667", None),
        ("Springfield 62701", "Springfield", "city", "62701", None),
        ("62701-1234", "62701", "postcode", "62701", ["1234"]),
        ("SW1A 2AA", "SW1A", "postcode", "SW1A", ["2AA"]),
        ("WC2N 5DU", "WC", "postcode", "WC", ["WC2N 5DU"]),
        ("SW1A 2AA London", "London", "city", "SW1A", ["2AA"]),
        ("London, SW1A 2AA", "London", "city", "SW1A", ["2AA"]),
        ("IL 62701", "62701", "postcode", "62701", None),
        ("Köln 10115", "Cologne", "city", None, ["10115"]),
        ("Köln 99999", "Cologne", "city", None, ["99999"]),
        ("123456, Japan", "Japan", "country", None, ["123456"]),
    ],
)
def test_what_a_code_is_read_as(
    small: Places, query: str, name: str, kind: str, code: str | None, unused: list[str] | None
):
    found = told(small.geocode(query))
    named = {"Cologne", "Köln"} if name == "Cologne" else {name}
    assert found.pop("name") in named
    assert found == {"type": kind, "code": code, "unused": unused}


def test_a_code_is_a_place_with_the_address_of_its_settlement_and_a_credit(small: Places):
    reply = small.geocode("50667, Germany")
    [place] = reply.results
    assert (place.precision, place.match, place.confidence, place.bbox_kind) == ("postcode", "code", 0.8, "estimated")
    assert place.address["country"] == "Germany"
    assert place.display_name.startswith("50667, ")
    assert "ODbL" in reply.attribution
    assert "ODbL" not in small.geocode("Köln").attribution
    own = small.geocode("62701, USA")
    assert own.results[0].confidence == 0.9
    assert "zipcodes (MIT)" in own.attribution


def test_an_outline_of_a_code_is_its_point(tmp_path: Path):
    made(tmp_path)
    with closing(Index(tmp_path / file_name())) as index, closing(Postcodes(tmp_path / postcodes.file_name())) as layer:
        asked = SearchQuery(text="50667, Germany", geometry="simplified")
        [place] = ByPostcode(Atlas(index), layer).search(asked).places
    assert place.outline is not None
    assert place.outline.note == "Postcodes are known as points."


def test_the_code_decides_between_namesakes(small: Places):
    assert small.geocode("Springfield").results[0].address["state"] == "Massachusetts"
    [place] = small.geocode("Springfield 62701", limit=1).results
    assert place.address["state"] == "Illinois"
    assert (place.confidence or 0) > 0.9
    assert small.geocode("Cambridge 02139").results[0].address["state"] == "Massachusetts"


def test_countries_share_the_confidence_of_a_code_alone(small: Places):
    found = small.geocode("50667").results
    assert [place.address["country_code"] for place in found] == ["us", "de"]
    assert all((place.confidence or 0) <= 0.75 for place in found)
    assert small.geocode("62701").results[0].confidence == 0.9
    assert (small.geocode("1234").results[0].confidence or 1) < 0.6, "it may be a year or an amount"
    assert [place.name for place in small.geocode("50667", country_codes=["de"]).results] == ["50667"]
    near = small.geocode("50667", near=(51.0, 7.0)).results
    assert near[0].address["country_code"] == "de"


def test_a_code_that_its_country_writes_otherwise_is_less_likely(small: Places):
    likely = [place.confidence for place in small.geocode("50668").results]
    assert (likely[1] or 1) < 0.1
    assert [place.address["country_code"] for place in small.geocode("50668").results] == ["us", "de"]


def test_fields_are_read_as_text_is(small: Places):
    assert told(small.geocode(structured=Structured(postalcode="50667", country="Germany")))["type"] == "postcode"
    assert told(small.geocode(structured=Structured(postalcode="62701")))["type"] == "postcode"
    assert told(small.geocode(structured=Structured(postalcode="62701", city="Springfield"))) == {
        "name": "Springfield", "type": "city", "code": "62701", "unused": None,
    }  # fmt: skip
    with pytest.raises(Unsupported, match="postalcode"):
        small.geocode(structured=Structured(postalcode="99999"))


def test_the_hint_says_that_a_country_has_none(small: Places):
    assert "No postcodes of Japan are known" in (small.geocode("123456, Japan").hint or "")
    nothing = small.geocode("123456", country_codes=["jp"])
    assert nothing.count == 0
    assert re.search("No postcodes of Japan are known.*looks like a postcode", nothing.hint or "")


@pytest.mark.parametrize("content", [None, b"not a database"])
def test_without_a_file_a_code_is_unused_as_ever(tmp_path: Path, content: bytes | None):
    small_index.build(tmp_path / file_name(), NoProgress())
    if content is not None:
        (tmp_path / postcodes.file_name()).write_bytes(content)
    with bearings.places.open(backend="gazetteer", cache_dir=str(tmp_path)) as places:
        assert told(places.geocode("50667 Köln"))["unused"] == ["50667"]
        assert places.geocode("50667").count == 0
        with pytest.raises(Unsupported, match="postalcode"):
            places.geocode(structured=Structured(postalcode="50667"))


def test_the_layer_answers_over_another_atlas_by_its_points(tmp_path: Path):
    path = made(tmp_path) / postcodes.file_name()
    write(path, [code._replace(place=1) for code in CODES], {ATLAS: "another"})
    with bearings.places.open(backend="gazetteer", cache_dir=str(tmp_path)) as places:
        assert places.geocode("50667, Germany").results[0].address["country"] == "Germany"


def test_tables_have_the_code(tmp_path: Path):
    settings = PlacesSettings(cache_dir=made(tmp_path), backend="gazetteer")
    options = QuestionOptions(columns=("postcode",))

    async def asked() -> Answered:
        asker = Asker(Geocoder(GazetteerSource(settings.cache_dir), settings=settings))
        answered = await asker.answered(["50667 Köln", "62701, USA", "London"], options)
        await asker.aclose()
        return answered

    assert [answer.more for answer in anyio.run(asked).answers] == [("50667",), ("62701",), (None,)]


def test_one_code_of_a_country_is_kept_and_a_failed_file_leaves_nothing(tmp_path: Path):
    path = tmp_path / "layer.sqlite"
    write(path, [Postcode("AB-1", "gb", LONDON, Origin.CODE), Postcode("AB 1", "gb", LONDON, Origin.CODE)], {})
    with closing(Postcodes(path)) as layer:
        assert [code.country for code in layer.of("AB1")] == ["gb"]
        assert layer.countries == {"gb"}
    with pytest.raises(AttributeError):
        write(path, [None], {})  # type: ignore[list-item]
    assert [each.name for each in tmp_path.iterdir()] == ["layer.sqlite"]


def test_an_atlas_without_the_packages_of_postcodes_has_none(tmp_path: Path):
    if not any(map(find_spec, making.POSTCODE_PACKAGES)):
        assert not making.make_postcodes(tmp_path / "postcodes.sqlite", tmp_path / "atlas.sqlite", NoProgress())
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "spelt"),
    [
        ("Wien, Innere Stadt", "Wien"),
        ("Lausanne 25", "Lausanne"),
        ("PARIS CEDEX 08", "PARIS"),
        ("Budapest 13. ker.", "Budapest"),
        ("Kilchberg BL", "Kilchberg"),
        ("札幌市北区北十条西（１〜４丁目）", "札幌市"),
        ("揖保郡太子町米田", "太子町"),
        ("Aye Yar Quarter, Myitkyina Township", "Myitkyina"),
    ],
)
def test_the_spellings_of_a_locality(name: str, spelt: str):
    assert spelt in list(_spellings(name))


@pytest.fixture(scope="session")
def by_postcode(full_atlas: Path) -> Iterator[ByPostcode]:
    """The layer that `make install` made, over its atlas."""
    path = Path(os.environ[USERS_CACHE]) / postcodes.file_name()
    if not postcodes.readable(path):
        (pytest.fail if os.environ.get("BEARINGS_REQUIRE_ATLAS") == "1" else pytest.skip)("there are no postcodes")
    with closing(Index(full_atlas)) as index, closing(Postcodes(path)) as layer:
        yield ByPostcode(Atlas(index), layer)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "country", "name"),
    [
        ("90210", "us", "90210"),
        ("75001", "fr", "75001"),
        ("10115, Germany", "de", "10115"),
        ("94105, USA", "us", "94105"),
        ("M5V 3L9, Canada", "ca", "M5V"),
        ("100-0001, Japan", "jp", "100-0001"),
        ("Georgia 30303", "us", "30303"),
        ("CA 94105", "us", "94105"),
        ("1010 Wien", "at", "Vienna"),
        ("20095 Hamburg", "de", "Hamburg"),
        ("Springfield 62701", "us", "Springfield"),
        ("75008 Paris", "fr", "Paris"),
        ("28001 Madrid", "es", "Madrid"),
    ],
)
def test_codes_of_the_world(by_postcode: ByPostcode, query: str, country: str, name: str):
    place: Place = by_postcode.search(SearchQuery(text=query)).places[0]
    assert (place.address["country_code"], place.name) == (country, name)
    assert (place.match is Match.CODE) == (place.type == "postcode")


@pytest.mark.slow
def test_the_real_layer_is_within_its_size_and_counts_its_codes(by_postcode: ByPostcode):
    layer = by_postcode.layer
    assert layer.path.stat().st_size <= 60_000_000
    placed = {key.removeprefix("placed."): int(n) for key, n in layer.meta.items() if key.startswith("placed.")}
    assert placed.keys() == layer.countries
    assert sum(placed.values()) > 450_000
    assert "es" not in placed, "the package has its municipalities' codes"
