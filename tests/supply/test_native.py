"""The C module is built where it can be; where not, installing goes on, and says why."""

import os
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def runtime(tmp_path: Path) -> Path:
    """A folder that looks like one of tree-sitter's sources."""
    for name in ("include/tree_sitter/api.h", "src/lib.c"):
        path = tmp_path / "tree-sitter" / "lib" / name
        path.parent.mkdir(parents=True)
        path.touch()
    return tmp_path / "tree-sitter"


def built(folder: Path, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = (sys.executable, str(ROOT / "packaging" / "native.py"), str(folder), *options)
    return subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize(("options", "status"), [((), 0), (("--required",), 1)])
def test_without_a_compiler_the_build_says_so(
    runtime: Path, tmp_path: Path, options: tuple[str, ...], status: int
) -> None:
    outcome = built(tmp_path / "package", *options, BEARINGS_TREE_SITTER=str(runtime), CC="false")
    assert outcome.returncode == status
    assert "C compiler" in outcome.stderr
    assert "bearings takes longer to read files" in outcome.stderr


def test_a_folder_without_the_runtime_is_named(tmp_path: Path) -> None:
    outcome = built(tmp_path, BEARINGS_TREE_SITTER=str(tmp_path))
    assert outcome.returncode == 0
    assert f"{tmp_path} does not have tree-sitter's src/lib.c" in outcome.stderr


@pytest.mark.slow
def test_an_old_library_does_not_stay_where_no_new_one_can_be_built(runtime: Path, tmp_path: Path) -> None:
    old = tmp_path / "bearings/code/languages/syntax.old.so"
    old.parent.mkdir(parents=True)
    old.touch()
    built(tmp_path, BEARINGS_TREE_SITTER=str(runtime), CC="false")
    assert not old.exists()


@pytest.mark.slow
@pytest.mark.skipif(find_spec("bearings.code.languages.syntax") is None, reason="needs the C module")
def test_the_trial_of_a_wheel_takes_what_is_installed_here() -> None:
    command = (sys.executable, str(ROOT / "packaging" / "trial.py"))
    outcome = subprocess.run(command, capture_output=True, text=True, check=False)
    assert outcome.returncode == 0, outcome.stderr
    assert "The wheel works, with its C module" in outcome.stdout


@pytest.mark.slow
@pytest.mark.parametrize("switches", [{"BEARINGS_PURE": "1"}, {"CC": "false"}], ids=["asked for", "no compiler"])
def test_a_pure_wheel_is_for_every_platform(runtime: Path, tmp_path: Path, switches: dict[str, str]) -> None:
    build = (sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path))
    environment = {name: value for name, value in os.environ.items() if not name.startswith("BEARINGS_")}
    environment |= {"BEARINGS_TREE_SITTER": str(runtime), **switches}
    outcome = subprocess.run(build, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert outcome.returncode == 0, outcome.stderr
    assert ("can't be built" in outcome.stdout + outcome.stderr) is ("CC" in switches)
    [wheel] = tmp_path.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "bearings/code/languages/syntax.pyi" in names
    assert [name for name in names if name.endswith((".so", ".pyd"))] == []
