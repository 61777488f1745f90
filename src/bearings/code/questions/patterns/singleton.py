"""Singletons: a class that stores its own instance, and a module constant with the only instance of its class."""

import re
from collections.abc import Iterator
from functools import lru_cache

from bearings.code.expressions import last_name, site_of
from bearings.code.file_facts import CallSite, FileFacts
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import Confidence, EdgeKind, Symbol, SymbolKind
from bearings.code.questions.patterns.evidence import File, Found

_KEPT = frozenset({"_instance", "__instance", "instance", "#instance", "_singleton"})
_GIVEN = frozenset({"getInstance", "get_instance", "__new__", "shared", "sharedInstance"})
_TELLING = _KEPT | _GIVEN
_NONE: frozenset[str] = frozenset()

_SHOWN = re.compile(r"(?:^|/)(?:examples?|demos?|docs?|samples?|benchmarks?)/")
"""Folders with demonstrations, whose instances don't count."""

_MADE = frozenset({EdgeKind.NEW, EdgeKind.CALL})


def find(file: File) -> Iterator[Found]:
    """Each class that stores its own instance, and each exported instance that is the only one of its class."""
    symbols = file.facts.symbols[1:]
    kept: dict[str, set[str]] = {}
    for symbol in symbols:
        if symbol.inside and symbol.name in _TELLING:
            kept.setdefault(symbol.parent, set()).add(symbol.name)
    for symbol in symbols:
        if symbol.kind is SymbolKind.CLASS:
            inside = kept.get(symbol.id, _NONE)
            if inside & _KEPT and inside & _GIVEN:
                how = f"keeps {min(inside & _KEPT)}, gives it by {min(inside & _GIVEN)}"
                yield Found("a class that keeps its one instance", file.path, symbol.line, symbol.id, how)
            elif symbol.name in _made_at_top(file.snapshot):
                yield from _alone(file.snapshot, symbol.id)


@lru_cache(maxsize=1)
def _made_at_top(snapshot: Snapshot) -> frozenset[str]:
    """Names that are called for the value of an exported name outside tests: no other class can be such an instance."""
    return frozenset(
        last_name(site.callee)
        for path, facts in snapshot.facts.items()
        if not is_test(path)
        for _, site in _values(facts)
    )


def _values(facts: FileFacts) -> Iterator[tuple[Symbol, CallSite]]:
    """The exported names at the top of a file whose value is a call, with the call."""
    for symbol, shape in zip(facts.symbols[1:], facts.shapes[1:], strict=False):
        is_value = symbol.kind in (SymbolKind.CONSTANT, SymbolKind.VARIABLE) and symbol.parent == facts.path
        if is_value and symbol.exported and (number := site_of(shape.value)) >= 0:
            yield symbol, facts.sites[number]


def _alone(snapshot: Snapshot, class_id: str) -> Iterator[Found]:
    """The only instantiation of a class outside tests, if it is top-level code for an exported name."""
    graph = snapshot.graph
    made = [
        edge
        for edge in graph.edges_to(class_id, _MADE)
        if not is_test(edge.file) and edge.confidence is not Confidence.HEURISTIC
    ]
    if len(made) != 1 or _SHOWN.search(made[0].file) or graph.edges_to(class_id, frozenset({EdgeKind.EXTENDS})):
        return
    facts, name = snapshot.facts[made[0].file], graph.symbols[class_id].name
    for symbol, site in _values(facts):
        if site.line == made[0].line and last_name(site.callee) == name:
            description = f"the only {name} that is made"
            yield Found("the only instance, made by its module", facts.path, symbol.line, symbol.id, description)
