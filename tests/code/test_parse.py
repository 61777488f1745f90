"""Parsing: any bytes produce facts, and facts keep their invariants."""

import gc
import random
import textwrap

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.code.file_facts import BindingKind, FileFacts, ImportKind, Shape, Trait
from bearings.code.languages import language_of
from bearings.code.models import Language, Symbol, SymbolKind
from bearings.code.parse import parse_file
from bearings.code.syntax_trees import regions_of

SOURCES = {
    Language.PYTHON: '''
        """Module."""
        from . import a as b, c
        import d.e
        from f import *
        @deco(1)
        class K(Base, metaclass=M):
            x: int = 1
            def __init__(self, y: "T", *args, z=1, **kw) -> None:
                self.y = y
                super().__init__()
            @property
            async def p(self): return [await q(i) for i in self.y.z()[0].w()]
        def f(n):
            global G
            with open(n) as (h, k): pass
            match n:
                case Foo(a, b=c) | [*rest]: return lambda v: v()
            return (m := f(n - 1))
        __all__ = ["K"]
    ''',
    Language.TSX: """
        import a, { type B, c as d } from "x"; import * as n from "./y"; import q = require("w"); import "side";
        export * from "a"; export * as ns from "b"; export { x as z }; export default class {}
        /** Doc. */
        export const C = memo((p: Props) => <A.b x={1}>{p.items.map((i) => <I key={i} />)}</A.b>);
        abstract class Z<T> extends W<T> implements I { static #x = 1; constructor(private s: S) { super(); }
          get a() { return 1; } }
        interface I extends J { m(this: I): this; p?: () => void; (): I; new (x: I): J; [key: string]: T }
        enum E { A, "B" = 2 }  namespace N.M { export const x = 1; }
        const { e, f: [g], ...h } = await import("m"); let v = { m() {}, k: { d: function () {} } } as V;
        x.y = function* () { for (const i of this.z()) { try { i!.j?.().k; } catch (e) { e(); } } };
        type Q<T> = { a(): void; b: T[] } ; declare module "m" { function f(): void }
    """,
    Language.JAVASCRIPT: """
        const a = require("a"), { b, c: d } = require("./b");
        module.exports = { a, b() {}, e: function () { return arguments; } };
        exports.f = (x, { y }, [z] = []) => x(y, z);
        A.prototype.m = function () { this.n = new A().m().o; };
        class P extends (Q, R) { f = () => 1; static { g(); } }
        export default async () => { const h = await a(); };
    """,
}


def parse(language: Language, source: str | bytes) -> FileFacts:
    return parse_file("a", language, source if isinstance(source, bytes) else textwrap.dedent(source).encode())


UNNAMED = ("()", "new()", "[]")
"""Names of an interface's signatures: they are bound, but are no symbols."""


def check(facts: FileFacts, source: bytes) -> None:
    """Assert the invariants of all facts."""
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(facts), type=FileFacts) == facts
    module, *symbols = facts.symbols
    assert module.kind is SymbolKind.MODULE
    assert (module.line, module.end_line) == (1, max(1, facts.lines))
    assert len(facts.shapes) == len(facts.symbols)
    assert len({symbol.id for symbol in facts.symbols}) == len(facts.symbols)
    assert facts.scopes[0].parent == -1
    ids = {symbol.id for symbol in facts.symbols}
    for symbol, shape in zip(symbols, facts.shapes[1:], strict=True):
        assert 1 <= symbol.line <= symbol.end_line <= module.end_line
        assert symbol.parent in ids
        assert facts.symbols[shape.parent].id == symbol.parent
        assert 0 <= shape.scope < len(facts.scopes)
        assert "\n" not in symbol.signature
    for index, scope in enumerate(facts.scopes):
        assert scope.parent < index
        assert 0 <= scope.symbol < len(facts.symbols)
    tables = {BindingKind.SYMBOL: facts.symbols, BindingKind.TYPE: facts.symbols, BindingKind.IMPORT: facts.imports}
    for row in facts.bindings:
        assert 0 <= row.scope < len(facts.scopes)
        assert row.kind not in tables or 0 <= row.target < len(tables[row.kind]) or row.name in UNNAMED
    for site in facts.sites:
        assert 1 <= site.line <= module.end_line
        assert 0 <= site.scope < len(facts.scopes)
    for use in facts.environment:
        assert 1 <= use.line <= module.end_line
        assert 0 <= use.symbol < len(facts.symbols)


@pytest.mark.parametrize("language", SOURCES)
def test_a_source_with_every_construct_gives_valid_facts(language: Language) -> None:
    source = textwrap.dedent(SOURCES[language]).encode()
    facts = parse_file("a", language, source)
    check(facts, source)
    assert len(facts.symbols) > 5
    assert len(facts.sites) > 4


@given(language=st.sampled_from(Language), source=st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_any_bytes_give_facts(language: Language, source: bytes) -> None:
    check(parse_file("a", language, source), source)


@pytest.mark.slow
@given(data=st.data(), language=st.sampled_from(sorted(SOURCES)))
def test_mutated_sources_give_facts(data: st.DataObject, language: Language) -> None:
    source = bytearray(textwrap.dedent(SOURCES[language]).encode())
    for _ in range(data.draw(st.integers(1, 6))):
        start = data.draw(st.integers(0, len(source)))
        end = data.draw(st.integers(start, min(len(source), start + 40)))
        other = data.draw(
            st.sampled_from([b"", b"{", b")", b"\0", b"\xff", b'"', b"class ", b"=>", b"\r\n", b"import ", b"@"])
        )
        source[start:end] = other
    check(parse_file("a", language, bytes(source)), bytes(source))


@pytest.mark.parametrize(
    "language",
    [pytest.param(one, marks=() if one is Language.TYPESCRIPT else pytest.mark.slow) for one in Language],
)
@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"\xef\xbb\xbfx = 1\n",
        b"\xff\xfe\x00a = b()\r\n" * 10,
        b"\0" * 500,
        b"(" * 10_000,
        b"[" * 10_000 + b"]" * 10_000,
        b"f(" * 10_000 + b")" * 10_000,
        b"a" + b".b()" * 3_000,
        b"a" + b".b" * 10_000 + b"()",
        b"{" * 10_000 + b"}" * 10_000,
        b"if (a) " * 5_000,
        b"<div>" * 2_000,
        b"x => " * 2_000 + b"1",
        b"import os\nos.environ[" * 2_000,
        b"process.env" + b" " * 50_000 + b"os.environ" + b" " * 50_000,
        b"import.meta.env" + b"{a:b" * 2_000 + b"}=" * 2_000 + b"environ" + b"a:" * 2_000,
        b"def f():\n" + b"".join(b" " * i + b"if x:\n" for i in range(1, 300)),
    ],
    ids=lambda source: repr(source[:12]),
)
def test_hostile_bytes_give_facts(language: Language, source: bytes) -> None:
    check(parse_file("a", language, source), source)


@pytest.mark.slow
def test_a_minified_megabyte_on_one_line_gives_facts() -> None:
    source = b"function a(b){return b.c(d(1),new E)}var f={g:function(){return this.h()}};" * 14_000
    facts = parse_file("a.js", Language.JAVASCRIPT, source)
    assert facts.lines == 1
    assert {symbol.qualified_name for symbol in facts.symbols[1:]} == {"a", "f", "f.g"}


@pytest.mark.parametrize(
    ("language", "source"),
    [
        (Language.TYPESCRIPT, b"%-" * 8_000),  # 60 s and more, before there was a budget
        (Language.GO, b"/*," * 5_000),
        (Language.JAVASCRIPT, b"[" * 200_000),
    ],
    ids=["recovery", "comments", "brackets"],
)
def test_a_source_that_exceeds_its_budget_gives_the_module_alone(language: Language, source: bytes) -> None:
    facts = parse_file("a", language, source)
    assert [symbol.kind for symbol in facts.symbols] == [SymbolKind.MODULE]
    assert (facts.errors, facts.given_up) == (1, True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "source"),
    [
        (Language.TYPESCRIPT, b"x = [" + b"1," * 60_000 + b"]"),
        (Language.PYTHON, b"x = {" + b"1: (2, 3)," * 20_000 + b"}"),
        (Language.GO, b"package a\nvar x = []int{" + b"1," * 60_000 + b"}"),
        (Language.PYTHON, b"x = 'a'" + b" + 'a'" * 1_500),
        (Language.TYPESCRIPT, b"class A {\n" + b"  f( { const a = '; }\n" * 300 + b"}"),
    ],
    ids=["table", "tuples", "numbers", "sum", "broken"],
)
def test_dense_deep_and_broken_code_is_not_given_up(language: Language, source: bytes) -> None:
    assert not parse_file("a", language, source).given_up


def test_the_same_bytes_give_the_same_facts_in_any_order_of_files() -> None:
    files = [(language, textwrap.dedent(source).encode()) for language, source in SOURCES.items()]
    first = [parse_file("a", *file) for file in files]
    shuffled = files * 2
    random.Random(1).shuffle(shuffled)
    assert all(parse_file("a", *file) in first for file in shuffled)


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a/b.ts", Language.TYPESCRIPT),
        ("b.mts", Language.TYPESCRIPT),
        ("b.d.cts", Language.TYPESCRIPT),
        ("b.TSX", Language.TSX),
        ("b.mjs", Language.JAVASCRIPT),
        ("b.cjs", Language.JAVASCRIPT),
        ("b.jsx", Language.JSX),
        ("b.pyi", Language.PYTHON),
        ("b.go", Language.GO),
        ("b.zig", None),
        ("ts", None),
        (".py", None),
    ],
)
def test_the_extension_determines_the_language(path: str, language: Language | None) -> None:
    assert language_of(path) is language


def test_errors_are_counted() -> None:
    assert parse(Language.PYTHON, "x = 1\n").errors == 0
    assert parse(Language.PYTHON, "def (:\n").errors > 0


def found(language: Language, source: str, name: str) -> tuple[Symbol, Shape]:
    facts = parse(language, source)
    return next(
        (symbol, shape)
        for symbol, shape in zip(facts.symbols, facts.shapes, strict=True)
        if symbol.qualified_name == name
    )


@pytest.mark.parametrize(
    ("language", "source", "name", "signature", "doc"),
    [
        (
            Language.PYTHON,
            'def f(a,\n      b=1) -> int:\n    """Adds.\n\n    More."""\n',
            "f",
            "def f(a, b=1) -> int",
            "Adds.",
        ),
        (Language.PYTHON, "async def f(): ...\n", "f", "async def f()", ""),
        (
            Language.TSX,
            "/** One\n * two.\n *\n * More. */\nexport function f(a: A): B {}",
            "f",
            "function f(a: A): B",
            "One two.",
        ),
        (Language.TSX, "/** Doc. @x */\nexport const f = (a) => 1", "f", "f = (a)", "Doc. @x"),
        (Language.TSX, "/** Far. */\nlet x = 1;\nfunction f() {}", "f", "function f()", ""),
        (Language.TSX, "/* Plain. */\nfunction f() {}", "f", "function f()", ""),
        (
            Language.TSX,
            "class A { /** M.\n @p */ @dec() private async m<T>(x: T): Promise<T> {} }",
            "A.m",
            "private async m<T>(x: T): Promise<T>",
            "",
        ),
    ],
)
def test_signature_and_doc(language: Language, source: str, name: str, signature: str, doc: str) -> None:
    symbol, _ = found(language, source, name)
    assert (symbol.signature, symbol.doc) == (signature, doc)


def test_members_have_traits() -> None:
    source = "class A { static s() {} get g() { return 1 } async a() {} abstract b(): void }"
    traits = {name: found(Language.TYPESCRIPT, source, f"A.{name}")[1].traits for name in "sga"}
    assert traits == {"s": Trait.STATIC, "g": Trait.ACCESSOR, "a": Trait.ASYNC}
    source = (
        "class A:\n @staticmethod\n def s(): ...\n @property\n def g(self): ...\n"
        " @abc.abstractmethod\n async def a(self): ...\n"
    )
    traits = {name: found(Language.PYTHON, source, f"A.{name}")[1].traits for name in "sga"}
    assert traits == {"s": Trait.STATIC, "g": Trait.ACCESSOR, "a": Trait.ASYNC | Trait.ABSTRACT}


def test_imports_have_the_kind_of_their_syntax() -> None:
    facts = parse(
        Language.TYPESCRIPT, 'import type { A } from "a"; import b from "b"; const c = require("c"); import("d");'
    )
    assert [(entry.module, entry.kind) for entry in facts.imports] == [
        ("a", ImportKind.TYPE),
        ("b", ImportKind.STATIC),
        ("c", ImportKind.REQUIRE),
        ("c", ImportKind.REQUIRE),
        ("d", ImportKind.DYNAMIC),
    ]


def test_a_decorated_definition_starts_at_its_own_line() -> None:
    assert found(Language.PYTHON, "@a\n@b\ndef f(): ...\n", "f")[0].line == 3


def test_a_long_run_of_open_brackets_is_not_parsed() -> None:
    facts = parse_file("a.js", Language.JAVASCRIPT, b"[" * 200_000)
    assert facts.errors == 1
    assert len(facts.symbols) == 1


@pytest.mark.parametrize(("deep", "errors"), [(900, 0), (1_100, 1)])
def test_nested_calls_are_read_up_to_a_depth(deep: int, errors: int) -> None:
    facts = parse_file("a.js", Language.JAVASCRIPT, b"f(" * deep + b"1" + b")" * deep)
    assert (facts.errors, len(facts.sites)) == (errors, 0 if errors else deep)


def test_brackets_in_strings_do_not_count_as_depth() -> None:
    facts = parse_file("a.py", Language.PYTHON, b"def f():\n" + b"    g('(')\n" * 2_000)
    assert (facts.errors, len(facts.sites)) == (0, 2_000)


def test_a_plain_comment_does_not_take_text_from_an_earlier_jsdoc_comment():
    source = b"/** Of a. */ export const a = 1; /* plain */ export const b = 2;\n/**/ export const c = 3\n"
    facts = parse_file("a.ts", Language.TYPESCRIPT, source)
    assert [symbol.doc for symbol in facts.symbols[1:]] == ["Of a.", "", ""]


@pytest.mark.slow
@pytest.mark.parametrize("language", SOURCES)
def test_a_parsed_file_is_freed_without_a_collector(language):
    source = textwrap.dedent(SOURCES[language]).encode()
    parse_file("a", language, source)
    gc.collect()
    gc.disable()
    try:
        parse_file("a", language, source)
        assert gc.collect() == 0
    finally:
        gc.enable()


RUNS = [
    (Language.PYTHON, "def f():\n    g()\n{}\n\ndef last(): pass\n", "    # g(x={})\n"),
    (Language.PYTHON, "class A:\n    x = 1\n{}    def last(self): pass\n", "# {} of 'many'\n\n"),
    (Language.PYTHON, "if a:\n    b()\n{}else:\n    def last(): pass\n", "  # {}\r\n"),
    (Language.TYPESCRIPT, "x\n{}  .y()\nfunction last() {{}}\n", "  // .z({})\n"),
    (Language.JAVASCRIPT, "x\n{}  .y()\nfunction last() {{}}\n", "  /* .z(\n * {}) */\n"),
    (Language.TYPESCRIPT, "type T =\n{}  | 'b'\nfunction last() {{}}\n", "  // | 'a{}'\n"),
]
"""Code around a run of comments that its grammar's scanner reads again for each of them, and one of the comments."""


@pytest.mark.parametrize(("language", "around", "comment"), RUNS)
def test_a_long_run_of_comments_costs_a_file_nothing(language: Language, around: str, comment: str) -> None:
    whole = around.format("".join(comment.format(number) for number in range(3_000)))
    facts, plain = (parse_file("a", language, text.encode()) for text in (whole, around.format("")))
    assert (facts.errors, facts.given_up) == (0, False)
    assert [symbol.qualified_name for symbol in facts.symbols] == [symbol.qualified_name for symbol in plain.symbols]
    assert facts.sites[0].line == plain.sites[0].line if plain.sites else not facts.sites


def test_a_word_in_a_long_run_of_comments_is_no_code() -> None:
    text = ("# word\n" * 3_000 + "word = 1\n").encode()
    places = [2, len(b"# word\n") * 1_500 + 2, len(b"# word\n") * 3_000]
    assert regions_of(Language.PYTHON, text, places) == ["comment", "comment", "code"]


def test_a_string_with_lines_like_comments_ends_where_it_did() -> None:
    lines = "# line\n" * 300
    text = f'x = """\n{lines}# end """\n{"# c" * 10}\n' + "# c\n" * 3_000 + "def last(): pass\n"
    assert [symbol.name for symbol in parse_file("a", Language.PYTHON, text.encode()).symbols[1:]] == ["x", "last"]


@pytest.mark.parametrize(
    "source",
    [
        "// @import\n" + "/** " * 50_000,
        "// @typedef\n" + "/** " * 50_000,
        "/** @import {" * 20_000 + "*/",
        "/** @import a" + " " * 50_000 + "*/",
    ],
)
def test_comments_that_begin_many_imports_or_types_are_read_at_once(source: str) -> None:
    assert not parse_file("a.js", Language.JAVASCRIPT, source.encode()).imports


def test_texts_of_a_language_are_no_elements() -> None:
    sections = "".join(f"s{n}: {{ {', '.join(f'k{key}: 1' for key in range(50))} }},\n" for n in range(20))
    source = f"export const TEXTS = {{ {sections} }};\nexport const CODES = {{ LESS: 1 }};\n"
    facts = parse_file("a.ts", Language.TYPESCRIPT, source.encode())
    assert [symbol.qualified_name for symbol in facts.symbols[1:]] == ["TEXTS", "CODES", "CODES.LESS"]
