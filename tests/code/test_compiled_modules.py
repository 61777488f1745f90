"""The modules that mypyc compiles: one that is moved out of them fails the build, and is not left to be slow."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def compiled() -> Any:
    spec = importlib.util.spec_from_file_location("compiled", ROOT / "packaging/compiled.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def project(folder: Path, **sources: str) -> Path:
    for name, source in sources.items():
        path = folder / "bearings/code" / (name.replace("__", "/") + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
    return folder


def test_a_module_is_compiled_however_deep_it_lies(compiled: Any, tmp_path: Path) -> None:
    project(tmp_path, resolve__a="", resolve__rules__go__types="", resolve__file_uses="")
    found = list(compiled.modules(tmp_path, compiled.GROUPS["bearings_edges"]))
    assert found == ["bearings/code/resolve/a.py", "bearings/code/resolve/rules/go/types.py"]


def test_a_module_that_is_moved_away_fails_the_build(compiled: Any, tmp_path: Path) -> None:
    project(tmp_path, resolve__a="from bearings.code.evaluation import hot", evaluation__hot="", models="")
    with pytest.raises(SystemExit, match=r"code/resolve/a.py imports code/evaluation/hot.py, which is not compiled"):
        list(compiled.modules(tmp_path, compiled.GROUPS["bearings_edges"]))


def test_groups_without_modules_fail_the_build(compiled: Any, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="GROUPS is behind the sources"):
        list(compiled.modules(project(tmp_path, models=""), ("code/resolve/**/*.py",)))


@pytest.mark.slow
def test_every_import_of_a_compiled_module_is_compiled_or_known(compiled: Any) -> None:
    assert all(list(compiled.modules(ROOT / "src", patterns)) for patterns in compiled.GROUPS.values())
