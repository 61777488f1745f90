"""Search terms of a question in words: quotations as written, words without endings."""

import re
from functools import lru_cache
from typing import NamedTuple

_MOST = 24
"""The most terms of one question."""

_LEAST = 3
_LONGEST_PHRASE = 200
_QUOTED = re.compile(r"\"([^\"\n]{2,})\"|`([^`\n]{2,})`|“([^”\n]{2,})”|(?<!\w)'([^'\n]{2,})'(?!\w)")
_JOINED = re.compile(r"[^\W\d]\w+(?:[.:/(){}\[\]=,-]+[^\W\d]\w+)+[)\]}]?")
"""Words of several parts: `AuthService.login`, `fix(web)`, `auto-login`."""
_PIECE = re.compile(r"[^'\"`«»\d{}<>%$:;|\[\]()\\/=,]{8,}")
"""A piece of a message that is likely to be literal in the source, without inserted values."""
_MOST_PIECES = 3
_MESSAGE = 12
"""The most words of a message without quotation marks: longer ones are sentences, whose parts are in no source."""
_FIRST = 1.5
"""The weight of a word in the first of several lines, such as the title of an issue or the subject of a commit."""
_EDGES = ".,:;!?()[]{}<>\"'`“”‘’…"
_SMALL = frozenset(
    """a about all also an and any are as at be been before after between both but by can could did do does done down
    each either else ever every for from get gets given goes had has have how i if in into is it its itself just made
    make makes me may might must my no not of on one only or other our out over own same should so some such than that
    the their them then there these they this those through to too under until up us use used uses using very via want
    was way we were what when where which while who whom whose why will with within without would you your""".split()
)
"""Words without meaning for a program."""

_ASKED = frozenset(
    """call called caller callers calls class code declared defined definition explain file files find function
    functions happen happened happening happens handled implement implementation implemented implements kept know
    located look method methods please show stored tell test tests work works""".split()
)
"""Words that usually form the question and not its subject; they count only if no other words are left."""

_NAMING = frozenset({"called", "named"})
"""Words before a name at a question's end, which counts whatever it is."""

_ENDINGS = (
    ("ies", 3),
    ("ied", 3),
    ("ing", 4),
    ("ers", 4),
    ("ed", 4),
    ("es", 4),
    ("er", 5),
    ("s", 3),
    ("y", 4),
    ("e", 4),
)
"""Endings to remove, each if enough letters remain: `retries`, `retrying` and `retry` are searched as `retr`."""


class Terms(NamedTuple):
    """`texts` are the search texts, `written` the question's spelling of each, `left_out` the words without meaning.

    `importance` is the weight of each text by its place in the question; empty if all are alike. `words` are all words
    as they are written, those of quotations apart.
    """

    texts: tuple[str, ...]
    written: tuple[str, ...]
    left_out: tuple[str, ...]
    importance: tuple[float, ...] = ()
    words: frozenset[str] = frozenset()


def terms_of(question: str) -> Terms:
    """The terms of a question, phrases first; empty without a word."""
    terms: dict[str, str] = {}
    rest = question
    for match in _QUOTED.finditer(question):
        phrase = _phrase(match)
        if phrase:
            terms.setdefault(term_of(phrase), phrase)
            terms.update((piece, piece) for piece in pieces_of(phrase))
        rest = rest.replace(match[0], " ")
    words = [word for word in (each.strip(_EDGES) for each in rest.split()) if word]
    telling = [word for word in words if word.lower() not in _SMALL and len(word) >= 2]
    if words[-2:-1] and words[-2].lower() in _NAMING:  # the field called all
        telling += [word for word in words[-1:] if word not in telling]
    about = [word for word in telling if word.lower() not in _ASKED or word != word.lower()]
    chosen = about or ([] if terms else telling or words)
    whole = " ".join(rest.split()).strip(_EDGES)
    # "connection refused by peer" may be an error text that stands in a source as it is.
    if len(words) > 1 and not terms and len(whole) <= _LONGEST_PHRASE:
        terms.update((text, text) for text in (whole, *(pieces_of(whole) if len(words) <= _MESSAGE else ())))
    for word in chosen:
        terms.setdefault(term_of(word), word)
        for part in re.split(r"\W+", word) if _JOINED.fullmatch(word) else ():
            if part and part.lower() not in _SMALL:
                terms.setdefault(term_of(part), part)
    shown = dict(list(terms.items())[:_MOST])
    left = tuple(dict.fromkeys(word for word in words if word not in chosen))
    title, _, body = question.strip().partition("\n")
    importance = tuple(_FIRST if word in title else 1.0 for word in shown.values()) if body else ()
    return Terms(tuple(shown), tuple(shown.values()), left, importance, frozenset(words))


def pieces_of(message: str) -> list[str]:
    """The parts of several words of a message, the longest first, without inserted values, names and paths."""
    pieces = {piece.strip() for piece in _PIECE.findall(message)}
    return sorted((piece for piece in pieces if " " in piece), key=lambda piece: (-len(piece), piece))[:_MOST_PIECES]


def loosened(question: str, absent: frozenset[str]) -> str:
    """The question without the quotation marks around phrases that are `absent`, as are their pieces."""

    def bare(match: re.Match[str]) -> str:
        phrase = _phrase(match)
        return f" {phrase} " if absent.issuperset((phrase, *pieces_of(phrase))) else match[0]

    return _QUOTED.sub(bare, question)


def _phrase(match: re.Match[str]) -> str:
    return next(group for group in match.groups() if group is not None).strip()


@lru_cache(maxsize=1 << 16)
def term_of(word: str) -> str:
    """A phrase or a name as written; a plain word in lower case without its ending."""
    if not re.fullmatch(r"[A-Z]?[a-z]+|[A-Z]+", word):
        return word
    lower = word.lower()
    for ending, least in _ENDINGS:
        if lower.endswith(ending) and len(lower) - len(ending) >= max(least, _LEAST) and not lower.endswith("ss"):
            return lower.removesuffix(ending)
    return lower
