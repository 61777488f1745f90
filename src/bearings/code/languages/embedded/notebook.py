"""Converts Jupyter notebooks to Python: the lines of the code cells, each on its line in the file."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
_COLON = re.compile(r"\s*:")
_DEEPEST = 6
_MAGIC = re.compile(r"^([ \t]*)([%!?].*|.*\?\??)$")
_ASSIGNED = re.compile(r"^([ \t]*[\w.,\[\] \t]+=[ \t]*)[%!](?!=).*$")
_PYTHON_CELLS = frozenset({"%%time", "%%timeit", "%%capture", "%%prun", "%%memit"})
"""Cell magics after which the cell still holds Python."""


_LANGUAGE = (("metadata", "language_info", "name"), ("metadata", "kernelspec", "language"))


@dataclass
class _Cell:
    kind: str = ""
    lines: list[tuple[int, str]] = field(default_factory=list)
    """Rows from 0, and the source in that row: usually one line."""


def program(path: str, text: str) -> str:
    """Return the code cells as one module without IPython's commands; blank lines for another language."""
    del path
    cells, language = _read(text)
    rows: list[str] = [""] * (text.count("\n") + 1)
    if language not in ("python", ""):
        return "\n".join(rows)
    next_row = 0
    for cell in cells:
        if cell.kind != "code":
            continue
        for row, line in _python_lines(cell.lines):
            next_row = max(next_row, row)
            rows += [""] * (next_row + 1 - len(rows))
            rows[next_row] = line
            next_row += 1
    return "\n".join(rows)


def _python_lines(lines: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield the rows and lines of a cell; lines with IPython's commands become `pass`, or `x = None`."""
    single = [(row, line) for row, text in lines for line in text.removesuffix("\n").split("\n")]
    head = single[0][1].split()[:1] if single else []
    if head and head[0].startswith("%%"):
        if head[0] not in _PYTHON_CELLS:
            return
        single = single[1:]
    for row, line in single:
        assigned, magic = _ASSIGNED.match(line), _MAGIC.match(line)
        if assigned is not None:
            yield row, f"{assigned[1]}None"
        elif magic is not None and not line.lstrip().startswith("#"):
            yield row, f"{magic[1]}pass"
        else:
            yield row, line


def _read(text: str) -> tuple[list[_Cell], str]:
    """Return the cells in order, and the language of the notebook; for malformed JSON, as much as can be read."""
    cells: list[_Cell] = []
    language = ""
    for path, row, value in _strings(text):
        if path[:1] == ("cells",) and len(path) > 2 and path[1].isdecimal():
            number = int(path[1])
            if path[2:] == ("cell_type",) or path[2:3] == ("source",):
                while len(cells) <= number:
                    cells.append(_Cell())
            if path[2:] == ("cell_type",):
                cells[number].kind = value
            elif path[2:3] == ("source",) and len(path) <= 4:
                cells[number].lines.append((row, value))
        elif path == ("metadata", "language_info", "name") or (
            not language and path[-2:] == ("kernelspec", "language")
        ):
            language = value.lower()
    return cells, language


def _strings(text: str) -> Iterator[tuple[tuple[str, ...], int, str]]:
    """Yield every string value of a JSON text: its path of keys and indexes, its row, and the value."""
    path: list[str] = []
    lists: list[bool] = []
    row = counted = 0
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark in ("{", "["):
            lists.append(mark == "[")
            path.append("0")
        elif mark in ("}", "]") and lists:
            lists.pop()
            path.pop()
        elif mark == "," and lists and lists[-1]:
            path[-1] = str(int(path[-1]) + 1)
        elif mark[0] == '"' and lists:
            row, counted = row + text.count("\n", counted, token.start()), token.start()
            if not lists[-1] and _COLON.match(text, token.end()):
                path[-1] = _decoded(mark)
            elif len(path) <= _DEEPEST:
                yield tuple(path), row, _decoded(mark)


def _decoded(token: str) -> str:
    try:
        return str(json.loads(token, strict=False))
    except ValueError:
        return ""
