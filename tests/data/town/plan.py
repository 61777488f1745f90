"""The plan of Velmora, an invented country of two islands: what stands where, in metres east and north of its harbour.

Nothing here exists. The sea around 26.5° S, 180° is empty; XV is one of the codes that ISO 3166 leaves to its users.
`draw.py` turns this plan into `town.osm` and `truth.json`. Append to the tables rather than insert: ids count up.
"""

from typing import Final

ORIGIN: Final = (179.75, -26.5)  # Porto Aŭrelo's market cross, longitude and latitude
METRES_PER_DEGREE: Final = (99_513.0, 111_195.0)  # eastward and northward at that latitude
ANTIMERIDIAN: Final = 24_878.25  # metres east of the cross: where 180° runs

Metres = tuple[float, float]
Tags = dict[str, str]


def box(west: float, south: float, east: float, north: float) -> list[Metres]:
    """The four corners, in metres, anticlockwise."""
    return [(west, south), (east, south), (east, north), (west, north)]


VELMORA: Final[Tags] = {
    "name": "Velmoro",
    "name:en": "Velmora",
    "name:fr": "Velmore",
    "name:ja": "ヴェルモラ",
    "name:ru": "Велмора",
    "name:ar": "فيلمورا",
    "alt_name": "Velmora Isles",
}

# id of the plan, place tags, point. Linked to the boundary of the same key below.
SETTLEMENTS: Final[list[tuple[str, Tags, Metres]]] = [
    ("aurelo", {
        "place": "town", "name": "Porto Aŭrelo", "name:en": "Port Aurel", "name:fr": "Port-Aurèle",
        "name:ja": "ポート・オーレル", "name:ru": "Порт-Аурель", "alt_name": "Aurelhaven", "population": "4210",
    }, (0, 0)),
    ("kettle", {
        "place": "village", "name": "Kaldrona Golfo", "name:en": "Kettle Bay", "name:fr": "Baie-du-Chaudron",
        "name:ja": "ケトル湾", "name:ru": "Котельная Бухта", "population": "640",
    }, (5200, 2100)),
    ("stones", {
        "place": "hamlet", "name": "Tri Ŝtonoj", "name:en": "Three Stones", "name:ja": "三つ石", "population": "38",
    }, (-5200, -1500)),
    ("dawn", {
        "place": "village", "name": "Tagiĝo", "name:en": "Dawn Landing", "name:fr": "L'Aube", "name:ja": "暁の浜",
        "name:ru": "Рассвет", "population": "95",
    }, (32_000, 0)),
    ("oldharbour", {"place": "suburb", "name": "Old Harbour", "name:fr": "Vieux-Port"}, (-450, -450)),
    ("northfield", {"place": "suburb", "name": "North Field"}, (200, 900)),
    ("ropewalk", {"place": "neighbourhood", "name": "The Ropewalk"}, (-900, 150)),
    ("lonely", {"place": "isolated_dwelling", "name": "World's End"}, (-7600, 600)),
    ("crossing", {"place": "locality", "name": "Gallows Crossing"}, (-2600, 1700)),
]  # fmt: skip

GREAT_ISLAND: Final[list[Metres]] = [
    (-8600, 0), (-8200, -1600), (-7000, -2900), (-5200, -3600), (-3100, -3900), (-1500, -3300), (-700, -1200),
    (-500, -700), (500, -700), (900, -1300), (1700, -3200), (3600, -3700), (5900, -3100), (7700, -1700), (8400, 300),
    (7300, 1500), (6300, 1700), (6100, 2500), (6900, 3300), (5400, 4600), (3000, 5400), (400, 5700), (-2400, 5500),
    (-5100, 4700), (-7200, 3000), (-8300, 1500),
]  # fmt: skip
GULL_ISLET: Final[list[Metres]] = [
    (-2600, -5600), (-1800, -5900), (-1000, -5700), (-900, -5200), (-1500, -4900), (-2300, -5000),
]  # fmt: skip
DAWN_ISLAND: Final[list[Metres]] = [
    (30_800, -500), (31_500, -1300), (32_700, -1200), (33_300, -200), (32_900, 900), (31_700, 1300), (30_900, 600),
]  # fmt: skip
ISLANDS: Final[list[tuple[Tags, list[Metres]]]] = [
    ({"natural": "coastline", "place": "island", "name": "Granda Velmoro", "name:en": "Great Velmora"}, GREAT_ISLAND),
    ({"natural": "coastline", "place": "islet", "name": "Mevinsulo", "name:en": "Gull Islet"}, GULL_ISLET),
    ({"natural": "coastline", "place": "island", "name": "Insulo de Tagiĝo", "name:en": "Dawn Island"}, DAWN_ISLAND),
]

WATERS_WEST: Final = [(-14_000.0, -9000.0), (ANTIMERIDIAN, -9000.0), (ANTIMERIDIAN, 9000.0), (-14_000.0, 9000.0)]
WATERS_EAST: Final = [(ANTIMERIDIAN, -9000.0), (39_000.0, -6000.0), (39_000.0, 6000.0), (ANTIMERIDIAN, 9000.0)]
OLD_HARBOUR: Final = [(-1600.0, -1500.0), (0.0, -1500.0), (0.0, -100.0), (-1600.0, -100.0)]

# key of the place node to link, admin_level, tags, rings
BOUNDARIES: Final[list[tuple[str | None, int, Tags, list[list[Metres]]]]] = [
    (None, 2, {**VELMORA, "ISO3166-1": "XV", "ISO3166-1:alpha2": "XV", "ISO3166-1:alpha3": "XVM", "population": "5000"},
     [WATERS_WEST, WATERS_EAST]),
    (None, 4, {"name": "Granda Regiono", "name:en": "Great Region", "ISO3166-2": "XV-GR"}, [WATERS_WEST]),
    (None, 4, {"name": "Eksteraj Insuloj", "name:en": "Outer Isles", "name:ja": "外島", "ISO3166-2": "XV-OI"},
     [WATERS_EAST]),
    (None, 6, {"name": "Tideland County", "ISO3166-2": "XV-TI"}, [box(-9000, -6500, 3000, 6000)]),
    (None, 6, {"name": "Kettle County", "ISO3166-2": "XV-KE"}, [box(3000, -6500, 9000, 6000)]),
    ("aurelo", 8, {
        "name": "Porto Aŭrelo", "name:en": "Port Aurel", "name:fr": "Port-Aurèle", "name:ja": "ポート・オーレル",
        "name:ru": "Порт-Аурель", "alt_name": "Aurelhaven",
    }, [box(-1600, -1500, 1600, 1500)]),
    ("kettle", 8, {
        "name": "Kaldrona Golfo", "name:en": "Kettle Bay", "name:fr": "Baie-du-Chaudron", "name:ja": "ケトル湾",
        "name:ru": "Котельная Бухта",
    }, [box(4300, 1300, 6400, 3000)]),
    ("oldharbour", 10, {"name": "Old Harbour", "name:fr": "Vieux-Port"}, [OLD_HARBOUR]),
]  # fmt: skip

LONG_NAME: Final = (
    "The Right Worshipful Company of Harbour Masters, Lighthouse Keepers, Net Menders and Bell Founders of Great "
    "Velmora and the Outer Isles Remembrance Promenade along the Northern Breakwater"
)

# highway, name, more tags, city, postcode, line, house numbers (spaced along both sides of the first segment)
Street = tuple[str, str, Tags, str, str, list[Metres], list[str]]
STREETS: Final[list[Street]] = [
    ("primary", "Harbour Street", {"name:ja": "港通り", "name:ru": "Портовая улица"}, "Porto Aŭrelo", "1001",
     [(-900, -300), (900, -300)], ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "12a", "14-16"]),
    ("secondary", "Market Street", {"alt_name": "Cheap Street"}, "Porto Aŭrelo", "1001",
     [(0, -300), (0, 700)], ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]),
    ("residential", "Rue de l'Évêque", {}, "Porto Aŭrelo", "1001", [(300, -300), (300, 400)],
     ["1", "2", "3", "4", "5", "6"]),
    ("residential", "Fisherman's Lane", {}, "Porto Aŭrelo", "1001", [(-400, -300), (-400, -650)],
     ["1", "2", "3", "4"]),
    ("residential", "Möwenweg", {"name:en": "Gull Way"}, "Porto Aŭrelo", "1002", [(0, 700), (700, 800)],
     ["1", "2", "3", "4", "5"]),
    ("residential", "North Field Avenue", {}, "Porto Aŭrelo", "1002", [(0, 700), (0, 1300)],
     ["21", "22", "23", "24", "25", "26"]),
    ("residential", "Beacon Hill", {}, "Porto Aŭrelo", "1002", [(-900, 500), (-200, 600)], []),
    ("tertiary", "Station Road", {}, "Porto Aŭrelo", "1002", [(900, -300), (1100, 500)], ["1", "3", "5", "7", "9"]),
    ("pedestrian", "Ropewalk", {}, "Porto Aŭrelo", "1001", [(-1200, 150), (-600, 150)], ["1", "2", "3"]),
    ("footway", LONG_NAME, {}, "Porto Aŭrelo", "1002", [(-600, 1400), (800, 1450)], ["1"]),
    ("secondary", "Lighthouse Road", {"ref": "V2"}, "", "", [(900, -300), (2500, 300), (4300, 1600), (5000, 2000)], []),
    ("secondary", "Old Salt Road", {"ref": "V1"}, "", "", [(-900, -300), (-3000, -900), (-5200, -1450)], []),
    ("tertiary", "The Strand Causeway", {"embankment": "yes", "tidal": "yes", "alt_name": "La Digo"}, "", "",
     [(-1500, -3300), (-1600, -4100), (-1700, -4900)], []),
    ("residential", "Kettle Street", {}, "Kaldrona Golfo", "1100", [(4900, 2100), (5700, 2100)],
     ["1", "2", "3", "4", "5", "6"]),
    ("residential", "Harbour Street", {}, "Kaldrona Golfo", "1100", [(5700, 1800), (5700, 2500)],
     ["1", "2", "3", "4", "5"]),
    ("residential", "Spoon Lane", {}, "Kaldrona Golfo", "1100", [(5200, 2100), (5200, 2600)], ["1", "2", "3"]),
    ("residential", "First Light Street", {"name:ja": "曙通り"}, "Tagiĝo", "2001", [(31_700, 0), (32_300, 0)],
     ["1", "2", "3", "4"]),
    ("track", "Stone Path", {}, "", "", [(-5200, -1450), (-5300, -1000)], []),
]  # fmt: skip

# Houses that stand out: tags, point. No street, a place instead; a name instead of a number; two numbers in one.
ODD_HOUSES: Final[list[tuple[Tags, Metres]]] = [
    ({"addr:housenumber": "1", "addr:place": "Tri Ŝtonoj", "addr:postcode": "1200"}, (-5230, -1520)),
    ({"addr:housenumber": "2", "addr:place": "Tri Ŝtonoj", "addr:postcode": "1200"}, (-5170, -1560)),
    ({"addr:housenumber": "99", "addr:city": "Porto Aŭrelo", "addr:postcode": "1002"}, (-1300, 1200)),
    ({"building": "house", "name": "Bell House", "addr:housename": "Bell House", "addr:street": "Ropewalk",
      "addr:city": "Porto Aŭrelo", "addr:postcode": "1001"}, (-700, 190)),
    ({"addr:housenumber": "11;13", "addr:street": "Station Road", "addr:city": "Porto Aŭrelo",
      "addr:postcode": "1002"}, (1090, 330)),
]  # fmt: skip

INTERPOLATION: Final = ("Beacon Hill", "Porto Aŭrelo", "1002", ("2", (-880.0, 525.0)), ("20", (-220.0, 620.0)))
