"""Rows in columns for a terminal, none of which is wrapped inside a word.

A row is one line where it has room. Otherwise what stands last goes below, indented; a name that is wider than the
terminal is left to it, so that a double click still takes it whole.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from rich.text import Text


def rows(cells: Iterable[Sequence[str | Text]], width: int) -> list[Text]:
    """Rows in columns, two blanks apart; what stands last moves to the left, or below, in a row that is too wide."""
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
    """Words one behind the other, with commas, as many on a line as there is room for."""
    told = [*(f"{word}," for word in words[:-1]), *words[-1:]]
    return [text((line, "dim")) for line in _wrapped(told, width, 2)]


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
    """A text that is not the point of its row."""
    return Text(words, "dim")


def text(*parts: str | Text | tuple[str, Any]) -> Text:
    """A line that the terminal may continue below, and nobody wraps."""
    return Text.assemble(*parts, no_wrap=True, overflow="ignore")
