"""The request for a table, from the command line: its arguments are checked and made into a `Table` that can run."""

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from bearings.errors import InvalidInput, Unsupported, WriteFailed
from bearings.places import arguments
from bearings.places.advice import LEAST_CONFIDENCE
from bearings.places.models import Backend
from bearings.places.nominatim.settings import NominatimSettings
from bearings.places.opening import geocoder_of
from bearings.places.settings import PlacesSettings
from bearings.places.tables import files
from bearings.places.tables.answering import QuestionOptions
from bearings.places.tables.columns import more_columns
from bearings.places.tables.questions import Query
from bearings.places.tables.rows import BATCH, Format, Reader
from bearings.places.tables.run import Table
from bearings.places.tables.workers import Sources

PUBLIC_ROWS = 100
"""Rows that the public Nominatim is asked for: its policy forbids bulk geocoding.

https://operations.osmfoundation.org/policies/nominatim/
"""

_OF_A_SERVER = 20
"""Questions of one task to a server: seconds, so that a kill undoes few and the progress moves."""


@dataclass(frozen=True, slots=True)
class TableRequest:
    """The arguments of `bearings places table`; its help has their meaning."""

    path: Path
    out: Path
    query: tuple[str, ...] = ()
    lat: str | None = None
    lon: str | None = None
    country_codes: str | None = None
    language: str | None = None
    layer: str | None = None
    zoom: int = 18
    min_confidence: float = LEAST_CONFIDENCE
    columns: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    overwrite: bool = False


def prepared(
    request: TableRequest, places: PlacesSettings, server: NominatimSettings, *, elsewhere: bool
) -> tuple[Table, Reader]:
    """The table to run, and its reader; `elsewhere`: workers on other machines answer.

    Raises InvalidInput, Unsupported, WriteFailed.
    """
    form = Format.of("out", request.out)
    if request.delimiter is not None and len(request.delimiter) != 1:
        raise InvalidInput("delimiter", request.delimiter, "is not one character", 'Give one, such as ";".')
    delimiter = request.delimiter or files.guessed_delimiter(request.path)
    reader = files.reader(request.path, form, delimiter)
    backend = geocoder_of(places, server).backend
    if backend is Backend.NOMINATIM:
        rows = 0
        for batch in reader.batches(0) if server.is_public else ():
            rows += len(batch.rows)
            refuse_bulk(rows)
        if elsewhere and server.interval_s and server.shared is None:
            remedy = "Set BEARINGS_SHARED, ask it from one machine, or give the workers a map or an atlas."
            raise Unsupported("machines of a cluster don't agree on the pace of a server", remedy)
    table = Table(
        path=request.path,
        out=request.out,
        query=Query.of(reader.columns, request.query, request.lat, request.lon),
        options=question_options(request, places),
        sources=Sources.of(places, server, elsewhere=elsewhere),
        piece=_OF_A_SERVER if backend is Backend.NOMINATIM else BATCH,
        delimiter=delimiter,
        decimal=request.decimal or reader.columns.decimal,
        is_local=backend is not Backend.NOMINATIM,
    )
    _cleared(table, overwrite=request.overwrite)
    return table, reader


def refuse_bulk(rows: int) -> None:
    """Raises Unsupported for more rows than the public Nominatim may be asked for."""
    if rows > PUBLIC_ROWS:
        raise Unsupported(
            f"the public Nominatim is not asked for more than {PUBLIC_ROWS} rows: its policy forbids more",
            "Import a map of the region (bearings places import FILE.osm.pbf), or name a server of your own "
            "(NOMINATIM_BASE_URL); GEOCODER_BACKEND=gazetteer knows towns, not addresses.",
        )


def question_options(request: TableRequest, places: PlacesSettings) -> QuestionOptions:
    """The options of a request's questions. Raises InvalidInput."""
    if not 0 <= request.min_confidence <= 1:
        raise InvalidInput("min_confidence", request.min_confidence, "is out of bounds", "Give 0 to 1.")
    return QuestionOptions(
        country_codes=arguments.country_codes(request.country_codes),
        language=arguments.language("language", request.language or places.language),
        layer=arguments.layer(request.layer),
        zoom=request.zoom,
        columns=more_columns(request.columns),
        min_confidence=request.min_confidence,
    )


def _cleared(table: Table, *, overwrite: bool) -> None:
    """Refuses to write over a file, unless a run of this table was stopped, or it is wanted: then nothing is left."""
    if table.out.exists() and table.out.samefile(table.path):
        raise InvalidInput("out", str(table.out), "is the table that is read", "Write to another file.")
    if not table.out.parent.is_dir():
        raise InvalidInput("out", str(table.out), "is in no directory", f"Make {table.out.parent} first.")
    if os.path.lexists(table.out) and not stat.S_ISREG(os.lstat(table.out).st_mode):
        raise InvalidInput("out", str(table.out), "is no regular file", "Write to another file.")
    try:
        if overwrite:
            for path in (table.out, table.draft, table.journal):
                path.unlink(missing_ok=True)
    except OSError as error:
        raise WriteFailed(f"{table.out} can't be replaced: {error.strerror}", "Write to another file.") from error
    if table.out.exists() and not table.journal.exists():
        raise InvalidInput("out", str(table.out), "is there already", "Write to another file, or pass --overwrite.")
