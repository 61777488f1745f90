"""Reads requests: those of net/http, of net/http/httptest, and of objects that are called clients."""

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from bearings.code.expressions import Expression, last_name, site_of
from bearings.code.languages.go.locals import plain
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.nodes import first
from bearings.code.languages.shared.requests import HOLE, add_request
from bearings.code.languages.shared.routes import Candidate

_SENDING = {"Get": ("GET", 1), "Head": ("HEAD", 1), "Post": ("POST", 3), "PostForm": ("POST", 2)}
"""The method of each function that sends a request to its first argument, and the number of its arguments."""
_MAKING = {"NewRequest": 0, "NewRequestWithContext": 1}
"""The position of the method in the arguments of each function that makes a request. The URL follows."""
CANDIDATES = frozenset({*_SENDING, *_MAKING})
"""The last part of the callee of every call that may send or make a request."""
_HTTP = "net/http"
_TESTING = "net/http/httptest"
_CLIENT = re.compile(r"(?i)client$")
FORMAT = re.compile(r"%[-+ #0]*\d*(?:\.\d+)?[a-zA-Z]")
"""A verb of a format, https://pkg.go.dev/fmt#hdr-Printing."""
_HOST = re.compile(r"https?://[^/]*")
STRINGS = frozenset({"interpreted_string_literal", "raw_string_literal"})
_OWN = "http://localhost"
"""Stands for the URL of a test's own server."""
_DEEPEST = 5


def go_requests(builder: Builder, candidates: Sequence[Candidate]) -> None:
    """Record the requests among the calls of a file that imports net/http or its package for tests."""
    if any(one.verb in CANDIDATES for one in candidates):
        packages = {entry.local: entry.module for entry in builder.imports}
        if _HTTP in packages.values() or _TESTING in packages.values():
            _Reader(builder, packages).read(candidates)


class _Reader:
    """Reads the requests of one file. `packages` are its imports by their local names."""

    def __init__(self, builder: Builder, packages: dict[str, str]) -> None:
        self._builder = builder
        self._packages = packages
        self._is_test = builder.path.endswith("_test.go") or _TESTING in packages.values()

    def read(self, candidates: Sequence[Candidate]) -> None:
        for one in candidates:
            given = one.arguments()
            at = _MAKING.get(one.verb)
            sent = _SENDING.get(one.verb)
            if at is not None and len(given) > at + 1 and self._package(one) in (_HTTP, _TESTING):
                self._add(one, self._method(given[at]), given[at + 1])
            elif sent is not None and len(given) == sent[1] and self._sends(one):
                self._add(one, sent[0], given[0])

    def _add(self, one: Candidate, method: str, url: Node) -> None:
        text = self._url(url)
        if self._package(one) == _TESTING:  # any host is that of the handler under test
            text = _HOST.sub("", text, count=1)
        add_request(self._builder, method, text, self._builder.line(one.node), one.scope, sure=True)

    def _package(self, one: Candidate) -> str:
        """Return the path of the package whose function is called; empty for a method."""
        return self._packages.get(one.receiver_name, "")

    def _sends(self, one: Candidate) -> bool:
        """Whether a call is of net/http, or of an object that is called a client or comes from `Client()`."""
        if self._package(one):
            return self._package(one) == _HTTP
        return one.receiver is not None and _CLIENT.search(self._name(one.receiver)) is not None

    def _name(self, receiver: Expression) -> str:
        number = site_of(receiver)
        site = self._builder.calls[number] if number >= 0 else None
        return plain(last_name(site.callee if site is not None else receiver))

    def _method(self, node: Node) -> str:
        """Return the method that `"GET"` or `http.MethodGet` names; empty if it isn't known."""
        text = self._builder.text(node)
        if node.type in STRINGS:
            return text[1:-1].upper() or "GET"
        return last_name(text).removeprefix("Method").upper() if ".Method" in text else ""

    def _url(self, node: Node, depth: int = 0) -> str:
        """Return the text of a URL, with HOLE for each expression in it."""
        if node.type in STRINGS:
            return self._builder.text(node)[1:-1]
        if node.type == "selector_expression" and self._is_test and self._builder.text(node).endswith(".URL"):
            return _OWN
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if node.type == "binary_expression" and left is not None and right is not None and depth < _DEEPEST:
            return self._url(left, depth + 1) + self._url(right, depth + 1)
        return self._formatted(node, depth) if node.type == "call_expression" else HOLE

    def _formatted(self, call: Node, depth: int) -> str:
        """Return the text that `fmt.Sprintf` makes of a literal format; HOLE for another call."""
        callee, given = call.child_by_field_name("function"), call.child_by_field_name("arguments")
        name = self._builder.text(callee) if callee is not None else ""
        format_ = first(given)
        package, _, function = name.partition(".")
        if function != "Sprintf" or self._packages.get(package) != "fmt" or given is None or format_ is None:
            return HOLE
        values = iter(given.named_children[1:])
        return FORMAT.sub(lambda _: self._value(values, depth + 1), self._url(format_, _DEEPEST))

    def _value(self, values: Iterator[Node], depth: int) -> str:
        node = next(values, None)
        return self._url(node, depth) if node is not None else HOLE
