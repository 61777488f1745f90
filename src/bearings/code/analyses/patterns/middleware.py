"""Middleware: arguments of the frameworks' registration calls, and functions with a middleware's parameters."""

import re
from collections.abc import Iterator

from bearings.code.analyses.patterns.evidence import Found, below, calls, files, idioms, owner
from bearings.code.expressions import written
from bearings.code.index.snapshot import Snapshot
from bearings.code.models import BindingKind, FileFacts, MarkKind

_ADD = re.compile(r"\.(?:add_middleware|add_asgi_middleware)$")
_DECORATED = re.compile(r"\.(?:middleware|before_request|after_request|teardown_request|before_app_request)$")
_SHAPES = (
    ("req", "res", "next"),
    ("request", "response", "next"),
    ("err", "req", "res", "next"),
    ("self", "request", "call_next"),
)


def find(snapshot: Snapshot) -> Iterator[Found]:
    """Each registration of middleware, and each function with a middleware's parameters."""
    for path, facts in files(snapshot):
        use = idioms(facts).middleware
        for site in calls(facts):
            callee = written(site.callee)
            if (use and use.search(callee)) or _ADD.search(callee):
                yield Found("middleware put in", path, site.line, owner(facts, site), f"calls {callee}")
        for mark in facts.marks:
            if mark.kind is MarkKind.DECORATOR and _DECORATED.search(mark.text):
                symbol = below(facts, mark.line)
                yield Found("middleware by decorator", path, mark.line, symbol.id if symbol else path, f"@{mark.text}")
        yield from _shaped(path, facts)


def _shaped(path: str, facts: FileFacts) -> Iterator[Found]:
    """Functions with a middleware's parameters."""
    taken: dict[int, list[str]] = {}
    for binding in facts.bindings:
        if binding.kind is BindingKind.PARAMETER:
            taken.setdefault(binding.scope, []).append(binding.name)
    for symbol, shape in zip(facts.symbols, facts.shapes, strict=False):
        if tuple(name.lstrip("_") for name in taken.get(shape.inner, ())) in _SHAPES:
            yield Found("middleware by shape", path, symbol.line, symbol.id, symbol.signature[:100])
