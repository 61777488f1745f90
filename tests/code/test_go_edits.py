"""Go packages share one scope over their files: whatever becomes of a file, the edges are those of a clean build."""

import pytest
from hypothesis import strategies as st

from bearings.code.file_facts import FileFacts
from bearings.code.models import Language, ProjectFiles
from bearings.code.parse import parse_file
from tests.code.edits import check_sequences
from tests.soak import soak

FILES = ("a.go", "b_linux.go", "lib/a.go", "lib/b.go", "lib/b_test.go", "lib/in/c.go")
MANIFESTS = {
    "go.mod": ("", "module m\n", "module other\n", "module m\nreplace x.y/far => ./lib/in\n"),
    "lib/go.mod": ("", "module m/lib\n", "module x.y/lib\n"),
}
NAMES = ("F", "g", "T", "V")
LINES = (
    "",
    "// nothing",
    'import "m/lib"',
    'import . "m/lib"',
    'import x "m/lib/in"',
    'import "x.y/far"',
    'import "x.y/lib"',
    "func F() *T { g(); return new(T) }",
    "func g() { F().M().M(); lib.F().M(); x.F() }",
    "func F() (T, error) { return T{}, nil }",
    "func F() lib.T { return lib.T{} }",
    "type T struct { V; next *T; run func() *T }",
    "type T struct { lib.T }",
    "type T interface { M() T }",
    "type T = lib.T",
    "type I interface { M() T }",
    "type I interface { M() *T; N() }",
    "type J interface { I }",
    "type I interface { J; g() }",
    "func (v V) N() {}",
    "type V struct{}",
    "type V []T",
    "func (t *T) M() *T { t.next.M(); t.run().M(); return t }",
    "func (v V) M() T { for _, t := range v { t.M() }; return v[0] }",
    "func (t T) N() { t.M() }",
    "var g = F()",
    "var V, F = 1, g",
    "func g() { t, err := F(); t.M(); err.Error(); u := t; u.next.M(); V = 2 }",
    "func h(t T, v V) { t.M(); v.M(); t.N(); take(g, F) }",
    "func h() any { return []T{{}, {}}[0].M() }",
    "func g() { r := make(); F(r.Group(`/a`)); lib.F(r.Group(`/b`)); V{}.N(r.Group(`/c`)) }",
    "func g() { r := make(); F(r.Group(lib.P)); lib.F(r.Group(x.P)) }",
    'const P = "/a"',
    'const P = "/b"',
    'import "github.com/gin-gonic/gin"\nfunc F(r *gin.RouterGroup) { r.GET("/v", h); g(r.Group("/in")) }',
    'import "github.com/gin-gonic/gin"\nfunc (v V) N(r *gin.RouterGroup) { r.GET("/v", h) }',
    'type Route struct { M, P string; H any }\nvar V = []Route{{"GET", "/v", h}, {"PUT", "/t", g}}',
    'import "github.com/gorilla/mux"\nfunc h(r *mux.Router) { '
    'for _, x := range V { r.PathPrefix("/a").Subrouter().HandleFunc(x.P, x.H).Methods(x.M) } }',
    'import "net/http"\nfunc g() { http.Get("http://localhost/a/v"); http.Get("http://localhost/b/v") }',
    'import "net/http"\nfunc g() { http.HandleFunc("/v", F); http.Get("http://localhost/v") }',
    'import "net/http"\nfunc g() { http.HandleFunc("/v/w", F); http.Post("/v/w", "", nil) }',
)
_packages = st.sampled_from(["package a", "package lib", "package lib_test", "//go:build windows\n\npackage a"])
_texts = st.tuples(_packages, st.lists(st.sampled_from(LINES), max_size=7)).map(
    lambda pair: "\n".join([pair[0], *pair[1]])
)
_edits = st.one_of(
    st.tuples(st.sampled_from(FILES), st.none() | _texts),
    st.sampled_from([(path, text) for path, texts in MANIFESTS.items() for text in texts]),
)


def _state(tree: dict[str, str], known: dict[str, FileFacts]) -> tuple[dict[str, FileFacts], ProjectFiles]:
    """Facts, the same objects for files that did not change, and the project around them."""
    facts = {}
    for path, text in sorted(tree.items()):
        if path.endswith(".go"):
            now = parse_file(path, Language.GO, text.encode())
            facts[path] = known[path] if known.get(path) == now else now
    manifests = {path: text.encode() for path, text in tree.items() if path.endswith(".mod") and text}
    return facts, ProjectFiles(frozenset(facts) | {"lib/unread.go"}, manifests)


@pytest.mark.slow
@pytest.mark.parametrize("examples", [40, pytest.param(200, marks=soak)])
def test_after_any_edits_the_edges_are_those_of_a_clean_build(examples):
    check_sequences(_edits, {"go.mod": "module m\n"}, _state, examples)
