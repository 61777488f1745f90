"""Places as resources: GeoJSON (RFC 7946), with outlines of the size that replies have."""

import json
from collections.abc import Mapping
from typing import Any

from bearings.reply import Reply
from bearings.resource import Resource

_GEOJSON = "application/geo+json"
_POSITION = frozenset({"lat", "lon", "bbox", "geometry"})


def resources() -> tuple[Resource, ...]:
    """A place by its OpenStreetMap id, and the best match of words."""
    return (
        Resource(
            template="bearings://places/osm/{osm_id}",
            name="place-by-id",
            title="Place by id, as GeoJSON",
            description="An OpenStreetMap object with its outline: bearings://places/osm/R175905.",
            content_type=_GEOJSON,
            tool="lookup_places",
            arguments=lambda given: {"osm_ids": [given["osm_id"]], "geometry": "simplified"},
            text=_collection,
        ),
        Resource(
            template="bearings://places/{query}",
            name="place-by-name",
            title="Place by name, as GeoJSON",
            description="The best match of a name or an address, with its outline: bearings://places/Fiji.",
            content_type=_GEOJSON,
            tool="geocode",
            arguments=lambda given: {"query": given["query"], "limit": 1, "geometry": "simplified"},
            text=_collection,
        ),
    )


def _collection(reply: Reply) -> str:
    """The results as a FeatureCollection, with the reply's other fields beside them, such as its attribution."""
    values = reply.structured()
    features = [_feature(row) for row in values.pop("results")]
    about = {name: value for name, value in values.items() if name not in ("success", "count")}
    collection = {"type": "FeatureCollection", "features": features, **about}
    return json.dumps(collection, ensure_ascii=False, separators=(",", ":"))


def _feature(row: Mapping[str, Any]) -> dict[str, Any]:
    """A place with its outline, or at its point if the source has no outline."""
    point = {"type": "Point", "coordinates": [row["lon"], row["lat"]]}
    return {
        "type": "Feature",
        "bbox": row["bbox"],
        "geometry": row.get("geometry", point),
        "properties": {name: value for name, value in row.items() if name not in _POSITION},
    }
