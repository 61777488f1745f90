"""Famous features that Natural Earth lacks, by hand from general knowledge: points, and estimated boxes."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bearings.places import geometry
from bearings.places.models import BBox, Point
from builder.feature import Feature, Layer, Name
from making import features

_POINTS: tuple[tuple[str, str, float, float, float | None, float, tuple[str, ...]], ...] = (
    # kind, name, latitude, longitude, height in metres, fame, further names
    ("peak", "Makalu", 27.8897, 87.0889, 8485, 0.6, ()),
    ("peak", "Lhotse", 27.9617, 86.9333, 8516, 0.6, ()),
    ("peak", "Cho Oyu", 28.0942, 86.6608, 8188, 0.55, ()),
    ("peak", "Manaslu", 28.5497, 84.5597, 8163, 0.55, ()),
    ("peak", "Annapurna", 28.5961, 83.8203, 8091, 0.7, ("Annapurna I",)),
    ("peak", "Mount St. Helens", 46.1912, -122.1944, 2549, 0.7, ("Mount Saint Helens",)),
    ("peak", "Pikes Peak", 38.8405, -105.0442, 4302, 0.6, ()),
    ("peak", "Half Dome", 37.746, -119.5332, 2694, 0.6, ()),
    ("peak", "Mauna Loa", 19.475, -155.608, 4169, 0.65, ()),
    ("peak", "Kīlauea", 19.421, -155.287, 1247, 0.65, ("Kilauea",)),
    ("peak", "Table Mountain", -33.9625, 18.4033, 1085, 0.7, ("Tafelberg",)),
    ("peak", "Jungfrau", 46.5367, 7.9625, 4158, 0.65, ()),
    ("peak", "Eiger", 46.5775, 8.0053, 3967, 0.65, ()),
    ("peak", "Mount Sinai", 28.5394, 33.9733, 2285, 0.65, ("Jabal Musa", "Jebel Musa")),
    ("peak", "Galdhøpiggen", 61.6364, 8.3125, 2469, 0.5, ()),
    ("peak", "Cotopaxi", -0.6806, -78.4378, 5897, 0.6, ()),
    ("peak", "Sugarloaf Mountain", -22.9493, -43.1545, 396, 0.6, ("Pão de Açúcar",)),
    ("peak", "Mount Rushmore", 43.8791, -103.4591, 1745, 0.65, ()),
    ("peak", "Scafell Pike", 54.4542, -3.2117, 978, 0.5, ()),
    ("cape", "John o’ Groats", 58.6373, -3.0689, None, 0.4, ("John o Groats",)),
)  # fmt: skip

_BOXES: tuple[tuple[str, str, tuple[float, float, float, float], float, tuple[str, ...]], ...] = (
    # kind, name, west, south, east, north, fame, further names
    ("desert", "Mojave Desert", (-118.6, 34.0, -113.9, 37.5), 0.7, ("Mojave",)),
    ("desert", "Judaean Desert", (35.1, 31.1, 35.5, 32.0), 0.5, ("Judean Desert",)),
    ("peninsula", "Sinai Peninsula", (32.3, 27.7, 34.95, 31.35), 0.75, ("Sinai",)),
    ("peninsula", "Gallipoli", (26.15, 40.03, 26.95, 40.6), 0.55, ("Gallipoli Peninsula", "Gelibolu Peninsula")),
    ("peninsula", "Istria", (13.4, 44.75, 14.4, 45.7), 0.55, ("Istrian Peninsula", "Istra")),
    ("peninsula", "Olympic Peninsula", (-124.75, 46.9, -122.5, 48.4), 0.5, ()),
    ("mountain_range", "Dolomites", (11.2, 46.0, 12.6, 46.9), 0.65, ("Dolomiti", "Dolomite Alps")),
    ("mountain_range", "Black Forest", (7.6, 47.5, 8.7, 49.0), 0.65, ("Schwarzwald",)),
    ("mountain_range", "Bavarian Forest", (12.5, 48.5, 13.9, 49.4), 0.45, ("Bayerischer Wald",)),
    ("mountain_range", "Pennines", (-2.9, 53.0, -1.5, 55.0), 0.55, ("The Pennines",)),
    ("mountain_range", "Scottish Highlands", (-6.3, 56.0, -3.0, 58.7), 0.65, ("Highlands of Scotland",)),
    ("mountain_range", "Great Smoky Mountains", (-84.0, 35.3, -82.9, 35.95), 0.6, ("Smoky Mountains", "Great Smokies")),
    ("mountain_range", "Teton Range", (-111.0, 43.4, -110.5, 44.15), 0.5, ("Tetons",)),
    ("mountain_range", "Adirondack Mountains", (-75.3, 43.2, -73.4, 44.9), 0.55, ("Adirondacks",)),
    ("mountain_range", "Rhodope Mountains", (23.5, 41.0, 26.2, 42.2), 0.5, ("Rhodopes",)),
    ("valley", "Monument Valley", (-110.5, 36.8, -109.8, 37.2), 0.6, ()),
    ("valley", "Silicon Valley", (-122.4, 37.15, -121.6, 37.6), 0.6, ()),
    ("valley", "Jordan Valley", (35.4, 31.7, 35.7, 32.75), 0.5, ()),
    ("bay", "Hạ Long Bay", (106.9, 20.7, 107.4, 21.05), 0.65, ("Ha Long Bay", "Halong Bay")),
    ("bay", "Bay of Naples", (14.0, 40.55, 14.48, 40.85), 0.5, ("Gulf of Naples", "Golfo di Napoli")),
    ("bay", "Tokyo Bay", (139.6, 35.1, 140.15, 35.7), 0.6, ()),
    ("bay", "Guanabara Bay", (-43.3, -22.97, -43.0, -22.68), 0.5, ()),
    ("bay", "Bay of Pigs", (-81.25, 22.05, -81.05, 22.3), 0.5, ("Bahía de Cochinos",)),
    ("strait", "Strait of Hormuz", (55.8, 25.6, 57.1, 27.2), 0.75, ("Hormuz",)),
    ("strait", "Bering Strait", (-170.2, 65.2, -167.8, 66.5), 0.75, ()),
    ("strait", "Strait of Dover", (1.0, 50.75, 1.9, 51.25), 0.65, ("Dover Strait", "Pas de Calais")),
    ("strait", "Strait of Messina", (15.5, 37.9, 15.75, 38.3), 0.5, ("Stretto di Messina",)),
    ("archipelago", "Isles of Scilly", (-6.45, 49.86, -6.24, 49.98), 0.5, ("Scilly Isles",)),
    ("archipelago", "Florida Keys", (-82.2, 24.5, -80.2, 25.4), 0.6, ()),
    ("archipelago", "Dodecanese", (26.3, 35.3, 29.7, 37.6), 0.55, ()),
    ("island", "Manhattan", (-74.02, 40.7, -73.907, 40.878), 0.6, ("Manhattan Island",)),
    ("island", "Isle of Wight", (-1.591, 50.575, -1.068, 50.767), 0.6, ()),
    ("island", "Anglesey", (-4.7, 53.12, -4.03, 53.43), 0.5, ("Isle of Anglesey", "Ynys Môn")),
    ("island", "Isle of Skye", (-6.8, 57.0, -5.65, 57.72), 0.6, ("Skye",)),
    ("island", "Santorini", (25.336, 36.33, 25.489, 36.481), 0.65, ("Thera", "Thira")),
    ("island", "Mykonos", (25.295, 37.402, 25.462, 37.501), 0.6, ()),
    ("island", "Corfu", (19.62, 39.36, 20.123, 39.825), 0.6, ("Kerkyra", "Kérkyra")),
    ("island", "Capri", (14.195, 40.537, 14.268, 40.562), 0.55, ()),
    ("island", "Elba", (10.1, 42.7, 10.45, 42.88), 0.55, ()),
    ("island", "Rügen", (13.1, 54.22, 13.77, 54.69), 0.5, ("Rugen",)),
    ("island", "Sylt", (8.28, 54.73, 8.48, 55.06), 0.5, ()),
    ("island", "Funen", (9.677, 55.022, 10.857, 55.624), 0.5, ("Fyn",)),
    ("island", "Öland", (16.37, 56.19, 17.17, 57.37), 0.5, ("Oland",)),
    ("island", "Bornholm", (14.68, 54.99, 15.16, 55.3), 0.5, ()),
    ("island", "Alcatraz Island", (-122.4252, 37.8251, -122.4198, 37.8286), 0.55, ("Alcatraz",)),
    ("island", "Staten Island", (-74.256, 40.494, -74.052, 40.649), 0.5, ()),
    ("island", "Martha’s Vineyard", (-70.84, 41.3, -70.45, 41.48), 0.5, ("Martha's Vineyard",)),
    ("island", "Nantucket", (-70.24, 41.236, -69.961, 41.397), 0.5, ("Nantucket Island",)),
    ("island", "Phú Quốc", (103.83, 9.98, 104.09, 10.45), 0.5, ("Phu Quoc",)),
    ("island", "Boracay", (121.904, 11.935, 121.95, 12.002), 0.5, ()),
    ("island", "Robben Island", (18.356, -33.816, 18.382, -33.788), 0.45, ()),
    ("island", "Gozo", (14.18, 36.011, 14.338, 36.082), 0.5, ()),
    ("wetland", "Everglades", (-81.5, 25.1, -80.4, 26.7), 0.65, ("The Everglades",)),
    ("wetland", "Camargue", (4.1, 43.33, 4.9, 43.7), 0.5, ()),
    ("delta", "Okavango Delta", (22.0, -20.1, 24.0, -18.4), 0.65, ()),
    ("region", "Lake District", (-3.6, 54.2, -2.65, 54.8), 0.6, ("English Lake District",)),
    ("region", "Transylvania", (21.6, 45.3, 26.6, 48.0), 0.6, ("Transilvania", "Ardeal")),
    ("region", "Bohemia", (12.1, 48.5, 16.5, 51.1), 0.55, ("Čechy",)),
    ("region", "Silesia", (14.8, 49.4, 19.4, 52.0), 0.5, ("Śląsk", "Schlesien", "Slezsko")),
)  # fmt: skip
"""Boxes of areas; a degree or less off, as their limits are nowhere fixed."""

_LAYERS = {"island": Layer.ISLAND, "archipelago": Layer.ISLAND, "bay": Layer.SEA, "strait": Layer.SEA}
_RADIUS_M = 3_000


def read(layer: Layer) -> Iterator[Feature]:
    """The features of one layer."""
    for kind, name, lat, lon, height, fame, others in _POINTS:
        if layer is Layer.PHYSICAL:
            yield features.of_point(
                f"bearings:{kind}/{name}", layer, kind, name, Point(lat, lon), _RADIUS_M,
                names=tuple(Name(other) for other in others), elevation_m=height, fame=fame,
            )  # fmt: skip
    for kind, name, box, fame, others in _BOXES:
        if layer is _LAYERS.get(kind, Layer.PHYSICAL):
            bbox = BBox(*box)
            middle = Point((bbox.south + bbox.north) / 2, (bbox.west + bbox.east) / 2)
            yield Feature(
                f"bearings:{kind}/{name}", layer, kind, name, middle, bbox, "estimated",
                names=tuple(Name(other) for other in others), fame=fame,
            )  # fmt: skip


BETTER: dict[str, tuple[float, float, float, float]] = {
    "Caucasus Mountains": (37.0, 40.5, 50.0, 45.0), "Ural Mountains": (53.0, 50.5, 68.5, 69.0),
    "Taurus Mountains": (29.0, 36.0, 38.5, 38.5), "Pontic Mountains": (33.0, 40.0, 42.5, 41.9),
    "Peloponnese": (21.1, 36.4, 23.55, 38.35), "Florida Peninsula": (-83.8, 24.9, -80.0, 31.0),
    "Yucatán Peninsula": (-92.0, 16.1, -86.7, 21.65), "Atacama Desert": (-71.2, -30.0, -67.5, -18.3),
    "Kyzylkum Desert": (58.0, 39.5, 68.5, 46.0), "Karakum Desert": (53.5, 35.8, 66.0, 42.5),
    "Simpson Desert": (135.0, -27.5, 139.0, -23.3), "Nile Delta": (29.8, 30.1, 32.6, 31.6),
    "Indus Delta": (66.9, 23.6, 68.9, 25.0), "Mississippi Delta": (-92.0, 28.9, -88.8, 30.4),
    "Niger Delta": (4.7, 4.2, 7.6, 6.3), "Zambezi Delta": (35.3, -19.3, 37.0, -17.6),
    "Tatra Mountains": (19.5, 49.08, 20.45, 49.33), "Cambrian Mountains": (-4.2, 51.8, -3.2, 53.0),
    "Grampian Mountains": (-5.6, 56.0, -2.2, 57.6), "Southern Alps": (166.7, -46.0, 173.0, -41.5),
    "Pindus Mountains": (20.2, 38.3, 22.2, 40.8), "Annamite Range": (102.0, 11.0, 109.3, 20.0),
    "Anti Atlas": (-10.6, 28.5, -5.5, 31.0), "Tell Atlas": (-2.5, 34.7, 9.9, 37.2),
    "Saharan Atlas": (-2.5, 32.0, 8.0, 35.5), "Transylvanian Alps": (21.7, 44.7, 26.6, 45.9),
    "Serra do Mar": (-50.5, -28.5, -41.5, -22.0), "Sierra Madre del Sur": (-104.5, 15.7, -94.8, 19.8),
    "Wasatch Range": (-112.2, 39.3, -111.2, 42.5), "Laurentian Mountains": (-76.9, 45.4, -69.5, 48.8),
    "Normandy": (-1.95, 48.2, 1.8, 50.1), "Brittany": (-5.15, 47.25, -1.0, 48.9),
    "Isthmus of Panama": (-83.05, 7.2, -77.1, 9.65), "Isthmus of Tehuantepec": (-95.6, 15.9, -94.0, 18.3),
    "Kathiawar Peninsula": (68.9, 20.65, 72.3, 23.2), "Great Barrier Reef": (142.5, -24.5, 154.0, -10.6),
    "Punjab": (69.3, 27.7, 77.0, 34.0), "Ungava Peninsula": (-78.6, 55.0, -65.0, 62.65),
    "Blue Ridge": (-84.5, 34.5, -77.2, 40.2),
    "Altun Mountains": (84.0, 37.0, 95.0, 39.5), "Qilian Mountains": (94.0, 36.0, 103.5, 40.0),
    "Yin Mountains": (106.0, 40.5, 116.0, 42.0), "Negev Desert": (34.2, 29.45, 35.5, 31.4),
}  # fmt: skip
"""Boxes, by hand, of what is only a remnant in the release of Natural Earth: where areas overlap, it keeps one."""


REDRAWN = {
    "Lesbos": Point(39.2, 26.3), "Victoria Island": Point(71.0, -110.0), "Isla de Chiloé": Point(-42.6, -73.9),
    "Isla Wellington": Point(-49.3, -74.6),
}  # fmt: skip
"""A point in each island of which Natural Earth has a remnant only."""


def redrawn(feature: Feature, countries: Sequence[Feature]) -> Feature:
    """The feature; an island of `REDRAWN` with the part of a country's outline that its point lies in."""
    import shapely

    point = REDRAWN.get(feature.name)
    if point is None or feature.kind != "island":
        return feature
    shapes = shapely.get_parts([country.shape for country in countries])
    whole = next(shape for shape in shapes if shapely.contains_xy(shape, point.lon, point.lat))
    return replace(
        feature, shape=shapely.multipolygons([whole]), point=features.inside(whole), bbox=features.box(whole)
    )


def mended(feature: Feature) -> Feature:
    """The feature with the box of `BETTER`, or without a shape that is a remnant; such boxes are estimates."""
    if feature.name in BETTER and feature.layer in {Layer.PHYSICAL, Layer.ISLAND, Layer.SEA}:
        box = BBox(*BETTER[feature.name])
        middle = Point((box.south + box.north) / 2, (box.west + box.east) / 2)
        return replace(feature, bbox=box, point=middle, bbox_kind="estimated", shape=None)
    if feature.shape is None or feature.layer is not Layer.PHYSICAL or feature.kind == "coast":
        return feature
    whole = geometry.width(feature.bbox) * geometry.height(feature.bbox)
    if feature.shape.area >= _REMNANT * whole:
        return feature
    return replace(feature, bbox_kind="estimated", shape=None)


_REMNANT = 0.08
"""A shape that covers less of its box than this is what other areas left over of it."""
