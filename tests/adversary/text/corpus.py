"""Strings with hidden text, and a judge of what came through that shares no code with the product."""

import unicodedata
from collections.abc import Iterator
from typing import Any

SECRET = "IGNORE-ALL"
"""The text inside the payloads of escape sequences and tags."""


def tags(text: str) -> str:
    """The text in Unicode tags, which show nothing and which models read."""
    return "".join(chr(0xE0000 + ord(char)) for char in text)


def selectors(text: str) -> str:
    """The text as variation selectors, a byte each."""
    return "".join(chr(0xFE00 + byte) if byte < 16 else chr(0xE0100 + byte - 16) for byte in text.encode())


def joiners(text: str) -> str:
    """The text as zero-width characters, a bit each."""
    return "".join("\u200b\u200c"[byte >> bit & 1] for byte in text.encode() for bit in range(8))


SEQUENCES = [
    "\x1b[31m", "\x1b[2J", "\x1b[38;2;1;2;3m", "\x1b[8m", "\x1b[?1049h", "\x9b31m", "\x9b2J", "\x1b[", "\x1b[31",
    "\x9b",
    f"\x1b]8;;https://evil.example/{SECRET}\x07", f"\x1b]8;id=1;https://evil.example/{SECRET}\x1b\\",
    f"\x1b]0;{SECRET}\x07", f"\x1b]52;c;{SECRET}\x07", f"\x9d8;;https://evil.example/{SECRET}\x9c",
    f"\x1bP$q{SECRET}\x1b\\", f"\x1bPtmux;\x1b\x1b]0;{SECRET}\x07\x1b\\", f"\x90{SECRET}\x9c", f"\x1b_{SECRET}\x1b\\",
    f"\x1b^{SECRET}\x1b\\", f"\x1bX{SECRET}\x1b\\", f"\x98{SECRET}\x9c", f"\x9e{SECRET}\x9c", f"\x9f{SECRET}\x9c",
    "\x1bc", "\x1b(0", "\x1b#8", "\x1b7", "\x1b", "\x1b\x1b", f"\x1b]0;{SECRET}", f"\x1bP{SECRET}", f"\x9d{SECRET}",
]  # fmt: skip
"""Escape sequences as ECMA-48, xterm and tmux have them, ended and not."""

HIDDEN = [
    *"\x01\x07\x08\x0b\x0c\x0e\x1f\x7f\x80\x85\x8d\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b\u180e\u180f\u200b\u200c\u200d",
    *"\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u2065\u2066\u2067\u2068\u2069",
    *"\u206a\u206f\u3164\ufe00\ufe0e\ufe0f\ufeff\uffa0\ufff0\ufff9\ufffa\ufffb\ufdd0\uffff\U0001bca0\U0001d173\U000e0001",
    *"\U000e0020\U000e0041\U000e007f\U000e0100\U000e01ef\U000e0fff",
    tags(SECRET), selectors(SECRET), joiners(SECRET), f"🏴{tags('gbxyz')}\U000e007f", f"😀{selectors(SECRET)}",
    f"葛{selectors(SECRET)}"[:1] + selectors(SECRET), "\u0627\u200d\u200d\u200d\u0628", "ক\u200b\u200b",
]  # fmt: skip

CORPUS = [*SEQUENCES, *HIDDEN]

_SHOWN_NOTHING = frozenset(
    (
        *(
            0x34F,
            0x115F,
            0x1160,
            0x17B4,
            0x17B5,
            0x180B,
            0x180C,
            0x180D,
            0x180F,
            0x2065,
            0x3164,
            0xFFA0,
            0xFFFE,
            0xFFFF,
        ),
        *(*range(0xFDD0, 0xFDF0), *range(0xFE00, 0xFE10), *range(0xFFF0, 0xFFFC)),
    )
)
"""Default_Ignorable_Code_Point (and noncharacters) that are neither controls nor format characters."""


def hides(text: str) -> bool:
    """Whether a string has any character that shows nothing: the corpus has none that a script needs."""
    return any(
        (unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"} and char not in "\n\t")
        or ord(char) in _SHOWN_NOTHING
        or 0xE0000 <= ord(char) <= 0xE0FFF
        for char in text
    )


def strings(value: Any) -> Iterator[str]:
    """Every string in some JSON values, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from strings(key)
            yield from strings(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from strings(item)


def leaks(value: Any) -> list[str]:
    """The strings that hide something."""
    return [text for text in strings(value) if hides(text)]
