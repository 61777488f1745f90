"""Names and queries as comparable keys: folded, without accents and punctuation, each script kept as it is."""

import re
import unicodedata
from functools import lru_cache

ABBREVIATIONS = {"st": "saint", "ste": "sainte", "mt": "mount", "ft": "fort"}
"""Words of names that GeoNames writes both ways; see `variants`."""

_LATIN_WITHOUT_MARKS = str.maketrans(
    {"ø": "o", "đ": "d", "ł": "l", "ħ": "h", "ı": "i", "ŧ": "t", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d"}
)
"""Letters that Unicode does not take apart, as GeoNames' ASCII names spell them."""

_SPELT_ALIKE = str.maketrans({"ё": "е", "أ": "ا", "إ": "ا", "آ": "ا", "ى": "ي", "ی": "ي", "ک": "ك", "ـ": ""})
"""Letters that writers of Russian, Arabic and Persian exchange freely."""

_APOSTROPHES = frozenset("'`´‘’ʻʼʹʾʿ′")
_ACRONYM = re.compile(r"(?<!\w)(?:\w\.){2,}\w?(?!\w)")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")
_UNGUESSABLE = re.compile(r"[\d\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_PART = re.compile(r"[,;，、；]+")
_MAX_CHARS = 300


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
    base = unicodedata.normalize("NFD", char)[0]
    if unicodedata.name(base, "").startswith(("LATIN", "GREEK")):
        return base.casefold().translate(_LATIN_WITHOUT_MARKS)
    if unicodedata.category(char)[0] in "LNM":
        return char.casefold().translate(_SPELT_ALIKE)
    return " "


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


def parts(query: str) -> list[str]:
    """The keys of a query's comma-separated parts, in order, empty ones left out; at most 300 characters are read."""
    return [key for part in _PART.split(query[:_MAX_CHARS]) if (key := normalise(part))]


def variants(key: str) -> list[str]:
    """The key, and the same name as others write it: with "saint" for "st", without a leading "the"."""
    words = key.split(" ")
    spelt = " ".join(ABBREVIATIONS.get(word, word) for word in words)
    inverse = {long: short for short, long in ABBREVIATIONS.items()}
    short = " ".join(inverse.get(word, word) for word in words)
    bare = " ".join(words[1:]) if words[0] == "the" else key
    return list(dict.fromkeys(each for each in (key, spelt, short, bare) if each))


def is_unspaced(key: str) -> bool:
    """Whether the key is one run of Chinese or Japanese, where words are not separated."""
    return _UNSPACED.fullmatch(key) is not None


def is_guessable(key: str) -> bool:
    """Whether a key may be matched by prefix or with errors: five letters or more, no digit, letters of an alphabet."""
    return len(key) >= 5 and _UNGUESSABLE.search(key) is None
