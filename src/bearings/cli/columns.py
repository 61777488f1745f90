"""Rows in columns for a terminal, never wrapped inside a word.

A row that fits is one line. Otherwise its last cell goes below, indented. A name wider than the terminal is not broken,
so that a double click selects all of it.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from rich.text import Text


def rows(cells: Iterable[Sequence[str | Text]], width: int) -> list[Text]:
    """Rows in columns, two blanks apart; in a row that is too wide the last cell moves to the left, or below."""
    table = [[cell if isinstance(cell, Text) else Text(cell) for cell in row] for row in cells]
    widths = [max(cell.cell_len for cell in column) for column in zip(*(row[:-1] for row in table), strict=False)]
    lines = []
    for row in table:
        line = text("  ")
        for cell, room in zip(row[:-1], widths, strict=True):
            line.append(cell)
            line.append(" " * (room - cell.cell_len + 2))
        if line.cell_len + row[-1].cell_len > width and len(row) > 1:
            line.rstrip()
            if line.cell_len + 2 + row[-1].cell_len > width:
                lines += [line, *_folded(row[-1], width)]
                continue
            line.append("  ")
        line.append(row[-1])
        line.rstrip()
        lines.append(line)
    return lines


def _folded(last: Text, width: int) -> list[Text]:
    """A text below its row, indented, broken between words."""
    return [text((line, last.style)) for line in _wrapped(last.plain.split(" "), width, 6)]


def filled(words: Sequence[str], width: int) -> list[Text]:
    """Words separated by commas, as many on a line as fit."""
    items = [*(f"{word}," for word in words[:-1]), *words[-1:]]
    return [text((line, "dim")) for line in _wrapped(items, width, 2)]


def _wrapped(words: Sequence[str], width: int, indent: int) -> list[str]:
    lines: list[str] = []
    line = " " * indent
    for word in words:
        if len(line) + len(word) > width and line.strip():
            lines.append(line.rstrip())
            line = " " * indent
        line += f"{word} "
    return [*lines, line.rstrip()] if line.strip() else lines


def dim(words: str) -> Text:
    """A text of minor importance in its row."""
    return Text(words, "dim")


def text(*parts: str | Text | tuple[str, Any]) -> Text:
    """A line that only the terminal may wrap."""
    return Text.assemble(*parts, no_wrap=True, overflow="ignore")
