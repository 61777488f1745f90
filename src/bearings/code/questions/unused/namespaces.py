"""Modules that are handed over whole, whose exports no code has to name: `drizzle(client, { schema })`."""

import re
from functools import lru_cache

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import IMPORTS, WRITTEN_CALLS, Edge, EdgeKind
from bearings.code.questions.unused.registers import LISTS, code_of, is_dynamic
from bearings.code.search.element_words import lines_in

_BOUND = re.compile(
    r"\*\s*as\s+([\w$]+)|\b(?:const|let|var|import)\s+([\w$]+)\s*=\s*(?:require|await\s+import)\s*\([^()]*\)(?!\s*[.\[(])"
)
"""A name for a module: `import * as shop from`, `const shop = require("./shop")`."""

_VALUE = re.compile(
    r"(?:\.\.\.|[:,(\[]|\breturn|=>|\.[\w$]+\s*=|\bexports\s*=)\s*(?:await\s+)?(?P<call>require|import)\s*\([^()]*\)"
    r"(?!\s*[.\[(])"
)
"""A module that is a value where it is loaded: `...require("./shop")`, `() => import("./shop")`."""

_WHOLE = re.compile(r"\bexport\s*\*\s*as\b")
_COMMENT = re.compile(r"^\s*(?://|/?\*)")


@lru_cache(maxsize=1)
def is_handed_whole(snapshot: Snapshot, file: str) -> bool:
    """Whether a file that uses a module, or one that exports all of it, hands it over as a value."""
    waiting = [file]
    for path in waiting:
        for edge in (one for one in snapshot.graph.edges_to(path, IMPORTS) if not is_test(one.file)):
            lines = _lines(snapshot, edge)
            text = lines[edge.line - 1] if edge.line <= len(lines) else ""
            if edge.kind is EdgeKind.EXPORT and not _WHOLE.search(text):
                waiting += {edge.file}.difference(waiting) if "*" in text else ()
            elif _is_value(snapshot, path, edge, lines):
                return True
    return False


def _is_value(snapshot: Snapshot, path: str, edge: Edge, lines: list[str]) -> bool:
    if is_dynamic(snapshot.facts[path].symbols[0]):
        return _is_listed(snapshot, path, edge, lines)
    text = lines[edge.line - 1] if edge.line <= len(lines) else ""
    bound, value = _BOUND.search(text), _VALUE.search(text)
    if bound is None:
        # Who loads a module late takes its default export, if it has one.
        has_default = any(export.name == "default" for export in snapshot.facts[path].exports)
        is_taken = value is not None and not (has_default and value["call"] == "import")
        return is_taken or _WHOLE.search(text) is not None
    name = re.escape(bound[1] or bound[2])
    # Not `shop.total`, `shop["total"]`, `{ shop: … }`, "./shop".
    member = r"""\s*(?:[?!]?\.\s*[\w$#]|(?:\?\.)?\[\s*["'`\d])"""
    use = re.compile(rf"""(?<![\w$"'`/@-])(?:(?<=\.\.\.)|(?<!\.)){name}(?![\w$"'`/-]|\s*:|{member})""")
    others = (line for row, line in enumerate(lines, 1) if row != edge.line and not _COMMENT.match(line))
    return any(use.search(line) for line in others)


def _is_listed(snapshot: Snapshot, path: str, edge: Edge, lines: list[str]) -> bool:
    """Whether a call that gets a module of Python goes through what that declares: `migrate(carts)`, `vars(carts)`."""
    stem = path.rpartition(".")[0].removesuffix("/__init__").rpartition("/")[2]
    renamed = re.search(rf"\b{re.escape(stem)}\s+as\s+(\w+)", lines[edge.line - 1] if edge.line <= len(lines) else "")
    use = re.compile(rf"\w\((?:[^()]|\([^()]*\))*(?<![\w.\"']){re.escape(renamed[1] if renamed else stem)}\s*[,)]")
    rows = {row for row, line in enumerate(lines, 1) if use.search(line)} - {edge.line}
    if any(LISTS.search(lines[row - 1].encode()) for row in rows):
        return True
    graph = snapshot.graph
    calls = (one for id_ in graph.within(edge.file) if rows for one in graph.edges_from(id_, WRITTEN_CALLS))
    takers = {call.target for call in calls if call.line in rows}
    return any(LISTS.search(code_of(snapshot, graph.symbols[id_])) for id_ in takers)


def _lines(snapshot: Snapshot, edge: Edge) -> list[str]:
    return [line.decode("utf-8", "replace") for line in lines_in(snapshot, edge.file)]
