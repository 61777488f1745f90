"""Replies as shapes for other programs: a GeoJSON FeatureCollection (RFC 7946), or well-known text, one a line."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bearings.reply import Reply

FORMATS = ("geojson", "wkt")

_POSITION = {"lat", "lon", "bbox", "bboxes"}
_OF_THE_WHOLE = {"success", "source", "attribution", "spelling", "hint"}
"""Fields that stand once beside the features when the whole reply is the only feature."""

_PIECES = "bboxes"


def document(reply: Reply, structured: Mapping[str, Any], found: str, detail: str, form: str) -> str:
    """The results of a reply, the list `found` or ("") the reply itself, as a document in the format `form`.

    Outlines are whole, if `detail` requests outlines; without one a result is its point or its box.
    """
    parts = getattr(reply, found) if found else [reply]
    rows = structured[found] if found else [structured]
    features = [_feature(part, row, detail) for part, row in zip(parts, rows, strict=True)]
    if form == "wkt":
        return "".join(f"{_wkt(feature['geometry'])}\n" for feature in features)
    about = {key: structured[key] for key in ("attribution", "source", "hint") if key in structured}
    return _dumped({"type": "FeatureCollection", "features": features, **about}) + "\n"


def _feature(part: Any, row: Mapping[str, Any], detail: str) -> dict[str, Any]:
    shaped = part.whole(detail) if detail != "none" and hasattr(part, "whole") else {}
    values = {key: value for key, value in shaped.items() if key != "geometry" and value is not None}
    hidden = _POSITION | _OF_THE_WHOLE | {key for key in row if key.startswith("geometry")}
    properties = {key: value for key, value in row.items() if key not in hidden} | values
    geometry = shaped.get("geometry") if detail != "none" else _placed(row)
    box = {"bbox": row["bbox"]} if "bbox" in row else {}
    return {"type": "Feature", **box, "geometry": geometry, "properties": properties}


def _placed(row: Mapping[str, Any]) -> dict[str, Any] | None:
    """A result's point, or its box for a box result; None if it has neither."""
    point = row.get("found") or row
    if _PIECES in row:
        return _boxes(row[_PIECES])
    return {"type": "Point", "coordinates": [point["lon"], point["lat"]]} if "lat" in point else None


def _boxes(pieces: Sequence[Sequence[float]]) -> dict[str, Any]:
    rings = [[[w, s], [e, s], [e, n], [w, n], [w, s]] for w, s, e, n in pieces]
    if len(rings) == 1:
        return {"type": "Polygon", "coordinates": rings}
    return {"type": "MultiPolygon", "coordinates": [[ring] for ring in rings]}


def _wkt(geometry: dict[str, Any] | None) -> str:
    from shapely import geometry as shapely_geometry

    from bearings.places import shapes

    return shapes.wkt(shapely_geometry.shape(geometry) if geometry else None)


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
