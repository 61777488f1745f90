"""Names of uses and of elements, the cells of names, and the kinds of elements as letters."""

from collections.abc import Iterator, Sequence
from sys import intern

from bearings.code.expressions import Result, Typed, last_name, receiver
from bearings.code.file_facts import CallSite, Shape
from bearings.code.languages import SPECS, language_of
from bearings.code.models import SymbolKind
from bearings.code.resolve.referents import CLASSES, HOLDERS
from bearings.code.type_expressions import TypeReference

NAME = "/.name/"
"""The end of a cell of a name."""
KINDS = {chr(ord("A") + number): kind for number, kind in enumerate(SymbolKind)}
"""Kinds by their letters, which entries of the table of names have."""
LETTERS = {kind: letter for letter, kind in KINDS.items()}
LOCAL = "-"
"""Behind the letter, the sign of an element that no other file sees."""
EXTENDS = "="
"""Behind the letter, the sign of a method that is called through its first argument."""
IMPORTS = ">"
"""Behind the letter, the sign of what a file imports for all files."""
NO_CODE = "".join(LETTERS[kind] for kind in (*HOLDERS, *CLASSES))


def name_in(cell: str) -> str:
    """The name of a cell."""
    return cell.removesuffix(NAME).partition("/")[2]


def name_cell(path: str, name: str) -> str:
    """The cell of a name in a file's language."""
    language = language_of(path)
    family = (SPECS[language].family or language) if language is not None else ""
    return intern(f"{family}/{name}{NAME}")


def short_name(path: str, name: str) -> str:
    """The name of a type as a use may write it in a file's language: `Priced` for PricedAttribute."""
    language = language_of(path)
    return name.removesuffix(SPECS[language].type_ending) if language is not None else name


def called_name(sites: Sequence[CallSite], site: CallSite) -> str:
    """The name of a use behind its receiver, `.get` behind one without a name; empty if the use has no name."""
    callee = site.callee
    if type(callee) is str:
        return callee
    name, left = last_name(callee), receiver(callee)
    if type(left) is Typed and type(left.type) is str:  # `Cart::of`
        left = left.type.rpartition(".")[2]
    if type(left) is Result and not sites[left.site].arguments:  # `shop().add` may mean a function of `shop`
        left = sites[left.site].callee
    return f"{left if type(left) is str else last_name(left)}.{name}" if name else ""


def base_names(shape: Shape) -> Iterator[str]:
    """The names of a type's bases."""
    for base in (*(base.value for base in shape.bases), *shape.implements):
        name = base.name if type(base) is TypeReference else base
        if type(name) is str and name:
            yield name.rpartition(".")[2]
