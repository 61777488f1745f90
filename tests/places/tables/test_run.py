"""Runs: what is asked, what a failure leaves, who is refused."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pyarrow.parquet as pq
import pytest

from bearings.errors import (
    BearingsError,
    Blocked,
    InvalidInput,
    NotFound,
    RateLimited,
    Unavailable,
    Unsupported,
    WriteFailed,
)
from bearings.places.atlas.source import GazetteerSource
from bearings.places.geocoder import Geocoder
from bearings.places.models import Located, Point, SourceStatus
from bearings.places.nominatim.settings import NominatimSettings
from bearings.places.settings import PlacesSettings
from bearings.places.tables.answering import Answer, Answered, Asker, QuestionOptions
from bearings.places.tables.delimited import delimiter_of
from bearings.places.tables.draft import Draft
from bearings.places.tables.journal import Journal
from bearings.places.tables.pace import duration
from bearings.places.tables.request import TableRequest, prepared
from tests.places.memory_source import FIJI, MemorySource, Partly
from tests.places.tables.tables import TOWNS, Asked, lines, made


@pytest.fixture
def towns(tmp_path: Path) -> Path:
    path = tmp_path / "towns.csv"
    path.write_text(TOWNS)
    return path


DOWN = Unavailable("down", "Later.")


def test_identical_questions_are_asked_once(towns: Path, tmp_path: Path) -> None:
    workers = Asked()
    summary = made(towns, tmp_path / "out.csv", workers, query=("city",))
    assert workers.subjects == ["Paris", "Boulder", "Atlantis"]
    assert (summary.state.rows, summary.state.asked, summary.state.errors) == (4, 3, 1)
    assert dict(summary.state.matches) == {"exact": 3}
    assert dict(summary.state.sources) == {"gazetteer": 3}
    assert summary.state.editions == ("gazetteer: hand-made 1",)


def test_another_delimiter_is_guessed_at_and_kept(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("city;people\nBoulder;1,5\n")
    with pytest.raises(InvalidInput, match="is no column") as refused:
        made(tmp_path / "in.csv", tmp_path / "out.csv", query=("city",), delimiter=",")
    assert refused.value.hint.endswith("If it is separated by ';', pass --delimiter ';'.")
    made(tmp_path / "in.csv", tmp_path / "out.csv", query=("city",))
    made(tmp_path / "in.csv", tmp_path / "out.tsv", query=("city",))
    made(tmp_path / "in.csv", tmp_path / "points.csv", query=("city",), decimal=".")
    assert (tmp_path / "out.csv").read_text().startswith("city;people;lat;")
    assert (tmp_path / "out.csv").read_text().splitlines()[1].startswith("Boulder;1,5;40,015;-105,2705;")
    assert (tmp_path / "out.tsv").read_text().startswith("city\tpeople\tlat\t")
    assert (tmp_path / "points.csv").read_text().splitlines()[1].startswith("Boulder;1,5;40.015;")


@pytest.mark.parametrize(
    ("header", "sign"),
    [
        ("city,people", ","), ("city;people", ";"), ("city\tpeople", "\t"), ("city|people", "|"), ("city", ","),
        ('"city; or town",people', ","), ("Ort;Name, Vorname;PLZ", ";"), ("\ufeffcity;people", ";"),
    ],
)  # fmt: skip
def test_the_header_tells_the_delimiter(tmp_path: Path, header: str, sign: str) -> None:
    (tmp_path / "in.csv").write_text(header + "\n")
    assert delimiter_of(tmp_path / "in.csv") == sign


def test_decimal_commas_are_degrees(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("y;x;n\n48,85;2,35;1\n48.85;2,35;2\n48,85,1;2;3\n1.048,85;2;4\n")
    made(tmp_path / "in.csv", tmp_path / "out.csv", lat="y", lon="x")
    found = [line.split(";") for line in (tmp_path / "out.csv").read_text().splitlines()[1:]]
    assert [row[5] for row in found[:2]] == ["Paris, Île-de-France, France"] * 2
    assert [row[-1] for row in found[2:]] == [
        "y = '48,85,1': is no number of degrees", "y = '1.048,85': is no number of degrees",
    ]  # fmt: skip


def test_rows_say_what_was_found_and_how_far(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("city,y,x\nFiji,-17.8,178.1\n,,\n")
    made(tmp_path / "in.csv", tmp_path / "named.jsonl", Asked(Partly(0.9, "the", "isles")), query=("city",))
    made(tmp_path / "in.csv", tmp_path / "there.jsonl", Asked(Partly(0.9)), lat="y", lon="x", columns="iso,country,lat")
    named, there = lines(tmp_path / "named.jsonl"), lines(tmp_path / "there.jsonl")
    added = ["lat", "lon", "name", "country_code", "match", "confidence", "precision"]
    assert list(named[0]) == ["city", "y", "x", *added, "unused", "source", "error"]
    assert list(there[0]) == ["city", "y", "x", *added, "distance_m", "source", "error", "iso", "country"]
    assert (named[0]["precision"], named[0]["unused"]) == ("country", "the; isles")
    assert (there[0]["precision"], there[0]["distance_m"], there[0]["country"]) == ("country", 10587.2, "Fiji")
    assert (there[1]["error"], there[1]["country"]) == ("y: empty", None)


@pytest.mark.parametrize(
    ("columns", "values"),
    [
        ("city,state,country", ["Boulder", "Colorado", "United States"]),
        ("iso , postcode,,iso", ["US-CO", None]),
        ("type,osm_id,time_zone,importance", ["city", None, None, 0.6]),
        ("precision", []),
    ],
)
def test_columns_are_added(tmp_path: Path, columns: str, values: list[Any]) -> None:
    (tmp_path / "in.csv").write_text("city\nBoulder\n")
    for suffix in ("jsonl", "parquet"):
        made(tmp_path / "in.csv", tmp_path / f"out.{suffix}", query=("city",), columns=columns)
    (row,) = lines(tmp_path / "out.jsonl")
    assert list(row.values())[11:] == values
    assert list(pq.read_table(tmp_path / "out.parquet").to_pylist()[0].values())[11:] == values


@pytest.mark.slow
@pytest.mark.parametrize("zoom", [3, 18])
def test_many_points_are_answered_as_single_questions_are(tmp_path: Path, zoom: int) -> None:
    points = [(n % 160 - 80 + n % 7 / 10, n * 7 % 360 - 180 + n % 11 / 10) for n in range(300)] + [
        (91.0, 0.0),
        (0.0, 0.0),
    ]
    source = GazetteerSource(tmp_path, "core")
    options = QuestionOptions(zoom=zoom, columns=("iso", "city", "time_zone"))

    async def answers() -> tuple[Answered, list[Answered], list[float | None]]:
        geocoder = Geocoder(source, settings=PlacesSettings(_env_file=None, backend="gazetteer"))
        asker = Asker(geocoder)
        alone = [await asker.answered([point], options) for point in points]
        distances: list[float | None] = []
        for lat, lon in points[:40]:
            try:
                distances.append((await geocoder.reverse_geocode(lat, lon, zoom=zoom)).distance_m)
            except NotFound:
                distances.append(None)
        together = await asker.answered(points, options)
        await asker.aclose()
        return together, alone, distances

    together, alone, distances = anyio.run(answers)
    assert together.answers == tuple(answer for each in alone for answer in each.answers)
    assert [answer.distance_m for answer in together.answers[:40]] == distances
    assert together.answers[-2].error == "lat, lon = [91.0, 0.0]: is not on Earth"
    assert len({answer.name for answer in together.answers}) > 40


@pytest.mark.slow
def test_points_that_were_stopped_equal_points_that_were_not(tmp_path: Path) -> None:
    rows = "".join(f"{n % 50 - 3},{n % 89}\n" for n in range(9_500))
    (tmp_path / "in.csv").write_text("y,x\n" + rows)
    made(tmp_path / "in.csv", tmp_path / "whole.csv", lat="y", lon="x")
    with pytest.raises(KeyboardInterrupt):
        made(tmp_path / "in.csv", tmp_path / "out.csv", Asked(until=1), lat="y", lon="x")
    workers = Asked()
    summary = made(tmp_path / "in.csv", tmp_path / "out.csv", workers, lat="y", lon="x")
    assert (summary.went_on_at, summary.state.rows, len(workers.batches)) == (4000, 9500, 2)
    assert (tmp_path / "out.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_a_village_is_the_city_of_its_address(tmp_path: Path) -> None:
    place = replace(FIJI, address={"village": "Nadi", "state": "Ba", "country": "Fiji", "country_code": "fj"})
    (tmp_path / "in.csv").write_text("place\nFiji\n")
    made(tmp_path / "in.csv", tmp_path / "out.jsonl", Asked(MemorySource([place])), query=("place",), columns="city")
    assert lines(tmp_path / "out.jsonl")[0]["city"] == "Nadi"


def test_columns_are_joined(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("city,region\nParis,Texas\nBoulder,\n,Texas\n,\n")
    for number, query in enumerate([("city", "region"), ("city,region",)]):
        workers = Asked()
        made(tmp_path / "in.csv", tmp_path / f"{number}.jsonl", workers, query=query)
        assert workers.subjects == ["Paris, Texas", "Boulder", "Texas"]
        assert lines(tmp_path / f"{number}.jsonl")[3]["error"] == "city and region: empty"


def test_a_less_sure_place_is_named_but_gives_no_point(towns: Path, tmp_path: Path) -> None:
    made(towns, tmp_path / "out.jsonl", Asked(Partly(0.4)), query=("city",))
    (tmp_path / "fiji.csv").write_text("place\nFiji\n")
    made(tmp_path / "fiji.csv", tmp_path / "sure.jsonl", Asked(Partly(0.4)), query=("place",), min_confidence=0.3)
    made(tmp_path / "fiji.csv", tmp_path / "not.jsonl", Asked(Partly(0.4)), query=("place",))
    assert lines(tmp_path / "sure.jsonl")[0]["lat"] == -17.8
    (unsure,) = lines(tmp_path / "not.jsonl")
    assert unsure["error"] == "confidence 0.4 is below 0.5"
    assert (unsure["lat"], unsure["name"], unsure["confidence"]) == (None, "Fiji", 0.4)


def test_points_that_are_none_say_why(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("y,x\n48.85,2.35\n,2\nnan,2\n91,0\n48;2,1\n0,0\n1e999,0\n")
    workers = Asked()
    made(tmp_path / "in.csv", tmp_path / "out.jsonl", workers, lat="y", lon="x")
    found = lines(tmp_path / "out.jsonl")
    assert found[0]["name"] == "Paris, Île-de-France, France"
    assert [row["error"] for row in found[1:]] == [
        "y: empty",
        "y = 'nan': is no number of degrees",
        "lat, lon = [91.0, 0.0]: is not on Earth",
        "y = '48;2': is no number of degrees",
        "nothing is at this point",
        "y = '1e999': is no number of degrees",
    ]
    assert workers.subjects == [(48.85, 2.35), (91.0, 0.0), (0.0, 0.0)]


def test_numbers_are_asked_as_people_write_them(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"q": 8000}\n{"q": 8000.0}\n{"q": null}\n{"q": true}\n{}\n')
    workers = Asked()
    made(tmp_path / "in.jsonl", tmp_path / "out.jsonl", workers, query=("q",))
    assert workers.subjects == ["8000", "True"]


@pytest.mark.parametrize("error", [DOWN, Blocked("no", "Stop."), RateLimited("slow", "Wait.")])
def test_a_source_that_fails_stops_the_table_and_nothing_is_lost(
    towns: Path, tmp_path: Path, error: BearingsError
) -> None:
    broken = Asked(MemorySource(refusals={"Atlantis": error}))
    with pytest.raises(type(error), match=error.error) as stopped:
        made(towns, tmp_path / "out.csv", broken, query=("city",))
    assert stopped.value.hint.endswith("0 rows are done: the same command goes on.")
    assert not (tmp_path / "out.csv").exists()
    mended = Asked()
    made(towns, tmp_path / "out.csv", mended, query=("city",))
    assert mended.subjects == ["Atlantis"]
    made(towns, tmp_path / "whole.csv", query=("city",))
    assert (tmp_path / "out.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()


class Pausing(MemorySource):
    """Asks for a pause before its first answer."""

    async def reverse(self, point: Point, *, zoom: int, language: str, layer: Any = ()) -> Located:
        failure, self.failure = self.failure, None
        if failure:
            raise failure
        return await super().reverse(point, zoom=zoom, language=language, layer=layer)


def test_a_short_pause_is_waited_for(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("lat,lon\n48.85,2.35\n")
    source = Pausing(failure=RateLimited("slow", "Wait.", retry_after_s=60))
    made(tmp_path / "in.csv", tmp_path / "out.jsonl", Asked(source), lat="lat", lon="lon")
    assert lines(tmp_path / "out.jsonl")[0]["name"].startswith("Paris")
    source = Pausing(failure=RateLimited("slow", "Wait.", retry_after_s=600))
    with pytest.raises(RateLimited):
        made(tmp_path / "in.csv", tmp_path / "late.jsonl", Asked(source), lat="lat", lon="lon")


class Newer(MemorySource):
    """The same places, of another edition."""

    async def status(self) -> SourceStatus:
        return replace(await super().status(), data_versions={"hand-made": "2"})


@pytest.mark.slow
def test_another_edition_is_not_mixed_in(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("city\n" + "".join(f"Paris {number}\n" for number in range(2500)))
    with pytest.raises(KeyboardInterrupt):
        made(tmp_path / "in.csv", tmp_path / "out.csv", Asked(until=1), query=("city",))
    with pytest.raises(Unsupported, match="hand-made 2, and gazetteer: hand-made 1"):
        made(tmp_path / "in.csv", tmp_path / "out.csv", Asked(Newer()), query=("city",))


def test_a_run_of_another_order_is_not_gone_on_with(towns: Path, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        made(towns, tmp_path / "out.csv", Asked(until=0), query=("people",))
    with pytest.raises(Unavailable):  # what another run has done is nothing
        made(towns, tmp_path / "out.csv", Asked(MemorySource(refusals={"Atlantis": DOWN})), query=("city",))
    with pytest.raises(InvalidInput, match="another input, or with other options"):
        made(towns, tmp_path / "out.csv", query=("people",))
    towns.write_text(TOWNS + "Suva,1\n")
    with pytest.raises(InvalidInput, match="another input, or with other options"):
        made(towns, tmp_path / "out.csv", query=("city",))
    assert made(towns, tmp_path / "out.csv", query=("city",), overwrite=True).state.rows == 5


def test_two_runs_of_one_table_are_refused(towns: Path, tmp_path: Path) -> None:
    class Twice(Asked):
        def results(self, work: Any, tasks: Any) -> Any:
            with pytest.raises(InvalidInput, match="is being written by another run"):
                made(towns, tmp_path / "out.csv", query=("city",))
            yield from super().results(work, tasks)

    assert made(towns, tmp_path / "out.csv", Twice(), query=("city",)).state.rows == 4


def test_what_is_there_is_not_written_over(towns: Path, tmp_path: Path) -> None:
    (tmp_path / "out.csv").write_text("mine")
    with pytest.raises(InvalidInput, match="is there already"):
        made(towns, tmp_path / "out.csv", query=("city",))
    with pytest.raises(InvalidInput, match="is the table that is read"):
        made(towns, towns, query=("city",), overwrite=True)
    with pytest.raises(InvalidInput, match="is in no directory"):
        made(towns, tmp_path / "no" / "out.csv", query=("city",))
    assert (tmp_path / "out.csv").read_text() == "mine"
    assert towns.read_text() == TOWNS


def test_an_end_between_the_last_steps_loses_nothing(towns: Path, tmp_path: Path) -> None:
    """The file has its name, and the journal is not yet removed."""
    out = tmp_path / "out.csv"
    settings = PlacesSettings(_env_file=None, backend="gazetteer"), NominatimSettings(_env_file=None)
    table, _ = prepared(TableRequest(towns, out, query=("city",)), *settings, elsewhere=False)
    made(towns, out, query=("city",))
    journal = Journal(table.journal, table.identity())
    journal.state.add([Answer()] * 4, towns.stat().st_size)
    journal.state.is_done = True
    journal.save()
    journal.close()
    workers = Asked()
    whole = out.read_bytes()
    assert made(towns, out, workers, query=("city",)).state.rows == 4
    assert not workers.batches
    assert not table.journal.exists()
    assert out.read_bytes() == whole


def test_a_draft_that_was_cut_is_not_gone_on_with(tmp_path: Path) -> None:
    (tmp_path / "draft").write_bytes(b"12345")
    with pytest.raises(WriteFailed, match="is shorter than it was"):
        Draft(tmp_path / "draft", 6)
    with pytest.raises(WriteFailed, match="can't be written"):
        Draft(tmp_path / "no" / "draft", 0)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({}, "the columns to ask about are not named"),
        ({"lat": "city"}, "the columns to ask about are not named"),
        ({"query": ("city",), "lat": "city"}, "lat or lon is given too"),
        ({"query": ("cities",)}, "query = 'cities': is no column"),
        ({"query": ("city",), "min_confidence": 2.0}, "is out of bounds"),
        ({"query": ("city",), "delimiter": "ab"}, "is not one character"),
        ({"query": ("city",), "country_codes": "germany"}, "is no ISO 3166-1 alpha-2 code"),
        ({"query": ("city",), "language": "?"}, "is no language tag"),
        ({"query": ("city",), "columns": "city,town hall"}, "columns = 'town hall': is no column to add"),
    ],
)
def test_orders_that_can_not_be_are_refused(towns: Path, tmp_path: Path, given: dict[str, Any], says: str) -> None:
    with pytest.raises(InvalidInput, match=says):
        made(towns, tmp_path / "out.csv", **given)


def test_the_public_nominatim_is_not_asked_in_bulk(tmp_path: Path) -> None:
    places, public = PlacesSettings(_env_file=None, backend="nominatim"), NominatimSettings(_env_file=None)
    for rows, is_refused in ((100, False), (101, True)):
        (tmp_path / "in.csv").write_text("city\n" + "Paris\n" * rows)
        request = TableRequest(tmp_path / "in.csv", tmp_path / "out.csv", query=("city",))
        if is_refused:
            with pytest.raises(Unsupported, match="not asked for more than 100 rows") as refused:
                prepared(request, places, public, elsewhere=False)
            assert "bearings places import" in refused.value.hint
        else:
            prepared(request, places, public, elsewhere=False)
            with pytest.raises(Unsupported, match="don't agree on the pace"):
                prepared(request, places, public, elsewhere=True)
    own = NominatimSettings(_env_file=None, base_url="http://127.0.0.1:8080")
    assert prepared(request, places, own, elsewhere=False)[0].piece == 20


@pytest.mark.parametrize(("seconds", "text"), [(3.2, "3 s"), (120, "2 min"), (7500, "2 h 5 min")])
def test_durations_are_for_a_person(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_a_full_disk_is_said(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    draft = Draft(tmp_path / "draft", None)
    draft.write(b"row" * 1000)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.raises(WriteFailed, match="can't be written"):
            draft.sync()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        draft.close()


@pytest.mark.parametrize("length", [None, 0])
def test_a_draft_is_never_written_through_a_link(tmp_path: Path, length: int | None) -> None:
    (tmp_path / "precious").write_text("mine")
    (tmp_path / "draft").symlink_to("precious")
    with pytest.raises(WriteFailed):
        Draft(tmp_path / "draft", length)
    assert (tmp_path / "precious").read_text() == "mine"


def test_a_file_of_somebody_else_where_the_draft_would_be_is_left(towns: Path, tmp_path: Path) -> None:
    (tmp_path / "out.csv.part").write_text("mine")
    with pytest.raises(WriteFailed, match="is there already"):
        made(towns, tmp_path / "out.csv", query=("city",))
    assert (tmp_path / "out.csv.part").read_text() == "mine"


def test_a_link_or_a_folder_is_not_replaced_by_a_table(towns: Path, tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "link.csv").symlink_to(tmp_path / "elsewhere.csv")
    for name in ("folder.csv", "link.csv"):
        with pytest.raises(InvalidInput, match="is no regular file"):
            made(towns, tmp_path / name, query=("city",), overwrite=True)
    assert (tmp_path / "link.csv").is_symlink()


def test_a_journal_beside_the_table_is_not_read(towns: Path, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        made(towns, tmp_path / "out.csv", Asked(until=0), query=("city",))
    assert {path.name for path in tmp_path.iterdir() if path.is_file()} == {towns.name, "out.csv.part"}
