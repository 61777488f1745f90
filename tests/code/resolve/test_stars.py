"""Files with many stars know the same names as files with few: the first module that has one gives it."""

from collections.abc import Callable

import pytest

from bearings.code.models import EdgeKind, Language, ProjectFiles
from bearings.code.parse import parse_file
from bearings.code.resolve.resolver import Resolver

MANY = 40

PYTHON = {
    "one.py": "def one(): pass\ndef both(): pass\n",
    "two.py": "def two(): pass\ndef both(): pass\n",
    "pack/__init__.py": "from pack.inner import *\n",
    "pack/inner.py": "def deep(): pass\n",
    "pack/below.py": "def f(): pass\n",
    "round.py": "from use import *\nfrom two import *\ndef _own(): pass\n",
}
PYTHON_USE = "def user():\n    one()\n    two()\n    both()\n    deep()\n    below.f()\n    _own()\n    missing()\n"

SCRIPTS = {
    "one.ts": "export function one() {}\nexport function both() {}\nexport default function () {}\n",
    "two.ts": "export function two() {}\nexport function both() {}\n",
    "whole.ts": "class W { static whole() {} }\nexport = W;\n",
    "nested.ts": "export * from './inner';\nexport * from './barrel';\n",
    "inner.ts": "export function deep() {}\n",
}
NAMES = ("one", "two", "both", "whole", "deep", "missing")
SCRIPT_USE = f"import d, {{ {', '.join(NAMES)} }} from './barrel';\nfunction user() {{\n" + "".join(
    f"  {name}();\n" for name in ("d", *NAMES)
)


def called(files: dict[str, str]) -> list[str]:
    languages = {"py": Language.PYTHON, "ts": Language.TYPESCRIPT}
    facts = {path: parse_file(path, languages[path[-2:]], text.encode()) for path, text in files.items()}
    resolver = Resolver()
    resolver.update(facts, ProjectFiles(frozenset(files)))
    return [edge.target for path in facts for edge in resolver.uses[path].edges if edge.kind is EdgeKind.CALL]


def python(extra: int) -> dict[str, str]:
    others = {f"m{number}.py": f"def name{number}(): pass\n" for number in range(extra)}
    modules = ("lost", *(path.partition(".")[0] for path in others), "one", "two", "pack", "round")
    return {**PYTHON, **others, "use.py": "".join(f"from {name} import *\n" for name in modules) + PYTHON_USE}


def scripts(extra: int) -> dict[str, str]:
    others = {f"m{number}.ts": f"export function name{number}() {{}}\n" for number in range(extra)}
    modules = ("lost", *(path.partition(".")[0] for path in others), "one", "two", "whole", "nested")
    barrel = "".join(f"export * from './{name}';\n" for name in modules)
    return {**SCRIPTS, **others, "barrel.ts": barrel, "use.ts": SCRIPT_USE + "}\n"}


@pytest.mark.parametrize("made", [python, scripts])
def test_many_stars_give_the_names_that_few_give(made: Callable[[int], dict[str, str]]) -> None:
    few = called(made(0))
    assert len(few) == 5
    assert few == called(made(MANY))


@pytest.mark.slow
def test_a_file_follows_a_long_chain_of_assignments_as_far_as_a_short_one() -> None:
    head = "class C:\n    def q(self) -> 'C': return self\n    def r(self): return self\n\n\ndef f():\n    x = C()\n"
    few, many = (called({"a.py": head + "    x = x.r()\n" * number}) for number in (20, 1_000))
    assert few == ["a.py\0C.r"] * 20
    assert many[:20] == few
