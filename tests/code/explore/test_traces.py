"""Places that programs print: every form, and any text at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.code.questions.explore.traces import Place, trace_of
from bearings.code.search.printed_paths import Files

PYTHON = """Traceback (most recent call last):
  File "/srv/app/main.py", line 9, in <module>
    start()
  File "/srv/app/shop/basket.py", line 12, in add
    raise EmptyError("nothing to add")
shop.errors.EmptyError: nothing to add
"""
NODE = """/srv/app/src/cart.ts:3
    throw new Error("no cart");
TypeError: Cannot read properties of undefined (reading 'total')
    at Cart.total (/srv/app/src/cart.ts:12:5)
    at async file:///srv/app/src/main.mjs:4:1
    at node:internal/process/task_queues:95:5
"""
GO = """panic: assignment to entry in nil map

goroutine 1 [running]:
main.(*Store).Put(...)
\t/home/me/shop/store.go:21 +0x1d
main.main()
\t/home/me/shop/main.go:9 +0x25
"""
ESLINT = """/home/me/app/src/cart.ts
   3:10  error  'x' is defined but never used  no-unused-vars
  12:5   warning  Unexpected console statement  no-console
"""
DIFF = """diff --git a/src/cart.ts b/src/cart.ts
--- a/src/cart.ts
+++ b/src/cart.ts
@@ -1,7 +10,8 @@ export class Cart {
 a
@@ -40 +51 @@
"""

FORMS = [
    (PYTHON, [("/srv/app/shop/basket.py", 12, "add"), ("/srv/app/main.py", 9, "<module>")]),
    (
        NODE,
        [
            ("/srv/app/src/cart.ts", 3, ""),
            ("/srv/app/src/cart.ts", 12, "total"),
            ("file:///srv/app/src/main.mjs", 4, ""),
            ("node:internal/process/task_queues", 95, ""),
        ],
    ),
    (GO, [("/home/me/shop/store.go", 21, "Put"), ("/home/me/shop/main.go", 9, "main")]),
    (ESLINT, [("/home/me/app/src/cart.ts", 3, ""), ("/home/me/app/src/cart.ts", 12, "")]),
    (DIFF, [("src/cart.ts", 13, ""), ("src/cart.ts", 51, "")]),
    ("src/cart.ts(12,5): error TS2345: Argument of type", [("src/cart.ts", 12, "")]),
    ("src/cart.ts:12:5 - error TS2345: Argument", [("src/cart.ts", 12, "")]),
    ("shop/basket.py:12: error: Incompatible return value type [return-value]", [("shop/basket.py", 12, "")]),
    ("./store.go:21:3: undefined: entry", [("./store.go", 21, "")]),
    ("  --> src/main.rs:3:5", [("src/main.rs", 3, "")]),
    ("src/cart.ts:12:  return this.total(1);", [("src/cart.ts", 12, "")]),
    ("src/cart.ts\n12:  return 1\n15-  nothing", [("src/cart.ts", 12, ""), ("src/cart.ts", 15, "")]),
    ("FAILED tests/test_cart.py::TestCart::test_add[one] - assert", [("tests/test_cart.py", 0, "TestCart.test_add")]),
    ("tests/test_cart.py:12: AssertionError", [("tests/test_cart.py", 12, "")]),
    ("FAIL src/cart.test.ts > Cart > adds", [("src/cart.test.ts", 0, "")]),
    ("\tat com.shop.Cart.add(Cart.java:12)", [("com/shop/Cart.java", 12, "add")]),
    ("PHP Fatal error: Uncaught in /srv/cart.php on line 12", [("/srv/cart.php", 12, "")]),
    ("cart.rb:12:in 'add'", [("cart.rb", 12, "add")]),
    (r"C:\app\src\cart.ts:12:5", [(r"C:\app\src\cart.ts", 12, "")]),
    ("https://github.com/o/r/blob/main/src/cart.ts#L12-L20", [("//github.com/o/r/blob/main/src/cart.ts", 12, "")]),
    ('see "src/cart.ts", line 12', [("src/cart.ts", 12, "")]),
    ("webpack-internal:///./src/cart.ts:12:5", [("///./src/cart.ts", 12, "")]),
    ("at 10:30:15 I saw it\nat 10:30:15\n#12 parse(3): it fails", []),
    ("nothing of the kind, e.g. 12:30 or http://localhost:3000/a", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "places"), FORMS, ids=range(len(FORMS)))
def test_places_are_read_in_every_form(text: str, places: list[tuple[str, int, str]]):
    assert [tuple(place) for place in trace_of(text).places] == places


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        (PYTHON, "shop.errors.EmptyError", "nothing to add"),
        (NODE, "TypeError", "Cannot read properties of undefined (reading 'total')"),
        (GO, "panic", "assignment to entry in nil map"),
        ("E   ValueError: too short", "ValueError", "too short"),
        ("Error [ERR_X]: gone", "Error", "gone"),
        ("all is well", "", ""),
    ],
)
def test_the_error_and_its_message_are_read(text: str, error: str, message: str):
    assert trace_of(text).errors == (((error, message),) if error else ())


@pytest.mark.parametrize(
    ("text", "tests"),
    [
        ("--- FAIL: TestPut/empty (0.00s)", ("TestPut",)),
        ("FAIL: test_add (tests.test_cart.CartTest.test_add)", ("CartTest.test_add",)),
        ("ERROR: test_add (tests.test_cart)", ("test_add",)),
    ],
)
def test_failed_tests_without_a_file_are_named(text: str, tests: tuple[str, ...]):
    assert trace_of(text).tests == tests


@pytest.mark.slow
@given(st.text(max_size=300), st.from_regex(r"[a-z/.]{1,40}", fullmatch=True), st.integers(1, 10**6))
def test_any_text_is_read_and_a_place_in_it_is_found(text: str, stem: str, line: int):
    path = f"{stem}x.ts"
    assert Place(path, line) in trace_of(f"{path}:{line}: error\n{text}").places


def test_long_lines_and_many_lines_are_bounded():
    assert trace_of("a" * 20_000 + ".ts:1").places == ()
    assert len(trace_of("\n".join(f"a{n}.ts:{n}" for n in range(5000))).places) == 400


FILES = Files(["src/cart.ts", "lib/src/cart.ts", "a/util.py", "b/util.py", "index.js"], "shop")


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("/srv/app/src/cart.ts", ["src/cart.ts"]),
        ("/x/lib/src/cart.ts", ["lib/src/cart.ts"]),
        ("./src/cart.ts?v=1", ["src/cart.ts"]),
        (r"C:\app\a\util.py", ["a/util.py"]),
        ("util.py", ["a/util.py", "b/util.py"]),
        ("../../etc/passwd.py", []),
        ("index.js", ["index.js"]),
        ("/app/index.js", ["index.js"]),
        ("/home/me/shop/index.js", ["index.js"]),
        ("/home/me/elsewhere/index.js", ["index.js"]),
        ("/home/me/shop/lib/index.js", []),
        ("/app/other/index.js", []),
        ("dist/index.js", []),
        ("app/index.js", []),
        ("/app/node_modules/express/index.js", []),
        ("...", []),
        ("", []),
    ],
)
def test_a_path_of_another_machine_means_a_file_of_the_project(path: str, meant: list[str]):
    assert FILES.meant(path)[0] == meant
