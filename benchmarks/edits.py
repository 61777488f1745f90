"""Renames and removals drawn at random in packages with tests: is what is done right, and what is refused explained?

Each element is renamed, or removed, by the command in a copy of its package. The package's tests and its type checker
run, and the rename back, or `git apply -R` of the removal's diff, must restore every byte. Packages are fetched by
name.
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
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import Symbol, SymbolKind
from benchmarks.measure import revision, table
from benchmarks.truth.checkout import CACHE

SEED = 19
EACH = 15
REMOVALS = 10
"""In each package; half of them among the elements that `coderef_unused` lists, as far as there are any."""

_ABOUT = """`python -m benchmarks renames`. Elements are drawn by the seed: for `rename` among those that something
uses, for `remove` half among those that `coderef_unused` lists with `exports`, half among the others.
Done: the command wrote it. Tests pass: the package's own tests, and its type checker (mypy for
marshmallow, tsc for zod). Restored: the reverse leaves every byte as it was."""

_KINDS = frozenset(
    {
        SymbolKind.FUNCTION, SymbolKind.CLASS, SymbolKind.METHOD, SymbolKind.CONSTANT, SymbolKind.PROPERTY,
        SymbolKind.INTERFACE, SymbolKind.TYPE,
    }
)  # fmt: skip
_REMOVED = _KINDS - {SymbolKind.PROPERTY}
_TIMEOUT = 900
_CACHES = ("__pycache__", ".pytest_cache", ".mypy_cache", "node_modules")
_ENDS = (".py", ".ts")


@dataclass(frozen=True)
class Package:
    """A published package: its folder of code, what its tests need, and the commands of tests and type checker.

    `{bin}` in a command is the folder of installed programs. `files` are written into the project.
    """

    spec: str
    code: str
    needs: tuple[str, ...]
    commands: tuple[tuple[str, ...], ...]
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_npm(self) -> bool:
        """Whether the package is from npm."""
        return "==" not in self.spec


def _pytest_path(code: str) -> dict[str, str]:
    text = f"import sys\nfrom pathlib import Path\n\nsys.path.insert(0, str(Path(__file__).parent / {code!r}))\n"
    return {"conftest.py": text}


_PYTEST = ("{bin}/python", "-m", "pytest", "-q", "-x", "tests")
_SOURCE = '["@zod/source", "default"]'
PACKAGES = (
    Package(
        "marshmallow==4.0.1",
        "src/marshmallow",
        ("pytest==9.0.1", "simplejson==3.20.2", "mypy==1.18.2"),
        (_PYTEST, ("{bin}/python", "-m", "mypy", "src/marshmallow")),
        _pytest_path("src"),
    ),
    Package("sqlparse==0.5.3", "sqlparse", ("pytest==9.0.1",), (_PYTEST,), _pytest_path(".")),
    Package(
        "zod@4.1.12",
        "src/v4",
        ("typescript@5.9.3", "vitest@3.2.4", "@types/node@22.19.1"),
        (("{bin}/tsc", "-p", "."), ("{bin}/vitest", "run")),
        {
            "tsconfig.json": json.dumps(
                {
                    "compilerOptions": {
                        "target": "es2022",
                        "module": "nodenext",
                        "moduleResolution": "nodenext",
                        "strict": True,
                        "noEmit": True,
                        "skipLibCheck": True,
                        "customConditions": ["@zod/source"],
                        "types": ["node"],
                    },
                    "include": ["src/v4/**/*.ts"],
                    "exclude": ["src/**/tests", "src/**/benchmarks"],
                }
            ),
            "vitest.config.mjs": (
                f"export default {{ resolve: {{ conditions: {_SOURCE} }},"
                f" ssr: {{ resolve: {{ conditions: {_SOURCE} }} }},"
                ' test: { include: ["src/v4/classic/tests/*.test.ts", "src/v4/core/tests/*.test.ts"],'
                ' exclude: ["**/file.test.ts", "**/to-json-schema.test.ts", "**/datetime.test.ts"] } };\n'
            ),
        },
    ),
)


@dataclass
class Score:
    """What became of some elements of one package."""

    drawn: int = 0
    done: int = 0
    passed: int = 0
    restored: int = 0
    refused: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def row(self, package: Package, what: str) -> list[str]:
        """The row of the table."""
        counts = (self.drawn, self.done, self.passed, self.restored, self.refused)
        reasons = "; ".join(f"{count} × {reason}" for reason, count in self.reasons.most_common(6))
        return [package.spec, what, *map(str, counts), reasons]


Edit = Callable[[Path, Symbol], tuple[dict[str, Any], Callable[[], object]]]
"""Edits a copy: the reply, and what undoes it."""


def main(arguments: Sequence[str] = ()) -> str:
    """Measure the packages whose names are given, or all, and return a table."""
    rows = []
    for package in PACKAGES:
        if arguments and not any(name in package.spec for name in arguments):
            continue
        home, programs = _installed(package)
        for what, edit, drawn in (
            ("rename", _renamed, _drawn(home, package, EACH)),
            ("remove", _removed, _removable(home, package, REMOVALS)),
        ):
            score = _score(package, home, programs, edit, drawn)
            rows.append(score.row(package, what))
            for failure in score.failures:
                print(failure, file=sys.stderr)
    head = ["package", "edit", "drawn", "done", "tests pass", "restored", "refused", "refused because of"]
    return f"# Renames and removals\n\n{_ABOUT}\n\nbearings {revision()}, seed {SEED}.\n\n{table(head, rows)}"


def _score(package: Package, home: Path, programs: Path, edit: Edit, drawn: Iterable[Symbol]) -> Score:
    score = Score()
    copy = home.with_name(f"{home.name}-copy")
    for symbol in drawn:
        score.drawn += 1
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(home, copy, symlinks=True)
        reply, undo = edit(copy, symbol)
        if not reply.get("written"):
            score.refused += 1
            place = (reply.get("refused") or [{"why": str(reply.get("error", "?"))}])[0]
            score.reasons[re.sub(r"\S*[#/:]\S*|extends \S+", "…", place["why"])] += 1
            print(f"{symbol.id}: refused, {place}", file=sys.stderr)
            continue
        score.done += 1
        output = _failure(package, programs, copy)
        score.passed += output is None
        print(f"{symbol.id}: done, tests {'pass' if output is None else 'FAIL'}", file=sys.stderr)
        if output is not None:
            score.failures.append(f"{symbol.id}: {output[-1500:]}")
        undone = undo()
        same = _bytes(home) == _bytes(copy)
        score.restored += same
        if not same:
            score.failures.append(f"{symbol.id}: not restored: {undone}")
    return score


def _renamed(copy: Path, symbol: Symbol) -> tuple[dict[str, Any], Callable[[], object]]:
    new = f"{symbol.name}_ANEW" if symbol.name.isupper() else f"{symbol.name}Anew"
    reply = _command(copy, "rename", symbol.id, new)
    back = symbol.id.replace(f"{symbol.name}:", f"{new}:")
    return reply, lambda: _command(copy, "rename", back, symbol.name)


def _removed(copy: Path, symbol: Symbol) -> tuple[dict[str, Any], Callable[[], object]]:
    reply = _command(copy, "remove", symbol.id)

    def undo() -> object:
        given = str(reply.get("diff") or "")
        command = ["git", "apply", "-R", "--unsafe-paths", "--directory", str(copy), "-"]
        return subprocess.run(command, input=given, capture_output=True, text=True, cwd=copy, timeout=_TIMEOUT)

    return reply, undo


def _failure(package: Package, programs: Path, root: Path) -> str | None:
    """What the tests or the type checker print if they fail."""
    for command in package.commands:
        given = [part.format(bin=programs) for part in command]
        ran = subprocess.run(given, cwd=root, capture_output=True, text=True, timeout=_TIMEOUT)
        if ran.returncode:
            return ran.stdout + ran.stderr
    return None


def _elements(home: Path, package: Package, kinds: Iterable[SymbolKind], *, used: bool) -> list[Symbol]:
    """Elements of the package's code; `used` ones are used by another place."""
    snapshot = Index(home, NoFacts(), 2_000_000).refresh()
    return [
        symbol
        for path in sorted(snapshot.facts)
        if path.startswith(f"{package.code}/") and not is_test(path)
        for symbol in snapshot.graph.outline(path)
        if symbol.kind in kinds and not symbol.name.startswith("__")
        if not used or snapshot.graph.edges_to(symbol.id)
    ]


def _drawn(home: Path, package: Package, each: int) -> list[Symbol]:
    return random.Random(SEED).sample(_elements(home, package, _KINDS, used=True), each)


def _removable(home: Path, package: Package, each: int) -> list[Symbol]:
    """Elements to remove: first those that nothing is known to use."""
    elements = _elements(home, package, _REMOVED, used=False)
    command = [sys.executable, "-m", "bearings", "code", "unused", str(home), "--exports", "--json"]
    reply = json.loads(subprocess.run(command, check=True, capture_output=True, text=True, timeout=_TIMEOUT).stdout)
    unused = {row["element"] for row in reply["elements"]}
    draw = random.Random(SEED)
    some = [symbol for symbol in elements if symbol.id in unused]
    chosen = draw.sample(some, min(len(some), each // 2))
    return chosen + draw.sample([symbol for symbol in elements if symbol.id not in unused], each - len(chosen))


def _command(root: Path, *arguments: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "bearings", "code", *arguments, "--no-dry-run", "--json", "--project", str(root)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT)
    try:
        reply: dict[str, Any] = json.loads(ran.stdout or ran.stderr)
    except ValueError:
        reply = {"error": (ran.stdout + ran.stderr)[-300:]}
    return reply


def _installed(package: Package) -> tuple[Path, Path]:
    """The unpacked package, and the folder of the programs that its tests need. Its tests pass as it is."""
    folder = CACHE / "renames" / re.sub(r"\W+", "-", package.spec)
    programs = folder / "node_modules" / ".bin" if package.is_npm else folder / "venv" / "bin"
    if os.name == "nt" and not package.is_npm:
        programs = folder / "venv" / "Scripts"
    home = folder / "project"
    if not (folder / ".done").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (_from_npm if package.is_npm else _from_pypi)(package, folder)
        with tarfile.open(next(path for path in folder.iterdir() if path.suffix in (".gz", ".tgz"))) as source:
            source.extractall(folder / "unpacked", filter="data")
        unpacked = next((folder / "unpacked").iterdir())
        if package.is_npm:
            home.mkdir()
            (unpacked / "src").rename(home / "src")
            (unpacked / "package.json").rename(home / "package.json")
        else:
            unpacked.rename(home)
        for name, text in package.files.items():
            (home / name).write_text(text, encoding="utf-8")
        if failure := _failure(package, programs, home):
            raise SystemExit(f"the tests of {package.spec} fail as they are: {failure[-2000:]}")
        for name in _CACHES:
            for cache in list(home.rglob(name)):
                shutil.rmtree(cache)
        (folder / ".done").touch()
    return home, programs


def _from_pypi(package: Package, folder: Path) -> None:
    pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", str(folder)]
    _run([*pip, package.spec])
    _run([sys.executable, "-m", "venv", str(folder / "venv")])
    _run([str(folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"), "-m", "pip", "install", "-q",
          *package.needs])  # fmt: skip


def _from_npm(package: Package, folder: Path) -> None:
    """The programs lie beside the project, where node looks for them."""
    (folder / "package.json").write_text('{"private": true}\n', encoding="utf-8")
    _run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), *package.needs])
    _run(["npm", "pack", "--silent", "--pack-destination", str(folder), package.spec])


def _run(command: Sequence[str]) -> None:
    subprocess.run(command, check=True, timeout=_TIMEOUT, stdout=subprocess.DEVNULL)


def _bytes(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in _sources(root)}


def _sources(root: Path) -> Iterable[Path]:
    return (
        path for path in sorted(root.rglob("*")) if path.suffix in _ENDS and not set(_CACHES).intersection(path.parts)
    )


if __name__ == "__main__":
    print(main(sys.argv[1:]))
