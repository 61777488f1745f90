"""Types that JavaScript's comments give: `@type`, `@param`, `@returns`, `@typedef` (JSDoc, as TypeScript reads it)."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_TAG = re.compile(r"@(type|param|arg|argument|returns?|typedef|property|prop)\s*\{")
_NAME = re.compile(r"\s*\[?\s*([\w$]+)(?![\w$.\[])")
_RECORD = re.compile(r"\b[Oo]bject\.?<")
_UNKNOWN = frozenset({"*", "?", "Object", "object", "Function", "function", "any", "unknown"})
_STARS = re.compile(r"\n[ \t]*\*?[ \t]*")
_KINDS = {"return": "returns", "arg": "param", "argument": "param", "prop": "property"}
_UNTOLD = "any"
_COMMENT = re.compile(r"/\*\*(?:(?!\*/).)*?@typedef(?:(?!\*/).)*\*/", re.DOTALL)


class Documented(NamedTuple):
    """Types as TypeScript writes them; `any` for one that says nothing, empty for none."""

    type: str = ""
    returns: str = ""
    parameters: tuple[tuple[str, str], ...] = ()


NOTHING = Documented()


def documented(comment: str) -> Documented:
    """The types that a comment gives to what is below it."""
    if "@" not in comment:
        return NOTHING
    type_ = returns = ""
    parameters = []
    for kind, text, name in _tags(comment):
        if kind == "type":
            type_ = text
        elif kind == "returns":
            returns = text
        elif kind == "param" and name:
            parameters.append((name, text))
    return Documented(type_, returns, tuple(parameters))


def typedefs(source: str) -> Iterator[tuple[str, str, int]]:
    """The types that a file's comments define: name, type, offset."""
    for found in _COMMENT.finditer(source):
        name, whole, parts = "", "", []
        for kind, text, own in _tags(found[0]):
            if kind == "typedef":
                name, whole = own, text
            elif kind == "property" and own:
                parts.append(f"{own}: {text}")
        if name:
            yield name, "{ " + "; ".join(parts) + " }" if parts and whole == _UNTOLD else whole, found.start()


def _tags(comment: str) -> Iterator[tuple[str, str, str]]:
    """Each tag with a type: what it is, the type, the name behind it."""
    text = _STARS.sub(" ", comment)
    for tag in _TAG.finditer(text):
        end = _closing(text, tag.end())
        if end > 0:
            name = _NAME.match(text, end + 1)
            yield _KINDS.get(tag[1], tag[1]), _written(text[tag.end() : end]), name[1] if name is not None else ""


def _closing(text: str, start: int) -> int:
    """The brace that closes the one before `start`; -1 where none does."""
    depth = 1
    for position in range(start, len(text)):
        depth += (text[position] == "{") - (text[position] == "}")
        if depth == 0:
            return position
    return -1


def _written(text: str) -> str:
    """A JSDoc type as TypeScript writes it."""
    text = text.strip().lstrip("?!").rstrip("=?! ").strip()
    if text.startswith("..."):
        text = f"({text[3:].strip()})[]"
    if text in _UNKNOWN or not text:
        return _UNTOLD
    return _RECORD.sub("Record<", text).replace(".<", "<")
