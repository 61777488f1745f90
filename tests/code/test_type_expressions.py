"""Tests of type expressions: how each language's types are read, their stored form, and the names in them."""

from collections.abc import Iterable

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bearings.code.models import Language
from bearings.code.parse import parse_file
from bearings.code.type_expressions import (
    ArrayType,
    ChannelType,
    ConditionalType,
    FunctionType,
    Hole,
    ImportType,
    IndexedType,
    IntersectionType,
    LiteralType,
    MapType,
    ObjectType,
    OtherType,
    OwnType,
    PointerType,
    RestType,
    TupleType,
    TypedMember,
    TypedParameter,
    TypeExpression,
    TypePredicate,
    TypeQuery,
    TypeReference,
    UnionType,
    inner_types,
    type_names,
    type_queries,
    type_words,
    union,
)

TYPESCRIPT = [
    ("string", "string"),
    ("a.b.C", "a.b.C"),
    ("a\n  .b\n  .C", "a.b.C"),
    ("Map<string, A[]>", TypeReference("Map", ("string", ArrayType("A")))),
    ("A | B | null", UnionType(("A", "B"))),
    ("A | undefined", "A"),
    ("| A", "A"),
    ("A & B", IntersectionType(("A", "B"))),
    ("readonly A[]", ArrayType("A")),
    ("(A)", "A"),
    ("[a: A, ...b: B[], c?: C]", TupleType(("A", RestType(ArrayType("B")), "C"))),
    (
        "(a: A, ...b: B[]) => C",
        FunctionType((TypedParameter("a", "A"), TypedParameter("b", ArrayType("B"), True)), "C"),
    ),
    (
        "<T extends L>(this: S, a: T) => void",
        FunctionType((TypedParameter("a", "T"),), "void", ("T",), limits=("L",), receiver="S"),
    ),
    ("new (a: A) => B", FunctionType((TypedParameter("a", "A"),), "B", (), True)),
    ("typeof a.b", TypeQuery("a.b")),
    ('A["key"]', IndexedType("A", "key")),
    ("A[0]", IndexedType("A", 0)),
    ("A[number]", IndexedType("A", None, "number")),
    ("keyof A", OtherType(("A",))),
    ("'text'", LiteralType(('"text"',))),
    ("""'a' | "b" | null | 2 | true""", LiteralType(('"a"', '"b"', "2", "true"))),
    ("'a' | A", UnionType((LiteralType(('"a"',)), "A"))),
    ("A<'a'>", TypeReference("A", (LiteralType(('"a"',)),))),
    ("A extends B ? C : D", ConditionalType("A", "B", "C", "D")),
    ('import("./m").N.T', ImportType("./m", ("N", "T"))),
    ('typeof import("./m")', ImportType("./m", is_value=True)),
]
PYTHON = [
    ("int", "int"),
    ("a.B", "a.B"),
    ("'later.Class'", "later.Class"),
    ("list['A']", TypeReference("list", ("A",))),
    ("Optional[A]", "A"),
    ("Union[A, 'B', None]", UnionType(("A", "B"))),
    ("A | None", "A"),
    ("'dict[str, A | B]'", TypeReference("dict", ("str", UnionType(("A", "B"))))),
    ("Callable[[A], B]", TypeReference("Callable", (TupleType(("A",)), "B"))),
    ("tuple[A, ...]", TypeReference("tuple", ("A", "..."))),
    ("Literal['A']", TypeReference("Literal", ())),
    ("Annotated[A, Depends(get)]", TypeReference("Annotated", ("A", OtherType(("Depends", OtherType(("get",))))))),
    ("'not a ) type'", OtherType()),
]
GO = [
    ("T", "T"),
    ("*pkg.T", PointerType("pkg.T")),
    ("[]T", ArrayType("T")),
    ("[4]T", ArrayType("T", "4")),
    ("map[string]*T", MapType("string", PointerType("T"))),
    ("<-chan T", ChannelType("T")),
    ("pkg.G[A, []B]", TypeReference("pkg.G", ("A", ArrayType("B")))),
    (
        "func(a, b A, c ...B) (x C, err error)",
        FunctionType(
            (TypedParameter("a", "A"), TypedParameter("b", "A"), TypedParameter("c", "B", True)),
            TupleType(("C", "error")),
        ),
    ),
    ("struct{ A; b *B }", ObjectType((TypedMember("A", "A"), TypedMember("b", PointerType("B"))))),
    ("interface{ M() A }", ObjectType((TypedMember("M", FunctionType((), "A")),))),
    ("interface{}", "any"),
    ("(T)", "T"),
]


def variable(language: Language, path: str, source: str) -> TypeExpression | None:
    """The type of the first symbol of a source."""
    return parse_file(path, language, source.encode()).shapes[1].type


@pytest.mark.parametrize(("text", "type_"), TYPESCRIPT, ids=[text for text, _ in TYPESCRIPT])
def test_a_type_of_typescript(text: str, type_: TypeExpression):
    assert variable(Language.TYPESCRIPT, "a.ts", f"declare const x: {text};") == type_


@pytest.mark.parametrize(("text", "type_"), PYTHON, ids=[text for text, _ in PYTHON])
def test_an_annotation_of_python(text: str, type_: TypeExpression):
    assert variable(Language.PYTHON, "a.py", f"x: {text} = 1\n") == type_


@pytest.mark.parametrize(("text", "type_"), GO, ids=[text for text, _ in GO])
def test_a_type_of_go(text: str, type_: TypeExpression):
    assert variable(Language.GO, "a.go", f"package a\n\nvar x {text}\n") == type_


def test_an_object_type_has_members_and_a_key():
    source = "declare const x: { readonly a?: A; b(c: C): B; get d(): D; [k: string]: E };\n"
    found = variable(Language.TYPESCRIPT, "a.ts", source)
    again = variable(Language.TYPESCRIPT, "b.ts", source.replace("; ", ";\n  "))
    assert isinstance(found, ObjectType)
    assert [member.name for member in found.members] == ["a", "b", "d", "[]"]
    assert found.members[1].type == FunctionType((TypedParameter("c", "C"),), "B")
    assert isinstance(again, ObjectType)
    assert found.key == again.key


def test_a_predicate_is_the_result_of_a_function():
    facts = parse_file("a.ts", Language.TYPESCRIPT, b"function f(a: A, b: B): asserts b is C { throw 1 }")
    head = facts.shapes[1].head
    assert head is not None
    assert head.result == TypePredicate("b", "C")


def test_a_head_tells_how_a_function_is_called():
    source = "export async function f<T>({ a, b }: P = {}, c: (d: D) => E = g, ...rest: T[]): Promise<T> { }"
    head = parse_file("a.ts", Language.TYPESCRIPT, source.encode()).shapes[1].head
    assert head == FunctionType(
        (
            TypedParameter("", "P"),
            TypedParameter("c", FunctionType((TypedParameter("d", "D"),), "E")),
            TypedParameter("rest", ArrayType("T"), rest=True),
        ),
        TypeReference("Promise", ("T",)),
        ("T",),
    )


@given(st.text(alphabet="aB<>[](){}|&=:;,.?'\" ", max_size=60))
def test_any_text_is_read_as_a_type(text: str):
    for language, path, source in (
        (Language.TYPESCRIPT, "a.ts", f"let x: {text};"),
        (Language.JAVASCRIPT, "a.js", f"/** @type {{{text}}} */\nlet x = f();"),
        (Language.PYTHON, "a.py", f"x: {text} = 1\ny: {text!r} = 1\n"),
        (Language.GO, "a.go", f"package a\n\nvar x {text}\n"),
    ):
        facts = parse_file(path, language, source.encode())
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(facts), type=type(facts)) == facts


@pytest.mark.parametrize(
    ("language", "path", "source"),
    [
        (Language.TYPESCRIPT, "a.ts", "declare const x: " + " | ".join(f"A{n}" for n in range(900)) + ";"),
        (Language.TYPESCRIPT, "a.ts", "declare const x: " + "A<" * 800 + "B" + ">" * 800 + ";"),
        (Language.PYTHON, "a.py", "x: " + "A[" * 600 + "B" + "]" * 600 + " = 1\n"),
        (Language.PYTHON, "a.py", "x: '" + "A[" * 600 + "B" + "]" * 600 + "' = 1\n"),
        (Language.GO, "a.go", "package a\n\nvar x " + "[]" * 2_000 + "B\n"),
    ],
    ids=["a long union", "deep arguments", "deep arguments in Python", "deep arguments in a string", "deep slices"],
)
def test_a_type_of_any_size_is_read(language: Language, path: str, source: str):
    facts = parse_file(path, language, source.encode())
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(facts), type=type(facts)) == facts


NAMES = st.sampled_from(["A", "pkg.B", "string", "T"])
LEAVES: st.SearchStrategy[TypeExpression] = (
    NAMES | st.builds(TypeQuery, NAMES) | st.builds(OwnType, st.booleans()) | st.just(Hole()) | st.just(OtherType())
)


def made_of(inner: "st.SearchStrategy[TypeExpression]") -> "st.SearchStrategy[TypeExpression]":
    """Types with others in them."""
    several = st.lists(inner, max_size=3).map(tuple)
    parameters = st.lists(st.builds(TypedParameter, NAMES, inner | st.none(), st.booleans()), max_size=2).map(tuple)
    members = st.lists(st.builds(TypedMember, NAMES, inner | st.none()), max_size=2).map(tuple)
    return (
        st.builds(TypeReference, NAMES, several)
        | st.builds(UnionType, several)
        | st.builds(IntersectionType, several)
        | st.builds(ArrayType, inner)
        | st.builds(TupleType, several)
        | st.builds(RestType, inner)
        | st.builds(FunctionType, parameters, inner | st.none())
        | st.builds(ObjectType, members, st.integers(0, 9))
        | st.builds(IndexedType, inner, NAMES | st.integers(0, 3) | st.none(), inner | st.none())
        | st.builds(ImportType, NAMES, st.lists(NAMES).map(tuple), several)
        | st.builds(TypePredicate, NAMES, inner)
        | st.builds(ConditionalType, inner, inner, inner, inner)
        | st.builds(OtherType, several)
        | st.builds(MapType, inner, inner)
        | st.builds(PointerType, inner)
        | st.builds(ChannelType, inner)
    )


TYPES: st.SearchStrategy[TypeExpression] = st.recursive(LEAVES, made_of, max_leaves=12)


class Stored(msgspec.Struct, array_like=True):
    """A row with a type."""

    type: TypeExpression | None


@given(TYPES | st.none())
def test_a_type_is_stored_and_read_again(type_: TypeExpression | None):
    again = msgspec.msgpack.decode(msgspec.msgpack.encode(Stored(type_)), type=Stored)
    assert again == Stored(type_)
    assert hash(again.type) == hash(type_)


def words(names: Iterable[str]) -> set[str]:
    """The parts of names with dots."""
    return {word for name in names for word in name.split(".")}


@given(TYPES)
@example(IndexedType(TypeQuery("A"), "A"))
def test_names_are_those_of_the_type_and_of_all_types_in_it(type_: TypeExpression):
    found = {*type_names(type_), *type_queries(type_)}
    assert words(found) <= words(type_words(type_))  # `(typeof A)["key"]` names A.key, by its words A and key
    if not isinstance(type_, str):
        for inner in inner_types(type_):
            assert set(type_names(inner)) <= set(type_names(type_))


@pytest.mark.slow
@given(st.lists(TYPES, min_size=1, max_size=5))
@example([UnionType(("null",))])
@example([UnionType((UnionType(("a", "null")), "a"))])
def test_a_union_is_flat_and_has_no_absent_parts(parts: list[TypeExpression]):
    found = union([*parts, "null"])
    if isinstance(found, UnionType):
        assert "null" not in found.parts
        assert len(set(found.parts)) == len(found.parts)
        assert not any(isinstance(part, UnionType) for part in found.parts)
