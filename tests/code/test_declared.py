"""Declared languages: behaviour that their cases, cases/<language>_elements.md, don't cover."""

import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.code.file_facts import FileFacts
from bearings.code.languages import SPECS, WITHOUT_GRAMMAR
from bearings.code.models import Language, ProjectFiles, SymbolKind
from bearings.code.parse import parse_file
from bearings.code.resolve.resolver import Resolver, resolve
from bearings.code.symbol_keys import keys_of
from tests.code.cases import cases, facts_of

FOLDER = Path(__file__).parents[2] / "src/bearings/code/languages"
MOST_LINES_WITH_TYPES = 820
MOST_LINES = 150
DECLARED = [language for language, spec in SPECS.items() if spec.is_declared]
SOURCES = [
    (path, source) for case in cases() for path, source in case.files.items() if case.name.split("_")[0] in DECLARED
]


def read(path: str, source: str) -> FileFacts:
    return facts_of({path: source})[path]


def test_nine_languages_are_declared() -> None:
    assert {language.value for language in DECLARED} == {
        "rust", "java", "c", "cpp", "csharp", "kotlin", "ruby", "php", "swift",
    }  # fmt: skip
    assert not WITHOUT_GRAMMAR


@pytest.mark.parametrize("language", DECLARED)
def test_a_declared_language_is_small(language: Language) -> None:
    folder = FOLDER / SPECS[language].queries[0].partition("/")[0]
    files = {path.name for path in folder.iterdir() if path.is_file()}
    # routes are tables, a visitor reads declared types, occurrences are what a rename edits
    assert files - {"routes.py", "visitor.py", "occurrences.py"} == {"__init__.py", "spec.py", "symbols.scm"}
    most = MOST_LINES_WITH_TYPES if "visitor.py" in files else MOST_LINES
    read = files - {"routes.py", "occurrences.py"}
    assert sum(len(folder.joinpath(name).read_text("utf-8").splitlines()) for name in read) <= most


@pytest.mark.parametrize("language", DECLARED)
def test_its_case_has_no_syntax_error_and_many_kinds_of_elements(language: Language) -> None:
    [case] = [one for one in cases() if one.name.startswith(f"{language}_elements: Elements")]
    facts = list(facts_of(case.files).values())
    assert sum(file.errors for file in facts) == 0
    heads = {" ".join(symbol.signature.split()[:2]) for file in facts for symbol in file.symbols[1:]}
    assert len(heads) >= 15
    assert {symbol.kind for file in facts for symbol in file.symbols} >= {SymbolKind.CLASS, SymbolKind.PROPERTY}


@pytest.mark.parametrize(
    ("path", "source", "name", "signature", "doc"),
    [
        ("a.rs", "/// A cart.\n///\n/// More.\n#[derive(Debug)]\npub struct Cart<T> {\n}", "Cart",
         "pub struct Cart<T>", "A cart."),
        ("a.rs", "/** Adds\n * two. */\nfn add(a: u8,\n    b: u8) -> u8 { a + b }", "add",
         "fn add(a: u8, b: u8) -> u8", "Adds two."),
        ("a.rs", "// no documentation\nfn add() {}", "add", "fn add()", ""),
        ("A.java", "/**\n * A cart.\n * @since 1\n */\n@Deprecated\npublic class Cart<T> extends Base {\n}", "Cart",
         "public class Cart<T> extends Base", "A cart."),
        ("A.java", "class A {\n  /* none */ @Override(\"x\") public int add(int a) throws E { return 1; }\n}", "add",
         "public int add(int a) throws E", ""),
        ("a.c", "/* Adds. */\nstatic int add(int a) /* why */ { return a; }", "add", "static int add(int a)", "Adds."),
        ("a.c", "typedef struct cart {\n  int n;\n} cart_t;", "cart_t", "typedef struct cart", ""),
        ("a.c", "typedef int (*compare)(int a);", "compare", "typedef int (*compare)(int a)", ""),
        ("a.cpp", "/// A cart.\ntemplate <class T>\nclass API Cart : public Base {\n};", "Cart",
         "class Cart : public Base", "A cart."),
        ("a.cs", "class A {\n  /// <summary>\n  /// The <c>count</c>.\n  /// </summary>\n  [Obsolete]\n"
         "  public int Count { get; set; }\n}", "Count", "public int Count", "The count."),
        ("a.kt", "/** A cart. */\n@Ann\ndata class Cart(val a: Int) : Base() {\n}", "Cart",
         "data class Cart(val a: Int) : Base()", "A cart."),
        ("a.rb", "# A cart.\n#\n# More.\nclass Cart < Base\n  # Adds.\n  def add(n, *rest)\n  end\nend", "Cart",
         "class Cart < Base", "A cart."),
        ("a.php", "<?php\n/**\n * A cart.\n *\n * More.\n */\n#[Entity]\nfinal class Cart extends Base\n{\n}", "Cart",
         "final class Cart extends Base", "A cart."),
        ("a.swift", "/// A cart.\n/// - note: x\n@objc public final class Cart<T>: Base {\n}", "Cart",
         "public final class Cart<T>: Base", "A cart. - note: x"),
        ("a.swift", "class A {\n  var total: Int {\n    let local = 1\n    return local\n  }\n}", "total",
         "var total: Int", ""),
    ],
)  # fmt: skip
def test_signatures_are_on_one_line_and_comments_above_are_documentation(
    path: str, source: str, name: str, signature: str, doc: str
) -> None:
    [symbol] = [one for one in read(path, source).symbols[1:] if one.name == name]
    assert (symbol.signature, symbol.doc) == (signature, doc)


WITHOUT = """
import sys
from importlib.machinery import PathFinder
from pathlib import Path

class Finder(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name == "tree_sitter_rust" else super().find_spec(name, path, target)

sys.meta_path = [finder for finder in sys.meta_path if finder is not PathFinder] + [Finder]
from bearings.code.facts.store import NoFacts
from bearings.code.project.unread_languages import unread
from bearings.code.index.project_index import Index
snapshot = Index(Path(sys.argv[1]), NoFacts(), 1_000_000).refresh()
print(sorted(snapshot.facts), unread(snapshot.project.paths))
print(*[f"{left.path}: {left.reason}" for left in snapshot.skipped], sep="\\n")
"""


@pytest.mark.slow
def test_files_of_a_language_without_its_grammar_are_skipped_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "a.rs").write_text("fn a() {}")
    (tmp_path / "A.java").write_text("class A {}")
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, str(tmp_path)], check=False, capture_output=True, text=True, timeout=60
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "['A.java'] {'.rs': 1}",
        'a.rs: its language is not installed: pip install ".[languages]" in a checkout',
    ]


def test_a_header_is_read_with_the_grammar_of_cpp() -> None:
    facts = read("a.h", "struct shop { int new_count; };\nclass Cart { int add(); };\n")
    assert [symbol.qualified_name for symbol in facts.symbols[1:]] == ["shop", "shop.new_count", "Cart", "Cart.add"]


def test_the_package_clause_names_the_package() -> None:
    assert [read(path, text).package for path, text in (
        ("A.java", "package a.b;\nclass A {}"), ("a.kt", "package a.b\n\nclass A"), ("a.cs", "namespace A.B { }"),
        ("a.php", "<?php\nnamespace A\\B;"),
    )] == ["a.b", "a.b", "A.B", "A.B"]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted({path for path, _ in SOURCES}))
def test_a_source_truncated_anywhere_gives_facts(path: str) -> None:
    source = next(text for name, text in SOURCES if name == path).encode()
    for cut in range(0, len(source), 7):
        check(parse_file(path, facts_of({path: ""})[path].language, source[:cut]))


@pytest.mark.slow
@given(st.integers(0, 2**32), st.sampled_from(SOURCES))
def test_a_mutated_source_gives_facts(seed: int, case: tuple[str, str]) -> None:
    path, source = case
    chance = random.Random(seed)
    data = bytearray(source.encode())
    for _ in range(chance.randint(1, 20)):
        at = chance.randrange(len(data) + 1)
        match chance.randrange(4):
            case 0:
                del data[at : at + chance.randint(1, 9)]
            case 1:
                data[at:at] = bytes([chance.randrange(256)])
            case 2:
                data[at:at] = chance.choice(
                    [b"{", b"}", b"(", b")", b"/*", b'"', b"`", b"\n", b"::", b"<", b"operator"]
                )
            case _:
                start = chance.randrange(len(data) + 1)
                data[at:at] = data[start : start + chance.randint(1, 60)]
    check(parse_file(path, facts_of({path: ""})[path].language, bytes(data)))


def check(facts: FileFacts) -> None:
    """Assert that facts are consistent and can be resolved."""
    assert len(facts.symbols) == len(facts.shapes)
    assert all(0 <= scope.symbol < len(facts.symbols) for scope in facts.scopes)
    assert all(1 <= symbol.line <= symbol.end_line <= max(1, facts.lines) for symbol in facts.symbols)
    assert all(symbol.qualified_name and "\n" not in symbol.qualified_name for symbol in facts.symbols)
    keys = set(keys_of(facts))
    for edge in resolve({facts.path: facts}, ProjectFiles(frozenset({facts.path}))).edges:
        assert edge.source in {symbol.id for symbol in facts.symbols}
        assert edge.target in keys | {symbol.id for symbol in facts.symbols}


RUST = {
    "src/lib.rs": "mod cart;\npub fn run() { fill(); }\n",
    "src/cart.rs": "pub fn fill() {}\n",
    "src/far.rs": "pub fn other() {}\n",
}


@pytest.mark.parametrize(
    "edit",
    [
        {"src/far.rs": "pub fn fill() {}\n"},
        {"src/cart.rs": "pub fn filled() {}\n"},
        {"src/cart.rs": "pub struct S;\nimpl S { pub fn fill() {} }\n"},
        {"src/new.rs": "pub fn run() {}\npub fn fill() {}\n"},
        {"src/lib.rs": "pub fn run() { other(); }\n"},
        {"src/cart.rs": None},
        {"src/cart.rs": None, "src/cart/mod.rs": "pub fn fill() {}\n"},
    ],
)
def test_an_edit_gives_the_same_uses_as_a_new_resolver(edit: dict[str, str | None]) -> None:
    resolver = Resolver()
    resolver.update(facts_of(RUST), ProjectFiles(frozenset(RUST)))
    files = {path: text for path, text in (RUST | edit).items() if text is not None}
    facts, project = facts_of(files), ProjectFiles(frozenset(files))
    resolver.update(facts, project)
    anew = Resolver()
    anew.update(facts, project)
    assert {path: resolver.uses[path] for path in facts} == {path: anew.uses[path] for path in facts}


def test_a_resolver_resumes_from_another_ones_memory() -> None:
    first = Resolver()
    facts = facts_of(RUST)
    first.update(facts, ProjectFiles(frozenset(RUST)))
    memory = first.memory()
    assert memory is not None
    second = Resolver.resumed(facts, ProjectFiles(frozenset(RUST)), first.uses, lambda: memory)
    changed = facts | facts_of({"src/far.rs": "pub fn fill() {}\n", "src/lib.rs": "pub fn run() { fill(); }\n"})
    assert second.update(changed, ProjectFiles(frozenset(RUST))) & changed.keys() == {"src/far.rs", "src/lib.rs"}
    assert [edge.target for edge in second.uses["src/lib.rs"].edges] == [
        "src/cart.rs\0fill", "src/far.rs\0fill"
    ]  # fmt: skip


def test_a_changed_body_resolves_only_its_own_file() -> None:
    resolver = Resolver()
    facts = facts_of(RUST)
    resolver.update(facts, ProjectFiles(frozenset(RUST)))
    edited = facts | facts_of({"src/cart.rs": "pub fn fill() { let x = 1; }\n"})
    assert resolver.update(edited, ProjectFiles(frozenset(RUST))) & edited.keys() == {"src/cart.rs"}


@pytest.mark.parametrize(
    ("importer", "specifier", "file"),
    [
        ("src/shop/cart.rs", "super::tools::add", "src/shop/tools.rs"),
        ("src/shop/cart/line.rs", "super::super::tools", "src/shop/tools.rs"),
        ("src/shop/cart.rs", "self::line::Line", "src/shop/cart/line.rs"),
        ("src/shop/mod.rs", "cart", "src/shop/cart.rs"),
        ("src/main.rs", "crate::shop::Cart", "src/shop/mod.rs"),
        ("src/shop/cart.rs", "std::io", ""),
    ],
)
def test_rust_paths_lead_to_files(importer: str, specifier: str, file: str):
    imported = SPECS[Language.RUST].module_candidates
    assert imported is not None
    files = {"src/shop/tools.rs", "src/shop/cart/line.rs", "src/shop/cart.rs", "src/shop/mod.rs"} - {importer}
    assert next((path for path in imported(importer, specifier) if path in files), "") == file


@pytest.mark.parametrize(
    "body",
    [
        "void put(String text) { put(" + " + ".join(["text"] * 900) + "); }",
        "void put(Object one) { put(" + "(" * 400 + "one" + ")" * 400 + "); }",
        "".join(f"void put(T{number} one) {{ put(one); put(null); }}" for number in range(1000)),
    ],
    ids=["a long sum", "many parentheses", "many overloads"],
)
def test_large_code_of_java_is_read_whole_and_soon(body):
    pytest.importorskip("tree_sitter_java")
    facts = parse_file("A.java", Language.JAVA, f"class A {{ {body} }}".encode())
    resolver = Resolver()
    resolver.update({"A.java": facts}, ProjectFiles(frozenset({"A.java"}), {}))
    assert facts.sites
    assert not resolver.uses["A.java"].given_up


@pytest.mark.slow
@pytest.mark.parametrize(
    "source",
    [
        "function f() { " + "$x = $x->go();\n" * 500 + "}",
        "$a = new A; $a" + "->f()" * 500 + "; class A { function f(): static {} }",
        "if (" + " && ".join(f"$a{number} instanceof A" for number in range(1500)) + ") { $a1->f(); }",
        "".join(f"trait T{number} {{ use T{number + 1}, T{number + 2}; }}\n" for number in range(600))
        + "(new T0)->f();",
        "/** " + "\n * @param array<array<array<array<array<array<A $x" * 1000 + " */ function f($x) { $x->f(); }",
        "/** @template T */ class P { /** @return P<Q<T, T>> */ function g() {} } "
        "/** @template A\n * @template B */ class Q {} "
        "/** @var P<int> $p */ $p = new P; $p" + "->g()" * 55 + ";",
        "class A { use T { T::a insteadof U; U::a insteadof T; } function b() { $this->a(); } } "
        "trait T { use A { A::a insteadof T; } } trait U { use T { T::a insteadof A; } }",
    ],
    ids=["a variable", "a chain", "many tests", "many traits", "many types", "growing types", "traits of each other"],
)
def test_large_code_of_php_is_read_whole_and_soon(source):
    pytest.importorskip("tree_sitter_php")
    facts = parse_file("A.php", Language.PHP, f"<?php {source}".encode())
    resolver = Resolver()
    resolver.update({"A.php": facts}, ProjectFiles(frozenset({"A.php"}), {}))
    assert facts.sites
    assert not resolver.uses["A.php"].given_up
