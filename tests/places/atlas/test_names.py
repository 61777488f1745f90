"""Names in other languages than CLDR's: the committed files, and the places of the names."""

import lzma
from pathlib import Path

import pytest

from builder import committed, packages, translations
from builder.feature import Name
from builder.names import Names
from builder.translations import Row
from tests.places.atlas.test_packages_of_names import DATA

ROWS = [Row("geonames:2643743", "fr", "Londres"), Row("iso:DE", "fi", "Saksa")]


@pytest.mark.slow
@pytest.mark.parametrize("name", translations.FILES)
def test_a_committed_file_says_its_source_and_its_rows_are_in_order_and_each_once(name: str):
    lines = lzma.decompress((DATA / "names" / f"{name}.xz").read_bytes()).decode().splitlines()[1:]
    rows = [Row(*line.split("\t")) for line in lines]
    source, licence = translations.header(DATA, name)
    assert source
    assert licence in {"CC BY 4.0", "public domain", "MIT", "no copyright claimed", "Unicode License v3"}
    assert rows == sorted(set(rows))
    assert all(row.language and row.name.strip() for row in rows)


def test_every_file_is_read():
    assert {path.stem for path in (DATA / "names").glob("*.xz")} == set(translations.FILES)


def test_the_same_rows_give_the_same_bytes_and_are_read_back(tmp_path: Path):
    (tmp_path / "names").mkdir()
    for name in translations.FILES:
        (tmp_path / "names" / f"{name}.xz").write_bytes(translations.encode("A list", "MIT", ROWS[:1]))
    assert translations.encode("A list", "MIT", ROWS) == translations.encode("A list", "MIT", ROWS)
    assert translations.header(tmp_path, "geonames") == ("A list", "MIT")
    assert translations.names(tmp_path)["geonames:2643743"][0] == Name("Londres", "fr")


@pytest.mark.slow
@pytest.mark.usefixtures("build_packages")
def test_names_go_to_the_place_that_has_the_id_and_to_no_namesake():
    names = Names(DATA)
    here, namesake = (
        packages.City(identifier, "London", 0, 0, code, 400_000, "")
        for identifier, code in ((2643743, "GB"), (6058560, "CA"))
    )
    assert Name("Лондон", "ru") in names.of_city(here, 0.75)
    assert "Londra" not in {name.text for name in names.of_city(namesake, 0.6)}
    assert {"Южна Дакота"} <= {name.text for name in names.of_region("US.SD")}


@pytest.mark.slow
@pytest.mark.usefixtures("build_packages")
def test_a_country_has_names_of_all_sources_and_those_of_bantu_languages_without_their_class():
    (africa,) = (feature for feature in committed.features(DATA, "countries") if feature.code == "ZA")
    found = {name.text for name in Names(DATA).of_country(africa)}
    assert {"South Africa", "iNingizimu Afrika", "Ningizimu Afrika", "Afrika Dzonga"} <= found
