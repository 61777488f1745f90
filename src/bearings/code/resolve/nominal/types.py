"""Types of values in languages with declared types, and the rules of a language for them.

Cart                 Type("Cart", "shop/cart", 1): the body of the class is scope 1 of the file
List<Cart>           Type("List", arguments=(Type("Cart", …),)): from outside the project
T                    Type("T", "shop/cart", 1, is_variable=True): scope 1 declares it
Cart[]               the type of Cart with `dimensions=1`
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple


class Type(NamedTuple):
    """The type of a value: a class of the project, one from outside (no `file`), or a type parameter."""

    name: str
    file: str = ""
    scope: int = -1
    arguments: "tuple[Type | None, ...]" = ()
    dimensions: int = 0
    is_variable: bool = False
    others: "tuple[Type, ...]" = ()
    """The other classes of the project of which a value may be, in a language that says so."""

    @property
    def is_inside(self) -> bool:
        """Whether it is a class of the project, whose members are known."""
        return bool(self.file) and not self.dimensions and not self.is_variable

    @property
    def erased(self) -> tuple[str, str, int, int]:
        """The type without its arguments."""
        return self.name, self.file, self.scope, self.dimensions

    def element(self) -> "Type | None":
        """What an array of this type holds; None for another type."""
        return self._replace(dimensions=self.dimensions - 1) if self.dimensions else None


NULL = Type("null")
FUNCTION = Type("()")
"""A function without a name, or one that is named as a value."""

SHARED: Final = "global"
"""The name in whose cell the imports for all files are."""
_MOST_PARTS = 100
"""Types in a type that may stand for a type parameter."""

MOST_PARTS: Final = 8
"""Types of which a value may be that are looked at."""


def either(types: "Iterable[Type | None]") -> Type | None:
    """A type for a value of one of some types: the classes of the project among them, or else the first."""
    known = [each for each in types if each is not None]
    flat = dict.fromkeys(part for each in known for part in (each._replace(others=()), *each.others) if part.is_inside)
    first, *others = list(flat)[:MOST_PARTS] or known[:1] or (None,)
    return first._replace(others=tuple(others)) if first is not None and others else first


Arguments = Mapping[tuple[str, int, str], Type | None]
"""Type parameters, by file, scope and name, and what stands for them."""


def substituted(type_: Type | None, arguments: Arguments) -> Type | None:
    """A type with arguments in the place of type parameters."""
    if type_ is None or not arguments:
        return type_
    if type_.is_variable:
        key = type_.file, type_.scope, type_.name
        if key not in arguments:
            return type_
        found = arguments[key]
        if found is None or ((found.arguments or found.others) and _is_large(found)):
            return None
        return found._replace(dimensions=found.dimensions + type_.dimensions) if type_.dimensions else found
    if not type_.arguments:
        return type_
    return type_._replace(arguments=tuple(substituted(each, arguments) for each in type_.arguments))


def _is_large(type_: Type) -> bool:
    """Whether a type has very many parts: a class may use itself with ever larger arguments."""
    parts: list[Type | None] = [type_]
    for part in parts:
        if part is not None:
            parts += (*part.arguments, *part.others)
        if len(parts) > _MOST_PARTS:
            return True
    return False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class NominalRules:
    """The rules of a language.

    `top` is the class that all others extend. `wider` has for each primitive type those that take its values, the
    nearest first; `boxes` the class of its objects.
    """

    top: str
    wider: Mapping[str, tuple[str, ...]]
    boxes: Mapping[str, str]
    finals: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Classes from outside that have no classes below them, with all their bases, beside `top`; `[]` is an array."""
    bases: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The same for classes from outside that may have classes below them."""
    results: Mapping[str, str] = field(default_factory=dict)
    """Methods from outside, by name alone: to a type, or to what they return of the arguments of their object's type.

    `@first` and `@last` are the first and the last argument, `@firsts` and `@lasts` containers of these, or for an
    object without arguments an array of such objects, `@pairs` a container of pairs of all, `@self` the object's type,
    `@each` what a loop takes from the object, `@eaches` a container of that.
    By the first argument of the call: `@given` is its type, `@holding` a container of it, `@class` the type of which it
    is the class, `@returned` what the function that it is returns, `@mapped` a container of that, `@collected` what the
    method whose result it is gives of the arguments of the object's type.
    """
    returning: frozenset[str] = frozenset()
    """Classes from outside that are functions whose last argument is their result."""
    text: str = ""
    """The class of text, which anything can be added to."""
    class_of: str = ""
    """The class of classes, with the class as its argument."""
    least: str = ""
    """The primitive type of a sum of narrower ones."""

    values: Mapping[str, str] = field(default_factory=dict)
    """The same for members from outside that are no methods."""
    pair: str = ""
    """The class of what a loop takes from a container with two arguments; empty: the last of them."""
    promises: frozenset[str] = frozenset()
    """Classes from outside whose objects are awaited for their last argument."""
    wrappers: frozenset[str] = frozenset()
    """Classes from outside that take a function of the type that is their argument."""
    by_arity: bool = False
    """Classes of one name differ by the number of their type parameters."""
    in_outer_packages: bool = False
    """A package sees the classes of those around it: `shop.cart` those of `shop`."""
    invoking: str = ""
    """The method of a function that calls it, where the value of a variable is called like a method."""
    extensions: bool = False
    """Methods may be called through their first argument, where the package of their class is imported."""

    separator: str = "."
    """What stands between the parts of a package's name."""
    whole_names: bool = False
    """The facts have whole names of classes; a name alone is a variable, or a function of a package, and no member."""
    is_dynamic: bool = False
    """A class may have members that no source declares, and one method of a name, which mixins may give it."""
    before_names: bytes = b""
    """A pattern for what stands before the name of an element on the line of its declaration; empty: anything may."""
    passed: tuple[int, ...] = (0, 1, 2)
    """The arguments of a container's type that it passes to a function, by the place of the function's parameter."""

    def sum(self, left: Type, right: Type) -> Type | None:
        """The type of a sum of two values."""
        if self.text and Type(self.text) in (left, right):
            return Type(self.text)
        boxed = {box: name for name, box in self.boxes.items()}
        names = [boxed.get(each.name, each.name) for each in (left, right) if not each.file and not each.dimensions]
        if len(names) < 2 or not all(name in self.boxes for name in names):
            return None
        if names[0] == names[1] and names[0] not in self.wider:
            return Type(names[0])
        names.append(self.least)
        wide = (name for name in names if all(name == one or name in self.wider.get(one, ()) for one in names))
        return next(map(Type, wide), None)

    def bases_of(self, type_: Type) -> frozenset[str] | None:
        """All bases of a class from outside, if they are known."""
        return None if type_.file else self.finals.get(type_.name, self.bases.get(type_.name))

    def boxed(self, type_: Type) -> Type:
        """The class of the objects of a primitive type; any other type itself."""
        return Type(self.boxes[type_.name]) if self.is_primitive(type_) else type_

    def is_primitive(self, type_: Type) -> bool:
        """Whether the type is a primitive one."""
        return not type_.file and not type_.dimensions and type_.name in self.boxes


def nearest(own: str, paths: Iterable[str]) -> str:
    """Of some paths the one with most folders in common with `own`, then the shortest."""
    mine = own.split("/")

    def rank(path: str) -> tuple[int, int, str]:
        shared = 0
        for left, right in zip(mine, path.split("/"), strict=False):
            if left != right:
                break
            shared += 1
        return -shared, len(path), path

    return min(paths, key=rank)
