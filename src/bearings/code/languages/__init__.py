"""Languages: a grammar by extension, one `.scm` query each, and what a query can't say."""

from bearings.code.models import Language

EXTRACTOR_VERSION = 20
"""Raised with any change of what is extracted: stored facts of another version are stale."""

EXTENSIONS = {
    ".ts": Language.TYPESCRIPT,
    ".mts": Language.TYPESCRIPT,
    ".cts": Language.TYPESCRIPT,
    ".tsx": Language.TSX,
    ".js": Language.JAVASCRIPT,
    ".mjs": Language.JAVASCRIPT,
    ".cjs": Language.JAVASCRIPT,
    ".jsx": Language.JSX,
    ".py": Language.PYTHON,
    ".pyi": Language.PYTHON,
    ".go": Language.GO,
}
"""Every extension that is read, in lower case, with its dot."""


DOLLARS = frozenset({Language.TYPESCRIPT, Language.TSX, Language.JAVASCRIPT, Language.JSX})
"""Languages in which a dollar may be part of a name."""


def language_of(path: str) -> Language | None:
    """The language of a file by its extension; None for one that isn't read."""
    stem, dot, end = path.rpartition("/")[2].rpartition(".")
    return EXTENSIONS.get(f"{dot}{end.lower()}") if stem else None
