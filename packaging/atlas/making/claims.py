"""Disputed areas, from Natural Earth: who holds each, and who claims it."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from bearings.places.atlas.builder.feature import Feature, Layer
from making import features, names, originals
from making.originals import Original

_KINDS = {
    "Admin-0 claim area": "claimed", "Admin-0 breakaway and disputed": "breakaway",
    "Admin-0 indeterminant": "indeterminate", "Admin-0 overlay": "buffer_zone", "Admin-0 lease": "leased",
}  # fmt: skip

_COUNTRIES = {
    "argentina": "AR", "azer": "AZ", "azerbaijan": "AZ", "bhutan": "BT", "belize": "BZ", "bolivia": "BO",
    "brunei": "BN", "canada": "CA", "chile": "CL", "china": "CN", "columbia": "CO", "colombia": "CO", "comoros": "KM",
    "cuba": "CU", "cyprus": "CY", "denmark": "DK", "egypt": "EG", "equatorial guinea": "GQ", "france": "FR",
    "gabon": "GA", "georgia": "GE", "guatemala": "GT", "guyana": "GY", "haiti": "HT", "honduras": "HN",
    "iceland": "IS", "india": "IN", "iran": "IR", "ireland": "IE", "israel": "IL", "jamaica": "JM", "japan": "JP",
    "kazakhstan": "KZ", "kenya": "KE", "lebanon": "LB", "madagascar": "MG", "malaysia": "MY",
    "marshall islands": "MH", "mauritius": "MU", "moldova": "MD", "morocco": "MA", "nepal": "NP", "nicaragua": "NI",
    "north korea": "KP", "pakistan": "PK", "portugal": "PT", "russia": "RU", "saudi arabia": "SA", "seychelles": "SC",
    "somalia": "SO", "south korea": "KR", "south sudan": "SS", "spain": "ES", "sudan": "SD", "suriname": "SR",
    "syria": "SY", "taiwan": "TW", "the philippines": "PH", "the seychelles": "SC", "the united states": "US",
    "tokelau": "TK", "u.k": "GB", "u.s.a": "US", "uae": "AE", "ukraine": "UA", "vanuatu": "VU", "venezuela": "VE",
    "vietnam": "VN", "western sahara": "EH",
}  # fmt: skip
"""The countries in Natural Earth's notes, in lower case and without a full stop at the end."""

_UNNOTED = {
    "Cyprus U.N. Buffer Zone": ("CY",), "Belize": ("BZ", "GT"), "Gaza": ("PS",), "West Bank": ("PS", "IL"),
    "Scarborough Reef": ("CN", "PH", "TW"), "Ceuta": ("ES", "MA"), "Melilla": ("ES", "MA"),
    "Ilemi Triangle": ("KE", "SS", "ET"), "UNDOF Zone": ("SY", "IL"),
    "Territory of Belize claimed by Guatemala": ("BZ", "GT"), "Bird Island": ("VE", "DM"),
}  # fmt: skip
"""Who holds and claims what has no note, or one that names nobody; by hand."""

_NAMES = {
    "North Cyprus": "Northern Cyprus", "West Sahara": "Western Sahara", "Rockall Island": "Rockall",
    "South Georgia": "South Georgia", "Bhutan (northwest valleys)": "Northwest valleys of Bhutan",
    "Bhutan (Chumbi salient)": "Chumbi salient", "Pinnacle Islands": "Senkaku Islands", "Donbass": "Donbas",
    "Northern Areas": "Gilgit-Baltistan", "Belize": "Territory of Belize claimed by Guatemala",
    "West of Essequibo River": "Guayana Esequiba", "Guantanamo Bay USNB": "Guantanamo Bay Naval Base",
}  # fmt: skip


def read(folder: Path) -> Iterator[Feature]:
    """Disputed areas, those of one name as one; `inside` are who holds it, then who claims it."""
    named: dict[str, list[Original]] = defaultdict(list)
    for original in originals.read(folder, "admin_0_disputed_areas"):
        spelt = names.plain(original.text("brk_name"))
        named[_NAMES.get(spelt, spelt)].append(original)
    for name, parts in named.items():
        feature = _feature(name, parts)
        if feature:
            yield feature


def _feature(name: str, parts: list[Original]) -> Feature | None:
    import shapely

    first = parts[0]
    kind = _KINDS.get(first.text("featurecla"), "claimed")
    others = [
        names.plain(part.text(column)) for part in parts for column in ("brk_name", "name_alt") if part.text(column)
    ]
    sides = [side for part in parts for side in claims(part.text("note_brk"))] or list(_UNNOTED.get(name, ()))
    feature = features.of_shape(
        f"ne:disputed/{name}", Layer.DISPUTED, kind, name, shapely.union_all([part.shape for part in parts]),
        names=features.unique(names.further(name, others), name),
        inside=tuple(f"iso:{side}" for side in dict.fromkeys(sides)),
    )  # fmt: skip
    return feature and replace(feature, fame=features.fame(max(first.number("labelrank", 6), 3)))


def claims(note: str) -> list[str]:
    """The alpha-2 codes in a note like "Admin. by India; Claimed by China", who holds the area first."""
    held, _, claimed = note.partition(";")
    if not claimed and re.match(r"claimed", held, re.IGNORECASE):
        held, claimed = "", held
    words = re.split(r",|\band\b|\bby\b|\bto\b|\bfor\b|;", f"{held};{claimed}".lower())
    return [_COUNTRIES[word] for word in (text.strip().rstrip(".") for text in words) if word in _COUNTRIES]
