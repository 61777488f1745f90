"""Detectors of patterns, one for each type. They read facts and edges, and prefer a miss to a false report."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

from bearings.code.expressions import last_name, site_of
from bearings.code.file_facts import BindingKind, CallSite, FileFacts, Trait
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import WRITTEN_CALLS, Confidence, EdgeKind, Symbol, SymbolKind
from bearings.code.questions.patterns import PatternType
from bearings.code.questions.patterns.evidence import File, Place, at, owner

_TOGETHER = frozenset(
    "Promise.all Promise.allSettled Promise.race Promise.any asyncio.gather asyncio.wait asyncio.create_task "
    "asyncio.TaskGroup anyio.create_task_group".split()
)


def asynchronous(file: File) -> Iterator[Place]:
    """Async functions, and calls that run several tasks at once: `Promise.all(…)`."""
    for symbol, shape in zip(file.facts.symbols, file.facts.shapes, strict=False):
        if shape.traits & Trait.ASYNC:
            yield Place("async functions", file.path, symbol.line, symbol.id, symbol.signature[:100])
    for callee, site in file.calls_of(_TOGETHER):
        yield Place(callee, file.path, site.line, owner(file.facts, site), f"calls {callee}")


def context_managers(file: File) -> Iterator[Place]:
    """Classes with both methods, `__enter__` and `__exit__`, and decorated generators."""
    ends, makers = file.idioms.context_ends, file.idioms.context_makers
    either = frozenset[str]().union(*ends)
    names: dict[str, set[str]] = {}
    for symbol in file.facts.symbols[1:] if ends else ():
        if symbol.inside and symbol.name in either:
            names.setdefault(symbol.parent, set()).add(symbol.name)
    for symbol in file.facts.symbols[1:] if names else ():
        if any(both <= names.get(symbol.id, set()) for both in ends):
            yield Place("context manager classes", file.path, symbol.line, symbol.id, symbol.signature[:100])
    for text, line, element in file.decorated(lambda text: text.rpartition(".")[2] in makers) if makers else ():
        yield Place("context manager functions", file.path, line, element, f"@{text}")


def decorators(file: File) -> Iterator[Place]:
    """Uses of decorators, by name, with the decorated elements."""
    for text, line, element in file.decorated(bool):
        yield Place(f"@{text}", file.path, line, element, f"@{text}")


def error_handling(file: File) -> Iterator[Place]:
    """Handlers and raises: errors that are swallowed, caught too broadly, caught, raised."""
    error = file.idioms.error
    for mark in file.facts.marks if error else ():
        if error and (problem := error(mark)):
            yield Place(problem[0], file.path, mark.line, at(file.facts, mark.line), problem[1])


def events(file: File) -> Iterator[Place]:
    """Calls of emitters and signals that register a handler, or send an event."""
    listens, sends = file.matching(file.idioms.listens), file.matching(file.idioms.sends)
    for callee, site in file.calls_of(listens | sends):
        name = "handlers registered" if callee in listens else "events sent"
        yield Place(name, file.path, site.line, owner(file.facts, site), f"calls {callee}")


def hooks(file: File) -> Iterator[Place]:
    """Declared hooks of React, and uses of hooks inside a component or another hook."""
    facts, hook = file.facts, file.idioms.hook
    if hook is None:
        return
    for symbol in facts.symbols[1:]:
        if symbol.kind is SymbolKind.HOOK:
            yield Place("own hooks", file.path, symbol.line, symbol.id, symbol.signature[:100])
    matches = {callee: match[1] for callee in file.callees if (match := hook.fullmatch(callee)) and match[1] != "use"}
    for callee, site in file.calls_of(matches.keys()):
        around = facts.symbols[facts.scopes[site.scope].symbol]
        if around.kind in (SymbolKind.COMPONENT, SymbolKind.HOOK):
            yield Place(matches[callee], file.path, site.line, owner(facts, site), f"calls {callee}")


_INJECTING = frozenset({"Injectable", "Inject", "inject", "injectable", "Autowired"})
_DEPENDING = frozenset({"Depends", "fastapi.Depends", "Security", "Provide", "inject"})
_SERVICE = re.compile(
    r"[A-Z]\w*(?:Adapter|Authenticator|Backend|Broker|Bus|Cache|Client|Connector|Dispatcher|Driver|Engine|Factory|Gateway"
    r"|Loader|Logger|Mailer|Manager|Protocol|Provider|Publisher|Queue|Registry|Renderer|Repository|Resolver|Scheduler"
    r"|Serializer|Service|Session|Storage|Store|Strategy|Transport|Validator)"
)
"""Names of services. Methods alone are no evidence: requests, headers and options have some too."""

_HANDED = frozenset({SymbolKind.CLASS, SymbolKind.INTERFACE})


def injection(file: File) -> Iterator[Place]:
    """Constructors that take services of the project, and decorators and calls of frameworks that request one."""
    path, facts = file.path, file.facts
    for text, line, element in file.decorated(_INJECTING.__contains__):
        yield Place(f"@{text}", path, line, element, f"@{text}")
    for callee, site in file.calls_of(_DEPENDING):
        yield Place(callee, path, site.line, owner(facts, site), f"calls {callee}")
    owners: dict[int, Symbol] = {
        shape.inner: symbol
        for symbol, shape in zip(facts.symbols, facts.shapes, strict=False)
        if symbol.kind is SymbolKind.CONSTRUCTOR and shape.inner >= 0 and not _is_error(facts, shape.parent)
    }
    handed: dict[int, list[str]] = {}
    for binding in facts.bindings if owners else ():
        is_ours = binding.kind is BindingKind.PARAMETER and binding.scope in owners
        type_ = binding.type if is_ours and isinstance(binding.type, str) else ""
        if _SERVICE.fullmatch(type_) and type_ in _services(file.snapshot):
            handed.setdefault(binding.scope, []).append(type_)
    for scope, types in handed.items():
        symbol, takes = owners[scope], f"takes {', '.join(types)}"
        yield Place("services handed to a constructor", path, symbol.line, symbol.id, takes[:120])


@lru_cache(maxsize=1)
def _services(snapshot: Snapshot) -> frozenset[str]:
    """Names of classes and interfaces with methods."""
    names: set[str] = set()
    for path in snapshot.facts:
        here = snapshot.graph.within(path)
        holders = {symbol.inside for symbol in here.values() if symbol.kind is SymbolKind.METHOD}
        parents = (here.get(f"{path}#{inside}") for inside in holders)
        names |= {parent.name for parent in parents if parent is not None and parent.kind in _HANDED}
    return frozenset(names)


def _is_error(facts: FileFacts, class_: int) -> bool:
    """Whether a class is an error: its constructor takes details of the fault, not services."""
    bases = facts.shapes[class_].bases if class_ > 0 else ()
    return any(last_name(base.value).endswith(("Error", "Exception")) for base in bases)


_ADDING = re.compile(r"\.(?:add_middleware|add_asgi_middleware)$")
_WRAPPING = re.compile(r"\.(?:middleware|before_request|after_request|teardown_request|before_app_request)$")
_SHAPES = (
    ("req", "res", "next"),
    ("request", "response", "next"),
    ("err", "req", "res", "next"),
    ("self", "request", "call_next"),
)
_LAST = frozenset(shape[-1] for shape in _SHAPES)
"""One of these is among the parameters of any middleware."""


def middleware(file: File) -> Iterator[Place]:
    """Registrations of middleware, and functions with a middleware's parameters: `(req, res, next)`."""
    path, facts = file.path, file.facts
    for callee, site in file.calls_of(file.matching(file.idioms.middleware, _ADDING)):
        yield Place("middleware put in", path, site.line, owner(facts, site), f"calls {callee}")
    for text, line, element in file.decorated(_WRAPPING.search):
        yield Place("middleware by decorator", path, line, element, f"@{text}")
    parameters = [binding for binding in facts.bindings if binding.kind is BindingKind.PARAMETER]
    likely = {binding.scope for binding in parameters if binding.name.lstrip("_") in _LAST}
    taken: dict[int, list[str]] = {}
    for binding in parameters if likely else ():
        if binding.scope in likely:
            taken.setdefault(binding.scope, []).append(binding.name.lstrip("_"))
    for symbol, shape in zip(facts.symbols, facts.shapes, strict=False) if taken else ():
        if tuple(taken.get(shape.inner, ())) in _SHAPES:
            yield Place("middleware by shape", path, symbol.line, symbol.id, symbol.signature[:100])


_STORING = frozenset({"_instance", "__instance", "instance", "#instance", "_singleton"})
_GIVING = frozenset({"getInstance", "get_instance", "__new__", "shared", "sharedInstance"})
_NONE: frozenset[str] = frozenset()
_DEMONSTRATION = re.compile(r"(?:^|/)(?:examples?|demos?|docs?|samples?|benchmarks?)/")
"""Folders with demonstrations, whose instances don't count."""


def singletons(file: File) -> Iterator[Place]:
    """Classes that store their own instance, and exported instances that are the only ones of their class."""
    symbols = file.facts.symbols[1:]
    telling: dict[str, set[str]] = {}
    for symbol in symbols:
        if symbol.inside and (symbol.name in _STORING or symbol.name in _GIVING):
            telling.setdefault(symbol.parent, set()).add(symbol.name)
    for symbol in symbols:
        if symbol.kind is SymbolKind.CLASS:
            inside = telling.get(symbol.id, _NONE)
            if inside & _STORING and inside & _GIVING:
                how = f"keeps {min(inside & _STORING)}, gives it by {min(inside & _GIVING)}"
                yield Place("a class that keeps its one instance", file.path, symbol.line, symbol.id, how)
            elif symbol.name in _made_at_top(file.snapshot):
                yield from _alone(file.snapshot, symbol.id)


@lru_cache(maxsize=1)
def _made_at_top(snapshot: Snapshot) -> frozenset[str]:
    """Names that are called for the value of an exported name outside tests: no other class can be such an instance."""
    own = (facts for path, facts in snapshot.facts.items() if not is_test(path))
    return frozenset(last_name(site.callee) for facts in own for _, site in _made_values(facts))


def _made_values(facts: FileFacts) -> Iterator[tuple[Symbol, CallSite]]:
    """The exported names at the top of a file whose value is a call, with the call."""
    for symbol, shape in zip(facts.symbols[1:], facts.shapes[1:], strict=False):
        is_value = symbol.kind in (SymbolKind.CONSTANT, SymbolKind.VARIABLE) and symbol.parent == facts.path
        if is_value and symbol.exported and (number := site_of(shape.value)) >= 0:
            yield symbol, facts.sites[number]


def _alone(snapshot: Snapshot, class_id: str) -> Iterator[Place]:
    """The only instantiation of a class outside tests, if it is top-level code for an exported name."""
    graph = snapshot.graph
    made = [
        edge
        for edge in graph.edges_to(class_id, WRITTEN_CALLS)
        if not is_test(edge.file) and edge.confidence is not Confidence.HEURISTIC
    ]
    is_extended = graph.edges_to(class_id, frozenset({EdgeKind.EXTENDS}))
    if len(made) != 1 or _DEMONSTRATION.search(made[0].file) or is_extended:
        return
    facts, name = snapshot.facts[made[0].file], graph.symbols[class_id].name
    for symbol, site in _made_values(facts):
        if site.line == made[0].line and last_name(site.callee) == name:
            what = f"the only {name} that is made"
            yield Place("the only instance, made by its module", facts.path, symbol.line, symbol.id, what)


DETECTORS: Mapping[PatternType, Callable[[File], Iterable[Place]]] = {
    "async": asynchronous,
    "context-manager": context_managers,
    "decorators": decorators,
    "dependency-injection": injection,
    "error-handling": error_handling,
    "events": events,
    "hooks": hooks,
    "middleware": middleware,
    "singleton": singletons,
}
