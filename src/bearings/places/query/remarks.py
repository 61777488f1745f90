"""Set aside the words of a query that name no place: remarks, empty marks, PO boxes, floors, addressees.

Wuppertal (remote option)          Wuppertal                 aside: remote option
Fully Remote - Bengaluru, India    Bengaluru, India          aside: Fully Remote
None, Lebanon                      Lebanon                   aside: None
PO Box 100, Oslo                   Oslo                      aside: PO Box 100
"""

import re
from collections.abc import Iterable

from bearings.places.query.tidy import fold

_EMPTY = frozenset(
    """
    none null nil n/a n.a n/k n/d s.l #n/a
    tba tbd tbc undefined undisclosed unknown unspecified unassigned undetermined missing blank
    empty other various multiple anywhere nowhere everywhere worldwide global international stateless ? - -- --- . ..
    ... x xx xxx unbekannt inconnu desconocido sconosciuto
    """.split()
)
"""Marks of an empty field, and words for no place in particular. "NA" is Namibia, "ND" North Dakota."""

_NOT_A_NUMBER = frozenset({"nan", "NaN"})
"""Nan is a city of Thailand."""

_EMPTY_PHRASE = re.compile(
    r"(?:(?:not|non|never) (?:recorded|known|given|specified|stated|available|applicable|disclosed|provided|set|sure)|"
    r"no (?:data|value|location|locality|address|place|information|entry|fixed abode)|location withheld|"
    r"unknown (?:location|locality|city|country|address|place)|"
    r"(?:location|locality|city|country|address|place) (?:unknown|not \w+)|(?:multiple|various) locations|"
    r"see (?:notes?|remarks?))"
)
_REMARK = re.compile(
    r"(?:100 ?% |fully |partly |partially |mostly |temporarily |currently |based |hybrid |open to )*"
    r"(?:remote(?:ly)?|hybrid|on-?site|in-?office|work from (?:home|anywhere)|wfh|home ?office|telecommut\w+|"
    r"relocat\w+)(?:[ -/]*(?:option(?:al)?|first|friendly|work(?:ing)?|possible|ok|okay|only|jobs?|positions?|role|"
    r"allowed|available|hybrid|remote|within|from|based|eligible|days?|preferred))*"
)
_REMOTE = re.compile(
    r"(?:(?:fully |100 ?% )?remote,? (?:within|in|from|across)(?: the)? |remote ?[(\[](?=.+[)\]]$))(?=\S)|"
    r"(?<=\S)(?: or |-)remote$",
    re.IGNORECASE,
)
"""Before and behind the place that the work is bound to: "Remote within Canada", "Remote (Germany)", "US-Remote"."""

_SITE = re.compile(r"(?<=[^\W\d]|[)]) (?:hq|headquarters|(?:head |main |regional )?office|s\. ?l\.)$", re.IGNORECASE)
"""Words behind a place: "London HQ", and the label's "Chile s.l." (sine loco)."""

_ZONE = re.compile(r"(?:Africa|America|Asia|Atlantic|Australia|Europe|Indian|Pacific)/(?:[A-Z]\w+/)?([A-Z][\w-]+)")
"""A time zone's name, whose last part is a city: "America/Sao_Paulo"."""

_QUESTION = re.compile(
    r"(?:(?:city|town|location|locality|country|place|address) ?[:=] ?(?=\S))|"
    r"(?:where(?:'s| is| are)|what(?:'s| is) (?:the )?(?:location|position) of|locate|find|show me|map of|"
    r"directions to|(?:the )?weather in|time in) (?=\S)|"
    r"(?:(?:what(?:'s| is| are)|show me|give me|get|find) )?(?:the )?(?:bbox|bounding box|extent|co-?ordinates|"
    r"time ?zone|lat(?:itude)?\W{0,3}(?:and )?long?(?:itude)?) (?:of|for|in|at) (?=\S)|time ?zone (?=\S)|"
    r"(?:what|which) (?:time ?zone|country|state|province|region|county) (?:is|are) (?=\S.* in\W*$)",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r" ?[(\[]([^()\[\]]{1,60})[)\]]")
_DASHED = re.compile(r" [-–—|/:] |[|;]|(?<=\w): ")
_POST = re.compile(
    r"(?:\b(?:p\.? ?o\.? ?)?box(?: no\.?)? \d+|\bp\.? ?o\.? ?b\.? ?\d+|\bpostfach(?: \d[\d ]*)?|"
    r"\b(?:apartado(?: postal)?|a\.?p\.?do\.?|casilla|case postale|bo[iî]te postale|c\.?p\.?|b\.?p\.?|caixa postal|"
    r"casella postale|postbus|post ?bo[kx]s|skrytka pocztowa|а/я) ?\d+|"
    r"\bcedex(?: \d{1,2})?\b)",
    re.IGNORECASE,
)
_INDOORS = re.compile(
    r"(?:c/o|attn:?|attention:?|z\. ?hd\.?) .{1,60}|(?:apt|apartment|suite|ste|unit|flat|floor|fl|level|room|rm|"
    r"bldg|plot|building|block|tower|wing|dept|department|comp|lot|kv|кв|корп|корпус|офис|оф|etage|piso|planta)"
    r"\b\.? ?(?:no\.? ?)?(?:[a-z]?\d|[a-z]\b).{0,40}|\d{1,3}(?:st|nd|rd|th) floor|#\s?\w{1,6}",
    re.IGNORECASE,
)
_HAS_POST = re.compile(r"\d|c/o|cedex|att[en]|z\. ?hd|\b[a-z]\b", re.IGNORECASE)
"""What every part for the post has."""

_MOST_INDOORS_WORDS = 6


def is_empty_mark(text: str) -> bool:
    """Whether a text only says that there is no place: "N/A", "unknown", "not recorded"."""
    key = fold(text) if text.strip(".") else text
    return key in _EMPTY or text in _NOT_A_NUMBER or _EMPTY_PHRASE.fullmatch(key) is not None


def is_remark(text: str) -> bool:
    """Whether a text says how work is done ("hybrid"), or nothing."""
    return is_empty_mark(text) or _REMARK.fullmatch(text.casefold()) is not None


def without_remarks(text: str) -> tuple[str, tuple[str, ...]]:
    """The text without remarks in brackets, between commas or dashes; and the remarks, in order."""
    aside: list[str] = []

    def bracketed(match: re.Match[str]) -> str:
        if not is_remark(match[1]):
            return match[0]
        aside.append(match[1])
        return ""

    if zone := _ZONE.fullmatch(text):
        text = zone[1].replace("_", " ")
    for form in (_REMOTE, _SITE):
        if match := form.search(text):
            aside.append(match[0].strip(" -(["))
            is_around = match[0].endswith(("(", "["))
            text = text[: match.start()] + text[match.end() : len(text) - is_around]
    if match := _QUESTION.match(text):
        aside.append(match[0].strip())
        text = text[match.end() :].rstrip(" ?")
        text = text.removesuffix(" in") if "which" in match[0].lower() or "what" in match[0].lower() else text
    text = _BRACKETED.sub(bracketed, text)
    parts = []
    for part in text.split(","):
        pieces = [piece for piece in map(str.strip, _DASHED.split(part)) if piece]
        remarks = [piece for piece in pieces if is_remark(piece)]
        aside += remarks
        if not remarks:
            parts.append(part)
        elif len(remarks) < len(pieces):
            parts.append(" - ".join(piece for piece in pieces if piece not in remarks))
    return ",".join(parts).strip(" ,-"), tuple(aside)


def without_post(parts: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The parts without PO boxes, CEDEX, floors, units and addressees; and what was cut, in order."""
    left, aside = [], []
    for part in parts:
        if not _HAS_POST.search(part):
            left.append(part)
            continue
        cut = [match[0] for match in _POST.finditer(part)]
        rest = " ".join(_POST.sub(" ", part).split())
        if _INDOORS.fullmatch(rest) and len(rest.split()) <= _MOST_INDOORS_WORDS:
            cut, rest = [part], ""
        aside += cut
        if rest:
            left.append(rest)
    return tuple(left), tuple(aside)
