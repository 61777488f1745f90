"""Other forms of queries: grids, codes, postcodes, addresses, names with contexts and qualifiers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.places.models import Code, CodeScheme, Kind, NameReading
from bearings.places.query import parse

FOREIGN = [
    ("EPSG:4326", "coordinate reference system"),
    ("epsg 3857", "coordinate reference system"),
    ("urn:ogc:def:crs:EPSG::4326", "coordinate reference system"),
    ("WGS84", "coordinate reference system"),
    ("31N 448251 5411932", "UTM"),
    ("UTM 33U 389100 5819200", "UTM"),
    ("17 T 630084 m E 4833438 m N", "UTM"),
    ("9G8F+6X", "a short plus code"),
    ("XXXXXXXX+XX", "no plus code"),
    ("MGRS 61TLT", "MGRS"),
    ("32TZA8213500464", "MGRS"),
    ("///filled.count.soap", "what3words"),
    ("filled.count.soap", "what3words"),
    ("https://what3words.com/filled.count.soap", "what3words"),
    ("https://example.org/paris", "web address"),
    ("www.example.org", "web address"),
    ("R112298", "OpenStreetMap"),
    ("way/4081", "OpenStreetMap"),
    ("capital of France", "a capital"),
    ("What is the capital city of Peru?", "a capital"),
]


@pytest.mark.parametrize(("query", "what"), FOREIGN, ids=[query for query, _ in FOREIGN])
def test_another_way_to_write_a_position_is_named(query: str, what: str) -> None:
    problem = parse(query).problem
    assert problem is not None
    assert what in problem.problem
    assert problem.remedy.endswith(".")


@pytest.mark.parametrize("query", ["Capital of Texas Highway, Austin", "Capital of Texas Highway", "Capital Hotel"])
def test_a_street_called_after_a_capital_is_a_name(query: str) -> None:
    assert parse(query).problem is None


CODES = [
    ("US", [(CodeScheme.ISO_3166_1, "US")]),
    ("usa", [(CodeScheme.ISO_3166_1, "USA"), (CodeScheme.IATA, "USA")]),
    ("EGLL", [(CodeScheme.ICAO, "EGLL")]),
    ("US-CA", [(CodeScheme.ISO_3166_2, "US-CA")]),
    ("de-by", [(CodeScheme.ISO_3166_2, "DE-BY")]),
    ("FR-75", [(CodeScheme.ISO_3166_2, "FR-75")]),
    ("JFK airport", [(CodeScheme.IATA, "JFK")]),
    ("airport LHR", [(CodeScheme.IATA, "LHR")]),
    ("EGLL airport", [(CodeScheme.ICAO, "EGLL")]),
    ("IATA: CDG", [(CodeScheme.IATA, "CDG")]),
    ("ICAO LFPG", [(CodeScheme.ICAO, "LFPG")]),
    ("IATA LFPG", []),
    ("Paris", []),
    ("日本", []),
]


@pytest.mark.parametrize(("query", "codes"), CODES, ids=[query for query, _ in CODES])
def test_a_text_of_a_codes_form_may_be_one(query: str, codes: list[tuple[CodeScheme, str]]) -> None:
    assert parse(query).codes == tuple(Code(*code) for code in codes)


def test_a_code_is_read_as_the_place_that_has_it() -> None:
    assert NameReading("CA", ("US",), Kind.STATE, "US-CA") in parse("us-ca").readings
    assert NameReading("JFK", (), Kind.AIRPORT) in parse("JFK airport").readings


POSTCODES = [
    ("10115", "10115"),
    ("80302-1234", "80302-1234"),
    ("SW1A 2AA", "SW1A 2AA"),
    ("sw1a2aa", "sw1a2aa"),
    ("K1A 0B1", "K1A 0B1"),
    ("1012 AB", "1012 AB"),
    ("D02 AF30", "D02 AF30"),
    ("〒100-0001", "〒100-0001"),
    ("01310-100", "01310-100"),
    ("00-950", "00-950"),
    ("1100-148", "1100-148"),
    ("114 55", "114 55"),
    ("110 001", "110 001"),
    ("D-10115", "D-10115"),
    ("C1420ABC", "C1420ABC"),
    ("10115 Berlin", "10115"),
    ("Berlin 10115", "10115"),
    ("London SW1A 2AA", "SW1A 2AA"),
    ("Boulder, CO 80302", "80302"),
    ("Boulder, CO, 80302", "80302"),
    ("75001 Paris, France", "75001"),
    ("Melbourne VIC 3000 Australia", "3000"),
    ("Bengaluru-560001", "560001"),
    ("New Delhi - 110001", "110001"),
    ("München D-80331", "D-80331"),
    ("Stratford-upon-Avon CV37 6QW", "CV37 6QW"),
    ("Berlin", None),
    ("Fort 5", None),
    ("District 9", None),
    ("100 Mile House", None),
    ("5", None),
]


@pytest.mark.parametrize(("query", "postcode"), POSTCODES, ids=[query for query, _ in POSTCODES])
def test_a_postcode_is_recognised(query: str, postcode: str | None) -> None:
    assert parse(query).postcode == postcode


STREETS = [
    "10 Downing Street, London",
    "221B Baker Street",
    "1600 Pennsylvania Avenue NW, Washington",
    "350 5th Ave, New York",
    "Hauptstraße 5",
    "Hauptstr. 12a, 10115 Berlin",
    "Marienplatz 8, München",
    "12 rue de Rivoli, Paris",
    "8 bis, avenue Foch, Paris",
    "Calle Mayor 3, Madrid",
    "Via Roma, 12, Torino",
    "Rua Augusta 100, Lisboa",
    "Keizersgracht 123, Amsterdam",
    "Prins Hendrikkade 33",
    "ul. Marszałkowska 10, Warszawa",
    "ул. Тверская, 7, Москва",
    "İstiklal Caddesi 5, İstanbul",
    "Drottninggatan 5, Stockholm och Söder",
    "東京都千代田区丸の内1丁目",
    "南京东路100号",
    "Route 66",
]
NO_STREETS = [
    "London", "Street", "Street, England", "Street, 5", "St. Louis", "St Ives, Cornwall", "Paris 5", "Avenue",
    "Via del Mar", "Way", "10115 Berlin", "Court", "Strasbourg", "Platz", "Nowy Sącz", "Broadway, Virginia",
]  # fmt: skip


@pytest.mark.parametrize("query", STREETS)
def test_a_street_address_is_recognised(query: str) -> None:
    assert parse(query).street


@pytest.mark.parametrize("query", NO_STREETS)
def test_a_name_is_no_street_address(query: str) -> None:
    assert not parse(query).street


READINGS = [
    ("river Thames", "Thames", (), Kind.RIVER),
    ("the River Thames", "the River Thames", (), None),
    ("Thames River", "Thames", (), Kind.RIVER),
    ("Lake Tahoe", "Tahoe", (), Kind.LAKE),
    ("Lake of the Woods", "the Woods", (), Kind.LAKE),
    ("Orange County", "Orange", (), Kind.COUNTY),
    ("Orange County, California", "Orange", ("California",), Kind.COUNTY),
    ("state of Georgia", "Georgia", (), Kind.STATE),
    ("Washington State", "Washington", (), Kind.STATE),
    ("city of London", "London", (), Kind.SETTLEMENT),
    ("Mt. Everest", "Everest", (), Kind.MOUNTAIN),
    ("Mount Fuji", "Fuji", (), Kind.MOUNTAIN),
    ("Rocky Mountains", "Rocky", (), Kind.MOUNTAIN),
    ("Georgia (country)", "Georgia", (), Kind.COUNTRY),
    ("Georgia (state)", "Georgia", (), Kind.STATE),
    ("Mercury (city), Nevada", "Mercury", ("Nevada",), Kind.SETTLEMENT),
    ("Paris (Texas)", "Paris", ("Texas",), None),
    ("Paris (France)", "Paris", ("France",), None),
    ("Springfield in Illinois", "Springfield", ("Illinois",), None),
    ("city of Springfield in Illinois", "Springfield", ("Illinois",), Kind.SETTLEMENT),
    ("Frankfurt in the state of Hesse", "Frankfurt", ("Hesse",), None),
    ("Tbilisi, Georgia (country)", "Tbilisi", ("Georgia",), None),
    ("Portland, state of Oregon", "Portland", ("Oregon",), None),
    ("island of Malta", "Malta", (), Kind.ISLAND),
    ("Gobi desert", "Gobi", (), Kind.DESERT),
    ("Black Sea", "Black", (), Kind.SEA),
    ("Bay of Bengal", "Bengal", (), Kind.SEA),
    ("Cape of Good Hope", "Good Hope", (), Kind.COAST),
    ("Yosemite National Park", "Yosemite", (), Kind.PARK),
    ("Heathrow Airport", "Heathrow", (), Kind.AIRPORT),
    ("Fluss Elbe", "Elbe", (), Kind.RIVER),
    ("Stadt Köln", "Köln", (), Kind.SETTLEMENT),
    ("Insel Rügen", "Rügen", (), Kind.ISLAND),
    ("Landkreis Goslar", "Goslar", (), Kind.COUNTY),
    ("Köln in Deutschland", "Köln", ("Deutschland",), None),
    ("lac Léman", "Léman", (), Kind.LAKE),
    ("ville de Lyon", "Lyon", (), Kind.SETTLEMENT),
    ("île de Ré", "Ré", (), Kind.ISLAND),
    ("département du Var", "Var", (), Kind.STATE),
    ("río Ebro", "Ebro", (), Kind.RIVER),
    ("ciudad de Granada", "Granada", (), Kind.SETTLEMENT),
    ("provincia de Sevilla", "Sevilla", (), Kind.STATE),
    ("lago di Garda", "Garda", (), Kind.LAKE),
    ("monte Bianco", "Bianco", (), Kind.MOUNTAIN),
    ("cidade do Porto", "cidade do Porto", (), None),
    ("ilha da Madeira", "Madeira", (), Kind.ISLAND),
    ("rio Tejo", "Tejo", (), Kind.RIVER),
    ("estado do Paraná", "Paraná", (), Kind.STATE),
    ("rivier Maas", "Maas", (), Kind.RIVER),
    ("provincie Utrecht", "Utrecht", (), Kind.STATE),
    ("eiland Texel", "Texel", (), Kind.ISLAND),
]


@pytest.mark.parametrize(("query", "name", "context", "kind"), READINGS, ids=[row[0] for row in READINGS])
def test_a_query_may_be_read_so(query: str, name: str, context: tuple[str, ...], kind: Kind | None) -> None:
    assert NameReading(name, context, kind) in parse(query).readings


@pytest.mark.parametrize("query", ["Denver CO", "CO Denver", "Der Kern", "Boulder, CO"])
def test_a_code_or_an_article_is_no_qualifier(query: str) -> None:
    assert len(parse(query).readings) == 1


@pytest.mark.parametrize(
    "query",
    [
        "Lake City", "Mexico City", "Salt Lake City", "Isle of Man", "Río de Janeiro", "Mount Vernon, Ohio",
        "Bay City, MI", "Georgia (country)", "Springfield in Illinois", "Island", "State", "County", "US-CA",
        "Seattle, Washington state",
    ],
)  # fmt: skip
def test_the_whole_text_is_the_first_reading(query: str) -> None:
    first, *rest = query.split(", ")
    assert parse(query).readings[0] == NameReading(first, tuple(rest))


@pytest.mark.parametrize(
    ("query", "parts"),
    [
        ("Boulder, Colorado, USA", ("Boulder", "Colorado", "USA")),
        (" Boulder ,Colorado;USA ", ("Boulder", "Colorado", "USA")),
        ("東京、日本，", ("東京", "日本")),
        ("القاهرة، مصر", ("القاهرة", "مصر")),
        ("Ｂｏｕｌｄｅｒ，　ＣＯ", ("Boulder", "CO")),
        ("Zu\u0308rich", ("Zürich",)),
        ("a\u200bb\x07c", ("ab c",)),
        ("کتاب\u200cخانه", ("کتاب\u200cخانه",)),
        (",,,", ()),
        ("@#$%^&*", ()),
        ("& - *", ()),
        ("", ()),
    ],
)
def test_a_text_is_tidied_and_cut_at_commas(query: str, parts: tuple[str, ...]) -> None:
    assert parse(query).parts == parts


PIECES = st.lists(
    st.sampled_from(
        [
            "40",
            "-74.0",
            "°",
            "'",
            '"',
            "N",
            "W",
            "O",
            ",",
            ";",
            "lat",
            "lon",
            "geo:",
            "(",
            ")",
            "lake",
            "of",
            "in",
            "street",
            "Paris",
            "EPSG:",
            "+",
            "8FVC",
            "///",
            ".",
            "POINT(",
            "10115",
            "-",
            " ",
            "City",
            "́",
            "日本",
            "�",
            "\x00",
        ]
    ),
    max_size=30,
)


@pytest.mark.slow
@given(st.one_of(st.text(max_size=600), PIECES.map("".join), PIECES.map(" ".join)))
def test_no_text_raises_and_each_is_a_point_a_problem_or_readings(query: str) -> None:
    read = parse(query)
    assert len(read.text) <= 600
    assert (read.point is not None) + (read.problem is not None) + bool(read.readings) <= 1
    assert bool(read.readings) == bool(read.parts)
    assert all(reading.name for reading in read.readings)
    assert parse(query) == read


@pytest.mark.parametrize(
    "piece", ["1 ", "(", "a ", "° ", "1.", "-", "in ", ",", "N", "ä", "1,", "a.", "/", "'", "lake "]
)
def test_a_very_long_text_is_read_as_its_beginning(piece: str) -> None:
    assert parse(piece * 100_000) == parse((piece * 500)[:500])
