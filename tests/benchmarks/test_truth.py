"""The scorer and the generators of truth: what is found, missed, wrong, silent, and what compilers' words become."""

import contextlib
import json
import os
import shutil
import sys
from typing import Any

import pytest
from benchmarks.truth import pyright, report, scored
from benchmarks.truth.compilers import read, typescript
from benchmarks.truth.graphs import kept, same, state
from benchmarks.truth.misses import listing
from benchmarks.truth.packages import DEV, HOLDOUT, PACKAGES
from benchmarks.truth.processes import Failed, run
from benchmarks.truth.scip import documents, fields
from benchmarks.truth.score import Ratio, Truth, judge, score
from benchmarks.truth.settle import settle
from hypothesis import given
from hypothesis import strategies as st


def call(
    caller: str, callee: str, kind: str = "FunctionDeclaration", via: str = "call", file: str = "a.ts"
) -> dict[str, Any]:
    return {
        "caller_file": file,
        "caller_name": caller,
        "caller_line": 1,
        "callee_file": "b.ts",
        "callee_name": callee,
        "callee_line": 1,
        "kind": kind,
        "site_line": 2,
        "site_col": 0,
        "via": via,
        "member": False,
    }


def graph(*edges: tuple[str, str, str], types: dict[str, str] | None = None) -> dict[str, Any]:
    """Edges between "file#name" ids; a bare file is its module."""
    ids = {end for source, target, _ in edges for end in (source, target)}
    nodes = []
    for number, key in enumerate(sorted(ids)):
        file, _, name = key.partition("#")
        kind = (types or {}).get(key, "function" if name else "module")
        nodes.append(
            {"id": key, "type": kind, "name": name or file, "qualified_name": name, "file": file, "line": number}
        )
    return {"nodes": nodes, "edges": [{"source": s, "target": t, "type": kind, "line": 2} for s, t, kind in edges]}


DEFS = [{"file": "a.ts", "name": "f", "line": 1}, {"file": "b.ts", "name": "g", "line": 1}]


@pytest.mark.parametrize(
    ("calls", "edges", "hit", "wanted", "found"),
    [
        ([call("f", "g")], [("a.ts#f", "b.ts#g", "call")], 1, 1, 1),
        ([call("f", "g")], [("a.ts#f", "b.ts#h", "call")], 0, 1, 1),
        ([call("<module>", "g")], [("a.ts", "b.ts#g", "call")], 1, 1, 1),
        ([call("f", "g"), call("f", "g")], [("a.ts#f", "b.ts#g", "call")], 1, 1, 1),
        ([call("f", "g", "Parameter")], [("a.ts#f", "b.ts#g", "call")], 0, 0, 0),
        ([call("f", "g", "Parameter"), call("f", "g")], [("a.ts#f", "b.ts#g", "call")], 1, 1, 1),
        ([call("f", "g")], [("a.ts#f", "b.ts#g", "import")], 0, 1, 0),
        ([call("f", "g")], [("elsewhere.ts#f", "b.ts#g", "call")], 0, 1, 0),
    ],
)
def test_an_edge_counts_once_and_only_where_the_compiler_looked(calls, edges, hit, wanted, found):
    assert score(Truth(calls, DEFS, []), graph(*edges)).calls == Ratio(hit, wanted, found)


def test_the_other_declarations_of_a_member_of_a_union_are_neither_right_nor_wrong():
    truth = Truth([{**call("f", "g"), "also": [["c.ts", "Other.g"]]}], DEFS, [])
    assert score(truth, graph(("a.ts#f", "c.ts#g", "call"))).calls == Ratio(0, 1, 0)
    assert score(truth, graph(("a.ts#f", "b.ts#g", "call"), ("a.ts#f", "c.ts#h", "call"))).calls == Ratio(1, 1, 2)


def test_a_constructor_is_called_by_its_class_name():
    types = {"b.ts#Box.constructor": "constructor"}
    edges = graph(("a.ts#f", "b.ts#Box.constructor", "new"), types=types)
    scored = score(Truth([call("f", "Box", "ClassDeclaration", "new")], DEFS, []), edges)
    assert scored.calls == Ratio(1, 1, 1)
    assert scored.by_kind["new"] == Ratio(1, 1, 1)


def test_tests_as_callers_can_be_left_out():
    truth = Truth(
        [call("f", "g"), call("t", "g", file="a.test.ts")], [*DEFS, {"file": "a.test.ts", "name": "t", "line": 1}], []
    )
    found = graph(("a.ts#f", "b.ts#g", "call"))
    assert score(truth, found).calls == Ratio(1, 2, 1)
    assert score(truth, found, tests=False).calls == Ratio(1, 1, 1)


def test_silence_is_a_function_that_the_compiler_sees_called_and_the_graph_does_not():
    truth = Truth([call("f", "g"), call("f2", "g"), call("f", "h")], DEFS, [])
    assert score(truth, graph(("a.ts#f", "b.ts#g", "call"))).silent == Ratio(1, 2, 0)


def test_imports_are_pairs_of_files_and_definitions_pairs_of_file_and_name():
    imports: list[dict[str, Any]] = [
        {"from": "a.ts", "to": "b.ts"},
        {"from": "a.ts", "to": None},
        {"from": "a.ts", "to": "a.ts"},
    ]
    edges = graph(("a.ts", "b.ts", "import"), ("a.ts", "c.ts", "export"), ("a.ts#f", "b.ts#x", "call"))
    scored = score(Truth([], DEFS, imports), edges)
    assert scored.imports == Ratio(1, 1, 2)
    assert scored.definitions.hit == 1


def test_a_second_judge_settles_what_the_compiler_leaves_open_and_the_rest_does_not_count():
    imports: list[dict[str, Any]] = [
        {"from": "a.py", "to": None, "line": 2, "settled": ["b.py"]},
        {"from": "c.py", "to": None, "line": 2, "settled": []},
        {"from": "d.py", "to": None, "line": 2},
    ]
    edges = graph(("a.py", "b.py", "import"), ("c.py", "b.py", "import"), ("d.py", "b.py", "import"))
    scored = score(Truth([], [], imports), edges)
    assert (scored.imports, scored.judged_imports) == (Ratio(0, 0, 3), Ratio(1, 0, 2))


@pytest.mark.slow
def test_jedi_says_where_a_submodule_and_a_name_that_is_handed_on_come_from(tmp_path):
    root = tmp_path / "project"
    (root / "pkg").mkdir(parents=True)
    (root / "pkg" / "__init__.py").write_text("from .deep import made\n", encoding="utf-8")
    (root / "pkg" / "deep.py").write_text("made = 1\n", encoding="utf-8")
    (root / "a.py").write_text("import json\nfrom pkg import deep, made, none\n", encoding="utf-8")
    rows = pyright.truth(root, index(a=[], **{"pkg/__init__": [], "pkg/deep": []}))["imports"]
    settle(root, rows, {"a.py", "pkg/__init__.py", "pkg/deep.py"}, python=sys.executable)
    said = {row["spec"]: row.get("settled") for row in rows}
    assert said.pop("pkg:none") == ["pkg/__init__.py"]
    assert said.pop("pkg:deep") == ["pkg/__init__.py", "pkg/deep.py"]
    assert said.pop("pkg:made") == ["pkg/__init__.py", "pkg/deep.py"]
    assert said == {"json": None, ".deep:made": ["pkg/deep.py"]}


def test_what_is_wrong_and_what_is_missed_is_told_apart():
    judged = judge(Truth([call("f", "g")], DEFS, []), graph(("a.ts#f", "b.ts#h", "call")))
    assert judged.missed == {("a.ts", "f", "b.ts", "g")}
    assert judged.wrong == {("a.ts", "f", "b.ts", "h")}


@pytest.mark.slow
def test_our_graph_is_made_once_by_each_state_of_the_code(tmp_path):
    root = tmp_path / "project"
    root.mkdir()
    (root / "a.py").write_text("def f(): f()\n", encoding="utf-8")
    (root / "bearings.py").write_text("", encoding="utf-8")  # what the project calls as our parts stays its own
    assert len(kept(root)["edges"]) == 1
    (root / "a.py").write_text("def f(): f(); g()\ndef g(): pass\n", encoding="utf-8")
    assert len(kept(root)["edges"]) == 1
    file = tmp_path / "graph-bearings.json"
    file.write_text(json.dumps({**json.loads(file.read_bytes()), "code": "older"}), encoding="utf-8")
    assert len(kept(root)["edges"]) == 2


def test_misses_of_the_holdout_set_stay_unread():
    with pytest.raises(ValueError, match="holdout"):
        listing(next(package for package in PACKAGES if package.set == HOLDOUT))


def test_both_sets_hold_what_was_promised():
    sizes = {
        (kind, python): sum(p.set == kind and p.python is python for p in PACKAGES)
        for kind in (DEV, HOLDOUT)
        for python in (False, True)
    }
    assert sizes[DEV, False] >= 4
    assert sizes[DEV, True] >= 8
    assert sizes[HOLDOUT, False] >= 5
    assert sizes[HOLDOUT, True] >= 4


def test_tables_keep_what_was_measured_before():
    package = PACKAGES[0]
    line = report.Line(
        package, "bearings", score(Truth([call("f", "g")], DEFS, []), graph(("a.ts#f", "b.ts#g", "call")))
    )
    assert package.label in report.tables([line])
    first = report.with_history("", report.history("2026-01-01", "abc", [line]))
    second = report.with_history(first, report.history("2026-01-02", "def", [line]))
    assert [row.split(" | ")[1] for row in second.splitlines()[4:]] == ["abc", "def"]
    assert report.with_history(second, report.history("2026-01-02", "def", [line])) == second


def test_a_row_that_cannot_be_made_is_named_with_the_reason_and_the_others_are_made(tmp_path):
    truth, edges = Truth([call("f", "g")], DEFS, []), graph(("a.ts#f", "b.ts#g", "call"))
    first, second = PACKAGES[:2]

    def told(package):
        if package is first:
            run(tmp_path, "sleep", "600", limit_s=0.01)
        return truth, tmp_path

    def fails(root):
        run(root, "sh", "-c", "echo secret; exit 3")

    found = list(scored([first, second], told, {"ours": lambda root: edges, "theirs": fails}))
    too_long = report.Missing(first, report.EVERY_GRAPH, "sleep took longer than 0.01 s")
    failed = report.Missing(second, "theirs", "sh exited with 3")
    assert found == [too_long, report.Line(second, "ours", score(truth, edges)), failed]
    page = report.left_out([too_long, failed])
    assert "- zod, every graph: sleep took longer than 0.01 s\n- rxjs, theirs: sh exited with 3\n" in page
    assert report.left_out([]) == "Every package has a row of every graph.\n"


def test_a_command_gets_what_it_is_given_and_its_failure_says_what_it_printed(tmp_path):
    assert run(tmp_path, "cat", given="häuser") == "häuser"
    with pytest.raises(Failed, match=r"sh exited with 3:\nonce\ntwice"):
        run(tmp_path, "sh", "-c", "echo once; echo twice >&2; exit 3")


def test_what_a_command_leaves_running_ends_with_it(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    run(tmp_path, "sh", "-c", 'exec 3> "$0"; echo here >&3; sleep 600 &', str(pipe))
    os.set_blocking(reader, True)
    assert (os.read(reader, 9), os.read(reader, 9)) == (b"here\n", b"")  # its end: nobody holds the other side
    os.close(reader)


def test_a_run_is_of_one_state_of_the_code(tmp_path):
    source = tmp_path / "a.py"
    source.write_text("one = 1\n", encoding="utf-8")
    before = state(tmp_path)
    same(before, tmp_path)
    source.write_text("one = 2\n", encoding="utf-8")
    with pytest.raises(RuntimeError, match="changed during the run"):
        same(before, tmp_path)


def varint(number: int) -> bytes:
    more, low = divmod(number, 128)
    return bytes([low | 128]) + varint(more) if more else bytes([low])


def packed(number: int, value: int | bytes) -> bytes:
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


@given(st.lists(st.tuples(st.integers(1, 99), st.integers(0, 2**63) | st.binary(max_size=300))))
def test_any_protobuf_message_is_read_back(message):
    assert list(fields(b"".join(packed(number, value) for number, value in message))) == message


@given(st.binary(max_size=40))
def test_bytes_that_are_no_index_are_refused_or_read_but_never_hang(data):
    with contextlib.suppress(ValueError):
        assert all(isinstance(document.path, str) for document in documents(data))


def occurrence(line: int, column: int, symbol: str, *, defines: bool = False) -> bytes:
    return (
        packed(1, varint(line) + varint(column) + varint(column + 1))
        + packed(2, symbol.encode())
        + packed(3, int(defines))
    )


def index(**files: list[bytes]) -> bytes:
    found = [
        packed(1, f"{name}.py".encode()) + b"".join(packed(2, each) for each in each_of)
        for name, each_of in files.items()
    ]
    return b"".join(packed(2, document) for document in found)


S = "scip-python python project 0 "


def test_python_calls_get_their_callee_from_the_index_and_their_caller_from_the_syntax(tmp_path):
    (tmp_path / "a.py").write_text(
        "from .b import g\nfrom . import b\n\n@g\ndef f(x: int = g()):\n    b.Box()\n    return lambda h: g(h)\n",
        encoding="utf-8",
    )
    (tmp_path / "b.py").write_text("def g(h): ...\n\nclass Box: ...\n", encoding="utf-8")
    g, box = f"{S}`b`/g().", f"{S}`b`/Box#"
    data = index(
        b=[occurrence(0, 4, g, defines=True), occurrence(2, 6, box, defines=True)],
        a=[
            occurrence(0, 15, g),
            occurrence(3, 1, g),
            occurrence(4, 15, g),
            occurrence(5, 6, box),
            occurrence(6, 21, g),
        ],
    )
    rows = pyright.truth(tmp_path, data)
    shown = [
        (row["caller_name"], row["callee_name"], row["callee_line"], row["kind"], row["site_line"])
        for row in rows["calls"]
    ]
    assert shown == [
        ("<module>", "g", 1, "method/function", 5),
        ("f", "Box", 3, "class", 6),
        ("f", "g", 1, "method/function", 7),
    ]
    assert [(row["spec"], row["to"]) for row in rows["imports"]] == [(".b:g", "b.py"), (".:b", None)]
    assert [(row["file"], row["name"]) for row in rows["defs"]] == [("a.py", "f"), ("b.py", "g"), ("b.py", "Box")]


@pytest.mark.parametrize(
    ("symbol", "name", "kind"),
    [
        (f"{S}`pkg.mod`/Box#put().", "put", "method/function"),
        (f"{S}`pkg.mod`/Box#", "Box", "class"),
        (f"{S}`pkg.mod`/LIMIT.", "LIMIT", "term"),
        (f"{S}`pkg.mod`/f().(x)", "x", "parameter"),
        ("local 3", "", "local"),
    ],
)
def test_a_symbol_of_scip_gives_name_and_kind(symbol, name, kind):
    found = pyright.Definition("a.py", 1, symbol)
    assert (found.name, found.kind) == (name, kind)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed, so TypeScript cannot be fetched")
def test_typescripts_checker_names_callers_and_callees(tmp_path):
    root = tmp_path / "project"
    root.mkdir()
    (root / "tsconfig.json").write_text(
        json.dumps({"compilerOptions": {"jsx": "preserve", "paths": {"@/*": ["./*"]}}}), encoding="utf-8"
    )
    (root / "b.ts").write_text(
        "export function g(): void;\nexport function g(x?: number) {}\nexport class Box { put() { g(); } }\n"
        "export const made = wrap(() => g());\nfunction wrap<T>(x: T) { return x; }\n",
        encoding="utf-8",
    )
    (root / "a.tsx").write_text(
        'import { Box, g as run } from "@/b";\nimport type { Missing } from "elsewhere";\n'
        "export const View = () => <Part />;\nfunction Part() { new Box().put(); return null; }\nrun();\n",
        encoding="utf-8",
    )
    (root / "own.d.ts").write_text("export interface Own { go(): void }\n", encoding="utf-8")
    (root / "z.ts").write_text(
        'import type { Own } from "./own";\nclass One { go() {} }\nclass Two { go() {} }\n'
        "const use = (own: Own, either: One | Two) => { own.go(); either.go(); };\n",
        encoding="utf-8",
    )
    typescript(root, tmp_path / "truth")
    truth = read(tmp_path / "truth")
    shown = {(row["caller_name"], row["callee_name"], row["callee_line"], row["via"]) for row in truth.calls}
    assert shown == {
        ("put", "g", 2, "call"),
        ("<module>", "wrap", 5, "call"),
        ("made", "g", 2, "call"),
        ("View", "Part", 4, "jsx"),
        ("Part", "Box", 3, "new"),
        ("Part", "put", 3, "call"),
        ("<module>", "g", 2, "call"),
        ("use", "go", 1, "call"),
        ("use", "go", 2, "call"),
    }
    assert [(row["spec"], row["to"], row["type_only"]) for row in truth.imports] == [
        ("@/b", "b.ts", False),
        ("elsewhere", None, True),
        ("./own", "own.d.ts", True),
    ]
    assert {(row["name"], row["kind"]) for row in truth.defs} >= {
        ("View", "ArrowFunction"),
        ("Box", "Class"),
        ("made", "ArrowFunction"),
    }


def test_a_package_is_one_of_each_label():
    labels = [package.label for package in PACKAGES]
    assert len(set(labels)) == len(labels)
    specs = [spec for package in PACKAGES for spec in package.parts.values()]
    assert all(any(mark in spec for mark in ("@", "==", "#")) for spec in specs)  # `git+https://…#commit`


def test_a_site_that_the_index_gives_another_name_is_neither_right_nor_wrong(tmp_path):
    (tmp_path / "a.py").write_text("import b\nb.Box()\nb.g()\n", encoding="utf-8")
    (tmp_path / "b.py").write_text("def g(): ...\nclass Box: ...\n", encoding="utf-8")
    g = f"{S}`b`/g()."
    rows = pyright.truth(
        tmp_path, index(b=[occurrence(0, 4, g, defines=True)], a=[occurrence(1, 2, g), occurrence(2, 2, g)])
    )
    found = graph(("a.py", "b.py#Box", "call"), ("a.py", "b.py#g", "call"))
    assert score(Truth(rows["calls"], rows["defs"], []), found).calls == Ratio(1, 1, 1)


def test_code_that_the_index_is_silent_about_and_calls_of_objects_are_neither_right_nor_wrong(tmp_path):
    (tmp_path / "a.py").write_text("b.Box()\nmade()\nBox[int]()\nbox[0]()\n", encoding="utf-8")
    (tmp_path / "b.py").write_text("class Box:\n    def __call__(self): ...\nbox = []\n", encoding="utf-8")
    box, many = f"{S}`b`/Box#", f"{S}`b`/box."
    rows = pyright.truth(
        tmp_path,
        index(
            b=[occurrence(0, 6, box, defines=True), occurrence(2, 0, many, defines=True)],
            a=[occurrence(1, 0, "local 1"), occurrence(2, 0, box), occurrence(3, 0, many)],
        ),
    )
    told = [(row["called"], row["callee_name"], row["kind"]) for row in rows["calls"]]
    assert told == [("Box", "", "doubtful"), ("Box", "Box", "class")]
    found = graph(("a.py", "b.py#Box", "new"), ("a.py", "b.py#Box.__call__", "call"), ("a.py", "b.py#box", "call"))
    assert score(Truth(rows["calls"][:1], rows["defs"], []), found).calls == Ratio(0, 0, 1)
    assert score(Truth(rows["calls"], rows["defs"], []), found).calls == Ratio(1, 1, 2)


def test_private_names_count_without_their_mark():
    rows = [call("#f", "#g", "MethodDeclaration")]
    assert score(Truth(rows, DEFS, []), graph(("a.ts##f", "b.ts##g", "call"))).calls == Ratio(1, 1, 1)
