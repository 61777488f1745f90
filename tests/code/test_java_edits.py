"""Java's types are found through packages, imports and classes: after any edits, the edges equal a clean build's."""

import pytest
from hypothesis import strategies as st

from bearings.code.models import Language
from tests.code.edits import check_any_edits, check_edit

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


@pytest.mark.slow
def test_after_any_edits_the_edges_are_those_of_a_clean_build():
    pytest.importorskip("tree_sitter_java")
    check_any_edits(FILES, _texts, Language.JAVA)


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
    check_edit(AROUND, path, text, Language.JAVA)
