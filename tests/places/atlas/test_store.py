"""The choice of the atlas: the user's, the data wheel's, the cache's, the core atlas."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bearings.errors import InvalidInput
from bearings.places.atlas.edition import file_name
from bearings.places.atlas.store import CORE_PATH, Origin, data_of, open_atlas, wheel_path
from bearings.progress import NoProgress
from tests.places import small_index


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A cache directory with an atlas."""
    small_index.build(tmp_path / file_name(), NoProgress())
    return tmp_path


@pytest.fixture
def wheel(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The data wheel as installed; its code raises."""
    folder = tmp_path_factory.mktemp("site")
    package = folder / "bearings_atlas"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('imported')")
    small_index.build(package / "atlas.sqlite", NoProgress())
    monkeypatch.syspath_prepend(str(folder))
    yield package / "atlas.sqlite"
    assert "bearings_atlas" not in sys.modules


def opened(setting: str, directory: Path) -> tuple[Path, Origin, str]:
    index, origin = open_atlas(setting, directory)
    index.close()
    return index.path, origin, data_of(index.meta)


def test_without_any_other_the_core_atlas_answers(tmp_path: Path):
    assert opened("", tmp_path) == (CORE_PATH, Origin.PROGRAM, "core")


def test_an_atlas_made_here_comes_before_the_core_atlas(made: Path):
    assert opened("", made) == (made / file_name(), Origin.CACHE, "full")


def test_the_data_wheel_comes_before_one_made_here_and_is_not_imported(made: Path, wheel: Path):
    assert wheel_path() == wheel
    assert opened("", made) == (wheel, Origin.WHEEL, "full")


def test_a_folder_of_the_wheel_s_name_without_a_package_is_no_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "bearings_atlas").mkdir()
    small_index.build(tmp_path / "bearings_atlas" / "atlas.sqlite", NoProgress())
    monkeypatch.syspath_prepend(str(tmp_path))
    assert wheel_path() is None


def test_the_one_that_the_user_names_comes_first(made: Path, wheel: Path):
    named = made / "mine.sqlite"
    (made / file_name()).rename(named)
    assert opened(str(named), made) == (named, Origin.SETTING, "full")


def test_core_asks_for_the_core_atlas_though_there_is_a_full_one(made: Path, wheel: Path):
    assert opened("core", made) == (CORE_PATH, Origin.PROGRAM, "core")


@pytest.mark.parametrize("content", [None, b"", b"not a database"])
def test_a_named_file_that_is_no_atlas_is_refused_and_nothing_stands_in(made: Path, content: bytes | None):
    named = made / "mine.sqlite"
    if content is not None:
        named.write_bytes(content)
    with pytest.raises(InvalidInput, match="GEOCODER_ATLAS") as refused:
        open_atlas(str(named), made)
    assert "places atlas build" in refused.value.hint


def test_a_damaged_atlas_that_was_found_is_passed_over(made: Path):
    (made / file_name()).write_bytes(b"not a database")
    assert opened("", made)[1] is Origin.PROGRAM
