"""Types that documentation comments give: `@param array<int, Cart>|null $carts`, `@return Carts<T>`, `@template T`.

A comment says more than the code where that has no type, or one without arguments.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from bearings.code.type_expressions import (
    ArrayType,
    IntersectionType,
    OwnType,
    TypeExpression,
    TypeReference,
    UnionType,
)

SCALARS: Final = frozenset("int integer float double string bool boolean true false null void never resource".split())
"""Types whose values have no methods."""
UNTYPED: Final = frozenset("mixed object callable closure numeric scalar parent key-of value-of".split())
"""Types that tell nothing of a value's methods."""
CLASS_STRING: Final = "class-string"
"""The type of a class that is named as a value."""
_LISTS: Final = frozenset("array list iterable non-empty-array non-empty-list".split())
_LOOSE: Final = frozenset({"array", "Traversable", "Generator", "Iterator"})
_DEEPEST: Final = 12
_LONGEST: Final = 600
"""Characters of a type that are read."""
_TAG: Final = re.compile(
    r"@(?:phpstan-|psalm-)?(var|param|return|property|method|template|extends|implements|mixin)"
    r"(?:-read|-write|-covariant|-contravariant|-extends|-implements)?[ \t]+([^\n]{1,600})"
)
_TOKEN: Final = re.compile(r"\s*([\w\\$-]+|\[\]|\.\.\.|[<>(){}\[\],|&?:=*]|'[^']*'|\"[^\"]*\")")
_VARIABLE: Final = re.compile(r"\s*(?:&|\.\.\.)?\s*\$(\w+)")
_METHOD: Final = re.compile(r"\s*(\w+)\s*\(")
_LIMIT: Final = re.compile(r"(\w+)(?:\s+(?:of|as)\s+(.+))?")
_Naming = Callable[[str], str]
"""Gives the whole name of a class."""


@dataclass(slots=True)
class Doc:
    """What a comment says: of a value, a function's result and parameters, members of a class, type parameters.

    `bases` are the bases with type arguments, by name.
    """

    own: TypeExpression | None = None
    result: TypeExpression | None = None
    parameters: dict[str, TypeExpression] = field(default_factory=dict)
    properties: dict[str, TypeExpression] = field(default_factory=dict)
    methods: dict[str, TypeExpression] = field(default_factory=dict)
    templates: list[tuple[str, TypeExpression | None]] = field(default_factory=list)
    bases: dict[str, TypeReference] = field(default_factory=dict)
    mixins: list[TypeExpression] = field(default_factory=list)


NO_DOC: Final = Doc()


def type_parameters(text: str) -> list[str]:
    """The type parameters that a comment declares."""
    return [limit[1] for tag, rest in _TAG.findall(text) if tag == "template" and (limit := _LIMIT.match(rest))]


def read(text: str, whole: _Naming) -> Doc:
    """What a comment says."""
    doc = Doc()
    for tag, rest in _TAG.findall(text):
        if tag == "template":
            limit = _LIMIT.match(rest)
            if limit is not None:
                doc.templates.append((limit[1], _type_in(limit[2], whole)[0] if limit[2] else None))
            continue
        rest = rest.removeprefix("static ") if tag == "method" else rest
        type_, after = _type_in(rest, whole)
        name = (_METHOD if tag == "method" else _VARIABLE).match(rest, after)
        if type_ is None:
            continue
        if tag == "var":
            doc.own = doc.own or type_
        elif tag == "return":
            doc.result = doc.result or type_
        elif tag == "mixin":
            doc.mixins.append(type_)
        elif tag in ("extends", "implements"):
            if isinstance(type_, TypeReference):
                doc.bases[type_.name] = type_
        elif name is not None:
            types = {"param": doc.parameters, "property": doc.properties, "method": doc.methods}[tag]
            types.setdefault(name[1], type_)
    return doc


def variables(text: str, whole: _Naming) -> Iterator[tuple[str, TypeExpression]]:
    """The variables to which a comment gives types, and those types; no name for what the comment stands at."""
    for tag, rest in _TAG.findall(text):
        type_, after = _type_in(rest, whole) if tag == "var" else (None, 0)
        if type_ is not None:
            name = _VARIABLE.match(rest, after)
            yield name[1] if name is not None else "", type_


def _type_in(text: str, whole: _Naming) -> tuple[TypeExpression | None, int]:
    """The type at the start of a text, and where it ends."""
    reader = _TypeText(text[:_LONGEST], whole)
    return reader.union(0), reader.at


def joined(types: Sequence[TypeExpression | None], *, is_all: bool = False) -> TypeExpression | None:
    """The type of a value of one of several types, or of all: those without methods are left out beside others."""
    flat = (part for each in types for part in (each.parts if isinstance(each, UnionType) and not is_all else (each,)))
    known = list(dict.fromkeys(each for each in flat if each is not None))
    classes = [each for each in known if each not in SCALARS]
    held = [each for each in classes if isinstance(each, ArrayType)]
    named = [each for each in classes if isinstance(each, str)]
    if len(held) == len(named) == 1 and len(classes) == 2:  # Collection|Cart[]
        return held[0] if named[0] == "array" else TypeReference(named[0], (held[0].element,))
    if len(classes) < 2:
        return next(iter(classes or known), None)
    return IntersectionType(tuple(classes)) if is_all else UnionType(tuple(classes))


def merged(written: TypeExpression | None, said: TypeExpression | None) -> TypeExpression | None:
    """The type that the code writes, or what a comment says if that is more: a type argument, what an array holds."""
    if said is None or said == "array" or (written is not None and said in SCALARS):
        return written
    is_more = isinstance(said, TypeReference | ArrayType | OwnType)
    return said if written is None or is_more or written in _LOOSE else written


class _TypeText:
    """Reads a type of a comment: `array<int, Cart>|null`, `Carts<T>`, `?Cart`, `Cart[]`."""

    def __init__(self, text: str, whole: _Naming) -> None:
        self.at = 0
        self._text = text
        self._whole = whole

    def _next(self, *wanted: str) -> str:
        """The next word, if it is one of those wanted; the place is behind it then."""
        found = _TOKEN.match(self._text, self.at)
        if found is None or (wanted and found[1] not in wanted):
            return ""
        self.at = found.end()
        return found[1]

    def union(self, depth: int) -> TypeExpression | None:
        """The type at the place."""
        if depth > _DEEPEST:
            return None
        types = [self._one(depth)]
        while sign := self._sign():
            is_all = sign == "&"
            types.append(self._one(depth))
            if is_all and len(types) == 2:
                return joined(types, is_all=True)
        return joined(types)

    def _sign(self) -> str:
        before = self.at
        sign = self._next("|", "&")
        if sign == "&" and self._text[self.at : self.at + 1] in ("$", "."):  # a parameter by reference
            self.at = before
            return ""
        return sign

    def _one(self, depth: int) -> TypeExpression | None:
        self._next("?")
        if self._next("("):
            type_ = self.union(depth + 1)
            self._next(")")
        else:
            type_ = self._plain(depth)
        while self._next("[]"):
            type_ = ArrayType(type_ or "?")
        return type_

    def _plain(self, depth: int) -> TypeExpression | None:
        found = _TOKEN.match(self._text, self.at)
        word = found[1] if found is not None else ""
        if not word or (word[0] == "$" and word != "$this") or word[0] in "<>(){}[],|&:=*.":
            return None
        self.at = found.end() if found is not None else self.at
        arguments = list[TypeExpression]()
        if self._next("<"):
            while self.at < len(self._text):
                arguments.append(self.union(depth + 1) or "?")
                if not self._next(","):
                    break
            self._next(">")
        elif self._text[self.at : self.at + 1] in ("{", "("):
            self._skip()
        return self._meant(word, arguments)

    def _skip(self) -> None:
        """Goes behind the parts of a shape, or the parameters of a function and its result."""
        depth = 0
        while word := self._next():
            depth += (word in "{(<") - (word in "})>")
            if depth <= 0:
                break
        if self._next(":"):
            self.union(_DEEPEST)

    def _meant(self, word: str, arguments: list[TypeExpression]) -> TypeExpression | None:
        lower = word.lower()
        if lower in ("$this", "self", "static"):
            return OwnType()
        if lower in _LISTS:
            return ArrayType(arguments[-1]) if arguments else "array"
        if lower == CLASS_STRING:
            return TypeReference(CLASS_STRING, tuple(arguments)) if arguments else "string"
        if lower in SCALARS:
            return lower
        if lower in UNTYPED or not (word[0].isalpha() or word[0] in "\\_") or "-" in word:
            return None
        name = self._whole(word)
        if lower.endswith("generator"):
            arguments = arguments[:2]
        return TypeReference(name, tuple(arguments)) if arguments else name
