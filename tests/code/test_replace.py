"""coderef_replace: an element's text by its name, indented for its place, with the imports that it needs."""

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.code.index.demand import UnindexedProject
from bearings.code.index.project_index import Index
from bearings.code.models import Language
from bearings.code.parse import parse_file
from bearings.code.project.source_lines import Lines
from bearings.code.project.working_tree import WorkingTree
from bearings.code.questions.replace import Replace, ReplaceReply
from bearings.code.questions.replace.compute import plan
from bearings.code.search.targets import find_element
from bearings.code.search.view import WholeGraph
from bearings.code.syntax_trees import replaced
from bearings.errors import InvalidInput, Unsupported
from bearings.progress import NoProgress
from tests.code.in_process import MemoryFacts
from tests.code.test_rename import ask, contents
from tests.code.trees import write

Files = Mapping[str, str]
MAX = 1_000_000


def replace(root: Path, element: str, text: str, where: str = "element", **arguments: Any) -> ReplaceReply:
    given = {"dry_run": False, **arguments}
    reply: ReplaceReply = ask(root, Replace(element=element, text=text, where=where, **given))  # type: ignore[arg-type]
    return reply


PY = (
    '"""Carts."""\n\nRATE = 1\n\n\n'
    '# What price does.\n@cached\ndef price(x):\n    """Doc."""\n    return x * RATE\n\n\n'
    "class Box:\n    size = 1\n\n    @property\n    def width(self):\n        return self.size\n\n"
    "    def height(self): return 2\n\n\ndef last(x):\n    return price(x)\n"
)
TS = (
    "import { a } from './a';\n\n"
    "/** What price does. */\nexport const price = (x: number): number => {\n  return a(x);\n};\n\n"
    "@Tag()\nexport class Box {\n  size = 1;\n\n  @Input()\n  width(): number {\n    return this.size;\n  }\n}\n\n"
    "export const twice = (x: number) => price(x) + price(x);\n"
)
A = "export function a(x: number) {\n  return x;\n}\n"

REPLACED: Mapping[str, tuple[Files, str, str, str, str, str]] = {
    "a function with its decorators, whose comment stays": (
        {"m.py": PY},
        "m.py#price",
        "element",
        "def price(x):\n    return x\n",
        '@cached\ndef price(x):\n    """Doc."""\n    return x * RATE\n',
        "def price(x):\n    return x\n",
    ),
    "a function with a comment of its own": (
        {"m.py": PY},
        "m.py#price",
        "element",
        "    # Other.\n    def price(x):\n        return x\n\n\n",
        '# What price does.\n@cached\ndef price(x):\n    """Doc."""\n    return x * RATE\n',
        "# Other.\ndef price(x):\n    return x\n",
    ),
    "a method, indented for its class": (
        {"m.py": PY},
        "Box.width",
        "element",
        '@property\ndef width(self):\n    if self.size:\n        return """a\n  b"""\n\n    return 2',
        "    @property\n    def width(self):\n        return self.size\n",
        "    @property\n    def width(self):\n"
        '        if self.size:\n            return """a\n  b"""\n\n        return 2\n',
    ),
    "a body below its docstring": (
        {"m.py": PY},
        "m.py#price",
        "body",
        "y = x\nreturn y * RATE",
        "    return x * RATE\n",
        "    y = x\n    return y * RATE\n",
    ),
    "a body with a docstring": (
        {"m.py": PY},
        "m.py#price",
        "body",
        '"""Other."""\nreturn x',
        '    """Doc."""\n    return x * RATE\n',
        '    """Other."""\n    return x\n',
    ),
    "a body apart from its docstring": (
        {"m.py": 'def f():\n    """Doc."""\n\n    return 1\n'},
        "m.py#f",
        "body",
        "return 2",
        "    return 1\n",
        "    return 2\n",
    ),
    "a body on the line of its head": (
        {"m.py": PY},
        "Box.height",
        "body",
        "return self.size",
        "    def height(self): return 2\n",
        "    def height(self):\n        return self.size\n",
    ),
    "a method whose first line lost its indentation": (
        {"m.py": PY},
        "Box.height",
        "element",
        "def height(self):\n        return 3\n# The end.",
        "    def height(self): return 2\n",
        "    def height(self):\n        return 3\n    # The end.\n",
    ),
    "a method of a class in braces, likewise": (
        {"m.ts": TS, "a.ts": A},
        "Box.width",
        "element",
        "width(): number {\n    return 1;\n  }",
        "  @Input()\n  width(): number {\n    return this.size;\n  }\n",
        "  width(): number {\n    return 1;\n  }\n",
    ),
    "a constant": ({"m.py": PY}, "m.py#RATE", "element", "RATE = 2  # more", "RATE = 1\n", "RATE = 2  # more\n"),
    "a function before another": (
        {"m.py": PY},
        "m.py#price",
        "before",
        "def first(x):\n    return x",
        "# What price does.\n",
        "def first(x):\n    return x\n\n\n# What price does.\n",
    ),
    "a function after the last": (
        {"m.py": PY},
        "m.py#last",
        "after",
        "def helper(x):\n    return x",
        "    return price(x)\n",
        "    return price(x)\n\n\ndef helper(x):\n    return x\n",
    ),
    "a method after another": (
        {"m.py": PY},
        "Box.width",
        "after",
        "def depth(self):\n    return 1",
        "        return self.size\n",
        "        return self.size\n\n    def depth(self):\n        return 1\n",
    ),
    "a constant after another": ({"m.py": "A = 1\nB = 2\n"}, "m.py#A", "after", "C = 3", "A = 1\n", "A = 1\nC = 3\n"),
    "a file without a last newline": (
        {"m.py": "def f():\n    return 1"},
        "m.py#f",
        "after",
        "x = 1",
        "    return 1",
        "    return 1\n\n\nx = 1",
    ),
    "line ends of the file, also in strings": (
        {"m.py": "def f():\r\n    return 1\r\n"},
        "m.py#f",
        "body",
        'x = """a\n"""\nreturn x',
        "    return 1\r\n",
        '    x = """a\r\n"""\r\n    return x\r\n',
    ),
    "an arrow function's block": (
        {"m.ts": TS, "a.ts": A},
        "m.ts#price",
        "body",
        "const t = `a\n  ${a(x)}\n`;\nreturn t.length;",
        "{\n  return a(x);\n}",
        "{\n  const t = `a\n  ${a(x)}\n`;\n  return t.length;\n}",
    ),
    "an arrow function's expression": (
        {"m.ts": TS, "a.ts": A},
        "m.ts#twice",
        "body",
        "2 * price(x)",
        "=> price(x) + price(x);",
        "=> 2 * price(x);",
    ),
    "an expression by statements": (
        {"m.ts": TS, "a.ts": A},
        "m.ts#twice",
        "body",
        "return 2 * price(x);",
        "=> price(x) + price(x);",
        "=> {\n  return 2 * price(x);\n};",
    ),
    "a constant with its semicolon": (
        {"m.ts": TS, "a.ts": A},
        "m.ts#twice",
        "element",
        "export const twice = (x: number) => price(2 * x);",
        "export const twice = (x: number) => price(x) + price(x);\n",
        "export const twice = (x: number) => price(2 * x);\n",
    ),
    "a method with its decorator": (
        {"m.ts": TS, "a.ts": A},
        "Box.width",
        "element",
        "width(): number {\n  return 1;\n}",
        "  @Input()\n  width(): number {\n    return this.size;\n  }\n",
        "  width(): number {\n    return 1;\n  }\n",
    ),
    "a class with its decorator": (
        {"m.ts": TS, "a.ts": A},
        "m.ts#Box",
        "element",
        "export class Box {\n\tsize = 2;\n}",
        TS[TS.index("@Tag") : TS.index("export const twice") - 1],
        "export class Box {\n\tsize = 2;\n}\n",
    ),
    "a field": ({"m.ts": TS, "a.ts": A}, "Box.size", "element", "size = 2;", "  size = 1;\n", "  size = 2;\n"),
    "a class's members": (
        {"m.ts": TS, "a.ts": A},
        "m.ts#Box",
        "body",
        "size = 2;",
        TS[TS.index("  size") : TS.index("}\n\nexport const twice")],
        "  size = 2;\n",
    ),
    "an entry of an object": (
        {"m.js": "const cfg = {\n  port: 1,\n  run() {\n    return 1;\n  },\n};\n"},
        "cfg.run",
        "body",
        "return 2;",
        "    return 1;\n",
        "    return 2;\n",
    ),
    "a function of Go": (
        {"m.go": "package m\n\n// F.\nfunc F() int {\n\treturn 1\n}\n", "go.mod": "module m\n"},
        "m.go#F",
        "element",
        "func F() int {\n\ts := `a\n b`\n\treturn len(s)\n}",
        "func F() int {\n\treturn 1\n}\n",
        "func F() int {\n\ts := `a\n b`\n\treturn len(s)\n}\n",
    ),
    "a field of Go with its comment": (
        {"m.go": "package m\n\ntype T struct {\n\tA int // One.\n\tB int\n}\n", "go.mod": "module m\n"},
        "T.A",
        "element",
        "A string // One.",
        "A int // One.",
        "A string // One.",
    ),
    "a type in a function of Go": (
        {"m.go": "package m\n\nfunc F() {\n\ttype t struct{}\n\t_ = t{}\n}\n", "go.mod": "module m\n"},
        "F.t",
        "element",
        "type t struct {\n\tA int\n}",
        "\ttype t struct{}\n",
        "\ttype t struct {\n\t\tA int\n\t}\n",
    ),
    "a text with spaces in a file with tabs": (
        {"m.py": "class A:\n\tdef f(self):\n\t\treturn 1\n"},
        "A.f",
        "element",
        "def f(self):\n    if self:\n        return g(\n            1)\n    return 2",
        "\tdef f(self):\n\t\treturn 1\n",
        "\tdef f(self):\n\t\tif self:\n\t\t\treturn g(\n\t\t\t\t1)\n\t\treturn 2\n",
    ),
    "a member with a decorator of which nothing is known": (
        {"m.ts": "class A {\n  @Out()\n  f() {}\n}\n"},
        "A.f",
        "element",
        "@Out()\nf() {\n  return 1;\n}",
        "  @Out()\n  f() {}\n",
        "  @Out()\n  f() {\n    return 1;\n  }\n",
    ),
    "a method's body in Go": (
        {"m.go": "package m\n\ntype T struct{}\n\nfunc (t T) M() int { return 1 }\n", "go.mod": "module m\n"},
        "T.M",
        "body",
        "return 2",
        "{ return 1 }",
        "{\n\treturn 2\n}",
    ),
}


@pytest.mark.parametrize("case", REPLACED)
def test_a_text_stands_in_the_place_of_the_element_alone(tmp_path: Path, case: str) -> None:
    files, element, where, text, old, new = REPLACED[case]
    root = write(tmp_path, files)
    path = next(iter(files))
    assert files[path].count(old) == 1
    reply = replace(root, element, text, where)
    assert reply.written, reply.refused
    assert contents(root) == {**files, path: files[path].replace(old, new)}


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    root = write(tmp_path, {"m.py": PY})
    reply = replace(root, "m.py#price", "return 1", "body", dry_run=True)
    assert reply.diff
    assert not reply.written
    assert contents(root) == {"m.py": PY}


@pytest.mark.parametrize(
    ("element", "text", "where", "problem"),
    [
        ("m.py#price", "def price(x:\n    return", "element", "does not parse"),
        ("m.py#price", "   \n", "element", "blank"),
        ("Box.height", "# Nothing.\n", "body", "no code"),
        ("Box.height", "# Nothing.\n", "element", "no code"),
        ("m.py#RATE", "2", "body", "constant"),
        ("m.py", "x = 1", "element", "module"),
        ("m.py#one", "one = 3", "element", "on lines of its own"),
        ("m.py#two", "two = 3", "element", "on lines of its own"),
    ],
)
def test_a_text_that_can_not_stand_there_is_refused(
    tmp_path: Path, element: str, text: str, where: str, problem: str
) -> None:
    root = write(tmp_path, {"m.py": PY + "\none = 1; two = 2\n"})
    with pytest.raises(InvalidInput, match=problem):
        replace(root, element, text, where)


def test_a_text_that_leaves_the_class_of_the_element_is_refused(tmp_path: Path) -> None:
    root = write(tmp_path, {"m.ts": TS, "a.ts": A})
    with pytest.raises(InvalidInput, match="at the top of the file"):
        replace(root, "Box.width", "}\n\nclass Other {\n  width() {}")


def test_the_line_of_a_syntax_error_is_that_of_the_text(tmp_path: Path) -> None:
    root = write(tmp_path, {"m.py": PY})
    with pytest.raises(InvalidInput, match="line 2 of it"):
        replace(root, "m.py#price", "y = 1\nz = = 2\nreturn y", "body")


@pytest.mark.parametrize("name", ["m.vue", "m.rb"])
def test_elements_of_other_languages_are_unsupported(tmp_path: Path, name: str) -> None:
    text = "<script>\nexport function price() {}\n</script>\n" if name == "m.vue" else "def price\n  1\nend\n"
    with pytest.raises(Unsupported):
        replace(write(tmp_path, {name: text}), "price", "x")


USED = {"m.py": "def price(x):\n    return x\n\n\nRATE = 1\n", "use.py": "from m import RATE, price\n\nprice(RATE)\n"}


def test_a_text_that_loses_a_use_is_refused_with_the_place(tmp_path: Path) -> None:
    root = write(tmp_path, USED)
    reply = replace(root, "m.py#price", "def cost(x):\n    return x")
    assert {(row.file, row.line) for row in reply.refused} == {("use.py", 3)}
    assert contents(root) == USED
    reply = replace(root, "m.py#price", "def cost(x):\n    return x", leave_unsure=True)
    assert reply.written
    assert {(row.file, row.line) for row in reply.left} == {("use.py", 3)}


def test_calls_that_no_longer_fit_are_the_callers_own_work(tmp_path: Path) -> None:
    root = write(tmp_path, USED)
    reply = replace(root, "m.py#price", "def price(x, rate):\n    return x * rate")
    assert reply.written
    assert [(row.file, row.line, row.why) for row in reply.left] == [
        ("use.py", 3, "the call may no longer fit: it needs a parameter rate")
    ]
    root = write(tmp_path / "other", USED)
    assert not replace(root, "m.py#price", "def price(x, rate=1):\n    return x * rate").left


def test_a_text_that_swallows_what_follows_is_refused(tmp_path: Path) -> None:
    root = write(tmp_path, {"m.js": "function a() {}\n\nfunction b() {}\n/* */\n"})
    reply = replace(root, "m.js#a", "function a() {}\n/*")
    assert [(row.file, row.line, row.why) for row in reply.refused] == [("m.js", 3, "b would be gone")]


IMPORTED: Mapping[str, tuple[Files, str, str, str, list[str]]] = {
    "as another file imports it": (
        {"m.py": "def f(x):\n    return x\n", "o.py": "from decimal import Decimal\n"},
        "m.py#f",
        "return Decimal(x)",
        "from decimal import Decimal\n\n\n",
        [],
    ),
    "from the one file that declares it": (
        {
            "p/__init__.py": "",
            "p/m.py": "def f(x):\n    return x\n",
            "p/o.py": "from .q import z\n",
            "p/q.py": "z = y = 1\n",
        },
        "p/m.py#f",
        "return y",
        "from .q import y\n\n\n",
        [],
    ),
    "a module and a builtin": (
        {"m.py": "def f(x):\n    return x\n", "o.py": "import numpy as np\n"},
        "m.py#f",
        "return np.array(len(x))",
        "import numpy as np\n\n\n",
        [],
    ),
    "a name and a module": (
        {"m.py": "def f(x):\n    return x\n", "o.py": "import numpy as np\nfrom decimal import Decimal\n"},
        "m.py#f",
        "return np.array(Decimal(x))",
        "from decimal import Decimal\n\nimport numpy as np\n\n\n",
        [],
    ),
    "two ways": (
        {"m.py": "def f(x):\n    return x\n", "o.py": "from a import Q\n", "p.py": "from b import Q\n"},
        "m.py#f",
        "return Q(x)",
        "",
        ["Q is not bound in it: it is imported from a, b"],
    ),
    "no way": (
        {"m.py": "def f(x):\n    return x\n"},
        "m.py#f",
        "return Q(x)",
        "",
        ["Q is not bound in it: no import of it is known"],
    ),
    "a file that imports this one": (
        {"m.py": "def f(x):\n    return x\n", "o.py": "import m\n\n\ndef g():\n    return 1\n"},
        "m.py#f",
        "return g()",
        "",
        ["g is not bound in it: o.py imports this file"],
    ),
    "what is bound": (
        {"m.py": "def f(x):\n    return x\n", "o.py": "def x(): ...\n"},
        "m.py#f",
        "y = x\nreturn y + f(y)",
        "",
        [],
    ),
    "a default export and a type": (
        {
            "m.ts": "export function f(x: number) {\n  return x;\n}\n",
            "lib/g.ts": "export default function g() {}\nexport interface T {\n  a: 1;\n}\n",
            "o.ts": "import g from './lib/g';\nimport type { T } from './lib/g';\n",
        },
        "m.ts#f",
        "const t = {} as T;\nreturn g(t);",
        'import type { T } from "./lib/g";\nimport g from "./lib/g";\n\n',
        [],
    ),
    "a package of Go": (
        {
            "m.go": "package m\n\nfunc F() {\n}\n",
            "n.go": 'package m\n\nimport "fmt"\n\nfunc G() { fmt.Println() }\n',
            "go.mod": "module m\n",
        },
        "m.go#F",
        "fmt.Println()\nG()",
        'import "fmt"\n\n',
        [],
    ),
}


@pytest.mark.parametrize("case", IMPORTED)
def test_names_that_the_text_needs_are_imported_if_there_is_one_way(tmp_path: Path, case: str) -> None:
    files, element, text, line, left = IMPORTED[case]
    root = write(tmp_path, files)
    path = element.partition("#")[0]
    reply = replace(root, element, text, "body")
    assert reply.written, reply.refused
    after = contents(root)[path]
    assert line in after
    assert after.count("import") == line.count("import")
    assert [row.why for row in reply.left] == left


CASES: Mapping[str, tuple[Files, Replace]] = {
    **{name: (row[0], Replace(element=row[1], where=row[2], text=row[3])) for name, row in REPLACED.items()},  # type: ignore[arg-type]
    **{name: (row[0], Replace(element=row[1], where="body", text=row[2])) for name, row in IMPORTED.items()},
    "a lost use": (USED, Replace(element="m.py#price", text="def cost(x):\n    return x")),
    "a call that no longer fits": (USED, Replace(element="m.py#price", text="def price(x, y):\n    return x")),
}


@pytest.mark.parametrize("case", CASES)
def test_a_plan_without_an_index_is_that_of_the_index(tmp_path: Path, case: str) -> None:
    files, question = CASES[case]
    tree, store = WorkingTree(write(tmp_path, files)), MemoryFacts()
    index, demand = Index(tmp_path, store, MAX), UnindexedProject(tree, store, MAX, fewest=0, share=1)
    indexed = WholeGraph(index.refresh(), index, Lines(tree, index.digest, MAX), NoProgress(), MAX)
    snapshot = demand.begin(question, is_fresh=False)
    unindexed = WholeGraph(snapshot, index, Lines(tree, demand.digest, MAX), NoProgress(), MAX, demand.with_sources)
    plans = [plan(view, find_element(view.snapshot, question.element), question) for view in (indexed, unindexed)]
    one, other = [(draft.changes, draft.places, set(draft.refused), set(draft.left)) for draft in plans]
    assert one == other


LITERALS = ['"""', "'''", 'r"""']


@given(
    st.lists(st.sampled_from(["a", "  b", "", "\tc", "    d", "\\\\"]), max_size=5),
    st.sampled_from(LITERALS),
    st.sampled_from(["", "    ", "        "]),
    st.sampled_from(["", "  "]),
)
def test_strings_over_several_lines_keep_their_bytes(lines: list[str], quote: str, shift: str, end: str) -> None:
    literal = quote + "\n".join(lines) + "\n" + end + quote[-3:]
    text = f"{shift}if x:\n{shift}    y = {literal}\n{shift}return y"
    source = b"class A:\n    def f(self, x):\n        pass\n"
    found = replaced(Language.PYTHON, source, 2, "f", "body", text)
    assert found is not None
    span, written = found
    after = source[: span.start] + span.before + written + span.after + source[span.end :]
    assert literal.encode() in after
    assert after.count(b"        if x:\n            y = ") == 1
    assert parse_file("m.py", Language.PYTHON, after).errors == 0


@given(st.lists(st.sampled_from(["a", "  b", "", "${x}", "  ${", "x}", "\\`"]), max_size=4))
def test_templates_keep_their_bytes(lines: list[str]) -> None:
    body = "`" + "\n".join(lines) + "`"
    text = f"const t = {body};\nreturn t;"
    source = b"class A {\n    f(x) {\n    }\n}\n"
    clean = parse_file("m.ts", Language.TYPESCRIPT, b"function f(x) {" + text.encode() + b"}").errors == 0
    found = replaced(Language.TYPESCRIPT, source, 2, "f", "body", text)
    if clean and all("${" not in line or line == "${x}" for line in lines):
        assert found is not None
        assert body.encode() in found[1]


def test_git_applies_a_diff_beside_hidden_characters_and_a_note_names_those_in_it(tmp_path):
    files = {"m.py": "def f():\n    return 1\n\n\nSOFT = 'a\u00adb'\n\n\ndef g():\n    return 'c\u00add'\n"}
    root = write(tmp_path, files)
    diff = replace(root, "m.py#f", "def f():\n    return 2\n", dry_run=True).diff or ""
    assert "SOFT" not in diff
    assert replace(root, "m.py#f", "def f():\n    return 2\n").written
    command = ["git", "apply", "-R", "--unsafe-paths", "--directory", str(root), "-"]
    subprocess.run(command, input=diff.encode(), check=True, cwd=root)
    assert contents(root) == files
    reply = replace(root, "m.py#g", "def g():\n    return 3\n", dry_run=True)
    assert "c\\xadd" in (reply.diff or "")
    assert "git apply refuses" in (reply.note or "")
