"""Places for the rows of a data frame: of pandas, Polars, PyArrow and what else narwhals knows."""

from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

from bearings.cluster import workers as workers_of
from bearings.errors import Unsupported
from bearings.places import advice, opening
from bearings.places.models import Backend
from bearings.places.tables.answering import Answer, QuestionOptions, Subject
from bearings.places.tables.columns import NUMBERS, default_columns
from bearings.places.tables.questions import Fault, Query
from bearings.places.tables.request import TableRequest, question_options, refuse_bulk
from bearings.places.tables.rows import BATCH, Batch, Columns, added_names
from bearings.places.tables.run import BATCHES_OF_A_BLOCK, failed
from bearings.places.tables.workers import QuestionBatch, Sources, answered, close

Frame = TypeVar("Frame")
"""A pandas, Polars or PyArrow frame: what is given is given back."""


def geocode_frame(
    frame: Frame,
    *query: str,
    columns: str | None = None,
    country_codes: str | None = None,
    language: str | None = None,
    layer: str | None = None,
    min_confidence: float = advice.LEAST_CONFIDENCE,
    workers: int = 1,
    **settings: Any,
) -> Frame:
    """The frame with a place for each row: the text of the columns `query` is searched, each text once.

    It gains the columns of `bearings places table`, and those that `columns` names ("city,iso"). `settings` are those
    of `open`. `workers` is a number of processes. Raises InvalidInput, Unsupported, and the errors of a server.
    """
    request = TableRequest(
        Path(), Path(), query, country_codes=country_codes, language=language, layer=layer,
        min_confidence=min_confidence, columns=columns,
    )  # fmt: skip
    return _answered(frame, request, workers, settings)


def reverse_frame(
    frame: Frame,
    lat: str,
    lon: str,
    *,
    zoom: int = 18,
    columns: str | None = None,
    language: str | None = None,
    layer: str | None = None,
    workers: int = 1,
    **settings: Any,
) -> Frame:
    """The frame with the place at each row's point, in degrees in two columns; see `geocode_frame`."""
    request = TableRequest(
        Path(), Path(), lat=lat, lon=lon, zoom=zoom, language=language, layer=layer, columns=columns
    )  # fmt: skip
    return _answered(frame, request, workers, settings)


def _answered(frame: Frame, request: TableRequest, workers: int, settings: dict[str, Any]) -> Frame:
    try:
        import narwhals
    except ImportError as error:
        hint = "Install it: pip install '.[frames]' in a checkout."
        raise Unsupported("data frames need narwhals, which is not installed", hint) from error
    table: Any = narwhals.from_native(frame, eager_only=True)
    keys = tuple(map(str, table.columns))
    places, server = opening.settings_of(settings)
    query = Query.of(Columns(keys, keys), request.query, request.lat, request.lon)
    options, sources = question_options(request, places), Sources.of(places, server, elsewhere=False)
    rows = [
        {key: None if value != value else value for key, value in row.items()}
        for row in table.select(*(query.columns or query.point or ())).rows(named=True)
    ]
    subjects = query.subjects(Batch(rows, len(rows)))
    if server.is_public and opening.geocoder_of(places, server).backend is Backend.NOMINATIM:
        refuse_bulk(len(rows))
    known = _asked([subject for subject in subjects if not isinstance(subject, Fault)], options, sources, workers)
    answers = [Answer(error=each.error) if isinstance(each, Fault) else known[each] for each in subjects]
    names = (*default_columns(points=not query.columns), *options.columns)
    values = [
        answer.values(attrgetter(*names[: len(names) - len(options.columns)]), len(options.columns))
        for answer in answers
    ]
    series = [
        narwhals.new_series(
            free,
            [row[number] for row in values],
            narwhals.Float64 if name in NUMBERS else narwhals.String,
            backend=table.implementation,
        )
        for number, (name, free) in enumerate(zip(names, added_names(keys, names), strict=True))
    ]
    made: Frame = table.with_columns(*series).to_native()
    return made


def _asked(
    subjects: Sequence[Subject], options: QuestionOptions, sources: Sources, workers: int
) -> dict[Subject, Answer]:
    """The answers to questions, each asked once. Raises the error of a source that failed."""
    distinct = list(dict.fromkeys(subjects))
    size = BATCH * BATCHES_OF_A_BLOCK
    tasks = (QuestionBatch(tuple(distinct[at : at + size]), options, sources) for at in range(0, len(distinct), size))
    answers: list[Answer] = []
    try:
        with workers_of(None, local=workers) as there:
            for reply in there.results(answered, tasks):
                answers += reply.answers
                if reply.failure is not None:
                    raise failed(*reply.failure)
    finally:
        close(sources)
    return dict(zip(distinct, answers, strict=True))
