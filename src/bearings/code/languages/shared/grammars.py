"""Each language's grammar and its one compiled query."""

from functools import cache
from importlib import import_module
from importlib.resources import files

import tree_sitter

from bearings.code.languages import SPECS
from bearings.code.models import Language

_FOLDER = "bearings.code.languages"


def capsule(language: Language) -> object:
    """The grammar of a language as its package hands it out."""
    module, _, function = SPECS[language].grammar.partition(":")
    return getattr(import_module(module), function)()


@cache
def grammar(language: Language) -> tree_sitter.Language:
    """The grammar of a language, loaded once a process."""
    return tree_sitter.Language(capsule(language))


def query_text(language: Language) -> str:
    """The query of a language: all of its `.scm` files."""
    folder = files(_FOLDER)
    return "\n".join(folder.joinpath(name).read_text("utf-8") for name in SPECS[language].queries)


@cache
def query(language: Language) -> tree_sitter.Query:
    """The query of a language, compiled once a process."""
    return tree_sitter.Query(grammar(language), query_text(language))


@cache
def faults(language: Language) -> tree_sitter.Query:
    """What the grammar could not read, and what it made up: a query of its own, as it looks at every node."""
    return tree_sitter.Query(grammar(language), "(ERROR) @error (MISSING) @missing")
