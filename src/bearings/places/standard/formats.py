"""Places in the four JSON forms of Nominatim: fields, their order and types as a real one gives them.

See https://nominatim.org/release-docs/latest/api/Output/. `place_id` is a number made of the object's id: the same in
every answer, and of no meaning elsewhere. Where a field of Nominatim's has no counterpart here, it is left out.
"""

import json
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bearings.places import shapes
from bearings.places.models import Place
from bearings.places.replies import precision
from bearings.places.standard.parameters import Format
from bearings.untrusted import clean_line

UNABLE = '{"error":"Unable to geocode"}'

_TYPES = {"node": "N", "way": "W", "relation": "R"}
_MOST_CHARACTERS = 2_000
_STREET_RANK = 26

_KINDS = {
    "country": "country", "region": "state", "county": "county", "city": "city", "town": "city", "village": "city",
    "neighbourhood": "locality", "street": "street", "house": "house",
}  # fmt: skip
"""The type of a GeocodeJSON result by its precision; a lake or a peak is a locality, as in Nominatim."""

_LICENCE = re.compile(r"ODbL|CC BY(?:-SA)? \d\.\d|CC0|MIT|public domain")

_GEOCODE_KEYS = {
    "house_number": "housenumber", "road": "street", "postcode": "postcode", "country": "country",
    "country_code": "country_code", "county": "county", "state": "state", "region": "state", "province": "state",
    **dict.fromkeys(("city", "town", "village", "municipality"), "city"),
    **dict.fromkeys(("suburb", "city_district", "district", "borough"), "district"),
    **dict.fromkeys(("neighbourhood", "quarter", "hamlet", "locality"), "locality"),
}  # fmt: skip
"""The fields of GeocodeJSON (version 0.1.0) for address keys."""


@dataclass(frozen=True, slots=True)
class Details:
    """The parts of an answer that are asked for. `query` is the text of a search.

    `threshold_deg` is the largest error of outlines in degrees.
    """

    address: bool = True
    extra: bool = False
    names: bool = False
    outline: bool = False
    threshold_deg: float = 0.0
    query: str | None = None


def many(places: Sequence[Place], form: Format, details: Details, attribution: str) -> str:
    """The answer to a search or a look-up."""
    if form in ("json", "jsonv2"):
        return _dumped([_fields(place, form, details, attribution) for place in places])
    return _collection(places, form, details, attribution, None)


def one(place: Place | None, form: Format, details: Details, attribution: str, distance_m: float | None = None) -> str:
    """The answer to a point."""
    if place is None:
        return UNABLE
    if form in ("json", "jsonv2"):
        return _dumped(_fields(place, form, details, attribution))
    return _collection([place], form, details, attribution, distance_m)


def failed(status: int, message: str) -> str:
    """The body of an error."""
    return _dumped({"error": {"code": status, "message": message}})


def status(ready: bool, message: str, version: str, data: Mapping[str, str]) -> str:
    """The answer to the question for the state: 0 is well."""
    data_version = ", ".join(f"{name} {value}" for name, value in data.items() if value)
    return _dumped(
        {
            "status": 0 if ready else 700,
            "message": "OK" if ready else message,
            "software_version": f"bearings {version}",
            **({"database_version": data_version} if data_version else {}),
        }
    )


def place_id(place: Place) -> int:
    """A number that is the same whenever the place is."""
    if place.osm_type is not None and place.osm_id is not None:
        return place.osm_id * 4 + ("node", "way", "relation").index(place.osm_type)
    return zlib.crc32(f"{place.category}/{place.type}/{place.point}/{place.name}".encode()) + (1 << 48)


def names_of(place: Place) -> frozenset[str]:
    """The spellings by which a client may exclude the place."""
    own = [str(place_id(place))]
    return frozenset([*own, f"{_TYPES[place.osm_type]}{place.osm_id}"] if place.osm_type else own)


def _fields(place: Place, form: Format, details: Details, attribution: str) -> dict[str, Any]:
    west, south, east, north = place.bbox
    return {
        "place_id": place_id(place),
        "licence": attribution,
        **_object(place),
        "lat": f"{place.point.lat:.7f}",
        "lon": f"{place.point.lon:.7f}",
        "class" if form == "json" else "category": place.category,
        "type": place.type,
        "place_rank": place.place_rank,
        **_called(place),
        **_asked(place, details),
        "boundingbox": [f"{edge:.7f}" for edge in (south, north, west, east)],
        **({"geojson": shape} if details.outline and (shape := _outline(place, details.threshold_deg)) else {}),
    }


def _called(place: Place) -> dict[str, Any]:
    return {
        "importance": round(place.importance or 0.0, 7),
        "addresstype": _address_type(place),
        "name": _clean(place.name),
        "display_name": _clean(place.display_name),
    }


def _asked(place: Place, details: Details) -> dict[str, Any]:
    """The parts that are given on request."""
    parts: dict[str, Any] = {}
    if details.address:
        parts["address"] = {key: _clean(value) for key, value in place.address.items()}
    if details.extra:
        parts["extratags"] = {key: _clean(value) for key, value in place.tags.items()} or None
    if details.names:
        others = {key: _clean(name) for key, name in place.names.items() if not key.startswith("ISO3166")}
        parts["namedetails"] = {"name": _clean(place.name), **others}
    return parts


def _object(place: Place) -> dict[str, Any]:
    return {} if place.osm_type is None else {"osm_type": place.osm_type, "osm_id": place.osm_id}


def _collection(
    places: Sequence[Place], form: Format, details: Details, attribution: str, distance_m: float | None
) -> str:
    if form == "geojson":
        head: dict[str, Any] = {"licence": attribution}
        features = [_feature(_geojson_properties(place, details), place, details, boxed=True) for place in places]
    else:
        query = {} if details.query is None else {"query": details.query}
        head = {
            "geocoding": {"version": "0.1.0", "attribution": attribution, "licence": _licence(attribution), **query}
        }
        features = [
            _feature({"geocoding": _geocoding(place, details, distance_m)}, place, details, boxed=False)
            for place in places
        ]
    return _dumped({"type": "FeatureCollection", **head, "features": features})


def _feature(properties: Mapping[str, Any], place: Place, details: Details, *, boxed: bool) -> dict[str, Any]:
    point = {"type": "Point", "coordinates": [round(place.point.lon, 7), round(place.point.lat, 7)]}
    return {
        "type": "Feature",
        "properties": properties,
        **({"bbox": [round(edge, 7) for edge in place.bbox]} if boxed else {}),
        "geometry": (_outline(place, details.threshold_deg) if details.outline else None) or point,
    }


def _geojson_properties(place: Place, details: Details) -> dict[str, Any]:
    return {
        "place_id": place_id(place),
        **_object(place),
        "place_rank": place.place_rank,
        "category": place.category,
        "type": place.type,
        **_called(place),
        **_asked(place, details),
    }


def _geocoding(place: Place, details: Details, distance_m: float | None) -> dict[str, Any]:
    """The properties of GeocodeJSON."""
    properties: dict[str, Any] = {
        "place_id": place_id(place),
        **_object(place),
        "osm_key": place.category,
        "osm_value": place.type,
        "type": _kind(place),
        **({} if distance_m is None else {"accuracy": int(distance_m)}),
        "label": _clean(place.display_name),
        **({"name": _clean(place.name)} if place.name else {}),
    }
    if details.address:
        own = _address_type(place)
        for key, value in place.address.items():
            if key in _GEOCODE_KEYS and (key != own or _GEOCODE_KEYS[key] == "city"):
                properties.setdefault(_GEOCODE_KEYS[key], _clean(value))
        properties["admin"] = {}
    if details.extra:
        properties["extra"] = {key: _clean(value) for key, value in place.tags.items()}
    return properties


def _kind(place: Place) -> str:
    """The type of a GeocodeJSON result: that of its own address key, else of its precision."""
    own = _GEOCODE_KEYS.get(_address_type(place)) if place.place_rank < _STREET_RANK else None
    return own if own and own in {*_KINDS.values(), "district"} else _KINDS.get(precision(place), "locality")


def _licence(attribution: str) -> str:
    """The licences that an attribution names, each once; the attribution itself if it names none."""
    return ", ".join(dict.fromkeys(_LICENCE.findall(attribution))) or attribution


def _address_type(place: Place) -> str:
    """The address key of the place itself."""
    own = next((key for key, value in place.address.items() if value == place.name), None)
    if own is not None:
        return own
    return place.type if place.category == "place" else place.category


def _outline(place: Place, threshold_deg: float) -> dict[str, Any] | None:
    shape = place.outline.shape if place.outline is not None else None
    if shape is None:
        return None
    return shapes.geojson(shapes.simplified(shape, threshold_deg).shape if threshold_deg > 0 else shape)


def _clean(text: str) -> str:
    return clean_line(text, _MOST_CHARACTERS)


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
