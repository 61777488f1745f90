"""The rows of one repository: from the graph, with their lines of source."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

from bearings.code.catalogue.names import last_part, package_of
from bearings.code.catalogue.rows import Contents, ExportRow, RequestRow, RouteRow, UseRow
from bearings.code.file_facts import FileFacts
from bearings.code.framework_facts import NAMED_URL
from bearings.code.index.snapshot import Snapshot
from bearings.code.index.snapshot_file import makers
from bearings.code.languages import SPECS
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import EdgeKind, SymbolKind
from bearings.code.project.git.history import History
from bearings.code.questions.catalogued import Catalogued
from bearings.code.questions.catalogued import outside_uses as uses_module
from bearings.code.questions.catalogued.outside_uses import OutsideUse, outside_uses, without_parts
from bearings.code.replies.tidying import shortened
from bearings.code.search.view import WholeGraph
from bearings.errors import BearingsError

_MOST = 500_000
"""Uses that are listed of one repository: it has generated code if there are more."""

_SIGNATURE = 200
_HEAD_LINES = 40
"""Lines of the head of a function or class that are searched for the name of a type."""

_IN_HEADS = frozenset({EdgeKind.TYPE, EdgeKind.EXTENDS, EdgeKind.IMPLEMENTS})
_NO_EXPORTS = frozenset({SymbolKind.MODULE, SymbolKind.ENDPOINT, SymbolKind.PROPERTY})


def compute(question: Catalogued, view: WholeGraph) -> Contents:
    """The rows of a repository; none if it has the fingerprint `known`. Raises Changed, Lost."""
    snapshot = view.snapshot
    fingerprint = f"{_scanner()}-{snapshot.revision}"
    commit, note = _commit(snapshot)
    if fingerprint == question.known:
        return Contents(fingerprint=fingerprint, is_known=True, commit=commit)
    paths = sorted(snapshot.facts)
    uses = list(islice((use for path in paths for use in _uses(view, path)), _MOST + 1))
    if len(uses) > _MOST:
        note = "; ".join(filter(None, [note, f"more than {_MOST:,} uses: the rest is left out"]))
    return Contents(
        fingerprint=fingerprint,
        commit=commit,
        note=note,
        files=len(paths),
        elements=snapshot.elements,
        languages=dict(Counter(SPECS[snapshot.facts[path].language].label for path in paths)),
        exports=[row for path in paths for row in _exports(snapshot.facts[path])],
        routes=[row for path in paths for row in _routes(snapshot.facts[path])],
        requests=[row for path in paths for row in _requests(view, snapshot.facts[path])],
        uses=uses[:_MOST],
    )


@cache
def _scanner() -> str:
    """A digest of the code that makes the rows."""
    hashed = hashlib.blake2b(makers(), digest_size=6)
    for file in (__file__, uses_module.__file__):
        hashed.update(Path(file).read_bytes())
    return hashed.hexdigest()


def _commit(snapshot: Snapshot) -> tuple[str, str]:
    """The commit that is checked out, and why there is none, if git data can't be read."""
    if not any((folder / ".git").exists() for folder in (snapshot.root, *snapshot.root.parents)):
        return "", ""
    try:
        return History(snapshot.root, snapshot.roots).commit("HEAD"), ""
    except BearingsError as error:
        return "", error.error


def _exports(facts: FileFacts) -> Iterator[ExportRow]:
    if is_test(facts.path):
        return
    for symbol in facts.symbols:
        if symbol.exported and symbol.kind not in _NO_EXPORTS:
            signature = symbol.signature[:_SIGNATURE]
            name, kind = symbol.name, str(symbol.type)
            yield ExportRow(name, symbol.qualified_name, kind, facts.path, symbol.line, signature)


def _routes(facts: FileFacts) -> Iterator[RouteRow]:
    for symbol in facts.symbols:
        detail = symbol.detail
        if symbol.kind is SymbolKind.ENDPOINT and detail is not None:
            yield RouteRow(detail.method, detail.path, facts.path, symbol.line, detail.handler, detail.by)


def _requests(view: WholeGraph, facts: FileFacts) -> Iterator[RequestRow]:
    for request in facts.requests:
        if request.path.startswith(NAMED_URL):
            continue
        element = _element(facts, facts.scopes[request.scope].symbol)
        text = shortened(view.lines.at(facts.path, request.line))
        yield RequestRow(request.method, request.path, facts.path, request.line, text, element)


def _uses(view: WholeGraph, path: str) -> Iterator[UseRow]:
    uses = outside_uses(view.snapshot, path)
    if not uses:
        return
    facts = view.snapshot.facts[path]
    separator = SPECS[facts.language].module_separator
    for use in without_parts(use._replace(line=_line(view, facts, use)) for use in uses):
        yield UseRow(
            package=package_of(use.module, separator),
            module=use.module.removeprefix("node:"),
            name=use.name,
            kind=str(use.kind),
            file=path,
            line=use.line,
            text=shortened(view.lines.at(path, use.line)),
            element=_element(facts, use.symbol),
            is_guess=use.is_guess,
        )


def _line(view: WholeGraph, facts: FileFacts, use: OutsideUse) -> int:
    """The line of a use. Types in the head of a function or class have its first line: the one with the name is theirs.

    def find(
        name: str,
    ) -> Path:        # a use of Path
    """
    word = last_part(use.name)
    if use.kind not in _IN_HEADS or not word:
        return use.line
    lines, named = view.lines.of(facts.path), re.compile(rf"\b{re.escape(word)}\b".encode())
    end = min(facts.symbols[use.symbol].end_line, use.line + _HEAD_LINES, len(lines)) if use.symbol else use.line
    return next((number for number in range(use.line, end + 1) if named.search(lines[number - 1])), use.line)


def _element(facts: FileFacts, index: int) -> str:
    """The name and line of an element; empty for the file itself."""
    symbol = facts.symbols[index]
    return f"{symbol.qualified_name}:{symbol.line}" if index else ""
