"""Programs embedded in other formats: every line keeps its number, for any content."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.code.languages import EXTENSIONS
from bearings.code.languages.embedded import EMBEDDED_EXTENSIONS, is_embedded, program_of
from bearings.code.languages.embedded.sheet import component_name, is_balanced
from bearings.code.parse import parse_file
from tests.code.cases import cases

_SAMPLES = [
    text
    for case in cases()
    if case.name.startswith("embedded")
    for path, text in case.files.items()
    if is_embedded(path)
]
_PIECES = st.sampled_from(
    [*_SAMPLES, "<template>", "</template>", "<script>", "</script>", "{{", "}}", "{#each a as b}", "{", "}", "---\n",
     "'", '"', "`", "<!--", "-->", "@click=", "v-for=", "<A", "\n", "\r", "\\", "[", "]", '{"cells": [', '"source": ["']
)  # fmt: skip
_TEXTS = st.lists(_PIECES | st.text(max_size=20), max_size=12).map("".join)
_MARKUP = sorted(EMBEDDED_EXTENSIONS - {".ipynb"})


def test_there_are_samples():
    assert len(_SAMPLES) >= 8


def test_every_embedded_extension_belongs_to_a_language():
    assert EXTENSIONS.keys() >= EMBEDDED_EXTENSIONS


@pytest.mark.slow
@given(_TEXTS, st.sampled_from(sorted(EMBEDDED_EXTENSIONS)))
def test_any_content_can_be_parsed(text: str, extension: str):
    facts = parse_file(f"a{extension}", EXTENSIONS[extension], text.encode())
    assert all(1 <= symbol.line <= symbol.end_line for symbol in facts.symbols)


@given(_TEXTS, st.sampled_from(_MARKUP))
def test_a_program_has_as_many_lines_as_its_file(text: str, extension: str):
    assert program_of(f"a{extension}", text.encode()).count(b"\n") == text.count("\n")


@given(st.lists(st.text(alphabet="ab(){}='\"\\ \t#é", max_size=12), max_size=8), st.integers(1, 3))
def test_each_line_of_a_notebook_keeps_its_line_in_the_file(lines: list[str], cells: int):
    source = [f"x{number} = {line!r}\n" for number, line in enumerate(lines)]
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": source}
    text = json.dumps({"cells": [cell] * cells, "metadata": {}}, indent=1)
    rows = text.split("\n")
    program = program_of("n.ipynb", text.encode()).decode().split("\n")
    assert [row for row in program if row] == [line.rstrip("\n") for line in source] * cells
    for row, line in enumerate(program):
        if line:
            assert json.loads(rows[row].strip().rstrip(",")).rstrip("\n") == line


@pytest.mark.parametrize("template", ["<p>{{ a &amp;&amp; b() }}</p>", '<p v-if="a &amp;&amp; b()"/>'])
def test_entities_in_a_template_of_vue_are_decoded(template: str):
    assert b"(a && b())" in program_of("a.vue", f"<template>{template}</template>".encode())


def test_a_cell_with_a_single_string_keeps_the_order_of_its_lines():
    cell = {"cell_type": "code", "source": "a = 1\nb = 2\n"}
    program = program_of("n.ipynb", json.dumps({"cells": [cell, cell]}).encode()).decode()
    assert program.split() == "a = 1 b = 2 a = 1 b = 2".split()


@pytest.mark.parametrize(
    ("lines", "program"),
    [
        (["%matplotlib inline", "a = 1"], ["pass", "a = 1"]),
        (["  !ls", "a?"], ["  pass", "pass"]),
        (["files = !ls", "a, b = %timeit x", "c = 5 % 3"], ["files = None", "a, b = None", "c = 5 % 3"]),
        (["%%bash", "ls"], []),
        (["%%time", "a = 1"], ["a = 1"]),
        (["# what is it?"], ["# what is it?"]),
    ],
)
def test_ipython_commands_are_dropped(lines: list[str], program: list[str]):
    cell = {"cell_type": "code", "source": [f"{line}\n" for line in lines]}
    text = program_of("n.ipynb", json.dumps({"cells": [cell]}, indent=1).encode()).decode()
    assert [line for line in text.split("\n") if line] == program


@pytest.mark.parametrize(
    ("script", "program"),
    [
        ("derived(items, ($items) => $items.length)", "derived(items, ($items) => items.$.length)"),
        ("derived([items, a], ([$items, $a]): number => $a)", "derived([items, a], ([$items, $a]): number => a.$)"),
        ("derived(items, $items => 1)", "derived(items, $items => 1)"),
        ("derived(items, function ($items) { a })", "derived(items, function ($items) { a })"),
        ("f({ $items, a }, [a, $items, a])", "f({ $items: items.$, a }, [a, items.$, a])"),
        ("f({ a: $items, $a }, `${$items}`)", "f({ a: items.$, $a: a.$ }, `${items.$}`)"),
        ("f({ ...$items, b: '{' }, $items, 1)", "f({ ...items.$, b: '{' }, items.$, 1)"),
    ],
)  # fmt: skip
def test_stores_of_svelte_are_read_where_they_are_values(script: str, program: str):
    text = f"<script>import {{ items, a }} from './x'; {script}</script>"
    assert program.encode() in program_of("a.svelte", text.encode())


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("src/user-card.vue", "UserCard"), ("+page.svelte", "Page"), ("[id].astro", "Id"),
        ("404.astro", "Component404"), ("….vue", "Component"), ("AppShell.vue", "AppShell"),
    ],
)  # fmt: skip
def test_a_component_is_named_after_its_file(path: str, name: str):
    assert component_name(path) == name


@pytest.mark.parametrize("code", ["a)", "(a", "'a", "a // b", "a /* b", "[}", "`${a"])
def test_code_that_would_swallow_later_code_is_unbalanced(code: str):
    assert not is_balanced(code)


@pytest.mark.parametrize("code", ["a", "a(')')", "{a: `//`}", "(a) => b / c", "'\\''"])
def test_code_with_closed_brackets_and_strings_is_balanced(code: str):
    assert is_balanced(code)


@pytest.mark.parametrize(
    ("tag", "element"),
    [
        ('Row items={[{ id: 1 }]} label="x"', "<Row items label/>"),
        ("Row on:click={() => { a() }} title='a > b'", "<Row title/>"),
        ("Row {item} {...rest} {@attach f} bind:open", "<Row item open/>"),
        ('Row a="{b" c', "<Row a c/>"),
    ],
)
def test_an_element_has_the_names_of_its_attributes(tag: str, element: str):
    assert element.encode() in program_of("a.svelte", f"<{tag}/><p></p>".encode())


def test_an_import_of_a_page_ends_at_an_empty_line_with_a_carriage_return():
    program = program_of("a.mdx", b'import { Swatch } from "./ui"\r\n\r\n# It\'s <Swatch/>\r\n').decode()
    assert "It's" not in program
    assert "<Swatch/>" in program
