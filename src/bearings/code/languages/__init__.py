"""Languages: one folder each, with a `LanguageSpec`, a query and what a query can't say."""

from bearings.code.languages.ecmascript.spec import SPECS as _ECMASCRIPT
from bearings.code.languages.go.spec import SPECS as _GO
from bearings.code.languages.python.spec import SPECS as _PYTHON
from bearings.code.languages.spec import LanguageSpec
from bearings.code.models import Language

EXTRACTOR_VERSION = 20
"""Raised with any change of what is extracted: stored facts of another version are stale."""

SPECS: dict[Language, LanguageSpec] = {spec.language: spec for spec in (*_PYTHON, *_ECMASCRIPT, *_GO)}
"""Every language that is read, in the order in which replies name them."""

UNNAMED = Language.JAVASCRIPT
"""What a file without a known extension counts as, where something has to be said: an external engine may read more."""

EXTENSIONS = {extension: spec.language for spec in SPECS.values() for extension in spec.extensions}
"""Every extension that is read, in lower case, with its dot."""


def language_of(path: str) -> Language | None:
    """The language of a file by its extension; None for one that isn't read."""
    stem, dot, end = path.rpartition("/")[2].rpartition(".")
    return EXTENSIONS.get(f"{dot}{end.lower()}") if stem else None


def spec_of(path: str) -> LanguageSpec | None:
    """The same language's spec."""
    language = language_of(path)
    return None if language is None else SPECS[language]
