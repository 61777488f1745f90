"""JSON lines: an object a line. A line that is none is kept as text in the column "row"."""

import json
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from bearings.places.tables.draft import Draft, DraftWriter
from bearings.places.tables.json_text import dumped, encoded, surveyed
from bearings.places.tables.rows import Batch, Row, in_batches

_BOM = b"\xef\xbb\xbf"

_LONGEST_LINE = 10_000_000


class JsonLinesReader:
    """Reads JSON lines; a position is a byte of the file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.size = path.stat().st_size
        self.columns, _ = surveyed(row for row, _, _ in self._rows(0))

    def batches(self, start: int, columns: Collection[str] | None = None) -> Iterator[Batch]:  # noqa: ARG002
        """See Reader."""
        return in_batches(self._rows(start))

    def _rows(self, start: int) -> Iterator[tuple[Row, str, int]]:
        """Each row, what is wrong with it, and the position behind it. Blank lines are none."""
        with self._path.open("rb") as file:
            file.seek(start)
            while line := file.readline(_LONGEST_LINE):
                text = (line if file.tell() > len(line) else line.removeprefix(_BOM)).strip()
                if text:
                    yield *_row(text), file.tell()


def _row(line: bytes) -> tuple[Row, str]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        return {"row": line.decode("utf-8", "replace")}, f"is no JSON: {error}"
    return (row, "") if isinstance(row, dict) else ({"row": row}, "is no JSON object")


class JsonLinesWriter(DraftWriter):
    """Writes JSON lines."""

    def __init__(self, draft: Draft, added: Sequence[str]) -> None:
        super().__init__(draft)
        self._added = added

    def write(self, batch: Batch, added: Sequence[tuple[Any, ...]]) -> None:
        """See Writer."""
        rows = zip(batch.rows, added, strict=True)
        lines = (dumped({**row, **dict(zip(self._added, more, strict=True))}) + "\n" for row, more in rows)
        self._draft.write(encoded("".join(lines)))
