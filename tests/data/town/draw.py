"""Draws `town.osm` and `truth.json` from the plan: `python -m tests.data.town.draw`. The same bytes every time."""

import itertools
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import quoteattr

from tests.data.town import plan
from tests.data.town.plan import ANTIMERIDIAN, METRES_PER_DEGREE, ORIGIN, Metres, Tags
from tests.data.town.pois import POIS

HERE: Final = Path(__file__).parent
STAMP: Final = 'version="1" timestamp="2026-01-01T00:00:00Z"'  # a date of data is what Nominatim's status tells
HOUSE_EVERY: Final = 12.0  # metres off the street's middle line, and half of a building's side
LEVELS: Final = {"country": 2, "region": 4, "county": 6, "municipality": 8, "district": 10}

Record = dict[str, Any]


def degrees(point: Metres, *, west_of_180: bool = False) -> tuple[float, float]:
    """Longitude and latitude, seven decimals. A point on 180° itself is +180, or −180 for what lies east of it."""
    east, north = point
    lon = ORIGIN[0] + east / METRES_PER_DEGREE[0]
    if east > ANTIMERIDIAN or (west_of_180 and east == ANTIMERIDIAN):
        lon -= 360
    return round(lon, 7), round(ORIGIN[1] + north / METRES_PER_DEGREE[1], 7)


def beyond(points: list[Metres]) -> bool:
    """Whether a shape lies past 180°, where longitudes are negative."""
    return any(east > ANTIMERIDIAN for east, _ in points)


@dataclass
class Drawing:
    """OSM objects in the order they were drawn; ids count up from 1001, vertices from 100001."""

    nodes: dict[int, tuple[float, float, Tags]] = field(default_factory=dict)
    ways: dict[int, tuple[list[int], Tags]] = field(default_factory=dict)
    relations: dict[int, tuple[list[tuple[str, int, str]], Tags]] = field(default_factory=dict)
    _vertices: dict[tuple[float, float], int] = field(default_factory=dict)

    def node(self, point: Metres, tags: Tags) -> str:
        number = 1001 + sum(1 for known in self.nodes if known < 100_000)
        self.nodes[number] = (*degrees(point), tags)
        return f"N{number}"

    def way(self, points: list[Metres], tags: Tags, *, closed: bool = False, ends: tuple[int, ...] = ()) -> str:
        """A line or, closed, an outline; or one along existing nodes (`ends`)."""
        refs = list(ends) or [self._vertex(degrees(point, west_of_180=beyond(points))) for point in points]
        number = 2001 + len(self.ways)
        self.ways[number] = ([*refs, refs[0]] if closed else refs, tags)
        return f"W{number}"

    def relation(self, members: list[tuple[str, int, str]], tags: Tags) -> str:
        number = 3001 + len(self.relations)
        self.relations[number] = (members, tags)
        return f"R{number}"

    def _vertex(self, place: tuple[float, float]) -> int:
        if place not in self._vertices:
            self._vertices[place] = 100_001 + len(self._vertices)
            self.nodes[self._vertices[place]] = (*place, {})
        return self._vertices[place]

    def xml(self) -> str:
        """The file, in the order that readers of OSM files ask for: nodes, ways, relations, each by id."""
        lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<osm version="0.6" generator="bearings town">']
        for number, (lon, lat, tags) in sorted(self.nodes.items()):
            lines += element("node", f'id="{number}" lat="{lat:.7f}" lon="{lon:.7f}"', [], tags)
        for number, (refs, tags) in sorted(self.ways.items()):
            lines += element("way", f'id="{number}"', [f'<nd ref="{ref}"/>' for ref in refs], tags)
        for number, (members, tags) in sorted(self.relations.items()):
            inner = [f'<member type="{kind}" ref="{ref}" role="{role}"/>' for kind, ref, role in members]
            lines += element("relation", f'id="{number}"', inner, tags)
        return "\n".join([*lines, "</osm>", ""])


def element(kind: str, attributes: str, inner: list[str], tags: Tags) -> list[str]:
    body = [*inner, *(f"<tag k={quoteattr(key)} v={quoteattr(value)}/>" for key, value in tags.items())]
    head = f" <{kind} {attributes} {STAMP}"
    return [f"{head}>", *(f"  {line}" for line in body), f" </{kind}>"] if body else [f"{head}/>"]


def midpoint(line: list[Metres]) -> Metres:
    """Halfway along a line."""
    lengths = [((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5 for a, b in itertools.pairwise(line)]
    left = sum(lengths) / 2
    for (a, b), length in zip(itertools.pairwise(line), lengths, strict=True):
        if left <= length:
            return a[0] + (b[0] - a[0]) * left / length, a[1] + (b[1] - a[1]) * left / length
        left -= length
    return line[-1]


def centroid(ring: list[Metres]) -> Metres:
    """Of the area inside a ring, on the plane."""
    pairs = [*itertools.pairwise(ring), (ring[-1], ring[0])]
    crosses = [a[0] * b[1] - b[0] * a[1] for a, b in pairs]
    area = sum(crosses) * 3
    east = sum((a[0] + b[0]) * cross for (a, b), cross in zip(pairs, crosses, strict=True)) / area
    north = sum((a[1] + b[1]) * cross for (a, b), cross in zip(pairs, crosses, strict=True)) / area
    return east, north


def inside(point: Metres, ring: list[Metres]) -> bool:
    """Whether a ring holds a point: an odd number of its sides lies to the east."""
    hits = 0
    for a, b in [*itertools.pairwise(ring), (ring[-1], ring[0])]:
        if (a[1] > point[1]) != (b[1] > point[1]):
            hits += point[0] < a[0] + (point[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0])
    return hits % 2 == 1


def around(points: list[Metres]) -> list[float]:
    """West, south, east, north in degrees, of points that lie on one side of 180°."""
    places = [degrees(point, west_of_180=beyond(points)) for point in points]
    lons, lats = zip(*places, strict=True)
    return [min(lons), min(lats), max(lons), max(lats)]


def within(point: Metres) -> list[str]:
    """The names of the boundaries that hold a point, outermost first."""
    return [tags["name"] for _, _, tags, rings in plan.BOUNDARIES if any(inside(point, ring) for ring in rings)]


def record(number: str, tags: Tags, point: Metres, **more: Any) -> Record:
    lon, lat = degrees(point)
    names = {key: value for key, value in tags.items() if key.startswith(("name:", "alt_name"))}
    return {"id": number, "name": tags.get("name"), "names": names, "lat": lat, "lon": lon, **more}


class Town:
    """The drawing, and what is true of it, by section."""

    def __init__(self) -> None:
        self.drawing = Drawing()
        self.truth: dict[str, list[Record]] = {
            "boundaries": [], "settlements": [], "islands": [], "streets": [], "addresses": [], "pois": [], "points": []
        }  # fmt: skip
        self.settlements()
        self.islands_and_boundaries()
        self.streets()
        self.houses()
        self.interpolation()
        self.pois()
        self.points()

    def settlements(self) -> None:
        self._node_of: dict[str, int] = {}
        for key, tags, point in plan.SETTLEMENTS:
            number = self.drawing.node(point, tags)
            self._node_of[key] = int(number[1:])
            population = {"population": int(tags["population"])} if "population" in tags else {}
            self.truth["settlements"].append(
                record(number, tags, point, place=tags["place"], **population, within=within(point))
            )

    def islands_and_boundaries(self) -> None:
        for tags, ring in plan.ISLANDS:
            number = self.drawing.way(ring, tags, closed=True)
            self.truth["islands"].append(record(number, tags, centroid(ring), place=tags["place"], bbox=around(ring)))
        for key, level, tags, rings in plan.BOUNDARIES:
            members = [("way", int(self.drawing.way(ring, {}, closed=True)[1:]), "outer") for ring in rings]
            if key:
                members.append(("node", self._node_of[key], "label"))
            full = {"type": "boundary", "boundary": "administrative", "admin_level": str(level), **tags}
            number = self.drawing.relation(members, full)
            iso = {"iso": code} if (code := tags.get("ISO3166-2") or tags.get("ISO3166-1")) else {}
            self.truth["boundaries"].append(
                record(
                    number, tags, centroid(rings[0]), admin_level=level, **iso, bboxes=[around(ring) for ring in rings]
                )
            )

    def streets(self) -> None:
        for highway, name, more, city, postcode, line, _ in plan.STREETS:
            tags = {"highway": highway, "name": name, **more}
            number = self.drawing.way(line, tags)
            truth = {"highway": highway, "city": city or None, "postcode": postcode or None}
            self.truth["streets"].append(record(number, tags, midpoint(line), **truth, bbox=around(line)))

    def houses(self) -> None:
        """On both sides of each street's first segment in turn, evenly spaced; each fifth is a building, not a node."""
        for _, name, _, city, postcode, line, numbers in plan.STREETS:
            (x1, y1), (x2, y2) = line[:2]
            length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
            across = (-(y2 - y1) / length * 2 * HOUSE_EVERY, (x2 - x1) / length * 2 * HOUSE_EVERY)
            for index, number in enumerate(numbers):
                along, side = (index + 0.5) / len(numbers), 1 if index % 2 == 0 else -1
                point = (x1 + (x2 - x1) * along + across[0] * side, y1 + (y2 - y1) * along + across[1] * side)
                tags = {
                    "addr:housenumber": number, "addr:street": name, "addr:city": city, "addr:postcode": postcode
                }  # fmt: skip
                self.house(tags, point, building=index % 5 == 4)
        for tags, point in plan.ODD_HOUSES:
            self.house(tags, point, building=False)

    def house(self, tags: Tags, point: Metres, *, building: bool) -> None:
        east, north = point
        if building:
            ring = plan.box(east - HOUSE_EVERY, north - HOUSE_EVERY, east + HOUSE_EVERY, north + HOUSE_EVERY)
            number = self.drawing.way(ring, {"building": "yes", **tags}, closed=True)
        else:
            number = self.drawing.node(point, tags)
        address = {key.removeprefix("addr:"): value for key, value in tags.items() if key.startswith("addr:")}
        self.truth["addresses"].append(record(number, tags, point, **address))

    def interpolation(self) -> None:
        street, city, postcode, *ends = plan.INTERPOLATION
        base = {"addr:street": street, "addr:city": city, "addr:postcode": postcode}
        refs = []
        for number, point in ends:
            self.house({"addr:housenumber": number, **base}, point, building=False)
            refs.append(int(self.truth["addresses"][-1]["id"][1:]))
        self.drawing.way([], {"addr:interpolation": "even"}, ends=tuple(refs))

    def pois(self) -> None:
        for category, tags, shape in POIS:
            more: Record = {}
            if isinstance(shape, tuple):
                point, number = shape, self.drawing.node(shape, tags)
            else:
                closed = len(shape) > 3
                point = centroid(shape) if closed else midpoint(shape)
                number = self.drawing.way(shape, tags, closed=closed)
                more = {"bbox": around(shape)}
            key, value = next(iter(tags.items()))
            self.truth["pois"].append(record(number, tags, point, category=category, key=key, value=value, **more))

    def points(self) -> None:
        """Places to ask about that are no object: what holds them."""
        for what, point in [
            ("market cross", (0.0, 0.0)), ("quay", (-450.0, -640.0)), ("between the towns", (3600.0, 600.0)),
            ("Gull Islet", (-1700.0, -5300.0)), ("territorial waters", (15_000.0, 0.0)),
            ("a metre west of 180°", (ANTIMERIDIAN - 1, 0.0)), ("a metre east of 180°", (ANTIMERIDIAN + 1, 0.0)),
            ("Dawn Landing", (32_000.0, 5.0)), ("open sea", (-40_000.0, -20_000.0)),
        ]:  # fmt: skip
            lon, lat = degrees(point)
            self.truth["points"].append({"what": what, "lat": lat, "lon": lon, "within": within(point)})


def truth_text(truth: dict[str, list[Record]]) -> str:
    """JSON with one record a line, so that a change shows as one."""
    sections = []
    for name, rows in truth.items():
        lines = ",\n".join(f"  {json.dumps(row, ensure_ascii=False)}" for row in rows)
        sections.append(f' "{name}": [\n{lines}\n ]')
    return "{\n" + ",\n".join(sections) + "\n}\n"


def main() -> None:
    town = Town()
    (HERE / "town.osm").write_text(town.drawing.xml(), encoding="utf-8", newline="\n")
    (HERE / "truth.json").write_text(truth_text(town.truth), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
