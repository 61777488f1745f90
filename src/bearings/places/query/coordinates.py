"""A pair of coordinates in any usual form, or the problem with it.

Without letters or labels latitude comes first, as in ISO 6709 and `geo:` URIs; WKT has longitude first. An impossible
pair is reported, never corrected by a guess: "91, 181" is a problem, and the problem of "100, 40" names the swap.
"""

import re
from collections.abc import Iterator, Sequence

from bearings.places.models import Point, Problem
from bearings.places.query.angles import LABELS, MINUS, Angle, Axis, Token, angle, tokens

_N = r"[+-]?(?:\d{1,15}(?:\.\d{0,30})?|\.\d{1,30})"
_GEO = re.compile(rf"geo:\s?({_N}),({_N})(?:,{_N})?((?:;[\w.%-]+(?:=[^;?\s]*)?)*)(?:\?\S*)?", re.IGNORECASE)
_WKT = re.compile(rf"(?:SRID=4326;)?\s?POINT\s?(?:Z\s?)?\(\s?({_N})\s({_N})(?:\s{_N})?\s?\)", re.IGNORECASE)
_LINKS = (
    re.compile(
        rf"https?://\S{{0,200}}?[@/?&#](?:@|q=|ll=|loc:|mlat=|map=\d{{1,2}}(?:\.\d+)?/)({_N})(?:,|/|&mlon=)({_N})\b\S*"
    ),
    re.compile(rf"https?://[^\s@]{{0,200}}@({_N}),({_N}),\S*"),
)
_ISO_6709 = re.compile(
    r"([+-])(\d{2})(?:(\d{2})(\d{2})?)?(\.\d{1,20})?([+-])(\d{3})(?:(\d{2})(\d{2})?)?(\.\d{1,20})?([+-]\d+(?:\.\d*)?)?(?:CRS\w+)?/?"
)
_AVIATION = re.compile(
    r"(\d{2})(\d{2})(\d{2}(?:\.\d+)?)? ?([NS])[ ,]{0,2}(\d{2,3})(\d{2})(\d{2}(?:\.\d+)?)? ?([EW])", re.IGNORECASE
)
"""An even number of digits has two of degrees, also for a longitude: "930000W" is 93 degrees."""
_DASHED = re.compile(r"(\d{1,3})-(\d{1,2})(?:-(\d{1,2}(?:\.\d{1,20})?))?(?= ?[NSEW]\b)", re.IGNORECASE)
_DECIMAL_COMMAS = re.compile(rf"([+{MINUS}]?\d{{1,3}}),(\d{{1,15}})(°? ?[^\W\d_]{{0,9}})(?:\s?[;/|]\s?|\s|, )"
                             rf"([+{MINUS}]?\d{{1,3}}),(\d{{1,15}})(°? ?[^\W\d_]{{0,9}})")  # fmt: skip
_HEADER = re.compile(r"([^\W\d_]{1,20}+)\s?[,/;]?\s?([^\W\d_]{1,20}+)\s?[:=]?\s?(?=[\d+(\-−.])", re.IGNORECASE)
_BRACKETS = re.compile(r"[(\[{<](.*)[)\]}>]")

_SURE = re.compile(r"\d[.,]\d{3}|\d ?[°º˚]|\d ?[NSEW]\b|\b[NSEW] ?\d")
"""A mark of degrees beside other words: prices and house numbers have none."""
_HEIGHT = re.compile(
    r"[,;/\s]\s?(?:(?:alt|altitude|elevation|height)[.:]?\s?)?[+-]?\d{1,5}(?:\.\d{1,9})?\s?"
    r"(?:m|met(?:re|er)s?|ft|feet)\.?(?:\s?a\.?m?\.?s\.?l\.?)?", re.IGNORECASE
)  # fmt: skip

# Dates and postcodes.
_OTHER = re.compile(r"\d{4}-\d\d?-\d\d?|\d{3} \d{2}|\d{2} \d{3}|\d{5} \d{4}|\d{3} \d{3}|\d+-\d+")

_WRITE = "Write latitude, then longitude, in degrees: '40.7, -74.0' or '40.7 N, 74 W'."
_MOST_TOKENS = 24
_MOST_WORDS_BESIDE = 8
_LONGEST_DEGREES = 3


def read(text: str) -> Point | Problem | None:
    """The point of a text that is a pair of coordinates; its problem; None for other text.

    `text` comes from `tidy.numeric`.
    """
    for pattern, swapped in ((_GEO, False), (_WKT, True), *((link, False) for link in _LINKS)):
        if match := pattern.fullmatch(text):
            if "crs=" in text.casefold() and "crs=wgs84" not in text.casefold():
                return Problem("its coordinate reference system is not WGS 84", _WRITE)
            first, second = float(match[1]), float(match[2])
            return _point(second, first) if swapped else _point(first, second)
    return _compact(text) or _written(text)


def beside(text: str) -> tuple[Point, tuple[str, ...]] | None:
    """The point of a text that says more than it, and that rest: "Paris 48.8566, 2.3522", "40.7128, -74.0060, 10m".

    None for other text. `text` comes from `tidy.numeric`, and `read` reads nothing in it.
    """
    if len(_SURE.findall(text)) < 2:
        return None
    if match := next((each for each in _HEIGHT.finditer(text) if each.end() == len(text)), None):
        point = read(text[: match.start()])
        return (point, (match[0].strip(" ,;/"),)) if isinstance(point, Point) else None
    words = text.split(" ")
    for names, pair, end in _cuts(words):
        if any(map(str.isdigit, " ".join(names))) or tokens(end.strip(",;")):
            continue
        point = read(" ".join(pair).strip(" ,;:@-"))
        if isinstance(point, Point):
            return point, (" ".join(names).strip(" ,;:@()[]-"),)
    return None


def _cuts(words: Sequence[str]) -> Iterator[tuple[Sequence[str], Sequence[str], str]]:
    """(words of a name, the others, the name's word next to them), with the name first or last and ever longer."""
    for cut in range(1, min(len(words), _MOST_WORDS_BESIDE + 1)):
        yield words[:cut], words[cut:], words[cut - 1]
        yield words[-cut:], words[:-cut], words[-cut]


def _compact(text: str) -> Point | Problem | None:
    """ISO 6709 ("+40.75-073.99/") and aviation's digits ("404456N0735911W")."""
    if match := _ISO_6709.fullmatch(text):
        lat, lon = (_whole(match.groups()[at : at + 5]) for at in (0, 5))
        return _point(lat, lon)
    if match := _AVIATION.fullmatch(text):
        return _written(
            f"{match[1]}:{match[2]}:{match[3] or 0}{match[4]} {match[5]}:{match[6]}:{match[7] or 0}{match[8]}"
        )
    return None


def _whole(groups: Sequence[str | None]) -> float:
    """Degrees of ISO 6709's sign, degrees, minutes, seconds and the fraction of the last of them."""
    sign, *digits, fraction = groups
    numbers = [each for each in digits if each is not None]
    numbers[-1] += fraction or ""
    size = sum(float(each) / (1, 60, 3600)[power] for power, each in enumerate(numbers))
    return -size if sign == "-" else size


def _written(text: str) -> Point | Problem | None:
    """A pair written with words, signs and numbers."""
    text, header = _without_header(text)
    if match := _BRACKETS.fullmatch(text):
        text = match[1].strip()
    text = _DASHED.sub(lambda part: ":".join(group for group in part.groups() if group), text)
    if match := _DECIMAL_COMMAS.fullmatch(text):
        text = f"{match[1]}.{match[2]}{match[3]}; {match[4]}.{match[5]}{match[6]}"
    if _OTHER.fullmatch(text):
        return None
    pieces = tokens(text)
    if not pieces or len(pieces) > _MOST_TOKENS or not any(piece.kind == "N" for piece in pieces):
        return None
    halves = _halves(pieces)
    if not _may_be(pieces, halves):
        return None
    angles = [angle(half) for half in halves]
    known = [each for each in angles if each is not None]
    return _pair(known, header) if len(known) == len(angles) else None


def _may_be(pieces: list[Token], halves: list[list[Token]]) -> bool:
    """Whether the numbers are likelier degrees than a date, a telephone number, "24/7" or "10:30"."""
    kinds = {piece.kind for piece in pieces}
    numbers = [piece.text for piece in pieces if piece.kind == "N"]
    if len(halves) == 1:
        return len(numbers) == 1 or bool(kinds & set("DHL"))
    if kinds <= set("N,;/|&") and all(number.isdigit() for number in numbers):
        return not kinds & set("/|&") and all(len(number) <= _LONGEST_DEGREES for number in numbers)
    return True


def _without_header(text: str) -> tuple[str, tuple[Axis, Axis] | None]:
    """The text after "lat/lon:", and the axes of that header."""
    match = _HEADER.match(text)
    first, second = (LABELS.get(word.casefold()) for word in match.groups()) if match else (None, None)
    if match is None or first is None or second is None:
        return text, None
    return text[match.end() :], (first, second)


def _halves(pieces: list[Token]) -> list[list[Token]]:
    """The tokens of each angle: split at commas; else at letters, labels, signs or degree signs; else in the middle."""
    cut: list[list[Token]] = [[]]
    for piece in pieces:
        if piece.kind in ",;/|&":
            cut.append([])
        else:
            cut[-1].append(piece)
    cut = [each for each in cut if each]
    if len(cut) != 1:
        return cut
    at = _cut(cut[0])
    return [cut[0][:at], cut[0][at:]] if at else cut


def _cut(pieces: list[Token]) -> int | None:
    """The start of the second of two angles without a comma; None if there is one angle."""
    kinds = [piece.kind for piece in pieces]
    for lead in ("L", "H"):
        if kinds.count(lead) > 1 and kinds[0] == lead:
            return kinds.index(lead, 1)
    if "H" in kinds[:-1] and kinds[0] != "H":
        return kinds.index("H") + 1
    numbers = [at for at, kind in enumerate(kinds) if kind == "N"]
    starts = [at for at in numbers[1:] if not pieces[at].text[0].isdigit() and pieces[at].text[0] != "."]
    starts += [at - 1 for at, kind in enumerate(kinds) if kind == "D" and at - 1 in numbers[1:]]
    if starts:
        return min(starts)
    return numbers[len(numbers) // 2] if len(numbers) in (2, 4, 6) and set(kinds) <= {"N", "L"} else None


def _pair(found: list[Angle], header: tuple[Axis, Axis] | None) -> Point | Problem | None:
    """The point of two angles, or its problem. Fewer or more angles are a problem only if clearly degrees."""
    marked = any(each.marked for each in found)
    if len(found) != 2:
        return _not_two(found) if marked else None
    fault = next((each.fault for each in found if each.fault), None)
    if fault and not marked:
        return None
    if fault:
        return Problem(f"reads like coordinates, but {fault}", "Write degrees with E or W, N or S: '40.7 N, 74 W'.")
    axes = header or (found[0].axis, found[1].axis)
    first, second = found[0].degrees, found[1].degrees
    if axes[0] is not None and axes[0] == axes[1]:
        return Problem(f"has two {'latitudes' if axes[0] == 'lat' else 'longitudes'}", _WRITE) if marked else None
    if axes[0] == "lon" or axes[1] == "lat":
        return _point(second, first, signed=True)
    return _point(first, second, signed=any(axes))


def _not_two(found: list[Angle]) -> Problem | None:
    if len(found) == 1:
        only = {"lat": "a latitude without a longitude", "lon": "a longitude without a latitude"}
        is_name = found[0].axis is None and float(found[0].degrees).is_integer()
        return None if is_name else Problem(f"is {only.get(found[0].axis or '', 'one number, not a pair')}", _WRITE)
    if len(found) == 4:
        return Problem("has four numbers, as a box has", "Pass a box as viewbox, or ask for one of its points.")
    return Problem(f"has {len(found)} numbers; a point has two", _WRITE)


def _point(lat: float, lon: float, *, signed: bool = False) -> Point | Problem:
    """The point in range, or its problem. `said`: letters or labels named the axes."""
    if abs(lat) <= 90 and abs(lon) <= 180:
        return Point(lat + 0.0, lon + 0.0)
    problem = f"reads as latitude {lat:g}, longitude {lon:g}, which is not on Earth"
    if not signed and abs(lon) <= 90 and abs(lat) <= 180:
        return Problem(problem, f"If longitude comes first, swap them: '{lon:g}, {lat:g}'.")
    return Problem(problem, "Latitude lies within -90…90 and longitude within -180…180, in degrees.")
