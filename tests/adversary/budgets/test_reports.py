"""Coverage reports that take minutes to read, or all memory: each is refused in words, and the graph answers."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from bearings.code.engine.native import NativeEngine
from bearings.code.facts.store import NoFacts
from bearings.code.formats.coverage import FORMATS, Unreadable, read
from bearings.code.questions.coverage import AskCoverage
from bearings.code.service import CodeService
from tests.adversary.conftest import Tally
from tests.code.asked import scan
from tests.code.in_process import InProcessEngine
from tests.code.trees import write

pytestmark = pytest.mark.anyio

FOREVER = (
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 4000000000) "
    "SELECT i AS id, 'a.py' AS path FROM n WHERE i < 0"
)
FILE = "CREATE TABLE file (id INTEGER PRIMARY KEY, path TEXT, UNIQUE (path))"
LINES = "CREATE TABLE line_bits (file_id INTEGER, context_id INTEGER, numbits BLOB)"
ARC = "CREATE TABLE arc (file_id INTEGER, context_id INTEGER, fromno INTEGER, tono INTEGER)"
ONE = "INSERT INTO file VALUES (1, 'a.py')"
MANY = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT {}) "


def database(*statements: str) -> bytes:
    """An SQLite database."""
    connection = sqlite3.connect(":memory:")
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    data = connection.serialize()
    connection.close()
    return data


def doctored(*statements: str) -> bytes:
    """One whose schema is written by hand."""
    connection = sqlite3.connect(":memory:")
    for statement in (FILE, LINES, ARC, ONE):
        connection.execute(statement)
    connection.execute("PRAGMA writable_schema = ON")
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    data = connection.serialize()
    connection.close()
    return data


HOSTILE: dict[str, tuple[str, Callable[[], bytes]]] = {
    "file is a view without end": (".coverage", lambda: database(f"CREATE VIEW file AS {FOREVER}", LINES, ARC)),
    "arc is a view without end": (
        ".coverage",
        lambda: database(FILE, LINES, f"CREATE VIEW arc AS SELECT id AS file_id, 1 fromno, 2 tono FROM ({FOREVER})"),
    ),
    "file is a virtual table": (
        ".coverage",
        lambda: database("CREATE VIRTUAL TABLE file USING fts5(id, path)", LINES, ARC),
    ),
    "path is computed": (
        ".coverage",
        lambda: database("CREATE TABLE file (id INTEGER PRIMARY KEY, path AS (hex(zeroblob(400000))))", LINES, ARC),
    ),
    "a view that calls itself a table": (
        ".coverage",
        lambda: doctored(
            f"UPDATE sqlite_master SET sql = 'CREATE VIEW file AS {FOREVER.replace(chr(39), chr(39) * 2)}' "
            "WHERE name = 'file'"
        ),
    ),
    "millions of rows": (
        ".coverage",
        lambda: database(FILE, LINES, ARC, ONE, f"INSERT INTO arc {MANY.format(600_000)} SELECT 1, 0, 1, 2 FROM n"),
    ),
    "a set of eighty million lines": (
        ".coverage", lambda: database(FILE, LINES, ARC, ONE, "INSERT INTO line_bits VALUES (1, 0, zeroblob(10000000))"),
    ),
    "sets of millions of lines": (
        ".coverage",
        lambda: database(FILE, LINES, ARC, ONE, f"INSERT INTO line_bits VALUES (1, 0, x'{'ff' * 200_000}')"),
    ),
    "entities in entities": (
        "coverage.xml",
        lambda: b'<!DOCTYPE c [<!ENTITY a "aaaaaaaaaaaaaaaa">' + b"".join(
            b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 16) for n in range(9)
        ) + b"]><coverage><class filename='&j;'/></coverage>",
    ),
    "an entity from outside": (
        "coverage.xml",
        lambda: b'<!DOCTYPE c [<!ENTITY a SYSTEM "file:///etc/passwd">]><coverage><class>&a;</class></coverage>',
    ),
    "a million elements too many": ("coverage.xml", lambda: b"<coverage>" + b"<a/>" * 1_100_000 + b"</coverage>"),
    "lists in lists": ("coverage-final.json", lambda: b"[" * 1_000_000),
    "a number of a million digits": (
        "coverage-final.json", lambda: b'{"a": {"s": {}}, "b": ' + b"9" * 1_000_000 + b"}",
    ),
    "lines beyond counting": ("lcov.info", lambda: b"SF:a.py\n" + b"DA:1,1\n" * 1_100_000),
}  # fmt: skip


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.slow
def test_each_is_refused_in_words(tally: Tally) -> None:
    survived = 0
    for name, (file, make) in HOSTILE.items():
        form = next(form for form in FORMATS if file in form.files)
        with pytest.raises(Unreadable) as refused:
            read(form, make())
        assert str(refused.value), name
        survived += 1
    tally("coverage report that is costly to read", len(HOSTILE), survived)


@pytest.mark.parametrize(
    ("file", "data"),
    [
        ("coverage.xml", b"<" + b"a" * 1_000_000 + b"/>"),
        ("coverage.xml", "<Bitte\u00a0gehorchen/>".encode()),
        ("coverage.xml", "<coverage>&Obey\u00e4;</coverage>".encode()),
    ],
)
async def test_what_a_message_quotes_of_a_report_is_short(tmp_path: Path, file: str, data: bytes) -> None:
    root = write(tmp_path / "tree", {"a.py": "def f(): ...\n", f"odd folder/{file}": data})
    service = CodeService(InProcessEngine(store=NoFacts(), max_file_bytes=2_000_000))
    reply = await service.reply_to(str(root), AskCoverage(detail="full"))
    assert "«odd folder/coverage.xml»" in (reply.note or "")
    assert len(reply.note or "") < 600


def test_classes_in_classes_are_read_once() -> None:
    deep = 20_000
    data = (
        b"<coverage>"
        + b"<class filename='a.py'><line number='1' hits='1'/>" * deep
        + b"</class>" * deep
        + b"</coverage>"
    )
    form = next(form for form in FORMATS if "coverage.xml" in form.files)
    assert read(form, data) == {"a.py": ({1}, {1})}


@pytest.mark.slow
async def test_files_that_are_none_of_the_project_s_cost_no_search_each(tmp_path: Path) -> None:
    sources = {f"p{number}/index.py": "def f(): ...\n" for number in range(300)}
    report = "".join(f"SF:/ci/{'d/' * 40}{number}/index.py\nDA:1,1\nend_of_record\n" for number in range(20_000))
    root = write(tmp_path / "tree", {**sources, "coverage/lcov.info": report})
    service = CodeService(NativeEngine(timeout_s=60, cache_dir=None, max_file_bytes=2_000_000))
    try:
        reply = await service.reply_to(str(root), AskCoverage(detail="full"))
        assert "about other files" in (reply.note or "")
    finally:
        await service.aclose()


@pytest.mark.slow
async def test_the_project_answers_beside_all_of_them(tmp_path: Path, tally: Tally) -> None:
    folders = {f"d{number}/{file}": make() for number, (file, make) in enumerate(HOSTILE.values())}
    root = write(tmp_path / "tree", {**folders, "a.py": "def f(): ...\n"})
    service = CodeService(NativeEngine(timeout_s=60, cache_dir=None, max_file_bytes=2_000_000))
    try:
        reply = await service.reply_to(str(root), AskCoverage(detail="full"))
        assert reply.source == "graph"
        assert (await scan(service, root)).elements_found == 1
        tally("project full of costly reports", 1, 1)
    finally:
        await service.aclose()
