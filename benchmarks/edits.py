"""Edits drawn at random in packages with tests: is what is done right, and what is refused explained?

Each edit of `EDITS` is made by the command in a copy of its package. The package's tests and its type checker run, and
the reverse must restore every byte. Packages are fetched by name. Another tool's edits are one more row of `EDITS`: how
many in a package, and the function that draws their jobs.

    python -m benchmarks.edits click sqlparse --replace 5 log=click.jsonl

Outcomes are appended to `log` as they come. Another run with it goes on behind them, and its table has all of them.
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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import EdgeKind, Symbol, SymbolKind
from benchmarks import signature_edits
from benchmarks.measure import revision, table
from benchmarks.truth.checkout import CACHE
from benchmarks.truth.processes import Failed, run

SEED = 19

_ABOUT = """`python -m benchmarks edits`. Elements are drawn by the seed: for `rename` among those that something
uses, for `remove` half among those that `coderef_unused` lists with `exports`, half among the others, for `replace`
among functions and methods: their own text with a comment, their own body with one, a helper behind them,
for `signature` among functions that something calls, for `move` among functions, classes, constants and types at the
top of their files that something uses: to a new file beside theirs, or to one that does not import theirs, by turns.
A move whose refusal names what should move, too, is tried once more with that.
Done: the command wrote it. Tests pass: the package's own tests, and its type checker (mypy, tsc).
Restored: the reverse leaves every byte as it was."""

_KINDS = frozenset(
    {
        SymbolKind.FUNCTION, SymbolKind.CLASS, SymbolKind.METHOD, SymbolKind.CONSTANT, SymbolKind.PROPERTY,
        SymbolKind.INTERFACE, SymbolKind.TYPE,
    }
)  # fmt: skip
_FUNCTIONS = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})
_REMOVED = _KINDS - {SymbolKind.PROPERTY}
_MOVED = _REMOVED - {SymbolKind.METHOD}
_ENTRIES = ("__init__.py", "__main__.py", "index.ts")
_ADVICE = re.compile(r"Move what (?:it needs|uses it), too: ([^.]*)\.")
_TIMEOUT = 900
_LIMIT_S = 300
"""How long tests or a type checker may take: an edit whose tests take longer counts as failed."""
_CACHES = ("__pycache__", ".pytest_cache", ".mypy_cache", "node_modules")
_ENDS = (".py", ".ts")


@dataclass(frozen=True)
class Package:
    """A published package: its folder of code, what its tests need, and the commands of tests and type checker.

    `{bin}` in a command is the folder of installed programs. `files` are written into the project.
    """

    spec: str
    """`name==1` of PyPI, `name@1` of npm, `owner/name#tag` of GitHub."""
    code: str
    needs: tuple[str, ...]
    commands: tuple[tuple[str, ...], ...]
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_npm(self) -> bool:
        """Whether npm installs its needs."""
        return "==" not in self.spec


def _pytest_path(code: str) -> dict[str, str]:
    path = f"path = str(Path(__file__).parent / {code!r})\nsys.path.insert(0, path)\n"
    text = f'import os\nimport sys\nfrom pathlib import Path\n\n{path}os.environ["PYTHONPATH"] = path\n'
    return {"conftest.py": text}


def _mypy(code: str) -> tuple[str, ...]:
    return "{bin}/python", "-m", "mypy", code


_PYTEST = ("{bin}/python", "-m", "pytest", "-q", "-x", "tests")
_SOURCE = '["@zod/source", "default"]'
PACKAGES = (
    Package(
        "marshmallow==4.0.1",
        "src/marshmallow",
        ("pytest==9.0.1", "simplejson==3.20.2", "mypy==1.18.2"),
        (_PYTEST, _mypy("src/marshmallow")),
        _pytest_path("src"),
    ),
    Package("sqlparse==0.5.3", "sqlparse", ("pytest==9.0.1",), (_PYTEST,), _pytest_path(".")),
    Package(
        "click==8.1.8",
        "src/click",
        ("pytest==8.4.2", "mypy==1.14.1"),
        (_PYTEST, _mypy("src/click")),
        _pytest_path("src"),
    ),
    Package(
        "tomlkit==0.13.2",
        "tomlkit",
        ("pytest==9.0.1", "pyyaml==6.0.3"),
        (_PYTEST,),
        _pytest_path("."),
    ),
    Package(
        "jinja2==3.1.6",
        "src/jinja2",
        ("pytest==8.4.2", "trio==0.31.0", "markupsafe==3.0.3", "mypy==1.14.1"),
        (_PYTEST, _mypy("src/jinja2")),
        _pytest_path("src"),
    ),
    Package(
        "unjs/ufo#v1.6.1",
        "src",
        ("typescript@5.9.3", "vitest@3.2.4", "@types/node@22.19.1"),
        (("{bin}/tsc", "--noEmit"), ("{bin}/vitest", "run")),
    ),
    Package(
        "unjs/pathe#v2.0.3",
        "src",
        ("typescript@5.9.3", "vitest@3.2.4", "@types/node@22.19.1", "zeptomatch@2.0.2"),
        (("{bin}/tsc", "--noEmit"), ("{bin}/vitest", "run")),
    ),
    Package(
        "honojs/hono#v4.13.3",
        "src",
        ("typescript@5.9.3", "vitest@3.2.4", "@types/node@22.19.1"),
        (("{bin}/tsc", "--noEmit"), ("{bin}/vitest", "run", "--config", "vitest.edits.mjs")),
        {
            "vitest.edits.mjs": (
                "const folders = ['utils', 'middleware', 'router', 'helper', 'client'];\n"
                "const include = ['src/*.test.ts', ...folders.map((name) => `src/${name}/**/*.test.ts`)];\n"
                "export default { test: { globals: true, include } };\n"
            )
        },
    ),
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


@dataclass(frozen=True)
class Outcome:
    """What became of one edit: the reason and the place of a refusal, and why tests or the reverse fail."""

    package: str
    kind: str
    name: str
    done: bool = False
    passed: bool = False
    restored: bool = False
    refused: str = ""
    place: str = ""
    failure: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """What no two edits of a run share."""
        return self.package, self.kind, self.name


def _row(outcomes: Sequence[Outcome]) -> list[str]:
    """The row of the table for edits of one kind in a package."""
    counts = (
        len(outcomes), sum(one.done for one in outcomes), sum(one.passed for one in outcomes),
        sum(one.restored for one in outcomes), sum(not one.done for one in outcomes),
    )  # fmt: skip
    reasons = Counter(one.refused for one in outcomes if not one.done).most_common(6)
    why = "; ".join(f"{count} × {reason}" for reason, count in reasons)
    return [outcomes[0].package, outcomes[0].kind, *map(str, counts), why]


class Log:
    """The outcomes so far, in a file of one JSON object a line; without a path nothing is stored."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        lines = path.read_text(encoding="utf-8").splitlines() if path is not None and path.exists() else []
        self._known = {one.key: one for one in (Outcome(**json.loads(line)) for line in lines)}

    def take(self, project: "Project", programs: Path, kind: str, job: "Job") -> None:
        """Make an edit, unless it was made."""
        key = project.package.spec, kind, job.name
        if key not in self._known:
            self._known[key] = one = _made(project, programs, kind, job)
            print(json.dumps(asdict(one)), file=sys.stderr, flush=True)
            if self._path is not None:
                with self._path.open("a", encoding="utf-8") as file:
                    file.write(f"{json.dumps(asdict(one))}\n")

    def rows(self) -> list[list[str]]:
        """The rows of the table, by the kind of edit."""
        groups: dict[tuple[str, str], list[Outcome]] = {}
        for one in self._known.values():
            groups.setdefault((one.kind, one.package), []).append(one)
        return [_row(groups[key]) for key in sorted(groups)]


class Job(NamedTuple):
    """An edit: the words of the command, and those of its reverse; without them the diff is applied in reverse."""

    name: str
    words: tuple[str, ...]
    back: tuple[str, ...] = ()


class Project(NamedTuple):
    """A package at home, with its snapshot."""

    home: Path
    package: Package
    snapshot: Snapshot

    def elements(self, kinds: Iterable[SymbolKind], *, used: bool) -> list[Symbol]:
        """Elements of the package's code; `used` ones are used by another place."""
        graph = self.snapshot.graph
        return [
            symbol
            for path in sorted(self.snapshot.facts)
            if path.startswith(f"{self.package.code}/") and not is_test(path)
            for symbol in graph.outline(path)
            if symbol.kind in kinds and not symbol.name.startswith("__")
            if not used or graph.edges_to(symbol.id)
        ]


def main(arguments: Sequence[str] = ()) -> str:
    """Measure the packages whose names are given, or all, and return a table.

    `--rename` makes only renames; a number is that of the jobs of each kind in a package; `seed=20` draws others.
    """
    chosen = {word.removeprefix("--") for word in arguments if word.startswith("--")} or EDITS.keys()
    log = Log(next((Path(word[4:]) for word in arguments if word.startswith("log=")), None))
    seed = next((int(word[5:]) for word in arguments if word.startswith("seed=")), SEED)
    number = next((int(word) for word in arguments if word.isdecimal()), 0)
    names = [word for word in arguments if not word.startswith(("--", "seed=", "log=")) and not word.isdecimal()]
    for package in PACKAGES:
        if names and not any(name in package.spec for name in names):
            continue
        home, programs = _installed(package)
        project = Project(home, package, Index(home, NoFacts(), 2_000_000).refresh())
        for kind, (each, drawn) in EDITS.items():
            if kind not in chosen:
                continue
            for job in drawn(project, random.Random(seed), number or each):
                log.take(project, programs, kind, job)
    head = ["package", "edit", "drawn", "done", "tests pass", "restored", "refused", "refused because of"]
    return f"# Edits\n\n{_ABOUT}\n\nbearings {revision()}, seed {seed}.\n\n{table(head, log.rows())}"


def _made(project: Project, programs: Path, kind: str, job: Job) -> Outcome:
    home = project.home
    copy = home.with_name(f"{home.name}-copy")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(home, copy, symlinks=True)
    name, words = job.name, job.words
    diff = "" if job.back else str(_command(copy, *words, writes=False).get("diff"))
    reply = _command(copy, *words)
    if not reply.get("written") and (more := _ADVICE.search(str(reply.get("note")))):
        file = words[1].partition("#")[0]
        words = ("move", *(f"{file}#{name}" for name in more[1].split(", ")), *words[1:])
        diff = str(_command(copy, *words, writes=False).get("diff"))
        reply = _command(copy, *words)
    if not reply.get("written"):
        place = (reply.get("refused") or [{"why": str(reply.get("error", "?"))}])[0]
        why = place["why"] if isinstance(place, dict) else str(place)
        why = re.sub(r"\S*[#/:]\S*|extends \S+", "…", why)
        return Outcome(project.package.spec, kind, name, refused=why, place=str(place))
    output = _failure(project.package, programs, copy)
    undone = _command(copy, *job.back) if job.back else _applied_in_reverse(copy, diff)
    same = _bytes(home) == _bytes(copy)
    failure = (output or "") + ("" if same else f"\nnot restored: {undone}")
    return Outcome(project.package.spec, kind, name, True, output is None, same, failure=failure[-3000:])


def _applied_in_reverse(copy: Path, diff: str) -> object:
    command = ["git", "apply", "-R", "--unsafe-paths", "--directory", str(copy), "-"]
    return subprocess.run(command, input=diff, capture_output=True, text=True, cwd=copy, timeout=_TIMEOUT)


def _renames(project: Project, chance: random.Random, each: int) -> Iterator[Job]:
    elements = project.elements(_KINDS, used=True)
    for symbol in chance.sample(elements, min(len(elements), each)):
        new = f"{symbol.name}_ANEW" if symbol.name.isupper() else f"{symbol.name}Anew"
        back = symbol.id.replace(f"{symbol.name}:", f"{new}:")
        yield Job(symbol.id, ("rename", symbol.id, new), ("rename", back, symbol.name))


def _removals(project: Project, chance: random.Random, each: int) -> Iterator[Job]:
    """Elements to remove: first those that nothing is known to use."""
    elements = project.elements(_REMOVED, used=False)
    command = [sys.executable, "-m", "bearings", "code", "unused", str(project.home), "--exports", "--json"]
    reply = json.loads(subprocess.run(command, check=True, capture_output=True, text=True, timeout=_TIMEOUT).stdout)
    unused = {row["element"] for row in reply["elements"]}
    some = [symbol for symbol in elements if symbol.id in unused]
    chosen = chance.sample(some, min(len(some), each // 2))
    rest = [symbol for symbol in elements if symbol.id not in unused]
    for symbol in chosen + chance.sample(rest, min(len(rest), each - len(chosen))):
        yield Job(symbol.id, ("remove", symbol.id))


def _replacements(project: Project, chance: random.Random, each: int) -> Iterator[Job]:
    """A function's own text with a comment, its own body with one, and a helper behind it, by turns."""
    functions = [one for one in project.elements(_FUNCTIONS, used=True) if one.end_line > one.line]
    for number, symbol in enumerate(chance.sample(functions, min(len(functions), each))):
        lines = (project.home / symbol.file).read_text(encoding="utf-8").split("\n")
        first = symbol.line - 1
        while lines[first - 1].lstrip().startswith("@"):
            first -= 1
        own = lines[first : symbol.end_line]
        is_python = symbol.file.endswith(".py")
        sign = "#" if is_python else "//"
        where, text = "element", [*own, f"{sign} The end."]
        is_plain = lines[symbol.line - 1].rstrip().endswith(":" if is_python else "{")
        if number % 3 == 1 and is_plain:
            where, text = "body", [*lines[symbol.line : symbol.end_line - (not is_python)], f"{sign} The end."]
        elif number % 3 == 2 and not symbol.inside:
            helper = ["def any_new(value):", "    return value"] if is_python else ["export const anyNew = () => 1;"]
            where, text = "after", helper
        yield Job(f"{symbol.id} {where}", ("replace", symbol.id, "--where", where, "--text", "\n".join(text)))


def _signatures(project: Project, chance: random.Random, each: int) -> Iterator[Job]:
    """Functions that something calls: an optional parameter, a value for calls, another order, a name, a `*`."""
    graph, done = project.snapshot.graph, 0
    calls = {EdgeKind.CALL, EdgeKind.NEW}
    called = [
        one
        for one in project.elements(_FUNCTIONS, used=True)
        if any(not edge.is_guess for edge in graph.edges_to(one.id, calls))
        if one.parent not in graph.symbols or graph.symbols[one.parent].kind not in _FUNCTIONS
    ]
    kinds = [kind for kind in signature_edits.KINDS if kind != "keyword" or not project.package.is_npm]
    for symbol in chance.sample(called, len(called)):
        kind = kinds[done % len(kinds)]
        words = signature_edits.words(project.home, symbol, kind, chance) if done < each else None
        if words is not None:
            done += 1
            yield Job(f"{symbol.id} {kind}", ("signature", symbol.id, *words))


def _moves(project: Project, chance: random.Random, each: int) -> Iterator[Job]:
    """Elements at the top of files, to a new file beside theirs and to one that does not import theirs, by turns."""
    elements = [one for one in project.elements(_MOVED, used=True) if not one.inside]
    files = sorted({one.file for one in elements if not one.file.endswith(_ENTRIES)})
    for number, symbol in enumerate(chance.sample(elements, min(len(elements), each))):
        importing, waiting = {symbol.file}, [symbol.file]
        while waiting:
            new = set(project.snapshot.graph.importers(waiting.pop())) - importing
            importing |= new
            waiting += new
        others = [path for path in files if path not in importing]
        new_file = f"{symbol.file.rpartition('/')[0]}/moved_place.{symbol.file.rpartition('.')[2]}"
        target = chance.choice(others) if number % 2 and others else new_file
        yield Job(f"{symbol.id} -> {target}", ("move", symbol.id, target))


EDITS: Mapping[str, tuple[int, Callable[[Project, random.Random, int], Iterator[Job]]]] = {
    "rename": (15, _renames),
    "remove": (10, _removals),
    "replace": (10, _replacements),
    "signature": (10, _signatures),
    "move": (5, _moves),
}
"""How many jobs of each kind are drawn in a package, and how."""


def _failure(package: Package, programs: Path, root: Path) -> str | None:
    """What the tests or the type checker print if they fail or take too long."""
    for command in package.commands:
        try:
            run(root, *(part.format(bin=programs) for part in command), limit_s=_LIMIT_S)
        except Failed as failed:
            return str(failed)
    return None


def _command(root: Path, *arguments: str, writes: bool = True) -> dict[str, Any]:
    command = [sys.executable, "-m", "bearings", "code", *arguments, "--json", "--project", str(root)]
    command += ["--no-dry-run"] if writes else []
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=_LIMIT_S)
        reply: dict[str, Any] = json.loads(ran.stdout or ran.stderr)
    except subprocess.TimeoutExpired:
        reply = {"error": f"the edit takes longer than {_LIMIT_S} s"}
    except ValueError:
        reply = {"error": (ran.stdout + ran.stderr)[-300:]}
    return reply


def _installed(package: Package) -> tuple[Path, Path]:
    """The unpacked package, and the folder of the programs that its tests need. Its tests pass as it is."""
    folder = CACHE / "edits" / re.sub(r"\W+", "-", package.spec)
    programs = folder / "node_modules" / ".bin" if package.is_npm else folder / "venv" / "bin"
    if os.name == "nt" and not package.is_npm:
        programs = folder / "venv" / "Scripts"
    home = folder / "project"
    if not (folder / ".done").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (_from_npm if package.is_npm else _from_pypi)(package, folder)
        archives = [path for path in folder.iterdir() if path.suffix in (".gz", ".tgz")]
        for archive in archives:
            with tarfile.open(archive) as source:
                source.extractall(folder / "unpacked", filter="data")
        unpacked = next((folder / "unpacked").iterdir())
        if package.is_npm and archives:
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
    repository, _, tag = package.spec.partition("#")
    if tag:
        clone = ["git", "clone", "-q", "--depth", "1", "--branch", tag, f"https://github.com/{repository}"]
        _run([*clone, str(folder / "unpacked" / "source")])
    else:
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
