r"""Make text from outside (place names, file names, comments, sources) safe to show to a model or on a terminal.

Names and prose are cleaned: invisible and control characters and whole escape sequences are removed. Source is escaped:
the same characters appear as `\x1b`, `\u200b`, `\U000e0041`, so nothing is hidden and nothing is lost. Both keep such a
character where a script or an emoji needs it:

- zero-width joiner and non-joiner between letters of cursive and Indic scripts, and after a virama (UAX 31, 2.3: the
  same contexts without joining types; UTS 39, 3.1.1);
- zero-width space between letters of the South East Asian scripts that have no spaces (UAX 14, class SA);
- Mongolian variation selectors and the vowel separator between Mongolian letters (Unicode, 13.5);
- one variation selector after an ideograph, a mathematical operator or a letter that has standardized variants
  (UTS 37; StandardizedVariants.txt), and emoji style after a symbol (UTS 51, ED-8a, ED-9a);
- joiners within an emoji sequence, and the three flags made of tags (UTS 51, ED-14a and ED-16: only those three are
  recommended for interchange, and any other run of tags can carry hidden text).
"""

import re
from collections.abc import Callable, Iterator
from enum import Enum
from functools import cache
from typing import Any


class Kind(Enum):
    """The kind of a reply's string, given by the annotation of its field; without one, the string is the program's own.

    The program's own strings are cleaned too, because they may quote text from outside.
    """

    OURS = "a sentence of ours: cleaned, one line"
    NAME = "the name of a place: cleaned, always between « and »"
    LABEL = "a word from outside: cleaned, between « and » if it has blanks"
    SYMBOL = "a path or an element's name: escaped, between « and » if it has blanks"
    PROSE = "lines from outside: cleaned, between «  and », or <<< and >>>"
    SOURCE = "lines of source: escaped, between <<< and >>>"


# Invisible characters: Unicode's Default_Ignorable_Code_Point, the controls but tab and newline, line separators,
# interlinear annotations, noncharacters, halves of surrogate pairs. They form two classes, because a class with
# characters above U+FFFF is searched ten times slower.
_HIDDEN_LOW = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ud800-\udfff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
)
_NONCHARACTERS = "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0x10000, 0x110000, 0x10000))
_HIDDEN_HIGH = f"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff{_NONCHARACTERS}"

# ECMA-48: control strings (DCS, SOS, OSC, PM, APC) with their payload, up to their terminator or the text's end;
# control sequences (CSI); other escapes. In seven bits (ESC [) or eight (U+009B).
_SEQUENCE = (
    "(?:\x1b[PX\\]^_]|[\x90\x98\x9d-\x9f])[^\x07\x18\x1a\x1b\x9c]*(?:\x1b\\\\|[\x07\x18\x1a\x9c])?"
    "|(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]?"
    "|\x1b[ -/]*[0-~]?"
)

_SYMBOLS = (
    "\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff\u3030\u303d"
    "\u3297\u3299\U0001f000-\U0001faff"
)
"""Blocks of pictographic characters."""

_LANDS = "|".join("".join(chr(0xE0000 + ord(letter)) for letter in land) for land in ("eng", "sct", "wls"))

_JOINING = (
    "\u0600-\u061b\u061d-\u077f\u07c0-\u07ff\u0840-\u0dff\u1000-\u109f\u1780-\u17b3\u17b6-\u180a\u1810-\u18af\u1a20-\u1aaf"
    "\u1b00-\u1bbf\ua840-\ua8ff\ua980-\ua9df\uaa60-\uaa7f\uabc0-\uabff\ufb50-\ufdcf\ufdf0-\ufdff\ufe70-\ufefe"
    "\U00010ac0-\U00010aff\U00010d00-\U00010d3f\U00010f30-\U00010f6f\U00011000-\U0001183f\U0001e900-\U0001e95f"
)
"""Scripts that are written joined (Arabic to Adlam) or with conjuncts (Devanagari and its relatives)."""

_VIRAMA = "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca"
_SOUTH_EAST_ASIAN = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17b3\u17b6-\u17ff\u1950-\u19ff\u1a20-\u1aaf\ua9e0-\ua9ff\uaa60-\uaadf"
)
_MONGOLIAN = "\u1820-\u18aa"
_IDEOGRAPHS = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_VARIED = f"\u1000-\u109f\u2200-\u22ff\u2a00-\u2aff\u3001-\u303f\ua840-\ua87f\uaa60-\uaa7f\uff01-\uff1f{_IDEOGRAPHS}"
_NEEDED = "|".join(
    (
        f"(?<=[{_JOINING}])[\u200c\u200d](?=[{_JOINING}])",
        f"(?<=[{_VIRAMA}])[\u200c\u200d](?![{_HIDDEN_LOW}])(?![{_HIDDEN_HIGH}])",
        f"(?<=[{_SOUTH_EAST_ASIAN}])\u200b(?=[{_SOUTH_EAST_ASIAN}])",
        f"(?<=[{_MONGOLIAN}])(?:[\u180b-\u180d\u180f]\u180e?|\u180e)(?=[{_MONGOLIAN}])",
        f"(?<=[{_MONGOLIAN}])[\u180b-\u180d\u180f]",
        f"(?<=[{_VARIED}])[\ufe00-\ufe02]",
        f"(?<=[{_IDEOGRAPHS}])[\U000e0100-\U000e012f]",
        f"(?<=[{_SYMBOLS}])[\ufe0e\ufe0f]",
        f"(?:(?<=[{_SYMBOLS}])|(?<=[{_SYMBOLS}]\ufe0f))\u200d(?=[{_SYMBOLS}])",
        "(?<=[0-9#*])\ufe0f(?=\u20e3)",
        f"(?<=\U0001f3f4)\U000e0067\U000e0062(?:{_LANDS})\U000e007f",
    )
)
_NEWLINES = "\r\n?|[\x0b\x0c\x1c-\x1f\x85\u2028\u2029]"
_ANY_HIDDEN = f"(?:(?=[{_HIDDEN_LOW}])|(?=[{_HIDDEN_HIGH}]))"


def is_clean(text: str) -> bool:
    """Whether `text` is one line that cleaning and escaping would leave as it is."""
    return _is_plain(text) or not ("\n" in text or "\t" in text or has_hidden(text))


def has_hidden(text: str) -> bool:
    """Whether `text` has an invisible character that no script and no emoji needs."""
    return any(match[1] is None for match in _found(_escaping(), text))


def clean_text(text: str, limit: int) -> str:
    """`text` without hidden characters and escape sequences, at most `limit` characters; newlines and tabs stay.

    A half of a surrogate pair becomes a question mark.
    """
    text = _cleaned(text)
    return text if len(text) <= limit else _cleaned(text[: limit - 1]) + "…"


def clean_line(text: str, limit: int = 300) -> str:
    """As `clean_text`, on one line: every run of white space becomes one space."""
    if _is_plain(text) and "  " not in text:
        line = text.strip()
        return line if len(line) <= limit else clean_text(line, limit)
    return clean_text(" ".join(_cleaned(text).split()), limit)


def escape_text(text: str, limit: int | None = None) -> str:
    """`text` with escapes for hidden characters, at most `limit` characters. Newlines, CR LF and tabs stay."""
    if _is_suspect(text):
        text = _replaced(_escaping(), _escaped, text.replace("\r\n", "\n"))
    return text if limit is None or len(text) <= limit else escape_text(text[: limit - 1]) + "…"


def escape_line(text: str, limit: int | None = None) -> str:
    """As `escape_text`, on one line, with escapes for newlines and tabs too.

    A backslash of the text itself stays as it is, so a name with an escape in it looks like an escaped one.
    """
    if _is_plain(text) and (limit is None or len(text) <= limit):
        return text
    return escape_text(text.replace("\r", "\\r").replace("\n", "\\n").replace("\t", "\\t"), limit)


def named(text: str) -> str:
    """A name from outside within a sentence of the program: escaped, and between « and » if it has blanks."""
    return labelled(escape_line(text))


def labelled(text: str) -> str:
    """A single word as it is, other text between « and »."""
    return quoted(text) if _BLANK.search(text) else text


def quoted(text: str) -> str:
    """One line between « and », which `text` can't close; "" for an empty text."""
    inner = " ".join(text.split()) if "\n" in text or "\t" in text else text
    return f"«{inner.replace('«', '‹').replace('»', '›')}»" if inner else ""


def fenced(text: str) -> str:
    """Lines behind a bar each, between <<< and >>>, which `text` can't close; "" for an empty text."""
    lines = text.rstrip("\n").split("\n")
    return "\n".join(["<<<", *(f"| {line}" for line in lines), ">>>"]) if text else ""


def unescaped(text: str) -> str:
    """`text` with the escapes of `escape_line` decoded."""
    return _WRITTEN.sub(lambda match: _SHORT.get(match[0]) or chr(int(match[match.lastindex or 0], 16)), text)


def counted(number: int, noun: str) -> str:
    """`1 call`, `2 calls`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def escape_json(document: bytes) -> bytes:
    """A JSON document with JSON escapes for hidden characters; its meaning is the same."""
    if document.isascii() and b"\x7f" not in document:
        return document
    text = document.decode()
    if not _is_suspect(text):
        return document
    return _replaced(_escaping(), lambda match: match[1] or _json_escape(match[0]), text).encode()


def is_safe_json(document: str) -> bool:
    """Whether no string of a JSON document has a hidden character. May return False for a clean document."""
    if _JSON_CONTROL.search(document):
        return False
    return "\x7f" not in document if document.isascii() else not has_hidden(document)


def mapped(value: Any, change: Callable[[str], str]) -> Any:
    """JSON values with every string and key changed; the first of two keys that become one wins."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [mapped(item, change) for item in value]
    if isinstance(value, dict):
        changed: dict[Any, Any] = {}
        for key, item in value.items():
            changed.setdefault(change(key) if isinstance(key, str) else key, mapped(item, change))
        return changed
    return value


_WRITTEN = re.compile(r"\\(?:[nrt]|x([0-9a-f]{2})|u([0-9a-f]{4})|U00(0[0-9a-f]{5}|10[0-9a-f]{4}))")
_SHORT = {"\\n": "\n", "\\r": "\r", "\\t": "\t"}
_BLANK = re.compile(r"[\s«»]")
_JSON_CONTROL = re.compile(r"\\(?:u00|[bfr])")


def _is_plain(text: str) -> bool:
    """Whether `text` is certainly one clean line; fast, and true for nearly all texts."""
    return text.isascii() and text.isprintable()


@cache
def _low() -> re.Pattern[str]:
    """Finds possibly hidden characters. Patterns are compiled on first use, to keep start-up fast."""
    return re.compile(f"[{_HIDDEN_LOW}]")


@cache
def _high() -> re.Pattern[str]:
    return re.compile(f"[{_HIDDEN_HIGH}]")


def _is_suspect(text: str) -> bool:
    """Whether `text` has a possibly hidden character."""
    return _low().search(text) is not None or not (text.isascii() or _high().search(text) is None)


@cache
def _hidden() -> re.Pattern[str]:
    """Matches needed characters (group 1) and hidden ones, escape sequences as a whole."""
    return re.compile(f"{_ANY_HIDDEN}(?:({_NEEDED})|(?P<newline>{_NEWLINES})|{_SEQUENCE}|.)")


@cache
def _escaping() -> re.Pattern[str]:
    """Matches needed characters (group 1) and hidden ones, one character at a time."""
    return re.compile(f"{_ANY_HIDDEN}(?:({_NEEDED})|.)")


def _found(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The matches of `pattern` at possibly hidden characters."""
    if not text.isascii() and _high().search(text):
        yield from pattern.finditer(text)
        return
    at = 0
    while suspect := _low().search(text, at):  # ten times as fast as the pattern itself, which searches both classes
        match = pattern.match(text, suspect.start())
        assert match is not None  # the pattern matches any character of the class
        yield match
        at = match.end()


def _replaced(pattern: re.Pattern[str], replace: Callable[[re.Match[str]], str], text: str) -> str:
    parts = []
    at = 0
    for match in _found(pattern, text):
        parts += [text[at : match.start()], replace(match)]
        at = match.end()
    return "".join([*parts, text[at:]])


def _cleaned(text: str) -> str:
    return _replaced(_hidden(), _replacement, text) if _is_suspect(text) else text


def _replacement(match: re.Match[str]) -> str:
    if match["newline"]:
        return "\n"
    return match[1] or ("?" if "\ud800" <= match[0] <= "\udfff" else "")


def _escaped(match: re.Match[str]) -> str:
    if match[1]:
        return match[1]
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _json_escape(char: str) -> str:
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
