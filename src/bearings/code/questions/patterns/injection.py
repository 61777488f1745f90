"""Dependency injection: constructors that take instances of the project's classes, and frameworks' markers."""

import re
from collections.abc import Iterator
from functools import lru_cache

from bearings.code.expressions import last_name
from bearings.code.file_facts import BindingKind, FileFacts
from bearings.code.index.snapshot import Snapshot
from bearings.code.models import Symbol, SymbolKind
from bearings.code.questions.patterns.evidence import File, Found, owner

_MARKS = frozenset({"Injectable", "Inject", "inject", "injectable", "Autowired"})
_CALLS = frozenset({"Depends", "fastapi.Depends", "Security", "Provide", "inject"})

_NAME = re.compile(
    r"[A-Z]\w*(?:Adapter|Authenticator|Backend|Broker|Bus|Cache|Client|Connector|Dispatcher|Driver|Engine|Factory|Gateway"
    r"|Loader|Logger|Mailer|Manager|Protocol|Provider|Publisher|Queue|Registry|Renderer|Repository|Resolver|Scheduler"
    r"|Serializer|Service|Session|Storage|Store|Strategy|Transport|Validator)"
)
"""Names of services. Methods alone are no evidence: requests, headers and options have some too."""

_HANDED = frozenset({SymbolKind.CLASS, SymbolKind.INTERFACE})


def find(file: File) -> Iterator[Found]:
    """Each constructor that takes services, and each decorator and call that requests one."""
    path, facts = file.path, file.facts
    for text, line, element in file.decorated(_MARKS.__contains__):
        yield Found(f"@{text}", path, line, element, f"@{text}")
    for callee, site in file.calls_of(_CALLS):
        yield Found(callee, path, site.line, owner(facts, site), f"calls {callee}")
    yield from _constructors(path, facts, _services(file.snapshot))


@lru_cache(maxsize=1)
def _services(snapshot: Snapshot) -> frozenset[str]:
    """Names of classes and interfaces with methods."""
    found: set[str] = set()
    for path in snapshot.facts:
        here = snapshot.graph.within(path)
        holders = {symbol.inside for symbol in here.values() if symbol.kind is SymbolKind.METHOD}
        parents = (here.get(f"{path}#{inside}") for inside in holders)
        found |= {parent.name for parent in parents if parent is not None and parent.kind in _HANDED}
    return frozenset(found)


def _constructors(path: str, facts: FileFacts, services: frozenset[str]) -> Iterator[Found]:
    """Constructors with a parameter of a service's type."""
    owners: dict[int, Symbol] = {
        shape.inner: symbol
        for symbol, shape in zip(facts.symbols, facts.shapes, strict=False)
        if symbol.kind is SymbolKind.CONSTRUCTOR and shape.inner >= 0 and not _is_error(facts, shape.parent)
    }
    handed: dict[int, list[str]] = {}
    for binding in facts.bindings if owners else ():
        is_ours = binding.kind is BindingKind.PARAMETER and binding.scope in owners
        if is_ours and isinstance(binding.type, str) and _NAME.fullmatch(binding.type) and binding.type in services:
            handed.setdefault(binding.scope, []).append(binding.type)
    for scope, types in handed.items():
        symbol = owners[scope]
        yield Found("services handed to a constructor", path, symbol.line, symbol.id, f"takes {', '.join(types)}"[:120])


def _is_error(facts: FileFacts, class_: int) -> bool:
    """Whether a class is an error: its constructor takes details of the fault, not services."""
    return class_ > 0 and any(
        last_name(base.value).endswith(("Error", "Exception")) for base in facts.shapes[class_].bases
    )
