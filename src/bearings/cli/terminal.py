"""Replies on a terminal: the text that a pipe gets, in colours and wrapped; several places in a table.

Text from outside becomes `Text`, never markup: a name may hold brackets.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from msgspec.structs import replace
from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from bearings.reply import Part, Reply

Row = Sequence[str | Text]
"""The cells of a table's row."""

_IN_LINES = frozenset({"coderef_query", "coderef_scan", "coderef_symbol"})
"""Tools whose replies are mostly places: their form with lines groups these by file and quotes each line."""

_HANGING = 6
"""The indent of a continued line: deeper than any line of a reply begins, except quoted source."""

_WIDE = 120
"""The least width at which places show their boxes."""

_NUMBER_WIDTH, _DISTANCE_WIDTH = 6, 10
"""Columns of a matrix: a number of up to two digits, kilometres up to half the equator, each with its space."""


_COLOURS = tuple(
    (style, re.compile(pattern, re.MULTILINE))
    for style, pattern in (
        (
            "bold",
            r"\A(?!Nothing found).+|^#+ .+|^Nothing found\.|(?<=^\d\. )[^,:\n]+",
        ),  # what was asked; a page's headings; a place in a list
        ("bold", r"^[A-Za-z_]+(?: [\w,]+)*:(?= |$)"),  # callers: 3
        ("cyan", r"(?:^|(?<=[ `«(]))[^\s:#`«»()]*\.[A-Za-z]\w*(?=[:#]|$)"),  # src/auth.ts
        ("green", r"(?:(?<=[\w»]:)|(?<=^:))\d+(?:-\d+)?(?=[\s,;:)`»\]]|$)"),  # its line
        ("green", r"^(?: +|\d+ )added\b|(?<=\brisk )LOW\b"),
        ("yellow", r"^(?: +|\d+ )(?:major|modified|renamed|moved)\b|(?<=\brisk )(?:MEDIUM|UNKNOWN)\b"),
        ("yellow", r"(?<=[\[ ])(?:strong|heuristic|inferred)(?=[\],:])"),  # how sure an edge is, unless it is exact
        ("yellow", r"^(?:Not found|not (?:asked|complete|read|used)|unsupported|failed)\b.*"),
        ("red", r"^(?: +|\d+ )(?:breaking|removed)\b|(?<=\brisk )(?:HIGH|CRITICAL)\b"),
        ("not bold dim", r"^(?: +|\d+ )minor\b|\[(?:commit \w+, )?\d+ files, [^\]\n]* ms\]|^Source: .*"),
    )
)
"""The styles of a reply's text; of two at one place the later wins."""


def rendered(tool: str, reply: Part, console: Console) -> str:
    """The output for `reply`, without a final newline. The console knows colours, width and NO_COLOR."""
    parts = reply.separately() if isinstance(reply, Reply) else (reply,)
    if parts != (reply,):
        shown = [rendered(tool, part, console) for part in parts]
        return "\n\n".join(filter(None, [getattr(reply, "namesakes", None), *shown]))
    with console.capture() as captured:
        console.print(Group(*_parts(tool, reply, console)), highlight=False, crop=False)
    return captured.get().rstrip("\n")


def _parts(tool: str, reply: Any, console: Console) -> Iterator[RenderableType]:
    """What is printed for one answer, in order."""
    if tool in _TABLES and (table := _TABLES[tool](reply, console.width)) is not None:
        yield table
        yield from _text(reply.sourced(reply.remarks()), console)
        return
    omitted, following = getattr(reply, "omitted", 0), getattr(reply, "next_cursor", None)
    if following is not None:  # said last, as it is typed
        reply = replace(reply, omitted=0, next_cursor=None)
    if tool in _IN_LINES and isinstance(reply, Reply):  # no error in place of an answer
        reply.in_lines()  # type: ignore[attr-defined]
    source: str | None = getattr(reply, "source", None) if tool == "coderef_symbol" else None
    if source:
        before, title, after = reply.to_text().partition("\nsource:")
        yield from _text(before + title, console)
        yield _source(source, reply.language, reply.element.line)
        yield from islice(_text(after[len(source) + 1 :], console), 1, None)  # what follows begins with a newline
    else:
        yield from _text(reply.to_text(), console)
    if following is not None:
        yield Text.assemble((f"… {omitted} more: ", "yellow"), f"--cursor {following}", no_wrap=True, overflow="ignore")


def _source(source: str, language: str, line: int) -> Syntax:
    """An element's source with the numbers of its lines."""
    return Syntax(source, language, line_numbers=True, start_line=line, background_color="default", word_wrap=True)


def _text(text: str, console: Console) -> Iterator[Text]:
    """The lines of a text in colours. A line that is too wide goes on below, indented.

    With a word that is wider than the terminal it is left to the terminal, so that a double click selects all of a
    name.
    """
    coloured = Text(text, no_wrap=True, overflow="ignore")
    for style, pattern in _COLOURS:
        coloured.highlight_regex(pattern, style)
    for line in coloured.split("\n", allow_blank=True):
        room = console.width - _HANGING
        if line.cell_len <= console.width or max(map(cell_len, line.plain.split()), default=0) > room:
            yield line
            continue
        first, *rest = line.wrap(console, room, overflow="fold", no_wrap=False)
        yield from (first, *(Text(" " * _HANGING).append_text(part) for part in rest))


def _found(reply: Any, width: int) -> Group | None:
    """Places, best first, and all sides of disputes; None if there are none."""
    is_wide = width >= _WIDE
    columns = ("place", "lat, lon", "what", *(["west, south, east, north"] if is_wide else []))
    rows = [(*_place(place), place.precision, *([_box(place)] if is_wide else [])) for place in reply.results]
    disputes = (Text(area.line()) for place in reply.results for area in place.disputed or ())
    return Group(_table(columns, rows), *disputes) if rows else None


def _nearby(reply: Any, _: int) -> Group | None:
    """Named places by distance, below the address of the point; None if there are none."""
    from bearings.places.replies.parts import distance

    rows = [
        (Text(near.name, "bold"), near.type.replace("_", " "), distance(near.distance_m), _position(near))
        for near in reply.places
    ]
    table = _table(("place", "what", "distance", "lat, lon"), rows, right=("distance",))
    return Group(*map(Text, reply.address()), table) if rows else None


def _batch(reply: Any, _: int) -> Group:
    """A row for each place found, its query before the first; errors in their place."""
    rows: list[Row] = []
    places: list[Row]
    for number, item in enumerate(reply.items, 1):
        places = [(*_place(place), place.precision) for place in item.results or ()]
        first, *others = places or [(_error(item.error) if item.error else Text(""),)]
        rows += [(_number(number), item.query, *first), *(("", "", *other) for other in others)]
    return Group(_table(("#", "query", "place", "lat, lon", "what"), rows), Text(reply.totals()))


def _route(reply: Any, _: int) -> Table:
    """A row for each waypoint, with the distance from the previous one and from the start."""
    from bearings.places.replies.parts import distance

    legs = {leg.end: leg.distance_m for leg in reply.legs}
    rows: list[Row] = []
    so_far = 0.0
    for number, stop in enumerate(reply.points):
        so_far += legs.get(number, 0.0)
        distances = (distance(legs[number]), distance(so_far)) if number in legs else ()
        rows.append((_number(number), *_stop(stop), *distances))
    return _table(("#", "waypoint", "lat, lon", "leg", "so far"), rows, right=("leg", "so far"))


def _matrix(reply: Any, width: int) -> Group:
    """The numbered points, and the kilometres between each pair, in as many columns as fit."""
    points = [(_number(number), *_stop(stop)) for number, stop in enumerate(reply.points)]
    names = [str(number) for number in range(min(len(points), max(1, (width - _NUMBER_WIDTH) // _DISTANCE_WIDTH)))]
    distances: list[Row] = [
        (_number(number), *("–" if metres is None else f"{metres / 1000:,.1f}" for metres in row[: len(names)]))
        for number, row in enumerate(reply.distances_m)
    ]
    hidden = len(points) - len(names)
    more = [Text(f"{hidden} more columns: a wider terminal or --json has them.", "dim")] if hidden else []
    tables = _table(("#", "point", "lat, lon"), points), _table(("km", *names), distances, right=names)
    return Group(tables[0], Text(""), tables[1], *more)


_TABLES: Mapping[str, Callable[[Any, int], RenderableType | None]] = {
    "geocode": _found,
    "lookup_places": _found,
    "nearby_places": _nearby,
    "batch_geocode": _batch,
    "route_waypoints": _route,
    "distance_matrix": _matrix,
}
"""The tables of tools that answer with several places; their remarks follow as text."""


def _table(columns: Sequence[str], rows: Iterable[Row], right: Sequence[str] = ()) -> Table:
    """A table without lines; positions and distances stay on one line."""
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(
            column,
            overflow="fold" if column in ("place", "query", "waypoint", "point") else "ellipsis",
            no_wrap=column in ("lat, lon", "west, south, east, north", *right),
            justify="right" if column in right else "left",
        )
    for row in rows:
        table.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in row))
    return table


def _number(number: int) -> Text:
    return Text(str(number), "dim")


def _place(place: Any) -> tuple[Text, str]:
    """A place's name, with its location, and its position."""
    name, comma, location = place.display_name.partition(",")
    return Text.assemble((name, "bold"), comma, location), _position(place)


def _position(place: Any) -> str:
    return f"{_degrees(place.lat)}, {_degrees(place.lon)}"


def _box(place: Any) -> Text:
    guess = "  (estimated)" if place.bbox_kind == "estimated" else ""
    return Text(f"[{', '.join(map(_degrees, place.bbox))}]{guess}", "dim")


def _stop(stop: Any) -> tuple[Text, str]:
    """A point's name and position, or its error."""
    if stop.error:
        return Text.assemble(stop.name or "", ": ", _error(stop.error)), ""
    return _place(stop if stop.display_name else replace(stop, display_name=stop.name or ""))


def _error(error: Any) -> Text:
    return Text(f"{error.code.replace('_', ' ')}: {error.error}", "yellow")


def _degrees(value: float) -> str:
    """Degrees to a tenth of a metre: a table has less room than a text."""
    return f"{value:.6f}".rstrip("0").rstrip(".")
