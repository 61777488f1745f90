"""Middleware: arguments of the frameworks' registration calls, and functions with a middleware's parameters."""

import re
from collections.abc import Iterator

from bearings.code.file_facts import BindingKind
from bearings.code.questions.patterns.evidence import File, Found, owner

_ADD = re.compile(r"\.(?:add_middleware|add_asgi_middleware)$")
_DECORATED = re.compile(r"\.(?:middleware|before_request|after_request|teardown_request|before_app_request)$")
_SHAPES = (
    ("req", "res", "next"),
    ("request", "response", "next"),
    ("err", "req", "res", "next"),
    ("self", "request", "call_next"),
)
_LAST = frozenset(shape[-1] for shape in _SHAPES)
"""One of these is among the parameters of any middleware."""


def find(file: File) -> Iterator[Found]:
    """Each registration of middleware, and each function with a middleware's parameters."""
    path, facts = file.path, file.facts
    for callee, site in file.calls_of(file.matching(file.idioms.middleware, _ADD)):
        yield Found("middleware put in", path, site.line, owner(facts, site), f"calls {callee}")
    for text, line, element in file.decorated(_DECORATED.search):
        yield Found("middleware by decorator", path, line, element, f"@{text}")
    yield from _shaped(file)


def _shaped(file: File) -> Iterator[Found]:
    """Functions with a middleware's parameters."""
    parameters = [binding for binding in file.facts.bindings if binding.kind is BindingKind.PARAMETER]
    likely = {binding.scope for binding in parameters if binding.name.lstrip("_") in _LAST}
    taken: dict[int, list[str]] = {}
    for binding in parameters if likely else ():
        if binding.scope in likely:
            taken.setdefault(binding.scope, []).append(binding.name.lstrip("_"))
    for symbol, shape in zip(file.facts.symbols, file.facts.shapes, strict=False) if taken else ():
        if tuple(taken.get(shape.inner, ())) in _SHAPES:
            yield Found("middleware by shape", file.path, symbol.line, symbol.id, symbol.signature[:100])
