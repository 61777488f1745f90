"""The words of a question that a Nominatim's place explains, and the match of its name."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bearings.places.models import BBox, Match, Place, Point, SearchQuery, Structured
from bearings.places.nominatim.spelling import Reading, abbreviates, read, words_of
from bearings.places.query import parse
from bearings.places.query.mending import mended

POSTAL_SERVICE = """
    alley aly; annex anx; arcade arc; avenue ave; bayou byu; beach bch; bend bnd; bluff blf; boulevard blvd; branch br;
    bridge brg; brook brk; bypass byp; camp cp; canyon cyn; cape cpe; causeway cswy; center ctr; circle cir; cliff clf;
    common cmn; corner cor; course crse; court ct; cove cv; creek crk; crescent cres; dale dl; dam dm; divide dv;
    drive dr; estate est; expressway expy; extension ext; ferry fry; field fld; forest frst; fort ft; freeway fwy;
    garden gdn; gateway gtwy; glen gln; green grn; grove grv; harbor hbr; haven hvn; heights hts; highway hwy; hill hl;
    hollow holw; inlet inlt; island is; junction jct; knoll knl; lake lk; landing lndg; lane ln; manor mnr; meadow mdw;
    mill ml; mission msn; motorway mtwy; mount mt; mountain mtn; orchard orch; overpass opas; parkway pkwy;
    passage psge; place pl; plain pln; plaza plz; point pt; port prt; prairie pr; ranch rnch; ridge rdg; river riv;
    road rd; route rte; shoal shl; shore shr; spring spg; square sq; station sta; street st; summit smt; terrace ter;
    throughway trwy; trace trce; trail trl; tunnel tunl; turnpike tpke; union un; valley vly; viaduct via; view vw;
    village vlg; ville vl; vista vis; well wl
"""
"""Suffixes of the United States Postal Service's Publication 28, appendix C1, and their standard abbreviations."""


def place(name: str, *, rank: int = 26, address: dict[str, str] | None = None, **changes: Any) -> Place:
    """A place of a small country."""
    address = address or {"road": name, "town": "Colchester", "country": "Great Britain"}
    full = ", ".join([name, *list(address.values())[1:]])
    box = BBox(0.9, 51.8, 0.91, 51.81)
    whole = Place(name, full, Point(51.8, 0.9), box, "exact", "highway", "residential", rank, 0.05, address=address)
    return replace(whole, **changes)


HIGH_STREET = place("High Street")
HOUSE = place(
    "12a, High Street",
    rank=30,
    address={"house_number": "12a", "road": "High Street", "town": "Colchester", "postcode": "CO1 1AA"},
)
BARBUDA = place("Barbuda", rank=17, address={"island": "Barbuda"})
MUNICH = place(
    "Munich",
    rank=16,
    address={
        "city": "Munich",
        "state": "Bavaria",
        "ISO3166-2-lvl4": "DE-BY",
        "country": "Germany",
        "country_code": "de",
    },
)
MUNICH_NAMES = {
    "name": "München",
    "name:en": "Munich",
    "name:de": "München",
    "name:ja": "ミュンヘン",
    "old_name": "Munichen",
}


def reading(query: str, at: Place, names: dict[str, str] | None = None) -> Reading:
    return read(words_of(SearchQuery(text=query, parsed=parse(query))), at, names or {"name": at.name}, "en")


@pytest.mark.parametrize(
    ("query", "at", "names", "match", "unused"),
    [
        ("High Street, Colchester", HIGH_STREET, None, Match.EXACT, ()),
        ("high st colchester", HIGH_STREET, None, Match.EXACT, ()),
        ("12 High Street, Colchester", HIGH_STREET, None, Match.EXACT, ("12",)),
        ("12 High Street, Colchester 99999", HIGH_STREET, None, Match.EXACT, ("12", "99999")),
        ("12a High Street, Colchester", HOUSE, None, Match.EXACT, ()),
        ("High Street 12 A, Colchester CO1 1AA", HOUSE, None, Match.EXACT, ()),
        ("High Street 13, Colchester", HOUSE, None, Match.PREFIX, ("13",)),
        ("Munich", MUNICH, MUNICH_NAMES, Match.EXACT, ()),
        ("münchen, BY", MUNICH, MUNICH_NAMES, Match.EXACT, ()),
        ("ミュンヘン", MUNICH, MUNICH_NAMES, Match.ALTERNATE, ()),
        ("Munichen, Deutschland", MUNICH, MUNICH_NAMES, Match.ALTERNATE, ()),
        ("Monaco di Baviera", MUNICH, MUNICH_NAMES, None, ("Monaco", "di", "Baviera")),
        ("80331 Munich", MUNICH, MUNICH_NAMES, Match.EXACT, ("80331",)),
        ("A 12", place("A 12;E 30"), {"ref": "A 12;E 30"}, Match.CODE, ()),
        ("A12, Colchester", place("A 12"), {"ref": "A 12"}, Match.EXACT, ()),
        ("Haupt Strasse", place("Hauptstraße"), None, Match.EXACT, ()),
        ("Hauptstr., Colchester", place("Hauptstraße"), None, Match.EXACT, ()),
        ("Haupt, Colchester", place("Hauptstraße"), None, Match.PREFIX, ()),
        ("Museum, Colchester", place("Natural History Museum"), None, Match.PREFIX, ()),
        ("residential in Colchester", HIGH_STREET, None, None, ()),
        ("10 Downing St, London", BARBUDA, None, None, ("10", "Downing", "St", "London")),
    ],
)  # fmt: skip
def test_words_are_explained_by_names_and_address(
    query: str, at: Place, names: dict[str, str] | None, match: Match | None, unused: tuple[str, ...]
) -> None:
    said = reading(query, at, names)
    assert (said.match, said.unused) == (match, unused)


def test_a_name_in_another_language_of_the_asked_one_is_exact() -> None:
    words = words_of(SearchQuery(text="München"))
    assert read(words, MUNICH, {"name:de": "München", "name:en": "Munich"}, "de-AT").match is Match.EXACT
    assert read(words, MUNICH, {"name:de": "München", "name:en": "Munich"}, "en").match is Match.ALTERNATE


def test_chinese_needs_no_spaces() -> None:
    tokyo = place("東京都", rank=8, address={"state": "東京都", "country": "日本"})
    assert reading("日本東京都", tokyo) == reading("東京都", tokyo)
    assert reading("日本東京都新宿区", tokyo).match is Match.EXACT
    assert reading("大阪市", tokyo).unused == ("大阪市",)


def test_a_question_in_parts_is_read_like_its_text() -> None:
    structured = Structured(street="4711 High Street", city="Colchester", postalcode="CO9 9ZZ")
    said = read(words_of(SearchQuery(structured=structured)), HIGH_STREET, {}, "en")
    assert said.unused == ("4711", "CO9", "9ZZ")
    assert not said.is_whole


@pytest.mark.parametrize(
    ("query", "is_whole"),
    [
        ("High Street, Colchester, 99999", True),
        ("High Street, 99999 Colchester", True),
        ("High Street 9999, Colchester", False),
        ("4711 High Street, Colchester", False),
    ],
)
def test_a_number_beside_a_street_is_a_house_and_elsewhere_a_postcode(query: str, is_whole: bool) -> None:
    assert reading(query, HIGH_STREET).is_whole == is_whole


def test_a_place_found_by_its_kind_uses_the_numbers_of_its_address() -> None:
    cafe = place("Tide Table", importance=None, category="amenity", type="cafe")
    assert reading("[amenity=cafe] 51.8, 0.9", cafe).unused == ()


@pytest.mark.parametrize("pair", [pair.strip() for pair in POSTAL_SERVICE.split(";")])
def test_abbreviations_of_streets_stand_for_their_words(pair: str) -> None:
    long, short = pair.split()
    assert abbreviates(short, long)
    assert not abbreviates(long, short)


@pytest.mark.slow
@given(
    st.text(max_size=60), st.text(min_size=1, max_size=30), st.dictionaries(st.text(max_size=8), st.text(max_size=20))
)
def test_any_text_is_read_and_only_its_own_words_are_unused(query: str, name: str, names: dict[str, str]) -> None:
    words = words_of(SearchQuery(text=query))
    said = read(words, place(name), names, "en")
    assert set(said.unused) <= set(query.replace(",", " ").split()) | {word.written for word in words}
    assert 0 <= said.foreign <= len(words)


@pytest.mark.slow
@given(st.text(st.characters(categories=["Lu", "Ll", "Nd"]), min_size=2, max_size=20))
def test_a_place_is_found_exactly_by_its_own_name(name: str) -> None:
    assume(mended(name) == name)  # not "Îµ", a spoilt ε
    words = words_of(SearchQuery(text=name))
    if words:
        assert read(words, place(name), {}, "en") == read(words, place(name), {"name": name}, "en")
        assert read(words, place(name), {}, "en").match is Match.EXACT
