"""Answers without an index: the uses of one element are those that the whole project's resolution gives."""

from collections.abc import Collection, Mapping
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.code.facts.store import NoFacts
from bearings.code.file_facts import FileFacts
from bearings.code.graph.demand_graph import DemandGraph
from bearings.code.graph.project_graph import Graph
from bearings.code.index.demand import SearchedSources, UnindexedProject
from bearings.code.models import HEIRS, IMPORTS, Edge, EdgeKind, Outside, ProjectFiles
from bearings.code.project.names import is_manifest
from bearings.code.project.words import Search, Word
from bearings.code.project.working_tree import WorkingTree
from bearings.code.resolve.demand.resolver import DemandResolver, NeedsIndex
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.resolver import resolve
from bearings.code.symbol_keys import with_ids
from tests.code.cases import Case, cases, facts_of
from tests.code.demand import elements
from tests.code.trees import write
from tests.soak import mostly_slow, soak

CALLS = frozenset({EdgeKind.CALL, EdgeKind.NEW, EdgeKind.JSX})


def on_demand(facts: Mapping[str, FileFacts], files: Mapping[str, str], project: ProjectFiles) -> DemandResolver:
    sources = {path: files[path].encode() for path in sorted(facts)}
    return DemandResolver(dict(sorted(facts.items())), project, SearchedSources(sources, share=1))


def project_of(files: Mapping[str, str], facts: Collection[str]) -> ProjectFiles:
    manifests = {path: text.encode() for path, text in files.items() if path not in facts or is_manifest(path)}
    return ProjectFiles(frozenset(files), manifests)


def differing(files: Mapping[str, str]) -> tuple[list[tuple[str, list[Edge], list[Edge]]], int, int]:
    """The elements whose uses differ, with both lists; how many were compared, and how many need an index."""
    facts = facts_of(dict(files))
    project = project_of(files, facts)
    whole: dict[str, list[Edge]] = {}
    for edge in sorted(resolve(facts, project).edges, key=lambda edge: edge.file):
        whole.setdefault(edge.target, []).append(edge)
    found, compared, refused = [], 0, 0
    for symbol, key in elements(facts):
        try:
            edges = on_demand(facts, files, project).edges_to(symbol, key)
        except NeedsIndex:
            refused += 1
            continue
        compared += 1
        edges = with_ids(edges, {key: symbol.id})
        expected = whole.get(symbol.id, [])
        if edges != expected:
            found.append((key, edges, expected))
    return found, compared, refused


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_the_uses_of_every_element_are_those_of_the_whole_project(case: Case) -> None:
    found, _, _ = differing(case.files)
    assert found == []


PROJECTS = {
    "a type behind an alias, alone and in a group": {
        "go.mod": "module shop",
        "cart/cart.go": "package cart\ntype Cart struct{ Size int }",
        "sum/sum.go": 'package sum\nimport c "shop/cart"\ntype (\n\tSum = c.Cart\n)\ntype All = Sum',
        "main.go": 'package main\nimport "shop/sum"\nfunc main() { _ = sum.All{Size: 1}; _ = sum.Sum{} }',
    },
    "types that implement an interface by what they embed": {
        "go.mod": "module shop",
        "api/api.go": "package api\ntype Store interface { Open() error }\ntype Both interface { Store; Close() }",
        "disk/disk.go": "package disk\ntype disk struct{}\nfunc (d *disk) Open() error { return nil }",
        "disk/kinds.go": "package disk\ntype (\n\tFile struct {\n\t\t*disk // opens\n\t}\n\tTape File\n)",
        "net/net.go": 'package net\nimport "shop/disk"\ntype Net struct{ disk.File }\nfunc (n Net) Close() {}',
    },
    "names of other packages, over lines and without a package": {
        "go.mod": "module shop\nreplace old/cart => ./cart",
        "cart/cart.go": "package cart\nvar one, Two,\n\tThree = 1, 2, 3\nfunc Total() Cart { return Cart{} }",
        "cart/kinds.go": "/* none */ package cart\ntype Cart struct{}\nfunc (Cart) Add() Cart { return Cart{} }",
        "a.go": 'package a\nimport . "shop/cart"\nvar x = Two + Three\nfunc f() { run := Total; go1 := run; go1() }',
        "b.go": 'package a\nimport kart "old/cart"\nfunc g() { kart.Total(). // adds\n\t\tAdd().\n\t\tAdd() }',
    },
    "names that a source writes in another way": {
        "a.php": "<?php class A { public $size; static function make() {} function go() { $this->size; } }",
        "b.php": "<?php function run() { A::make(); (new A)->go(); }",
        "a.hpp": "struct Cart { operator bool(); ~Cart(); void add(); };",
        "a.cpp": '#include "a.hpp"\nCart::operator bool() { add(); return true; }\nvoid f(Cart c) { c.add(); Cart(); }',
        "a.rb": "class Kart\n  def full?; save!; end\n  def save!; Kart.new.full?; end\nend",
        "A.java": "class A { void b() { c$b(); b(); A.b(); } void c$b() { } }",
    },
    "modules of languages by declaration": {
        "src/lib.rs": "mod cart;\nuse crate::cart::{\n  total, item::Item,\n};",
        "src/cart/mod.rs": "pub mod item;\npub fn total() {}",
        "src/cart/item.rs": "use super::total;\npub struct Item;",
        "lib/cart.rb": "require_relative 'item'",
        "lib/item.rb": "require 'cart'",
    },
    "a type of a whole module": {
        "old.js": "module.exports = class Old {}",
        "use.js": "/** @param {import('./old')} one */\nexport function use(one) {}",
    },
    "a module without a name": {
        "whole.js": "module.exports = function start() {}",
        "use.js": "module.exports = { begin: require('./whole') }",
        "run.js": "const use = require('./use')\nuse.begin()",
    },
    "constants as properties of objects": {
        "tabs.ts": "export const LIBRARY = 'library'\nexport const SIDES = { left: LIBRARY, deep: { tab: LIBRARY } }",
        "pages.ts": "import { SIDES as S } from './tabs'\nexport const PAGES = { ...S, side: S }\nexport default { S }",
        "use.ts": "import P, { PAGES } from './pages'\nexport const use = () => open(PAGES.left, PAGES.deep.tab)",
        "far.ts": "import { PAGES } from './pages'\nimport P from './pages'\nopen(PAGES.side.left, P.S.left)",
    },
    "names behind stars": {
        "a/index.ts": "export * from './one'\nexport * from './two'\nexport * from './old'",
        "a/one.ts": "export * from './deep'",
        "a/deep.ts": "export function total() {}",
        "a/two.ts": "export const other = 1",
        "a/old.js": "module.exports = require('./older')",
        "a/older.js": "exports.sum = function () {}",
        "use.ts": "import { total, sum } from './a'\ntotal()\nsum()",
        "pkg/__init__.py": "from .parts import *",
        "pkg/parts/__init__.py": "from . import cart\nfrom .cart import *",
        "pkg/parts/cart.py": "def count(): pass",
        "run.py": "from pkg import count, cart\ncount()\ncart.count()",
    },
    "objects of the class of another object": {
        "a.py": "class Order: pass",
        "b.py": "from a import Order\nclass Shop:\n    order: Order",
        "c.py": "from b import Shop\ndef f(shop: Shop):\n    return type(shop.order)(), shop.order.__class__()",
        "d.py": "from b import Shop\ndef g(shop: Shop):\n    return type(shop.order)()",
    },
    "what a call results in": {
        "cart.py": "class Cart:\n    def add(self): pass\n\ndef make():\n    return total\n\ndef total(): pass",
        "use.py": "from cart import Cart, make, total\nc = Cart()\ntype(c)()\nrun = make\nrun()()\ntotal().x()",
        "a.ts": "export function sum() {}\nexport const pick = () => sum",
        "b.ts": "import { sum, pick as p } from './a'\nsum.bind(null)()\nconst q = p\nq()()\np()()",
        "c.ts": "import { sum } from './a'\nconst made = sum()\nmade.run()\nexport const all = [made]",
    },
    "imports of all that match a pattern": {
        "src/i18n.ts": "export const f = async (x) => (await import(`./locale-${x}.ts`)).table()",
        "src/locale-de.ts": "export function table() {}",
        "src/spaced.ts": "export const g = async (x) => (await import (/* a\n b */ `./${x}`)).table()",
        "old/run.js": "export const run = (name) => require(`./${name}`).go()",
        "old/go.js": "exports.go = function () {}",
    },
    "the main module of a package": {
        "package.json": '{"workspaces": ["packages/*"]}',
        "packages/ui/package.json": '{"name": "@x/ui", "main": "src/index.ts"}',
        "packages/ui/src/index.ts": "export default function Button() {}",
        "app/main.ts": "import B from '@x/ui'\nB()",
    },
}


@pytest.mark.parametrize("name", PROJECTS)
def test_users_that_do_not_hold_a_name_are_found(name: str) -> None:
    found, compared, _ = differing(PROJECTS[name])
    assert found == []
    assert compared


def test_users_whose_names_are_not_closed_are_never_all() -> None:
    files = {"a.py": "def total(): pass\n", "b.py": "from a import total\ntotal()\n"}
    facts = facts_of(files)
    sources = SearchedSources({path: text.encode() for path, text in files.items()}, share=0)
    resolver = DemandResolver(facts, project_of(files, facts), sources)
    resolver.begin(60, may_be_part=False)
    resolver.limits.take_part()
    symbol, key = next((symbol, key) for symbol, key in elements(facts) if symbol.name == "total")
    assert [edge.file for edge in resolver.edges_to(symbol, key)] == ["b.py", "b.py"]
    assert resolver.limits.left


def test_users_that_were_found_in_time_are_told_when_it_is_over() -> None:
    files = {"a.py": "def total(): pass\n", "b.py": "from a import total\ntotal()\n"}
    facts = facts_of(files)
    resolver = on_demand(facts, files, project_of(files, facts))
    resolver.begin(60, may_be_part=True)
    resolver.limits.take_part()
    symbol, key = next((symbol, key) for symbol, key in elements(facts) if symbol.name == "total")
    resolver.expect({key: symbol})
    resolver.limits.take_part(0)
    assert [edge.file for edge in resolver.edges_to(symbol, key)] == ["b.py", "b.py"]
    assert resolver.limits.left


class Recording(DemandResolver):
    """Records the files whose uses are resolved, in order."""

    def __init__(self, facts: Mapping[str, FileFacts], project: ProjectFiles, sources: SearchedSources) -> None:
        super().__init__(facts, project, sources)
        self.resolved: list[str] = []

    def uses_of(self, path: str, names: frozenset[str]) -> FileUses:
        self.resolved.append(path)
        return super().uses_of(path, names)


def test_users_beside_an_element_are_resolved_first() -> None:
    use = "from z.total import total\ntotal()\n"
    files = {"a/far.py": use, "z/near.py": use, "z/total.py": "def total(): pass\n"}
    facts = facts_of(files)
    sources = SearchedSources({path: text.encode() for path, text in files.items()}, share=1)
    resolver = Recording(facts, project_of(files, facts), sources)
    symbol, key = next((symbol, key) for symbol, key in elements(facts) if symbol.name == "total")
    assert [edge.file for edge in resolver.edges_to(symbol, key)] == ["a/far.py"] * 2 + ["z/near.py"] * 2
    assert resolver.resolved == ["z/near.py", "z/total.py", "a/far.py"]


class Failing(dict[str, FileFacts]):
    """Facts of files of which one read fails, as where the time of a question is over."""

    left = -1

    def __getitem__(self, path: str) -> FileFacts:
        self.left -= 1
        if self.left == 0:
            raise NeedsIndex("the time is over")
        return super().__getitem__(path)


@pytest.mark.parametrize("case", mostly_slow(20, cases(), soak), ids=lambda case: case.name)
def test_a_question_that_was_given_up_changes_no_later_answer(case: Case) -> None:
    facts = facts_of(dict(case.files))
    project = project_of(case.files, facts)
    sources = SearchedSources({path: case.files[path].encode() for path in sorted(facts)}, share=1)
    differ = []
    for symbol, key in elements(facts):
        with suppress(NeedsIndex):
            expected = on_demand(facts, case.files, project).edges_to(symbol, key)
            for left in (4, 8, 16):
                failing = Failing(sorted(facts.items()))
                resolver = DemandResolver(failing, project, sources)
                failing.left = left
                with suppress(NeedsIndex):
                    resolver.edges_to(symbol, key)
                failing.left = -1
                if resolver.edges_to(symbol, key) != expected:
                    differ.append((symbol.id, left))
    assert differ == []


def calls_differ(files: Mapping[str, str]) -> list[str]:
    """The elements whose calls, heirs or imports, or uses that lead outside, differ without an index."""
    facts = facts_of(dict(files))
    project = project_of(files, facts)
    whole = Graph.build(facts, resolve(facts, project))
    differ = []
    for symbol, _ in elements(facts):
        with suppress(NeedsIndex):
            demanded = DemandGraph(facts, on_demand(facts, files, project), lambda _: (), tuple, lambda _: ())
            for asked in (_calls, _outside, _heirs, _imports):
                with suppress(NeedsIndex):
                    if asked(demanded, symbol.id) != asked(whole, symbol.id):
                        differ.append(f"{asked.__name__} {symbol.id}")
    return differ


def _calls(graph: Graph, symbol_id: str) -> list[Edge]:
    return graph.edges_from(symbol_id, CALLS)


def _heirs(graph: Graph, symbol_id: str) -> list[Edge]:
    return graph.edges_to(symbol_id, HEIRS)


def _imports(graph: Graph, symbol_id: str) -> list[Edge]:
    return graph.edges_from(symbol_id, IMPORTS)


def _outside(graph: Graph, symbol_id: str) -> list[Outside]:
    return list(graph.outside_by_source.get(symbol_id, ()))


@pytest.mark.parametrize("case", mostly_slow(4, cases()), ids=lambda case: case.name)
def test_what_an_element_calls_is_that_of_the_whole_project(case: Case) -> None:
    assert calls_differ(case.files) == []


@pytest.mark.parametrize("name", PROJECTS)
def test_what_an_element_calls_in_other_files_is_found(name: str) -> None:
    assert calls_differ(PROJECTS[name]) == []


_TEXTS = st.text("aB_1 -.é\n", max_size=6)


@given(st.lists(_TEXTS, max_size=4), st.sets(_TEXTS, min_size=1, max_size=3))
def test_the_words_with_a_text_are_those_of_all_words(files, texts):
    sources = SearchedSources({str(number): text.encode() for number, text in enumerate(files)})
    lower = {text.lower() for text in texts}
    assert sources.words_with(lower) == {
        word for word in sources.words() if any(text in word.lower() for text in lower)
    }


def test_a_search_of_texts_reads_no_source_again(tmp_path):
    write(tmp_path, {"a.ts": "export const one = 1\n", "notes.txt": "one\n"})
    snapshot = UnindexedProject(WorkingTree(tmp_path), NoFacts(), 1_000_000, fewest=0).refresh()
    write(tmp_path, {"a.ts": "", "notes.txt": ""})
    found = [file.path for file in Search(snapshot.tree, snapshot.project.paths, [Word("one")]).files()]
    assert found == ["a.ts"]
