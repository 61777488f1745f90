"""Java's types are found through packages, imports and classes: after any edits, the edges equal a clean build's."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bearings.code.file_facts import FileFacts
from bearings.code.models import Language, ProjectFiles
from bearings.code.parse import parse_file
from bearings.code.resolve.memory import Memory
from bearings.code.resolve.resolver import Resolver
from tests.soak import SOAK

FILES = ("a/A.java", "a/B.java", "lib/C.java", "lib/in/D.java", "test/a/A.java")
LINES = (
    "",
    "// nothing",
    "class A<T> { T held() { return null; } B b; void go(T given) { held(); b.go(null); } }",
    "class A extends B { void go() { super.go(null); held().go(); C.make().go(1); } static class C { "
    "static A make() { return null; } } }",
    "class B extends A<C> { void go(C c) { held().run(); this.b.b.go(c); } }",
    "class B { A a; C go(Object any) { a.go(1); return a.c; } C go(C c) { return go((Object) c); } }",
    "public class C { public static C make() { return new C(); } public void run() { make().run(); } int "
    "go(int n) { return n; } }",
    "public interface C { void run(int n); default C make() { take(n -> n.go(), C::make); return this; } }",
    "interface D<T> { void apply(T given); }",
    "interface D<T> { void apply(B given); }",
    "interface D<T> extends E<C> { }",
    "interface E<T> { void run(T given); }",
    "class V { void use(U u) { u.take(a -> a.go()); u.take(a -> a.b.go(null)); } }",
    "interface D<T> { void accept(T given); void apply(T given); }",
    "enum D { ONE { void go() { run(); } }, TWO; void run() { switch (this) { case ONE: go(); } } void "
    "go() { ONE.run(); } }",
    "class U { void take(D<A> d) { take(a -> a.go()); take(a -> { a.b.go(null); }); } }",
    "class U { void use(A a, B b) { a.go(); b.go(null).run(); var c = a.held(); c.run(); for (var e : "
    "all()) e.go(); } A[] all() { return null; } }",
    "class U { A a = new A() { int seen; void go() { make(); seen(); } void seen() { C.ONE.run(); } }; }",
    "record R(A a, C... more) { void go() { a().go(); more[0].run(); } static R make() { return new R(null); } }",
)  # fmt: skip
IMPORTS = ("import a.*;", "import lib.C;", "import static lib.C.make;", "import lib.in.*;", "import static a.A.*;", "")
_packages = st.sampled_from(["package a;", "package lib;", "package lib.in;", ""])
_texts = st.tuples(
    _packages, st.sampled_from(IMPORTS), st.sampled_from(IMPORTS), st.lists(st.sampled_from(LINES), max_size=5)
).map(lambda parts: "\n".join([*parts[:3], *parts[3]]))
_edits = st.tuples(st.sampled_from(FILES), st.none() | _texts)


def _state(tree: dict[str, str], known: dict[str, FileFacts]) -> tuple[dict[str, FileFacts], ProjectFiles]:
    """Facts, the same objects for files that did not change, and the project around them."""
    facts = {}
    for path, text in sorted(tree.items()):
        now = parse_file(path, Language.JAVA, text.encode())
        facts[path] = known[path] if known.get(path) == now else now
    return facts, ProjectFiles(frozenset(facts), {})


def _giving(memory: Memory) -> Callable[[], Memory]:
    return lambda: memory


def test_after_any_edits_the_edges_are_those_of_a_clean_build():
    pytest.importorskip("tree_sitter_java")

    @settings(max_examples=1_000 if SOAK else 60, deadline=None)
    @given(st.lists(st.tuples(_edits, st.booleans()), min_size=2, max_size=14))
    def check(edits):
        tree: dict[str, str] = {}
        facts: dict[str, FileFacts] = {}
        resolver = Resolver()
        for (path, text), resumes in edits:
            if text is None:
                tree.pop(path, None)
            else:
                tree[path] = text
            facts, project = _state(tree, facts)
            resolver.update(facts, project)
            clean = Resolver()
            clean.update(facts, project)
            for file in facts:
                assert resolver.uses[file][:2] == clean.uses[file][:2]
                assert not clean.uses[file].given_up
            memory = resolver.memory()
            if resumes and memory is not None:
                resolver = Resolver.resumed(facts, project, resolver.uses.copy(), _giving(memory))

    check()


AROUND = {
    "a/A.java": "package a; public class A { public void go() {} }",
    "a/B.java": "package a; public class B { public void go() {} }",
    "c/C.java": "package c; public class C { public void go() {} }",
    "d/C.java": "package d; public class C { public void go() {} }",
    "a/D.java": "package a; public interface D<T> { void apply(A given); }",
    "a/G.java": "package a; class G<T extends A> { T got() { return null; } }",
    "a/S.java": "package a; class S extends P { }",
    "a/P.java": "package a; class P { A one; A two() { return one; } }",
    "a/U.java": "package a; import c.*; class U { void take(D<A> d) { } G raw; C c() { return null; } S s; }",
    "a/V.java": "package a; class V { void use(U u) { u.take(x -> x.go()); u.raw.got().go(); u.c().go(); u.s.one.go();"
    " u.s.two().go(); for (var e : u.s.list()) e.go(); } }",
}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a/D.java", "package a; public interface D<T> { void apply(B given); }"),
        ("a/D.java", "package a; public interface D<T> { void other(B given); void apply(A given); }"),
        ("a/D.java", "package z; public interface D<T> { void apply(B given); }"),
        ("a/G.java", "package a; class G<T extends B> { T got() { return null; } }"),
        ("a/U.java", AROUND["a/U.java"].replace("import c.*", "import d.*")),
        ("a/S.java", "package a; class S extends P { B one; }"),
        ("a/S.java", "package a; class S { B one; B two() { return null; } B[] list() { return null; } }"),
        ("a/P.java", "package a; class P { B one; B two() { return one; } }"),
        ("a/P.java", None),
        ("a/C.java", "package a; public class C { public void go() {} }"),
        ("c/C.java", "package d; public class C { public void go() {} }"),
        ("a/B.java", "package a; class E { class A { void go() {} } }"),
    ],
)
def test_an_edit_reaches_files_that_do_not_name_what_it_changes(path, text):
    pytest.importorskip("tree_sitter_java")
    facts, project = _state(AROUND, {})
    resolver, clean = Resolver(), Resolver()
    resolver.update(facts, project)
    edited = {**AROUND, path: text} if text else {name: one for name, one in AROUND.items() if name != path}
    facts, project = _state(edited, facts)
    resolver.update(facts, project)
    clean.update(facts, project)
    assert {file: resolver.uses[file][:2] for file in facts} == {file: clean.uses[file][:2] for file in facts}
