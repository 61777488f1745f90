"""Names without an import: resolving what a change can affect equals a clean resolution."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.code.file_facts import FileFacts
from bearings.code.models import Confidence
from bearings.code.resolve.resolver import Resolver
from bearings.code.resolve.rules.ecmascript.conventions import conventions_of
from bearings.code.symbol_tags import component_names
from tests.code.test_incremental import edit, found, state

NUXT = '{"dependencies": {"nuxt": "4"}}'
FILES = (
    *(
        "nuxt.config.ts",
        "layers/x/nuxt.config.ts",
        "page.html",
        "js/a.js",
        "js/b.js",
        "lib/c.js",
        "types.d.ts",
        "el.ts",
    ),
    *("app/composables/a.ts", "app/composables/deep/b.ts", "app/utils/index.ts", "app/pages/p.vue"),
    *("app/components/One.vue", "app/components/one/One.vue"),
)
LINES = (
    "export const f = () => new K()",
    "export default function () {}",
    "export class K { m() { return f() } }",
    "export * from '../composables/deep/b'",
    "<script setup>const k = f(); k.m(); a(); g.x</script>\n<template><One/><x-el/><Lazy-one/></template>",
    "function f() { return new K() }",
    "class K { m() {} }",
    "var g = { f: function () { return f() } }",
    "const x = f(); x.m(); g.f(); new K().m()",
    "import y from 'y'",
    "declare namespace g { interface T { m(): K } }",
    "const t: g.T = f(); t.m().m()",
    "customElements.define('x-el', K)",
    "define(['./b'], function (b) { return { f: function () { return b.f() } } })",
    "const h = html`<x-el></x-el>`",
)
_edits = st.one_of(
    st.tuples(st.sampled_from(FILES), st.none() | st.lists(st.sampled_from(LINES), max_size=4)),
    st.tuples(st.just("package.json"), st.sampled_from([["{}"], [NUXT], ['{"dependencies": {"lit": "3"}}']])),
)
Files = dict[str, str]


@pytest.mark.slow
@given(st.lists(st.lists(_edits, min_size=1, max_size=5), min_size=2, max_size=6))
def test_resolving_after_any_edits_equals_a_clean_resolution(
    rounds: list[list[tuple[str, list[str] | None]]],
) -> None:
    files: Files = {}
    known: dict[tuple[str, str], FileFacts] = {}
    resolver = Resolver()
    for edits in rounds:
        edit(files, edits)
        resolver.update(*state(files, known))
        clean = Resolver()
        clean.update(*state(files, known))
        assert found(resolver) == found(clean)


class Project:
    """Files, and a resolver that follows their edits."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self.known: dict[tuple[str, str], FileFacts] = {}
        self.resolver = Resolver()
        self.edit({})

    def edit(self, files: Files, *gone: str) -> set[str]:
        self.files |= files
        for path in gone:
            del self.files[path]
        touched = self.resolver.update(*state(self.files, self.known))
        return {path for path in touched if path in self.files}

    def uses(self, path: str) -> list[tuple[str, Confidence]]:
        return [(edge.target, edge.confidence) for edge in self.resolver.uses[path].edges]


def test_a_composable_that_moves_or_gets_another_name_reaches_the_files_that_use_it() -> None:
    project = Project(
        {
            "package.json": NUXT,
            "composables/a.ts": "export const useA = () => 1",
            "utils/z.ts": "export const z = 1",
            "pages/p.vue": "<script setup>useA()</script>",
            "pages/q.vue": "<template><BaseCard/></template>",
        }
    )
    assert project.uses("pages/p.vue") == [("composables/a.ts\0useA", Confidence.STRONG)]
    assert project.edit({"composables/a.ts": "export const useB = () => 1"}) == {"composables/a.ts", "pages/p.vue"}
    assert project.uses("pages/p.vue") == []
    assert project.edit({"composables/b.ts": "export const useA = () => 1"}) >= {"pages/p.vue"}
    assert project.uses("pages/p.vue") == [("composables/b.ts\0useA", Confidence.STRONG)]
    touched = project.edit({"components/base/Card.vue": "<template><i/></template>"})
    assert touched == {"components/base/Card.vue", "pages/q.vue"}
    assert project.uses("pages/q.vue") == [("components/base/Card.vue\0Card", Confidence.STRONG)]
    project.edit({}, "components/base/Card.vue")
    assert project.uses("pages/q.vue") == []


def test_a_second_declaration_of_a_script_s_name_makes_both_guesses() -> None:
    project = Project({"index.html": "", "a.js": "function f() {}", "b.js": "f()", "c.js": "import 'x'"})
    assert project.uses("b.js") == [("a.js\0f", Confidence.STRONG)]
    assert project.edit({"c.js": "function f() {}"}) == {"b.js", "c.js"}
    assert project.uses("b.js") == [("a.js\0f", Confidence.HEURISTIC), ("c.js\0f", Confidence.HEURISTIC)]
    project.edit({"a.js": "export function f() {}"})
    assert project.uses("b.js") == [("c.js\0f", Confidence.STRONG)]
    project.edit({}, "index.html")
    assert project.uses("b.js") == [], "without a page, nothing says that the files are scripts"


def test_a_resumed_resolver_knows_the_names_of_scripts() -> None:
    project = Project({"index.html": "", "a.js": "function f() {}", "b.js": "f()"})
    facts, files = state(project.files, project.known)
    resumed, memory = project.resolver.uses.copy(), project.resolver.memory()
    assert memory is not None
    project.resolver = Resolver.resumed(facts, files, resumed, lambda: memory)
    project.edit({"b.js": "f() // again"})
    assert project.uses("b.js") == [("a.js\0f", Confidence.STRONG)]


def test_a_file_for_another_platform_leaves_the_first_one_s_own_calls_exact() -> None:
    project = Project({"lib/c.tsx": "export function f() {}\nf()", "a.ts": "import { f } from './lib/c'\nf()"})
    both = {("lib/c.tsx\0f", Confidence.STRONG), ("lib/c.native.tsx\0f", Confidence.STRONG)}
    project.edit({"lib/c.native.tsx": "export function f() {}"})
    assert set(project.uses("a.ts")) > both
    assert project.uses("lib/c.tsx") == [("lib/c.tsx\0f", Confidence.EXACT)]


def test_a_relation_that_gets_another_name_or_model_reaches_the_files_that_use_it() -> None:
    field = "    by = models.ForeignKey({}, on_delete=models.CASCADE, related_name='{}')\n    def read(self): ...\n"
    book = "from django.db import models\nfrom a.models import Author, Other\nclass Book(models.Model):\n" + field
    author = "from django.db import models\nclass Author(models.Model): ...\nclass Other(models.Model): ...\n"
    project = Project(
        {
            "requirements.txt": "Django",
            "a/models.py": author,
            "b/models.py": book.format("Author", "books"),
            "use.py": "from a.models import Author\ndef f(x: Author):\n    x.books.first().read()\n",
        }
    )
    read = ("b/models.py\0Book.read", Confidence.STRONG)
    assert read in project.uses("use.py")
    for model, name in (("Author", "works"), ("Author", "books"), ("Other", "books"), ("Author", "books")):
        assert "use.py" in project.edit({"b/models.py": book.format(model, name)})
        assert (read in project.uses("use.py")) is ((model, name) == ("Author", "books"))
    project.edit({}, "requirements.txt")
    assert read not in project.uses("use.py"), "without Django in a manifest, its names mean nothing"


@pytest.mark.parametrize("line", ["var Game = Game || {};", "var Game = 1;"])
def test_scripts_that_name_each_other_in_a_circle_are_read(line: str) -> None:
    scripts = {f"{name}.js": f"{line}\nGame.{name} = function () {{}};" for name in "abcdef"}
    last = "/** @param {Game} game */\nfunction start(game) { game.a(); }"
    project = Project({"index.html": "", **scripts, "start.js": last})
    assert not any(uses.given_up for uses in project.resolver.uses.values())


def test_components_are_named_by_their_folders_without_repetitions() -> None:
    names = {
        "Card": ("Card",),
        "base/Card": ("BaseCard", "Card"),
        "base/BaseCard": ("BaseCard",),
        "base/button/BaseButtonRound": ("BaseButtonRound",),
        "user-list/index": ("UserList",),
        "global/Toast.client": ("Toast",),
        "ui/APIKey": ("UiAPIKey", "APIKey"),
    }
    assert {path: component_names(path) for path in names} == names


def test_a_layer_belongs_to_the_application_around_it() -> None:
    _, project = state({"web/nuxt.config.ts": "", "web/layers/x/nuxt.config.ts": "", "docs/package.json": NUXT}, {})
    assert conventions_of(project).apps == ("docs/", "web/")
