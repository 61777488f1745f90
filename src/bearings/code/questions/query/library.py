"""The project's own lines that use a name of a library, or a chain of members that leads to no element.

next/router#useRouter                      imports of the name, and the code that uses them
django.db.models.signals.post_save         the same by the names of Python
useRouter                                  by the name alone, whatever package it is imported from
prisma.trace.findMany                      the chain as written, also behind other names: ctx.prisma.trace.findMany
"""

import re
from collections.abc import Iterable, Iterator

from bearings.code.catalogue.names import dotted
from bearings.code.index.snapshot import Snapshot
from bearings.code.models import Confidence, Edge, EdgeKind
from bearings.code.project.words import Search, Word
from bearings.code.questions.catalogued.outside_uses import OutsideUse, outside_uses
from bearings.code.search.reach import IMPORTS

_BARE = re.compile(r"[\w$]+")
_REASON = "outside the project"


def uses_of_library(snapshot: Snapshot, text: str, kinds: Iterable[EdgeKind]) -> list[Edge]:
    """The uses of these kinds by file and line, each once; their target is the text."""
    name = re.sub(r"#|::", ".", text.strip().removesuffix("()"))
    words = re.findall(r"[\w$]+", name)
    if not words or not name.endswith(words[-1]):
        return []
    found: dict[tuple[str, int, EdgeKind], Edge] = {}
    for path in sorted(hit.path for hit in Search(snapshot.tree, snapshot.facts, [Word(words[-1])]).files()):
        for edge in _in_file(snapshot, path, name, text.strip()):
            found.setdefault((path, edge.line, edge.kind), edge)
    return sorted((edge for edge in found.values() if edge.kind in kinds), key=lambda edge: (edge.file, edge.line))


def _in_file(snapshot: Snapshot, path: str, name: str, target: str) -> Iterator[Edge]:
    graph, symbols = snapshot.graph, snapshot.graph.outline(path)
    modules = [site.name for site in graph.outside_by_source.get(path, ()) if site.kind in IMPORTS]
    if _BARE.fullmatch(name) or any(f"{name}.".startswith(f"{module}.") for module in modules):
        for use in outside_uses(snapshot, path):
            if _is_use(use, name):
                confidence = Confidence.INFERRED if use.is_guess else Confidence.EXACT
                yield Edge(symbols[use.symbol].id, target, use.kind, path, use.line, confidence, _REASON)
    for symbol in symbols:
        for site in graph.outside_by_source.get(symbol.id, ()):
            if (site.why != "builtin" and site.name.endswith(f".{name}")) or (site.name == name and "." in name):
                yield Edge(symbol.id, target, site.kind, path, site.line, Confidence.INFERRED, site.why)


def _is_use(use: OutsideUse, name: str) -> bool:
    """Whether a use is one of the name, with or without its module, or of a member of it."""
    return any(f"{full}.".startswith(f"{name}.") for full in (use.name, dotted((use.module, use.name))))
