"""The code benchmark's own parts: trees, edits, rounds that are kept, memory of a family of processes."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.code.contenders import a_definition, in_a_function, in_process
from benchmarks.code.corpora import commit, lines, sources
from benchmarks.code.rounds import Rounds, spread
from benchmarks.memory import Peak, family, held


@pytest.fixture
def tree(tmp_path):
    root = tmp_path / "tree"
    root.mkdir()
    (root / "a.ts").write_text(
        'import { g } from "./b";\nexport function f() {\n    return g();\n}\n', encoding="utf-8"
    )
    (root / "b.ts").write_text("export function g() {\n    return 1;\n}\n", encoding="utf-8")
    (root / "c.py").write_text("def h():\n    return 1\n", encoding="utf-8")
    (root / "notes.txt").write_text("no source\n", encoding="utf-8")
    commit(root)
    return root


def test_sources_are_those_with_a_grammar_and_lines_are_theirs(tree):
    assert [(Path(path).name, grammar) for path, grammar in sources(tree)] == [
        ("a.ts", "typescript"),
        ("b.ts", "typescript"),
        ("c.py", "python"),
    ]
    assert lines(tree) == 9


@pytest.mark.slow
def test_every_contender_measures_and_leaves_the_tree_as_it_was(tree):
    before = {path: path.read_bytes() for path in tree.iterdir() if path.is_file()}
    assert in_process("alone", tree, "1")["seconds"] > 0
    cold = in_process("cold", tree, "1", watch=True)
    assert (cold["files"], cold["function"]) == (3, "g")
    assert 0 < cold["idle"] <= cold["peak"]
    fresh = in_process("fresh", tree, "0")
    assert len(fresh["a line in a function, any file"]) == 3
    assert len(fresh["a definition added, hub, at once"]) == len(fresh["a definition added, hub"])
    assert {path: path.read_bytes() for path in tree.iterdir() if path.is_file()} == before


@pytest.mark.parametrize("change", [in_a_function, a_definition])
def test_an_edited_file_is_still_python(change):
    source = b"def f(x):\n    if x:\n        return 2\n    return x\n"
    edited = change("a.py", source)
    assert ast.dump(ast.parse(edited)) != ast.dump(ast.parse(source))


def test_rounds_take_turns_and_go_on_where_they_were(tmp_path):
    ran = []

    def contender(name, *, fails=False):
        def run():
            ran.append(name)
            if fails:
                raise RuntimeError(name)
            return {"seconds": len(ran)}

        return run

    rounds = Rounds("abc", tmp_path)
    with pytest.raises(RuntimeError):
        rounds.measure({"a": contender("a"), "b": contender("b", fails=True)}, 2)
    again = Rounds("abc", tmp_path)
    again.measure({"a": contender("a"), "b": contender("b")}, 2)
    assert ran == ["a", "b", "b", "a", "b"]
    assert again.values("b", "seconds") == [3, 5]
    assert again.median("a") == 2.5
    assert Rounds("def", tmp_path).values("a", "seconds") == []


def test_a_spread_is_p50_p95_and_the_most():
    assert spread([0.001 * number for number in range(1, 101)]) == ["50.5 ms", "95.0 ms", "100.0 ms"]
    assert spread([0.001 * number for number in range(1, 21)]) == ["10.5 ms", "19.0 ms", "20.0 ms"]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="PSS is read from Linux's /proc")
def test_memory_counts_children_and_a_peak_outlives_them():
    code = "import subprocess, sys; x = bytearray(50_000_000); print('ready', flush=True); sys.stdin.read()"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {code!r}])"
    with subprocess.Popen([sys.executable, "-c", parent], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        assert len(family(process.pid)) == 2
        with Peak(process.pid) as peak:
            assert held(process.pid) > 50_000_000
            process.stdin.close()
            process.wait()
        assert held(process.pid) == 0
    assert peak.bytes > 50_000_000
