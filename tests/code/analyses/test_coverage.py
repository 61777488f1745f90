"""Coverage: each report format as its tool writes it, where it stands, how old it is; else the graph."""

import json
import os
from pathlib import Path

import pytest

from bearings.code.analyses.coverage import coverage
from bearings.code.facts import NoFacts
from bearings.code.formats.coverage import FORMATS, Unreadable, read
from bearings.code.refresh import Index
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
    assert found.percent == round(100 * covered / total, 1)
    assert "shop/other.py" in found.untested_files
    assert not found.stale_files


def test_a_report_knows_its_age_and_which_files_changed_since(tmp_path):
    root = write(tmp_path.resolve() / "app", {**FILES, "lcov.info": LCOV.format(path="shop/prices.py")})
    old = (root / "shop/prices.py").stat().st_mtime - 3_600
    os.utime(root / "lcov.info", (old, old))
    found = of(root)
    assert found.stale_files == ("shop/prices.py",)
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
    root = write(tmp_path.resolve() / "app", {**FILES, ".coverage": "SQLite format 3"})
    found = of(root)
    assert (found.source, found.unit, found.covered, found.total) == ("graph", "functions", 1, 4)
    assert found.untested_files == ("shop/other.py", "web/view.ts")
    assert next(row.missing for row in found.by_file if row.file == "shop/prices.py") == "unused"
    assert "none was run" in found.note
    assert "coverage json" in found.note


def test_a_report_of_another_project_is_passed_over(tmp_path):
    root = write(tmp_path.resolve() / "app", {**FILES, "lcov.info": LCOV.format(path="/elsewhere/x.py")})
    found = of(root)
    assert found.source == "graph"
    assert "lcov.info is about other files" in found.note


@pytest.mark.parametrize("format_", FORMATS, ids=lambda format_: format_.name)
@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b'{"files": 3}', b"<coverage", b"<x/>", b"\xff\xfe", b"SF:", b"[" * 100_000]
)
def test_what_is_no_report_says_so_or_nothing(format_, data):
    try:
        found = read(format_, data)
    except Unreadable:
        found = {}
    assert all(ran <= lines for lines, ran in found.values())
