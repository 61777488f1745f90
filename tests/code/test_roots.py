"""Sites whose words stand for the same are worked out once; sites whose words only look the same are told apart."""

import pytest

from bearings.code.models import Language, ProjectFiles
from bearings.code.parse import parse_file
from bearings.code.resolve.resolver import resolve

TYPESCRIPT = b"""
class A { go() {} run() { this.go(); const f = () => this.go(); f() } static make() { this.go() }
  static go() {} }
class B { go() {} run() { this.go() } }
function one(x: A) { x.go() }
function two(x: B) { x.go(); x.go() }
function three(x: A | string, go: B) { if (x instanceof A) { x.go() } go.go() }
"""
PYTHON = b"""
class A:
    def go(self): self.stop(); self.stop()
    def stop(self): pass
    def again(self): self.stop()
class B:
    def go(self): self.stop()
    def stop(self): pass
def f(x: A): x.go()
def g(x: B): x.go()
"""


@pytest.mark.parametrize(
    ("path", "language", "source", "wanted"),
    [
        (
            "a.ts",
            Language.TYPESCRIPT,
            TYPESCRIPT,
            {("A.run", "A.go:2"), ("A.make", "A.go:3"), ("B.run", "B.go:4"), ("one", "A.go:2"), ("two", "B.go:4")}
            | {("A.run.f", "A.go:2"), ("three", "A.go:2"), ("three", "B.go:4")},
        ),
        (
            "a.py",
            Language.PYTHON,
            PYTHON,
            {("A.go", "A.stop:4"), ("A.again", "A.stop:4"), ("B.go", "B.stop:8"), ("f", "A.go:3"), ("g", "B.go:7")},
        ),
    ],
)
def test_the_same_words_lead_where_their_root_does(path, language, source, wanted) -> None:
    edges = resolve({path: parse_file(path, language, source)}, ProjectFiles(frozenset({path}))).edges
    found = {(e.source.partition("#")[2].partition(":")[0], e.target.partition("#")[2]) for e in edges}
    assert {pair for pair in found if pair[1].partition(":")[0].endswith((".go", ".stop"))} == wanted
