"""Searches with a postcode, by the layer of postcodes (postcodes.py).

10115, Germany        the code is the answer, a place of the type `postcode`
90210                 the codes of all countries are, and share the confidence
Springfield 62701     the place is the answer; the code decides between namesakes, and becomes part of the address
Potsdam 10115         the code is of another place: it stays unused

If the layer has no such code, a search by name answers.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bearings.places import address, geometry, shapes
from bearings.places.atlas import reverse, settlement
from bearings.places.atlas.answers import Atlas, Named
from bearings.places.atlas.context import Contexts
from bearings.places.atlas.index import Row
from bearings.places.atlas.integrity import CHECKSUM
from bearings.places.atlas.postcodes import ATLAS, Origin, Postcode, Postcodes, key_of
from bearings.places.engine import text
from bearings.places.engine.ranking import Filter
from bearings.places.models import Layer, Match, Place, SearchQuery
from bearings.places.outlines import Outline
from bearings.places.query import parse

RANK = 21
"""Nominatim's rank of a postcode."""

REACH_M, _AREA_REACH_M = 2_500.0, 10_000.0
"""Half the side of the box around a code's own point. Chosen: the median US ZIP code tabulation area is larger, and a
city's smaller. An area of the United Kingdom ("SW") has some hundred codes."""

_SURENESS = {Origin.CODE: 0.9, Origin.ZIP_CODE: 0.9, Origin.SETTLEMENT: 0.8}
"""The confidence of a code in one country, by how its point is known."""

_MOST_SHARED = 0.75
"""The most that a code alone is sure if several countries have it."""

_SHORT, _LEAST_SURE = 0.6, 4
"""The factor on the confidence of a code of up to four digits alone, which may also be a year or an amount."""

_HALF, _AREA = 0.9, 0.5
"""The factor on the confidence if only the first half of a code is known ("M5V"), or its area alone ("SW")."""

_UNLIKE = 0.1
"""The factor on the likelihood of a code that its country writes otherwise: "90210" is not Poland's 90-210."""

_PREFERRED, _NEAR_M = 10.0, 100_000.0
"""The factor on the likelihood of a code in the viewbox, or within this distance of `near`."""

_POINT_NOTE = "Postcodes are known as points."
_NAMESAKES = 40
_SAME_M = 1_000.0
_LAST_COUNTRY_RANK, _LAST_REGION_RANK = 4, 8
_GROWN = 0.25
"""An estimated box grows by this part on each side, so that it is half as large again: radii are of middling towns."""

_HALVES = {
    "gb": re.compile(r"((([A-Z]{1,2})\d)[A-Z\d]?)\d[A-Z]{2}"),
    "ca": re.compile(r"([A-Z]\d[A-Z])\d[A-Z]\d"),
    "nl": re.compile(r"(\d{4})[A-Z]{2}"),
    "us": re.compile(r"(\d{5})\d{4}"),
}
"""The parts of a code that are codes too, longest first."""

_SIGNED = re.compile(r"([A-Z]{1,2})(\d{3,6})")
_SIGNS = {"A": "at", "B": "be", "D": "de", "E": "es", "F": "fr", "I": "it", "L": "lu"}
"""Countries' signs that are no ISO 3166 codes: "D-10115"."""


class ByPostcode:
    """An atlas with the layer of postcodes. Blocking; may be called from any thread."""

    def __init__(self, atlas: Atlas, layer: Postcodes) -> None:
        self._atlas = atlas
        self.layer = layer
        self._is_of_atlas = layer.meta.get(ATLAS) == atlas.index.meta.get(CHECKSUM)

    def search(self, query: SearchQuery) -> Named:
        """As Atlas.search. A query without a postcode costs nothing more."""
        written, around = _asked(query)
        if not written:
            return self._atlas.search(query)
        read = self._read(written, query)
        if not read.codes:
            return self._unread(self._atlas.search(query), query)
        if not around and query.structured is not None:
            return self._alone(read, query)
        named = self._atlas.search(replace(query, limit=max(query.limit, _NAMESAKES)))
        if not around and not named.places:
            is_short = len(key_of(written)) <= _LEAST_SURE
            return self._alone(replace(read, trust=read.trust * _SHORT) if is_short else read, query)
        found = self._beside(named, read, query) or self._in_areas(around, read, query) or self._unread(named, query)
        return found._replace(places=found.places[: query.limit])

    def _read(self, written: str, query: SearchQuery) -> "_Read":
        """What is known of a postcode: all of it, else its country's of a sign, else its first part."""
        key = key_of(written)
        signed = _SIGNED.fullmatch(key)
        ways = [(key, "", "")]
        ways += [(signed[2], _SIGNS.get(signed[1], signed[1].lower()), "")] if signed else []
        halves = ((country, pattern.fullmatch(key)) for country, pattern in _HALVES.items())
        ways += [
            (part, country, _behind(written, len(part))) for country, half in halves if half for part in half.groups()
        ]
        only = Filter(query.country_codes, query.near, query.viewbox, query.bounded)
        for part, country, rest in ways if not query.layer or "address" in query.layer else ():
            codes = tuple(
                code
                for code in self.layer.of(part)
                if country in ("", code.country) and only.admits(code.point, Layer.SETTLEMENT, code.country)
            )
            if codes:
                if part.isalpha():  # of "SW1A 2AA" the area alone is known, and "1A 2AA" is no code
                    return _Read(written, codes, written, _AREA)
                return _Read(written, codes, rest, _HALF if rest else 1.0)
        return _Read(written)

    def _alone(self, read: "_Read", query: SearchQuery, unused: Sequence[str] = (), most: float = 1.0) -> Named:
        """The codes as places, likeliest first."""
        settled = {code: self._settlement(code) for code in read.codes}
        weights = {code: self._likelihood(code, settled[code], read, query) for code in read.codes}
        likely = sorted(read.codes, key=lambda code: -weights[code])[: query.limit]
        most = most if len(read.codes) == 1 else min(most, _MOST_SHARED)
        sure = {code: read.trust * _SURENESS[code.origin] * weights[code] / sum(weights.values()) for code in likely}
        places = [self._place(code, settled[code], query, min(most, sure[code])) for code in likely]
        return Named(tuple(places), unused=tuple(unused or filter(None, [read.rest])), credit=_credit(likely))

    def _likelihood(self, code: Postcode, row: Row | None, read: "_Read", query: SearchQuery) -> float:
        """How likely a code is meant, up to a factor: the people of its country times the root of its settlement's.

        Each country's people ask for their own codes, and for those of a city more often than for a village's, though
        not as often as it is larger, for a city has many codes.
        """
        country = self._atlas.index.area(self._atlas.index.country(code.country) or 0)
        people = max(1, country.population if country else 0) * math.sqrt(max(1, row.population if row else 0))
        box, near = query.viewbox, query.near
        is_near = near is not None and geometry.distance_m(near, code.point) <= _NEAR_M
        is_preferred = is_near or (box is not None and geometry.contains(box, code.point))
        is_alike = code.written.casefold() in read.written.casefold()
        return people * (1.0 if is_alike else _UNLIKE) * (_PREFERRED if is_preferred else 1.0)

    def _beside(self, named: Named, read: "_Read", query: SearchQuery) -> Named | None:
        """The answer to a code beside a name; None if no place of the name has it."""
        holding = [(place, code) for place in named.places for code in read.codes if _is_in(code, place)]
        if not holding:
            return None
        unused = _without(named.unused, read)
        first, code = holding[0]
        row = self._settlement(code)
        is_city_state = row is not None and self._atlas.index.name(row, query.language) == first.name
        if first.place_rank <= _LAST_COUNTRY_RANK or (first.place_rank <= _LAST_REGION_RANK and not is_city_state):
            most = (first.confidence or 0.0) if len(unused) > bool(read.rest) else 1.0
            return self._alone(replace(read, codes=(code,)), query, unused, most)
        whole = sum(place.confidence or 0.0 for place in named.places)
        more = whole / max(sum(place.confidence or 0.0 for place, _ in holding), 1e-9)
        places = [
            replace(
                place,
                address=address.ordered({**place.address, "postcode": code.written}),
                confidence=min(0.99, round((place.confidence or 0.0) * more, 3)),
            )
            for place, code in holding
        ]
        return named._replace(places=tuple(places), unused=unused, credit=_credit([code for _, code in holding]))

    def _in_areas(self, around: Sequence[str], read: "_Read", query: SearchQuery) -> Named | None:
        """The codes in whose areas the rest of the query lies: "CA 94105" is not in Canada."""
        keys, contexts = tuple(map(text.normalise, around)), Contexts(self._atlas.index)
        rows = ((code, self._settlement(code)) for code in read.codes if all(keys))
        codes = tuple(code for code, row in rows if row is not None and contexts.fits(row, keys))
        return self._alone(replace(read, codes=codes), query) if codes else None

    def _settlement(self, code: Postcode) -> Row | None:
        """The settlement of a code; the nearest of its country if the layer names none of this atlas."""
        if code.place is not None and self._is_of_atlas:
            return self._atlas.index.area(code.place)
        within = reverse.Within(code.country)
        found = reverse.nearest(self._atlas.index, code.point, within, settlement.radius_m)
        return None if found is None else found[1]

    def _place(self, code: Postcode, row: Row | None, query: SearchQuery, confidence: float) -> Place:
        """A code as a place: at its own point with a box of some kilometres, or with its settlement's point and box."""
        reach_m = _AREA_REACH_M if code.written.isalpha() else REACH_M
        place = Place(
            code.written, code.written, code.point, geometry.around(code.point, reach_m), "estimated", "place",
            "postcode", RANK, address={"postcode": code.written, "country_code": code.country}, match=Match.CODE,
            confidence=round(confidence, 3),
            outline=None if query.geometry == "none" else Outline(shapes.of_point(code.point), note=_POINT_NOTE),
        )  # fmt: skip
        if row is None:
            return place
        home = self._atlas.described(row, query.language)
        return replace(
            place,
            display_name=f"{code.written}, {home.display_name}",
            bbox=home.bbox if code.origin is Origin.SETTLEMENT else place.bbox,
            importance=home.importance,
            address=address.ordered({**home.address, "postcode": code.written}),
            time_zone=home.time_zone,
            disputed=home.disputed,
        )

    def _unread(self, named: Named, query: SearchQuery) -> Named:
        """A search by name, with a note if the layer has no code of its country."""
        found = named.places[0].address.get("country_code") if named.places else None
        country = found or (query.country_codes[0] if len(query.country_codes) == 1 else None)
        if country is None or country in self.layer.countries:
            return named
        row = self._atlas.index.area(self._atlas.index.country(country) or 0)
        name = country if row is None else self._atlas.index.name(row, query.language)
        return named._replace(note=f"No postcodes of {name} are known: ask for the town.")


@dataclass(frozen=True, slots=True)
class _Read:
    """A postcode as written, its codes, the `rest` that is unknown, and the trust in the codes."""

    written: str
    codes: tuple[Postcode, ...] = ()
    rest: str = ""
    trust: float = 1.0


def _asked(query: SearchQuery) -> tuple[str | None, tuple[str, ...]]:
    """The postcode of a query, and the parts beside it."""
    if (fields := query.structured) is not None:
        others = (fields.amenity, fields.street, fields.city, fields.county, fields.state, fields.country)
        return fields.postalcode, tuple(filter(None, others))
    parsed = query.parsed or parse(query.text or "")
    return parsed.postcode, parsed.plain.parts if parsed.plain else ()


def _is_in(code: Postcode, place: Place) -> bool:
    """Whether a code is one of a place: its point is the place's, or lies in the place's box."""
    if code.country != place.address.get("country_code"):
        return False
    box = geometry.padded(place.bbox, _GROWN) if place.bbox_kind == "estimated" else place.bbox
    is_country = place.place_rank <= _LAST_COUNTRY_RANK
    return is_country or geometry.contains(box, code.point) or geometry.distance_m(code.point, place.point) < _SAME_M


def _credit(codes: Sequence[Postcode]) -> str:
    return "; ".join(dict.fromkeys(code.origin.attribution for code in codes))


def _behind(written: str, count: int) -> str:
    """The text behind the first letters and digits, so many of them."""
    ends = [match.end() for match in re.finditer(r"[0-9A-Za-z]", written)]
    return written[ends[count - 1] :].strip(" -")


def _without(unused: Sequence[str], read: _Read) -> tuple[str, ...]:
    """The parts that are unused without the code, but with the rest of it."""
    code = re.compile(rf"(?<!\w){re.escape(read.written)}(?!\w)")
    return tuple(filter(None, (" ".join(code.sub(lambda _: read.rest, part).split()) for part in unused)))
