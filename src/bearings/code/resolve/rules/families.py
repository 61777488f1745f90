"""The rules of each language. No other shared module of resolution names a language."""

from collections.abc import Mapping
from typing import Final

from bearings.code.models import Language
from bearings.code.resolve.rules.by_name.semantics import BY_NAME
from bearings.code.resolve.rules.csharp.semantics import CSHARP
from bearings.code.resolve.rules.ecmascript.semantics import JAVASCRIPT, TYPESCRIPT
from bearings.code.resolve.rules.go.semantics import GO
from bearings.code.resolve.rules.java.semantics import JAVA
from bearings.code.resolve.rules.php.semantics import PHP
from bearings.code.resolve.rules.python.semantics import PYTHON
from bearings.code.resolve.rules.semantics import Semantics

_SEMANTICS: Final[dict[Language, Semantics]] = {
    Language.TYPESCRIPT: TYPESCRIPT,
    Language.TSX: TYPESCRIPT,
    Language.JAVASCRIPT: JAVASCRIPT,
    Language.JSX: JAVASCRIPT,
    Language.PYTHON: PYTHON,
    Language.GO: GO,
    Language.JAVA: JAVA,
    Language.PHP: PHP,
    Language.CSHARP: CSHARP,
}

FAMILIES: Final = {semantics.family: semantics for semantics in (TYPESCRIPT, PYTHON, GO, BY_NAME)}
"""The families by name, from one of the languages of each."""

PACKAGED: Final = PYTHON.family
"""The family whose folders are modules."""


def extended_settings(manifests: Mapping[str, bytes]) -> frozenset[str]:
    """The paths of files that the manifests extend; they are manifests too, if they are there."""
    readers = [family.extended_settings for family in FAMILIES.values() if family.extended_settings is not None]
    return frozenset[str]().union(*(extended(manifests) for extended in readers))


def semantics_of(language: Language) -> Semantics:
    """The rules of a language. A language without rules of its own is matched by name."""
    return _SEMANTICS.get(language, BY_NAME)
