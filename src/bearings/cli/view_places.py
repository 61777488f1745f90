"""How answers about places look on a terminal. Data become `Text`, never markup: a name may hold brackets."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

WIDE = 120
"""From this width on, results show their boxes."""


def results(reply: Mapping[str, Any], width: int) -> RenderableType:
    """Places found, best first; the hint where there are none."""
    if not reply["results"]:
        return Group(Text("Nothing found.", "bold"), Text(reply.get("hint", "")), _source(reply))
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("place", overflow="fold")
    table.add_column("lat, lon", no_wrap=True)
    table.add_column("what")
    if width >= WIDE:
        table.add_column("west, south, east, north", style="dim", no_wrap=True)
    for result in reply["results"]:
        row = [_title(result["display_name"]), Text(_point(result)), Text(result["precision"])]
        if width >= WIDE:
            row.append(Text(_numbers(result["bbox"]) + _guess(result)))
        table.add_row(*row)
    return Group(table, _source(reply))


def place(reply: Mapping[str, Any], _: int) -> RenderableType:
    """The place at a point."""
    facts = [
        ("found", f"{_point(reply['found'])}, {_distance(reply['distance_m'])} from {_point(reply['asked'])}"),
        ("what", f"{reply['precision']} ({reply['category']}={reply['type']})"),
        ("box", _numbers(reply["bbox"]) + _guess(reply)),
        *((key.replace("_", " "), value) for key, value in reply["address"].items()),
    ]
    return Group(_title(reply["display_name"]), facts_table(facts), _source(reply))


def box(reply: Mapping[str, Any], _: int) -> RenderableType:
    """A box, and its pieces where it crosses 180°."""
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
    """Areas, each inside the one before."""
    root = branch = Tree("", hide_root=True, guide_style="dim")
    for area in reply["boundaries"]:
        code = f"  {area['code']}" if area.get("code") else ""
        branch = branch.add(
            Text.assemble((area["name"], "bold"), (f"  {area['level'].replace('_', ' ')}", "cyan"), (code, "dim"))
        )
    more = [("postcode", reply["postcode"])] if reply.get("postcode") else []
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
    for title in ("data_versions", "cache", "counters"):
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


def _title(display_name: str) -> Text:
    """The name, and where it is."""
    name, comma, rest = display_name.partition(",")
    return Text.assemble((name, "bold"), comma, rest)


def _source(reply: Mapping[str, Any]) -> Text:
    source = reply["source"]
    said = [source.get(key) for key in ("backend", "host", "data_version")]
    degraded = f" degraded: {source['reason']}." if source.get("degraded") else ""
    return Text.assemble(
        (", ".join(part for part in said if part) + ".", "dim"),
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
