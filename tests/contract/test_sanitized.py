"""The C module with AddressSanitizer and UndefinedBehaviorSanitizer, over damaged sources of every language."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import bearings
from tests.soak import soak

ROOT = Path(__file__).parents[2]
SECONDS = 120
CFLAGS = "-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined"


def library(name: str) -> str:
    """Where the compiler has a library; it names the library alone where it has none."""
    command = ("gcc", f"-print-file-name={name}")
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def sanitized(tmp_path: Path) -> Path:
    """A copy of the package whose C module is watched."""
    ignored = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd")
    shutil.copytree(Path(bearings.__file__).parent, tmp_path / "bearings", ignore=ignored)
    build = (sys.executable, str(ROOT / "packaging" / "native.py"), str(tmp_path), "--required", "--quick")
    subprocess.run(build, env={**os.environ, "CFLAGS": CFLAGS, "LDFLAGS": "-fsanitize=address,undefined"}, check=True)
    return tmp_path


@pytest.mark.slow
@soak
@pytest.mark.parametrize("seed", [1, 2])
def test_no_damaged_source_makes_the_c_module_read_what_it_must_not(sanitized: Path, seed: int) -> None:
    environment = {
        **os.environ,
        "PYTHONPATH": f"{sanitized}{os.pathsep}{ROOT}",
        "PYTHONMALLOC": "malloc",  # else Python's own allocator hides what is read beyond an end
        "LD_PRELOAD": library("libasan.so"),
        "ASAN_OPTIONS": "detect_leaks=0",  # Python keeps much until it ends
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }
    command = (sys.executable, "-m", "tests.contract.mutations", str(SECONDS), str(seed))
    outcome = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert outcome.returncode == 0, outcome.stderr[-6_000:]
    sys.stdout.write(outcome.stdout)
