"""The registry of languages.

Each language is a folder with a `LanguageSpec` and a tree-sitter query; a visitor adds the facts that a query can't
express.
"""

from importlib.util import find_spec

from bearings.code.languages.c.spec import SPEC as _C
from bearings.code.languages.cpp.spec import SPEC as _CPP
from bearings.code.languages.csharp.spec import SPEC as _CSHARP
from bearings.code.languages.ecmascript.spec import SPECS as _ECMASCRIPT
from bearings.code.languages.go.spec import SPECS as _GO
from bearings.code.languages.java.spec import SPEC as _JAVA
from bearings.code.languages.kotlin.spec import SPEC as _KOTLIN
from bearings.code.languages.php.spec import SPEC as _PHP
from bearings.code.languages.python.spec import SPECS as _PYTHON
from bearings.code.languages.ruby.spec import SPEC as _RUBY
from bearings.code.languages.rust.spec import SPEC as _RUST
from bearings.code.languages.spec import LanguageSpec
from bearings.code.languages.swift.spec import SPEC as _SWIFT
from bearings.code.models import Language

EXTRACTOR_VERSION = 106
"""Increased with every change to the extracted facts: stored facts of another version are stale."""

_DECLARED = (
    _RUST,
    _JAVA,
    _C,
    _CPP,
    _CSHARP,
    _KOTLIN,
    _RUBY,
    _PHP,
    _SWIFT,
)
SPECS: dict[Language, LanguageSpec] = {spec.language: spec for spec in (*_PYTHON, *_ECMASCRIPT, *_GO, *_DECLARED)}
"""Every known language, in the order in which replies list them."""

DEFAULT_LANGUAGE = Language.JAVASCRIPT
"""The language reported for a file without a known extension: an external engine may read more extensions than ours."""

WITHOUT_GRAMMAR = frozenset(spec.language for spec in _DECLARED if find_spec(spec.grammar.partition(":")[0]) is None)
"""Languages whose grammar is not installed: their files are not read."""
_EXTENSIONS_WITHOUT_GRAMMAR = tuple(
    extension for language in WITHOUT_GRAMMAR for extension in SPECS[language].extensions
)

EXTENSIONS = {
    extension: spec.language
    for spec in SPECS.values()
    if spec.language not in WITHOUT_GRAMMAR
    for extension in (*spec.extensions, *spec.embedded_extensions)
}
"""The language of every extension that is read; extensions are in lower case, with their dot."""


def language_of(path: str) -> Language | None:
    """Return the language of a file by its extension, or None for a file that isn't read."""
    stem, dot, end = path.rpartition("/")[2].rpartition(".")
    return EXTENSIONS.get(f"{dot}{end.lower()}") if stem else None


def spec_of(path: str) -> LanguageSpec | None:
    """Return the spec of a file's language, or None for a file that isn't read."""
    language = language_of(path)
    return None if language is None else SPECS[language]


def may_name(path: str, other: str) -> bool:
    """Whether a file may name what another one declares: no source, or one of a language that shares its names."""
    own, declaring = spec_of(path), spec_of(other)
    if own is None or declaring is None or declaring.is_bound:
        return True
    return (own.family or own.language) == (declaring.family or declaring.language)


def lacks_grammar(path: str) -> bool:
    """Whether a file would be read if the grammar of its language were installed."""
    return bool(_EXTENSIONS_WITHOUT_GRAMMAR) and path.lower().endswith(_EXTENSIONS_WITHOUT_GRAMMAR)
