r"""The identifiers that a pattern looks for: `save`, `save\(`, `\bsave\b`, `def save`, `class Save`, `\.save\(`.

identifiers_in(r"def save\(|\.save\(")  →  [Identifier("save", types=False)]
identifiers_in("save|load")             →  [Identifier("save"), Identifier("load")]
identifiers_in("sav.*")                 →  []
"""

import re
from dataclasses import dataclass

MAX_LENGTH = 200
_ALTERNATIVES = 6

_TYPES = frozenset({"class", "interface", "type", "enum", "struct"})
_WORDS = (
    "abstract|async|await|class|const|def|default|enum|export|from|func|function|import|interface|let|new|private"
    "|protected|public|return|static|struct|type|var"
)
# A pattern is a shape: bounds and blanks (`^`, `\b`, `\s*`), keywords (`async def`), owners (`self.`), the name, and
# what may follow it in code (`\(`, `[(:]`, ` =`), up to some characters. Anything else means no single name: `sav.*`.
_BLANKS = r"(?:\s|\\s[*+]?|\[\[:space:\]\][*+]?|\[ \][*+]?)*"
_BOUND = r"(?:\^|\$|\\b|\\<|\\>)*"
_NAME = r"[A-Za-z_$](?:[\w$]*\w)?"
_CHAIN = rf"(?:{_NAME}(?:\.|\\\.|\[\.\]|::|->|\?\.|\\\?\\?\.))*"
_TAIL = r"(?:(?:\\s[*+]?|\s)*(?:\\?\(|\[[^\]\w]{1,6}\]|\\?\{|:|=|<|\\\.|,|;|\\?\)).{0,12})?"
_SHAPE = re.compile(
    rf"{_BOUND}{_BLANKS}(?P<words>(?:(?:{_WORDS})(?:\s|\\s[*+]?|\[\[:space:\]\][*+]?)+)*)"
    rf"(?:\.|\\\.|\[\.\]|::)?(?P<owner>{_CHAIN}){_BOUND}(?P<name>{_NAME}){_BOUND}{_TAIL}{_BLANKS}{_BOUND}"
)
_SEPARATOR = re.compile(r"\\s[*+]?|\[\[:space:\]\][*+]?|\s")
_STEP = re.compile(r"\\\.|\[\.\]|::|->|\\?\??\.|\\")


@dataclass(frozen=True, slots=True)
class Identifier:
    """A name; its owner as written (`self`, `Model`); whether a type is meant, None: unknown."""

    name: str
    owner: str = ""
    types: bool | None = None


def identifiers_in(pattern: str, *, literal: bool = False) -> list[Identifier]:
    """The identifiers of three characters or more among a pattern's alternatives; none of a pattern with many.

    `literal`: the pattern is no regular expression, so `|` is no alternative.
    """
    if len(pattern) > MAX_LENGTH:
        return []
    parts = [pattern] if literal else re.split(r"\\\||\|", _ungrouped(pattern))
    by_name: dict[str, list[Identifier]] = {}
    for part in parts if len(parts) <= _ALTERNATIVES else ():
        identifier = _identifier_of(part)
        if identifier is not None:
            by_name.setdefault(identifier.name, []).append(identifier)
    return [_joined(name, same) for name, same in by_name.items()]


def _joined(name: str, same: list[Identifier]) -> Identifier:
    """Alternatives of one name as one identifier: an owner or a kind that they don't share is none."""
    owners, types = ({one.owner for one in same}, {one.types for one in same})
    return Identifier(name, owners.pop() if len(owners) == 1 else "", types.pop() if len(types) == 1 else None)


def _ungrouped(pattern: str) -> str:
    """The content of a single group around everything."""
    inner = re.fullmatch(r"\\?\((?:\?:)?((?:\\[()]|[^()\\]|\\[^()])*)\\?\)", pattern)
    return inner[1] if inner else pattern


def _identifier_of(part: str) -> Identifier | None:
    shape = _SHAPE.fullmatch(part)
    if shape is None or len(shape["name"]) < 3 or shape["name"].startswith("__"):
        return None
    words = set(_SEPARATOR.sub(" ", shape["words"]).split())
    owner = [step for step in _STEP.split(shape["owner"]) if step]
    types = True if words & _TYPES else False if words & {"def", "func", "function"} else None
    return Identifier(shape["name"], owner[-1] if owner else "", types)
