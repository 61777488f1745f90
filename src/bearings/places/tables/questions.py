"""The question of each row: the text of some columns, a point in two columns, or the row's own geometry."""

import difflib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bearings.errors import InvalidInput
from bearings.places import arguments
from bearings.places.tables.answering import Subject
from bearings.places.tables.geojson import point_of
from bearings.places.tables.rows import Batch, Columns, Row


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a row has no question."""

    error: str


@dataclass(frozen=True, slots=True)
class Query:
    """The columns whose text is searched, joined by commas; or the two of a point; or none: the geometry."""

    columns: tuple[str, ...] = ()
    point: tuple[str, str] | None = None

    @classmethod
    def of(cls, columns: Columns, query: Sequence[str], lat: str | None, lon: str | None) -> "Query":
        """The question for options of a command. Raises InvalidInput."""
        if query and (lat or lon):
            raise InvalidInput("query", ", ".join(query), "lat or lon is given too", "Give a query, or lat and lon.")
        if query:
            return cls(tuple(name for given in query for name in _columns("query", given, columns)))
        if lat and lon:
            return cls(point=(_column("lat", lat, columns), _column("lon", lon, columns)))
        if lat or lon or not columns.has_geometry:
            hint = "Give --query COLUMN for places by name, or --lat COLUMN --lon COLUMN for what is at points."
            raise InvalidInput("query", None, "the columns to ask about are not named", f"{hint} {_has(columns)}")
        return cls()

    @property
    def needs(self) -> Collection[str] | None:
        """The columns that are read; None: all."""
        return frozenset(self.columns or self.point or ()) or None

    def subjects(self, batch: Batch) -> list[Subject | Fault]:
        """The question of each row, or why it has none."""
        if self.columns:
            subjects = [self._text(row) for row in batch.rows]
        elif self.point is not None:
            subjects = [_numbers(row, self.point) for row in batch.rows]
        else:
            subjects = [_geometry(feature) for feature in batch.features]
        for index, fault in batch.faults.items():
            subjects[index] = Fault(fault)
        return subjects

    def _text(self, row: Row) -> Subject | Fault:
        text = ", ".join(filter(None, (_words(row.get(column)) for column in self.columns)))
        if not text:
            return Fault(f"{' and '.join(self.columns)}: empty")
        return text if text.isprintable() or _is_unicode(text) else Fault("is not in UTF-8")


def _words(value: Any) -> str:
    """A value as text with single blanks; a whole number without its point."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return "" if value is None else " ".join(str(value).split())


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _numbers(row: Row, columns: tuple[str, str]) -> Subject | Fault:
    degrees = []
    for column in columns:
        value = row.get(column)
        try:
            degrees.append(arguments.real(_pointed(value)))
        except (TypeError, ValueError, OverflowError):
            empty = value is None or not str(value).strip()
            return Fault(f"{column}: empty" if empty else f"{column} = {str(value)[:40]!r}: is no number of degrees")
    return degrees[0], degrees[1]


def _pointed(value: Any) -> Any:
    """The text of a number with a point for its decimal comma, as degrees have no thousands; None for no number."""
    if isinstance(value, str) and "," in value:
        return value.replace(",", ".") if value.count(",") == 1 and "." not in value else None
    return None if isinstance(value, bool) else value


def _geometry(feature: Mapping[str, Any]) -> Subject | Fault:
    return point_of(feature) or Fault("has no point as its geometry")


def _columns(field: str, given: str, columns: Columns) -> list[str]:
    """The columns that an option names: one, or several with commas."""
    if given in columns.titles or given in columns.keys or "," not in given:
        return [_column(field, given, columns)]
    return [_column(field, part.strip(), columns) for part in given.split(",")]


def _column(field: str, given: str, columns: Columns) -> str:
    """The key of a column by its title. Raises InvalidInput with those that there are."""
    if given in columns.titles:
        return columns.keys[columns.titles.index(given)]
    if given in columns.keys:
        return given
    near = difflib.get_close_matches(given, columns.keys, n=1)
    meant = f"Did you mean {near[0]}? " if near else ""
    raise InvalidInput(field, given, "is no column", f"{meant}{_has(columns)}")


def _has(columns: Columns) -> str:
    """The columns, as far as a reader wants to know them."""
    names = ", ".join(columns.titles[:30])
    more = f" and {len(columns.titles) - 30} more" if len(columns.titles) > 30 else ""
    sign = next((sign for sign in ";|\t" if len(columns.titles) == 1 and sign in columns.titles[0]), None)
    other = "" if sign is None else f" If it is separated by {sign!r}, pass --delimiter {sign!r}."
    return f"The columns: {names}{more}.{other}"
