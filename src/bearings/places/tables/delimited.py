"""CSV and TSV, as RFC 4180 and spreadsheets write them. Bytes that are no UTF-8 are kept as they are."""

import csv
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from bearings.errors import InvalidInput
from bearings.places.tables.draft import Draft, DraftWriter
from bearings.places.tables.json_text import cell
from bearings.places.tables.rows import BATCH, Batch, Columns, Row, in_batches, unique

_BOM = b"\xef\xbb\xbf"

_SIGNS = ",;\t|"
"""The characters between the fields of CSV; the first is meant where several fit."""

_NUMBER = re.compile(r"[-+]?[0-9]+([.,])[0-9]+")

_LONGEST_RECORD = 1_000_000
"""Bytes of a record with line breaks; a longer one is a quotation mark that was never closed."""


class DelimitedReader:
    """Reads a delimited file; a position is a byte of it."""

    def __init__(self, path: Path, delimiter: str) -> None:
        self._path = path
        self._delimiter = delimiter
        self.size = path.stat().st_size
        with path.open("rb") as file:
            lines = _Lines(file)
            header = next(self._records(lines), None)
            self._first = lines.position
        if header is None or not any(header[0]):
            raise InvalidInput("in", str(path), "has no header", "Give the columns' names in its first line.")
        titles = tuple(header[0])
        self.columns = Columns(unique(titles), titles)
        # The mark in the numbers of the first rows. Where a comma separates fields, it is in none that is not quoted.
        values = (value for row, _, _ in islice(self._rows(0), BATCH) for value in row.values())
        marks = {match[1] for match in map(_NUMBER.fullmatch, values) if match} if delimiter != "," else set()
        if marks == {","}:
            self.columns = replace(self.columns, decimal=",")

    def batches(self, start: int, columns: Collection[str] | None = None) -> Iterator[Batch]:  # noqa: ARG002
        """See Reader."""
        return in_batches(self._rows(start))

    def _rows(self, start: int) -> Iterator[tuple[Row, str, int]]:
        """Each row, what is wrong with it, and the position behind it. Blank lines are none."""
        with self._path.open("rb") as file:
            lines = _Lines(file, max(start, self._first))
            for fields, fault in self._records(lines):
                if fields:
                    row, problem = self._row(fields)
                    yield row, fault or problem, lines.position

    def _row(self, fields: list[str]) -> tuple[Row, str]:
        """The fields by column, and what is wrong with their number. Fields that the end of a row lacks are empty."""
        keys = self.columns.keys
        row: Row = dict(zip(keys, fields, strict=False))
        if len(fields) <= len(keys):
            row.update(dict.fromkeys(keys[len(fields) :], ""))
            return row, ""
        return row, f"more fields than the header: {', '.join(map(repr, fields[len(keys) :]))}"

    def _records(self, lines: "_Lines") -> Iterator[tuple[list[str], str]]:
        """The fields of each record, and what is wrong with it. A broken record is its first line alone."""
        while True:
            records = csv.reader(lines, delimiter=self._delimiter, strict=True)
            lines.begin()
            try:
                for fields in records:
                    yield fields, ""
                    lines.begin()
            except csv.Error as error:
                yield self._leniently(lines.back_to_second()), "" if "expected after" in str(error) else str(error)
            else:
                return

    def _leniently(self, line: str) -> list[str]:
        """The fields of one line, with whatever quotation marks or carriage returns it has."""
        text = line.rstrip("\r\n")
        try:
            return next(csv.reader([text], delimiter=self._delimiter), [])
        except csv.Error:  # a carriage return within the line, or a field that is too long
            return text.split(self._delimiter)


def delimiter_of(path: Path) -> str:
    """The character between the fields of a CSV file: the one that gives its first line the most columns."""
    with path.open("rb") as file:
        line = file.readline(_LONGEST_RECORD).removeprefix(_BOM).decode("utf-8", "surrogateescape")
    return max(_SIGNS, key=lambda sign: len(next(csv.reader([line.rstrip("\r\n")], delimiter=sign), [])))


class _Lines:
    """The lines of a file as text; knows where the next one begins, and where the record began."""

    def __init__(self, file: BinaryIO, start: int = 0) -> None:
        self._file = file
        self._began = start
        self._first = ""
        self.position = start
        file.seek(start)

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        raw = self._file.readline(_LONGEST_RECORD)
        if not raw:
            raise StopIteration
        text = (raw.removeprefix(_BOM) if self.position == 0 else raw).decode("utf-8", "surrogateescape")
        if self.position == self._began:
            self._first, self._second = text, self.position + len(raw)
        self.position += len(raw)
        if self.position - self._began > _LONGEST_RECORD:
            raise csv.Error("a quotation mark is not closed")
        return text

    def begin(self) -> None:
        """Note that the next line begins a record."""
        self._began = self.position

    def back_to_second(self) -> str:
        """Go back to the second line of the record; returns the first one."""
        self.position = self._second
        self._file.seek(self.position)
        return self._first


class DelimitedWriter(DraftWriter):
    """Writes a delimited file with a header. `decimal` is the mark in its numbers."""

    def __init__(
        self, draft: Draft, delimiter: str, columns: Columns, added: Sequence[str], decimal: str = "."
    ) -> None:
        super().__init__(draft)
        self._delimiter = delimiter
        self._decimal = decimal
        self._keys = columns.keys
        if draft.sync() == 0:
            self._draft.write(self._text([[*columns.titles, *added]]))

    def write(self, batch: Batch, added: Sequence[tuple[Any, ...]]) -> None:
        """See Writer."""
        rows = zip(batch.rows, added, strict=True)
        records = ([*map(cell, map(row.get, self._keys)), *more] for row, more in rows)
        if self._decimal != ".":
            records = ([self._marked(value) for value in record] for record in records)
        self._draft.write(self._text(records))

    def _marked(self, value: Any) -> Any:
        return str(value).replace(".", self._decimal) if isinstance(value, float) else value

    def _text(self, records: Any) -> bytes:
        text = StringIO()
        csv.writer(text, delimiter=self._delimiter, lineterminator="\n").writerows(records)
        return text.getvalue().encode("utf-8", "surrogateescape")
