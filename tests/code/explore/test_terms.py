"""The search terms of a question in words, and the requests in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.code.questions.explore.terms import loosened, terms_of
from bearings.code.search.routes import request_in


@pytest.mark.parametrize(
    ("question", "texts", "left_out"),
    [
        ("retry", ("retr",), ()),
        ("where are payments retried?", ("where are payments retried", "payment", "retr"), ("where", "are")),
        ("maxRetries", ("maxRetries",), ()),
        ('find "connection refused" in code', ("connection refused",), ("find", "in", "code")),
        ('"no such table: a.b", key 22', ("no such table: a.b", "no such table", "key", "22"), ()),
        ("no such table: a.b", ("no such table: a.b", "no such table", "tabl", "a.b"), ("no", "such")),
        ("what does `a.b` do", ("a.b",), ("what", "does", "do")),
        ("AuthService.login", ("AuthService.login", "AuthService", "login"), ()),
        ("which tests", ("which tests", "test"), ("which",)),
        ("is it on", ("is it on", "is", "it", "on"), ()),
        ("--check-status flag", ("--check-status flag", "--check-status", "flag"), ()),
        ("classes", ("class",), ()),
        ("the field called all", ("the field called all", "field", "all"), ("the", "called")),
        ("fix(web): auto-login", ("fix(web): auto-login", "fix(web", "fix", "web", "auto-login", "auto", "login"), ()),
    ],
)
def test_phrases_stay_and_words_lose_their_endings(question: str, texts: tuple[str, ...], left_out: tuple[str, ...]):
    terms = terms_of(question)
    assert (terms.texts, terms.left_out) == (texts, left_out)


def test_quotation_marks_go_where_neither_the_phrase_nor_a_piece_of_it_is_found():
    question = 'first "no such file: a.b" then `b c`'
    assert loosened(question, frozenset()) == question
    assert loosened(question, frozenset(("no such file: a.b", "b c"))) == 'first "no such file: a.b" then  b c '
    assert (
        loosened(question, frozenset(("no such file: a.b", "no such file"))) == "first  no such file: a.b  then `b c`"
    )


@given(st.text(max_size=400))
def test_any_question_has_a_bounded_number_of_terms_none_of_them_empty(question: str):
    terms = terms_of(question)
    assert len(terms.texts) == len(terms.written) <= 24
    assert all(terms.texts)


@pytest.mark.parametrize(
    ("text", "method", "path"),
    [
        ("GET /users/42", "GET", "/users/42"),
        ("https://shop.example/api/users/42?x=1#y", "", "/api/users/42"),
        ("curl -X POST http://localhost:3000/api/users", "POST", "/api/users"),
        ('10.0.0.1 - "DELETE /a%20b HTTP/1.1" 500', "DELETE", "/a b"),
        ("/users/:id", "", "/users/:id"),
        ("http://[broken/users", None, None),
        ("users", None, None),
    ],
)
def test_requests_are_read_as_people_write_them(text: str, method: str | None, path: str | None):
    request = request_in(text)
    assert (request and request.method, request and request.path) == (method, path)
