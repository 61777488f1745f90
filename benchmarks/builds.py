"""Facts of all files of large trees, by each way to build the program: pure, with the C module, with mypyc, with both.

Each measurement is a process of its own, which reads the sources, warms up, and then takes the facts of all of them.
`make compiled` comes first.
"""

import hashlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from benchmarks.code.corpora import PYTHON, TYPESCRIPT, lines, sources, tree
from benchmarks.measure import ROUNDS, header, progress, table

ROOT = Path(__file__).parents[1]
COMPILED = ROOT / "build" / "compiled"
WARM = 20
"""Files that are read before the clock starts: queries are compiled then, and modules loaded."""


def main(others: Mapping[str, Path] | None = None) -> str:
    """The table. `others`: further builds, by name, as folders that hold `bearings`."""
    with tempfile.TemporaryDirectory() as folder:
        return _measured({**builds(Path(folder)), **(others or {})})


def builds(folder: Path) -> dict[str, Path]:
    """The package by each way to build it, in folders of its own."""
    if not COMPILED.is_dir():
        sys.exit("make compiled comes first")
    made = {name: folder / name for name in ("pure", "C module", "mypyc", "mypyc + C module")}
    for name, place in made.items():
        source = COMPILED if "mypyc" in name else ROOT / "src"
        shutil.copytree(source, place, ignore=shutil.ignore_patterns("__pycache__", "syntax.*.so", "syntax.*.pyd"))
        if "C module" in name:
            native = (sys.executable, str(ROOT / "packaging" / "native.py"), str(place), "--required")
            subprocess.run(native, check=True, stdout=subprocess.DEVNULL)
    return made


def _measured(builds: Mapping[str, Path]) -> str:
    rows = []
    for corpus in (TYPESCRIPT, PYTHON):
        root = tree(corpus)
        size, files = lines(root), len(sources(root))
        taken: dict[str, list[tuple[float, float]]] = {name: [] for name in builds}
        found = set()
        for number in range(ROUNDS):
            for name, place in builds.items():
                progress(f"{corpus.name}, round {number + 1} of {ROUNDS}: {name} …")
                cpu, wall, facts = _side(place, root)
                taken[name].append((cpu, wall))
                found.add(facts)
        assert len(found) == 1, "the builds find different facts"
        rows += _rows(f"{corpus.name}, {files} files, {size // 1000} kLOC", taken)
    about = header("Builds", "tree-sitter", "mypy", command="make compiled && python -m benchmarks builds")
    return about + table(["tree", "build", "CPU", "wall", "÷ pure's CPU"], rows)


def _rows(about: str, taken: Mapping[str, list[tuple[float, float]]]) -> list[list[str]]:
    middle = {name: [statistics.median(part) for part in zip(*times, strict=True)] for name, times in taken.items()}
    pure = middle["pure"][0]
    return [[about, name, f"{cpu:.2f} s", f"{wall:.2f} s", f"{cpu / pure:.2f}"] for name, (cpu, wall) in middle.items()]


def _side(place: Path, root: Path) -> tuple[float, float, str]:
    """CPU, wall, and what stands for the facts."""
    environment = {**os.environ, "PYTHONPATH": f"{place}{os.pathsep}{ROOT}", "PYTHONSAFEPATH": "1"}
    command = (sys.executable, str(Path(__file__)), str(place), str(root))
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    cpu, wall, facts = json.loads(done.stdout)
    return cpu, wall, facts


def _read(place: str, root: str) -> None:
    import msgspec

    import bearings
    from bearings.code.languages import language_of
    from bearings.code.parse import parse_file

    assert Path(bearings.__file__).is_relative_to(place), bearings.__file__
    given = [(path, language_of(path), Path(path).read_bytes()) for path, _ in sources(Path(root))]
    jobs = [(path, language, source) for path, language, source in given if language]
    for job in jobs[:: max(1, len(jobs) // WARM)]:
        parse_file(*job)
    hashed = hashlib.blake2b(digest_size=16)
    cpu = wall = 0.0
    for job in jobs:
        started = time.process_time(), time.perf_counter()
        facts = parse_file(*job)
        cpu, wall = cpu + time.process_time() - started[0], wall + time.perf_counter() - started[1]
        hashed.update(msgspec.msgpack.encode(facts))
    print(json.dumps([cpu, wall, hashed.hexdigest()]))


if __name__ == "__main__":
    _read(*sys.argv[1:])
