"""C#'s classes have parts in several files, and files share imports: after any edits, edges equal a clean build's."""

import pytest
from hypothesis import strategies as st

from bearings.code.models import Language
from tests.code.edits import check_any_edits, check_edit

FILES = ("a/A.cs", "a/A.Part.cs", "lib/C.cs", "lib/in/D.cs", "test/a/A.cs")
LINES = (
    "",
    "partial class A<T> { T Held() => default; B b; void Go(T given) { Held(); b.Go(null); Far().Run(); } }",
    "partial class A<T> : B { void Go() { base.Go(null); Held(); Own.Make().Go(); } class Own { "
    "public static C Make() => null; } }",
    "partial class B { A<C> a; C Go(object any) { a.Go(null); a.Own(); return a.Far(); } }",
    "partial class B { C Go(C c, int n = 1) { return Go((object)c); } void Go(params C[] all) { Go(all); } }",
    "public class C { public static C Make() => new C(); public C Go() { Make().Run(); this.Under(); return this; } }",
    "public interface C { void Run(int n); C Under(); }",
    "static class E { public static C Far<T>(this A<T> it) => null; public static void Own(this B it, int n = 1) { } }",
    "static class E { public static void Run(this C it) { } internal static C Far(this object it) => null; }",
    "static class E { public static C Under(this C it) => it.Far().Go(); public static C Help() => Help().Go(); }",
    "delegate C Step(C given);",
    "delegate A<C> Step(B given);",
    "record R(C Left, Step Do) { void Go() { Left.Run(); Do(null).Go(null); Take(x => x.Go(null)); Take(Own); } "
    "void Take(Step step) { } C Own(C c) => c; }",
    "class U { async void Go(B b) { var c = b.Go(null); c.Run(); if (b is A<C> { b: var d } e) { e.Held(); d.Go(e); } "
    "foreach (var x in new[] { Help() }) x.Go(); Name.Help(); N.C.Make(); } }",
)  # fmt: skip
IMPORTS = (
    "using a;", "using N;", "global using N;", "global using lib.In;", "using static N.E;", "global using static a.E;",
    "using Name = N.E;", "global using Name = lib.In.C;", "using N = lib.In;", "",
)  # fmt: skip
NAMESPACES = (
    "namespace a;",
    "namespace N;",
    "namespace lib.In;",
    "namespace N { class C { } }",
    "namespace x { } namespace N {",
    "",
)
_texts = st.tuples(
    st.sampled_from(IMPORTS), st.sampled_from(IMPORTS), st.sampled_from(NAMESPACES), st.lists(st.sampled_from(LINES))
).map(lambda parts: "\n".join([*parts[:3], *parts[3][:5], "}" if parts[2].endswith("N {") else ""]))


@pytest.mark.slow
def test_after_any_edits_the_edges_are_those_of_a_clean_build():
    pytest.importorskip("tree_sitter_c_sharp")
    check_any_edits(FILES, _texts, Language.CSHARP)


AROUND = {
    "a/A.cs": "namespace a; public partial class A { void Go() { Own().Run(); } }",
    "a/A.Part.cs": "namespace a; public partial class A { B Own() => null; }",
    "a/B.cs": "namespace a; public class B { public void Run() { } }",
    "a/E.cs": "namespace lib; public static class E { public static a.B Far(this a.A it) => null; }",
    "a/U.cs": "namespace u; class U { void Use(A a) { a.Far().Run(); Near.Help().Run(); } }",
    "a/C.cs": "namespace a; public class C { public void Run() { } }",
    "a/D.cs": "namespace a; public delegate void Step(B given);",
    "a/S.cs": "namespace a; public class S { public static void Take(Step step) { } public I Own; }",
    "a/I.cs": "namespace a; public class I { public B this[int n] => null; }",
    "a/T.cs": "namespace x { } namespace a { public class T { public void Run() { } } }",
    "a/V.cs": "namespace u; class V { void Use(S s, T t) { S.Take(x => x.Run()); s.Own[0].Run(); t.Run(); } }",
    "Global.cs": "global using a; global using lib;",
    "n/Near.cs": "namespace lib; public static class Near { public static B Help() => null; }",
}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("Global.cs", "global using a;"),
        ("Global.cs", None),
        ("Other.cs", "global using Near = a.B;"),
        ("a/A.Part.cs", "namespace a; public class A { B Own() => null; }"),
        ("a/A.Part.cs", "namespace a; public partial class A { C Own() => null; }"),
        ("a/More.cs", "namespace a; public partial class A { a.B Far() => null; }"),
        ("a/E.cs", "namespace far; public static class E { public static a.B Far(this a.A it) => null; }"),
        ("a/E.cs", "namespace lib; public static class E { public static a.B Far(this string it) => null; }"),
        ("a/E2.cs", "namespace u; public static class E { public static int Far(this a.A it) => 1; }"),
        ("a/B.cs", "namespace a { namespace b { public class B { public void Run() { } } } }"),
        ("u/B.cs", "namespace x { } namespace a { public partial class A { void Far() { } } }"),
        ("a/D.cs", "namespace a; public delegate void Step(C given);"),
        ("a/I.cs", AROUND["a/I.cs"].replace("B this", "C this")),
        ("a/T.cs", AROUND["a/T.cs"].replace("namespace a {", "namespace b {")),
        ("u/B.cs", "namespace u; public class A { public void Far() { } }"),
    ],
)  # fmt: skip
def test_an_edit_reaches_files_that_do_not_name_what_it_changes(path, text):
    pytest.importorskip("tree_sitter_c_sharp")
    check_edit(AROUND, path, text, Language.CSHARP)
