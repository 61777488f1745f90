"""An exported file has an export's own kind and name, whatever the caller asks for."""

from pathlib import Path

import pytest

from bearings.code.project.export_names import check_export_path
from bearings.code.questions.export import ExportFormat
from bearings.errors import InvalidInput, PathNotAllowed

ALLOWED: list[tuple[str, ExportFormat]] = [
    ("graph.json", "json"),
    ("docs/graph.JSON", "json"),
    ("graph.jsonld", "jsonld"),
    ("graph.json", "jsonld"),
    ("graph.mmd", "mermaid"),
    ("graph.dot", "dot"),
    ("graph.gv", "dot"),
    (".coderef-index.json", "index"),
    ("early.coderef-index.json", "index"),
    ("häfen.json", "json"),
    ("coderef-graph.config-free.json", "json"),
    ("architecture.json", "json"),
]

REFUSED: list[tuple[str, ExportFormat]] = [
    (".coderef-index.json", "json"),
    (".eslintrc.json", "json"),
    (".json", "json"),
    ("sub/.mcp.json", "json"),
    ("graph", "json"),
    ("graph.py", "json"),
    ("graph.json.py", "json"),
    ("graph.json ", "json"),
    ("graph.json.", "json"),
    ("Makefile", "dot"),
    ("index.html", "mermaid"),
    ("graph.mmd", "json"),
    ("package.json", "json"),
    ("nodemon.json", "json"),
    ("lefthook.json", "json"),
    ("babel.config.json", "json"),
    ("jest.config.json", "index"),
    ("firebase.json", "json"),
    ("src-tauri/tauri.conf.json", "json"),
    ("tsconfig.build.json", "json"),
    ("Package.JSON", "json"),
    ("docs/tsconfig.json", "index"),
    (".github/graph.json", "json"),
    (".vscode/deep/graph.json", "json"),
    ("docs/../.github/graph.json", "json"),
    ("alias/graph.json", "json"),
    ("x\\package.json", "json"),
    ("a\nb.json", "json"),
    ("a\x1b[2Jb.json", "json"),
    ("gpj\u202enosj.json", "json"),
    ("a\u200bb.json", "json"),
    ("a\0.json", "json"),
]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in (".github", ".vscode/deep", "docs", "sub"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "alias").symlink_to(".github", target_is_directory=True)
    return tmp_path.resolve()


@pytest.mark.parametrize(("path", "kind"), ALLOWED)
def test_an_export_s_own_names_are_allowed(root: Path, path: str, kind: ExportFormat):
    check_export_path(root, path, kind)
    check_export_path(root, str(root / path), kind)


@pytest.mark.parametrize(("path", "kind"), REFUSED)
def test_other_names_are_refused_with_a_remedy(root: Path, path: str, kind: ExportFormat):
    for spelled in (path, str(root / path)):
        with pytest.raises((PathNotAllowed, InvalidInput)) as caught:
            check_export_path(root, spelled, kind)
        assert "coderef-graph." in caught.value.hint
        assert caught.value.error.isprintable()


def test_a_hidden_directory_above_the_project_does_not_matter(tmp_path: Path):
    root = (tmp_path / ".work" / "app").resolve()
    root.mkdir(parents=True)
    check_export_path(root, str(root / "graph.json"), "json")


def test_a_path_that_is_none_is_left_to_the_writer(tmp_path: Path):
    check_export_path(tmp_path, "", "json")
