"""CodeRef2: what is written is what is read, and what is wrong is said with its place and its remedy."""

from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.code.notation.model import Block, BlockKind, CodeRef, Meta, RefType, is_name
from bearings.code.notation.parsing import parse, parse_at

SEGMENT = st.text(
    st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="/"), min_size=1, max_size=12
).filter(lambda text: text not in (".", ".."))
PATHS = st.lists(SEGMENT, min_size=1, max_size=4).map("/".join)
NAMES = st.from_regex(r"\A#?[A-Za-z_$é][\w$]{0,8}\Z").filter(is_name)
PARAMETERS = st.sampled_from(["", "()", "(a, b)", "(f: (x: number) => void)", "({a: 1})"])
ELEMENTS = st.tuples(st.lists(NAMES, min_size=1, max_size=3), PARAMETERS).map(lambda pair: ".".join(pair[0]) + pair[1])
KEYS = st.from_regex(r"\A[A-Za-z_][A-Za-z0-9_-]{0,8}\Z")
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=4,
)
PLACES: st.SearchStrategy[dict[str, Any]] = st.one_of(
    st.just({}),
    st.integers(1, 10**6).map(lambda n: {"start": n}),
    st.tuples(st.integers(1, 999), st.integers(0, 99)).map(lambda p: {"start": p[0], "end": p[0] + p[1]}),
    st.tuples(st.sampled_from(BlockKind), st.from_regex(r"\A[\w -]{0,5}\w\Z")).map(lambda p: {"block": Block(*p)}),
)


def refs(values: st.SearchStrategy) -> st.SearchStrategy[CodeRef]:
    metas = st.builds(Meta, KEYS, values, st.just("") | KEYS)
    return st.builds(
        lambda type_, path, element, place, metadata: CodeRef(type_, path, element, metadata=tuple(metadata), **place),
        st.sampled_from(RefType),
        PATHS,
        st.just("") | ELEMENTS,
        PLACES,
        st.lists(metas, max_size=3),
    )


PLAIN = st.one_of(
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    TEXTS,
    st.dates(min_value=date(1000, 1, 1)),
    st.datetimes(min_value=datetime(1000, 1, 1), timezones=st.just(UTC)),
    st.lists(JSON, max_size=3),
)


@pytest.mark.slow
@given(refs(PLAIN | refs(PLAIN)))
def test_what_is_written_is_what_is_read(ref):
    parsed = parse(str(ref))
    assert parsed.ref == ref, parsed.problems
    assert all(problem.severity == "warning" for problem in parsed.problems)


@pytest.mark.slow
@given(refs(PLAIN), TEXTS)
def test_in_other_text_it_ends_where_it_ends(ref, before):
    text = f"{before} {ref}, and more"
    parsed = parse_at(text, len(before) + 1)
    assert (parsed.ref, text[parsed.end :]) == (ref, ", and more")


@pytest.mark.slow
@given(st.text() | st.text('@Fn/a#b:1-{}=,"[]()\\%.'))
def test_any_text_is_read_or_refused_with_a_place_in_it(text):
    for candidate in (text, f"@Fn/{text}", f"@F/a{{{text}"):
        parsed = parse(candidate)
        errors = [problem for problem in parsed.problems if problem.severity == "error"]
        assert (parsed.ref is None) == bool(errors)
        assert all(0 <= problem.offset <= len(candidate) and problem.message for problem in parsed.problems)
        if parsed.ref is not None:
            assert parse(str(parsed.ref)).ref == parsed.ref


@pytest.mark.parametrize(
    ("text", "ref"),
    [
        (
            "@Fn/auth/login#authenticate:24{status=active,security=critical}",
            CodeRef(
                RefType.FUNCTION, "auth/login", "authenticate", 24,
                metadata=(Meta("status", "active"), Meta("security", "critical")),
            ),
        ),
        ("@M/src/lib/auth.ts#AuthService.login:6", CodeRef(RefType.METHOD, "src/lib/auth.ts", "AuthService.login", 6)),
        ("@Fn/a.ts#default", CodeRef(RefType.FUNCTION, "a.ts", "default")),
        ("@M/a.ts#Box.#secret:3-7", CodeRef(RefType.METHOD, "a.ts", "Box.#secret", 3, 7)),
        ("@F/a\\#b\\:c.ts", CodeRef(RefType.FILE, "a#b:c.ts")),
        ("@F/my%20file.ts", CodeRef(RefType.FILE, "my file.ts")),
        ("@Fn/a#f:if{main}", CodeRef(RefType.FUNCTION, "a", "f", block=Block(BlockKind.IF, "main"))),
        ("@F/a{r=@F/b:3}", CodeRef(RefType.FILE, "a", metadata=(Meta("r", CodeRef(RefType.FILE, "b", start=3)),))),
        ("@F/a{ x : y = 1 }", None),
        ("@F/a{on}", CodeRef(RefType.FILE, "a", metadata=(Meta("on"),))),
    ],
)  # fmt: skip
def test_examples(text, ref):
    assert parse(text).ref == ref


@pytest.mark.parametrize(
    ("text", "code", "offset", "suggestion"),
    [
        ("login", "syntax", 0, ""),
        ("@Fn/a more", "syntax", 5, "@Fn/a"),
        ("@Func/a.ts#x:3", "unknown_type", 1, "@Fn/a.ts#x:3"),
        ("@fn/a.ts#x", "unknown_type", 1, "@Fn/a.ts#x"),
        ("@Metod/a.ts#x", "unknown_type", 1, "@M/a.ts#x"),
        ("@Zebra/a", "unknown_type", 1, ""),
        ("@F/app/[id]/page.tsx:3", "bad_path", 7, "@F/app/%5Bid%5D/page.tsx:3"),
        ("@F/a//./b", "bad_path", 3, "@F/a/b"),
        ("@F//", "bad_path", 3, ""),
        ("@F/../etc", "bad_path", 3, ""),
        ("@F/%2e%2e/etc", "bad_path", 3, ""),
        ("@F/a%00", "bad_path", 3, ""),
        ("@F/a%ff", "bad_path", 3, ""),
        ("@Fn/a#3:1", "bad_element", 6, ""),
        ("@Fn/a#f(x:1", "bad_element", 7, ""),
        ("@F/a:0", "bad_line", 5, "@F/a"),
        ("@F/a:x", "bad_line", 5, "@F/a"),
        ("@F/a:3-0", "bad_line", 5, "@F/a"),
        (f"@F/a:{'9' * 99}", "bad_line", 5, "@F/a"),
        ("@F/a:9-3", "bad_range", 5, "@F/a:3-9"),
        ("@F/a:if{ }", "bad_block", 5, ""),
        ("@F/a{", "bad_metadata", 5, "@F/a"),
        ("@F/a{}", "bad_metadata", 5, "@F/a"),
        ("@F/a{x=a b}", "bad_metadata", 9, "@F/a"),
        ("@F/a{x=}", "bad_metadata", 7, "@F/a"),
        ('@F/a{x="open}', "bad_metadata", 7, "@F/a"),
        ("@F/a{x=[NaN]}", "bad_metadata", 7, "@F/a"),
        ("@F/a{x=@Nope/b}", "bad_metadata", 8, "@F/a"),
        ("@F/a{x=1", "bad_metadata", 4, "@F/a"),
        ("@F/a{r=@F/a{r=@F/a{r=@F/a{r=@F/a{r=@F/a}}}}}", "bad_metadata", 35, "@F/a"),
    ],
)
def test_every_error_has_its_place_and_its_remedy(text, code, offset, suggestion):
    parsed = parse(text)
    problem = parsed.problems[-1]
    assert (parsed.ref, problem.severity) == (None, "error")
    assert (problem.code, problem.offset, problem.suggestion) == (code, offset, suggestion)
    if suggestion:
        assert parse(suggestion).ref is not None


@pytest.mark.parametrize(
    ("metadata", "code", "suggestion"),
    [
        ("status=actve", "unknown_status", "@F/a{x,status=active}"),
        ("status=3", "unknown_status", ""),
        ("scope=Public", "unknown_scope", "@F/a{x,scope=public}"),
        ("created=2024-13-01", "bad_date", ""),
        ("expires=soon", "bad_date", ""),
        ("at=2024-02-30T10:00:00", "bad_date", ""),
    ],
)
def test_odd_metadata_is_read_with_a_warning(metadata, code, suggestion):
    parsed = parse(f"@F/a{{x,{metadata}}}")
    assert parsed.ref is not None
    assert [(p.code, p.offset, p.suggestion, p.severity) for p in parsed.problems] == [(code, 7, suggestion, "warning")]


@pytest.mark.parametrize(
    "metadata", ["status=legacy", "scope=internal", "created=2024-02-29", "t=2024-01-31T10:00:00Z"]
)
def test_customary_metadata_raises_no_warning(metadata):
    assert parse(f"@F/a{{{metadata}}}").problems == ()


def test_values_have_their_types():
    text = '@F/a{a=1,b=-2.5,c=true,d="1",e=[1,"x",null],f=2024-01-31,g=1.2.3,h=v1,i=1e3}'
    ref = parse(text).ref
    assert {meta.key: meta.value for meta in ref.metadata} == {
        "a": 1, "b": -2.5, "c": True, "d": "1", "e": [1, "x", None], "f": date(2024, 1, 31), "g": "1.2.3", "h": "v1",
        "i": 1000.0,
    }  # fmt: skip


def test_a_line_can_be_moved():
    assert str(parse("@F/a:3-7").ref.at(13)) == "@F/a:13-17"
    assert str(parse("@F/a").ref.at(2)) == "@F/a:2"
