"""Names as people write them: Natural Earth's are in capitals, abbreviated, or have lost letters."""

import re
from collections.abc import Iterable

from builder.feature import Name
from making import tables

_SMALL = frozenset("of the and de del de la las los le les du des da do dos das d’ di el al ar as y".split())

_LONG = (
    (r"\bMts ?\.", "Mountains"), (r"\bMtn\.", "Mountain"), (r"^Mt\. ?", "Mount "), (r" Mt\.", " Mountain"),
    (r"/Mt\. ", "/Mount "), (r"\bPk\.", "Peak"), (r"\bRa\.", "Range"), (r"^Plat\.", "Plateau"),
    (r" Plat\.", " Plateau"), (r" Pen\.", " Peninsula"), (r"^Pen\.", "Península"), (r"^Pén\.", "Péninsule"),
    (r" Arch\.", " Archipelago"), (r" Str\.", " Strait"), (r" Sd\.", " Sound"), (r"^Cord\.", "Cordillera"),
    (r"^N\. ", "North "), (r" Res\.", " Reservoir"), (r"^S\. (?=D|d)", "Serra "), (r"^S\. ", "South "),
    (r"^Is\. ", "Islas "), (r" Is\.", " Islands"), (r"^I\. ", "Isla "), (r"^[îÎ]\. ", "Île "), (r" I\.", " Island"),
    (r"^Pt\. ", "Point "), (r"^W\. ", "West "), (r"^R\. ", "Rivière "), (r"\bFk\b\.?", "Fork"),
    (r"\bIsands\b", "Islands"), (r",$", ""), (r"^Br\. ", "British "), (r" Ocean Ter\.", " Ocean Territory"),
    (r"^E\. ", "East "),
)  # fmt: skip
"""(pattern, replacement): abbreviations and a common slip."""

_MENDED, _ENGLISH = tables.pairs("mended"), tables.pairs("english")
"""By Natural Earth's name, its case and abbreviations made right: what it is, and the name that English uses."""

_MORE = {name: tuple(others.split("|")) for name, others in tables.rows("more_names")}
"""Further English names of what is known by several."""

_GROUPS = frozenset({"Great Lakes", "Finger Lakes"})
"""Names of groups that Natural Earth gives as other names of a lake."""

_BODY_OF_WATER = re.compile(
    r"\b(?:lakes?|lac|lago|lagoa?|laguna|lagoon|laghi|ozero|danau|buhayrat|loch|lough|llyn|lac-à|reservoirs?|réservoir|"
    r"represa|embalse|presa|dam|shuiku|hu|nuur|nor|nur|co|yumco|tso|ko|köli|kol|göl[uü]?|sea|bay|bayou|pond|flowage|pool|river|"
    r"channel|ponds|haff|zalew|zaliv|étang|etang|see|meer|mar|tonle|sarygamysh|saktagychy|delta|lagoons|vaart)\b|"
    r"(?:järvi|jrvi|vesi|selkä|sjön|sjö|sjøen|sjoen|sjöarna|vatnet?|vatn|jaure|javri|träsk|luokta|ozero|meer|see|fjorden)\b",
    re.IGNORECASE,
)
_FOREIGN_LAKE = re.compile(
    r"^(?:Lago|Lac|Lagoa|Laguna|Ozero|Danau|Buhayrat|Hồ)(?: (?:de|di|del|da|do|des|du|la|al))* (.+)$"
    r"|^(.+) (?:Hu|Nuur|Nur|Nor|Köli|Ko|Co|Gölü|Yumco)$"
)


def spelt(name: str) -> str:
    """The name in ordinary case, unabbreviated, its lost letters restored, in English where English has one."""
    written = plain(name)
    return _ENGLISH.get(written, written)


def plain(name: str) -> str:
    """The same, in the language that the file has it in."""
    text = " ".join(name.split())
    if text in _MENDED:
        return _MENDED[text]
    text = titled(text) if text.isupper() and len(text) > 3 else text
    for pattern, replacement in _LONG:
        text = re.sub(pattern, replacement, text)
    return _MENDED.get(text, text)


def titled(name: str) -> str:
    """A name in capitals as people write it: "ÎLES DE LA SOCIÉTÉ" is "Îles de la Société"."""
    words = name.lower().split(" ")
    written = [word if index and word in _SMALL else _capital(word) for index, word in enumerate(words)]
    return " ".join(written)


def _capital(word: str) -> str:
    parts = re.split(r"([-/(])", word)
    capitals = "".join(part[:1].upper() + part[1:] for part in parts)
    return re.sub(r"^([DL])([’'])(\w)", lambda found: found[1].lower() + found[2] + found[3].upper(), capitals)


def further(name: str, others: Iterable[str | None]) -> tuple[Name, ...]:
    """All other names: those of the source, of `_MORE`, and plain spellings; none twice, none the name itself."""
    spellings = [part for other in others if other for part in _alternatives(other)]
    english = [*_MORE.get(name, ()), *(_saint(name))]
    found = {text: Name(text, "en") for text in english} | {text: Name(text) for text in spellings}
    return tuple(value for text, value in found.items() if text and text != name)


def _alternatives(other: str) -> list[str]:
    return [plain(part) for part in other.split(",") if part.strip() not in _GROUPS]


def _saint(name: str) -> list[str]:
    if re.search(r"\bSt\. ", name):
        return [re.sub(r"\bSt\. ", "Saint ", name)]
    return []


def lake_names(name: str) -> list[str]:
    """The name that English gives a lake: "Lake X" for one whose own name does not say that it is a lake."""
    foreign = _FOREIGN_LAKE.match(name)
    if foreign:
        rest = foreign[1] or foreign[2]
        return [f"Lake {rest[:1].upper()}{rest[1:]}"]
    if _BODY_OF_WATER.search(name):
        return []
    return [f"Lake {name}"]
