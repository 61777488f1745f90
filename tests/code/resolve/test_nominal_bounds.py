"""Sources of Java made to take very long: each use is answered or left to a guess by its name, in linear time."""

import pytest

from bearings.code.models import Language, ProjectFiles
from bearings.code.parse import parse_file
from bearings.code.resolve.resolver import resolve


def calls_in(*bodies: str) -> set[tuple[int, str]]:
    """The calls in a file with some classes of a package: the line, and the name of the method called."""
    facts = {"a/A.java": parse_file("a/A.java", Language.JAVA, "\n".join(("package a;", *bodies)).encode())}
    edges = resolve(facts, ProjectFiles(frozenset(facts), {})).edges
    return {(edge.line, edge.target.rpartition("#")[2].partition(":")[0]) for edge in edges if edge.kind == "call"}


@pytest.mark.slow
def test_locals_of_one_name_are_seen_to_the_end_of_their_block() -> None:
    blocks = [f"{{ {'B' if number % 2 else 'A'} x = null; x.only(); }}" for number in range(3_000)]
    uses = ["x.only();"] * 1_000
    found = calls_in(
        "class A { A x; void only() {} void f() {", *blocks, *uses, "} }", "class B extends A { void only() {} }"
    )
    assert (3, "A.only") in found
    assert (4, "B.only") in found
    assert {(3_003 + number, "A.only") for number in range(1_000)} <= found


@pytest.mark.slow
def test_locals_of_one_name_on_one_line() -> None:
    blocks = " ".join(["{ A x = y; x.only(); }"] * 3_000)
    assert calls_in(f"class A {{ void only() {{}} void f(A y) {{ {blocks} }} }}") == {(2, "A.only")}


@pytest.mark.slow
def test_thousands_of_overloads_in_a_class_and_above_it() -> None:
    def overloads(letter: str) -> list[str]:
        return [f"void f(int a, {letter}{n} b) {{ f(1, null); }} class {letter}{n} {{}}" for n in range(2_000)]

    calls_in("class A extends B { void g() { g(); }", *overloads("A"), "}", "class B {", *overloads("C"), "}")


def test_types_that_grow_with_each_member() -> None:
    names = ", ".join(f"T{number}" for number in range(10))
    larger = ", ".join([f"D<{names}>"] * 10)
    steps = ".n()" * 50
    assert calls_in(f"class D<{names}> {{ D<{larger}> n() {{ return this{steps}; }} }}") == {(2, "D.n")}


def test_type_arguments_in_each_other() -> None:
    deep = f"A{'<A' * 800}{'>' * 800}"
    assert calls_in(f"class A<T> {{ {deep} f; void g() {{ f.g(); }} }}") == {(2, "A.g")}


@pytest.mark.slow
def test_a_long_chain_of_classes() -> None:
    chain = [f"class A{n} extends A{n + 1} {{ void f{n}() {{ f{n + 1}(); }} }}" for n in range(3_000)]
    found = calls_in(*chain)
    assert {(2 + n, f"A{n + 1}.f{n + 1}") for n in range(2_999)} <= found
