"""Evidence beside "no users": the lines with the word, their contexts, and words that occur nowhere else."""

from pathlib import Path

import pytest

from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from bearings.code.project.words import Budget
from bearings.code.questions.changes.compute import changes
from bearings.code.questions.context.compute import context
from bearings.code.questions.coverage.compute import coverage
from bearings.code.questions.impact.compute import impact
from bearings.code.questions.patterns.compute import patterns
from bearings.code.replies.elsewhere import Elsewhere
from bearings.code.search.elsewhere import elsewhere
from bearings.code.search.endpoints import not_understood
from tests.code.questions.snapshots import element, snapshot_of
from tests.code.trees import repository, write


def said(root: Path, files: dict[str, str], name: str) -> Elsewhere:
    snapshot = snapshot_of(root, files)
    return elsewhere(snapshot, element(snapshot, name))


def rows(found: Elsewhere) -> list[tuple[str, int, str]]:
    return [(one.file, one.line, one.where) for one in found.shown]


FIELD = {
    "src/options.ts": "export interface Options {\n  timeoutMs: number\n  retries: number\n}\n",
    "src/client.ts": (
        "// timeoutMs is in milliseconds\n"
        "export function wait(options: any) {\n"
        "  return options.timeoutMs\n"
        "}\n"
        'const given = { "timeoutMs": 3, note: `${given.timeoutMs} of timeoutMs` }\n'
    ),
    "src/App.hbs": "<template><Client :timeoutMs='3' /></template>\n",
    "docs/guide.md": "Set timeoutMs.\n",
}


def test_a_word_in_code_comments_strings_and_other_files_is_told_apart(tmp_path):
    found = said(tmp_path, FIELD, "timeoutMs")
    assert rows(found) == [
        ("src/client.ts", 3, "code"),
        ("docs/guide.md", 1, "text"),
        ("src/App.hbs", 1, "text"),
        ("src/client.ts", 5, "string"),
        ("src/client.ts", 1, "comment"),
    ]
    assert found.shown[0].source == "return options.timeoutMs"
    assert (found.places, found.files, found.others, found.unused) == (5, 3, 0, False)
    assert found.by == {"code": 1, "text": 2, "string": 1, "comment": 1}
    assert [(row.extension, row.files, row.places) for row in found.unread] == [(".hbs", 1, 1)]


def test_a_word_that_stands_nowhere_else_is_unused(tmp_path):
    found = said(tmp_path, FIELD, "retries")
    assert (found.words, found.places, found.unused, found.note) == (("retries",), 0, True, None)


@pytest.mark.parametrize(
    ("files", "name", "words", "file"),
    [
        ({"a.ts": "const Panel = () => 1\nexport default wrap(Panel)\n", "b.hbs": "import Other from './a'\n"},
         "Panel", ("Panel", "a"), "b.hbs"),
        ({"ui/panel/index.js": "function f() {}\nmodule.exports = f\n", "b.html": "load('./panel')\n"},
         "f", ("f", "panel"), "b.html"),
        ({"a.ts": "function f() {}\nexport { f as g }\n", "b.html": "<script>g()</script>\n"},
         "f", ("f", "g"), "b.html"),
        ({"a.py": "class A:\n    def __init__(self):\n        pass\n", "b.txt": "A __init__\n"},
         "A.__init__", ("A",), "b.txt"),
        ({"pkg/__init__.py": "", "pkg/tool.py": "x = 1\n", "b.txt": "python -m pkg.tool\n"},
         "pkg/tool.py", ("tool",), "b.txt"),
        ({"a.py": "from flask import Flask\napp = Flask(__name__)\n@app.get('/users/<id>')\ndef one(id): ...\n",
          "b.hbs": "fetch('/users/' + id)\n"},
         "GET /users/<id>", ("/users",), "b.hbs"),
    ],
)  # fmt: skip
def test_an_element_is_looked_for_by_all_words_that_its_users_write(
    tmp_path, files: dict[str, str], name: str, words: tuple[str, ...], file: str
):
    found = said(tmp_path, files, name)
    assert (found.words, found.unused) == (words, False)
    assert [one.line for one in found.shown if one.file == file] == [1]


@pytest.mark.parametrize(
    ("files", "name"),
    [
        ({"a.py": "class A:\n    def __len__(self):\n        return 1\n"}, "A.__len__"),
        ({"a.py": "@app.task\ndef nightly():\n    pass\n"}, "nightly"),
        ({"a.py": "class Command(BaseCommand):\n    def handle(self):\n        pass\n"}, "Command.handle"),
        ({"a.ts": "class A implements Visitor {\n  visitAll() {}\n}\n"}, "A.visitAll"),
        ({"a.go": "package a\n\nfunc init() {}\n"}, "init"),
        ({"tests/test_a.py": "def test_alone():\n    pass\n"}, "test_alone"),
        ({"alone.py": "x = 1\n"}, "alone.py"),
        ({"a.ts": "export class Bag {\n  toString() {}\n}\n"}, "Bag.toString"),
        ({"a.ts": "export class Bag {\n  [Symbol.iterator]() {}\n}\n"}, "a.ts#Bag.[Symbol.iterator]"),
        ({"a.go": 'package a\n\ntype Bag int\n\nfunc (b Bag) String() string { return "" }\n'}, "Bag.String"),
    ],
)
def test_what_others_run_without_its_name_is_never_called_unused(tmp_path, files: dict[str, str], name: str):
    found = said(tmp_path, files, name)
    assert (found.places, found.unused) == (0, False)


def test_uses_of_another_element_of_that_name_are_counted_apart_and_come_last(tmp_path):
    files = {
        "a.py": "class Door:\n    def close(self):\n        pass\n",
        "b.py": "class File:\n    def close(self):\n        pass\n\n\ndef f(file: File):\n    file.close()\n",
        "c.py": "def g(thing):\n    thing.close()\n",
    }
    found = said(tmp_path, files, "Door.close")
    assert rows(found) == [("c.py", 2, "code"), ("b.py", 2, "code"), ("b.py", 7, "code")]
    assert (found.places, found.others, found.unused) == (3, 2, False)


def test_known_uses_are_not_elsewhere(tmp_path):
    files = {"a.py": "def f():\n    return f()\n", "b.py": "from a import f\n\nf()\n", "c.md": "f\n"}
    assert rows(said(tmp_path, files, "f")) == [("c.md", 1, "text")]


def test_what_has_a_known_user_is_not_unused(tmp_path):
    found = said(tmp_path, {"a.py": "def f():\n    pass\n\n\nf()\n"}, "f")
    assert (found.places, found.unused) == (0, False)


def test_nothing_is_called_unused_by_a_search_that_was_not_complete(tmp_path):
    snapshot = snapshot_of(tmp_path, {"a.py": "def alone():\n    pass\n", "data.csv": "1\n" * 100, "z.py": "x = 1\n"})
    alone = element(snapshot, "alone")
    assert elsewhere(snapshot, alone).unused
    large = elsewhere(snapshot, alone, Budget(file_bytes=50))
    assert (large.unused, large.unsearched) == (False, 1)
    assert "data.csv (too large)" in (large.note or "")
    short = elsewhere(snapshot, alone, Budget(all_bytes=10))
    assert (short.unused, short.at_least) == (False, True)
    assert "2 files were not searched" in (short.note or "")


def test_a_long_line_is_shown_around_the_word(tmp_path):
    found = said(
        tmp_path, {"a.py": "def alone():\n    pass\n", "b.json": '"x", ' * 9000 + '"alone"' + ', "y"' * 9000}, "alone"
    )
    assert len(found.shown[0].source) < 200
    assert '"alone"' in found.shown[0].source


@pytest.mark.slow
def test_sources_that_take_long_to_parse_are_not_told_apart(tmp_path):
    files = {
        "a.py": "def alone():\n    pass\n",
        "b.py": "alone\n" + "# more than is parsed\n" * 20_000,
        "c.py": "alone\n" + "[" * 30_000,
        "d.py": "# alone\n",
    }
    found = said(tmp_path, files, "alone")
    assert rows(found) == [("b.py", 1, "source"), ("c.py", 1, "source"), ("d.py", 1, "comment")]


def test_a_long_list_of_users_is_not_doubted_for_sites_that_are_shown_beside_it(tmp_path):
    files = {"a.py": "class A:\n    def ping(self):\n        pass\n", "z.py": "def f(x):\n    x.ping()\n"}
    known = {f"b{number}.py": "from a import A\n\n\ndef g(a: A):\n    a.ping()\n" for number in range(9)}
    few = snapshot_of(tmp_path / "few", {**files, **known})
    assert impact(few, element(few, "A.ping"), "modify", 3).elsewhere is not None
    many = snapshot_of(tmp_path / "many", {**files, **known, "c.py": known["b0.py"]})
    found = impact(many, element(many, "A.ping"), "modify", 3)
    assert (found.elsewhere, found.unresolved_uses, len(found.unresolved_sites)) == (None, 1, 1)


def test_impact_calls_nothing_unused_whose_word_stands_elsewhere(tmp_path):
    snapshot = snapshot_of(tmp_path, {**FIELD, "b.py": "def _alone():\n    pass\n"})
    found = impact(snapshot, element(snapshot, "timeoutMs"), "modify", 3)
    assert str(found.note).endswith("but its word stands on other lines: 5 (elsewhere)")
    alone = impact(snapshot, element(snapshot, "_alone"), "modify", 3)
    assert alone.elsewhere is not None
    assert alone.elsewhere.unused
    assert str(alone.note).endswith("It seems to be unused.")


def test_impact_lists_the_sites_that_could_not_be_resolved(tmp_path):
    files = {"a.py": "class A:\n    def ping(self):\n        pass\n", "b.py": "def f(x):\n    x.ping()\n"}
    snapshot = snapshot_of(tmp_path, files)
    found = impact(snapshot, element(snapshot, "A.ping"), "modify", 3)
    assert (found.unresolved_uses, [(site.file, site.line) for site in found.unresolved_sites]) == (1, [("b.py", 2)])


GAPS = {
    "shop.py": "def price():\n    return 1\n\n\ndef rebate():\n    return 2\n",
    "tests/test_shop.py": "from tools import load\n\n\ndef test_price():\n    getattr(load('shop'), 'price')()\n",
}


def test_a_gap_says_that_a_test_names_the_function(tmp_path):
    found = {gap.element: gap for gap in patterns(snapshot_of(tmp_path, GAPS), "test-gaps", 10).test_gaps}
    named = found["shop.py#price:1"]
    assert named.mentions == 1
    assert named.first is not None
    assert (named.first.file, named.first.line) == ("tests/test_shop.py", 5)
    assert (found["shop.py#rebate:5"].mentions, found["shop.py#rebate:5"].first) == (0, None)


def test_an_untested_file_says_that_a_test_names_what_it_offers(tmp_path):
    found = coverage(snapshot_of(tmp_path, GAPS))
    assert found.untested_files == ["shop.py"]
    assert [(row.element, row.places) for row in found.named_in_tests] == [("shop.py", 1)]


def test_changed_elements_without_a_known_user_say_where_their_words_stand(tmp_path):
    root = repository(
        tmp_path.resolve() / "p",
        {**GAPS, "page.jinja": "{{ price() }} {{ old() }}\n", "old.py": "def old():\n    pass\n"},
    )
    write(root, {"shop.py": GAPS["shop.py"].replace("1", "3")})
    (root / "old.py").unlink()
    found = changes(Index(root, NoFacts(), 10_000_000).refresh(), "HEAD", 3, 10_000_000)
    assert [(row.element, row.places) for row in found.elsewhere] == [("old.py#old:1", 1), ("shop.py#price:1", 2)]
    assert [(row.element, row.places) for row in found.named_in_tests] == [("shop.py#price:1", 1)]


def test_a_changed_method_that_is_called_through_a_protocol_has_known_users(tmp_path):
    gong = "class Gong:\n    def ring(self):\n        return 1\n\n    def dust(self):\n        return 1\n"
    ringer = "from typing import Protocol\n\n\nclass Ringer(Protocol):\n    def ring(self): ...\n"
    use = "from ring import Ringer\n\n\ndef strike(ringer: Ringer):\n    ringer.ring()\n\n\nDUST = 'dust'\n"
    root = repository(tmp_path.resolve() / "p", {"gong.py": gong, "ring.py": ringer, "use.py": use})
    write(root, {"gong.py": gong.replace("1", "2")})
    found = changes(Index(root, NoFacts(), 10_000_000).refresh(), "HEAD", 3, 10_000_000)
    assert [row.element for row in found.elsewhere] == ["gong.py#Gong.dust:5"]


def test_a_context_names_what_it_can_not_read(tmp_path):
    files = {
        "package.json": '{"name": "x", "dependencies": {"polka": "1", "express": "4"}}',
        "index.js": "export const x = 1\n",
        "App.hbs": "",
        "lib.zig": "",
        "more.zig": "",
    }
    found = context(snapshot_of(tmp_path, files), frozenset())
    assert found.not_understood == ("Polka (package.json)",)
    assert [(row.extension, row.files) for row in found.unread] == [(".zig", 2), (".hbs", 1)]


def test_imports_that_lead_to_no_file_are_counted_by_their_starts(tmp_path):
    files = {
        "src/there.ts": "export const a = () => 1\nexport const b = 2\n",
        "src/m.ts": 'import { a } from "$api/there/more"\nimport { b } from "$api/gone"\nimport { c } from "./no"\n',
        "src/n.ts": 'import { a } from "./there"\nimport x from "$app/stores"\nimport y from "express"\na()\n',
    }
    snapshot = snapshot_of(tmp_path, files)
    assert context(snapshot, frozenset()).own_imports == (
        "1 of 4 imports of the project's own files resolve",
        "$api/: 2 imports, no file ($api/there/more at src/m.ts:1)",
        "./: 1 import, no file (./no at src/m.ts:3)",
    )
    assert "$api/: 2 imports, no file" in (elsewhere(snapshot, element(snapshot, "a")).note or "")
    whole = snapshot_of(tmp_path, {**files, "src/m.ts": ""})
    assert context(whole, frozenset()).own_imports == ()
    assert elsewhere(whole, element(whole, "b")).note is None


@pytest.mark.parametrize(
    ("path", "text", "names"),
    [
        ("package.json", '{"devDependencies": {"polka": "1", "hono": "1"}}', ("Polka (package.json)",)),
        ("a/pyproject.toml", '[project]\ndependencies = ["Litestar[x]>=6", "flask"]\n',
         ("Litestar (a/pyproject.toml)",)),
        ("pyproject.toml", '[project.optional-dependencies]\nweb = ["django_ninja ; python_version > \'3\'"]\n',
         ("Django Ninja (pyproject.toml)",)),
        ("pyproject.toml", '[dependency-groups]\ndev = ["bottle", {include-group = "x"}]\n',
         ("Bottle (pyproject.toml)",)),
        ("pyproject.toml", '[tool.poetry.dependencies]\nlitestar = "*"\n', ("Litestar (pyproject.toml)",)),
        ("go.mod", "module x\n\nrequire (\n\tgithub.com/gin-gonic/gin v1\n\tgithub.com/beego/beego/v2 v2.0.0\n)\n",
         ("Beego (go.mod)",)),
        ("package.json", '{"dependencies": ["polka"]}', ()),
        ("pyproject.toml", "[project]\ndependencies = 3\n[dependency-groups]\nx = 1\n", ()),
        ("requirements.txt", "# web\n-r other.txt\nflask>=2\nFalcon[x] == 3  # here\n--hash=sha256:1\n",
         ("Falcon (requirements.txt)",)),
        ("a/requirements-dev.in", "git+https://x/litestar\nlitestar @ https://x/litestar.zip\nlitestar.ext\n",
         ("Litestar (a/requirements-dev.in)",)),
        ("requirements/web.txt", "litestar ; python_version > '3'\n", ("Litestar (requirements/web.txt)",)),
        ("Pipfile", '[packages]\nquart = "*"\n[dev-packages]\nbottle = {version = "*"}\n',
         ("Quart (Pipfile)", "Bottle (Pipfile)")),
        ("Pipfile", "[packages\n", ()),
        ("Pipfile", "packages = 3\n", ()),
        ("setup.cfg", "[options]\ninstall_requires =\n    falcon>=3; python_version>'3'\n    flask\n"
         "[options.extras_require]\nx = klein\n", ("Falcon (setup.cfg)", "Klein (setup.cfg)")),
        ("setup.cfg", "[metadata]\nname = x\n", ()),
        ("setup.cfg", "no section\n", ()),
        ("setup.py", "NEEDS = ['litestar>=6', 'flask']\nsetup(install_requires=NEEDS + ['klein'], name='falcon')\n",
         ("Litestar (setup.py)", "Klein (setup.py)")),
        ("setup.py", "setup(extras_require={'web': ['bottle']})\n", ("Bottle (setup.py)",)),
        ("setup.py", "setup(\n", ()),
        ("setup.py", f"setup(install_requires={'[' * 5000}'litestar'{']' * 5000})", ()),
        ("notes.txt", "litestar\n", ()),
        ("tsconfig.json", '{"dependencies": {"polka": "1"}}', ()),
    ],
)  # fmt: skip
def test_a_framework_that_is_not_understood_is_named(path: str, text: str, names: tuple[str, ...]):
    assert not_understood({path: text.encode()}) == names
