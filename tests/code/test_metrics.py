"""Complexity measures: each rule on the smallest function that shows it."""

from textwrap import dedent

import pytest

from bearings.code.file_facts import FileFacts, MarkKind, Measure
from bearings.code.models import Language
from bearings.code.parse import parse_file


def facts(language: Language, source: str) -> FileFacts:
    return parse_file("a", language, dedent(source).encode())


def measures(language: Language, source: str) -> dict[str, Measure]:
    read = facts(language, source)
    return {read.symbols[measure.symbol].qualified_name: measure for measure in read.measures}


def python(body: str) -> Measure:
    return measures(Language.PYTHON, f"def f(x):\n{_indented(body)}")["f"]


def typescript(body: str) -> Measure:
    return measures(Language.TYPESCRIPT, f"function f(x) {{\n{_indented(body)}}}")["f"]


def _indented(body: str) -> str:
    return "".join(f"    {line}\n" for line in dedent(body).strip("\n").split("\n"))


def go(body: str) -> Measure:
    return measures(Language.GO, f"package a\nfunc f(x int) {{\n{_indented(body)}}}\n")["f"]


GO = [
    ("", 1, 0, 0),
    ("if a { b() }", 2, 1, 1),
    ("if a { b() } else if c { d() } else { e() }", 3, 3, 1),
    ("if a := b(); a && c { d() }", 3, 2, 1),
    ("if a || b || c { d() }", 4, 2, 1),
    ("if a && b || c && d { e() }", 5, 4, 1),
    ("for a := range b { if a { c() } }", 3, 3, 2),
    ("for { break }", 2, 1, 1),
    ("a:\nfor {\n    continue a\n}", 2, 2, 1),
    ("switch a {\ncase 1, 2:\n    b()\ncase 3:\n    if c { d() }\ndefault:\n    e()\n}", 4, 3, 2),
    ("switch a := b.(type) {\ncase int:\n    c(a)\n}", 2, 1, 1),
    ("select {\ncase a := <-b:\n    c(a)\ndefault:\n}", 2, 1, 1),
    ("defer func() { if a { b() } }()", 1, 2, 0),
    ("goto a\na:", 1, 1, 0),
]

PYTHON = [
    ("pass", 1, 0, 0),
    ("if a:\n    b", 2, 1, 1),
    ("if a:\n    b\nelse:\n    c", 2, 2, 1),
    ("if a:\n    b\nelif c:\n    d\nelse:\n    e", 3, 3, 1),
    ("for a in b:\n    if a:\n        c", 3, 3, 2),
    ("while a:\n    b\nelse:\n    c", 3, 2, 1),
    ("try:\n    a\nexcept B:\n    c\nexcept C:\n    d", 3, 2, 1),
    ("try:\n    a\nexcept B:\n    if c:\n        d\nelse:\n    e", 4, 3, 2),
    ("try:\n    a\nfinally:\n    b", 1, 0, 1),
    ("with a:\n    if b:\n        c", 2, 1, 2),
    ("return a if b else c", 2, 1, 0),
    ("return a and b and c", 3, 1, 0),
    ("return a and b or c and d", 4, 3, 0),
    ("return a and not (b and c)", 3, 2, 0),
    ("return a and (b and c)", 3, 1, 0),
    ("return [a for a in b if c if d]", 4, 0, 0),
    ("assert a", 2, 0, 0),
    ("match a:\n    case 1:\n        b\n    case [c] if d:\n        e\n    case _:\n        f", 3, 1, 1),
    ("match a:\n    case 1:\n        b\n    case 2:\n        c", 3, 1, 1),
    ("match a:\n    case None:\n        b\n    case c.d:\n        c\n    case e if f:\n        g", 3, 1, 1),
    ("return lambda a: b if c else d", 2, 2, 0),
    ("if a:\n    if b:\n        if c:\n            d", 4, 6, 3),
]

TYPESCRIPT = [
    ("", 1, 0, 0),
    ("if (a) b", 2, 1, 1),
    ("if (a) b; else if (c) d; else e", 3, 3, 1),
    ("for (const a of b) { if (a) { c } }", 3, 3, 2),
    ("for (;;) { do { a } while (b) }", 3, 3, 2),
    ("try { a } catch { if (b) c } finally { d }", 3, 3, 2),
    ("switch (a) { case 1: b; case 2: c; default: if (d) e }", 4, 3, 2),
    ("return a ? b : c ? d : e", 3, 3, 0),
    ("return a && b || c && d", 4, 3, 0),
    ("return a ?? b", 2, 0, 0),
    ("return a?.b?.(c?.[0])", 4, 0, 0),
    ("a ||= b; c &&= d; e ??= f", 4, 0, 0),
    ("const { a = 1, b: [c = 2] } = d", 3, 0, 0),
    ("a: for (;;) { continue a }", 2, 2, 1),
    ("for (;;) { continue }", 2, 1, 1),
    ("if (a) { g(() => { if (b) c }) }", 2, 4, 1),
    ("g(() => { if (b) c })", 1, 1, 0),
    ("class A { x = a || b; static { if (c) d } }", 1, 2, 0),
]


@pytest.mark.parametrize(("body", "cyclomatic", "cognitive", "nesting"), PYTHON)
def test_python_functions_are_measured_rule_by_rule(body: str, cyclomatic: int, cognitive: int, nesting: int):
    got = python(body)
    assert (got.cyclomatic, got.cognitive, got.nesting) == (cyclomatic, cognitive, nesting)


@pytest.mark.parametrize(("body", "cyclomatic", "cognitive", "nesting"), TYPESCRIPT)
def test_typescript_functions_are_measured_rule_by_rule(body: str, cyclomatic: int, cognitive: int, nesting: int):
    got = typescript(body)
    assert (got.cyclomatic, got.cognitive, got.nesting) == (cyclomatic, cognitive, nesting)


@pytest.mark.parametrize(("body", "cyclomatic", "cognitive", "nesting"), GO)
def test_go_functions_are_measured_rule_by_rule(body: str, cyclomatic: int, cognitive: int, nesting: int):
    got = go(body)
    assert (got.cyclomatic, got.cognitive, got.nesting) == (cyclomatic, cognitive, nesting)


def test_an_inner_function_counts_one_level_deeper_in_cognitive_complexity():
    got = measures(
        Language.PYTHON,
        """
        def outer():
            if a:
                b
            def inner():
                if c:
                    d
        """,
    )
    assert (got["outer"].cyclomatic, got["outer"].cognitive) == (2, 3)
    assert (got["outer.inner"].cyclomatic, got["outer.inner"].cognitive) == (2, 1)


def test_a_decorator_that_only_defines_its_wrapper_adds_no_level():
    decorator = """
        def decorated(function):
            "Says so."
            def wrapper(*args):
                if a:
                    b
            return wrapper
        """
    assert measures(Language.PYTHON, decorator)["decorated"].cognitive == 1
    assert (
        measures(Language.PYTHON, decorator.replace("return", "print()\n            return"))["decorated"].cognitive
        == 2
    )


def test_decisions_of_nameless_functions_are_counted_separately():
    got = typescript("g(() => a || b, function () { if (c) d })")
    assert (got.cyclomatic, got.nameless) == (1, 2)


def test_code_at_the_top_level_is_measured_for_the_module():
    got = measures(Language.TYPESCRIPT, "if (a) b;\ndescribe(() => { if (c) d })\n")
    assert (got["a"].cyclomatic, got["a"].nameless) == (2, 1)
    assert measures(Language.TYPESCRIPT, "const a = 1\n") == {}


@pytest.mark.parametrize(
    ("language", "source", "count"),
    [
        (Language.PYTHON, "def f(): pass", 0),
        (Language.PYTHON, "def f(a, /, b, *, c=1, **d): pass", 4),
        (Language.PYTHON, "def f(self, a, *args): pass", 2),
        (Language.PYTHON, "def f(a,  # first\n      b): pass", 2),
        (Language.TYPESCRIPT, "function f(this: X, a?: string, { b, c }: D = {}, ...e) {}", 3),
        (Language.TYPESCRIPT, "const f = a => a", 1),
        (Language.JAVASCRIPT, "function f(a, b = 1) {}", 2),
        (Language.GO, "package a\nfunc f() {}", 0),
        (Language.GO, "package a\nfunc f(a, b int, _ string, more ...func(c, d int)) {}", 4),
        (Language.GO, "package a\nfunc f(int, string) {}", 2),
    ],
)
def test_parameters_are_counted_as_a_caller_passes_them(language: Language, source: str, count: int):
    assert measures(language, source)["f"].parameters == count


@pytest.mark.parametrize(
    ("language", "source", "count"),
    [
        (
            Language.PYTHON,
            'def f():\n    """Says.\n\n    More.\n    """\n\n    # why\n    a = 1  # here\n\n    return a\n',
            3,
        ),
        (Language.PYTHON, "def f(): return 1", 1),
        (Language.TYPESCRIPT, "function f() {\n\n  // no\n  a() /* what\n  not */\n  /* no */ b()\n}\n", 4),
        (Language.GO, "package a\nfunc f() {\n\t// no\n\n\ta() // yes\n}\n", 3),
        (Language.TYPESCRIPT, "function f() {\r\n\r\n  /* a\r\n\r\n  b */\r\n  c()\r\n}\r\n", 3),
    ],
)
def test_lines_of_code_exclude_blank_lines_comments_and_docstrings(language: Language, source: str, count: int):
    assert measures(language, source)["f"].code_lines == count


def test_python_has_marks_for_decorators_errors_and_handlers():
    got = facts(
        Language.PYTHON,
        """
        @app.route("/x")
        def f():
            try:
                raise ValueError("no")
            except (KeyError, TypeError) as error:
                raise
            except:
                pass
        """,
    )
    assert [(mark.kind, mark.line, mark.text) for mark in got.marks] == [
        (MarkKind.DECORATOR, 2, "app.route"),
        (MarkKind.RAISE, 5, "ValueError"),
        (MarkKind.CATCH, 6, "(KeyError, TypeError)"),
        (MarkKind.RAISE, 7, ""),
        (MarkKind.SWALLOW, 8, ""),
    ]


def test_go_has_marks_for_checked_errors_and_panics():
    read = facts(
        Language.GO,
        """\
        package a
        func f() {
            if err := g(); err != nil { return }
            if readErr != nil { /* so what */ }
            if err == nil || other != nil { }
            if node != nil { }
            defer func() { recover() }()
            panic("no")
        }
        """,
    )
    assert [(mark.kind, mark.line, mark.text) for mark in read.marks] == [
        (MarkKind.CATCH, 3, "err"),
        (MarkKind.SWALLOW, 4, "readErr"),
        (MarkKind.CATCH, 7, "panic"),
        (MarkKind.RAISE, 8, "panic"),
    ]


def test_typescript_has_the_same_marks():
    got = facts(Language.TYPESCRIPT, "@Injectable()\nclass A { f() { try { throw new E(1) } catch {} throw x } }")
    assert [(mark.kind, mark.line, mark.text) for mark in got.marks] == [
        (MarkKind.DECORATOR, 1, "Injectable"),
        (MarkKind.RAISE, 2, "E"),
        (MarkKind.RAISE, 2, "x"),
        (MarkKind.SWALLOW, 2, ""),
    ]


@pytest.mark.parametrize("language", tuple(Language))
@pytest.mark.parametrize(
    "source", ["", "(((", "if", "def f(:\n  if", "function f( { a ? b", "x && && y", "@", "throw", "match x:"]
)
def test_broken_sources_are_measured(language: Language, source: str):
    assert facts(language, source).path == "a"


def test_java_counts_branches_cases_and_handlers() -> None:
    source = """class Shop {
    int total(int n) {
        if (n > 1 && n < 5 || n == 7) { n = 2; } else if (n == 3) { n = 4; } else { n = 5; }
        for (int i : new int[n]) { while (n > 0) n--; }
        switch (n) { case 1: case 2, 3: break; default: n = n > 1 ? 1 : 2; }
        try { n++; } catch (RuntimeException e) { throw new IllegalStateException(e); }
        return n;
    }
}
"""
    facts = parse_file("Shop.java", Language.JAVA, source.encode())
    row = next(row for row in facts.measures if facts.symbols[row.symbol].name == "total")
    assert (row.cyclomatic, row.cognitive, row.nesting, row.parameters, row.code_lines) == (11, 12, 2, 1, 7)


def test_csharp_counts_branches_cases_and_handlers() -> None:
    source = """class Shop {
    [Obsolete, A.Priced(1)] int Total(int n) {
        if (n > 1 && n < 5 || n == 7) { n = 2; } else if (n == 3) n = 4; else return 5;
        foreach (var i in new int[n]) { while (n > 0) n--; }
        switch (n) { case 1: case 2: break; default: goto done; }
        try { n++; } catch (Exception) { throw new Failed(n); }
        done: return n switch { 1 => 2, < 9 => n > 1 ? 1 : 2, _ => name ?? 3 };
    }
    int Twice { get { return n > 1 ? 2 : 1; } }
}
"""
    facts = parse_file("Shop.cs", Language.CSHARP, source.encode())
    row = next(row for row in facts.measures if facts.symbols[row.symbol].name == "Total")
    assert (row.cyclomatic, row.cognitive, row.nesting, row.parameters, row.code_lines) == (14, 14, 2, 1, 7)
    assert facts.measures[0].nameless == 1
    assert [(mark.kind, mark.line, mark.text) for mark in facts.marks] == [
        (MarkKind.DECORATOR, 2, "A.Priced"),
        (MarkKind.DECORATOR, 2, "Obsolete"),
        (MarkKind.RAISE, 6, "Failed"),
        (MarkKind.CATCH, 6, ""),
    ]


def test_php_counts_branches_arms_and_handlers() -> None:
    source = """<?php
class Shop {
    #[\\Lib\\Bean(1)]
    public function total(int $n, $m = 2): int {
        if ($n > 1 && $n < 5 || $n == 7) { $n = 2; } elseif ($n == 3) { $n = 4; }
        else if ($n) { $n = 6; } else { $n = 5; }
        foreach ([] as $i) { while ($n > 0) $n--; }
        switch ($n) { case 1: case 2: break; default: $n = $n > 1 ? 1 : 2; }
        try { $n++; } catch (\\RuntimeException $e) { throw new \\Lib\\Broken($e); }
        $f = fn ($x) => $x ?? 1;
        return match ($n) { 1, 2 => 3, default => 4 };
    }
}
"""
    facts = parse_file("Shop.php", Language.PHP, source.encode())
    row = next(row for row in facts.measures if facts.symbols[row.symbol].name == "total")
    assert (row.cyclomatic, row.cognitive, row.nesting, row.parameters, row.code_lines) == (13, 14, 2, 2, 10)
    marks = [(mark.kind, mark.line, mark.text) for mark in facts.marks]
    assert marks == [
        (MarkKind.DECORATOR, 3, "\\Lib\\Bean"), (MarkKind.RAISE, 9, "\\Lib\\Broken"), (MarkKind.CATCH, 9, ""),
    ]  # fmt: skip
