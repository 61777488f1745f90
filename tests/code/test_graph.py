"""The graph: names, edges both ways, reach and paths, compared with a simple computation on the same edges."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.code.file_facts import FileFacts
from bearings.code.graph.lookup_tables import Tables
from bearings.code.graph.project_graph import Graph
from bearings.code.models import Confidence, Edge, EdgeKind, Language, Resolution, Symbol, SymbolKind
from bearings.code.resolve.file_summary import EncodedSummaries
from bearings.code.resolve.file_uses import FileUses
from bearings.code.symbol_keys import key_of, with_ids
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


@pytest.mark.parametrize("target", ["#secret", "A.#secret", "a.ts#A.#secret:1"])
def test_a_private_method_is_found_by_its_name(target: str) -> None:
    graph = Graph.build(*resolution_of({"a.ts": "class A { #secret() {} }\n"}))
    assert [symbol.id for symbol in graph.find(target)] == ["a.ts#A.#secret:1"]


@pytest.mark.parametrize("target", ["[Symbol.iterator]", "A.[Symbol.iterator]", "a.ts#A.[Symbol.iterator]"])
def test_a_method_that_a_symbol_names_is_found_by_its_name(target: str) -> None:
    graph = Graph.build(*resolution_of({"a.ts": "class A { *[Symbol.iterator]() {} }\n"}))
    assert [(symbol.id, symbol.name) for symbol in graph.find(target)] == [
        ("a.ts#A.[Symbol.iterator]:1", "[Symbol.iterator]")
    ]


@pytest.mark.parametrize(
    ("target", "first"),
    [
        ("AuthServise", "AuthService"),
        ("src/hash.ts#hsh", "hash"),
        ("AUTHSERVICE.LOGIN", "AuthService.login"),
        ("login_thing", None),
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


@given(edges)
def test_every_edge_in_is_an_edge_out(pairs: list[tuple[int, int, EdgeKind]]) -> None:
    graph = graph_of(pairs)
    out = [edge for symbol in graph.symbols for edge in graph.edges_from(symbol)]
    back = [edge for symbol in graph.symbols for edge in graph.edges_to(symbol)]
    assert sorted(map(repr, out)) == sorted(map(repr, back))


def test_a_large_project_is_answered_from_the_bytes_of_its_summaries() -> None:
    facts, resolution = resolution_of(FILES)
    plain = Graph.build(facts, resolution)
    encoded = EncodedSummaries()
    encoded.update(plain.summaries)
    uses = {path: FileUses((), ()) for path in facts}
    for edge in with_ids(resolution.edges, {one.id: key_of(one.file, one.id) for one in plain.symbols.values()}):
        uses[edge.file] = uses[edge.file]._replace(edges=(*uses[edge.file].edges, edge))
    large = Graph(Tables(facts, uses, encoded))
    after = large.after(facts, uses, {"src/hash.ts"}, ())
    for graph in (large, after):
        assert (graph.elements, len(graph.symbols)) == (plain.elements, len(plain.symbols))
        assert dict(graph.names) == dict(plain.names)
        for one in plain.symbols.values():
            assert graph.find(one.name) == plain.find(one.name)
            assert graph.edges_to(one.id) == plain.edges_to(one.id)
            assert graph.importers(one.file) == plain.importers(one.file)
        assert graph.find("AuthServic") == []
