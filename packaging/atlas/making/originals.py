"""Reads Natural Earth's packages: GeoJSON, packed with 7-Zip or lying unpacked in the same folder."""

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

RELEASE = "4.1"


@dataclass(frozen=True, slots=True)
class Original:
    """A feature of Natural Earth: its row in the file, its columns in lower case, and its geometry made valid."""

    row: int
    columns: dict[str, Any]
    shape: "BaseGeometry"

    def text(self, column: str) -> str:
        """A column's text without white space around it; "" where there is none."""
        return str(self.columns.get(column) or "").strip()

    def number(self, column: str, default: float) -> float:
        """A column's number."""
        value = self.columns.get(column)
        return default if value is None else float(value)


def read(folder: Path, table: str) -> Iterator[Original]:
    """The features of `ne_10m_<table>` that have a geometry, in the order of the file."""
    from shapely import make_valid
    from shapely.geometry import shape

    collection = json.loads(_text(folder, f"ne_10m_{table}"))
    for row, feature in enumerate(collection["features"]):
        if feature["geometry"]:
            columns = {name.lower(): value for name, value in feature["properties"].items()}
            whole = shape(feature["geometry"])
            yield Original(row, columns, whole if whole.is_valid else make_valid(whole))


def _text(folder: Path, name: str) -> bytes:
    unpacked = folder / f"{name}.json"
    return unpacked.read_bytes() if unpacked.exists() else _unpacked(folder / f"{name}.7z")


def _unpacked(package: Path) -> bytes:
    import py7zr
    from py7zr.io import BytesIOFactory

    factory = BytesIOFactory(limit=1 << 30)
    with py7zr.SevenZipFile(package) as archive:
        archive.extractall(factory=factory)
    (content,) = (product for name, product in factory.products.items() if name.endswith((".json", ".geojson")))
    content.seek(0, io.SEEK_SET)
    return bytes(content.read())
