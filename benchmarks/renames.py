"""Renames drawn at random in packages that have tests: is what is done right, and what is refused explained?

For each element: a copy of the package is renamed by the command, the package's tests and its type checker run, and the
rename back must restore every byte. Packages are fetched by name.
"""

import json
import os
import random
import re
import shutil
import subprocess
import sys
import tarfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import Symbol, SymbolKind
from benchmarks.measure import revision, table
from benchmarks.truth.checkout import CACHE

SEED = 19
EACH = 15
_KINDS = frozenset({SymbolKind.FUNCTION, SymbolKind.CLASS, SymbolKind.METHOD, SymbolKind.CONSTANT, SymbolKind.PROPERTY})
_TIMEOUT = 600


@dataclass(frozen=True)
class Package:
    """A source distribution: its folder of code, the command of its tests, and that of its type checker."""

    spec: str
    code: str
    needs: tuple[str, ...]
    tests: tuple[str, ...]
    types: tuple[str, ...] = ()


PACKAGES = (
    Package(
        "marshmallow==4.0.1",
        "src/marshmallow",
        ("simplejson", "mypy==1.18.2"),
        ("-m", "pytest", "-q", "-x", "tests"),
        ("-m", "mypy", "src/marshmallow"),
    ),
    Package("sqlparse==0.5.3", "sqlparse", (), ("-m", "pytest", "-q", "-x", "tests")),
)


@dataclass
class Score:
    """What became of the renames of one package."""

    done: int = 0
    passed: int = 0
    refused: int = 0
    restored: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def main(arguments: Sequence[str] = ()) -> None:
    """Measure, and print a table."""
    each = int(arguments[0]) if arguments else EACH
    rows = []
    for package in PACKAGES:
        score = _score(package, each)
        counts = (each, score.done, score.passed, score.restored, score.refused)
        reasons = "; ".join(f"{count} × {reason}" for reason, count in score.reasons.most_common(6))
        rows.append([package.spec, *map(str, counts), reasons])
        for failure in score.failures:
            print(failure, file=sys.stderr)
    head = ["package", "drawn", "done", "tests pass", "restored", "refused", "refused because of"]
    print(f"seed {SEED}, bearings {revision()}\n")
    print(table(head, rows))


def _score(package: Package, each: int) -> Score:
    home, python = _installed(package)
    score = Score()
    for symbol in _drawn(home, package, each):
        copy = home.with_name(f"{home.name}-copy")
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(home, copy, symlinks=True)
        new = f"{symbol.name}_ANEW" if symbol.name.isupper() else f"{symbol.name}_anew"
        reply = _rename(copy, symbol.id, new)
        if not reply.get("written"):
            score.refused += 1
            reason = reply["refused"][0]["why"] if reply.get("refused") else reply.get("error", "?")
            score.reasons[re.sub(r"\S*[#/:]\S*|extends \S+", "…", reason)] += 1
            print(f"{symbol.id}: refused, {reply.get('refused', [reply])[0]}", file=sys.stderr)
            continue
        score.done += 1
        output = _failure(package, python, copy)
        score.passed += output is None
        print(f"{symbol.id}: done, tests {'pass' if output is None else 'FAIL'}", file=sys.stderr)
        if output is not None:
            score.failures.append(f"{symbol.id}: {output[-1500:]}")
        back = symbol.id.replace(f"{symbol.name}:", f"{new}:")
        again = _rename(copy, back, symbol.name)
        same = _bytes(home) == _bytes(copy)
        score.restored += same
        if not same:
            score.failures.append(f"{symbol.id}: not restored: {again.get('refused') or again.get('error')}")
    return score


def _failure(package: Package, python: str, root: Path) -> str | None:
    """What the tests or the type checker print if they fail."""
    for command in filter(None, (package.tests, package.types)):
        ran = subprocess.run([python, *command], cwd=root, capture_output=True, text=True, timeout=_TIMEOUT)
        if ran.returncode:
            return ran.stdout + ran.stderr
    return None


def _drawn(home: Path, package: Package, each: int) -> list[Symbol]:
    """Elements of the package's code that another place uses, drawn by the seed."""
    snapshot = Index(home, NoFacts(), 2_000_000).refresh()
    elements = [
        symbol
        for path in sorted(snapshot.facts)
        if path.startswith(f"{package.code}/") and not is_test(path)
        for symbol in snapshot.graph.outline(path)
        if symbol.kind in _KINDS and not symbol.name.startswith("__") and snapshot.graph.edges_to(symbol.id)
    ]
    return random.Random(SEED).sample(elements, each)


def _rename(root: Path, element: str, new: str) -> dict[str, object]:
    command = ["-m", "bearings", "code", "rename", element, new, "--no-dry-run", "--json", "--project", str(root)]
    ran = subprocess.run([sys.executable, *command], capture_output=True, text=True, timeout=_TIMEOUT)
    try:
        reply: dict[str, object] = json.loads(ran.stdout or ran.stderr)
    except ValueError:
        reply = {"error": (ran.stdout + ran.stderr)[-300:]}
    return reply


def _installed(package: Package) -> tuple[Path, str]:
    """The unpacked source distribution, and a Python with what its tests need. Its tests pass as it is."""
    folder = CACHE / "renames" / re.sub(r"\W+", "-", package.spec)
    python = folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not (folder / ".done").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        _run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", str(folder),
              package.spec])  # fmt: skip
        archive = next(folder.glob("*.tar.gz"))
        with tarfile.open(archive) as source:
            source.extractall(folder / "unpacked", filter="data")
        next((folder / "unpacked").iterdir()).rename(folder / "project")
        _run([sys.executable, "-m", "venv", str(folder / "venv")])
        _run([str(python), "-m", "pip", "install", "-q", "pytest", *package.needs])
        (folder / "project" / "conftest.py").write_text(
            f"import sys\nfrom pathlib import Path\n"
            f"sys.path.insert(0, str(Path(__file__).parent / {str(Path(package.code).parent)!r}))\n"
        )
        if failure := _failure(package, str(python), folder / "project"):
            raise SystemExit(f"the tests of {package.spec} fail as they are: {failure[-2000:]}")
        for name in ("__pycache__", ".pytest_cache", ".mypy_cache"):
            for cache in list((folder / "project").rglob(name)):
                shutil.rmtree(cache)
        (folder / ".done").touch()
    return folder / "project", str(python)


def _run(command: Sequence[str]) -> None:
    subprocess.run(command, check=True, timeout=_TIMEOUT)


def _bytes(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in _sources(root)}


def _sources(root: Path) -> Iterable[Path]:
    return (path for path in sorted(root.rglob("*.py")) if "__pycache__" not in path.parts)


if __name__ == "__main__":
    main(sys.argv[1:])
