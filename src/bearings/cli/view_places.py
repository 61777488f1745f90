"""Terminal views of answers about places. Data become `Text`, never markup: a name may hold brackets."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

WIDE = 120
"""The least width at which results show their boxes."""

_NUMBER_WIDTH, _DISTANCE_WIDTH = 6, 10
"""Columns of a matrix: a number of up to two digits, kilometres up to half the equator, each with its space."""

_HERE = ("street", "suburb", "city", "town", "village", "state", "country")


def results(reply: Mapping[str, Any], width: int) -> RenderableType:
    """Places found, best first; the hint if there are none."""
    if not reply["results"]:
        meant = [
            Text.assemble("Did you mean ", _title(one["display_name"]), "?") for one in reply.get("suggestions") or ()
        ]
        return Group(Text("Nothing found.", "bold"), *meant, *_hint(reply), _source(reply))
    table = _table("place", "lat, lon", "what", *(["west, south, east, north"] if width >= WIDE else []))
    for result in reply["results"]:
        row = [_title(result["display_name"]), Text(_point(result)), Text(result["precision"])]
        if width >= WIDE:
            row.append(Text(_numbers(result["bbox"]) + _guess(result), "dim"))
        table.add_row(*row)
    notes = [
        facts_table([(result["name"], fact) for _, fact in _disputed(result)])
        for result in reply["results"]
        if result.get("disputed")
    ]
    missing = [Text(f"Not found: {', '.join(reply['not_found'])}", "yellow")] if reply.get("not_found") else []
    return Group(table, *notes, *missing, *_hint(reply), _source(reply))


def batch(reply: Mapping[str, Any], _: int) -> RenderableType:
    """A row for each place found, its query before the first; errors in their place."""
    table = _table("#", "query", "place", "lat, lon", "what")
    for number, item in enumerate(reply["items"], 1):
        lead = [Text(str(number), "dim"), Text(item["query"])]
        if item.get("error"):
            table.add_row(*lead, _error(item["error"]))
        for result in item.get("results") or ():
            table.add_row(*lead, _title(result["display_name"]), Text(_point(result)), Text(result["precision"]))
            lead = [Text(""), Text("")]
    total = f"{reply['answered']} of {reply['total']} answered, {reply['failed']} failed."
    return Group(table, Text(total), *_left(reply), _source(reply))


def route(reply: Mapping[str, Any], _: int) -> RenderableType:
    """A row for each waypoint, with the distance from the previous one and from the start."""
    table = _table("#", "waypoint", "lat, lon", "leg", "so far", right=("leg", "so far"))
    legs = {leg["end"]: leg["distance_m"] for leg in reply["legs"]}
    so_far = 0.0
    for number, stop in enumerate(reply["points"]):
        so_far += legs.get(number, 0.0)
        distances = (_distance(legs[number]), _distance(so_far)) if number in legs else ("", "")
        table.add_row(Text(str(number), "dim"), *_stop(stop), *map(Text, distances))
    gaps = "" if reply["complete"] else " (without the legs of points not found)"
    facts = [
        ("total", f"{_distance(reply['total_distance_m'])}, great circle{gaps}"),
        ("box", " and ".join(map(_numbers, reply["bboxes"]))),
    ]
    return Group(table, facts_table(facts), *_left(reply), _source(reply))


def matrix(reply: Mapping[str, Any], width: int) -> RenderableType:
    """The numbered points, and the kilometres between each pair, in as many columns as fit."""
    points = _table("#", "point", "lat, lon")
    for number, stop in enumerate(reply["points"]):
        points.add_row(Text(str(number), "dim"), *_stop(stop))
    shown = min(len(reply["points"]), max(1, (width - _NUMBER_WIDTH) // _DISTANCE_WIDTH))
    names = [str(number) for number in range(shown)]
    table = _table("km", *names, right=names)
    for number, row in enumerate(reply["distances_m"]):
        cells = ("–" if metres is None else f"{metres / 1000:,.1f}" for metres in row[:shown])
        table.add_row(Text(str(number), "dim"), *map(Text, cells))
    hidden = len(reply["points"]) - shown
    more = [Text(f"{hidden} more columns: a wider terminal or --json has them.", "dim")] if hidden else []
    return Group(points, Text(""), table, *more, *_left(reply), _source(reply))


def nearby(reply: Mapping[str, Any], _: int) -> RenderableType:
    """Named places by distance, and the address of the point."""
    table = _table("place", "what", "distance", "lat, lon", right=("distance",))
    for found in reply["places"]:
        kind = found["type"].replace("_", " ")
        table.add_row(
            Text(found["name"], "bold"), Text(kind), Text(_distance(found["distance_m"])), Text(_point(found))
        )
    here = ", ".join(name for key, name in reply["here"].items() if key in _HERE)
    categories = reply["categories"]
    facts = [("here", here)] if here else []
    facts += [(name, ", ".join(categories[name])) for name in ("failed", "unsupported") if categories[name]]
    listing: list[RenderableType] = [table] if reply["places"] else [Text("Nothing found.", "bold")]
    return Group(*listing, *([facts_table(facts)] if facts else []), *_hint(reply), _source(reply))


def place(reply: Mapping[str, Any], _: int) -> RenderableType:
    """The place at a point."""
    facts = [
        ("found", f"{_point(reply['found'])}, {_distance(reply['distance_m'])} from {_point(reply['asked'])}"),
        ("what", f"{reply['precision']} ({reply['category']}={reply['type']})"),
        ("box", _numbers(reply["bbox"]) + _guess(reply)),
        *((key.replace("_", " "), value) for key, value in reply["address"].items()),
        *_time_zone(reply),
        *_disputed(reply),
    ]
    return Group(_title(reply["display_name"]), facts_table(facts), _source(reply))


def box(reply: Mapping[str, Any], _: int) -> RenderableType:
    """A box, and its pieces if it crosses 180°."""
    pieces = reply["bboxes"] if len(reply["bboxes"]) > 1 else []
    facts = [
        ("box", _numbers(reply["bbox"]) + _guess(reply)),
        *(("in pieces" if number == 0 else "", _numbers(piece)) for number, piece in enumerate(pieces)),
        ("center", _point(reply["center"])),
        ("area", f"{reply['area_km2']:,.6g} km²"),
    ]
    hint = [Text(reply["hint"])] if reply.get("hint") else []
    return Group(_title(reply["display_name"]), facts_table(facts), *hint, _source(reply))


def hierarchy(reply: Mapping[str, Any], _: int) -> RenderableType:
    """Areas, each inside the previous one."""
    root = branch = Tree("", hide_root=True, guide_style="dim")
    for area in reply["boundaries"]:
        code = f"  {area['code']}" if area.get("code") else ""
        branch = branch.add(
            Text.assemble((area["name"], "bold"), (f"  {area['level'].replace('_', ' ')}", "cyan"), (code, "dim"))
        )
    more = [("postcode", reply["postcode"])] if reply.get("postcode") else []
    more += _disputed(reply)
    return Group(root, *([facts_table(more)] if more else []), _source(reply))


def status(reply: Mapping[str, Any], _: int) -> RenderableType:
    """The geocoder's state, a fact a line."""
    state = Text("ready", "green") if reply["ready"] else Text("not ready", "yellow")
    facts: list[tuple[str, str | Text]] = [
        ("version", reply["version"]),
        ("backend", f"{reply['backend']}: {reply['why']}"),
        ("state", Text.assemble(state, f": {reply['detail']}" if reply["detail"] else "")),
        ("language", reply["language"]),
    ]
    for title in ("data_versions", "cache", "limiter", "counters"):
        facts += [(title.replace("_", " "), _pairs(reply[title]))] if reply.get(title) else []
    return Group(facts_table(facts), Text(reply["attribution"], "dim"))


def facts_table(facts: Iterable[tuple[str, str | Text]]) -> Table:
    """Names on the left, values on the right."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in facts:
        table.add_row(Text(name), value if isinstance(value, Text) else Text(value))
    return table


def _table(*columns: str, right: Sequence[str] = ()) -> Table:
    """An empty table; positions and distances stay on one line."""
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for column in columns:
        folds = column in ("place", "query", "waypoint", "point")
        table.add_column(
            column,
            overflow="fold" if folds else "ellipsis",
            no_wrap=column in ("lat, lon", "west, south, east, north", *right),
            justify="right" if column in right else "left",
        )
    return table


def _stop(stop: Mapping[str, Any]) -> tuple[Text, Text]:
    """A point's name and position, or its error."""
    if stop.get("error"):
        return Text.assemble(stop.get("name") or "", ": ", _error(stop["error"])), Text("")
    name = stop.get("display_name") or stop.get("name") or ""
    return _title(name), Text(_point(stop))


def _error(error: Mapping[str, Any]) -> Text:
    return Text(f"{error['code'].replace('_', ' ')}: {error['error']}", "yellow")


def _hint(reply: Mapping[str, Any]) -> list[Text]:
    return [Text(reply["hint"])] if reply.get("hint") else []


def _left(reply: Mapping[str, Any]) -> list[Text]:
    """The queries that were not asked, and the advice."""
    left = [Text(f"Not asked: {'; '.join(reply['remaining'])}", "yellow")] if reply["remaining"] else []
    return [*left, *_hint(reply)]


def _title(display_name: str) -> Text:
    """The name, and its location."""
    name, comma, rest = display_name.partition(",")
    return Text.assemble((name, "bold"), comma, rest)


def _time_zone(place: Mapping[str, Any]) -> list[tuple[str, str]]:
    nautical = " (nautical: by longitude)" if place.get("time_zone_nautical") else ""
    return [("time zone", place["time_zone"] + nautical)] if place.get("time_zone") else []


def _disputed(place: Mapping[str, Any]) -> list[tuple[str, str]]:
    """A line for each disputed area: its sides, and the source of that opinion."""
    facts = []
    for area in place.get("disputed") or ():
        sides = [
            f"{role} {', '.join('itself' if code == 'self' else side for code, side in area[key].items())}"
            for role, key in (("administered by", "administered_by"), ("claimed by", "claimed_by"))
            if area[key]
        ]
        facts.append(("disputed", f"{area['name']}: {'; '.join(sides)}. Source: {area['source']}"))
    return facts


def _source(reply: Mapping[str, Any]) -> Text:
    source = reply["source"]
    labels = [source.get(key) for key in ("backend", "host", "data_version")]
    degraded = f" degraded: {source['reason']}." if source.get("degraded") else ""
    spelling = f"{reply['spelling']}\n" if reply.get("spelling") else ""
    return Text.assemble(
        (spelling, "yellow"),
        (", ".join(part for part in labels if part) + ".", "dim"),
        (degraded, "yellow"),
        (f" {reply['attribution']}", "dim"),
    )


def _guess(reply: Mapping[str, Any]) -> str:
    return "  (estimated)" if reply["bbox_kind"] == "estimated" else ""


def _pairs(facts: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in facts.items())


def _point(point: Mapping[str, float]) -> str:
    return f"{_degrees(point['lat'])}, {_degrees(point['lon'])}"


def _numbers(numbers: Sequence[float]) -> str:
    return "[" + ", ".join(map(_degrees, numbers)) + "]"


def _degrees(value: float) -> str:
    return f"{value:.6f}".rstrip("0").rstrip(".")


def _distance(metres: float) -> str:
    return f"{metres / 1000:,.1f} km" if metres >= 1000 else f"{metres:.0f} m"
