"""The catalogue as a file: what is written, what a killed writer leaves, and what is refused."""

import os
import sqlite3
import subprocess
import sys
import textwrap
from contextlib import closing
from pathlib import Path

import pytest

from bearings.code.catalogue import reading
from bearings.code.catalogue.reading import opened
from bearings.code.catalogue.routes import Wanted
from bearings.code.catalogue.rows import Contents, ExportRow, RequestRow, RouteRow, UseRow
from bearings.code.catalogue.schema import APPLICATION_ID, STATEMENTS, VERSION
from bearings.code.catalogue.writing import CatalogueWriter, Known
from bearings.errors import DeadlineExceeded, InvalidInput, WriteFailed


def use(name: str, module: str = "requests", kind: str = "call", guess: bool = False, line: int = 3) -> UseRow:
    return UseRow(module.partition(".")[0], module, name, kind, "src/a.py", line, f"{name}()", "f:2", guess)


def contents(*uses: UseRow, fingerprint: str = "1") -> Contents:
    return Contents(
        fingerprint=fingerprint,
        commit="c" * 40,
        files=1,
        elements=2,
        languages={"Python": 1},
        exports=[ExportRow("parse", "Config.parse", "method", "src/a.py", 2, "def parse(self)")],
        routes=[RouteRow("GET", "/users/{id}", "src/a.py", 4, "show", "flask")],
        requests=[RequestRow("GET", "/users/{}", "src/b.py", 5, "get(url)", "")],
        uses=uses,
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "fleet.db"


def filled(path: Path, *uses: UseRow) -> Path:
    with CatalogueWriter(path) as catalogue:
        catalogue.put("web", "/srv/web", contents(*uses), 10.0, 0.5)
    return path


def test_what_is_written_is_read(path: Path):
    with opened(filled(path, use("get"))) as catalogue:
        (state,) = catalogue.repositories()
        assert state.name == "web"
        assert (state.state, state.reason, state.commit, state.scanned) == ("scanned", "", "c" * 40, 10.0)
        assert state.languages == {"Python": 1}
        assert catalogue.uses("requests") == [("web", use("get"))]
        assert [row.qualified_name for _, row in catalogue.exports("parse")] == ["Config.parse"]
        assert catalogue.exports("Config.parse")
        assert not catalogue.exports("Other.parse")
        assert [row.handler for _, row in catalogue.routes(Wanted.of("/users/42"))] == ["show"]
        assert [row.file for _, row in catalogue.requests(Wanted.of("/users/42"))] == ["src/b.py"]
        assert catalogue.packages_like("reqests") == ["requests"]


NAMED = [
    ("get", ["get", "api.get", "Session.get", "Session().get"]),
    ("Session", ["Session", "Session.get"]),
    ("Session.get", ["Session.get", "Session().get"]),
    ("adapters.HTTPAdapter", ["HTTPAdapter"]),
    ("codes", ["codes.ok"]),
    ("ge", []),
    ("*", ["", "HTTPAdapter", "Session", "Session.get", "api.get", "codes.ok", "get", "Session().get"]),
]


@pytest.mark.parametrize(("name", "found"), NAMED)
def test_a_name_finds_uses(path: Path, name: str, found: list[str]):
    names = ("get", "Session", "Session.get", "codes.ok", "")
    rows = [*map(use, names), use("get", "requests.api"), use("HTTPAdapter", "requests.adapters")]
    rows += [use("Session().get", guess=True), use("get", "requests_mock"), use("get", "request")]
    with opened(filled(path, *rows)) as catalogue:
        told = [
            f"api.{row.name}" if row.module == "requests.api" else row.name
            for _, row in catalogue.uses("requests", name)
        ]
    assert sorted(told) == sorted(found)


def test_a_module_of_a_package_is_a_package(path: Path):
    with opened(filled(path, use("get"), use("A", "requests.adapters"))) as catalogue:
        assert [row.name for _, row in catalogue.uses("requests.adapters")] == ["A"]


def test_a_repository_is_replaced_confirmed_failed_and_removed(path: Path):
    filled(path, use("get"))
    with CatalogueWriter(path) as catalogue:
        assert catalogue.known() == {"web": Known("/srv/web", "1", "c" * 40)}
        catalogue.put("web", "/srv/web", contents(use("post"), fingerprint="2"), 11.0, 0.5)
        catalogue.confirm("web", "/srv/web", "d" * 40, 12.0)
        catalogue.fail("api", "/srv/api", "no such path", 12.0, 0.1)
    with opened(path) as known:
        api, web = known.repositories()
        assert (api.state, api.reason, api.scanned) == ("failed", "no such path", None)
        assert (web.commit, web.scanned, web.state) == ("d" * 40, 12.0, "scanned")
        assert [row.name for _, row in known.uses("requests")] == ["post"]
    with CatalogueWriter(path) as catalogue:
        catalogue.fail("web", "/srv/web", "gone", 13.0, 0.1)
        assert catalogue.known()["web"].fingerprint == "2"
        assert catalogue.keep_only({"web"}) == 1
    with opened(path) as known:
        (web,) = known.repositories()
        assert (web.state, web.reason, web.scanned) == ("failed", "gone", 12.0)
        assert known.uses("requests"), "the rows of the last scan stay"
    with CatalogueWriter(path) as catalogue:
        catalogue.confirm("web", "/srv/web", "", 14.0)
        catalogue.keep_only(())
    with closing(sqlite3.connect(path)) as db:
        for table in ("repository", "file", "export", "route", "request", "outside_use"):
            assert db.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)


def test_a_repository_is_written_as_a_whole_or_not_at_all(path: Path):
    filled(path, use("get"))
    bad = use("post")._replace(line=object())  # type: ignore[arg-type]
    with CatalogueWriter(path) as catalogue:
        with pytest.raises(WriteFailed):
            catalogue.put("web", "/srv/web", contents(use("put", "brand.new"), bad), 11.0, 0.5)
        catalogue.put("api", "/srv/api", contents(use("put", "brand.new")), 11.0, 0.5)
    with opened(path) as known:
        assert [row.name for _, row in known.uses("requests")] == ["get"]
        assert [one for one, _ in known.uses("brand")] == ["api"]


KILLED = """
import os, sys
from pathlib import Path
from bearings.code.catalogue.writing import CatalogueWriter
from tests.code.fleet.test_catalogue import contents, use
def endless():
    for number in range(200_000):
        yield use(f"name{number}")
    os.kill(os.getpid(), 9)
with CatalogueWriter(Path(sys.argv[1])) as catalogue:
    catalogue._db.execute("PRAGMA cache_size = 10")
    catalogue.put("first", "/1", contents(use("get")), 1.0, 0.1)
    catalogue.put("second", "/2", contents(*[use("get")]).__class__(fingerprint="2", uses=endless()), 1.0, 0.1)
"""


@pytest.mark.slow
def test_a_killed_writer_loses_one_repository(path: Path):
    ended = subprocess.run([sys.executable, "-c", textwrap.dedent(KILLED), str(path)], cwd=Path(__file__).parents[3])
    assert ended.returncode == -9
    assert path.with_name("fleet.db-journal").exists()
    with pytest.raises(InvalidInput, match="can't be read"), opened(path) as known:
        known.repositories()
    with opened(path, mends=True) as known:
        assert [one.name for one in known.repositories()] == ["first"]
        assert len(known.uses("requests")) == 1


def test_another_file_is_neither_written_nor_read(tmp_path: Path, path: Path):
    text = tmp_path / "notes.txt"
    text.write_text("dear diary\n" * 100)
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE mine (a)")
    for file, told in ((text, "is no catalogue"), (path, "no catalogue")):
        before = file.read_bytes()
        with pytest.raises(InvalidInput, match=told):
            CatalogueWriter(file)
        assert file.read_bytes() == before
        with pytest.raises(InvalidInput), opened(file):
            pass
    with pytest.raises(InvalidInput, match="is no file"), opened(tmp_path / "none"):
        pass
    with pytest.raises(WriteFailed):
        CatalogueWriter(tmp_path / "no" / "fleet.db")


def test_a_catalogue_of_another_version_is_made_anew(path: Path):
    filled(path, use("get"))
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE VIEW old AS SELECT 1")
        db.execute(f"PRAGMA user_version = {VERSION + 1}")
    with pytest.raises(InvalidInput, match="another version"), opened(path):
        pass
    with CatalogueWriter(path) as catalogue:
        assert catalogue.known() == {}
    with opened(path) as known:
        assert known.repositories() == []


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE VIEW more AS SELECT 1",
        "CREATE TRIGGER t AFTER INSERT ON file BEGIN DELETE FROM file; END",
        "DROP TABLE route",
        "CREATE TABLE more (a)",
    ],
)
def test_a_catalogue_with_anything_else_in_it_is_refused(path: Path, statement: str):
    filled(path, use("get"))
    with closing(sqlite3.connect(path)) as db:
        db.execute(statement)
    with pytest.raises(InvalidInput, match="is no catalogue"), opened(path):
        pass


def test_a_column_of_another_type_is_refused(path: Path):
    filled(path, use("get"))
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE outside_use SET line = 'x'")
        db.execute("UPDATE repository SET languages = '[1]'")
    with opened(path) as known:
        with pytest.raises(InvalidInput, match="can't be read as a catalogue"):
            known.uses("requests")
        assert known.repositories()[0].languages == {}
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE repository SET languages = '{'")
    with opened(path) as known:
        assert known.repositories()[0].languages == {}


@pytest.mark.slow
def test_an_answer_has_a_deadline_and_a_limit(path: Path, monkeypatch: pytest.MonkeyPatch):
    filled(path, *[use("get", line=line) for line in range(20_000)])
    monkeypatch.setattr(reading, "_MOST", 10)
    with opened(path) as known, pytest.raises(InvalidInput, match="more than 10 rows"):
        known.uses("requests")
    monkeypatch.setattr(reading, "_DEADLINE_S", -1.0)
    with opened(path) as known, pytest.raises(DeadlineExceeded):
        known.uses("requests")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_that_can_not_be_written_is_told(path: Path):
    filled(path).chmod(0o400)
    with pytest.raises(WriteFailed), CatalogueWriter(path) as catalogue:
        catalogue.keep_only(())


def test_a_busy_catalogue_is_told(path: Path, monkeypatch: pytest.MonkeyPatch):
    from bearings.code.catalogue import writing

    filled(path)
    monkeypatch.setattr(writing, "_BUSY_S", 0.01)
    with closing(sqlite3.connect(path, isolation_level=None)) as other, CatalogueWriter(path) as catalogue:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(WriteFailed, match="locked"):
            catalogue.keep_only(())


def test_the_schema_is_what_its_version_says():
    assert len(STATEMENTS) == len(set(STATEMENTS))
    assert APPLICATION_ID.to_bytes(4, "big") == b"BEAR"
