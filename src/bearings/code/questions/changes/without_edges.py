"""Test files that a change concerns without an edge: through a test runner, a file of data, or a name put together."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import spec_of
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import SymbolKind
from bearings.code.project.sources import Source
from bearings.code.project.tree import read_from
from bearings.code.project.words import Texts
from bearings.code.questions.changes.loading import (
    CHANGED,
    MAY_RUN,
    TEST_MAIN,
    Row,
    importing_tests,
    is_run,
    loading_row,
)
from bearings.code.search.capabilities import is_loaded_whole
from bearings.code.search.reach import BEHAVIOUR, Reached, users
from bearings.code.search.reaching_tests import TEST_DEPTH, is_shared

_MAX_TEXT = 1_000_000
_MOST_DATA = 50
"""The most files of data whose names are searched for."""

_SETTINGS = re.compile(
    r"""(?:.*/)?(?:package(?:-lock)?\.json | (?:yarn|poetry|uv|Pipfile|Cargo)\.lock | pnpm-(?:lock|workspace)\.yaml
    | tsconfig[^/]*\.json | \.(?:babelrc|swcrc|mocharc|npmrc)[^/]* | [^/]+\.config\.(?:[cm]?[jt]s|json)
    | \.?pytest\.(?:ini|toml) | tox\.ini | setup\.(?:cfg|py) | pyproject\.toml | [^/]*requirements[^/]*\.txt | Pipfile
    | go\.(?:mod|sum|work) | Cargo\.toml | pom\.xml | build\.gradle(?:\.kts)? | phpunit\.xml[^/]* | \.rspec
    | Gemfile[^/]*
    )""",
    re.VERBOSE,
)
"""Files that say what tests run, with which settings and libraries."""
_SNAPSHOT = re.compile(r"(.*/|)__snapshots__/([^/]+)\.(?:snap|ambr)")
_DATA = re.compile(
    r"(?!(?:.*/)?(?:\.|docs?/)).*\.(?:json[5l]?|ya?ml|toml|ini|cfg|xml|html?|sql|csv|tsv|graphqls?|gql|proto)"
)
"""Files outside tests that programs read, unlike texts for people."""
_COMMAND = re.compile(r"(?:.*/)?management/commands/(\w+)\.py")

_TEST_DATA = re.compile(r"(?:.*/)?(?:testdata|(?:__)?(?:fixtures?|snapshots)(?:__)?)/")
_AUTOUSE = re.compile(r"\bautouse\s*=\s*True.*?\bdef\s+(\w+)", re.DOTALL)
_USED_BY_ALL = re.compile(rb"^\s*usefixtures\s*=\s*(.+)$", re.MULTILINE)

_LOADS = re.compile(
    rb"""\b(?:import_module|__import__|spec_from_file_location|load_module|find_spec|import_string|run_path|run_module)
    \((?!\s*["'][^"'{}]*["']\s*[,)]) | \b(?:import|require)\(\s*(?:[\w$.]+\s*[,)+]|`[^`]*\$\{) | \bplugin\.Open\(""",
    re.VERBOSE,
)
"""Calls that load a module by a name that is no constant."""

_TOP_LEVEL = frozenset({SymbolKind.MODULE, SymbolKind.VARIABLE, SymbolKind.CONSTANT})


def all_tests(snapshot: Snapshot, below: str, why: str, depth: int = 1) -> list[Row]:
    """The rows of test files in a folder and below it; `below` ends with a slash, or is empty."""
    return [loading_row(snapshot, path, MAY_RUN, depth, why) for path in collected(snapshot, below)]


def collected(snapshot: Snapshot, below: str = "") -> list[str]:
    """The test files in a folder and below it that a runner collects."""
    files = sorted(path for path in snapshot.facts if path.startswith(below) and is_test(path))
    return [path for path in files if is_run(snapshot, path)]


def run_for_all(snapshot: Snapshot, hits: Iterable[Reached]) -> Iterator[Row]:
    """Test files for which a runner runs an element of another file: of a conftest.py, or Go's TestMain."""
    seen = set[str]()
    for hit in hits:
        file, folder = hit.symbol.file, _folder(hit.symbol.file)
        if is_shared(file) and folder not in seen and _is_automatic(snapshot, hit):
            seen.add(folder)
            yield from all_tests(
                snapshot, folder, f"is below {file}, whose fixtures it may use without asking", hit.depth + 1
            )
        elif is_loaded_whole(file) and file not in seen and hit.symbol.name == TEST_MAIN:
            seen.add(file)
            why = f"is run by {TEST_MAIN} in {file}"
            beside = all_tests(snapshot, folder, why, hit.depth + 1)
            yield from (row for row in beside if _folder(row.proposal.file) == folder)


def through_variables(snapshot: Snapshot, hits: Iterable[Reached]) -> list[Reached]:
    """The tests that use the variables of files, such as Go's export_test.go, whose top level uses a change."""
    files = {
        hit.symbol.file for hit in hits if hit.symbol.kind is SymbolKind.MODULE and is_loaded_whole(hit.symbol.file)
    }
    held = [
        symbol.id
        for file in sorted(files)
        for symbol in snapshot.facts[file].symbols
        if symbol.kind in _TOP_LEVEL and symbol.kind is not SymbolKind.MODULE
    ]
    return [hit for hit in users(snapshot, held, BEHAVIOUR, max_depth=TEST_DEPTH) if is_test(hit.symbol.file)]


def _is_automatic(snapshot: Snapshot, hit: Reached) -> bool:
    """Whether pytest runs an element of a conftest.py for all tests below: its top level, a hook, some fixtures."""
    name = hit.symbol.name
    if hit.symbol.kind in _TOP_LEVEL or name.startswith("pytest_"):
        return True
    for_all = [row for data in snapshot.project.manifests.values() for row in _USED_BY_ALL.findall(data)]
    return name in _AUTOUSE.findall(text_of(snapshot, hit.symbol.file)) or any(
        name in re.findall(r"\w+", row.decode("utf-8", "replace")) for row in for_all
    )


def text_of(snapshot: Snapshot, path: str) -> str:
    """The text of a file; empty if it can't be read."""
    source = read_from(snapshot.tree, path, _MAX_TEXT)
    return source.data.decode("utf-8", "replace") if isinstance(source, Source) else ""


def concerned(
    snapshot: Snapshot, files: Collection[str], others: Sequence[str], held: Collection[str]
) -> Iterator[Row]:
    """Test files for changed settings of a runner, snapshots, data, and Django's commands.

    `files` are changed sources, `held` those with a changed element, `others` all other changed files. Data lead to
    the tests of what holds their names; data of tests that nothing names, to all tests in the nearest folder with some,
    and others that programs read, to all.
    """
    data = []
    for path in sorted({*files, *others}):
        if _SETTINGS.fullmatch(path) or (is_shared(path) and path not in held):
            yield from _sure(all_tests(snapshot, _folder(path), f"{path} configures how tests run: run all"))
        elif (snap := _SNAPSHOT.fullmatch(path)) and f"{snap[1]}{snap[2]}" in snapshot.facts:
            yield loading_row(snapshot, f"{snap[1]}{snap[2]}", CHANGED, 0, f"compares with {path}")
        elif path in others or _COMMAND.fullmatch(path):
            data.append(path)
    named = _named(snapshot, {path: _by_name(path) for path in data[:_MOST_DATA]})
    for path in data:
        holders = named.get(path, [])
        for row in importing_tests(snapshot, holders):
            where = row.proposal.file if row.group == CHANGED else f"{row.proposal.why}, which"
            yield loading_row(snapshot, row.proposal.file, MAY_RUN, row.proposal.depth + 1, f"{where} names {path}")
        if not holders and path in others and (_is_of_tests(path) or _DATA.fullmatch(path)):
            why = f"may read {path}, which nothing names: run all"
            yield from _sure(all_tests(snapshot, _tested(snapshot, path), why))


def _sure(rows: Iterable[Row]) -> list[Row]:
    return [row._replace(is_sure=True) for row in rows]


def _by_name(path: str) -> re.Pattern[bytes]:
    """A pattern for the place that reads a file of data, or calls one of Django's commands."""
    command = _COMMAND.fullmatch(path)
    if command is not None:
        return re.compile(rb"call_command\(\s*[\"']" + command[1].encode() + rb"[\"']")
    return re.compile(rb"(?<![\w-])" + re.escape(path.rpartition("/")[2].encode()) + rb"(?!\w)")


def _named(snapshot: Snapshot, patterns: Mapping[str, re.Pattern[bytes]]) -> dict[str, list[str]]:
    """The source files that hold a pattern, by its key."""
    found: dict[str, list[str]] = {}
    for file, data in Texts(snapshot.tree, snapshot.facts).read() if patterns else ():
        for path, pattern in patterns.items():
            if path != file and pattern.search(data):
                found.setdefault(path, []).append(file)
    return found


def _tested(snapshot: Snapshot, path: str) -> str:
    """The nearest folder of a file of tests, or above, with tests in it; for any other file, the whole project."""
    folder = _folder(path) if _is_of_tests(path) else ""
    while folder and not any(file.startswith(folder) and is_test(file) for file in snapshot.facts):
        folder = _folder(folder[:-1])
    return folder


def _is_of_tests(path: str) -> bool:
    return is_test(path) or _TEST_DATA.match(path) is not None


def loaded_by_name(snapshot: Snapshot, files: Iterable[str]) -> list[Row]:
    """All tests, if nothing imports one of the files and the project loads modules by names that can't be read."""
    lone = {
        path for path in files if path in snapshot.facts and not is_test(path) and not snapshot.graph.importers(path)
    }
    groups = {spec.group for path in lone if (spec := spec_of(path)) is not None}
    for file, data in Texts(snapshot.tree, snapshot.facts).read() if groups else ():
        spec = spec_of(file)
        if spec is not None and spec.group in groups and not is_test(file) and (call := _LOADS.search(data)):
            line = data.count(b"\n", 0, call.start()) + 1
            return _sure(all_tests(snapshot, "", f"{file}:{line} loads modules by name: run all"))
    return []


def _folder(path: str) -> str:
    return path[: path.rfind("/") + 1]
