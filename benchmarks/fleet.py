"""A catalogue of many repositories: what it takes to make one, and twenty questions to it beside grep.

Published packages are the repositories: wheels and npm archives, unpacked as folders, every third one turned into a
git repository that is cloned by its file URL. A hostile and two broken ones are among them. They are scanned on two
workers. Each question is answered once by the catalogue and once by grep: the lines with the word, in files whose
import lines (by a regular expression) bind it or its module. Lines of comments and strings, which grep can't tell, are
counted apart for Python by its own tokenizer, and for JavaScript by their first characters.
"""

import io
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tokenize
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.code.fleet.traps import Trap, hostile
from tests.code.trees import git, repository

from bearings import cluster
from bearings.code.catalogue.reading import Catalogue, opened
from bearings.code.fleet.scan import Options, Summary, scan_fleet
from bearings.code.fleet.sources import Source, sources
from bearings.progress import NoProgress
from benchmarks.measure import progress, revision, table
from benchmarks.truth.checkout import CACHE, unpack
from benchmarks.truth.packages import BEFORE
from benchmarks.truth.processes import Failed, run

PYTHON = (
    "flask httpx requests black uvicorn starlette fastapi typer datasette jupyterhub poetry pip-tools sphinx celery "
    "scrapy httpie twine cookiecutter pre-commit locust gunicorn tox nox virtualenv pip-audit textual"
).split()
NPM = (
    "express fastify koa mocha eslint axios knex winston pino nodemon serve http-server json-server pm2 "
    "webpack-dev-server webpack nyc karma hexo newman"
).split()

QUESTIONS = (
    ("requests", "get"), ("requests", "Session"), ("httpx", "AsyncClient"), ("click", "option"), ("click", "echo"),
    ("yaml", "safe_load"), ("jinja2", "Environment"), ("packaging", "Version"), ("rich", "Console"),
    ("starlette", "JSONResponse"), ("pathlib", "Path"), ("asyncio", "gather"), ("subprocess", "run"),
    ("fs", "readFileSync"), ("path", "join"), ("events", "EventEmitter"), ("child_process", "spawn"),
    ("debug", "*"), ("chalk", "*"), ("express", "Router"),
)  # fmt: skip

_EXCLUDED = (
    "node_modules", "dist", "build", "coverage", "vendor", "venv", ".git", "site-packages", "__pycache__", "htmlcov",
)  # fmt: skip
"""Folders that a scan leaves out."""

Place = tuple[str, str, int]
"""A repository, a file, a line."""


class Answer(NamedTuple):
    """The lines of a question by grep: in code, and in comments and strings."""

    code: set[Place]
    other: set[Place]


def main() -> str:
    """The page."""
    with tempfile.TemporaryDirectory(prefix="bearings-fleet-") as made:
        return _page(Path(made))


def _page(folder: Path) -> str:
    versions = {name: _fetched(name, python=name in PYTHON) for name in (*PYTHON, *NPM)}
    trap = Trap(folder / "trap")
    listed, trees = _list(folder, versions, trap)
    out, cache = folder / "fleet.db", folder / "cache"
    first, took = _scan(listed, out, cache)
    again, took_again = _scan(listed, out, cache)
    with opened(out) as catalogue:
        rows = _counts(out)
        asked = [_asked(catalogue, trees, package, name) for package, name in QUESTIONS]
        elements = sum(one.elements for one in catalogue.repositories())
        files = sum(one.files for one in catalogue.repositories())
    lines = [
        "# A catalogue of many repositories", "",
        f"Made by `python -m benchmarks fleet` at {revision()}; two workers on this machine (Dask). "
        f"{len(listed)} repositories: {len(trees)} packages, every third one cloned from a git repository by a file "
        f"URL, a hostile one and two broken ones. {len(trap.sprung)} commands of the hostile one ran.", "",
        table(
            ["", "First scan", "Again"],
            [
                ["seconds", f"{took:.1f}", f"{took_again:.1f}"],
                ["scanned", *(str(len(one.scanned)) for one in (first, again))],
                ["unchanged", *(str(len(one.unchanged)) for one in (first, again))],
                ["failed", *(str(len(one.failed)) for one in (first, again))],
            ],
        ),
        f"{files:,} files, {elements:,} elements; the catalogue takes {out.stat().st_size / 1e6:.1f} MB: "
        + ", ".join(f"{count:,} {name}" for name, count in rows.items()) + ".", "",
        "Failed: " + "; ".join(f"{name}: {reason}" for name, reason in first.failed.items()) + ".", "",
        "Lines are counted once, whatever the number of uses on them. Found: lines of code of grep's that the "
        "catalogue has; missed: those that it lacks; text: grep's lines that are comments or strings; beyond: lines of "
        "the catalogue that grep lacks, and of these the guesses.", "",
        table(
            "Package|Name|Repositories|by grep|Lines by grep|Found|Missed|Text|Beyond|Guesses".split("|"),
            [*(row for row, _ in asked), _total([row for row, _ in asked])],
        ),
        "Missed and beyond, the first three of each question:", "",
        *[f"- {line}" for _, misses in asked for line in misses], "",
        "Packages: " + ", ".join(f"{name} {found.name}" for name, found in versions.items() if found) + ".",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _fetched(name: str, *, python: bool) -> Path | None:
    """The unpacked archive of a package, in a folder that is named by its version; None if it can't be had."""
    home = CACHE / "fleet" / name
    known = [path for path in home.iterdir() if path.is_dir()] if home.is_dir() else []
    if known:
        return known[0]
    progress(f"{name} …")
    home.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home.parent) as got:
        there = Path(got)
        try:
            if python:
                words = ["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--dest", got, name]
                run(there, sys.executable, *words)
            else:
                run(there, "npm", "pack", "--silent", "--ignore-scripts", "--before", BEFORE, name)
        except Failed as error:
            progress(f"{name}: {error.briefly}")
            return None
        (archive,) = there.iterdir()
        version = archive.name.removesuffix(".tgz").split("-")[1 if python else -1]
        if python:
            with zipfile.ZipFile(archive) as packed:
                packed.extractall(there / "tree")
        else:
            unpack(archive, there / "tree")
        shutil.move(there / "tree", home / version)
    return home / version


def _list(folder: Path, versions: dict[str, Path | None], trap: Trap) -> tuple[list[Source], dict[str, Path]]:
    """The repositories, and the trees of those that are packages."""
    lines, trees = [], {}
    for number, (name, tree) in enumerate(versions.items()):
        if tree is None:
            continue
        trees[name] = tree
        if number % 3:
            lines.append(f"{name} = {tree}")
            continue
        copy = folder / "git" / name
        shutil.copytree(tree, copy)
        git(copy, "init", "-q")
        git(copy, "add", "-A", "-f")
        git(copy, "commit", "-q", "-m", "all")
        lines.append(f"{name} = {copy.as_uri()}")
    hostile(folder / "hostile", trap)
    broken = repository(folder / "broken", {"a.py": "import requests\n"})
    shutil.rmtree(broken / ".git/objects")
    lines += [f"hostile = {(folder / 'hostile').as_uri()}", f"broken = {broken.as_uri()}", "nowhere"]
    return sources("\n".join(lines), folder), trees


def _scan(listed: list[Source], out: Path, cache: Path) -> tuple[Summary, float]:
    started = time.perf_counter()
    with cluster.workers("local", local=2) as there:
        summary = scan_fleet(listed, out, there, Options(1_000_000, cache), NoProgress())
    return summary, time.perf_counter() - started


def _counts(out: Path) -> dict[str, int]:
    import sqlite3
    from contextlib import closing

    names = {"export": "exports", "route": "routes", "request": "requests", "outside_use": "uses", "module": "modules"}
    with closing(sqlite3.connect(out)) as db:
        return {told: db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name, told in names.items()}


def _asked(catalogue: Catalogue, trees: dict[str, Path], package: str, name: str) -> tuple[list[str], list[str]]:
    """A row of the table, and what differs."""
    progress(f"{package} {name} …")
    uses = [(one, use) for one, use in catalogue.uses(package, name) if one in trees]
    own = {(one, use.file, use.line) for one, use in uses}
    sure = {(one, use.file, use.line) for one, use in uses if not use.is_guess}
    by_grep = _grepped(trees, package, name)
    missed, beyond = sorted(by_grep.code - own), sorted(own - by_grep.code - by_grep.other)
    row = [
        package, name, str(len({one for one, _, _ in sure})), str(len({one for one, _, _ in by_grep.code})),
        str(len(by_grep.code)), str(len(by_grep.code & own)), str(len(missed)), str(len(by_grep.other)),
        str(len(beyond)), str(len(set(beyond) - sure)),
    ]  # fmt: skip
    told = [
        f"{what} {package}.{name}: `{one}/{file}:{line}` `{_line(trees[one] / file, line)[:90]}`"
        for what, places in (("missed", missed), ("beyond", [place for place in beyond if place in sure]))
        for one, file, line in places[:3]
    ]
    return row, told


def _total(rows: list[list[str]]) -> list[str]:
    return ["all", "", "", "", *(str(sum(int(row[column]) for row in rows)) for column in range(4, 10))]


def _line(path: Path, line: int) -> str:
    return path.read_text(encoding="utf-8", errors="replace").split("\n")[line - 1].strip().replace("`", "'")


def _grepped(trees: dict[str, Path], package: str, name: str) -> Answer:
    code: set[Place] = set()
    other: set[Place] = set()
    for one, tree in trees.items():
        for file in _files_with(tree, package):
            path = tree / file
            text = path.read_text(encoding="utf-8", errors="replace")
            is_python = file.endswith((".py", ".pyi"))
            words = (_python_words if is_python else _javascript_words)(text, package, name)
            found = {number for word in words for number in _lines_with(path, word)}
            plain = _python_text(text) if is_python else _javascript_text(text)
            code |= {(one, file, number) for number in found - plain}
            other |= {(one, file, number) for number in found & plain}
    return Answer(code, other)


def _grep(*words: str) -> list[str]:
    found = subprocess.run(["grep", *words], capture_output=True, text=True, errors="replace", check=False)
    return found.stdout.splitlines()


def _files_with(tree: Path, package: str) -> Iterator[str]:
    """The source files that name a package in an import, by grep."""
    ends = [f"--include=*.{end}" for end in ("py", "pyi", "js", "mjs", "cjs", "ts", "jsx", "tsx")]
    excluded = [f"--exclude-dir={name}" for name in _EXCLUDED]
    pattern = rf"^\s*(import|from)\s+{package}\b|import\s+.*\b{package}\b|['\"](node:)?{package}(/[^'\"]*)?['\"]"
    for line in _grep("-rlE", *ends, *excluded, "-e", pattern, str(tree)):
        if not line.endswith((".min.js", ".min.mjs")):
            yield str(Path(line).relative_to(tree))


def _lines_with(path: Path, expression: str) -> list[int]:
    return [int(line.partition(":")[0]) for line in _grep("-nP", "-e", expression, str(path))]


def _python_words(text: str, package: str, name: str) -> list[str]:
    """Expressions for what the imports of a Python file bind."""
    bound: set[str] = set()
    modules: set[str] = set()
    for clause in re.findall(r"^[ \t]*import[ \t]+([^\n#]+)", text, re.MULTILINE):
        for part in clause.split(","):
            found = re.fullmatch(rf"\s*({package}(?:\.\w+)*)(?:\s+as\s+(\w+))?\s*", part)
            if found:
                modules.add(found[2] or found[1])
    pattern = rf"^[ \t]*from[ \t]+{package}((?:\.\w+)*)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]+)"
    for _, names in re.findall(pattern, text, re.MULTILINE):
        for part in re.sub(r"#[^\n]*", "", names).strip("() \n").split(","):
            found = re.fullmatch(r"\s*(\w+)(?:\s+as\s+(\w+))?\s*", part)
            if found and name in ("*", found[1]):
                bound.update(filter(None, (found[2], found[1])))
            elif found and found[1][:1].islower():
                modules.add(found[2] or found[1])
    members = "" if name == "*" else rf"(?:\.\w+)*?\.{name}\b"
    return [rf"(?<![\w.]){one}\b" for one in bound] + [rf"(?<![\w.]){re.escape(one)}\b{members}" for one in modules]


def _javascript_words(text: str, package: str, name: str) -> list[str]:
    """Expressions for what the imports and requires of a JavaScript file bind."""
    bound: set[str] = set()
    modules: set[str] = set()
    place = rf"['\"](?:node:)?{package}(?:/[^'\"]*)?['\"]"
    clauses = re.findall(rf"(?:const|let|var)\s+(\{{[^}}]*\}}|\w+)\s*=\s*require\(\s*{place}\s*\)(\.\w+)?", text)
    clauses += [(one, "") for one in re.findall(rf"import\s+([^;'\"]*?)\s+from\s+{place}", text)]
    for clause, member in clauses:
        for inside in re.findall(r"\{([^}]*)\}", clause):
            for part in inside.split(","):
                found = re.fullmatch(r"\s*(?:type\s+)?(\w+)(?:\s*(?::|\bas\b)\s*(\w+))?\s*", part)
                if found and name in ("*", found[1]):
                    bound.update(filter(None, (found[2], found[1])))
        for one in re.findall(r"\w+", re.sub(r"\{[^}]*\}", "", clause).replace("* as", "")):
            if not member:
                modules.add(one)
            elif name in ("*", member[1:]):
                bound.add(one)
    inline = [rf"require\({place}\)\.{name}\b"] if name != "*" else [rf"require\({place}\)", rf"from\s+{place}"]
    members = "" if name == "*" else rf"\.{name}\b"
    return [rf"(?<![\w.]){one}\b" for one in bound] + [rf"(?<![\w.]){one}\b{members}" for one in modules] + inline


def _python_text(text: str) -> set[int]:
    """The lines that are comments or parts of strings of several lines, or whose code is strings alone."""
    code: set[int] = set()
    kinds = (tokenize.COMMENT, tokenize.STRING, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type not in kinds:
                code.update(range(token.start[0], token.end[0] + 1))
    except (tokenize.TokenError, IndentationError, SyntaxError):
        return set()
    return set(range(1, text.count("\n") + 2)) - code


def _javascript_text(text: str) -> set[int]:
    found = set()
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith(("//", "*", "/*")):
            found.add(number)
    return found
