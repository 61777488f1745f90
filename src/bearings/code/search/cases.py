"""Tests among the elements of test files."""

import re

from bearings.code.languages import spec_of
from bearings.code.models import Symbol, SymbolKind

_CASE = re.compile(r"[Tt]est|(?:Benchmark|Example|Fuzz)(?![a-z])")


def is_case(symbol: Symbol) -> bool:
    """Whether an element of a test file is a test and no helper: by its name or head, or as top-level code."""
    spec = spec_of(symbol.file)
    if symbol.kind is SymbolKind.MODULE or spec is None or not spec.case_head:
        return symbol.kind is SymbolKind.MODULE or _CASE.match(symbol.name) is not None
    return re.match(spec.case_head, symbol.signature) is not None
