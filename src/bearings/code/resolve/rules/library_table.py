"""Signatures of a language's standard library, as data: functions and classes whose results depend on arguments.

    random.choice(seq: Sequence[T]) -> T         "random.choice": [FunctionType((seq: ~builtins.Sequence[~T]), ~T)]

`<family>/library.json` has them; `packaging/signatures/` has the scripts that cut them from the stubs of type checkers.
A name begins with MARK, so that no name of a project is meant: a type variable has no dot after it, a type has its
module. The name of a parameter ends with DEFAULT if it has a default, and begins with it if only its name gives it.
"""

from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Final

import msgspec

from bearings.code.type_expressions import FunctionType, TypeExpression

MARK: Final = "~"
DEFAULT: Final = "="


class LibraryClass(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A class: its type variables, the classes that it extends, its methods and properties."""

    generics: tuple[str, ...]
    bases: tuple[str, ...]
    methods: Mapping[str, tuple[FunctionType, ...]]
    properties: Mapping[str, TypeExpression]


class Library(msgspec.Struct, frozen=True, dict=True):
    """The functions and classes, by the names of their modules and their own; built-in functions have no module."""

    functions: Mapping[str, tuple[FunctionType, ...]]
    classes: Mapping[str, LibraryClass]

    @cached_property
    def names(self) -> frozenset[str]:
        """The last names of all functions and classes."""
        return frozenset(name.rpartition(".")[2] for name in (*self.functions, *self.classes))


NO_LIBRARY: Final = Library({}, {})


@cache
def library_of(family: str) -> Library:
    """The library of a family of languages; empty for one without."""
    path = Path(__file__).parent / family / "library.json"
    return msgspec.json.decode(path.read_bytes(), type=Library) if path.exists() else NO_LIBRARY
