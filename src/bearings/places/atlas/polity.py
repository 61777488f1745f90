"""Names of countries without the words that only say what kind of state or place they are, in many languages.

"Republiek Palau" is "palau", "Saint Vincent og Grenadinerne" "saint vincent grenadinerne", "ประเทศไทย" "ไทย". Names and
queries are bared alike, so that they meet whatever form, islands, conjunctions and articles either says. All words are
in the form of keys (text.py).
"""

from functools import cache
from pathlib import Path
from typing import NamedTuple

from bearings.places.engine import text

_LEAST_REST = 2
_ARABIC_ARTICLE, _ARABIC_AND = "ال", "و"
_LEAST_ARABIC = 5
"""Letters of an Arabic word from which on a first "and" may be one."""


class Bare(NamedTuple):
    """A key without words for a form of state, and whether it had one."""

    key: str
    formal: bool


class _Words(NamedTuple):
    forms: frozenset[str]
    left_out: frozenset[str]
    saints: frozenset[str]
    joined: tuple[str, ...]


@cache
def _words() -> _Words:
    lines = Path(__file__).with_name("polity.txt").read_text("utf-8").splitlines()
    sections = "\n".join(line.partition("#")[0] for line in lines).split("[")[1:]
    forms, islands, links, saints, joined = (
        frozenset(filter(None, map(text.key_of, section.partition("]")[2].split()))) for section in sections
    )
    return _Words(forms, forms | islands | links, saints, tuple(sorted(joined, key=lambda word: (-len(word), word))))


def bared(key: str) -> Bare:
    """A key without such words; as it is where nothing else would be left."""
    words, known = key.split(" "), _words()
    words_left = [
        _saint(_plain(word, number), known) for number, word in enumerate(words) if word not in known.left_out
    ]
    formal = any(word in known.forms for word in words)
    rest = " ".join(words_left)
    for word in known.joined if not rest.isascii() else ():
        cut = rest.removeprefix(word).removesuffix(word).strip()
        if cut != rest and len(cut) >= _LEAST_REST:
            rest, formal = cut, True
    return Bare(rest, formal) if rest else Bare(key, False)


def _saint(word: str, known: _Words) -> str:
    return "saint" if word in known.saints else word


def _plain(word: str, number: int) -> str:
    """An Arabic word without "and" and its article."""
    if number and len(word) >= _LEAST_ARABIC:
        word = word.removeprefix(_ARABIC_AND)
    return word.removeprefix(_ARABIC_ARTICLE) if len(word) >= _LEAST_ARABIC else word
