"""Types as written → the one name that they are about."""

import re

_WRAPPED = (
    "Promise|PromiseLike|Awaited|Readonly|Required|Partial|NonNullable|Optional|Annotated|Final|ClassVar|Awaitable|"
    "Coroutine|NotRequired"
)
_WRAPPERS = re.compile(rf"^(?:[\w.]+\.)?(?:{_WRAPPED})[<\[]")
_MANY = "Array|ReadonlyArray|Set|list|List|Sequence|Iterable|Iterator|set|tuple"
_CONTAINERS = re.compile(rf"^(?:[\w.]+\.)?(?:{_MANY})[<\[](.*)[>\]]$")
_ASYNC = ("Promise", "PromiseLike", "Awaitable", "Coroutine")
_NOTHING = frozenset({"null", "undefined", "None", "void", "never", ""})
_NAME = re.compile(r"^[\w$]+(?:\.[\w$]+)*$")


def name_of(text: str, *, awaited: bool = False) -> str:
    """The dotted name that a type is about, empty where that isn't one name.

    Absence (`| null`, `Optional`) and arguments in brackets are dropped. A promise is its own type, unless `awaited`.
    `typeof x` is kept as it is.
    """
    text = text.strip().strip("'\"").strip()
    for _ in range(8):
        parts = [part for part in split(text, "|") if part not in _NOTHING]
        if len(parts) != 1:
            return ""
        text = parts[0].removeprefix("readonly ").strip("'\"")
        if text.startswith("(") and text.endswith(")") and "=>" not in text:
            text = text[1:-1]
            continue
        wrapper = _WRAPPERS.match(text)
        if wrapper is None or not text.endswith((">", "]")):
            break
        bare = wrapper[0][:-1].rpartition(".")[2]
        if bare in _ASYNC and not awaited:
            return ""
        arguments = split(text[len(wrapper[0]) : -1], ",")
        text = arguments[-1 if bare == "Coroutine" else 0] if arguments else ""
    if text.startswith("typeof "):
        return text if _NAME.match(text[7:]) else ""
    cut = min((position for position in (text.find("<"), text.find("[")) if position >= 0), default=-1)
    if cut >= 0:
        if not text.endswith((">", "]")) or text.endswith("[]"):
            return ""
        text = text[:cut]
    text = text.strip()
    return text if _NAME.match(text) and text not in ("any", "unknown", "object", "string", "number", "boolean") else ""


def element_of(text: str) -> str:
    """The type of an array's or list's elements, as written; empty where that isn't plain."""
    text = text.strip().removeprefix("readonly ")
    if text.endswith("[]"):
        return text[:-2]
    found = _CONTAINERS.match(text)
    return found[1] if found and len(split(found[1], ",")) == 1 else ""


def split(text: str, separator: str) -> list[str]:
    """The parts of a type between separators that stand outside every bracket, stripped."""
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        if character in "<[({":
            depth += 1
        elif character in "])}" or (character == ">" and text[position - 1 : position] != "="):
            depth -= 1
        elif character == separator and depth == 0:
            parts.append(text[start:position].strip())
            start = position + 1
    return [part for part in [*parts, text[start:].strip()] if part]
