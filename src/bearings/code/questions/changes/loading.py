"""Which test files load a file: by imports, directly or indirectly, or with it, and whether a test runner runs them."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import spec_of
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import SymbolKind
from bearings.code.replies.changes import ProposedTests
from bearings.code.replies.tests import TestFile
from bearings.code.search.capabilities import is_loaded_whole
from bearings.code.search.cases import is_case
from bearings.code.search.reach import FUNCTIONS
from bearings.code.search.reaching_tests import is_shared, loaded_by

_IMPORT_DEPTH = 4

TEST_MAIN = "TestMain"
"""Go's function that runs around the tests of a package."""

CHANGED, RUNS, MAY_RUN = range(3)
"""The groups of reasons, the best first."""


class Row(NamedTuple):
    """A file with its reason: the rank, the text, and whether it suffices without word overlap.

    `is_sure`: it is proposed, however long the list is.
    """

    group: int
    proposal: ProposedTests
    is_enough: bool = True
    is_sure: bool = False


def importing_tests(snapshot: Snapshot, files: Iterable[str]) -> list[Row]:
    """Test files that import one of some files, directly or indirectly; the nearest first."""
    depths = spread(files, lambda path: loaded_from(snapshot, path), snapshot)
    rows = []
    for path, depth in depths.items():
        if is_test(path) and is_run(snapshot, path):
            why = f"imports a changed file in {depth} steps" if depth else "changed"
            rows.append(loading_row(snapshot, path, MAY_RUN if depth else CHANGED, depth, why))
    return sorted(rows, key=lambda row: (row.proposal.depth, row.proposal.file))


def nearest(rows: Sequence[Row]) -> Sequence[Row]:
    """The first rows of the same distance, of rows in the order of distance; changed files don't count."""
    others = [row for row in rows if row.group != CHANGED]
    return [row for row in others if row.proposal.depth == others[0].proposal.depth]


def loaders(snapshot: Snapshot, path: str) -> list[Row]:
    """Test files that import a file, directly or indirectly, or are loaded with it; the nearest first."""
    folder = path.rpartition("/")[0]
    beside = [
        other
        for other in (snapshot.facts if is_loaded_whole(path) else ())
        if other.rpartition("/")[0] == folder and is_test(other) and other != path
    ]
    rows = [loading_row(snapshot, other, MAY_RUN, 1, "is loaded with a changed file") for other in sorted(beside)]
    return [*rows, *(row for row in importing_tests(snapshot, [path]) if row.proposal.file not in beside)]


def spread(start: Iterable[str], following: Callable[[str], set[str]], snapshot: Snapshot) -> dict[str, int]:
    """Files with the fewest steps to each."""
    seen = {path: 0 for path in start if path in snapshot.facts}
    frontier = list(seen)
    for depth in range(1, _IMPORT_DEPTH + 1):
        frontier = sorted({there for path in frontier for there in following(path)} - seen.keys())
        seen.update((path, depth) for path in frontier)
    return seen


def loaded_from(snapshot: Snapshot, path: str) -> set[str]:
    """Files that load a file, as they import it or a file that it stands in for, or a test runner loads it first."""
    return snapshot.graph.importers(path) | {other for other, _ in loaded_by(snapshot, path)}


def loading(snapshot: Snapshot, path: str) -> set[str]:
    """Files that load a file: they import it or anything below its package, or are below a conftest.py."""
    files = snapshot.graph.importers(path)
    folder, _, name = path.rpartition("/")
    spec = spec_of(path)
    if spec is not None and name == spec.package_file:
        package = folder.split("/")
        asks = (file for file, facts in snapshot.facts.items() if any(_is_in(i.module, package) for i in facts.imports))
        files.update(asks)
    # conftest.py: pytest loads it for all tests beside and below it, which import nothing.
    elif is_shared(path):
        files |= tests_below(snapshot, path)
    return files


def tests_below(snapshot: Snapshot, path: str) -> set[str]:
    """Test files beside and below a file."""
    folder = path[: path.rfind("/") + 1]
    return {file for file in snapshot.facts if file.startswith(folder) and is_test(file) and file != path}


def _is_in(module: str, package: Sequence[str]) -> bool:
    """Whether a dotted name is a package or inside it; leading folders of the package may be missing in the name."""
    parts = module.split(".")
    return any(parts[:count] == package[-count:] for count in range(1, min(len(parts), len(package)) + 1))


def cases(snapshot: Snapshot, path: str) -> int:
    """The number of tests in a file."""
    return sum(is_case(symbol) for symbol in snapshot.facts[path].symbols[1:])


def is_run(snapshot: Snapshot, path: str) -> bool:
    """Whether a test runner collects the file: it holds tests, not only fixtures, or helpers of other tests."""
    spec, name = spec_of(path), path.rpartition("/")[2]
    if spec is None or (spec.collected_names and re.match(spec.collected_names, name)):
        return True
    if not spec.collected_names:
        is_named = spec.test_paths and re.search(spec.test_paths, path)
        is_loaded = spec.tests_loading and spec.tests_loading(path, snapshot.project.manifests)
        if spec.case_head or spec.imports_folders or is_loaded:
            return any(is_case(symbol) and symbol.name != TEST_MAIN for symbol in snapshot.facts[path].symbols[1:])
        return bool(is_named) or not any(map(is_test, snapshot.graph.importers(path)))
    return not is_shared(path) and any(
        is_case(symbol) and (symbol.kind in FUNCTIONS or symbol.kind is SymbolKind.CLASS)
        for symbol in snapshot.facts[path].symbols[1:]
    )


def loading_row(snapshot: Snapshot, path: str, group: int, depth: int, why: str, *, is_enough: bool = True) -> Row:
    """The row of a test file that loads something, of which no test is known to run it."""
    proposal = ProposedTests(file=path, tests=(), total=cases(snapshot, path), depth=depth, why=why)
    return Row(group, proposal, is_enough)


def running_row(found: TestFile, group: int, why: str, *, is_enough: bool = True) -> Row:
    """The row of a test file with the tests that run something."""
    proposal = ProposedTests(file=found.file, tests=found.tests, total=found.total, depth=found.depth, why=why)
    return Row(group, proposal, is_enough)
