"""Replies of tools, written by hand, for tests of the views."""

from typing import Any

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
"""The context of a page on a phone."""

FIJI: dict[str, Any] = {
    "success": True,
    "place_name": "Fiji",
    "display_name": "Fiji",
    "bbox": [174.5889, -21.7111, -178.2161, -12.4798],
    "bboxes": [[174.5889, -21.7111, 180.0, -12.4798], [-180.0, -21.7111, -178.2161, -12.4798]],
    "bbox_kind": "exact",
    "center": {"lat": -17.09545, "lon": 178.1864},
    "area_km2": 784094.0,
    "source": {"backend": "gazetteer"},
    "attribution": "Natural Earth",
}
ROUTE: dict[str, Any] = {
    "success": True,
    "points": [
        {"name": "Tokyo", "lat": 35.6895, "lon": 139.69171},
        {"name": "Honolulu", "lat": 21.30694, "lon": -157.85833},
        {"name": "Atlantis", "error": {"error": "no place matches 'Atlantis'", "hint": "Check the spelling."}},
        {"name": "Lima", "lat": -12.04318, "lon": -77.02824},
    ],
    "legs": [{"start": 0, "end": 1, "distance_m": 6206123.4}],
    "total_distance_m": 6206123.4,
}
CITIES: dict[str, Any] = {
    "success": True,
    "results": [
        {"name": name, "display_name": f"{name}, Illinois", "precision": "city", "lat": lat, "lon": lon}
        for name, lat, lon in (("Springfield", 39.8, -89.6), ("Chicago", 41.9, -87.6), ("Peoria", 40.7, -89.6))
    ],
    "count": 3,
}


def batch(points: list[tuple[float, float]]) -> dict[str, Any]:
    """A reply with one place for each point."""
    items = [
        {"query": f"query {number}", "results": [{"name": f"place {number}", "lat": lat, "lon": lon}]}
        for number, (lat, lon) in enumerate(points)
    ]
    return {"success": True, "items": items, "total": len(items), "answered": len(items)}


CHANGES: dict[str, Any] = {
    "success": True, "base": "main", "changed_total": 2, "reached_total": 1, "tests_total": 0,
    "changed": [
        {"element": "a.py#f:1", "type": "function", "status": "added", "lines": 3, "tests": 0},
        {"element": "a.py#C:9", "type": "class", "status": "removed", "lines": 9, "tests": 1},
    ],
    "reached": [
        {
            "element": "b.py#g:1", "type": "function", "file": "b.py", "line": 2, "depth": 1, "why": "calls f",
            "severity": "major", "test": False,
        },
    ],
}  # fmt: skip
