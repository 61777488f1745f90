"""Code patterns of Go that analyses detect. Go has no convention for event emitters: `emit` usually writes output."""

import re
from collections.abc import Mapping

from bearings.code.file_facts import Mark, MarkKind
from bearings.code.languages.line_conventions import Idioms

_PATTERNS: Mapping[MarkKind, tuple[str, str]] = {
    MarkKind.SWALLOW: ("errors dropped", "checks {} and does nothing"),
    MarkKind.CATCH: ("errors checked", "checks {}"),
    MarkKind.RAISE: ("panics", "panics"),
}


def handled(mark: Mark) -> tuple[str, str]:
    """Return the pattern's name and a description: errors checked or dropped, panics, recovered panics."""
    if mark.kind is MarkKind.CATCH and mark.text == "panic":
        return "panics recovered", "calls recover"
    name, description = _PATTERNS[mark.kind]
    return name, description.format(mark.text)


IDIOMS = Idioms(
    error=handled,
    hands_out=re.compile(rb"//(?:export|go:wasmexport|go:linkname)\s"),
    counts=re.compile(r"const \w+\s+[\w.]+\s*=.*\biota\b"),
    continues=re.compile(r"const \w+(?:\s*//.*)?$"),
)
