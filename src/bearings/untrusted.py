"""Text from outside (place names, source comments) made safe to show to a model or on a terminal."""

import re

# C0 and C1 controls but tab and newline; bidi embeddings, overrides and isolates (Unicode TR 36, 3.1; CVE-2021-42574);
# zero-width no-break space; lone surrogates, which no UTF-8 stream can carry.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
_LINE = re.compile(r"\s+")
_BREAK = re.compile("[\t\n\u2028\u2029]")


def is_clean(text: str) -> bool:
    """Whether `text` is one line without control and direction characters."""
    return (text.isascii() and text.isprintable()) or not (_UNSAFE.search(text) or _BREAK.search(text))


def clean_text(text: str, limit: int) -> str:
    """`text` without control and direction characters, at most `limit` characters; newlines and tabs stay."""
    text = _UNSAFE.sub("", text)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def clean_line(text: str, limit: int = 300) -> str:
    """As `clean_text`, on one line: every run of white space becomes one space."""
    if text.isprintable() and "  " not in text and len(text) <= limit:
        return text.strip()  # nearly all names: no blank but single spaces, nothing unsafe (none of it is printable)
    return clean_text(_LINE.sub(" ", text).strip(), limit)
