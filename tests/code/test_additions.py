"""The changed_names between two states of a file agree with the states' interfaces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.code.resolve.edits.file_interface import interface
from bearings.code.resolve.edits.name_changes import MoreThanNames, changed_names
from tests.code.test_incremental import ECMASCRIPT_LINES, PYTHON_LINES, parsed

PYTHON = (
    "import os\n\n\nclass K(os.X):\n    def m(self) -> 'K':\n        x = f()\n        return x.y()\n\n\n"
    "def f():\n    return K()\n"
)
TYPESCRIPT = (
    "import { a } from './a'\nexport interface I<T> { m(cb: (x: T) => void): I<T>; n: string }\n"
    "export class K implements I<K> { m() { return a(() => this.n()) } }\n"
    "export const o = { p: new K(), q: a(1) }\nexport function f() {\n  const x = a();\n  return x.y(o)\n}\n"
)


@pytest.mark.parametrize(
    ("path", "old", "new", "names"),
    [
        ("a.py", "        x = f()", "        print(1)\n        x = f()", set()),
        ("a.py", "import os\n", "import os\n# more\n", set()),
        ("a.py", "def f", "def g():\n    return [f() for f in K()]\n\n\ndef f", {"g"}),
        ("a.py", "def f", "class L(K):\n    z = 1\n\n    def __init__(self): f()\n\n\ndef f", {"L"}),
        ("a.py", "def f", "class L:\n    def o(self): self.w = f()\n\n\ndef f", None),
        ("a.py", "    def m", "    def n(self):\n        return self.m()\n\n    def m", {"n"}),
        ("a.py", "import os", "import os, sys", {"sys"}),
        ("a.py", "import os", "import os\nfrom b import *", None),
        ("a.py", "def f", "def y(): pass\n\n\ndef f", {"y"}),
        ("a.py", "def f", "def f(): pass\n\n\ndef f", None),
        ("a.py", "    def m", "    def __iter__(self): return self\n\n    def m", {"__iter__"}),
        ("a.py", "return K()", "return 1", None),
        ("a.py", "        x = f()", "        x = f()\n        z = x", None),
        ("a.ts", "const x = a();", "a(2); a(() => 1);\nconst x = a();", set()),
        ("a.ts", "export const o", "console.log(new K())\nexport const o", set()),
        ("a.ts", "export class", "export function g(x: K) { return x.m() }\nexport class", {"g"}),
        ("a.ts", "export class", "export class string {}\nexport class", None),
        ("a.ts", "q: a(1)", "q: a(2).b", None),
        ("a.ts", "n: string", "n: string; z: number", {"z"}),
        ("a.ts", "import", "export * from './b'\nimport", None),
        ("a.ts", "new K()", "new K(1)", set()),
    ],
)
def test_most_edits_are_told_by_what_they_add(path: str, old: str, new: str, names: set[str] | None) -> None:
    text = PYTHON if path == "a.py" else TYPESCRIPT
    assert old in text
    states = parsed(path, text), parsed(path, text.replace(old, new, 1))
    for before, now in (states, states[::-1]):
        try:
            assert set(changed_names(before, now)) == names
        except MoreThanNames:
            assert names is None


@pytest.mark.slow
@given(st.data())
def test_without_what_is_added_the_interfaces_are_the_same(data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(["a.py", "a.ts"]))
    lines = st.lists(st.sampled_from(PYTHON_LINES if path == "a.py" else ECMASCRIPT_LINES), max_size=4)
    start, middle, other, end = (data.draw(lines) for _ in range(4))
    before, now = (parsed(path, "\n".join([*start, *between, *end])) for between in (middle, other))
    try:
        names = changed_names(before, now)
    except MoreThanNames:
        return
    rest = interface(before, names)
    assert rest is not None
    assert rest == interface(now, names)
