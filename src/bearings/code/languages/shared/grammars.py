"""Loads the grammar of each language and compiles its query."""

from functools import cache
from importlib import import_module
from importlib.resources import files

import tree_sitter

from bearings.code.languages import SPECS
from bearings.code.models import Language

_FOLDER = "bearings.code.languages"


def capsule(language: Language) -> object:
    """Return the PyCapsule with a language's grammar, as its package provides it."""
    module, _, function = SPECS[language].grammar.partition(":")
    return getattr(import_module(module), function)()


@cache
def grammar(language: Language) -> tree_sitter.Language:
    """Return the grammar of a language; it is loaded once per process."""
    return tree_sitter.Language(capsule(language))


def query_text(language: Language) -> str:
    """Return the text of a language's query: all of its `.scm` files."""
    folder = files(_FOLDER)
    return "\n".join(folder.joinpath(name).read_text("utf-8") for name in SPECS[language].queries)


@cache
def query(language: Language) -> tree_sitter.Query:
    """Return the query of a language; it is compiled once per process."""
    return tree_sitter.Query(grammar(language), query_text(language))


@cache
def faults(language: Language) -> tree_sitter.Query:
    """Return the query for syntax errors and missing nodes. It is separate because it has to visit every node."""
    return tree_sitter.Query(grammar(language), "(ERROR) @error (MISSING) @missing")
