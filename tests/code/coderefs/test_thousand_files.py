"""Real sources by the thousand: tagged, checked, compared, untagged; and thirty changes, each of which drift names."""

import hashlib
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bearings.code.coderefs.elements import Texts, elements_of
from bearings.code.engine.session import Session
from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot import Snapshot
from bearings.code.models import Symbol, SymbolKind
from bearings.code.questions.drift import CompareIndex, DriftReply
from bearings.code.questions.export import Export
from bearings.code.questions.tag import Tag, TagReply
from bearings.code.questions.validate import Validate
from bearings.progress import NoProgress
from tests.code.questions.snapshots import answered
from tests.soak import soak

PACKAGE = "rxjs@7.8.2"
FILES = 1_000
TAGS = 10 * FILES
LARGEST = 60_000
"""Bytes of the largest file taken: the time goes into many files, not into a few."""

pytestmark = [
    pytest.mark.slow,
    soak,
    pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed, so no package can be fetched"),
]


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """TypeScript of a package by npm, and as much of Python's own library as makes up the number."""
    folder = tmp_path_factory.mktemp("npm")
    command = ["npm", "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", PACKAGE]
    subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, check=True, timeout=300)
    root = tmp_path_factory.mktemp("sources").resolve()
    shutil.copytree(folder / "node_modules/rxjs/src", root / "rxjs")
    count = sum(1 for path in root.rglob("*.ts"))
    library = Path(sysconfig.get_path("stdlib"))
    for path in sorted(library.rglob("*.py")):
        inside = path.relative_to(library)
        if count < FILES + 50 and "site-packages" not in inside.parts and 0 < path.stat().st_size <= LARGEST:
            target = root / "library" / inside
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
            count += 1
    return root


def snapshot_of(root: Path) -> Snapshot:
    return Index(root, NoFacts(), 1_000_000).refresh()


def tag(root: Path, **arguments: Any) -> TagReply:
    session = Session(root, NoFacts(), 1_000_000)
    report: TagReply = session.answer(Tag(path=".", dry_run=False, **arguments), NoProgress()).value
    return report


def digests(root: Path) -> dict[str, str]:
    return {
        str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in root.rglob("*")
        if path.is_file() and path.name != ".coderef-index.json"
    }


def test_tagged_checked_compared_and_untagged_every_byte_is_as_it_was(sources, tmp_path):
    root = tmp_path.resolve() / "project"
    shutil.copytree(sources, root)
    before = digests(root)
    snapshot = snapshot_of(root)
    had = answered(snapshot, Validate()).references_found
    answered(snapshot, Export(format="index", output_path=".coderef-index.json"))
    tagged = tag(root, include_private=True)
    added = sum(file.added for file in tagged.files)
    assert tagged.files_scanned >= FILES
    assert added > TAGS
    assert sum(len(file.refused) for file in tagged.files) <= added / 1000
    assert not [file.problem for file in tagged.files if file.problem]
    snapshot = snapshot_of(root)
    again = tag(root, include_private=True, update_lineno=True)
    assert [file.path for file in again.files if file.added or file.updated] == []
    page = answered(snapshot, Validate())
    assert page.references_found == added + had
    wrong = [finding for finding in page.findings if finding.severity == "error"]
    assert len(wrong) <= had, wrong[:5]
    assert [finding for finding in page.findings if finding.code == "stale_line"] == []
    drifted = answered(snapshot, CompareIndex())
    assert (drifted.page.total, drifted.drift_percent) == (0, 0)
    assert "unchanged elements are on other lines" in str(drifted.note)
    assert (drifted.added_elements, drifted.modified_elements) == (0, 0)
    untagged = tag(root, remove=True)
    assert sum(file.removed for file in untagged.files) == added
    assert digests(root) == before


def changeable(snapshot: Snapshot) -> Iterator[Symbol]:
    """Functions at the top of Python files, one a file, of some lines, of a name and a text of their own."""
    texts = Texts(snapshot.tree)
    functions = [symbol for symbol in elements_of(snapshot) if symbol.kind is SymbolKind.FUNCTION]
    prints = [texts.print_of(symbol).hash for symbol in functions]
    names = [symbol.qualified_name for symbol in functions]
    seen: set[str] = set()
    for symbol, text in zip(functions, prints, strict=True):
        line = (snapshot.root / symbol.file).read_text("utf-8", "replace").splitlines()[symbol.line - 1]
        if (
            symbol.file.startswith("library/")
            and symbol.end_line - symbol.line >= 6
            and line.startswith(f"def {symbol.name}(")
            and names.count(symbol.qualified_name) == 1
            and prints.count(text) == 1
            and symbol.file not in seen
        ):
            seen.add(symbol.file)
            yield symbol


def cut(root: Path, symbol: Symbol) -> str:
    path = root / symbol.file
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[: symbol.line - 1] + lines[symbol.end_line :]), "utf-8")
    return "".join(lines[symbol.line - 1 : symbol.end_line])


def became(page: DriftReply, symbol: Symbol) -> tuple[str, tuple[str, ...]]:
    drift = next(one for one in page.references if (one.file, one.line) == (symbol.file, symbol.line))
    return drift.status, tuple(name.rpartition(":")[0] for name in drift.now)


def test_thirty_elements_moved_renamed_and_deleted_are_each_named(sources, tmp_path):
    root = tmp_path.resolve() / "project"
    shutil.copytree(sources, root)
    snapshot = snapshot_of(root)
    answered(snapshot, Export(format="index", output_path=".coderef-index.json"))
    chosen = [symbol for symbol, _ in zip(changeable(snapshot), range(30), strict=False)]
    assert len(chosen) == 30
    moved, renamed, deleted = chosen[:10], chosen[10:20], chosen[20:]
    expected: dict[Symbol, tuple[str, tuple[str, ...]]] = {}
    for number, symbol in enumerate(moved):
        target = f"library/moved_{number}.py"
        (root / target).write_text(f"import os\n\n\n{cut(root, symbol)}", "utf-8")
        expected[symbol] = ("moved", (f"{target}#{symbol.name}",))
    for symbol in renamed:
        path = root / symbol.file
        text = path.read_text("utf-8")
        path.write_text(text.replace(f"def {symbol.name}(", f"def {symbol.name}_anew("), "utf-8")
        expected[symbol] = ("renamed", (f"{symbol.file}#{symbol.name}_anew",))
    for symbol in deleted:
        cut(root, symbol)
        expected[symbol] = ("missing", ())
    page = answered(snapshot_of(root), CompareIndex(most=5000))
    assert {symbol.id: became(page, symbol) for symbol in chosen} == {s.id: what for s, what in expected.items()}
    mendable = {(one.file, one.line) for one in page.references if one.auto_fixable}
    assert {(symbol.file, symbol.line) for symbol in (*moved, *renamed)} <= mendable
