"""Singletons: a class that stores its own instance, and a module constant with the only instance of its class."""

import re
from collections.abc import Iterator

from bearings.code.analyses.patterns.evidence import Found, files
from bearings.code.expressions import last_name, site_of
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import Confidence, EdgeKind, SymbolKind

_KEPT = frozenset({"_instance", "__instance", "instance", "#instance", "_singleton"})
_GIVEN = frozenset({"getInstance", "get_instance", "__new__", "shared", "sharedInstance"})
_SHOWN = re.compile(r"(?:^|/)(?:examples?|demos?|docs?|samples?|benchmarks?)/")
"""Folders with demonstrations, whose instances don't count."""

_MADE = frozenset({EdgeKind.NEW, EdgeKind.CALL})


def find(snapshot: Snapshot) -> Iterator[Found]:
    """Each class that stores its own instance, and each exported instance that is the only one of its class."""
    for path, facts in files(snapshot):
        names: dict[str, set[str]] = {}
        for symbol in facts.symbols[1:]:
            names.setdefault(symbol.parent, set()).add(symbol.name)
        for symbol in facts.symbols[1:]:
            inside = names.get(symbol.id, set())
            if symbol.kind is SymbolKind.CLASS and inside & _KEPT and inside & _GIVEN:
                how = f"keeps {min(inside & _KEPT)}, gives it by {min(inside & _GIVEN)}"
                yield Found("a class that keeps its one instance", path, symbol.line, symbol.id, how)
            elif symbol.kind is SymbolKind.CLASS:
                yield from _alone(snapshot, symbol.id)


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
    for symbol, shape in zip(facts.symbols[1:], facts.shapes[1:], strict=False):
        is_value = symbol.kind in (SymbolKind.CONSTANT, SymbolKind.VARIABLE) and symbol.parent == facts.path
        number = site_of(shape.value)
        if is_value and symbol.exported and number >= 0:
            site = facts.sites[number]
            if site.line == made[0].line and last_name(site.callee) == name:
                description = f"the only {name} that is made"
                yield Found("the only instance, made by its module", facts.path, symbol.line, symbol.id, description)
