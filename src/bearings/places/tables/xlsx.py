"""Excel's workbooks (.xlsx): the first sheet, whose first row is the header.

A workbook can't grow after its end is written. So the draft is JSON lines, which can, and becomes one in the end.
"""

import json
import math
from collections.abc import Collection, Iterator, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any

from bearings.errors import InvalidInput, Unsupported, WriteFailed
from bearings.places.tables.draft import Draft, DraftWriter
from bearings.places.tables.json_text import cell, dumped, encoded, surveyed
from bearings.places.tables.rows import Batch, Columns, Row, in_batches, unique

_MOST_ROWS, _LONGEST_TEXT, _LARGEST = 1_048_576, 32_767, 10**15
"""Excel's limits: rows of a sheet, characters of a cell, and whole numbers that a cell holds exactly.

https://support.microsoft.com/en-us/office/excel-specifications-and-limits-1672b34d-7043-467e-8e27-269d656771c3
"""

_FIRST_YEAR = 1900

_MADE = datetime(2026, 1, 1)
"""When every workbook says that it was made, so that equal tables are equal bytes."""


def libraries() -> tuple[Any, Any]:
    """The modules that read and write workbooks. Raises Unsupported if they are not installed."""
    try:
        import python_calamine
        import xlsxwriter.exceptions
    except ImportError as error:
        hint = "Install them: pip install '.[xlsx]' in a checkout. Or use CSV."
        raise Unsupported(
            "Excel's workbooks need python-calamine and XlsxWriter, which are not installed", hint
        ) from error
    return python_calamine, xlsxwriter


class XlsxReader:
    """Reads the first sheet of a workbook, all of it into memory; a position is a number of rows below the header."""

    def __init__(self, path: Path) -> None:
        calamine, _ = libraries()
        try:
            sheet = calamine.CalamineWorkbook.from_path(str(path)).get_sheet_by_index(0)
            rows: list[list[Any]] = sheet.to_python()
        except (calamine.CalamineError, OSError) as error:
            problem = f"is no workbook: {str(error).splitlines()[0]}"
            raise InvalidInput("in", str(path), problem, "Give an .xlsx file without a password.") from error
        header, self._cells = (rows or [[]])[0], rows[1:]
        titles = tuple(str(cell(_plain(title)) or "") for title in header)
        if not any(titles):
            raise InvalidInput("in", str(path), "has no header", "Give the columns' names in the first row.")
        self.size = len(self._cells)
        self._keys = unique(titles)
        self.columns = Columns(self._keys, titles, surveyed(row for row, _, _ in self._rows(0))[0].types)

    def batches(self, start: int, columns: Collection[str] | None = None) -> Iterator[Batch]:  # noqa: ARG002
        """See Reader."""
        return in_batches(self._rows(start))

    def _rows(self, start: int) -> Iterator[tuple[Row, str, int]]:
        """Each row, nothing wrong with it, and the position behind it. Blank rows are none."""
        for number in range(start, self.size):
            values = [_plain(value) for value in self._cells[number]]
            if any(value is not None for value in values):
                yield dict(zip(self._keys, values, strict=False)), "", number + 1


def _plain(value: Any) -> Any:
    """A cell's value: None for an empty one, a whole number without its point."""
    if isinstance(value, float) and value.is_integer() and abs(value) < _LARGEST:
        return int(value)
    return None if value == "" else value


class XlsxWriter(DraftWriter):
    """Writes a workbook of one sheet. Text is text, also where it begins as a formula does; what is too long is cut."""

    def __init__(self, draft: Draft, columns: Columns, added: Sequence[str]) -> None:
        super().__init__(draft)
        self._keys = columns.keys
        self._rows = 0
        if draft.sync() == 0:
            self._put([[*columns.titles, *added]])
        else:
            with draft.path.open("rb") as lines:
                self._rows = sum(1 for _ in lines)

    def write(self, batch: Batch, added: Sequence[tuple[Any, ...]]) -> None:
        """See Writer. Raises Unsupported for more rows than a sheet has."""
        self._put([*map(row.get, self._keys), *more] for row, more in zip(batch.rows, added, strict=True))

    def _put(self, records: Any) -> None:
        lines = [dumped([_kept(value) for value in record]) + "\n" for record in records]
        self._rows += len(lines)
        if self._rows > _MOST_ROWS:
            raise Unsupported(f"a sheet has {_MOST_ROWS:,} rows at most", "Write to CSV or Parquet.")
        self._draft.write(encoded("".join(lines)))

    def finish(self, path: Path) -> None:
        """See Writer."""
        _, xlsxwriter = libraries()
        self._draft.sync()
        made = self._draft.path.with_suffix(".made")
        try:
            with (
                self._draft.path.open("rb") as lines,
                xlsxwriter.Workbook(str(made), {"constant_memory": True}) as book,
            ):
                book.set_properties({"created": _MADE})
                day, moment = (book.add_format({"num_format": form}) for form in ("yyyy-mm-dd", "yyyy-mm-dd hh:mm:ss"))
                sheet = book.add_worksheet()
                for row, line in enumerate(lines):
                    for column, value in enumerate(json.loads(line)):
                        match value:
                            case [str(when)]:
                                form = day if len(when) == len("2026-01-01") else moment
                                sheet.write_datetime(row, column, datetime.fromisoformat(when), form)
                            case str():
                                sheet.write_string(row, column, value[:_LONGEST_TEXT])
                            case _:
                                sheet.write(row, column, value)
            made.replace(path)
        except (OSError, xlsxwriter.exceptions.XlsxWriterException) as error:
            made.unlink(missing_ok=True)
            raise WriteFailed(f"{path} can't be written: {error}", "Free the disk; then go on.") from error
        self._draft.close()
        self._draft.path.unlink()


def _kept(value: Any) -> Any:
    """A value as the draft has it: a date as a list of its text."""
    if isinstance(value, date):
        has_no_zone = not isinstance(value, datetime) or value.tzinfo is None
        return [value.isoformat()] if has_no_zone and value.year >= _FIRST_YEAR else str(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, int) and abs(value) >= _LARGEST:
        return str(value)
    value = value if isinstance(value, bool) else cell(value)
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
