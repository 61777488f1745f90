"""Words of a query that name the kind of place: "river", "Lake", "County", "state of", in seven languages."""

from collections.abc import Iterator

from bearings.places.models import Kind
from bearings.places.query.tidy import fold

_BEFORE: dict[Kind, str] = {
    Kind.COUNTRY: "country, country of, nation of, kingdom of, republic of, land, pays, le pays, pais, pais de, paese, "
    "land van",
    Kind.STATE: "state, state of, province, province of, prov, prov of, region, region of, "
    "dept of, department of, dpto, dpto de, depto de, the state of, the province of, "
    "bundesland, freistaat, kanton, canton, canton of, canton de, oblast, prefecture of, departement, "
    "departement de, departement du, departement des, departamento de, departamento, estado, estado de, "
    "estado do, estado da, provincia, provincia de, provincia di, provincia do, regione, regione del, "
    "region de, comunidad de, comunidad autonoma de, comunidade de, etat de, etat du, territory of, "
    "governorate of, autonomous region of, republik, provincie",
    Kind.COUNTY: "county, county of, landkreis, kreis, district of, condado de, comte de, contea di, distrito de, "
    "graafschap",
    Kind.SETTLEMENT: "city of, the city of, town of, the town of, village of, municipality of, stadt, die stadt, dorf, "
    "gemeinde, ville de, ville d', la ville de, commune de, village de, ciudad de, la ciudad de, ciudad, "
    "pueblo de, municipio de, villa de, citta di, comune di, paese di, cidade de, a cidade de, vila de, "
    "aldeia de, stad, de stad, dorp, gemeente",
    Kind.ISLAND: "island, island of, isle of, isla, isla de, islas, ile, ile de, iles, l'ile de, isola, isola di, "
    "isole, ilha, ilha de, ilha da, ilha do, ilhas, insel, die insel, eiland, het eiland",
    Kind.MOUNTAIN: "mt, mount, mountain, mont, monte, berg, pico, pic, cerro, volcan, vulkan, volcano, peak, "
    "montagne, montagna, montana, montanha, serra, sierra, pizzo, piz, col de, massif, massif de, massif "
    "du, nevado, vulcao",
    Kind.RIVER: "river, the river, fluss, der fluss, fleuve, le fleuve, riviere, la riviere, rio, el rio, o rio, "
    "fiume, il fiume, rivier, de rivier, torrent, arroyo",
    Kind.LAKE: "lake, lake of, loch, lough, lac, lac de, lac du, le lac de, lago, lago de, lago di, lago del, lagoa, "
    "laguna, see, meer, het meer, embalse de, reservoir, stausee, barragem de",
    Kind.SEA: "sea of, gulf of, bay of, strait of, golf von, bucht von, golfe de, golfe du, baie de, mer, mer de, "
    "mar, mar de, golfo de, golfo di, bahia de, mare, golf van, baai van, zee, ocean, oceano, oceaan",
    Kind.COAST: "cape, cape of, kap, cap, cabo, capo, kaap, peninsula of, halbinsel, peninsule de, peninsula de, "
    "penisola di",
    Kind.DESERT: "desert of, wuste, desert de, desert du, desierto de, deserto del, deserto do, woestijn",
    Kind.PARK: "national park, nationalpark, parc national, parc national de, parque nacional, parque nacional de, "
    "parco nazionale, parco nazionale di, parque nacional da, parque nacional do, nationaal park",
    Kind.AIRPORT: "airport, flughafen, aeroport, aeroport de, aeropuerto, aeropuerto de, aeroporto, aeroporto di, "
    "aeroporto de, luchthaven, iata, icao",
}
_BEHIND: dict[Kind, str] = {
    Kind.COUNTRY: "country, land, nation",
    Kind.STATE: "state, province, region, prefecture, oblast, krai, governorate, voivodeship, territory",
    Kind.COUNTY: "county, parish, district, kreis, landkreis",
    Kind.SETTLEMENT: "city, town, village, stadt, stad, municipality",
    Kind.ISLAND: "island, islands, isle, isles, archipelago, atoll, insel, inseln, eiland, eilanden",
    Kind.MOUNTAIN: "mountain, mountains, mountain range, range, peak, mount, volcano, hills, berg, gebirge, gebergte, "
    "massif",
    Kind.RIVER: "river, fluss, rivier, creek",
    Kind.LAKE: "lake, lakes, see, meer, reservoir, loch, lough, stausee",
    Kind.SEA: "sea, ocean, gulf, bay, strait, sound, channel, meer, ozean, zee, golf",
    Kind.COAST: "peninsula, cape, coast, halbinsel, kuste",
    Kind.DESERT: "desert, wuste, woestijn",
    Kind.PARK: "national park, nationalpark, nationaal park, park",
    Kind.AIRPORT: "airport, international airport, intl airport, int'l airport, flughafen, luchthaven",
}
_MOST_WORDS = 4


def _table(lines: dict[Kind, str]) -> dict[str, tuple[Kind, ...]]:
    kinds_of: dict[str, tuple[Kind, ...]] = {}
    for kind, line in lines.items():
        for words in line.split(", "):
            kinds_of[words] = (*kinds_of.get(words, ()), kind)
    return kinds_of


_PREFIXES, _SUFFIXES = _table(_BEFORE), _table(_BEHIND)


def kinds(words: str) -> tuple[Kind, ...]:
    """The kinds that the whole words name: ("country",) for "Georgia (country)"; empty for other words."""
    key = " ".join(map(fold, words.split()))
    return tuple(dict.fromkeys((*_PREFIXES.get(key, ()), *_SUFFIXES.get(key, ()))))


def readings(part: str) -> Iterator[tuple[str, Kind]]:
    """The names in a part without its qualifier, each with the qualifier's kind.

    The longest qualifier at each end counts: "state of Georgia" is ("Georgia", STATE); "Lake City" is ("City", LAKE)
    and ("Lake", SETTLEMENT).
    """
    words = part.split()
    folded = [fold(word) for word in words]
    counts = range(min(_MOST_WORDS, len(words) - 1), 0, -1)
    before = next((count for count in counts if " ".join(folded[:count]) in _PREFIXES), 0)
    behind = next((count for count in counts if " ".join(folded[-count:]) in _SUFFIXES), 0)
    if before:
        yield from ((" ".join(words[before:]), kind) for kind in _PREFIXES[" ".join(folded[:before])])
    if behind:
        yield from ((" ".join(words[:-behind]), kind) for kind in _SUFFIXES[" ".join(folded[-behind:])])
