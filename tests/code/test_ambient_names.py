"""Names without an import are found on demand: a pattern tells the files that may declare one."""

import re

import pytest

from bearings.code.index.demand import SearchedSources
from bearings.code.models import ProjectFiles
from bearings.code.resolve.rules.ecmascript.ambient import (
    BEGINS_AS_MODULE,
    DECLARING,
    REGISTERING,
    TYPES_ENDING,
    AmbientTable,
)
from bearings.code.resolve.rules.ecmascript.conventions import name_in
from tests.code.cases import facts_of

MANIFEST = {
    "package.json": b'{"dependencies": {"lit": "3"}}',
    "tsconfig.json": b'{"compilerOptions": {"module": "amd"}}',
}
SCRIPTS = {
    "a.js": "var one = 1, two, three = 3\nlet { four, x: five, ...six } = one\nconst [seven, , eight] = two",
    "b.js": "function a() {}\nfunction* b() {}\nfunction *c() {}\nasync function d() {}\nfunction*e(){}\nclass F {}",
    "c.js": "/** @typedef {Object} A */\n/** @callback B\n * @param {string} a */\nvar\n    c,\n    d",
    "typed.js": "/**\n * @typedef {{\n *   x: string\n * }} A\n * @typedef {(a: B) => void} B The handler.\n */",
    "d.js": "(function () {})();var one=1,two={a:2}",
    "a.d.ts": "declare var one: string, two: number\ndeclare function three(a: string): void\ninterface Four<T> {}",
    "b.d.ts": "type A = string\ndeclare enum B { A }\ndeclare const enum C { A }\ndeclare namespace D.E {}",
    "c.d.ts": "declare abstract class A {}\ndeclare module B {}\ndeclare let\n  c: string,\n  d: number",
}
ELEMENTS = {
    "a.ts": "export class A extends HTMLElement {}\ncustomElements.define('my-el', A)\nx.component(`Other`, A)",
    "b.ts": '@Component({selector: "first-el, second-el"})\nexport class B {}',
    "c.ts": "@customElement('third-el')\nexport class C {}",
}


def is_matched(text: str, name: str, *places: tuple[bytes, bytes]) -> bool:
    sources = SearchedSources({"a": text.encode()})
    return any(sources.between(before, name, behind, ["a"]) for before, behind in places)


@pytest.mark.parametrize("path", SCRIPTS)
def test_every_declaration_of_a_script_is_matched(path):
    table, facts = AmbientTable(), facts_of({path: SCRIPTS[path]})
    table.settle(ProjectFiles(frozenset((path, *MANIFEST)), MANIFEST))
    names = [name for _, name, _ in table.read(path, facts)]
    assert names
    scope = "types" if path.endswith(TYPES_ENDING) else "script"
    assert [name for name in names if not is_matched(SCRIPTS[path], name, *DECLARING[scope])] == []


@pytest.mark.parametrize("path", ELEMENTS)
def test_every_registration_is_matched(path):
    table, facts = AmbientTable(), facts_of({path: ELEMENTS[path]})
    table.settle(ProjectFiles(frozenset((path, *MANIFEST)), MANIFEST))
    tags = {"MyEl": "my-el", "Other": "Other", "FirstEl": "first-el", "SecondEl": "second-el", "ThirdEl": "third-el"}
    names = [name_in(cell) for cell, _, _ in table.read(path, facts)]
    assert names
    assert [name for name in names if not is_matched(ELEMENTS[path], tags[name], REGISTERING)] == []
    assert not is_matched(ELEMENTS[path], "HTMLElement", REGISTERING)


@pytest.mark.parametrize(
    ("text", "is_module"),
    [
        ("// a\n/* b */\n'use strict';\nimport { a } from 'a'", True), ("export const a = 1", True),
        ("import * as a from 'a'", True), ("import './a'", True), ("import('./a').then(run)", False),
        ("import.meta.url", False), ("var a = 1\nexport const b = 1", False), ("exports.a = 1", False),
    ],
)  # fmt: skip
def test_a_file_that_begins_as_a_module_is_told(text, is_module):
    assert bool(re.match(BEGINS_AS_MODULE, text.encode())) is is_module


def test_uses_of_a_global_are_not_matched():
    text = "new Promise((a) => a)\nconst x: Promise<string> = f(Promise.all([]), 1)\nfunction f(a: string): string {}"
    assert not is_matched(text, "Promise", *DECLARING["script"])
    assert not is_matched(text, "string", *DECLARING["types"])
