"""Drift: what became of each element of an index, said with the confidence that the evidence gives."""

import json
from collections.abc import Mapping

import pytest

from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot import Snapshot
from bearings.code.questions.drift import CompareIndex, DriftPart, DriftReply
from bearings.code.questions.export import Export
from bearings.errors import InvalidInput, PathNotAllowed
from bearings.paging import encode
from tests.code.questions.snapshots import answered
from tests.code.trees import write

BODY = (
    "    total = sum(row.price for row in rows)\n"
    "    if total > limit:\n        raise ValueError(rows)\n    return total\n"
)
BEFORE = {
    "app/bill.py": (
        f"LIMIT = 3\n\n\ndef total_of(rows, limit):\n{BODY}\n\n"
        "class Bill:\n    def __init__(self, rows):\n        self.rows = rows\n\n"
        "    def pay(self, money):\n        return money - total_of(self.rows, LIMIT)\n\n"
        "    def print(self):\n        for row in self.rows:\n            print(row.name, row.price, sep='\\t')\n"
    ),
    "app/names.py": "def greet(name):\n    return f'Hello, {name}, how are you today?'\n",
}


def snapshot_of(root) -> Snapshot:
    return Index(root, NoFacts(), 1_000_000).refresh()


@pytest.fixture
def root(tmp_path):
    root = write(tmp_path.resolve() / "app", BEFORE)
    answered(snapshot_of(root), Export(format="index", output_path=".coderef-index.json"))
    return root


def after(root, files: Mapping[str, str | None], **question) -> DriftReply:
    for name, text in files.items():
        if text is None:
            (root / name).unlink()
        else:
            write(root, {name: text})
    return answered(snapshot_of(root), CompareIndex(**question))


def said(page: DriftReply) -> dict[str, str]:
    """By the old name: the status, and where it is now."""
    return {
        one.reference.partition("#")[2].partition(":")[0]: " ".join([one.status, *one.now]) for one in page.references
    }


def of(page: DriftReply, name: str) -> DriftPart:
    return next(one for one in page.references if f"#{name}:" in one.reference)


BILL = BEFORE["app/bill.py"]


def test_nothing_has_drifted_from_what_is(root):
    page = after(root, {})
    assert (page.missing, page.ambiguous, page.renamed, page.moved, page.unchanged) == (0, 0, 0, 0, 8)
    assert (page.page.total, page.added_elements, page.modified_elements) == (0, 0, 0)


@pytest.mark.parametrize(
    ("files", "expected", "added"),
    [
        ({"app/bill.py": "\n\n" + BILL}, {}, 0),
        (
            {"app/bill.py": BILL.replace("LIMIT = 3\n", "") + "\n\nLIMIT = 3\n"},
            {"LIMIT": "moved app/bill.py#LIMIT:22"},
            0,
        ),
        (
            {"app/names.py": BEFORE["app/names.py"].replace("greet", "hail")},
            {"greet": "renamed app/names.py#hail:1"},
            0,
        ),
        ({"app/names.py": None, "app/say.py": BEFORE["app/names.py"]}, {"greet": "moved app/say.py#greet:1"}, 0),
        ({"app/names.py": None}, {"greet": "missing"}, 0),
        ({"app/names.py": "def other(): pass\n"}, {"greet": "missing"}, 1),
        (
            {"app/names.py": "", "app/bill.py": BILL + "\n\n" + BEFORE["app/names.py"].replace("greet", "hail")},
            {"greet": "renamed app/bill.py#hail:23"},
            0,
        ),
        (
            {"app/bill.py": BILL.replace("class Bill", "class Invoice")},
            {"Bill": "renamed app/bill.py#Invoice:11", "Bill.pay": "renamed app/bill.py#Invoice.pay:15"},
            0,
        ),
        (
            {"app/bill.py": BILL.replace("total_of", "sum_of").replace("row.price for", "row.cents for")},
            {"total_of": "renamed app/bill.py#sum_of:4"},
            0,
        ),
        (
            {"app/names.py": None, "a.py": BEFORE["app/names.py"], "b.py": BEFORE["app/names.py"]},
            {"greet": "ambiguous a.py#greet:1 b.py#greet:1"},
            0,
        ),
    ],
)
def test_each_is_named(root, files, expected, added):
    page = after(root, files)
    found = said(page)
    assert {name: found.get(name) for name in expected} == expected
    assert page.added_elements == added


def test_a_change_is_not_drift_but_is_told(root):
    page = after(root, {"app/names.py": BEFORE["app/names.py"].replace("today", "now")})
    assert (page.page.total, page.modified) == (0, ["app/names.py#greet:1"])
    assert after(root, {"app/names.py": BEFORE["app/names.py"].replace("    ", "\t") + "\n"}).modified_elements == 0


def test_only_what_is_sure_may_be_mended_without_asking(root):
    page = after(root, {"app/names.py": BEFORE["app/names.py"].replace("greet", "hail")})
    sure = of(page, "greet")
    assert (sure.auto_fixable, sure.suggestion) == (True, "@Fn/app/names.py#hail:1")
    assert sure.confidence >= 0.9
    changed = BILL.replace("total_of", "sum_of").replace("row.price for", "row.cents for")
    doubtful = of(after(root, {"app/bill.py": changed}), "total_of")
    assert 0.5 < doubtful.confidence < 0.9
    assert not doubtful.auto_fixable
    assert doubtful.modified


def test_the_gravest_comes_first_and_pages_hold_everything_once(root):
    files = {"app/names.py": None, "app/bill.py": "\n" + BILL.replace("class Bill", "class Invoice")}
    whole = after(root, files)
    order = [one.status for one in whole.references]
    assert order == sorted(order, key=["missing", "ambiguous", "renamed", "moved"].index)
    assert order[0] == "missing"
    first = after(root, {}, most=2)
    rest = after(root, {}, most=99, cursor=encode(2, first.page.identity))
    assert first.references + rest.references == whole.references
    with pytest.raises(InvalidInput, match="another list"):
        after(root, {"x.py": "y = 1\n"}, cursor=encode(2, first.page.identity))


@pytest.mark.parametrize("form", ["bare", "v2", "compact"])
def test_indexes_of_others_are_followed_by_name(root, form):
    rows = [
        {"type": "function", "name": "greet", "file": str(root / "app/names.py"), "line": 1},
        {"type": "method", "name": "Bill.pay", "file": "app/bill.py", "line": 3},
        {"type": "unknown", "name": "gone", "file": "app/gone.py", "line": 3},
    ]
    compact = [{"t": row["type"], "n": row["name"], "f": row["file"], "l": row["line"]} for row in rows]
    document = {
        "bare": rows,
        "v2": {"version": "2.0.0", "generatedAt": "2024", "elements": rows},
        "compact": {"schemaVersion": "3.0.0", "format": "compact", "elements": compact},
    }[form]
    write(root, {".coderef/index.json": json.dumps(document)})
    page = after(root, {}, index_path=".coderef/index.json")
    assert (page.unchanged, page.modified_elements) == (2, None)
    assert said(page) == {"gone": "missing"}
    assert "1 unchanged elements are on other lines" in str(page.note)


@pytest.mark.parametrize(
    ("path", "error", "words"),
    [
        ("nowhere.json", InvalidInput, "does not exist"),
        ("app/names.py", InvalidInput, "is no index: it is no JSON"),
        ("app", InvalidInput, "can't be read"),
        ("../x.json", PathNotAllowed, "outside the project"),
        ("/etc/passwd", PathNotAllowed, "outside the project"),
        ("link.json", PathNotAllowed, "outside the project"),
        ("x\0", InvalidInput, "no usable path"),
    ],
)
def test_what_is_no_index_of_the_project_is_refused(root, path, error, words):
    (root / "link.json").symlink_to(root.parent / "x.json")
    (root.parent / "x.json").write_text("[]")
    with pytest.raises(error, match=words) as caught:
        after(root, {}, index_path=path)
    assert "coderef_export" in caught.value.hint
