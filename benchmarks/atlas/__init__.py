"""How much of the world the embedded places source knows, by sets that its build does not read: `… benchmarks atlas`.

Packages installed by name (packages.py) and lists of ours (`sets/`) give the questions (sets.py, points.py, shapes.py);
a Geocoder over the embedded source answers them as the tools do (score.py), and judges.py says when that is right.
Misses and hits are listed in the cache folder. `main` takes any other Geocoder too.
"""

from collections.abc import Iterable, Sequence
from datetime import date

import anyio
from shapely.geometry import MultiPolygon
from shapely.geometry.base import BaseGeometry

from bearings.places.atlas import store
from bearings.places.atlas.source import GazetteerSource
from bearings.places.geocoder import Geocoder
from bearings.places.settings import PlacesSettings
from bearings.progress import NoProgress
from benchmarks.atlas import districts, packages, points, score, sets, shapes
from benchmarks.atlas.judges import folded
from benchmarks.atlas.score import Asker, Score
from benchmarks.measure import progress, revision, table

Row = list[str]


def main(geocoder: Geocoder | None = None) -> str:
    for package in packages.ALL:
        progress(f"{package.kind} {package.name} {package.version} …")
        assert package.folder.exists()
    return anyio.run(_measured, geocoder)


async def _measured(geocoder: Geocoder | None) -> str:
    at, settings = revision(), PlacesSettings()
    if geocoder is None:
        source = GazetteerSource(settings.cache_dir)
        await source.prepare(NoProgress())
        geocoder = Geocoder(source, settings=settings)
    asker = Asker(geocoder)
    rows = [
        *await _names(asker),
        *await _tables(asker),
        *await _honesty(asker),
        *await _reverse(asker),
        *await _boxes(asker),
    ]
    await geocoder.aclose()
    row, by_country = _districts(settings)
    return _page(at, [*rows, row], asker.confidences) + by_country


async def _names(asker: Asker) -> list[Row]:
    rows = []
    for what, goal, questions in (
        ("country names, by language: i18n-iso-countries'", "≥ .97, 0 errors", sets.countries(also=False)),
        ("country names, by language: more of pycountry's", "0 errors", sets.countries(also=True)),
        ("countries' own names", "≥ .95", sets.endonyms()),
        ("famous cities, by language", "≥ .80", sets.famous()),
        ("ISO 3166-1 codes alone", "≥ .99", sets.iso_countries()),
        ("pycountry's names of countries", "≥ .98", sets.iso_names()),
        ("ISO 3166-2 codes alone", "", sets.subdivisions(named=False)),
        ("ISO 3166-2: Name, Country", "", sets.subdivisions(named=True)),
        ("City, Country: 50,000 people or more", "≥ .998", sets.in_countries()),
        ("common ways of writing", "≥ .90", sets.writings()),
        ("Region, Country", "≥ .93", sets.regions()),
        ("City, Region, Country", "≥ .93", sets.in_contexts()),
        ("seas, lakes, islands, ranges, parks …", "≥ .95", sets.physical()),
    ):
        progress(f"{what} …")
        rows.append(_row(what, goal, await asker.names(questions), languages="language" in what))
    return rows


async def _tables(asker: Asker) -> list[Row]:
    """Names and addresses as tables have them."""
    progress("messy names …")
    messy = await asker.names(sets.messy())
    progress("addresses …")
    addresses = await asker.names(sets.addresses())
    return [
        _row(f"messy names, {len(messy.groups)} kinds of trouble", "≥ .95", messy),
        ["… wrong with a confidence above .8", "0", str(messy.sure), str(messy.asked), "", ""],
        _row("addresses: their town", "≥ .95", addresses, countries=True),
        ["… at a right level", "≥ .98", _share(addresses.level, addresses.answered), str(addresses.answered), "", ""],
    ]


async def _honesty(asker: Asker) -> list[Row]:
    progress("invented words …")
    invented = await asker.silences(sets.invented())
    progress("nonsense, streets, out of scope …")
    scope = await asker.silences(sets.scope())
    progress("typos …")
    typos = await asker.suggested(sets.typos())
    known = typos.groups[score.KNOWN]
    _keep("invented words", invented)
    _keep("out of scope", scope)
    return [
        ["invented words answered", "≤ .01", _share(invented.answered, invented.asked), *_counts(invented)],
        ["nonsense, streets, out of scope answered", "≤ .05", _share(scope.answered, scope.asked), *_counts(scope)],
        _row("one-edit typos: in five results or suggestions", "≥ .95", typos),
        ["… of all, in the results", "", _share(typos.answered, typos.asked), str(typos.asked), "", ""],
        ["… of cities that the right spelling finds", "", _share(sum(known), len(known)), str(len(known)), "", ""],
    ]


async def _reverse(asker: Asker) -> list[Row]:
    rows = []
    for what, goal, spots, right in (
        ("country", "≥ .995", points.in_countries, score.in_country),
        ("US state", "≥ .995", points.in_states, score.in_state),
        ("first-level region, 7 countries", "≥ .97", points.in_regions, score.in_region),
        ("first-level region, towns", "≥ .97", points.in_towns, score.in_region),
    ):
        progress(f"reverse: {what} …")
        drawn = spots()
        for near in (False, True):
            some = [spot for spot in drawn if spot.near == near]
            if some:
                name = f"reverse: {what}" + (", within 5 km of a border or coast" if near else "")
                rows.append(
                    _row(name, "" if near else goal, await asker.reverse(some, right), countries="towns" in what)
                )
    special = [
        points.Spot(float(lat), float(lon), wanted, True, what) for lat, lon, wanted, what in sets.rows("points")
    ]
    answers = Score()
    for spot in special:
        one = await asker.reverse([spot], lambda reply, spot: score.as_it_is(reply, spot.wanted))
        silent = one.answered == 0 and score.as_it_is(None, spot.wanted)
        answers.errors += one.errors
        answers.add(bool(one.right) or silent, spot.group, "".join(one.misses))
    rows.append(_row("reverse: seas, enclaves, poles, disputed", "as they are", answers))
    return rows


def _districts(settings: PlacesSettings) -> tuple[Row, str]:
    """A row, and a table by country. The embedded atlas is asked, whatever the Geocoder's source."""
    progress("county or municipality of a point …")
    named, right = districts.score(store.open_atlas(settings.atlas, settings.cache_dir)[0], districts.sources())
    _keep("county or municipality of a point", named)
    told = [
        [country, *(_share(sum(each.groups[country]), districts.POINTS) for each in (named, right))]
        for country in named.groups
    ]
    some = [answer for country, each in named.groups.items() if country not in districts.SETTLED for answer in each]
    row = [
        "county or municipality of a point, 7 countries",
        "≥ .97",
        _share(sum(some), len(some)),
        str(len(some)),
        "0",
        "",
    ]
    return row, "\n## Counties and municipalities\n\n" + table(["country", "named", "area"], told) + _DISTRICTS


async def _boxes(asker: Asker) -> list[Row]:
    progress("boxes …")
    states = [(f"{name}, United States", [shapes.box_of(area)]) for name, area in shapes.us_states().items()]
    elsewhere = _regions()
    return [
        _row("boxes of US states, IoU ≥ .95", "≥ .92", await asker.boxes(states, 0.95)),
        _row("boxes of countries, IoU ≥ .95", "≥ .95", await asker.boxes(_countries(), 0.95)),
        _row("boxes of regions elsewhere, IoU ≥ .95", "≥ .85", await asker.boxes(elsewhere, 0.95)),
        _row("boxes of seas, lakes, islands, IoU ≥ .8", "≥ .90", await asker.boxes(_features(), 0.8)),
    ]


def _countries() -> list[tuple[str, list[shapes.Box]]]:
    """English names with three boxes each: its own land, that with the parts that belong to it, its main part.

    Countries of less than 0.2° are left out, as the reference is true to 0.01°.
    """
    land, belongs, names = shapes.land(), shapes.belongs(), sets.english()
    found = []
    for code, area in sorted(land.items()):
        parts = [area, *(land[part] for part, whole in belongs.items() if whole == code and part in land)]
        boxes = [shapes.box_of(area), shapes.box_of(_joined(parts)), shapes.box_of(shapes.main_part(area))]
        west, south, east, north = boxes[0]
        if code in names and code not in belongs and min((east - west) % 360, north - south) >= 0.2:
            found.append((names[code], boxes))
    return found


def _joined(parts: Sequence[BaseGeometry]) -> BaseGeometry:
    return MultiPolygon([part for area in parts for part in getattr(area, "geoms", [area]) if part.area])


def _regions() -> list[tuple[str, list[shapes.Box]]]:
    """A hundred of DCW's regions, drawn with the seed, as "Region, Country"; none that a city is named as."""
    import random

    names, countries = shapes.dcw_names(), sets.english()
    cities = {(row["iso2"].upper(), folded(row[key])) for row in sets.cities() for key in ("city", "city_ascii")}
    areas = {
        key: area
        for key, area in shapes.dcw_regions().items()
        if not area.is_empty and (key[0], folded(names[key])) not in cities
    }
    drawn = random.Random(sets.SEED).sample(sorted(areas), min(100, len(areas)))
    return [
        (f"{names[key]}, {countries[key[0].lower()]}", [shapes.box_of(areas[key])]) for key in drawn if key in names
    ]


def _features() -> list[tuple[str, list[shapes.Box]]]:
    """The rows of `physical.tsv` with a box in GSHHG or in DCW's list of IHO's seas."""
    seas, found = shapes.sea_boxes(), []
    for query, kind, lat, lon, _, reference in sets.rows("physical"):
        if reference[:1].isalpha():
            found.append((query, [seas[reference]]))
        elif reference:
            level = 2 if kind == "lake" else 1
            box = shapes.shore_box(level, float(lat), float(lon), float(reference))
            if box:
                found.append((query, [box]))
    return found


def _row(what: str, goal: str, found: Score, *, languages: bool = False, countries: bool = False) -> Row:
    _keep(what, found)
    groups = len(found.groups)
    told = f"{groups} languages" if languages else f"{groups} countries" if countries else ""
    return [what, goal, _share(found.right, found.asked), *_counts(found)[:2], told]


def _counts(found: Score) -> Row:
    return [str(found.asked), str(found.errors), ""]


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}".removeprefix("0") if whole else "–"


def _keep(what: str, found: Score) -> None:
    """Misses and hits, for a reader who judges the judges, beside the packages."""
    for name, lines in (("misses", found.misses), ("hits", found.hits)):
        folder = packages.CACHE / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{folded(what)}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _page(at: str, rows: Sequence[Row], said: score.Confidences) -> str:
    sources = ", ".join(f"{one.name} {one.version} ({one.licence})" for one in packages.ALL)
    return (
        f"# The atlas\n\n{date.today().isoformat()}, bearings at {at}. Made by `python -m benchmarks atlas`. Test sets "
        f"from {sources}; and from lists of ours in `benchmarks/atlas/sets`. The atlas's build reads none of them.\n\n"
        + table(["what", "goal", "now", "asked", "errors", "in"], list(rows))
        + "\n"
        + _ABOUT
        + "\n## Confidence\n\n"
        + _calibration(said)
    )


def _calibration(said: score.Confidences) -> str:
    tenths: Iterable[tuple[int, int, float, float]] = said.tenths()
    rows = [
        [
            f".{tenth}–{'1' if tenth == 9 else f'.{tenth + 1}'}",
            str(count),
            f"{mean:.3f}",
            f"{right:.3f}",
            f"{abs(mean - right):.3f}" if count >= 50 else "too few",
        ]
        for tenth, count, mean, right in tenths
    ]
    return table(["confidence", "answers", "mean said", "right", "apart (≤ .05)"], rows or [["–"] * 5])


_DISTRICTS = """
450 points a country, its areas in turn. `benchmarks/atlas/districts.py` has the rule by which the sources were
chosen before they were scored, and the judge. The row above has the countries with second-level outlines. In Italy
and Algeria, where the atlas has none, the nearest settlement is compared with the municipality.
"""

_ABOUT = """\
Right is said of the first of five results, in English, without country codes. A **country** is right by its ISO
code, if no settlement comes back (but in Singapore, Monaco, Gibraltar, the Vatican, Macau and Hong Kong). A
**city** is right in its country within 40 km of the reference (25 km in "City, Region, Country"; as the list says
in the ways of writing). A **region** is right by its ISO 3166-2 code or its name; a settlement is only right if it
has the region's name and lies in it ("Salta, Argentina" is both). A **natural feature** or park is right if neither
a settlement nor an area of government comes back, within the distance that the list gives, about half its length;
an island is also right as a region of its name. Names that any package gives to two countries are left out; so are
names with commas or brackets, and names of cities that are also a country's ("Džibuti").

**Codes and pycountry's names** stand as pycountry has them; "LA" is Los Angeles by design, and wrong here. An
**ISO 3166-2** code is right as the area of that code or, as counties have none in replies, by a name like pycountry's
(.6 by difflib, for Cumilla and Comilla), or as the country that has a code of its own (CN-HK); in "Name, Country" a
city of such a name, or in the area, is right too (Vienna for Wien). **City, Country** has SimpleMaps' cities, of two of
a name in a country the larger; it lists townships and quarters under names that few others use, as Kuaidamao.

**Messy names** are as customers, surveys, labels, job offers and parcels have them, with the kind of trouble beside
each in `sets/messy.tsv`: right within the distance that the list gives, or as the country; an empty mark ("N/A") is
right if nothing is answered. **Addresses** have invented streets and house numbers in true towns: right within 25 km;
their level is `precision`, as `sets/addresses.tsv` says, and a postcode's is right too. Both lists were written before
they were asked, and an entry is only changed where its answer is no fact.

**Invented** words are no
word of any name in the packages or in GeoNames; **out of scope** counts a result that is not a true namesake, nor
the town of an address (with `unused`, below 0.8).
There, a query that is refused as `invalid_input` ("91, 181") is silence and no error. A **typo's** suggestion is
right within 40 km of the reference, as a result is; one that is text alone by its name.

**Reverse**: inside means that a circle of 5 km lies in one polygon of the reference. Countries: OpenStreetMap's
land, where country-coder says the same one country (Crimea, Western Sahara and Svalbard left out); half the points
by area, half the same number for each country. States: us-atlas, by name. Regions: DCW's polygons of Argentina,
Australia, Brazil, Canada, China, India and Russia, by today's ISO 3166-2 codes; those whose limits have changed
since (Andhra Pradesh, Jammu and Kashmir, Dadra, Daman) and those with a country code of their own (Taiwan, Hong
Kong, Macau) are left out. No independent polygons of more countries are at hand, so towns of SimpleMaps stand for
the rest: their region's name has one code, and no town of another region lies within 20 km; a part of the region,
by ISO 3166-2, is right too; Madagascar is left out, as its codes are of provinces dissolved in 2009. The special
points are right as `sets/points.tsv` says; an ocean may be answered by "not found".

**Boxes** are compared in degrees. A country's is right beside one of three: its land without parts that have an ISO
code of their own, with them, or its main part alone (what hangs together by gaps of at most 400 km); countries of
less than 0.2° are left out, as the reference is true to 0.01°. It lacks the smallest islands, so that a box which
holds Redonda, Sonsorol or Kapingamarangi is wrong here. Regions elsewhere: 100 of DCW's, none with a city's name
("Córdoba, Argentina" is both). Seas: the limits of IHO as DCW has them; lakes and islands: GSHHG. Ranges, deserts
and parks have no independent box.
"""
