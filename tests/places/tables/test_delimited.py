"""Delimited files: whatever is in a cell comes back, and reading can begin behind any batch."""

import csv
import io
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bearings.errors import InvalidInput
from bearings.places.tables import rows
from bearings.places.tables.delimited import DelimitedReader, DelimitedWriter
from bearings.places.tables.draft import Draft

CELL = st.text(st.characters(exclude_characters="\r\x00", exclude_categories=["Cs"]), max_size=12)


def read(path: Path, start: int = 0, delimiter: str = ",") -> list[tuple[dict[str, str], str]]:
    found = []
    for batch in DelimitedReader(path, delimiter).batches(start):
        found += [(row, batch.faults.get(index, "")) for index, row in enumerate(batch.rows)]
    return found


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.lists(CELL, min_size=3, max_size=3), max_size=8), st.sampled_from([",", ";", "\t"]))
def test_any_cell_comes_back(tmp_path: Path, table: list[list[str]], delimiter: str) -> None:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter).writerows([["a", "b", "c"], *table])
    (tmp_path / "in.csv").write_bytes(text.getvalue().encode())
    found = read(tmp_path / "in.csv", delimiter=delimiter)
    assert [list(row.values()) for row, _ in found] == table
    assert not any(fault for _, fault in found)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_read_to_the_end(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "in.csv").write_bytes(b"a,b\n" + data)
    for row, _ in read(tmp_path / "in.csv"):
        assert row.keys() == {"a", "b"}


def test_reading_goes_on_behind_any_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = [[f"row {number}", 'x, "y"\nz' if number % 7 == 0 else "é"] for number in range(3500)]
    with (tmp_path / "in.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["a", "b"], *cells])
    whole = read(tmp_path / "in.csv")
    ends = [batch.end for batch in DelimitedReader(tmp_path / "in.csv", ",").batches(0)]
    assert len(ends) == 4
    assert ends[-1] == (tmp_path / "in.csv").stat().st_size
    for number, end in enumerate(ends, 1):
        assert read(tmp_path / "in.csv", end) == whole[number * rows.BATCH :]


@pytest.mark.parametrize(
    ("line", "cells", "fault"),
    [
        ("1,2", ["1", "2", ""], ""),
        ("1,2,3,4,5", ["1", "2", "3"], "more fields than the header: '4', '5'"),
        ('"a" b,2,3', ["a b", "2", "3"], ""),
        ('1,"open,3', ["1", "open,3", ""], "unexpected end of data"),
        (f"1,{'x' * 200_000},3", ["1", "x" * 200_000, "3"], "field larger than field limit"),
        ("1,\r2,3", ["1", "\r2", "3"], "new-line character seen in unquoted field"),
    ],
)
def test_a_broken_row_says_why_and_the_next_is_read(tmp_path: Path, line: str, cells: list[str], fault: str) -> None:
    (tmp_path / "in.csv").write_bytes(f"a,b,c\n{line}\nx,y,z\n".encode())
    (broken, why), (good, nothing) = read(tmp_path / "in.csv")
    assert (good, nothing) == ({"a": "x", "b": "y", "c": "z"}, "")
    assert why.startswith(fault) if fault else not why
    assert list(broken.values()) == cells


@pytest.mark.slow
def test_an_open_quotation_mark_takes_its_line_alone(tmp_path: Path) -> None:
    rest = "".join(f"{number},{'town ' * 20}\n" for number in range(12_000))
    (tmp_path / "in.csv").write_text(f'id,name\n0,"open\n{rest}')
    found = read(tmp_path / "in.csv")
    assert len(found) == 12_001
    assert found[0][1]
    assert not any(fault for _, fault in found[1:])


def test_repeated_and_empty_titles_stay(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_bytes(b"\xef\xbb\xbfname,,name\n1,2,3\n")
    reader = DelimitedReader(tmp_path / "in.csv", ",")
    assert reader.columns.keys == ("name", "column 2", "name.2")
    writer = DelimitedWriter(Draft(tmp_path / "out", 0), ",", reader.columns, ["lat"])
    for batch in reader.batches(0):
        writer.write(batch, [(4.5,)])
    writer.finish(tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == "name,,name,lat\n1,2,3,4.5\n"


def test_bytes_in_another_encoding_stay(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_bytes("name\nZürich\n".encode("latin-1"))
    reader = DelimitedReader(tmp_path / "in.csv", ",")
    writer = DelimitedWriter(Draft(tmp_path / "out", 0), ",", reader.columns, [])
    for batch in reader.batches(0):
        writer.write(batch, [()])
    writer.finish(tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == "name\nZürich\n".encode("latin-1")


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_a_file_without_a_header_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "in.csv").write_text(text)
    with pytest.raises(InvalidInput, match="has no header"):
        DelimitedReader(tmp_path / "in.csv", ",")
