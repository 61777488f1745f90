"""Places in the output formats of many programs, read as a path, a name and a line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.code.search.place_formats import Reading, name_of, path_of, readings

part = st.from_regex(r"[a-z][a-z0-9_]{0,7}", fullmatch=True)
extension = st.sampled_from(["py", "ts", "tsx", "go", "js", "mjs"])
paths = st.builds(lambda parts, end: "/".join(parts) + "." + end, st.lists(part, min_size=1, max_size=4), extension)
lines = st.integers(1, 99_999)
columns = st.integers(1, 300)
symbols = st.builds(".".join, st.lists(st.from_regex(r"x[A-Za-z0-9_]{0,7}", fullmatch=True), min_size=1, max_size=3))

PRINTED = {
    "grep": "{path}:{line}:    return 1",
    "grep, a line of context": "{path}-{line}-    return 1",
    "ripgrep": "{path}:{line}:{column}:return 1",
    "an editor": "{path}:{line}:{column}",
    "tsc": "{path}({line},{column}): error TS2322: Type 'a' is not assignable to type 'b'.",
    "tsc, in colours": "{path}:{line}:{column} - error TS2322: Type 'a' is not assignable to type 'b'.",
    "mypy": '{path}:{line}: error: Incompatible return value type (got "int")  [return-value]',
    "pyright": '  /srv/{path}:{line}:{column} - error: "x" is not defined (reportUndefinedVariable)',
    "ruff": "{path}:{line}:{column}: F401 [*] `os` imported but unused",
    "rustc, ruff": "  --> {path}:{line}:{column}",
    "gcc": "{path}:{line}:{column}: error: expected ';' before '}}' token",
    "gcc, an include": "In file included from {path}:{line},",
    "eslint, compact": "{path}: line {line}, col {column}, Error - 'x' is not defined. (no-undef)",
    "eslint, unix": "{path}:{line}:{column}: 'x' is not defined. [Error/no-undef]",
    "pytest": "{path}:{line}: AssertionError",
    "go test": "    {path}:{line}: want 3, got 4",
    "a Go panic": "\t/home/me/{path}:{line} +0x1d",
    "node": "    at {path}:{line}:{column}",
    "node, an async module": "    at async file:///srv/{path}:{line}:{column}",
    "a forge": "https://github.com/me/app/blob/main/{path}#L{line}",
    "a link": "{path}#L{line}-L99999",
    "prose": "see {path}, line {line}",
    "in backticks": "`{path}:{line}`",
    "in a list": "- {path}:{line}",
}  # fmt: skip

NAMED = {
    "Python": '  File "{path}", line {line}, in {name}',
    "node": "    at {name} ({path}:{line}:{column})",
    "node, async": "    at async {name} (/srv/{path}:{line}:{column})",
    "node, a constructor": "    at new {name} ({path}:{line}:{column})",
    "Firefox": "{name}@http://localhost:8080/{path}:{line}:{column}",
}

OF_FILE = {
    "pytest": "{path}::{name}",
    "a parametrised test": "{path}::{name}[a-1.5]",
    "a failure": "FAILED {path}::{name} - AssertionError: no",
    "a colon": "{path}:{name}",
    "a hash": "{path}#{name}",
    "a call": "{path}:{name}()",
    "prose": "{name} in {path}",
    "brackets": "{name} ({path})",
}

NAMES = [
    "{name}", "{name}()", "{name}(a, b=(1, 2))", "`{name}`", '"{name}"', "'{name}'", "@{name}", "*{name}",
    "new {name}(x)", "await {name}()", "def {name}(self, x) -> int:", "class {name}(Base):",
    "async function {name}(x) {{", "export default class {name}", "export const {name} = 3",
    "func {name}(x int) error {{", "interface {name} extends A {{", "self.{name}", "this.{name}", "<{name} />",
    "{name}<T>", "the {name} function", "{name} class", "--- FAIL: {name} (0.00s)", "_______ {name} _______",
    "{name};", "{name},", "({name})",
]  # fmt: skip


@pytest.mark.parametrize("form", PRINTED.values(), ids=PRINTED)
@given(path=paths, line=lines, column=columns)
def test_a_place_is_read_in_every_form(form: str, path: str, line: int, column: int):
    found = readings(form.format(path=path, line=line, column=column))
    assert found[0].path.endswith(path)
    assert found[0].path.removesuffix(path) in ("", "/home/me/", "/srv/")
    assert (found[0].name, found[0].line) == ("", line)


@pytest.mark.parametrize("form", NAMED.values(), ids=NAMED)
@given(path=paths, name=symbols, line=lines, column=columns)
def test_a_stack_frame_has_a_path_a_name_and_a_line(form: str, path: str, name: str, line: int, column: int):
    found = readings(form.format(path=path, name=name, line=line, column=column))[0]
    assert found.path.endswith(path)
    assert (found.name, found.line) == (name, line)


@pytest.mark.parametrize("form", OF_FILE.values(), ids=OF_FILE)
@given(path=paths, name=symbols)
def test_a_name_with_its_file_is_read(form: str, path: str, name: str):
    assert readings(form.format(path=path, name=name.replace(".", "::") if "::" in form else name))[0] == (
        path,
        name,
        0,
    )


@pytest.mark.parametrize("form", NAMES)
@given(name=symbols)
def test_a_name_is_read_without_the_code_around_it(form: str, name: str):
    assert Reading("", name) in readings(form.format(name=name))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Cart::total", "Cart.total"), ("Cart#total", "Cart.total"), ("Cart->total", "Cart.total"),
        ("Cart.prototype.total", "Cart.total"), ("(*Cart).Add", "Cart.Add"), ("func (c *Cart) Add(x int)", "Cart.Add"),
        ("outer.<locals>.inner", "outer.inner"), ("cart?.total()", "cart.total"), ("Map<string, Cart>.get", "Map.get"),
        ("crate::shop::Cart", "crate.shop.Cart"), ("$store", "$store"), ("Überfahrt.buchen", "Überfahrt.buchen"),
        ("open browser", ""), ("", ""), ("<anonymous>", ""), ("<module>", ""), ("3 + 4", ""), ("E   TypeError: no", ""),
        ("GET /users/:id", ""), ("function", "function"),
    ],
)  # fmt: skip
def test_names_of_many_languages_are_normalized(text: str, name: str):
    assert name_of(text) == name


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("./src/a.ts", "src/a.ts"), (".\\src\\a.ts", "src/a.ts"), ("file:///srv/my%20app/a.ts", "/srv/my app/a.ts"),
        ("webpack-internal:///./src/a.ts", "src/a.ts"), ("http://localhost:3000/src/a.ts?t=1", "/src/a.ts"),
        ("https://gitlab.com/me/app/-/blob/main/src/a.ts", "src/a.ts"), ('"src/a.ts"', "src/a.ts"),
        ("C:\\app\\a.ts", "C:/app/a.ts"),
    ],
)  # fmt: skip
def test_paths_of_many_systems_are_normalized(text: str, path: str):
    assert path_of(text) == path


def test_a_diff_names_a_file_with_and_without_its_side():
    assert readings("+++ b/src/a.py")[:2] == [("src/a.py", "", 0), ("b/src/a.py", "", 0)]
    assert readings("diff --git a/src/a.py b/src/a.py")[0] == ("src/a.py", "", 0)


def test_a_traceback_is_read_from_where_the_error_was_raised():
    python = 'Traceback:\n  File "a.py", line 3, in run\n    go()\n  File "b.py", line 9, in go\nE: no'
    assert readings(python) == [("b.py", "go", 9), ("a.py", "run", 3)]
    node = "TypeError: no\n    at go (b.js:9:1)\n    at run (a.js:3:1)"
    assert [reading for reading in readings(node) if reading.name] == [("b.js", "go", 9), ("a.js", "run", 3)]


def test_a_line_with_two_places_is_read_only_if_it_starts_with_one():
    assert not {reading.path for reading in readings("between a.py:3 and b.py:4")} & {"a.py", "b.py"}
    assert readings("a.py:3: see b.py:4")[0] == ("a.py", "", 3)


@given(st.text(max_size=600) | st.text("ab./\\:#()[]<>@'\"`-> 1,\n", max_size=600))
def test_any_text_is_read_without_an_error_and_without_repetition(text: str):
    found = readings(text)
    assert len(found) == len(set(found))
    assert all(reading.path or reading.name for reading in found)
    assert all(reading.path or not reading.line for reading in found)
