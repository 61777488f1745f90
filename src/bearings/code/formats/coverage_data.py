"""coverage.py's data file `.coverage`, an SQLite database of the executed lines by file.

Tables and their meaning: coverage.readthedocs.io/en/latest/dbschema.html. The file does not have the lines that did
not run: `statements` finds the executable lines.
"""

import ast
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import count
from typing import Any

_FILES = "SELECT id, path FROM file"
_LINES = "SELECT file_id, numbits FROM line_bits"
_ARCS = "SELECT file_id, fromno, tono FROM arc"
_READ = frozenset({"file", "line_bits", "arc"})
_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE%'"

_STEPS = 10_000
_MOST_STEPS = 30_000_000
"""Instructions of SQLite's virtual machine between checks of the budget, and the budget: some 0.5 s."""

_MOST_ROWS = 500_000
_MOST_LINES = 1_000_000
_MOST_BYTES = 1 << 20
"""The most bytes of one value: enough for a file of eight million lines."""

_LONG_LINE = 300
"""The longest line to match: the pattern takes quadratic time, and pragmas are on short lines."""

_EXCLUDED = re.compile(
    r"#\s*(pragma|PRAGMA)[:\s]?\s*(no|NO)\s*(cover|COVER)|^\s*if (typing\.)?TYPE_CHECKING:"
    r"|^\s*(((async )?def .*?)?[\])]+(\s*->.*?)?:\s*)?\.\.\.\s*(#|$)"
)
"""coverage.py's own defaults (coverage/config.py, DEFAULT_EXCLUDE)."""

_BREAK = re.compile(r"\r\n?|\n")
_BLOCKS = ("body", "handlers", "cases", "orelse", "finalbody")

_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
_Node = ast.stmt | ast.ExceptHandler | ast.match_case


def executed(data: bytes) -> dict[str, set[int]]:
    """The executed lines by path; empty for a measured file that never ran. Raises ValueError."""
    ran: dict[str, set[int]] = {}
    try:
        with closing(sqlite3.connect(":memory:")) as database:
            database.deserialize(data)
            _restrict(database)
            paths = {number: path for number, path in _rows(database, _FILES) if isinstance(path, str)}
            ran.update((path, set()) for path in paths.values())
            room = _MOST_LINES
            for number, bits in _rows(database, _LINES):
                lines = ran[paths[number]]
                room -= _unpack(bits, lines, room)
            for number, *ends in _rows(database, _ARCS):
                ran[paths[number]].update(line for line in ends if line > 0)  # negative: enters or leaves code
    except (sqlite3.Error, MemoryError, TypeError, KeyError) as error:  # an empty file is a MemoryError
        raise ValueError(f"it is no data file of coverage.py: {error}") from error
    return ran


def _restrict(database: sqlite3.Connection) -> None:
    """Restrict the connection to plain tables and a budget of steps. Raises ValueError if `file` is a view or virtual.

    The file is not trusted: a view can have a table's name, and run for hours.
    """
    database.execute("PRAGMA trusted_schema = OFF")
    database.execute("PRAGMA query_only = ON")
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_BYTES)
    looks = count(1)
    database.set_progress_handler(lambda: next(looks) > _MOST_STEPS // _STEPS, _STEPS)
    tables = {name for (name,) in database.execute(_TABLES)}
    computed = {name for name in _READ for column in database.execute(f"PRAGMA table_xinfo({name})") if column[6]}
    if not tables >= _READ or computed:
        raise ValueError(f"not all of {', '.join(sorted(_READ))} are plain tables")
    database.set_authorizer(_is_allowed)


def _is_allowed(action: int, table: str | None, _column: str | None, _schema: str | None, source: str | None) -> int:
    """SQLite's authorizer: allow reading of plain tables, but not through a view or trigger (`source`)."""
    is_read = action == sqlite3.SQLITE_READ and table in _READ and source is None
    return sqlite3.SQLITE_OK if is_read or action == sqlite3.SQLITE_SELECT else sqlite3.SQLITE_DENY


def _rows(database: sqlite3.Connection, query: str) -> Iterator[tuple[Any, ...]]:
    for number, row in enumerate(database.execute(query)):
        if number >= _MOST_ROWS:
            raise ValueError(f"it has more than {_MOST_ROWS:,} rows in a table")
        yield row


def _unpack(bits: bytes, lines: set[int], room: int) -> int:
    """Add a set of numbers, packed with number n as bit n % 8 of byte n // 8. Return their count.

    Raises ValueError for more than there is `room` for.
    """
    known = len(lines)
    for place, byte in enumerate(bits):
        if byte:
            lines.update(8 * place + bit for bit in range(8) if byte & 1 << bit)
            if len(lines) - known > room:
                raise ValueError(f"it has more than {_MOST_LINES:,} lines")
    return len(lines) - known + len(bits) // 16


def lines_of(source: bytes, ran: set[int]) -> tuple[set[int], set[int]]:
    """The executable lines, and the executed ones among them; each statement counts by its first line.

    Both are empty for a source that this Python can't parse.
    """
    try:
        spans = dict(statements(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the last for deeply nested brackets
        return set(), set()
    return set(spans), {first for first, span in spans.items() if not ran.isdisjoint(span)}


def statements(source: bytes) -> Iterator[tuple[int, range]]:
    """The first line of each statement, and all its lines; of a compound statement the lines of its head.

    Left out are docstrings, `global`, `nonlocal`, and coverage.py's default exclusions: statements with `pragma: no
    cover` (the whole block if it is on a head), `if TYPE_CHECKING:`, a body of `...`. Raises SyntaxError.
    """
    tree = ast.parse(source)
    text = _BREAK.split(source.decode("utf-8", "replace"))
    yield from _of(tree.body[1:] if _has_docstring(tree) else tree.body, text)


def _of(body: Sequence[_Node], text: list[str], *, in_function: bool = False) -> Iterator[tuple[int, range]]:
    for node in body:
        if isinstance(node, ast.Global | ast.Nonlocal) or (in_function and _is_bare_annotation(node)):
            continue
        decorators = getattr(node, "decorator_list", ())
        blocks = [block for name in _BLOCKS if (block := getattr(node, name, None))]
        head = range(_line(node), _end(node, blocks, text) + 1)
        if any(_is_excluded(text, line) for line in (*(each.lineno for each in decorators), *head)):
            blocks = blocks[1:]  # its other branches are executable
        else:
            yield from ((each.lineno, range(each.lineno, (each.end_lineno or each.lineno) + 1)) for each in decorators)
            yield head[0], head
        inside = isinstance(node, _FUNCTIONS) or (in_function and not isinstance(node, ast.ClassDef))
        done = head[-1]
        for block in blocks:
            keyword = range(done + 1, _line(block[0]))  # `else:` or `finally:`, which have no node
            done = getattr(block[-1], "end_lineno", None) or _line(block[0])
            if _line(block[0]) not in head and not any(_is_excluded(text, line) for line in keyword):
                yield from _of(block[1:] if _has_docstring(node) else block, text, in_function=inside)


def _end(node: _Node, blocks: Sequence[Sequence[_Node]], text: list[str]) -> int:
    """The last line of a statement; of a compound statement, the last line of its head."""
    if not blocks:
        return getattr(node, "end_lineno", None) or _line(node)
    below = blocks[0][0]
    is_beside = bool(text[_line(below) - 1].encode()[: getattr(below, "col_offset", 0)].strip())
    return max(_line(node), _line(below) - (not is_beside))


def _line(node: _Node) -> int:
    return node.pattern.lineno if isinstance(node, ast.match_case) else node.lineno


def _is_excluded(text: list[str], line: int) -> bool:
    source_line = text[line - 1] if line <= len(text) else ""
    return len(source_line) <= _LONG_LINE and _EXCLUDED.search(source_line) is not None


def _has_docstring(node: _Node | ast.Module) -> bool:
    if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    return ast.get_docstring(node, clean=False) is not None


def _is_bare_annotation(node: _Node) -> bool:
    """Whether the statement is an annotation of a local variable, which is not executed."""
    return isinstance(node, ast.AnnAssign) and node.value is None and isinstance(node.target, ast.Name)
