"""The graph: names, edges both ways, reach and paths, compared with a simple computation on the same edges."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.code.file_facts import FileFacts
from bearings.code.graph.project_graph import Graph
from bearings.code.models import Confidence, Edge, EdgeKind, Language, Resolution, Symbol, SymbolKind
from tests.code.cases import resolution_of

FILES = {
    "src/auth.ts": (
        'import { hash } from "./hash";\n'
        "export class AuthService {\n  login() { return hash(); }\n}\n"
        "export function login() { return new AuthService().login(); }\n"
    ),
    "src/hash.ts": "export function hash() {}\nexport const parse = () => hash();\n",
    "src/other.ts": "export function hash() {}\n",
}


@pytest.fixture
def graph() -> Graph:
    return Graph.build(*resolution_of(FILES))


@pytest.mark.parametrize(
    ("target", "ids"),
    [
        ("AuthService.login", ["src/auth.ts#AuthService.login:3"]),
        ("login", ["src/auth.ts#login:5"]),
        ("AuthService", ["src/auth.ts#AuthService:2"]),
        ("hash", ["src/hash.ts#hash:1", "src/other.ts#hash:1"]),
        ("src/hash.ts#hash", ["src/hash.ts#hash:1"]),
        ("src/hash.ts#hash:1", ["src/hash.ts#hash:1"]),
        ("src/hash.ts#hash:2", []),
        ("./src/hash.ts", ["src/hash.ts"]),
        ("src/auth.ts#login", ["src/auth.ts#login:5"]),
        ("src/auth.ts#AuthService.login:3", ["src/auth.ts#AuthService.login:3"]),
        ("nothing", []),
        ("", []),
        ("#", []),
        ("src/hash.ts#", []),
    ],
)
def test_a_target_is_found_by_each_spelling(graph: Graph, target: str, ids: list[str]) -> None:
    assert [symbol.id for symbol in graph.find(target)] == ids


@pytest.mark.parametrize(
    ("target", "first"),
    [
        ("AuthServise", "AuthService"),
        ("src/hash.ts#hsh", "hash"),
        ("AUTHSERVICE.LOGIN", "AuthService.login"),
        ("zzzzzz", None),
    ],
)
def test_a_misspelt_target_is_suggested(graph: Graph, target: str, first: str | None) -> None:
    assert next(iter(graph.suggest(target, 3)), None) == first


def test_edges_are_there_both_ways(graph: Graph) -> None:
    here = "src/auth.ts#AuthService.login:3"
    assert [edge.target for edge in graph.edges_from(here)] == ["src/hash.ts#hash:1"]
    assert [edge.source for edge in graph.edges_to(here, {EdgeKind.CALL})] == ["src/auth.ts#login:5"]
    assert graph.edges_to(here, {EdgeKind.IMPORT}) == []
    assert graph.edges_from("nothing") == []


def test_reach_gives_each_symbol_once_with_its_depth(graph: Graph) -> None:
    calls = {EdgeKind.CALL, EdgeKind.NEW}
    forward = graph.reach("src/auth.ts#login:5", calls, max_depth=5)
    assert [(depth, edge.target) for depth, edge in forward] == [
        (1, "src/auth.ts#AuthService.login:3"),
        (1, "src/auth.ts#AuthService:2"),
        (2, "src/hash.ts#hash:1"),
    ]
    backward = graph.reach("src/hash.ts#hash:1", calls, forward=False, max_depth=1)
    assert {edge.source for _, edge in backward} == {"src/auth.ts#AuthService.login:3", "src/hash.ts#parse:2"}
    assert graph.reach("src/hash.ts#hash:1", calls, max_depth=0) == []


def test_a_path_is_a_chain_from_source_to_target(graph: Graph) -> None:
    chain = graph.path("src/auth.ts#login:5", "src/hash.ts#hash:1", {EdgeKind.CALL})
    assert chain is not None
    assert [edge.target for edge in chain] == ["src/auth.ts#AuthService.login:3", "src/hash.ts#hash:1"]
    assert graph.path("src/auth.ts#login:5", "src/hash.ts#hash:1", {EdgeKind.CALL}, max_depth=1) is None
    assert graph.path("src/hash.ts#hash:1", "src/auth.ts#login:5") is None
    assert graph.path("src/hash.ts#hash:1", "src/hash.ts#hash:1") == []


def test_symbols_of_one_name_have_their_own_edges() -> None:
    files = {"a.py": "def f(): pass\ndef f(): f()\n", "b.py": "from a import f\nf()\n"}
    graph = Graph.build(*resolution_of(files))
    assert [edge.file for edge in graph.edges_to("a.py#f:2")] == ["a.py", "b.py", "b.py"]
    assert graph.edges_to("a.py#f:1") == []
    assert {edge.target for edge in graph.edges_from("b.py")} == {"a.py#f:2"}


def test_a_pass_over_all_rows_gives_what_lookups_give(graph: Graph) -> None:
    ids = list(graph.symbols)
    assert list(graph.symbols.items()) == [(id_, graph.symbols[id_]) for id_ in ids]
    assert list(graph.symbols.values()) == [graph.symbols[id_] for id_ in ids]
    assert [(edge.source, target, edge.line) for edge, target in graph.links()] == [
        (edge.source, edge.target, edge.line) for edge in graph.resolution.edges
    ]


def test_counts(graph: Graph) -> None:
    assert graph.by_kind()[SymbolKind.MODULE] == 3
    assert graph.edges_by_kind() == {EdgeKind.IMPORT: 2, EdgeKind.CALL: 3, EdgeKind.NEW: 1}


edges = st.lists(
    st.tuples(st.integers(0, 7), st.integers(0, 7), st.sampled_from([EdgeKind.CALL, EdgeKind.NEW])), max_size=30
)


def graph_of(pairs: list[tuple[int, int, EdgeKind]]) -> Graph:
    symbols = tuple(Symbol("a.py", f"f{n}", SymbolKind.FUNCTION, n + 1, n + 1) for n in range(7))
    module = Symbol("a.py", "a", SymbolKind.MODULE, 1, 9)
    facts = {"a.py": FileFacts("a.py", Language.PYTHON, 9, (module, *symbols))}
    made = [
        Edge(f"a.py#f{source}:{source + 1}", f"a.py#f{target}:{target + 1}", kind, "a.py", 1, Confidence.EXACT, "")
        for source, target, kind in pairs
    ]
    return Graph.build(facts, Resolution(tuple(made), ()))


@given(edges, st.integers(0, 6), st.integers(1, 10))
def test_reach_agrees_with_a_plain_closure(pairs: list[tuple[int, int, EdgeKind]], start: int, depth: int) -> None:
    graph = graph_of(pairs)
    closure, frontier = {start}, {start}
    for _ in range(depth):
        frontier = {b for a, b, kind in pairs if a in frontier and kind is EdgeKind.CALL and b < 7 and a < 7} - closure
        closure |= frontier
    found = graph.reach(f"a.py#f{start}:{start + 1}", {EdgeKind.CALL}, max_depth=depth)
    assert sorted(edge.target for _, edge in found) == sorted(f"a.py#f{n}:{n + 1}" for n in closure - {start})
    assert [d for d, _ in found] == sorted(d for d, _ in found)


@given(edges)
def test_every_edge_in_is_an_edge_out(pairs: list[tuple[int, int, EdgeKind]]) -> None:
    graph = graph_of(pairs)
    out = [edge for symbol in graph.symbols for edge in graph.edges_from(symbol)]
    back = [edge for symbol in graph.symbols for edge in graph.edges_to(symbol)]
    assert sorted(map(repr, out)) == sorted(map(repr, back))
    assert sum(graph.edges_by_kind().values()) == len(out)


@given(edges, st.integers(0, 6), st.integers(0, 6))
def test_a_path_is_connected_and_as_short_as_reach_says(pairs: list[tuple[int, int, EdgeKind]], a: int, b: int) -> None:
    graph = graph_of(pairs)
    source, target = f"a.py#f{a}:{a + 1}", f"a.py#f{b}:{b + 1}"
    chain = graph.path(source, target)
    depths = {edge.target: depth for depth, edge in graph.reach(source)}
    if a == b:
        assert chain == []
    elif chain is None:
        assert target not in depths
    else:
        assert len(chain) == depths[target]
        assert (chain[0].source, chain[-1].target) == (source, target)
        assert all(one.target == two.source for one, two in pairwise(chain))


def test_words_of_a_name_find_it(graph: Graph) -> None:
    named = {symbol.name for symbol in graph.containing("a", 3)}
    assert named == set()  # too short to tell anything
    every = [
        symbol for symbol in graph.symbols.values() if symbol.kind is not SymbolKind.MODULE and len(symbol.name) > 3
    ]
    for symbol in every:
        found = graph.containing(symbol.name[1:].upper(), 50)
        assert symbol in found
        assert [len(one.name) for one in found if one.exported] == sorted(
            len(one.name) for one in found if one.exported
        )
