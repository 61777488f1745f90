"""The overlap of words between a file and a change.

BM25 (Robertson, Walker 1994; k1 = 1.2, b = 0.75 as usual) with a change's identifiers for a query, which is how Saha,
Zhang, Khurshid and Perry order tests for a change (An information retrieval approach for regression test
prioritization based on program changes, ICSE 2015).
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping

_WORD = re.compile(r"[^\W\d]\w{2,}")
_K1 = 1.2
_B = 0.75


def words_in(lines: Iterable[str]) -> Counter[str]:
    """The identifiers of lines, with counts."""
    return Counter(word for line in lines for word in _WORD.findall(line))


def likeness(wanted: Collection[str], texts: Mapping[str, Counter[str]]) -> dict[str, float]:
    """The score of each text (given by its words) for the wanted words; words in every text count little."""
    sizes = {name: words.total() for name, words in texts.items()}
    mean = sum(sizes.values()) / len(sizes) if sizes else 0.0
    weight = {
        word: math.log(1 + (len(texts) - among + 0.5) / (among + 0.5))
        for word in wanted
        if (among := sum(word in words for words in texts.values()))
    }
    return {
        name: sum(
            gain * (_K1 + 1) * words[word] / (words[word] + _K1 * (1 - _B + _B * sizes[name] / mean))
            for word, gain in weight.items()
            if word in words
        )
        for name, words in texts.items()
    }
