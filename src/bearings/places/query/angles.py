"""One angle in any usual form: degrees, minutes and seconds, with a sign, a hemisphere or a label."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Axis = Literal["lat", "lon"]

_HEMISPHERES: dict[str, tuple[Axis, int]] = {
    **dict.fromkeys(("n", "north", "nord", "norte", "noord"), ("lat", 1)),
    **dict.fromkeys(("s", "south", "sud", "süd", "sur", "sul", "zuid"), ("lat", -1)),
    **dict.fromkeys(("e", "east", "ost", "est", "este", "leste", "oost"), ("lon", 1)),
    **dict.fromkeys(("w", "west", "ouest", "oeste", "ovest"), ("lon", -1)),
}
_EITHER_WAY = "o"
"""East in German, west in French, Spanish, Italian and Portuguese."""

LABELS: dict[str, Axis] = {
    **dict.fromkeys(("lat", "latitude", "latitud", "latitudine", "breite", "breedtegraad"), "lat"),
    **dict.fromkeys(("lon", "lng", "long", "longitude", "longitud", "longitudine", "länge", "lengtegraad"), "lon"),
}
_DEGREES = ("°", "º", "˚", "d", "deg", "degs", "degree", "degrees", "grad", "grados", "degrés", "gradi", "graus")
_MINUTES = ("'", "′", "’", "‘", "´", "`", "ʹ", "ʼ", "m", "min", "mins", "minute", "minutes", "minuten", "minutos")
_SECONDS = ('"', "″", "”", "“", "„", "ʺ", "''", "′′", "’’", "´´", "sec", "secs", "second", "seconds", "sekunden")
_UNITS = {
    **dict.fromkeys(_DEGREES, "D"),
    **dict.fromkeys(_MINUTES, "M"),
    **dict.fromkeys(_SECONDS, "S"),
}
MINUS = "−–‐‑﹣-"
_TOKEN = re.compile(
    rf"(?P<number>[+{MINUS}]?(?:\d{{1,15}}(?:\.\d{{0,30}})?|\.\d{{1,30}}))"
    r"|(?P<unit>''|′′|’’|´´|[°º˚'′’‘´`ʹʼ\"″”“„ʺ]|(?<=\d)[dms](?=[NSEWnsew]\b))"
    r"|(?P<word>[^\W\d_]+)\.?"
    r"|(?P<mark>[,;/|&:=])"
    r"|\s+"
)
_ANGLE = re.compile(r"L?[:=]?H?N[D:]?(?:N[M:]?(?:NS?)?)?H?")
"""The shapes of an angle: a letter for each token, as in `Token.kind`."""

_SIXTY = 60


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a text. `kind`: N number, D M S a unit, H hemisphere, L label, a mark of punctuation itself."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Angle:
    """An angle: `degrees` with the sign of its hemisphere; `axis` if a letter or a label tells.

    `marked`: the spelling is that of a coordinate and nothing else: it has a fraction, a unit, a sign or a label.
    """

    degrees: float
    axis: Axis | None = None
    marked: bool = False
    fault: str | None = None


def tokens(text: str) -> list[Token] | None:
    """The tokens of a text; None if a word or sign in it can't be part of an angle."""
    pieces: list[Token] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            return None
        position = match.end()
        if match.lastgroup and (kind := _kind(match.lastgroup, match[match.lastgroup], pieces)):
            pieces.append(Token(kind, match[match.lastgroup]))
        elif match.lastgroup:
            return None
    return pieces


def _kind(group: str, text: str, before: Sequence[Token]) -> str | None:
    if group != "word":
        return "N" if group == "number" else _UNITS.get(text, "S") if group == "unit" else text
    word = text.casefold()
    behind_number = bool(before) and before[-1].kind == "N"
    if text == "s" and behind_number and len(before) > 1 and before[-2].kind == "M":
        return "S"
    if word in _UNITS and behind_number:
        return _UNITS[word]
    return "L" if word in LABELS else "H" if word in _HEMISPHERES or word == _EITHER_WAY else None


def angle(pieces: Sequence[Token]) -> Angle | None:
    """The angle of the tokens; None if they are no angle. `fault` explains an impossible one."""
    shape = "".join(piece.kind for piece in pieces)
    if not _ANGLE.fullmatch(shape) or shape.count("H") > 1:
        return None
    numbers = [_plain(piece.text) for piece in pieces if piece.kind == "N"]
    letter = next((piece.text.casefold() for piece in pieces if piece.kind == "H"), None)
    label = next((LABELS[piece.text.casefold()] for piece in pieces if piece.kind == "L"), None)
    axis, sign = _HEMISPHERES.get(letter or "", (None, 0))
    size = sum(abs(float(number)) / _SIXTY**power for power, number in enumerate(numbers))
    negative = numbers[0].startswith("-")
    return Angle(
        degrees=size * (sign or (-1 if negative else 1)),
        axis=axis or label,
        marked=bool(label or set(shape) & set("DMS:")) or any("." in each or each[0] in "+-" for each in numbers),
        fault=_fault(numbers, letter, axis, label),
    )


def _fault(numbers: Sequence[str], letter: str | None, axis: Axis | None, label: Axis | None) -> str | None:
    if letter == _EITHER_WAY:
        return "O is east in German, and west in French, Spanish, Italian and Portuguese"
    if axis and label and axis != label:
        return f"{(letter or '').upper()} is no direction of {'latitude' if label == 'lat' else 'longitude'}"
    if letter and numbers[0].startswith("-"):
        return "it has both a minus sign and a hemisphere"
    if any(each[0] in "+-" or float(each) >= _SIXTY for each in numbers[1:]):
        return "minutes and seconds run from 0 to below 60"
    if any(float(each) % 1 for each in numbers[:-1]):
        return "only the last of degrees, minutes and seconds may have a fraction"
    return None


def _plain(number: str) -> str:
    """The number with ASCII's minus."""
    return "-" + number[1:] if number[0] in MINUS else number
