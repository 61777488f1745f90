"""The overlap of words between a file and a change: of the most similar passage, as one test of many may concern it.

BM25 (Robertson, Walker 1994; k1 = 1.2, b = 0.75 as usual) with a change's identifiers for a query, which is how Saha,
Zhang, Khurshid and Perry order tests for a change (An information retrieval approach for regression test
prioritization based on program changes, ICSE 2015).
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache

_WORD = re.compile(r"[^\W\d]\w{2,}")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_LEAST = 3
"""The fewest letters of a part of an identifier."""

_PASSAGE = 20
"""The lines of a passage, about a test; half of them belong to the next one, too."""

_K1 = 1.2
_B = 0.75


def words_in(lines: Iterable[str]) -> Counter[str]:
    """The identifiers of lines and their parts, with counts: `do_attr` has the part `attr`."""
    return Counter(word for line in lines for name in _WORD.findall(line) for word in _words_of(name))


@lru_cache(maxsize=10_000)
def _words_of(name: str) -> tuple[str, ...]:
    parts = [part.lower() for part in _PART.findall(name) if len(part) >= _LEAST]
    return (name,) if parts == [name] else (name, *parts)


def likeness(wanted: Collection[str], texts: Mapping[str, str]) -> dict[str, float]:
    """The score of each text for the wanted words, by its best passage; words in every passage count little."""
    passages = [(name, words) for name, text in texts.items() for words in _passages(text)]
    sizes = [words.total() for _, words in passages]
    mean = sum(sizes) / len(sizes) if any(sizes) else 1.0
    weight = {
        word: math.log(1 + (len(passages) - among + 0.5) / (among + 0.5))
        for word in wanted
        if (among := sum(word in words for _, words in passages))
    }
    scores = dict.fromkeys(texts, 0.0)
    for (name, words), size in zip(passages, sizes, strict=True):
        held = [(gain, words[word]) for word, gain in weight.items() if word in words]
        norm = _K1 * (1 - _B + _B * size / mean)
        scores[name] = max(scores[name], sum(gain * (_K1 + 1) * count / (count + norm) for gain, count in held))
    return scores


def _passages(text: str) -> Iterator[Counter[str]]:
    lines = text.split("\n")
    halves = [words_in(lines[at : at + _PASSAGE // 2]) for at in range(0, len(lines), _PASSAGE // 2)]
    yield from (first + second for first, second in zip(halves, [*halves[1:], Counter[str]()], strict=True))
