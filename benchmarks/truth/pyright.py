"""Pyright's view of a Python project, from scip-python's index: rows as checker.cjs writes them for TypeScript.

Python's own parser gives the call sites, the functions around them and the imports; the index gives what each name is.
Names that came through a wildcard import are often given as another name of the same module: such sites are doubtful.
So are those in code that pyright does not read, as it can't be reached on this platform or with these types: there the
index says nothing of any name. The rows of imports are the index's own; settle.py says more of them.
"""

import ast
from dataclasses import dataclass
from pathlib import Path

from benchmarks.truth.scip import Document, documents
from benchmarks.truth.score import DOUBTFUL

Row = dict[str, object]

_FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Definition:
    """Where a symbol is defined; lines from 1."""

    file: str
    line: int
    symbol: str

    @property
    def name(self) -> str:
        return _descriptor(self.symbol)[0]

    @property
    def kind(self) -> str:
        return _descriptor(self.symbol)[1]


def truth(root: Path, index: bytes) -> dict[str, list[Row]]:
    """Rows of calls, defs and imports of every file of `root` that Python's parser reads."""
    found = list(documents(index))
    names = Names(found)
    rows: dict[str, list[Row]] = {"calls": [], "defs": [], "imports": []}
    for path in sorted(document.path for document in found):
        try:
            tree = ast.parse((root / path).read_bytes())
        except (SyntaxError, ValueError):
            continue
        walked = Walk(path, names)
        walked.visit(tree)
        rows["calls"] += walked.calls
        rows["defs"] += walked.defs
        rows["imports"] += walked.imports
    return rows


def attributes(root: Path, index: bytes) -> list[Row]:
    """Rows of uses of attributes after a dot, as checker.cjs writes those of fields. Methods are left out."""
    found = list(documents(index))
    declared: dict[str, list[tuple[str, int]]] = {}
    for document in found:
        for one in document.occurrences:
            if one.defines and "#" in one.symbol and one.symbol.endswith(".") and not one.symbol.endswith(")."):
                declared.setdefault(one.symbol, []).append((document.path, one.line + 1))
    rows: list[Row] = []
    for document in found:
        lines = (root / document.path).read_text(encoding="utf-8", errors="replace").split("\n")
        for one in document.occurrences:
            before = lines[one.line][: one.column].rstrip() if one.line < len(lines) else ""
            if one.symbol in declared and not one.defines and before.endswith("."):
                name = one.symbol.rpartition("#")[2].strip(".`")
                where = sorted(declared[one.symbol])
                rows.append(
                    {"file": document.path, "line": one.line + 1, "name": name, "of": "class", "declared": where}
                )
    return rows


class Names:
    """The symbols and definitions of the whole index, by place."""

    def __init__(self, found: list[Document]) -> None:
        self._at: dict[tuple[str, int, int], str] = {}
        self._defined: dict[str, Definition] = {}
        self.files = {document.path for document in found}
        for document in found:
            for occurrence in document.occurrences:
                symbol = _local(document.path, occurrence.symbol)
                if occurrence.defines:
                    self._defined.setdefault(symbol, Definition(document.path, occurrence.line + 1, occurrence.symbol))
                self._at.setdefault((document.path, occurrence.line, occurrence.column), symbol)

    def knows(self, path: str, line: int, column: int) -> bool:
        """Whether the index says anything of the name there."""
        return (path, line - 1, column) in self._at

    def definition(self, path: str, line: int, column: int) -> Definition | None:
        """Of the name at a line (from 1) and column (from 0, in characters)."""
        symbol = self._at.get((path, line - 1, column))
        return None if symbol is None else self._defined.get(symbol)


def _local(path: str, symbol: str) -> str:
    return f"{path} {symbol}" if symbol.startswith("local ") else symbol


def _descriptor(symbol: str) -> tuple[str, str]:
    """Name and kind by a symbol's last descriptor; a local has no name.

    scip.proto: method `().`, type `#`, term `.`, parameter `(x)`.
    """
    if symbol.startswith("local "):
        return "", "local"
    if symbol.endswith(")"):
        return symbol[symbol.rindex("(") + 1 : -1].strip("`"), "parameter"
    kind = {".": "term", "#": "class", "/": "module", ":": "module"}.get(symbol[-1], "other")
    text = symbol[:-1]
    if kind == "term" and text.endswith(")"):
        kind, text = "method/function", text[: text.rindex("(")]
    for mark in "/#.":
        text = text if text.endswith("`") else text.rsplit(mark, 1)[-1]
    return (text.rstrip("`").rsplit("`", 1)[-1] if text.endswith("`") else text), kind


class Walk(ast.NodeVisitor):
    """One file's rows."""

    def __init__(self, path: str, names: Names) -> None:
        self.calls: list[Row] = []
        self.defs: list[Row] = []
        self.imports: list[Row] = []
        self._path = path
        self._names = names
        self._within: list[tuple[str, int]] = [("<module>", 0)]

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._function(node)

    def _function(self, node: _FUNCTION) -> None:
        self.defs.append({"file": self._path, "name": node.name, "line": node.lineno, "kind": "function"})
        for outside in (*node.decorator_list, node.args, *filter(None, [node.returns])):
            self.visit(outside)
        self._within.append((node.name, node.lineno))
        for statement in node.body:
            self.visit(statement)
        self._within.pop()

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.defs.append({"file": self._path, "name": node.name, "line": node.lineno, "kind": "class"})
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        place = _place(node.func)
        callee = self._names.definition(self._path, *place) if place else None
        if callee and isinstance(node.func, ast.Subscript) and callee.kind != "class":
            place = callee = None  # an element of something is called, not that itself
        name, line = self._within[-1]
        root = _root(node.func)
        if root and not callee and not self._names.knows(self._path, root.lineno, root.col_offset):
            caller = {"caller_file": self._path, "caller_name": name, "caller_line": line}
            site = {"site_line": root.lineno, "site_col": root.col_offset, "via": "call", "member": False}
            callee_row = {"callee_file": "", "callee_name": "", "callee_line": 0, "called": _called(node.func)}
            self.calls.append({**caller, **callee_row, "kind": DOUBTFUL, **site})
        if place and callee:
            member = isinstance(node.func, ast.Attribute)
            called = _called(node.func)
            self.calls.append(
                {
                    "caller_file": self._path,
                    "caller_name": name,
                    "caller_line": line,
                    "callee_file": callee.file,
                    "callee_name": callee.name or called,
                    "callee_line": callee.line,
                    "kind": DOUBTFUL if member and callee.name not in ("", called) else callee.kind,
                    "called": called,
                    "site_line": place[0],
                    "site_col": place[1],
                    "via": "call",
                    "member": member,
                }
            )
        self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._import(alias, alias.name, [])

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        module = "." * node.level + (node.module or "")
        taken_from = [(node.lineno, node.col_offset + len("from ") + len(module) - 1)] if node.module else []
        for alias in node.names:
            self._import(alias, f"{module}:{alias.name}", taken_from)

    def _import(self, alias: ast.alias, spec: str, taken_from: list[tuple[int, int]]) -> None:
        last = alias.col_offset + (alias.name.rfind(".") + 1 if ":" not in spec else 0)
        columns = [alias.col_offset, last]
        found = next(
            filter(None, (self._names.definition(self._path, alias.lineno, column) for column in columns)), None
        )
        if found and found.name not in ("", alias.name.rsplit(".", 1)[-1]) and found.kind != "module":
            found = None
        places = [(alias.lineno, last), *taken_from]
        to = found.file if found else None
        self.imports.append({"from": self._path, "spec": spec, "to": to, "line": alias.lineno, "places": places})


def _root(function: ast.expr) -> ast.Name | None:
    """The name that a chain of names begins with; None for any other expression."""
    while isinstance(function, ast.Attribute | ast.Subscript):
        function = function.value
    return function if isinstance(function, ast.Name) else None


def _called(function: ast.expr) -> str:
    function = function.value if isinstance(function, ast.Subscript) else function
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _place(function: ast.expr) -> tuple[int, int] | None:
    """Line and column of the name that is called; columns in characters need no mending where names are ASCII."""
    function = function.value if isinstance(function, ast.Subscript) else function
    if isinstance(function, ast.Name):
        return function.lineno, function.col_offset
    if isinstance(function, ast.Attribute) and function.end_lineno is not None and function.end_col_offset is not None:
        return function.end_lineno, function.end_col_offset - len(function.attr)
    return None
