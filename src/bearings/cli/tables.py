"""`places table IN OUT`: find a place for each row of a file: `bearings places table in.csv out.csv --query town`."""

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bearings.cli.answer import ANSWERED, FAILED, internal
from bearings.cli.bar import bar
from bearings.cli.interrupt import INTERRUPTED
from bearings.cli.outcome import Outcome, json_command
from bearings.cli.pipes import STANDARD, piped
from bearings.cli.wiring import settings_of
from bearings.errors import BearingsError

if TYPE_CHECKING:
    from bearings.places.tables.run import Summary, Table

_MOST_WORKERS = 8
"""Processes that the one which reads and writes keeps busy, each of which takes some 200 to 500 MB."""

_SUFFIXES = ".csv, .tsv, .jsonl, .geojson, .parquet, .geoparquet, .xlsx"


def table_command() -> click.Command:
    """The command that makes a table."""
    path, formats = click.Path(path_type=Path), click.Choice([suffix.strip(" .") for suffix in _SUFFIXES.split(",")])
    params: list[click.Parameter] = [
        click.Argument(["path"], type=path, metavar="IN", help=f"Table to read: {_SUFFIXES}; -: standard input."),
        click.Argument(
            ["out"], type=path, metavar="OUT", help="Table to write, in any of these formats; -: standard output."
        ),
        click.Option(["--query"], multiple=True, metavar="COLUMN", help="Column to search; several are joined."),
        click.Option(["--lat"], metavar="COLUMN", help="Column of latitudes, to name what is at points."),
        click.Option(["--lon"], metavar="COLUMN", help="Column of longitudes."),
        click.Option(["--country-codes"], help="Search only these countries: gb,fr."),
        click.Option(["--language"], help='Language of names: a BCP 47 tag, or "local".'),
        click.Option(["--layer"], help="Find only these: address, poi, railway, natural, manmade."),
        click.Option(
            ["--zoom"], type=click.IntRange(3, 18), default=18, help="Detail at points: 3 country … 18 building."
        ),
        click.Option(["--min-confidence"], type=float, default=0.5, help="Take no place less sure than this (0–1)."),
        click.Option(["--columns"], help="Columns to add: city, county, state, iso, postcode, time_zone …"),
        click.Option(["--delimiter"], help="Character between the fields of CSV; default: as the header has it."),
        click.Option(
            ["--decimal"],
            type=click.Choice([".", ","]),
            help="Mark in the numbers of CSV; default: as the table has it.",
        ),
        click.Option(["--from", "form_in"], type=formats, default="csv", help="Format of standard input."),
        click.Option(["--to", "form_out"], type=formats, default="csv", help="Format of standard output."),
        click.Option(["--scheduler"], help="Dask scheduler to work on: tcp://HOST:8786, or local."),
        click.Option(
            ["--workers"],
            type=click.IntRange(1, 1024),
            help=f"Processes that answer; default: all processors, at most {_MOST_WORKERS} without a scheduler.",
        ),
        click.Option(["--overwrite"], is_flag=True, help="Begin anew, whatever is there."),
    ]
    help_text = (
        "Find a place for each row of a table, or name what is at its point. Rows keep their columns and get lat, lon, "
        "name, country_code, match, confidence, precision, unused or distance_m, source and error. If it is stopped, "
        "the same command goes on."
    )
    examples = (
        "customers.csv found.csv --query street --query town",
        "sightings.parquet named.parquet --lat y --lon x",
        "towns.csv towns.geojson --query name --country-codes fr --min-confidence .8",
        "- - --query name --columns state,iso < towns.csv",
    )
    return json_command("table", help_text, _run, params, examples)


def _run(scheduler: str | None, workers: int | None, form_in: str, form_out: str, **options: Any) -> Outcome:
    with piped(options, form_in, form_out) as paths:
        outcome = _ask_and_write(scheduler, workers, options | paths, goes_on=not paths)
    if options["out"] == STANDARD:  # the table alone is printed
        click.echo(outcome.text, err=True)
        click.get_current_context().exit(outcome.status)
    return outcome


def _ask_and_write(scheduler: str | None, workers: int | None, options: Mapping[str, Any], *, goes_on: bool) -> Outcome:
    try:
        summary, table = _make_table(scheduler, workers, options, goes_on=goes_on)
    except BearingsError:
        raise
    except KeyboardInterrupt:
        click.echo("\nstopped; the same command goes on" if goes_on else "\nstopped", err=True)
        click.get_current_context().exit(INTERRUPTED)
    except Exception as error:
        raise internal("table", error) from error
    state = summary.state
    status = ANSWERED if state.rows > state.errors or not state.rows else FAILED
    return Outcome(_text(summary, table), _document(summary, table), status)


def _make_table(
    scheduler: str | None, count: int | None, options: Mapping[str, Any], *, goes_on: bool
) -> "tuple[Summary, Table]":
    from bearings.cluster import LOCAL, processors, workers
    from bearings.places.nominatim.settings import NominatimSettings
    from bearings.places.settings import PlacesSettings
    from bearings.places.tables.request import TableRequest, prepared
    from bearings.places.tables.run import run
    from bearings.places.tables.workers import close

    places, server = settings_of(PlacesSettings), settings_of(NominatimSettings)
    table, reader = prepared(TableRequest(**options), places, server, elsewhere=scheduler not in (None, LOCAL))
    with ExitStack() as stack:
        if not goes_on:
            for path in (table.draft, table.journal):
                stack.callback(path.unlink, missing_ok=True)
        stack.callback(close, table.sources)
        if scheduler is None:
            count = (count or min(processors(), _MOST_WORKERS)) if table.is_local else None
        pool, progress = stack.enter_context(workers(scheduler, local=count)), stack.enter_context(bar())
        return run(table, reader, pool, progress), table


def _document(summary: "Summary", table: "Table") -> dict[str, Any]:
    state = summary.state
    return {
        "out": str(table.out),
        "rows": state.rows,
        "found": state.rows - state.errors,
        "unmatched": state.errors,
        "questions": state.asked,
        "by_match": _sorted(state.matches),
        "by_source": _sorted(state.sources),
        "editions": list(state.editions),
        "seconds": round(summary.seconds, 1),
        "went_on_at": summary.went_on_at,
    }


def _text(summary: "Summary", table: "Table") -> str:
    from bearings.places.tables.pace import duration

    state = summary.state
    done = state.rows - summary.went_on_at
    rate = f", {done / summary.seconds:,.0f} rows/s" if done and summary.seconds >= 1 else ""
    went_on = f" (went on at row {summary.went_on_at:,})" if summary.went_on_at else ""
    lines = [
        f"{table.out}: {state.rows:,} rows in {duration(summary.seconds)}{rate}{went_on}",
        f"found: {state.rows - state.errors:,}; unmatched: {state.errors:,}; distinct questions: {state.asked:,}",
        f"by match: {_counts(state.matches)}" if state.matches else "",
        f"by source: {_counts(state.sources)}" if state.sources else "",
    ]
    return "\n".join(filter(None, lines))


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in _sorted(counts).items())


def _sorted(counts: Mapping[str, int]) -> dict[str, int]:
    """The counts, the largest first."""
    return dict(sorted(counts.items(), key=lambda pair: -pair[1]))
