"""Coverage: each report format as its tool writes it, where it stands, how old it is; else the graph."""

import json
import os
import sqlite3
from pathlib import Path

import pytest
from coverage import Coverage, CoverageData
from coverage.config import DEFAULT_EXCLUDE
from coverage.parser import PythonParser

from bearings.code.facts.store import NoFacts
from bearings.code.formats.coverage import FORMATS, Unreadable, read
from bearings.code.formats.coverage_data import statements
from bearings.code.index.project_index import Index
from bearings.code.questions.coverage.compute import coverage
from tests.code.trees import write

FILES = {
    "shop/prices.py": "def with_tax(x):\n    return x\n\n\ndef unused(x):\n    return x\n",
    "shop/other.py": "def other():\n    return 1\n",
    "web/view.ts": "export function draw() {\n  return 1\n}\n",
    "tests/test_prices.py": "from shop.prices import with_tax\n\n\ndef test_tax():\n    assert with_tax(1)\n",
}
LCOV = "TN:\nSF:{path}\nFN:1,with_tax\nDA:1,1\nDA:2,4\nDA:5,1\nDA:6,0\nLF:4\nLH:3\nend_of_record\n"
COBERTURA = (
    '<?xml version="1.0" ?>\n<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">\n'
    '<coverage line-rate="0.75"><sources><source>/ci/shop</source></sources><packages><package name="."><classes>'
    '<class name="prices.py" filename="prices.py"><methods/><lines>'
    '<line number="1" hits="1"/><line number="2" hits="4"/>'
    '<line number="5" hits="1"/><line number="6" hits="0"/></lines></class></classes></package></packages></coverage>'
)
COVERAGE_PY = json.dumps(
    {"meta": {"format": 3}, "files": {"shop/prices.py": {"executed_lines": [1, 2, 5], "missing_lines": [6]}}}
)
ISTANBUL = json.dumps(
    {
        "/ci/app/web/view.ts": {
            "path": "/ci/app/web/view.ts",
            "statementMap": {"0": {"start": {"line": 2, "column": 2}}, "1": {"start": {"line": 3, "column": 0}}},
            "s": {"0": 3, "1": 0},
        }
    }
)
ODD = '''"""Module."""
import os
from typing import TYPE_CHECKING, overload
if TYPE_CHECKING:
    import abc
TABLE = [
    1,
    os.sep,
]
"""The rows of the table."""
class Odd:
    """Class."""
    size: int
    @property
    def f(
        self,
    ) -> int:
        global TABLE
        local: int
        try:
            return len(
                TABLE
            )
        except (ValueError,
                TypeError):
            pass
        finally:
            self.g()
    @overload
    def g(self,
          x: int) -> int: ...
    def h(self, x):
        match x:
            case 1:
                return 2
            case 2:  # pragma: no cover
                return 3
        if x:  # pragma: no cover
            return 4
        else:
            x = 5
        if x: x = 1
        elif self: x = 2
        else:  # pragma: no cover
            x = 3
    async def k(self): return 6
'''


def of(root: Path):
    return coverage(Index(root, NoFacts(), 10_000_000).refresh())


@pytest.mark.parametrize(
    ("name", "text", "source", "file", "covered", "total", "missing"),
    [
        ("lcov.info", LCOV.format(path="shop/prices.py"), "lcov", "shop/prices.py", 3, 4, "6"),
        ("coverage/lcov.info", LCOV.format(path="./shop/prices.py"), "lcov", "shop/prices.py", 3, 4, "6"),
        ("coverage.xml", COBERTURA, "cobertura", "shop/prices.py", 3, 4, "6"),
        ("coverage.json", COVERAGE_PY, "coverage.py", "shop/prices.py", 3, 4, "6"),
        ("coverage/coverage-final.json", ISTANBUL, "istanbul", "web/view.ts", 1, 2, "3"),
        (
            "web/coverage/coverage-final.json",
            ISTANBUL.replace("/ci/app/web/", ""),
            "istanbul",
            "web/view.ts",
            1,
            2,
            "3",
        ),
    ],
)
def test_each_report_is_read_where_it_stands(tmp_path, name, text, source, file, covered, total, missing):
    root = write(tmp_path.resolve() / "app", {**FILES, name: text})
    found = of(root)
    assert (found.source, found.report, found.unit) == (source, name, "lines")
    assert [(row.file, row.covered, row.total, row.missing) for row in found.by_file] == [
        (file, covered, total, missing)
    ]
    assert found.overall.percent == round(100 * covered / total, 1)
    assert "shop/other.py" in found.untested_files
    assert not found.stale_files


def test_a_report_knows_its_age_and_which_files_changed_since(tmp_path):
    root = write(tmp_path.resolve() / "app", {**FILES, "lcov.info": LCOV.format(path="shop/prices.py")})
    old = (root / "shop/prices.py").stat().st_mtime - 3_600
    os.utime(root / "lcov.info", (old, old))
    found = of(root)
    assert found.stale_files == ["shop/prices.py"]
    assert "changed since the report" in found.note
    assert found.age_s >= 3_599


def test_the_newest_report_that_can_be_read_is_taken(tmp_path):
    root = write(
        tmp_path.resolve() / "app",
        {**FILES, "lcov.info": LCOV.format(path="shop/prices.py"), "coverage.json": "{", "coverage.xml": COBERTURA},
    )
    for age, name in enumerate(("coverage.json", "coverage.xml", "lcov.info")):
        os.utime(root / name, (1_000_000 - age, 1_000_000 - age))
    found = of(root)
    assert found.report == "coverage.xml"
    assert "coverage.json could not be read" in found.note


def test_without_a_report_the_graph_says_which_functions_a_test_reaches(tmp_path):
    root = write(tmp_path.resolve() / "app", {**FILES, ".coverage": b"SQLite format 3\0"})
    found = of(root)
    assert (found.source, found.unit, found.overall.covered, found.overall.total) == ("graph", "functions", 1, 4)
    assert found.untested_files == ["shop/other.py", "web/view.ts"]
    assert next(row.missing for row in found.by_file if row.file == "shop/prices.py") == "unused"
    assert "none was run" in found.note
    assert ".coverage could not be read («it is no data file of coverage.py" in found.note


def test_a_report_of_another_project_is_passed_over(tmp_path):
    root = write(tmp_path.resolve() / "app", {**FILES, "lcov.info": LCOV.format(path="/elsewhere/x.py")})
    found = of(root)
    assert found.source == "graph"
    assert "lcov.info is about other files" in found.note


@pytest.mark.parametrize("format_", FORMATS, ids=lambda format_: format_.files[0])
@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b'{"files": 3}', b"<coverage", b"<x/>", b"\xff\xfe", b"SF:", b"[" * 100_000]
)
def test_what_is_no_report_says_so_or_nothing(format_, data):
    try:
        found = read(format_, data)
    except Unreadable:
        found = {}
    assert all(ran <= lines for lines, ran in found.values())


@pytest.mark.parametrize("branch", [False, True])
def test_the_data_file_gives_what_coverage_py_itself_reports(tmp_path, branch):
    root = write(tmp_path.resolve() / "app", {**FILES, "shop/odd.py": ODD, "pyproject.toml": ""})
    path = str(root / ".coverage")
    data = CoverageData(path)
    ran = {"shop/prices.py": {1, 2, 5}, "shop/odd.py": {2, 4, 5, 6, 7, 8, 14, 15, 23}, "shop/other.py": set()}
    for name, lines in ran.items():
        if branch:
            data.add_arcs({str(root / name): [(-1, min(lines)), *((n, -n) for n in lines)] if lines else []})
        else:
            data.add_lines({str(root / name): lines})
    data.touch_files([str(root / name) for name in ran])
    data.write()
    data.close()
    found = of(root)
    theirs = Coverage(data_file=path, config_file=False, branch=branch)
    theirs.load()
    expected = {}
    for name in ran:
        _, can_run, _, missing, _ = theirs.analysis2(str(root / name))
        expected[name] = (len(can_run) - len(missing), len(can_run))
    theirs.get_data().close()
    assert (found.source, found.report) == ("coverage.py", ".coverage")
    assert {row.file: (row.covered, row.total) for row in found.by_file} == expected
    assert "shop/other.py" in found.untested_files


@pytest.mark.slow
def test_lines_that_can_run_are_those_that_coverage_py_counts():
    seen = 0
    for path in sorted((Path(__file__).parents[3] / "src" / "bearings" / "code").rglob("*.py"))[::8]:
        parser = PythonParser(text=path.read_text(), filename=str(path), exclude="|".join(DEFAULT_EXCLUDE))
        parser.parse_source()
        assert {line for line, _ in statements(path.read_bytes())} == parser.statements, path
        seen += len(parser.statements)
    parser = PythonParser(text=ODD, filename="odd.py", exclude="|".join(DEFAULT_EXCLUDE))
    parser.parse_source()
    assert {line for line, _ in statements(ODD.encode())} == parser.statements
    assert seen > 300


def test_sources_that_no_longer_parse_are_counted_as_nothing(tmp_path):
    root = write(tmp_path.resolve() / "app", FILES)
    data = CoverageData(str(root / ".coverage"))
    data.add_lines({str(root / "shop/prices.py"): {1, 2}})
    data.write()
    data.close()
    (root / "shop/prices.py").write_text("def (")
    assert [(row.covered, row.total) for row in of(root).by_file] == [(0, 0)]


def test_a_report_that_can_t_be_read_is_named_and_an_older_one_is_taken(tmp_path):
    root = write(tmp_path.resolve() / "app", {**FILES, "coverage.json": COVERAGE_PY, "coverage/lcov.info": "SF:"})
    os.truncate(root / "coverage/lcov.info", 40 * 2**20)
    found = of(root)
    assert (found.report, found.overall.covered) == ("coverage.json", 3)
    assert "coverage/lcov.info was not read (too large)" in found.note


def test_an_older_report_is_found_below_the_newest_few_only(tmp_path):
    broken = {f"d{number}/lcov.info": "nothing" for number in range(6)}
    root = write(tmp_path.resolve() / "app", {**FILES, "coverage.json": COVERAGE_PY, **broken})
    os.utime(root / "coverage.json", (1, 1))
    assert of(root).source == "graph"
    for path in list(broken)[:3]:
        (root / path).unlink()
    assert of(root).source == "coverage.py"


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ("CREATE VIEW file AS SELECT 1 AS id, 'a.py' AS path", "plain tables"),
        ("CREATE TABLE file (id INTEGER PRIMARY KEY, path TEXT AS ('a.py'))", "plain tables"),
        ("CREATE VIRTUAL TABLE file USING fts5(id, path)", "plain tables"),
        ("CREATE TABLE file (id INTEGER PRIMARY KEY, path TEXT)", "2000000000"),
    ],
)
def test_the_data_file_is_read_from_plain_tables_alone(schema, said):
    database = sqlite3.connect(":memory:")
    database.execute(schema)
    database.execute("CREATE TABLE line_bits (file_id INTEGER, numbits BLOB)")
    database.execute("CREATE TABLE arc (file_id INTEGER, fromno INTEGER, tono INTEGER)")
    if said != "plain tables":
        database.execute("INSERT INTO file VALUES (1, 7)")
        database.execute("INSERT INTO line_bits VALUES (2000000000, x'ff')")
    database.commit()
    with pytest.raises(Unreadable, match=said):
        read(FORMATS[3], database.serialize())
    database.close()
