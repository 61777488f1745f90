"""Routes of different frameworks are compared by their segments."""

import pytest

from bearings.code.catalogue.routes import Wanted

FITTING = [
    ("/users/{id}", "GET", "/users/:id"),
    ("/users/{id}", "GET", "/users/<int:id>"),
    ("/users/{id}", "GET", "/api/v1/users/{user_id}"),
    ("/users/42", "GET", "/users/{id}"),
    ("/api/users/{id}", "POST", "/users/:id"),
    ("GET /users/{id}", "ANY", "/users/[id]"),
    ("GET /users/{id}", "", "/users/{}"),
    ("https://h.org/users/42?full=1", "GET", "/users/{id}"),
    ("/", "GET", "/"),
    ("/{id}", "GET", "/:id"),
]
OTHER = [
    ("/users/{id}", "GET", "/users"),
    ("/users/{id}", "GET", "/posts/:id"),
    ("POST /users/{id}", "GET", "/users/:id"),
    ("/users/{id}", "GET", "/:id"),
    ("/users", "GET", "/"),
    ("https://[/users", "GET", "/users"),
]


@pytest.mark.parametrize(("wanted", "method", "path"), FITTING)
def test_the_same_route_fits(wanted: str, method: str, path: str):
    assert Wanted.of(wanted).fits(method, path)


@pytest.mark.parametrize(("wanted", "method", "path"), OTHER)
def test_another_route_does_not_fit(wanted: str, method: str, path: str):
    assert not Wanted.of(wanted).fits(method, path)
