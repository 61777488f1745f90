"""Names and queries as comparable keys: folded, without accents and punctuation, each script kept as it is."""

import re
import unicodedata
from functools import lru_cache
from pathlib import Path

ABBREVIATIONS = {"st": "saint", "ste": "sainte", "mt": "mount", "ft": "fort"}
"""Words of names that GeoNames writes both ways; see `variants`."""

_PARTICLES = {"a d": ("an der",), "ad": ("an der", "aan den"), "id": ("in der",), "od": ("ob der",)}
"""German and Dutch abbreviations within a name: Dillingen a.d. Donau, Nieuwerkerk ad IJssel."""

_ABBREVIATED = {long: short for short, long in ABBREVIATIONS.items()}

_LATIN_WITHOUT_MARKS = str.maketrans(
    {"ø": "o", "đ": "d", "ł": "l", "ħ": "h", "ı": "i", "ŧ": "t", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d"}
)
"""Letters that Unicode does not take apart, as GeoNames' ASCII names spell them."""

_HAN = "".join(Path(__file__).with_name("han.txt").read_text("utf-8").split())
"""Characters of names in their traditional (or Japanese) form, each before the simplified one, as Unihan pairs them."""

_SPELT_ALIKE = str.maketrans(
    {
        **{chr(0x2D00 + i): chr(0x10D0 + i) for i in range(38)},
        **{chr(0x1210 + i): chr(0x1200 + i) for i in range(7)},
        **{chr(0x1280 + i): chr(0x1200 + i) for i in range(7)},
        **{chr(0x1220 + i): chr(0x1230 + i) for i in range(7)},
        **{chr(0x12D0 + i): chr(0x12A0 + i) for i in range(7)},
        **{chr(0x1340 + i): chr(0x1338 + i) for i in range(7)},
    }
    | {"ё": "е", "أ": "ا", "إ": "ا", "آ": "ا", "ى": "ي", "ی": "ي", "ک": "ك", "ـ": ""}
    | {"\u093c": "", "\u0a3c": "", "\u0abc": "", "\u0cbc": "", "\u0901": "\u0902", "\u0a70": "\u0a02"}
    | {"\u1213": "\u1200", "\u1283": "\u1200", "\u1203": "\u1200", "\u12d3": "\u12a0", "\u12a3": "\u12a0"}
    | dict(zip(_HAN[::2], _HAN[1::2], strict=True))
)
"""Letters that writers exchange freely: of Russian, Arabic and Persian; the nukta and nasal signs of Indic scripts; the
old alphabets of Georgian; the letters of Amharic that sound alike; Han variants."""

LONGEST_NAME = 200
"""Characters of the longest key of a name (193 among GeoNames')."""

_APOSTROPHES = frozenset("'`´‘’ʻʼʹʾʿ′՚՛՜՞")
"""Dropped. Armenian sets its signs of stress, exclamation and question within words."""
_ACRONYM = re.compile(r"(?<!\w)(?:\w\.){2,}\w?(?!\w)")
UNSPACED = r"\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
"""The characters of Chinese and Japanese, as a range of a regular expression: no spaces stand between words."""

_UNSPACED = re.compile(rf"[{UNSPACED}]+")
_UNGUESSABLE = re.compile(r"[\d\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


class _Folding(dict[int, str]):
    """For `str.translate`: each character's place in a key, worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        folded = _fold(chr(code))
        self[code] = folded
        return folded


def _fold(char: str) -> str:
    """One character as it stands in a key: "" if it is dropped, a space if it separates."""
    if char in _APOSTROPHES or unicodedata.category(char) in {"Cf", "Cs"}:
        return ""
    if unicodedata.category(char) == "Mn" and _is_optional_mark(char):
        return ""
    if char == "&":
        return " and "
    if unicodedata.category(char)[0] not in "LNM":
        return " "
    base = unicodedata.normalize("NFD", char)[0]
    if unicodedata.name(base, "").startswith(("LATIN", "GREEK")):
        return base.casefold().translate(_LATIN_WITHOUT_MARKS)
    return char.casefold().translate(_SPELT_ALIKE)


def _is_optional_mark(char: str) -> bool:
    """Accents, Hebrew points and Arabic vowels: written or not. Vowel signs of Indic scripts are letters."""
    return "\u0300" <= char <= "\u036f" or unicodedata.name(char, "").startswith(("HEBREW", "ARABIC"))


_FOLDING = _Folding()


@lru_cache(maxsize=4096)
def normalise(text: str) -> str:
    """The key of a name: words separated by single spaces. Idempotent; empty where nothing can be compared.

    NFKC, folded, Latin and Greek letters without accents, punctuation as space, apostrophes and the dots of acronyms
    dropped ("Washington D.C." → "washington dc"). Other scripts stay: "東京", "москва".
    """
    key = _pass(text)
    while not key.isascii() and (again := _pass(key)) != key:
        key = again
    return key


def key_of(name: str) -> str:
    """As `normalise`, for the millions of names of a build: not cached, and quick for ASCII."""
    if name.isascii() and name.isalpha():
        return name.lower()
    return normalise.__wrapped__(name)


def _pass(text: str) -> str:
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    if "." in text:
        text = _ACRONYM.sub(lambda acronym: acronym[0].replace(".", ""), text)
    folded = text.translate(_FOLDING)
    return " ".join(folded.split() if folded.isascii() else unicodedata.normalize("NFKC", folded).split())


def variants(key: str) -> list[str]:
    """The key, and the same name as others write it.

    With "saint" or "sankt" for "st", without a leading "the", with "county" for "co" at its beginning or end, and with
    German and Dutch particles written out.
    """
    words = key.split(" ")
    spelt = " ".join(ABBREVIATIONS.get(word, word) for word in words)
    short = " ".join(_ABBREVIATED.get(word, word) for word in words)
    sankt = " ".join("sankt" if word == "st" else word for word in words)
    bare = " ".join(words[1:]) if words[0] == "the" else key
    county = [f"county {key[3:]}"] if key.startswith("co ") else [f"{key[:-3]} county"] if key.endswith(" co") else []
    return list(dict.fromkeys(each for each in (key, spelt, short, sankt, bare, *county, *_written_out(key)) if each))


def _written_out(key: str) -> list[str]:
    """The key with its abbreviated particle written out, in each way."""
    return [
        key.replace(f" {short} ", f" {long} ", 1)
        for short, longer in _PARTICLES.items()
        if f" {short} " in key
        for long in longer
    ]


def is_unspaced(key: str) -> bool:
    """Whether the key is one run of Chinese or Japanese, where words are not separated."""
    return _UNSPACED.fullmatch(key) is not None


def is_guessable(key: str, least: int = 5) -> bool:
    """Whether a key may be completed or corrected: `least` letters or more, no digit, letters of an alphabet.

    A key that is longer than names are is none: each guess is as long, and there are as many as it has letters.
    """
    return least <= len(key) <= LONGEST_NAME and _UNGUESSABLE.search(key) is None
