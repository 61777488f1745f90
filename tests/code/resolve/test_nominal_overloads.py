"""Which of some overloads a call of Java means: what javac chooses, as its Tree API tells."""

from collections import defaultdict

import pytest

from bearings.code.models import Language, ProjectFiles
from bearings.code.parse import parse_file
from bearings.code.resolve.resolver import resolve

DECLARED = """\
a(int x)
a(long x)
a(Integer x)
a(Object x)
a(int... x)
b(CharSequence c)
b(Object o)
b(String s)
c(Object o)
c(Object... o)
d(Collection<X> c)
d(Iterable<X> c)
d(Map<X, X> c)
e(X x, Object o)
e(Object x, X o)
g(Runnable r)
g(Supplier<X> r)
<T> void h(T t)
h(String t)
<T extends X> void i(T t)
i(Object t)
""".splitlines()
LOCALS = (
    "short s, byte y, Integer boxed, char ch, StringBuilder sb, ArrayList<X> al, Y y2, X[] xs, Map<X, X> m, double dd"
)
CHOICES = (
    ("a(1)", "a(int x)"),
    ("a(1L)", "a(long x)"),
    ("a(s)", "a(int x)"),
    ("a(boxed)", "a(Integer x)"),
    ("a(1.5)", "a(Object x)"),
    ("a(1, 2)", "a(int... x)"),
    ("a()", "a(int... x)"),
    ("a('a' + ch)", "a(int x)"),
    ('a("x")', "a(Object x)"),
    ("b(null)", "b(String s)"),
    ("b(sb)", "b(CharSequence c)"),
    ('b("x" + 1)', "b(String s)"),
    ('b(1 + "x" + ch)', "b(String s)"),
    ("b(this)", "b(Object o)"),
    ("c(null)", "c(Object... o)"),
    ('c("a", "b")', "c(Object... o)"),
    ('c("a")', "c(Object o)"),
    ("d(al)", "d(Collection<X> c)"),
    ("d(m)", "d(Map<X, X> c)"),
    ('e(this, "")', "e(X x, Object o)"),
    ('e("", this)', "e(Object x, X o)"),
    ('h("x")', "h(String t)"),
    ("h(1)", "<T> void h(T t)"),
    ("i(y2)", "<T extends X> void i(T t)"),
    ("i(this)", "<T extends X> void i(T t)"),
    ('i("")', "i(Object t)"),
    ("a(dd > 1 ? 1 : 2L)", "a(long x)"),
    ("a(s + y)", "a(int x)"),
    ("a(xs.length)", "a(int x)"),
    ("a(xs[0].hashCode())", "a(int x)"),
)

UNKNOWN = "b(library.Things.any())"


@pytest.fixture(scope="module")
def chosen() -> dict[str, list[str]]:
    """The overloads to which each call leads."""
    head = ["package a;", "import java.util.*;", "import java.util.function.*;", "class Y extends X {}", "class X {"]
    methods = [each if each.startswith("<") else f"void {each}" for each in DECLARED]
    calls = [f"{call};" for call in (*(call for call, _ in CHOICES), UNKNOWN)]
    lines = [*head, *(f"{each} {{}}" for each in methods), f"void f({LOCALS}) {{", *calls, "} }"]
    facts = {"a/X.java": parse_file("a/X.java", Language.JAVA, "\n".join(lines).encode())}
    found: dict[str, list[str]] = defaultdict(list)
    for edge in resolve(facts, ProjectFiles(frozenset(facts), {})).edges:
        if edge.kind == "call":
            declared = DECLARED[int(edge.target.rpartition(":")[2]) - len(head) - 1]
            found[lines[edge.line - 1].removesuffix(";")].append(declared)
    return found


@pytest.mark.parametrize(("call", "declared"), CHOICES)
def test_the_overload_that_javac_chooses(chosen: dict[str, list[str]], call: str, declared: str) -> None:
    assert chosen[call] == [declared]


def test_an_argument_of_an_unknown_type_chooses_none(chosen: dict[str, list[str]]) -> None:
    assert sorted(chosen[UNKNOWN]) == ["b(CharSequence c)", "b(Object o)", "b(String s)"]
