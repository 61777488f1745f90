"""Only the languages' own folders compare languages; all others ask for a rule or a capability by name."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import bearings.code
from bearings.code.languages import EXTENSIONS
from bearings.code.models import Language

CODE = Path(bearings.code.__file__).parent
FOLDERS = ("resolve",)
"""Folders of `code/` that this test checks; `.` would check all of them."""
EXEMPT = ("languages/*", "resolve/rules/*/*", "resolve/rules/families.py", "models.py")
"""Patterns of files that may compare languages: their folders, the table from languages to rules, the enum itself."""

_WORDS = "|".join(sorted({*Language, *(extension[1:] for extension in EXTENSIONS), "ecmascript", "untyped"}))
_LANGUAGE_TEST = re.compile(rf"_?(?:is|for|if)_(?:{_WORDS})")


def _comparisons(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and text of all code that compares languages."""
    for node in ast.walk(ast.parse(source)):
        is_comparison = (
            (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "Language")
            or (isinstance(node, ast.Compare) and any(map(_is_language, (node.left, *node.comparators))))
            or (isinstance(node, ast.Match) and _is_language(node.subject))
            or (isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.lower() in EXTENSIONS)
            or _LANGUAGE_TEST.fullmatch(_name(node)) is not None
        )
        if is_comparison and isinstance(node, (ast.expr, ast.stmt, ast.arg, ast.keyword)):
            yield node.lineno, ast.unparse(node).partition("\n")[0]


def _is_language(node: ast.expr) -> bool:
    return _name(node) == "language"


def _name(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.FunctionDef(name=name):
            return name
        case ast.keyword(arg=str(name)):
            return name
        case _:
            return ""


def _sources() -> list[Path]:
    found = {path for folder in FOLDERS for path in (CODE / folder).rglob("*.py")}
    return sorted(found - {path for pattern in EXEMPT for path in CODE.glob(pattern) for path in _files(path)})


def _files(path: Path) -> list[Path]:
    return sorted(path.rglob("*.py")) if path.is_dir() else [path]


def test_no_shared_module_compares_languages() -> None:
    sources = _sources()
    assert len(sources) > 20, "the sources were found"
    found = [
        f"{path.relative_to(CODE)}:{line}: {text}"
        for path in sources
        for line, text in _comparisons(path.read_text("utf-8"))
    ]
    assert not found, "give the language's Semantics or LanguageSpec a property that is named for the rule"


@pytest.mark.parametrize(
    "source",
    [
        "x = Language.GO",
        "if facts.language is go: pass",
        "if language in (a, b): pass",
        "if a != facts.language: pass",
        "match facts.language:\n    case 'go': pass",
        "def f(is_python): pass",
        "f(is_go=True)",
        "view.is_untyped",
        "def is_typescript(): pass",
        "path.endswith('.go')",
    ],
)
def test_a_comparison_is_found(source: str) -> None:
    assert list(_comparisons(source))


@pytest.mark.parametrize("source", ["semantics_of(facts.language)", "f(language=x)", "is_typed_dict", "'a.go'"])
def test_other_code_is_not_found(source: str) -> None:
    assert not list(_comparisons(source))
