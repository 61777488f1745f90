"""Each language's grammar and its one compiled query."""

from functools import cache
from importlib.resources import files

import tree_sitter
import tree_sitter_go
import tree_sitter_javascript
import tree_sitter_python
import tree_sitter_typescript

from bearings.code.models import Language

_GRAMMARS = {
    Language.TYPESCRIPT: tree_sitter_typescript.language_typescript,
    Language.TSX: tree_sitter_typescript.language_tsx,
    Language.JAVASCRIPT: tree_sitter_javascript.language,
    Language.JSX: tree_sitter_javascript.language,
    Language.PYTHON: tree_sitter_python.language,
    Language.GO: tree_sitter_go.language,
}

_QUERIES = {
    Language.TYPESCRIPT: ("ecmascript", "typescript", "ecmascript_metrics", "typescript_metrics"),
    Language.TSX: ("ecmascript", "typescript", "jsx", "ecmascript_metrics", "typescript_metrics"),
    Language.JAVASCRIPT: ("ecmascript", "javascript", "jsx", "ecmascript_metrics", "javascript_metrics"),
    Language.JSX: ("ecmascript", "javascript", "jsx", "ecmascript_metrics", "javascript_metrics"),
    Language.PYTHON: ("python", "python_metrics"),
    Language.GO: ("go", "go_metrics"),
}


def capsule(language: Language) -> object:
    """The grammar of a language as its package hands it out."""
    return _GRAMMARS[language]()


@cache
def grammar(language: Language) -> tree_sitter.Language:
    """The grammar of a language, loaded once a process."""
    return tree_sitter.Language(capsule(language))


def query_text(language: Language) -> str:
    """The query of a language: all of its `.scm` files."""
    folder = files(__package__)
    return "\n".join((folder / f"{name}.scm").read_text("utf-8") for name in _QUERIES[language])


@cache
def query(language: Language) -> tree_sitter.Query:
    """The query of a language, compiled once a process."""
    return tree_sitter.Query(grammar(language), query_text(language))


@cache
def faults(language: Language) -> tree_sitter.Query:
    """What the grammar could not read, and what it made up: a query of its own, as it looks at every node."""
    return tree_sitter.Query(grammar(language), "(ERROR) @error (MISSING) @missing")
