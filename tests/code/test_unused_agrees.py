"""No question that lists users contradicts `unused`: what has a user is not listed, nor a file that one imports."""

import os
import shutil
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bearings.code.index.snapshot import Snapshot
from bearings.code.models import EdgeKind
from bearings.code.questions.query import Query, QueryType, Relation
from bearings.code.questions.unused.compute import unused
from tests.code.questions.snapshots import answered, snapshot_of
from tests.code.test_random_edits import FILES, TEXTS
from tests.code.trees import write
from tests.soak import SOAK

ROOT = Path(__file__).parents[2]
PACKAGES = Path(sysconfig.get_path("purelib"))
LARGE = (ROOT / "src/bearings/code", PACKAGES / "pydantic", PACKAGES / "hypothesis", PACKAGES / "mypy")
TREES = (
    ROOT / "examples", ROOT / "web", ROOT / "benchmarks",
    PACKAGES / "anyio", PACKAGES / "starlette", PACKAGES / "msgspec", *(LARGE if SOAK else ()),
)  # fmt: skip
SOURCES = frozenset({".py", ".ts", ".tsx", ".js", ".mjs", ".go", ".vue", ".json", ".mod"})
PER_TREE = 200

LOADED = {
    "main.ts": "import.meta.glob('./lib/*.ts')\nimport('./src/app/a')\n",
    "serve.ts": "import m from './lib/b'\nimport express from 'express'\nexpress().use('/x', m)\n",
    "page.vue": "<template><b :go='a' /></template>\n<script setup>\nimport { a } from './lib/a'\n</script>\n",
    "main.py": "import importlib\nfrom lib import a, b\nimportlib.import_module('src.app.c')\na.a\nb.go\n",
}
PROJECTS = st.dictionaries(FILES, TEXTS, min_size=1, max_size=6).flatmap(
    lambda files: st.sets(st.sampled_from(sorted(LOADED))).map(lambda ways: files | {way: LOADED[way] for way in ways})
)


def users(snapshot: Snapshot, query_type: QueryType, element: str) -> list[Relation]:
    """The uses of an element that come from outside of it, but re-exports."""
    reply = answered(snapshot, Query(query_type=query_type, element=element, most=1_000))
    own = element.rpartition(":")[0] + "."
    return [
        use for use in reply.results
        if use.from_ != element and not use.from_.startswith(own) and use.type is not EdgeKind.EXPORT
    ]  # fmt: skip


def contradictions(snapshot: Snapshot) -> Iterator[object]:
    """The users of what is listed, and the importers of files that are called imported by nothing."""
    for exports in (False, True):
        found = unused(snapshot, (), lambda _: True, exports=exports)
        for symbol in found.symbols[:: max(1, len(found.symbols) // PER_TREE)]:
            for query_type in ("depends-on-me", "calls-me", "imports-me"):
                yield from users(snapshot, query_type, symbol.id)
        for file in found.by_path:
            yield from users(snapshot, "imports-me", file)


@pytest.mark.slow
@given(files=PROJECTS)
@settings(max_examples=1_000 if SOAK else 40, deadline=None)
def test_of_any_project(files: dict[str, str]) -> None:
    with tempfile.TemporaryDirectory() as root:
        assert list(contradictions(snapshot_of(Path(root), files))) == []


@pytest.mark.slow
@pytest.mark.parametrize("tree", TREES, ids=lambda tree: tree.name)
def test_of_a_tree(tmp_path: Path, tree: Path) -> None:
    for path in tree.rglob("*"):
        if path.suffix in SOURCES and "node_modules" not in path.parts and path.is_file():
            copy = tmp_path / tree.name / path.relative_to(tree)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
    assert list(contradictions(snapshot_of(tmp_path, {}))) == []


@pytest.mark.slow
@pytest.mark.skipif("BEARINGS_DATA" not in os.environ, reason="BEARINGS_DATA is not set: no projects of reports")
def test_of_the_projects_of_reports(tmp_path: Path) -> None:
    folders = [path for path in Path(os.environ["BEARINGS_DATA"], "code-reports").iterdir() if path.is_dir()]
    assert folders
    for folder in folders:
        texts = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
        root = write(tmp_path / folder.name, {name: path.read_text() for name, path in texts.items()})
        assert (folder.name, list(contradictions(snapshot_of(root, {})))) == (folder.name, [])
