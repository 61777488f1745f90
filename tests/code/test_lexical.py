"""The fast pass, which reads declarations line by line."""

import time

import pytest

from bearings.code.engine.lexical import read_lines
from bearings.code.languages import SPECS
from bearings.code.models import Language, SymbolKind


def found(language: Language, text: str) -> list[tuple[str, SymbolKind, int]]:
    facts = read_lines("a", language, text.encode())
    return [(symbol.qualified_name, symbol.kind, symbol.line) for symbol in facts.symbols[1:]]


@pytest.mark.parametrize(
    ("line", "name", "kind"),
    [
        ("export default async function load(a, b) {", "load", SymbolKind.FUNCTION),
        ("function* items() {", "items", SymbolKind.FUNCTION),
        ("export abstract class Shape extends Base {", "Shape", SymbolKind.CLASS),
        ("export interface Props<T> {", "Props", SymbolKind.INTERFACE),
        ("export type Id = string", "Id", SymbolKind.TYPE),
        ("export const enum Color {", "Color", SymbolKind.ENUM),
        ("declare enum Plain {", "Plain", SymbolKind.ENUM),
        ("export const add = (a: number, b = 2): number => a + b", "add", SymbolKind.FUNCTION),
        ("const id = x => x", "id", SymbolKind.FUNCTION),
        ("const old = function () {", "old", SymbolKind.FUNCTION),
        ("const useCart = () => {", "useCart", SymbolKind.HOOK),
        ("export function useAuth() {", "useAuth", SymbolKind.HOOK),
        ("export const App: FC<P> = ({ a }) => {", "App", SymbolKind.COMPONENT),
        ("function Page() {", "Page", SymbolKind.COMPONENT),
        ("export const MAX = 10", "MAX", SymbolKind.CONSTANT),
        ("let count = 0", "count", SymbolKind.VARIABLE),
        ("var $el", "$el", SymbolKind.VARIABLE),
    ],
)
def test_a_line_of_tsx_declares(line, name, kind):
    assert found(Language.TSX, line) == [(name, kind, 1)]


def test_a_capitalized_function_is_a_component_only_in_jsx():
    assert found(Language.TYPESCRIPT, "function Page() {") == [("Page", SymbolKind.FUNCTION, 1)]


@pytest.mark.parametrize(
    "line",
    [
        "// function no() {}",
        "if (x) {",
        "  return (a) {",
        "  let local = 1",
        "import { a } from 'b'",
        "x.y = 1",
        "}",
        "",
    ],
)
def test_a_line_of_javascript_declares_nothing(line):
    assert found(Language.JAVASCRIPT, line) == []


def test_members_are_qualified_with_their_class():
    text = "class A {\n  constructor() {\n  }\n  async run(x) {\n    if (x) {\n    }\n  }\n}\nfunction f() {\n}\n"
    assert found(Language.JAVASCRIPT, text) == [
        ("A", SymbolKind.CLASS, 1),
        ("A.constructor", SymbolKind.CONSTRUCTOR, 2),
        ("A.run", SymbolKind.METHOD, 4),
        ("f", SymbolKind.FUNCTION, 9),
    ]


def test_declarations_of_python_are_found():
    text = (
        "LIMIT = 1\nname: str = 'x'\nif a == b:\n    pass\n"
        "class A(B):\n    size = 1\n    def __init__(self):\n        self.x = 1\n    async def go(self):\n"
        "        def inner():\n            pass\ndef _f():\n    pass\n"
    )
    assert found(Language.PYTHON, text) == [
        ("LIMIT", SymbolKind.CONSTANT, 1),
        ("name", SymbolKind.VARIABLE, 2),
        ("A", SymbolKind.CLASS, 5),
        ("A.__init__", SymbolKind.CONSTRUCTOR, 7),
        ("A.go", SymbolKind.METHOD, 9),
        ("A.go.inner", SymbolKind.FUNCTION, 10),
        ("_f", SymbolKind.FUNCTION, 12),
    ]
    facts = read_lines("a.py", Language.PYTHON, text.encode())
    assert [s.exported for s in facts.symbols[1:]] == [True, True, True, False, True, True, False]


@pytest.mark.parametrize(
    "unit", ["(", "a(", "const a = (", "type a <", "export ", "  async ", "=", "x <", " static get "]
)
def test_no_line_takes_long(unit):
    """Languages without line patterns go to the parser, which counts steps: tests/code/test_parse.py."""
    text = "\n".join([unit * (900 // len(unit))] * 50)
    languages = [language for language in Language if SPECS[language].line_patterns is not None]
    started = time.process_time()
    for language in languages:
        read_lines("a", language, text.encode())
    assert time.process_time() - started < 20


def test_any_bytes_give_a_module():
    for data in (b"", b"\xff\xfe\0", b"x" * 10_000, b"\n" * 100):
        assert read_lines("a.py", Language.PYTHON, data).symbols[0].kind is SymbolKind.MODULE
