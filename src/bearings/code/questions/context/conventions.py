"""A project's conventions by counting: tests, names, types, documentation."""

import re
from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import PurePosixPath

from bearings.code.file_facts import FileFacts, MarkKind, Trait
from bearings.code.languages import SPECS
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import Symbol, SymbolKind

_FRAMEWORKS = frozenset(
    "pytest unittest vitest jest @jest/globals mocha @testing-library/react hypothesis ava testing "
    "github.com/stretchr/testify/assert github.com/stretchr/testify/require github.com/onsi/ginkgo/v2".split()
)
_FUNCTIONS = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.HOOK, SymbolKind.COMPONENT})
_SUFFIX = re.compile(r"(?:_test|[.-](?:test|spec))\.\w+$")
_FEW = 5
"""The fewest functions that show a convention."""


def test_patterns(facts: Mapping[str, FileFacts]) -> tuple[str, ...]:
    """The places, frameworks and shared fixtures of tests."""
    tests = {path: file for path, file in facts.items() if is_test(path)}
    if not tests:
        return ("no test files found",)
    folders = Counter(str(PurePosixPath(path).parent) for path in tests)
    used = Counter(
        name
        for file in tests.values()
        for separator in [SPECS[file.language].module_separator]
        for name in {one.module if separator == "/" else one.module.partition(separator)[0] for one in file.imports}
        if name in _FRAMEWORKS
    )
    fixtures = sum(
        mark.kind is MarkKind.DECORATOR and mark.text.endswith("fixture")
        for file in tests.values()
        for mark in file.marks
    )
    lines = [f"{len(tests)} test files, most in {', '.join(folder for folder, _ in folders.most_common(3))}"]
    lines += _named(tests, facts)
    lines += (
        [f"written with {', '.join(f'{name} ({count} files)' for name, count in used.most_common(3))}"] if used else []
    )
    lines += [f"{fixtures} fixtures"] if fixtures else []
    return tuple(lines)


def _named(tests: Collection[str], facts: Collection[str]) -> list[str]:
    """The naming pattern of most test files, and whether they are beside the tested files."""
    styles = Counter(style for path in tests if (style := _test_style(path)))
    if not styles:
        return []
    style, count = styles.most_common(1)[0]
    sources = {str(PurePosixPath(path).parent) for path in facts if path not in tests}
    beside = sum(str(PurePosixPath(path).parent) in sources for path in tests)
    where = "beside what they test" if beside > len(tests) / 2 else "in folders of their own"
    return [f"named {style} ({round(100 * count / len(tests))} %), {where}"]


def _test_style(path: str) -> str:
    """A test file's name with a star for the tested name; empty if there is none in it."""
    name = PurePosixPath(path).name
    if name.startswith("test_"):
        return "test_*.py"
    suffix = _SUFFIX.search(name)
    return f"*{suffix[0]}" if suffix else ""


def conventions(facts: Mapping[str, FileFacts]) -> tuple[str, ...]:
    """Conventions outside tests, each with its share."""
    lines = []
    own = [(SPECS[file.language].group, file) for path, file in facts.items() if not is_test(path)]
    for name in dict.fromkeys(spec.group for spec in SPECS.values()):
        files = [file for group, file in own if group == name]
        rows = [
            (symbol, shape.returns is not None, shape.traits)
            for file in files
            for symbol, shape in zip(file.symbols, file.shapes, strict=False)
            if symbol.kind in _FUNCTIONS
        ]
        if len(rows) >= _FEW:
            lines += [f"{name}: {habit}" for habit in _habits(rows)]
    return tuple(lines)


def _habits(rows: list[tuple[Symbol, bool, int]]) -> list[str]:
    documented = sum(bool(symbol.doc) for symbol, _, _ in rows)
    typed = sum(returns for _, returns, _ in rows)
    waiting = sum(bool(traits & Trait.ASYNC) for _, _, traits in rows)
    styles = Counter(_style(symbol.name) for symbol, _, _ in rows)
    styles.pop("", None)
    lines = [
        f"{_percent(documented, rows)} of functions have a doc comment",
        f"{_percent(typed, rows)} say what they return",
    ]
    if waiting:
        lines.append(f"{_percent(waiting, rows)} are async")
    if styles:
        style, count = styles.most_common(1)[0]
        lines.append(f"functions are named in {style} ({round(100 * count / styles.total())} %)")
    return lines


def _style(name: str) -> str:
    """The case style of a name of several words; empty for a single word."""
    bare = name.strip("_")
    if "_" in bare:
        return "snake_case"
    if bare[:1].isupper():
        return "PascalCase"
    return "camelCase" if any(letter.isupper() for letter in bare) else ""


def _percent(count: int, rows: list[tuple[Symbol, bool, int]]) -> str:
    return f"{round(100 * count / len(rows))} %"
