"""Only the languages' own folders compare languages; all other code asks the language's spec."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import bearings.code
from bearings.code.languages import EXTENSIONS

CODE = Path(bearings.code.__file__).parent
ALLOWED = ["languages", "resolve"]
"""Folders of `bearings.code` that may compare languages."""

ENDS = frozenset({"endswith", "removesuffix"})


def branches(source: str) -> Iterator[int]:
    """Yield the lines of a source that name a language: an enum member, a comparison, or the extension of a path."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and node.attr.isupper():
            if isinstance(node.value, ast.Name) and node.value.id == "Language":
                yield node.lineno
        elif isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(map(is_language, sides)) and any(texts(side) for side in sides):
                yield node.lineno
        elif isinstance(node, ast.Match):
            yield from [node.lineno] if is_language(node.subject) else []
        elif isinstance(node, ast.Call) and checks_extension(node):
            yield node.lineno


def is_language(node: ast.expr) -> bool:
    """Whether an expression is named like a file's language."""
    named = node.func if isinstance(node, ast.Call) else node
    name = named.attr if isinstance(named, ast.Attribute) else named.id if isinstance(named, ast.Name) else ""
    return name in ("language", "language_of")


def checks_extension(call: ast.Call) -> bool:
    """Whether a call tests for or removes a language's extension."""
    is_end = isinstance(call.func, ast.Attribute) and call.func.attr in ENDS
    return is_end and any(EXTENSIONS.keys() & texts(argument) for argument in call.args)


def texts(node: ast.expr) -> set[str]:
    """Return the string literals in an expression."""
    return {part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)}


@pytest.mark.parametrize(
    "source",
    [
        "is_go = facts.language is Language.GO",
        "by = {Language.PYTHON: 1}",
        "facts.language == 'python'",
        "language in ('go', 'python')",
        "language_of(path) != 'go'",
        "match language:\n    case 'go':\n        pass",
        "path.endswith('.go')",
        "path.endswith(('.py', '.pyi'))",
    ],
)
def test_a_branch_is_found(source):
    assert list(branches(source)) == [1]


@pytest.mark.parametrize(
    "source",
    [
        "SPECS[facts.language].comment",
        "facts.language in question.languages",
        "language_of(path) is None",
        "language: Language",
        "path.endswith('.json')",
    ],
)
def test_code_that_names_no_language_is_no_branch(source):
    assert list(branches(source)) == []


@pytest.mark.slow
def test_no_language_is_named_outside_the_languages_own_folders():
    found = [
        f"{path.relative_to(CODE)}:{line}"
        for path in sorted(CODE.rglob("*.py"))
        if path.relative_to(CODE).parts[0] not in ALLOWED
        for line in branches(path.read_text("utf-8"))
    ]
    assert found == []
