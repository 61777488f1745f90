"""Parses types as written to their outermost form. Pure, and cached: the same few types occur again and again."""

import re
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

ABSENT = frozenset({"null", "undefined", "None", "void", "never", ""})
"""Types without objects: in a union, only the other parts count."""
WORDS = re.compile(r"[\w$]+")
QUALIFIED = re.compile(r"[\w$]+(?:\.[\w$]+)*$")
_IMPORTED = re.compile(r"""(typeof +)?import\( *['"]([^'"]+)['"] *\)(.*)""")
_BRANCHES = 2
_OPENING, _CLOSING = "<[({", "])}"
_UNREADABLE = re.compile(r"(?:keyof|infer|unique|asserts)\b|.*\s(?:is|extends)\s|`|'|\"|-?\d")


class FormKind(Enum):
    """The kind of a type, outermost. `parts` are types as written.

    NAME: `name` with `parts` as its arguments. UNION, INTERSECTION, TUPLE: of `parts`. ARRAY: of `parts[0]`. FUNCTION
    and CONSTRUCTOR: see Form. OBJECT: members called `names`, of `parts`. TYPEOF: of the expression `name`. INDEX:
    `parts[0]` at the key `name`, which is `*` for any element. IMPORT: `import("x").Y<parts>`, with `x .Y` as `name`;
    `names` is `typeof` for the value.
    """

    NAME = 0
    UNION = 1
    INTERSECTION = 2
    ARRAY = 3
    TUPLE = 4
    FUNCTION = 5
    CONSTRUCTOR = 6
    OBJECT = 7
    TYPEOF = 8
    INDEX = 9
    IMPORT = 10


class Form(NamedTuple):
    """A type's outermost form.

    A function's `names` are its parameters (`...` before a rest), `parts` their types and last its result; `generics`
    are its type parameters. An OBJECT's `name` is its text.
    """

    kind: FormKind
    name: str = ""
    parts: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    generics: tuple[str, ...] = ()


@lru_cache(maxsize=1 << 16)
def form_of(text: str) -> Form | None:
    """A TypeScript type's form; None for types without one here: literals, conditions, predicates, mapped types."""
    text = _bare(text)
    if not text:
        return None
    function = _function(text)
    if function is not None:
        return function
    condition, *branches = split(text, "?") if " extends " in text else [text]
    if branches and " extends " in condition:
        is_always = condition.endswith((" extends unknown", " extends any"))
        return form_of(split("?".join(branches), ":")[0]) if is_always else _chosen("?".join(branches))
    for separator, kind in (("|", FormKind.UNION), ("&", FormKind.INTERSECTION)):
        parts = split(text, separator)
        if len(parts) > 1:
            parts = [part for part in parts if part not in ABSENT]
            return form_of(parts[0]) if len(parts) == 1 else Form(kind, parts=tuple(parts)) if parts else None
        if parts and parts[0] != text:
            return form_of(parts[0])
    imported = _IMPORTED.fullmatch(text) if text[-1] != "]" else None
    if imported is not None:
        rest = _named("T" + imported[3])
        whole = bool(imported[1])
        name = f"{imported[2]} {rest.name[1:]}" if rest is not None else ""
        return Form(FormKind.IMPORT, name, () if whole or rest is None else rest.parts, ("typeof",) if whole else ())
    if text.startswith("typeof "):
        name = text[7:].partition("<")[0].strip()
        return Form(FormKind.TYPEOF, name) if QUALIFIED.match(name) else _indexed(text)
    if text[0] == "{" and _end(text, 0) == len(text):
        return _object(text)
    if text[0] == "[" and _end(text, 0) == len(text):
        return Form(FormKind.TUPLE, parts=tuple(_unlabelled(part) for part in split(text[1:-1], ",")))
    return _indexed(text) if text[-1] == "]" else _named(text)


def _bare(text: str) -> str:
    text = text.strip()
    while True:
        if text.startswith("readonly "):
            text = text[9:].strip()
        elif text.startswith("(") and text.endswith(")") and _end(text, 0) == len(text):
            text = text[1:-1].strip()
        else:
            return text


def _chosen(text: str) -> Form | None:
    """The type of a condition's branches, `A : B`, if they name the same type, or one of them none."""
    branches = split(text, ":")
    if len(branches) < _BRANCHES:
        return None
    one, two = branches[0], ":".join(branches[1:])
    if one in ABSENT or two in ABSENT:
        return form_of(two if one in ABSENT else one)
    first, second = form_of(one), form_of(two)
    if first is None or second is None or not first.kind is second.kind is FormKind.NAME or first.name != second.name:
        return None
    return first if first.parts == second.parts else Form(FormKind.NAME, first.name)


def _named(text: str) -> Form | None:
    cut = text.find("<")
    name = (text if cut < 0 else text[:cut]).strip()
    if not QUALIFIED.match(name):
        return None
    if cut >= 0 and (text[-1] != ">" or _end(text, cut) != len(text)):
        return None
    return Form(FormKind.NAME, name, tuple(split(text[cut + 1 : -1], ",")) if cut >= 0 else ())


def _indexed(text: str) -> Form | None:
    """`T[]` and `T["key"]`."""
    start = _start(text)
    if start <= 0:
        return None
    base, key = text[:start].strip(), text[start + 1 : -1].strip()
    if not key:
        return Form(FormKind.ARRAY, parts=(base,))
    if key[0] in "'\"" and key[-1] == key[0]:
        return Form(FormKind.INDEX, key[1:-1], (base,))
    if key.isdecimal():
        return Form(FormKind.INDEX, f"[{key}]", (base,))
    return Form(FormKind.INDEX, "*", (base,))


def _function(text: str) -> Form | None:
    kind = FormKind.FUNCTION
    for word in ("abstract ", "new "):
        if text.startswith(word):
            text, kind = text[len(word) :].strip(), FormKind.CONSTRUCTOR
    if kind is FormKind.FUNCTION and text[0] not in "(<":
        return None
    found = signature_of(text, arrow=True)
    return found._replace(kind=kind) if found is not None else None


@lru_cache(maxsize=1 << 16)
def signature_of(text: str, *, arrow: bool = False) -> Form | None:
    """The function in a head: `<T>(a: A, b?: B): R` after any other words; `=>` instead of `:` if `arrow`."""
    start = 0 if arrow else _opening(text)
    if start < 0:
        return None
    generics: tuple[str, ...] = ()
    if text[start : start + 1] == "<":
        end = _end(text, start)
        if end < 0:
            return None
        generics = tuple(part.split()[0] for part in split(text[start + 1 : end - 1], ",") if part)
        start = end + len(text[end:]) - len(text[end:].lstrip())
    if text[start : start + 1] != "(":
        return None
    end = _end(text, start)
    if end < 0:
        return None
    rest = text[end:].strip()
    if arrow and not rest.startswith("=>"):
        return None
    gives = rest[2:].strip() if rest.startswith("=>") else rest[1:].strip() if rest.startswith(":") else ""
    names, types = [], []
    for parameter in split(text[start + 1 : end - 1], ","):
        name, _, type_ = _colon(parameter)
        if name not in ("this", "self", "cls", "/", "*"):
            names.append(name)
            types.append(type_)
    return Form(FormKind.FUNCTION, parts=(*types, gives), names=tuple(names), generics=generics)


def _opening(text: str) -> int:
    """The start of a head's parameters: its first `(`, or the `<` before it."""
    position = text.find("(")
    generic = text.find("<", 0, position)
    return generic if generic >= 0 else position


def _object(text: str) -> Form | None:
    names, types = [], []
    for member in _members(text[1:-1]):
        name, found, type_ = _colon(member)
        name = name.removeprefix("readonly ").strip().strip("'\"")
        head = re.match(r"[\w$]+(?=\??\s*[<(])", member)
        if head is not None:
            signature = signature_of(member[head.end() :].lstrip("? "))
            if signature is not None:
                names.append(head[0])
                types.append(_arrow(member[head.end() :].lstrip("? ")))
        elif found and re.match(r"[\w$]+$", name):
            names.append(name)
            types.append(type_)
        elif name[:1] == "[" and " in " not in name:
            names.append("[]")
            types.append(type_)
    return Form(FormKind.OBJECT, text, tuple(types), tuple(names)) if names else None


def _arrow(head: str) -> str:
    """A method's head as a function's type."""
    end = _end(head, head.find("("))
    rest = head[end:].strip()
    return f"{head[:end]} => {rest[1:].strip() or 'void'}"


def _members(text: str) -> list[str]:
    separator = ";" if len(split(text, ";")) > 1 or ";" in text else ","
    return split(text, separator)


def _unlabelled(part: str) -> str:
    """A tuple's element without its label; a rest element keeps its dots."""
    name, found, type_ = _colon(part)
    dots = "..." if part.startswith("...") else ""
    return dots + type_ if found and QUALIFIED.match(name) else part.rstrip("?")


def _colon(text: str) -> tuple[str, str, str]:
    """Name and type on both sides of the first colon outside brackets, without `?`, modifiers and defaults."""
    depth = 0
    for position, character in enumerate(text):
        if character in _OPENING:
            depth += 1
        elif character in _CLOSING or (character == ">" and text[position - 1 : position] != "="):
            depth -= 1
        elif character == ":" and depth == 0:
            name = text[:position].strip().rstrip("?").strip()
            return name.rpartition(" ")[2] if name[:1] not in "{[" else name, ":", _undefaulted(text[position + 1 :])
    name = _undefaulted(text)
    return name.rpartition(" ")[2] if name[:1] not in "{[" else name, "", ""


def _undefaulted(text: str) -> str:
    """A type without the default value after it."""
    depth = 0
    for position, character in enumerate(text):
        if character in _OPENING:
            depth += 1
        elif character in _CLOSING or (character == ">" and text[position - 1 : position] != "="):
            depth -= 1
        elif character == "=" and depth == 0 and text[position + 1 : position + 2] != ">":
            return text[:position].strip()
    return text.strip()


def _end(text: str, start: int) -> int:
    """The end of the bracket at `start`; -1 if it is not closed."""
    depth = 0
    for position in range(start, len(text)):
        character = text[position]
        if character in _OPENING:
            depth += 1
        elif character in _CLOSING or (character == ">" and text[position - 1] != "="):
            depth -= 1
            if depth == 0:
                return position + 1
    return -1


def _start(text: str) -> int:
    """The start of the bracket that ends a text."""
    depth = 0
    for position in range(len(text) - 1, -1, -1):
        character = text[position]
        if character in _CLOSING or (character == ">" and text[position - 1] != "="):
            depth += 1
        elif character in _OPENING:
            depth -= 1
            if depth == 0:
                return position
    return -1


def split(text: str, separator: str) -> list[str]:
    """The parts of a type between separators outside brackets, stripped, without empty ones."""
    if separator not in text:
        text = text.strip()
        return [text] if text else []
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        if character in _OPENING:
            depth += 1
        elif character in _CLOSING or (character == ">" and text[position - 1 : position] != "="):
            depth -= 1
        elif character == separator and depth == 0:
            parts.append(text[start:position].strip())
            start = position + 1
    return [part for part in [*parts, text[start:].strip()] if part]
