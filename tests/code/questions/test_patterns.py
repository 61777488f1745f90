"""Patterns: for each detector what it finds, and its near misses, which it must not."""

import pytest

from bearings.code.questions.patterns import PatternType
from bearings.code.questions.patterns.compute import patterns
from bearings.code.questions.patterns.detectors import DETECTORS
from bearings.code.questions.patterns.evidence import files
from tests.code.questions.snapshots import snapshot_of

CASES: list[tuple[PatternType, str, str, set[tuple[str, int]]]] = [
    (
        "decorators",
        "a.py",
        "@cache\ndef f(): pass\n\n@app.route('/x')\ndef g(): pass\n",
        {("@cache", 1), ("@app.route", 4)},
    ),
    ("decorators", "a.ts", "@Component({})\nexport class A {}\n", {("@Component", 1)}),
    (
        "error-handling",
        "a.py",
        "def f():\n    try:\n        g()\n    except KeyError:\n        pass\n    except Exception as e:\n        h()\n"
        "    except (A, B):  # no\n        raise\n    raise C()\n",
        {
            ("errors dropped", 4), ("errors caught broadly", 6), ("errors caught", 8),
            ("errors raised again", 9), ("raises C", 10),
        },
    ),
    (
        "error-handling",
        "a.ts",
        "function f() { try { g() }\n catch {}\n try { g() }\n catch (e) { throw e } }\n",
        {("errors dropped", 2), ("errors caught", 4), ("errors raised again", 4)},
    ),
    (
        "error-handling",
        "b.ts",
        "function f(e) {\n  throw e.cause\n  throw fail(1)\n  throw { code: 1 }\n  throw Error('x')\n}\n",
        {("errors raised again", 2), ("raises the result of fail()", 3), ("raises a value", 4), ("raises Error", 5)},
    ),
    (
        "async",
        "a.ts",
        "async function f() { await Promise.all([]) }\nfunction g() { Promise.resolve() }\n",
        {("async functions", 1), ("Promise.all", 1)},
    ),
    (
        "async",
        "a.py",
        "import asyncio\nasync def f():\n    await asyncio.gather()\n",
        {("async functions", 2), ("asyncio.gather", 3)},
    ),
    (
        "singleton",
        "a.ts",
        "export class A { private static instance: A; static getInstance() { return A.instance } }\n"
        "class B { m() {} }\nexport const b = new B()\n"
        "class C {}\nexport const c = new C()\nexport const d = new C()\n"
        "class D {}\nexport const table = { d: new D() }\nexport const made = (() => new D())()\n",
        {("a class that keeps its one instance", 1), ("the only instance, made by its module", 3)},
    ),
    (
        "middleware",
        "a.ts",
        "declare const app: any\napp.use(log)\n"
        "function log(req, res, next) {}\nfunction other(req, res) {}\nmap.use(1)\n",
        {("middleware put in", 2), ("middleware by shape", 3)},
    ),
    (
        "middleware",
        "a.py",
        "app.add_middleware(X)\n\n@app.before_request\ndef f(): pass\n",
        {("middleware put in", 1), ("middleware by decorator", 3)},
    ),
    (
        "dependency-injection",
        "a.ts",
        "class MailClient { send() {} }\nclass Headers { get() {} }\nclass DataStore { x = 1 }\n"
        "class A { constructor(private mail: MailClient) {} }\n"
        "class B { constructor(h: Headers, d: DataStore, n: number) {} }\n"
        "class E extends Error { constructor(m: MailClient) { super() } }\n",
        {("services handed to a constructor", 4)},
    ),
    ("dependency-injection", "a.py", "from fastapi import Depends\ndef f(x=Depends(g)): pass\n", {("Depends", 2)}),
    (
        "hooks",
        "a.tsx",
        "export function useThing() { return useState(1) }\n"
        "export function View() { const x = useThing(); return <p>{x}</p> }\n"
        "function plain() { useful(); return useIt() }\n",
        {("own hooks", 1), ("useState", 1), ("useThing", 2)},
    ),
    (
        "context-manager",
        "a.py",
        "class A:\n    def __enter__(self): pass\n    def __exit__(self, *a): pass\n\n\n"
        "@contextlib.contextmanager\ndef f(): yield\n\n\nclass B:\n    def __enter__(self): pass\n",
        {("context manager classes", 1), ("context manager functions", 6)},
    ),
    (
        "events",
        "a.ts",
        "bus.emit('x')\nw.addEventListener('y', f)\nemit('z')\n",
        {("events sent", 1), ("handlers registered", 2)},
    ),
    ("events", "a.py", "user_logged_in_signal.send(x)\nsocket.send(x)\n", {("events sent", 1)}),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "file", "source", "want"), CASES, ids=[f"{case[0]} {case[1]}" for case in CASES])
def test_a_detector_finds_its_pattern_and_nothing_near_it(tmp_path, kind, file, source, want):
    found = [place for each in files(snapshot_of(tmp_path, {file: source})) for place in DETECTORS[kind](each)]
    assert {(place.name, place.line) for place in found} == want


def test_every_detector_has_a_case():
    assert {case[0] for case in CASES} == DETECTORS.keys()


FILES = {
    "a.py": (
        "@cache\ndef used(x):\n    if x:\n        return lost(x)\n\n\n"
        "def lost(x):\n    if x and x:\n        return 1\n\n\n"
        "def alone():\n    pass\n\n\ndef busy():\n    return alone()\n"
    ),
    "b.py": "async def f():\n    raise ValueError()\n",
    "test_b.py": "from b import f\n\n\n@mark\ndef test_f():\n    assert f()\n",
}


def test_patterns_of_all_kinds_take_turns_and_tests_show_none(tmp_path):
    found = patterns(snapshot_of(tmp_path, FILES), None, 10)
    assert {(pattern.type, pattern.name) for pattern in found.patterns} == {
        ("decorators", "@cache"),
        ("error-handling", "raises ValueError"),
        ("async", "async functions"),
    }
    assert found.patterns[0].evidence[0].element.startswith(found.patterns[0].files[0])


def test_gaps_are_functions_that_no_test_reaches_the_riskiest_first(tmp_path):
    found = patterns(snapshot_of(tmp_path, FILES), None, 10)
    assert [gap.element for gap in found.test_gaps] == ["a.py#lost:7", "a.py#alone:12", "a.py#used:2", "a.py#busy:16"]
    assert (found.gaps_total, found.functions) == (4, 5)
    assert (found.test_gaps[0].users, found.test_gaps[0].cognitive_complexity) == (1, 2)


def test_a_type_and_a_limit_narrow_the_answer(tmp_path):
    snapshot = snapshot_of(tmp_path, FILES)
    assert {pattern.type for pattern in patterns(snapshot, "async", 10).patterns} == {"async"}
    assert patterns(snapshot, "async", 10).test_gaps == []
    assert patterns(snapshot, "test-gaps", 10).patterns == []
    one = patterns(snapshot, None, 1)
    assert (len(one.patterns), len(one.test_gaps), one.patterns_total, one.gaps_total) == (1, 1, 3, 4)
