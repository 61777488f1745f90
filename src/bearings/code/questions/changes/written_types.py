"""Whether a type as written takes all values of another, by its text.

takes("str | None", "Optional[str]")    # True: the same
takes("string | number", "string")      # True: a union takes each of its parts
"""

import re
from collections.abc import Collection

_ANY = frozenset({"any", "unknown", "interface{}", "Any"})
_QUALIFIERS = re.compile(r"\b(?:typing|t|typing_extensions|collections\.abc|builtins)\.")
_GENERICS = {"List": "list", "Dict": "dict", "Tuple": "tuple", "Set": "set", "FrozenSet": "frozenset", "Type": "type"}
_WORD = re.compile(r"[A-Za-z_]\w*")
_UNION = re.compile(r"(Optional|Union)\[(.*)\]", re.DOTALL)
_OPEN, _CLOSE = "([{<", ")]}>"


def takes(wide: str, narrow: str, gone: Collection[str] = ()) -> bool:
    """Whether every alternative of `narrow` is one of `wide`. Types that are `gone` are given by nobody any more."""
    taken, given = _alternatives(wide), _alternatives(narrow)
    left = frozenset(one for one in given if one not in gone)
    given = left or given
    return not _ANY.isdisjoint(taken) or given <= taken


def _alternatives(written: str) -> frozenset[str]:
    """The parts of a union in one spelling: without quotes, spaces, and the names of typing's modules."""
    text = _QUALIFIERS.sub("", re.sub(r"[\s\"']", "", written))
    text = _WORD.sub(lambda word: _GENERICS.get(word[0], word[0]), text)
    whole = _UNION.fullmatch(text)
    if whole and _is_one_bracket(whole[2]):
        parts = split(whole[2], ",") + (["None"] if whole[1] == "Optional" else [])
    else:
        parts = split(text, "|")
    if len(parts) == 1:
        return frozenset(parts)
    return frozenset().union(*map(_alternatives, filter(None, parts)))


def _is_one_bracket(inside: str) -> bool:
    """Whether the brackets around a text belong together."""
    depth = 0
    for char in inside:
        depth += (char == "[") - (char == "]")
        if depth < 0:
            return False
    return True


def split(text: str, sign: str) -> list[str]:
    """The parts between signs outside brackets."""
    parts, depth, start = [], 0, 0
    for place, char in enumerate(text):
        if char in _OPEN:
            depth += 1
        elif char in _CLOSE and not is_arrow(text, place):
            depth -= 1
        elif char == sign and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    return [*parts, text[start:]]


def is_arrow(text: str, place: int) -> bool:
    """Whether a `>` ends an arrow instead of a bracket."""
    return text[place] == ">" and text[max(0, place - 1) : place] in ("=", "-")
