"""Signatures of a language's standard library and of frameworks, as data: functions whose results depend on arguments.

    random.choice(seq: Sequence[T]) -> T         "random.choice": [FunctionType((seq: ~builtins.Sequence[~T]), ~T)]

`<family>/library.json` has those of the standard library, `frameworks.json` others; `packaging/signatures/` has the
scripts that cut them from the stubs of type checkers, and stubs of our own.
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
SELF: Final = "~_Self"
"""The type variable of a method's object: of the own class that extends the library's."""


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
    aliases: Mapping[str, str] = {}
    """Other names of functions and classes."""
    frameworks: frozenset[str] = frozenset()
    """The packages that are no part of the standard library."""

    @cached_property
    def names(self) -> frozenset[str]:
        """The last names of all functions and classes."""
        return frozenset(name.rpartition(".")[2] for name in (*self.functions, *self.classes))

    @cached_property
    def methods(self) -> frozenset[str]:
        """The names of all methods."""
        return frozenset(name for known in self.classes.values() for name in known.methods)


NO_LIBRARY: Final = Library({}, {})


@cache
def library_of(family: str) -> Library:
    """The library of a family of languages; empty for one without."""
    folder = Path(__file__).parent / family
    standard, frameworks = (_read(folder / name) for name in ("library.json", "frameworks.json"))
    functions = {**standard.functions, **frameworks.functions}
    classes = {**standard.classes, **frameworks.classes}
    functions |= {name: functions[known] for name, known in frameworks.aliases.items() if known in functions}
    classes |= {name: classes[known] for name, known in frameworks.aliases.items() if known in classes}
    packages = {name.partition(".")[0] for name in (*frameworks.functions, *frameworks.classes, *frameworks.aliases)}
    return Library(functions, classes, frameworks.aliases, frozenset(packages))


def _read(path: Path) -> Library:
    return msgspec.json.decode(path.read_bytes(), type=Library) if path.exists() else NO_LIBRARY
