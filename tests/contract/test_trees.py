"""The two readers of syntax trees, py-tree-sitter and the C module, give the same results for any source."""

import importlib
import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tree_sitter import Node

from bearings.code.languages import language_of
from bearings.code.languages.shared.grammars import capsule, grammar, query_text
from bearings.code.languages.shared.patterns import Item, Shape, shapes
from bearings.code.languages.shared.trees import FlatReader, LibraryReader, Reader, Tree, is_heavy, reader
from bearings.code.models import Language
from tests.code.cases import Case, cases
from tests.soak import mostly_slow, soak

try:
    syntax: Any = importlib.import_module("bearings.code.languages.syntax")
except ImportError:
    syntax = None
UNBOUNDED = 1 << 40
CAPTURES = tuple(
    dict.fromkeys(word[1:] for one in Language for word in query_text(one).replace(")", " ").split() if word[0] == "@")
)

needs_native = pytest.mark.skipif(syntax is None, reason="needs the C module: python packaging/native.py src")


@pytest.fixture(params=[LibraryReader, pytest.param(FlatReader, marks=needs_native)])
def of(request: pytest.FixtureRequest) -> type[LibraryReader] | type[FlatReader]:
    """The class of a reader."""
    given: type[LibraryReader] | type[FlatReader] = request.param
    return given


def read(given: Reader, source: bytes) -> Tree:
    tree = given.parse(source, UNBOUNDED)
    assert tree is not None
    return tree


def found(tree: Tree) -> dict[str, list[tuple[object, ...]]]:
    """All that the captures say, in an order of its own."""
    captures = tree.captures()
    return {name: sorted(described(tree, node) for node in captures.of(name)) for name in CAPTURES}


def described(tree: Tree, node: Node) -> tuple[object, ...]:
    return (
        *node.byte_range,
        node.type,
        node.is_named,
        tree.text(node),
        tree.line(node),
        tree.end_line(node),
        tree.chain(node),
    )


def down(node: Node) -> Iterator[Node]:
    """A node and all that are inside, in the order of the source."""
    yield node
    for child in node.children:
        yield from down(child)


def shown(node: Node) -> tuple[object, ...]:
    """A node's own properties and its neighbours."""
    kin = (node.parent, node.named_child(0) if node.named_child_count else None)
    return (
        node.type, node.is_named, node.byte_range, node.start_byte, node.end_byte, tuple(node.start_point),
        tuple(node.end_point), node.text, node.named_child_count,
        [one and brief(one) for one in kin], *(list(map(brief, many)) for many in (node.children, node.named_children)),
    )  # fmt: skip


def brief(node: Node) -> tuple[object, ...]:
    return node.type, node.byte_range


@cache
def names_of_fields(language: Language) -> tuple[str, ...]:
    found = grammar(language)
    return (*(found.field_name_for_id(number) or "" for number in range(1, found.field_count + 1)), "no_such")


def fields(node: Node, names: tuple[str, ...]) -> dict[str, object]:
    """The first node of each field that is not empty, and all its children in the field."""
    pairs = ((name, node.child_by_field_name(name), node.children_by_field_name(name)) for name in names)
    return {
        name: (first and brief(first), [brief(child) for child in among])
        for name, first, among in pairs
        if first or among
    }


def nodes(tree: Tree) -> Iterator[Node]:
    """All nodes of a tree; none if nothing in it is captured, as no node can be reached then."""
    node = next((found[0] for name in CAPTURES if (found := tree.captures().of(name))), None)
    while node is not None and node.parent is not None:
        node = node.parent
    return down(node) if node is not None else iter(())


SOURCES = {
    Language.PYTHON: b"import os\n@cache\ndef f(a, *b: int):\n    '''D.'''\n    return os.join(a.b, g(x)) or 1\n",
    Language.TYPESCRIPT: b"export class A<T> extends B {\n  x = new Map<string, T>();\n  f(a = 1) { a?.b.c(); }\n}",
    Language.TSX: b"const A = ({b}: P) => <div onClick={b}>{b.c ? <B.C/> : null}</div>;\n",
    Language.JAVASCRIPT: b"app.use = function use(fn) { for (const [a, b] of fn) { a && b || (() => a)(); } }\n",
    Language.GO: b"package a\n\nfunc (s *S) F(x []int) (err error) {\n\tif x := g(); x != nil {\n\t}\n\treturn\n}\n",
}


@pytest.mark.parametrize("language", SOURCES)
def test_a_tree_gives_captures_texts_and_lines(of: type[LibraryReader], language: Language) -> None:
    tree = read(of(language), SOURCES[language])
    functions = tree.captures().of("function")
    assert [tree.text(node) in SOURCES[language].decode() for node in functions] == [True] * len(functions)
    assert functions
    assert tree.errors == 0
    assert tree.captures().of("no such capture") == []


@needs_native
@pytest.mark.parametrize("language", SOURCES)
def test_both_have_the_same_nodes(language: Language) -> None:
    ours, theirs = (read(one(language), SOURCES[language]) for one in (FlatReader, LibraryReader))
    assert [shown(node) for node in nodes(ours)] == [shown(node) for node in nodes(theirs)] != []


def test_a_child_that_is_missing_is_an_error(of: type[LibraryReader] | type[FlatReader]) -> None:
    tree = read(of(Language.PYTHON), b"def f(a, *, b): pass\n")
    (separator,) = [node for node in nodes(tree) if node.type == "keyword_separator"]
    for place, error in ((0, IndexError), (9, IndexError), (-1, ValueError)):
        with pytest.raises(error):
            separator.named_child(place)


@needs_native
@pytest.mark.parametrize(("language", "source"), [(Language.GO, b'/"\no()'), (Language.KOTLIN, b"###package a.b\nx")])
def test_a_missing_node_at_the_start_is_no_capture(language: Language, source: bytes) -> None:
    compare(language, source)


def compare(language: Language, source: bytes) -> None:
    ours, theirs = (read(one(language), source) for one in (FlatReader, LibraryReader))
    assert found(ours) == found(theirs)
    assert ours.errors == theirs.errors
    names = names_of_fields(language)
    for one, other in zip(nodes(ours), nodes(theirs), strict=True):
        assert shown(one) == shown(other)
        assert fields(one, names) == fields(other, names)
    for field in ("", "body", "consequence", "no_such"):
        spans = [
            [sorted(captures.spans(name, field)) for name in CAPTURES]
            for captures in (ours.captures(), theirs.captures())
        ]
        assert spans[0] == spans[1]
    ranked = tuple(name for name in CAPTURES if name[:2] != "m.")
    events = [
        [(start, end, rank, node.type) for start, end, rank, node in zip(*tree.captures().events(ranked), strict=True)]
        for tree in (ours, theirs)
    ]
    assert events[0] == events[1]
    texts = {theirs.text(node) for node in theirs.captures().of("value")[::2]}
    assert sorted(ours.captures().among("value", texts)) == sorted(theirs.captures().among("value", texts))


@needs_native
@pytest.mark.parametrize("case", mostly_slow(4, cases(), soak), ids=lambda case: case.name)
def test_both_find_the_same_in_every_case(case: Case) -> None:
    for path, source in case.files.items():
        if language := language_of(path):
            compare(language, source.encode())


SAMPLES = {
    language: source.encode()
    for case in cases()
    for path, source in case.files.items()
    if (language := language_of(path)) is not None
} | {language: source * 2 for language, source in SOURCES.items()}


@pytest.mark.slow
@needs_native
@given(st.sampled_from(sorted(SAMPLES)), st.randoms(use_true_random=False))
def test_both_find_the_same_in_broken_sources(language: Language, chance: random.Random) -> None:
    source = bytearray(SAMPLES[language])
    for _ in range(chance.randrange(8)):
        at = chance.randrange(len(source))
        source[at : at + chance.randrange(5)] = chance.choice(
            [
                b"",
                b"{",
                b")",
                b'"',
                b"`",
                b"\n",
                b"\r",
                b"\r\n",
                b"(",
                b" => ",
                b"\xff",
                b"\xc3\xa9",
                b" \f\n\n",
                b"a.b(",
            ]
        )
    compare(language, bytes(source))


WORDS = ("a", "b1.", "_$", ".", "new", " ", "\n", "\r", "\t\n", "é", "\x1c", "\xa0", "(", "await")


@needs_native
@given(st.lists(st.sampled_from(WORDS)).map("".join))
def test_both_read_the_same_lines_and_chains(text: str) -> None:
    source = text.encode()
    ours, theirs = (read(one(Language.JAVASCRIPT), source) for one in (FlatReader, LibraryReader))
    places = range(len(source) + 1)
    assert (ours.rows, ours.blank_rows) == (theirs.rows, theirs.blank_rows)
    assert [ours.row(at) for at in places] == [theirs.row(at) for at in places]
    parts = [(start, start + 3) for start in places]
    assert [ours.called(start) for start in places] == [theirs.called(start) for start in places]
    assert [ours.between(*part) for part in parts] == [theirs.between(*part) for part in parts]
    wide = [(start, start + 40) for start in places]
    assert [ours.one_line(*part) for part in wide] == [theirs.one_line(*part) for part in wide]


@pytest.mark.parametrize(
    ("source", "steep"),
    [
        (b"(" * 1100 + b"1" + b")" * 1100, True),
        (b"x = 1" + b" + 1" * 2000, False),  # deep, but not in brackets
        (b"# " + b"(" * 2000, False),  # brackets, but not deep
    ],
)
def test_trees_that_are_nested_too_deep_are_recognized(of: type[LibraryReader], source: bytes, *, steep: bool) -> None:
    assert read(of(Language.PYTHON), source).is_steep(1000) is steep


def test_an_exceeded_budget_does_not_affect_the_next_parse(of: type[LibraryReader]) -> None:
    python = of(Language.PYTHON)
    long = b"f(a.b, c)\n" * 10_000
    assert python.parse(long, 10) is None
    tree = python.parse(long, UNBOUNDED)
    assert tree is not None
    assert len(tree.captures().of("call")) == 10_000


HOSTILE = {
    "operators that recover at every place": (Language.TYPESCRIPT, b"%-" * 200),
    "comments without an end": (Language.GO, b"/*," * 200),
    "strings without an end": (Language.JAVASCRIPT, b'"' * 2_000),
    "letters of two bytes": (Language.JAVASCRIPT, "./*é".encode() * 300),
    "half a letter at the end of each chunk": (Language.PYTHON, b"#" + b"\xc3" * 3_000),
    "a long sum": (Language.PYTHON, b"x = 1" + b" + 1" * 2_000),
    "open brackets": (Language.TSX, b"(" * 4_000),
}


@needs_native
@pytest.mark.parametrize("name", HOSTILE)
def test_both_count_the_same_steps(name: str) -> None:
    language, source = HOSTILE[name]
    ours, theirs = FlatReader(language), LibraryReader(language)
    most = 1
    while theirs.parse(source, most) is None:
        most *= 2
    fewest = most // 2
    while most - fewest > 1:
        middle = (most + fewest) // 2
        fewest, most = (middle, most) if theirs.parse(source, middle) is None else (fewest, middle)
    assert ours.parse(source, most - 1) is None
    assert ours.parse(source, most) is not None


def weight(language: Language, source: bytes) -> int:
    tree = LibraryReader(language).parse(source, UNBOUNDED)
    assert tree is not None
    return tree.weight()


def test_a_deeper_tree_weighs_more() -> None:
    weights = [weight(Language.PYTHON, b"x = 1" + b" + 1" * terms) for terms in (100, 1_000, 2_000)]
    assert weights[0] == 0
    assert weights[2] > 3 * weights[1] > 0
    assert weight(Language.PYTHON, b"x = 1\n" * 4_000) < 100_000


def test_more_nodes_in_an_error_weigh_more() -> None:
    weights = [weight(Language.TYPESCRIPT, b"(" * count) for count in (4_000, 16_000)]
    assert weights[1] > 10 * weights[0] > 0


def test_a_long_chain_is_read_by_either_and_a_longer_one_is_too_heavy_for_the_library(
    of: type[LibraryReader] | type[FlatReader],
) -> None:
    for terms, is_read in ((3_000, True), (30_000, of is FlatReader)):
        tree = read(of(Language.PYTHON), b"x = 1" + b" + 1" * terms)
        assert is_heavy(tree) is not is_read


@pytest.mark.parametrize("source", [b"%-" * 100, b"f(a)\n"])
def test_the_budget_of_a_small_source_is_counted(of: type[LibraryReader], source: bytes) -> None:
    assert of(Language.TYPESCRIPT).parse(source, 0) is None
    assert of(Language.TYPESCRIPT).parse(source, UNBOUNDED) is not None


def test_a_pattern_is_parsed_into_shapes() -> None:
    assert shapes('; a comment\n(a b: [(c) "d"] @e . (_)) @f @g') == (
        Shape(
            "a",
            is_named=True,
            captures=("f", "g"),
            items=(
                Item("b", follows=False, shapes=(Shape("c", True, ("e",)), Shape("d", False, ("e",)))),
                Item("", follows=True, shapes=(Shape("", True),)),
            ),
        ),
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [("(a)* @b", "'*'"), ("(a", "no end"), ("[(a)", "no end"), ("@a", "'@a'"), ('(a) @b (#eq? @b "c")', "'#'")],
)
def test_unsupported_syntax_in_a_pattern_is_an_error(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        shapes(text)


@needs_native
@pytest.mark.parametrize(
    ("text", "said"), [("(no_kind) @a", "no_kind"), ("(call nope: (_)) @a", "nope"), ("_ @a", "a kind")]
)
def test_a_pattern_with_an_unknown_kind_or_field_is_an_error(text: str, said: str) -> None:
    grammar = syntax.Grammar(capsule(Language.PYTHON))
    with pytest.raises(ValueError, match=said):
        syntax.Patterns(grammar, shapes(text))


@needs_native
def test_an_object_that_is_no_node_of_the_tree_is_an_error() -> None:
    one, other = (read(FlatReader(Language.PYTHON), b"f(a)") for _ in range(2))
    node = one.captures().of("call")[0]
    for call in (other.text, other.line, other.end_line, other.chain):
        with pytest.raises(TypeError, match="a node of this tree"):
            call(node)
    assert node != other.captures().of("call")[0]
    assert node == one.captures().of("call")[0]
    assert len({node, one.captures().of("call")[0]}) == 1


@needs_native
@pytest.mark.parametrize("language", Language)
def test_the_c_module_reads_every_language(language: Language) -> None:
    assert type(reader(language)) is FlatReader


def test_the_c_module_uses_only_the_public_api_of_tree_sitter() -> None:
    sources = sorted((Path(__file__).parents[2] / "native").iterdir())
    included = {name for path in sources for name in re.findall(r"#\s*include\s+(\S+)", path.read_text("utf-8"))}
    ours = {f'"{path.name}"' for path in sources}
    standard = {"<Python.h>", "<intrin.h>", "<limits.h>", "<stdbool.h>", "<stdint.h>", "<string.h>"}
    assert included - ours - standard == {"<tree_sitter/api.h>"}
