"""coderef_unused: what has no evidence of use is listed, whatever may have one is counted and left out."""

import asyncio
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from bearings.code.engine.project_sessions import ProjectSessions
from bearings.code.models import SymbolKind
from bearings.code.questions.symbol import Describe, SymbolReply
from bearings.code.questions.unused import AskUnused, UnusedReply
from bearings.code.service import CodeService
from bearings.errors import InvalidInput
from bearings.progress import NoProgress
from tests.code.in_process import InProcessEngine, MemoryFacts
from tests.code.trees import write


def asked(root: Path, files: dict[str, str], **more: Any) -> UnusedReply:
    write(root, files)

    async def ask() -> UnusedReply:
        service = CodeService(InProcessEngine(store=MemoryFacts(), max_file_bytes=1_000_000))
        reply: UnusedReply = await service.reply_to(str(root), AskUnused(**more))
        return reply

    return asyncio.run(ask())


def described(root: Path, element: str) -> SymbolReply:
    async def ask() -> SymbolReply:
        service = CodeService(InProcessEngine(store=MemoryFacts(), max_file_bytes=1_000_000))
        return await service.reply_to(str(root), Describe(element=element))

    return asyncio.run(ask())


def names(reply: UnusedReply) -> list[str]:
    return [row.element for row in reply.elements]


PYTHON = {
    "run.py": "import shop\n\n\ndef main():\n    shop.used()\n\n\nif __name__ == '__main__':\n    main()\n",
    "shop.py": (
        "def used():\n    return 1\n\n\ndef lonely():\n    return lonely\n\n\ndef named_in_text():\n    return 2\n\n\n"
        "class Alone:\n    def __len__(self):\n        return 0\n\n    def inside(self):\n        return 1\n\n\n"
        "class Heir(dict):\n    def called_by_dict(self):\n        return 1\n\n\n"
        "@register\ndef decorated():\n    return 1\n\n\nLIMIT = 3\n"
    ),
    "late.py": "import shop\n\nshop.used()\n",
    "page.hbs": "{{ named_in_text }}\n",
    "tests/test_shop.py": "import shop\n\n\ndef helper():\n    pass\n",
    "scripts/tidy.py": "def tidy():\n    pass\n",
    "script.py": "def loaded():\n    pass\n",
}


def test_what_has_no_edge_and_no_word_elsewhere_is_listed(tmp_path):
    reply = asked(tmp_path, PYTHON)
    assert names(reply) == [
        "shop.py#Alone:13", "shop.py#Alone.inside:17", "shop.py#Heir:21", "shop.py#LIMIT:31",
    ]  # fmt: skip
    assert (reply.unused_found, reply.lines) == (4, 6 + 2 + 3 + 1)
    assert [row.type for row in reply.elements] == ["class", "method", "class", "constant"]


def test_what_may_be_used_unseen_is_counted_by_reason(tmp_path):
    reply = asked(tmp_path, PYTHON)
    assert reply.left_out == {
        "called by convention": 3, "tests": 1, "examples, scripts, settings": 1, "in files that nothing imports": 1,
    }  # fmt: skip
    assert reply.loaded_by_path == ["script.py"]
    assert sum(reply.in_use.values()) + sum(reply.left_out.values()) + reply.unused_found == reply.looked_at
    assert [row.extension for row in reply.unread] == [".hbs"]
    text = reply.to_text()
    assert "4 of " in text
    assert "class shop.py#Alone:13 (6 lines)" in text
    assert "left out: 3 called by convention" in text
    assert "files that nothing imports: script.py" in text


def test_a_word_on_another_line_of_its_own_file_is_evidence(tmp_path):
    assert names(asked(tmp_path, PYTHON, kinds=[SymbolKind.FUNCTION])) == []


def test_kinds_and_path_limit_what_is_looked_at(tmp_path):
    reply = asked(tmp_path, PYTHON, kinds=[SymbolKind.CONSTANT], path="shop.py")
    assert (names(reply), reply.looked_at) == (["shop.py#LIMIT:31"], 1)
    nothing = asked(tmp_path, {}, path="nowhere/")
    assert (nothing.looked_at, nothing.note) == (0, "No element matches the question.")
    with pytest.raises(InvalidInput, match="path"):
        asked(tmp_path, {}, path="#x")


PACKAGES = {
    "py/pyproject.toml": "[project]\nname = 'shop'\n",
    "py/shop/__init__.py": "from shop import prices\n",
    "py/shop/prices.py": "def public():\n    pass\n\n\ndef _private():\n    pass\n",
    "js/package.json": '{"name": "cart", "main": "index.js"}',
    "js/index.js": "export function offered() {}\nexport * from './more.js'\nimport './inner.js'\n",
    "js/more.js": "export function passedOn() {}\nfunction kept() {}\n",
    "js/inner.js": "export function forgotten() {}\n",
    "go/go.mod": "module example.org/bank\n\ngo 1.21\n",
    "go/bank.go": "package bank\n\nfunc Public() {}\n\nfunc hidden() {}\n",
    "go/internal/vault.go": "package internal\n\nfunc Locked() {}\n",
    "go/cmd/pay/main.go": "package main\n\nfunc main() {}\n\nfunc Stray() {}\n",
}


def test_what_packages_offer_is_left_out_unless_it_is_asked_for(tmp_path):
    reply = asked(tmp_path, PACKAGES)
    assert names(reply) == [
        "go/bank.go#hidden:5", "go/cmd/pay/main.go#Stray:5", "go/internal/vault.go#Locked:3",
        "js/inner.js#forgotten:1", "js/more.js#kept:2", "py/shop/prices.py#_private:5",
    ]  # fmt: skip
    assert reply.left_out["offered by a package"] == 4
    everything = asked(tmp_path, PACKAGES, exports=True)
    assert {row.rpartition("#")[2] for row in set(names(everything)) - set(names(reply))} >= {"public:1", "Public:3"}


def test_packages_offer_what_a_pattern_or_any_field_names(tmp_path):
    reply = asked(
        tmp_path,
        {
            "ui/package.json": '{"name": "ui", "typings": "t.d.ts", "exports": {"./*": {"import": "./dist/*.js"}}}',
            "ui/t.d.ts": "export function typed(): void\n",
            "ui/src/forms/button.tsx": "export function Button() {}\nfunction Hidden() {}\n",
            "use.ts": "import './ui/t'\nimport './ui/src/forms/button'\nimport './use'\n",
        },
    )
    assert names(reply) == ["ui/src/forms/button.tsx#Hidden:2"]
    assert reply.left_out == {"offered by a package": 2}


def test_functions_that_are_values_and_members_of_literals_are_not_judged(tmp_path):
    reply = asked(
        tmp_path,
        {
            "a.js": "import './b.js'\n",
            "b.js": (
                "import './a.js'\nrun(function named() {})\nconst t = { f: function inner() {}, g() {} }\nrun(t)\n"
                "function declared() {}\nclass A { [Symbol.iterator]() {} toString() {} }\nrun(A)\n"
            ),
        },
    )
    assert names(reply) == ["b.js#declared:5"]
    assert reply.left_out["functions handed over where they are written"] == 2


def test_what_a_library_calls_or_a_call_stores_is_not_judged(tmp_path):
    reply = asked(
        tmp_path,
        {
            "a.ts": "import './b'\nimport './c'\n",
            "b.ts": (
                "import './a'\nconst all: object[] = []\n"
                "export const kept = <T extends object>(one: T): T => { all.push(one); return one }\n"
                "export const same = <T>(one: T): T => one\n"
                "export const open = kept({})\nexport const shut = same({})\nconsole.log(all)\n"
            ),
            "c.ts": (
                "import './a'\nfunction listen(url: string) {\n  const socket = new WebSocket(url)\n"
                "  socket.onopen = () => {}\n}\nlisten('wss://example.org')\n"
                "configure({ onError(message) { return message } })\n"
            ),
            "d.py": "import e\n\nALL = []\n\n\ndef kept(x):\n    ALL.append(x)\n    return x\n\n\nOPEN = kept(1)\n",
            "e.py": "import d\n\nprint(d.ALL)\n",
        },
    )
    assert names(reply) == ["b.ts#shut:6"]
    assert reply.left_out == {"called by convention": 2, "values that a call may store": 2}


def test_pages_are_whole(tmp_path):
    files = {
        "a.py": "import b\n",
        "b.py": "import a\n" + "".join(f"def lonely_{n}():\n    pass\n\n\n" for n in range(25)),
    }
    seen: list[str] = []
    cursor = None
    for _ in range(10):
        reply = asked(tmp_path, files, limit=10, cursor=cursor)
        assert reply.omitted == 25 - len(seen) - len(reply.elements)
        seen += names(reply)
        cursor = reply.next_cursor
        if cursor is None:
            break
    assert seen == [f"b.py#lonely_{n}:{4 * n + 2}" for n in range(25)]
    with pytest.raises(InvalidInput, match="cursor"):
        asked(tmp_path, files, cursor="x")


def test_files_that_can_not_be_searched_are_said(tmp_path):
    write(tmp_path, {"a.py": "import b\n", "b.py": "import a\n\n\ndef lonely():\n    pass\n"})
    with (tmp_path / "big.sql").open("wb") as large:
        large.truncate(9_000_000)
    assert asked(tmp_path, {}).note == ("Not searched, as too large or unreadable: 1 files, which may use some.")


def test_a_name_that_code_may_compose_is_left_out(tmp_path):
    source = (
        "class Shop:\n    def _do_buy(self):\n        return 1\n\n    def _do_sell_now(self):\n        return 2\n\n"
        "    def run(self, kind, x):\n        print('_do_not')\n        return getattr(x, f'_do_{kind}_now')()\n\n\n"
        "Shop().run('sell', Shop())\n"
    )
    reply = asked(tmp_path, {"shop.py": source, "main.py": "import shop\n"})
    assert names(reply) == ["shop.py#Shop._do_buy:2"]
    assert reply.left_out["with names that code may compose"] == 1
    found = {name: described(tmp_path, name).elsewhere for name in ("_do_buy", "_do_sell_now")}
    assert {name: one.unused for name, one in found.items()} == {"_do_buy": True, "_do_sell_now": False}
    assert found["_do_sell_now"].note == "shop.py:10 may compose the name"


def test_classes_that_their_base_may_store_are_left_out(tmp_path):
    files = {
        "run.py": "import plug\n\nplug.run()\n",
        "plug.py": (
            "class Told:\n    all = []\n\n    def __init_subclass__(cls):\n        Told.all.append(cls)\n\n\n"
            "class Ant(Told): ...\nclass Bee(Ant): ...\n\n\n"
            "class Meta(type): ...\nclass Made(metaclass=Meta): ...\nclass Cat(Made): ...\n\n\n"
            "class Listed: ...\nclass Dog(Listed): ...\n\n\n"
            "import abc\nclass Plain(metaclass=abc.ABCMeta): ...\nclass Eel(Plain): ...\n\n\n"
            "def run():\n    return Told.all, Made, Listed.__subclasses__(), Plain\n"
        ),
    }
    assert names(asked(tmp_path, files)) == ["plug.py#Eel:23"]


def test_exported_methods_and_functions_of_packages_are_left_out(tmp_path):
    files = {
        "go.mod": "module shop\n",
        "main.go": 'package main\n\nimport "sort"\n\ntype byPrice []int\n\n'
        "func (b byPrice) Len() int { return len(b) }\n"
        "func (b byPrice) idle() {}\n\nfunc main() { sort.Sort(byPrice(nil)) }\nfunc Lost() {}\n",
        "cmd/root.go": "package cmd\n\nfunc Execute() {}\nfunc lost() {}\n",
    }
    assert names(asked(tmp_path, files)) == ["cmd/root.go#lost:4", "main.go#byPrice.idle:8", "main.go#Lost:11"]


def test_what_adds_to_a_declaration_of_a_library_is_not_judged(tmp_path):
    reply = asked(
        tmp_path,
        {
            "a.ts": (
                "import './b'\nimport web from 'web'\n\ndeclare module 'web' {\n  interface Request { user: string\n"
                "  }\n  type Extra = string\n}\ndeclare global {\n  interface Window { shop: string }\n}\n"
                "interface Plain { x: 1 }\nconsole.log(web)\n"
            ),
            "b.ts": "import './a'\n",
            "g.d.ts": "interface ImportMeta { env: object }\ntype Lone = 1\n",
        },
    )
    assert names(reply) == ["a.ts#Plain:12", "g.d.ts#Lone:2"]
    assert reply.left_out == {"called by convention": 4}


def test_a_constant_that_a_later_one_counts_on_is_not_judged(tmp_path):
    reply = asked(
        tmp_path,
        {
            "go.mod": "module example.org/m\n\ngo 1.22\n",
            "main.go": (
                "package main\n\nconst (\n\tfirst = iota\n\tsecond // of three\n\tthird\n\tfourth\n)\n\n"
                "const (\n\tone = 1\n\ttwo = 2\n)\n\nfunc main() { println(third, two) }\n"
            ),
        },
    )
    assert names(reply) == ["main.go#fourth:7", "main.go#one:11"]
    assert reply.left_out == {"constants that a later one counts on": 2}


def test_what_a_file_that_nothing_imports_exports_whole_is_not_judged(tmp_path):
    reply = asked(
        tmp_path,
        {
            "package.json": '{"name": "cart", "main": "dist/cart.bundle.js"}',
            "src/entry.ts": "export * from './more'\n",
            "src/more/index.ts": "export * from './prices'\n",
            "src/more/prices.ts": "export interface Price {}\ninterface Hidden {}\n",
        },
    )
    assert names(reply) == ["src/more/prices.ts#Hidden:2"]
    assert reply.loaded_by_path == ["src/entry.ts"]


def test_methods_of_what_a_library_gets_are_not_judged(tmp_path):
    reply = asked(
        tmp_path,
        {
            "a.py": (
                "import falcon\n\nimport b\n\n\nclass Carts:\n    def on_get(self):\n        pass\n\n\n"
                "class Bags:\n    def on_post(self):\n        pass\n\n\nclass Kept:\n    def lonely(self):\n        1\n"
                "\n\napp = falcon.App()\napp.add_sink(Carts())\nbags = Bags()\napp.add_sink(bags)\n"
                "isinstance(Kept(falcon.x()), Kept)\n"
            ),
            "b.py": "import a\n",
            "c.ts": (
                "import './d'\nimport { table } from 'tables'\nclass View {\n  ignoreMutation() {}\n}\n"
                "table.configure({\n  View: View,\n})\nexport const stop = table.subscribe(() => 1)\n"
            ),
            "d.ts": "import './c'\n",
        },
    )
    assert names(reply) == ["a.py#Kept.lonely:17"]
    assert reply.left_out == {"called by convention": 3, "values that a call may store": 1}


def test_what_is_written_where_it_is_handed_over_is_not_judged(tmp_path):
    reply = asked(
        tmp_path,
        {
            "a.ts": (
                "import './b'\nimport { Server } from 'web'\nclass Shop {\n  constructor() {\n"
                "    new Server({ allowRequest: async (one) => one })\n  }\n}\nnew Shop()\n"
                "export const bound = () => {\n  return function useCart() {}\n}\nbound()\nif (Shop) {\n"
                "  customElements.define(\n    'x-cart',\n    // tag\n    class Cart extends HTMLElement {},\n  )\n}\n"
                "// of the shop,\nfunction gone() {}\nclass Plugin {\n  close() {}\n}\n"
                "window.registerPlugin('shop', new Plugin())\nclass Kept {\n  lonely() {}\n}\nconsole.log(new Kept())\n"
            ),
            "b.ts": "import './a'\n",
        },
    )
    assert names(reply) == ["a.ts#gone:21", "a.ts#Kept.lonely:27"]
    assert reply.left_out == {"functions handed over where they are written": 2, "called by convention": 2}


@pytest.mark.parametrize("tool", ["mage", "ruleguard"])
def test_what_a_tool_of_go_runs_by_name_is_not_judged(tmp_path, tool):
    code = f"//go:build {tool}\n\npackage main\n\nfunc Build() {{}}\n\nfunc helper() {{}}\n"
    reply = asked(tmp_path, {"go.mod": "module example.org/m\n\ngo 1.22\n", "magefile.go": code})
    assert names(reply) == ["magefile.go#helper:7"]
    reply = asked(tmp_path, {"magefile.go": code.replace(tool, f"!{tool}").replace("main", "shop")}, exports=True)
    assert names(reply) == ["magefile.go#Build:5", "magefile.go#helper:7"]


def test_a_class_below_one_of_a_package_is_not_judged(tmp_path):
    reply = asked(
        tmp_path,
        {
            "a.py": (
                "import b\nfrom shops import Shop, shop\n\n\n"
                "class First(Shop):\n    class Meta:\n        def bind(self): ...\n\n\n"
                "class Heir(First):\n    pass\n\n\nclass Wrong(ValueError):\n    pass\n\n\n"
                "@shop(\n    1,\n    2,\n)\nclass Decorated:\n    pass\n\n\n"
                "class Plain:\n    class Meta:\n        def lost(self): ...\n"
            ),
            "b.py": "import a\n",
        },
    )
    assert names(reply) == ["a.py#Wrong:14", "a.py#Plain:26", "a.py#Plain.Meta.lost:28"]


def test_what_go_hands_to_other_programs_is_not_judged(tmp_path):
    code = (
        "package main\n\n//export Pay\nfunc Pay() {}\n\n// ship sends.\n//\n//go:wasmexport ship_it\nfunc ship() {}\n\n"
        "// That one is not.\nfunc lonely() {}\n\nfunc main() {}\n"
    )
    manifest, other = "module example.org/m\n\ngo 1.22\n", "package main\n\nfunc f() {}\n"
    reply = asked(tmp_path, {"go.mod": manifest, "main.go": code, "testdata/x/main.go": other})
    assert names(reply) == ["main.go#lonely:12"]
    assert reply.left_out["examples, scripts, settings"] == 1


def test_what_a_pattern_loads_is_not_listed(tmp_path):
    reply = asked(
        tmp_path,
        {
            "a.ts": (
                "import './b'\nconst all = import.meta.glob('./carts/*.vue')\n"
                "const more = import.meta.glob('./bags/*.ts')\nconsole.log(all, more)\n"
            ),
            "b.ts": "import './a'\n",
            "carts/FirstCart.vue": "<template><i /></template>\n",
            "bags/one.ts": "export function pack() {}\nfunction hidden() {}\n",
        },
    )
    assert names(reply) == ["bags/one.ts#hidden:2"]
    assert reply.in_use == {"by its word": 2, "by an edge": 2}


def test_a_component_is_imported_without_what_else_its_file_exports(tmp_path):
    component = "<script>\nexport function gone() {}\nexport default { name: 'C' }\n</script>\n"
    reply = asked(tmp_path, {"a.js": "import C from './c.vue'\nC.x()\nimport './a'\n", "c.vue": component})
    assert names(reply) == ["c.vue#gone:2"]


def test_methods_of_what_only_the_project_gets_are_judged(tmp_path):
    code = (
        "import b\nimport lib\nclass Used:\n    def lonely(self): ...\n    def live(self): ...\n"
        "    def chained(self): return self\nu = Used()\nlib.run(u.live())\nlib.each(Used().live())\n{more}"
    )
    table = (
        "class Listed:\n    def alone(self): ...\nTABLE = {\n    'a': Listed\n}\nTABLE['a']()\n"
        "class Checked:\n    def single(self): ...\ndef check(data):\n    lib.assert_type(data, Checked)\ncheck(b)\n"
    )
    reply = asked(tmp_path, {"a.py": code.format(more=table), "b.py": "import a\n"})
    assert names(reply) == [
        "a.py#Used.lonely:4",
        "a.py#Used.chained:6",
        "a.py#Listed.alone:11",
        "a.py#Checked.single:17",
    ]
    more = table.replace("TABLE['a']()", "lib.run(TABLE['a']())") + "lib.run(u.chained())\n"
    reply = asked(tmp_path, {"a.py": code.format(more=more), "b.py": "import a\n"})
    assert names(reply) == ["a.py#Checked.single:17"]
    more = table.replace("TABLE['a']()", "for one in TABLE.values():\n    lib.run(one)")
    reply = asked(tmp_path, {"a.py": code.format(more=more), "b.py": "import a\n"})
    assert "a.py#Listed.alone:11" not in names(reply)


DEAD = {
    "dead.py": "class Alpha{0}:\n    def beta{0}(self):\n        return 1\n\n\ndef delta{0}():\n    return 1\n\n\n",
    "dead.ts": "interface Alpha{0} {{\n}}\nclass Beta{0} {{\n  gamma{0}() {{}}\n}}\nfunction delta{0}() {{}}\n",
    "dead.go": "type alpha{0} struct {{\n}}\n\nfunc (a alpha{0}) beta{0}() {{\n}}\n\nconst delta{0} = 1\n",
}


def calls_of_an_answer(root: Path, files: dict[str, str]) -> int:
    """The calls of functions that the elements of a project take, after its files were read."""
    write(root, files)
    session, question, count = ProjectSessions(root, MemoryFacts(), 1_000_000), AskUnused(), 0
    session.answer(question, NoProgress())

    def called(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(called)
    session.answer(question, NoProgress())
    sys.setprofile(None)
    return count


@pytest.mark.slow
@pytest.mark.parametrize("path", DEAD)
def test_twice_as_many_dead_elements_take_twice_the_work(tmp_path, path):
    few, many = (
        calls_of_an_answer(tmp_path / str(number), {path: "".join(map(DEAD[path].format, range(number)))})
        for number in (100, 200)
    )
    assert many < 2.2 * few


def test_what_frameworks_look_for_in_a_module_is_not_judged(tmp_path):
    page = "export const revalidate = 60\nexport function total() {}\nfunction load() {}\n"
    reply = asked(tmp_path, {"app/page.tsx": page, "b.ts": "import './app/page'\nimport './b'\n"})
    assert names(reply) == ["app/page.tsx#total:2", "app/page.tsx#load:3"]
    assert reply.left_out == {"called by convention": 1}


def test_modules_that_are_handed_over_whole_are_not_judged(tmp_path):
    reply = asked(
        tmp_path,
        {
            "main.ts": (
                "import './late'\nimport * as schema from './schema'\nimport * as rates from './rates'\n"
                "import { drizzle } from 'drizzle'\ndrizzle({ schema })\nrates.used()\n"
            ),
            "schema/index.ts": "export * from './users'\n",
            "schema/users.ts": "export const userRows = 1\nexport type Row = 1\nconst own = 2\n",
            "rates.ts": "export const used = () => 1\nexport const spare = 2\n",
            "late.js": (
                "import './main'\nconst events = require('./events')\nObject.keys(events)\n"
                "const all = { ...require('./more') }\nimport('./parts')\nuse(all)\n"
            ),
            "events.js": "export const onPay = () => 1\n",
            "more.js": "export function onSend() {}\n",
            "parts.js": "export const part = 1\n",
            "rates.test.ts": "import * as rates from './rates'\nrun({ ...rates })\n",
        },
    )
    assert names(reply) == ["parts.js#part:1", "rates.ts#spare:2", "schema/users.ts#Row:2", "schema/users.ts#own:3"]
    assert reply.left_out == {"in modules that are handed over whole": 3}


HANDED = """import './b'
class Listed { one() {} }
class Short { two() {} }
class Named { three() {} }
class Keyed { four() {} }
class Made { five() {} }
class Own { six() {}
  run(name) { return this[name]() } }
class Kept { seven() {} }
class Moved { eight() {} }
interface Given { nine(): void }
export const all = [Listed]
const short = new Short()
const named = new Named()
const moved = new Moved()
export const context = {
  short,
}
named[process.argv[2]]()
export function call(it: Keyed, key: keyof Keyed, kept: Kept) { return it[key]() }
export const make = () =>
  new Made()
new Own()["run"]("x")
new Kept()
export function told(given: Given) {}
export { moved }
"""


def test_methods_of_what_code_hands_on_are_not_judged(tmp_path):
    uses = "import { all, call, context, make, told } from './a'\nuse(all, call, context, make, told)\n"
    reply = asked(tmp_path, {"a.ts": HANDED, "b.ts": uses})
    assert names(reply) == ["a.ts#Kept.seven:9", "a.ts#Moved.eight:10"]
    assert reply.left_out == {"called by convention": 7}


def test_values_of_calls_with_effects_are_not_judged(tmp_path):
    code = (
        "import './b'\nimport { shop } from 'shop'\nclass Game { constructor() { shop.open() } }\n"
        "const game = new Game()\nconst observer = new MutationObserver(() => 1)\n"
        "const stop = shop.onOpen(() => 1)\nconst rates = new Map()\nconst total = shop.total()\n"
    )
    reply = asked(tmp_path, {"a.ts": code, "b.ts": "import './a'\n"})
    assert names(reply) == ["a.ts#rates:7", "a.ts#total:8"]
    assert reply.left_out == {"values that a call may store": 3}


def test_tests_of_types_and_what_helps_tests_are_not_judged(tmp_path):
    files = dict.fromkeys(("cart.test-d.ts", "testUtils/icons.ts", "__fixtures__/cart.ts"), "export const spare = 1\n")
    assert asked(tmp_path, files).left_out == {"examples, scripts, settings": 2, "tests": 1}


def test_what_gives_itself_away_and_what_a_page_calls_is_not_judged(tmp_path):
    code = (
        "import './b'\nimport { lib } from 'lib'\nclass Given { constructor() { lib.attach('x', this) }\n  one() {} }\n"
        "class Own { constructor() { this.two = this.two.bind(this) }\n  three() {} }\nnew Given()\nnew Own()\n"
    )
    page = "function onMapReady() {}\nfunction spare() {}\n"
    files = {"a.js": code, "b.js": "import './a'\nimport './page'\n", "page.js": page}
    reply = asked(tmp_path, files)
    assert names(reply) == ["a.js#Own.three:6", "page.js#spare:2"]
    assert reply.left_out == {"called by convention": 2}


SCANNED = {
    "run.py": "import own\nimport plain, marks, pick\nimport shop.base, shop.load, shop.rules\nown.run()\n",
    "own.py": (
        "def filter_a(): ...\ndef run():\n    return [one for name, one in globals().items() if name in 'x']\n\n\n"
        "class Base:\n    def go(self):\n        return [name for name in dir(self)]\n\n\n"
        "class Heir(Base):\n    def found(self): ...\n\n\nHeir().go()\n"
    ),
    "plain.py": "def filter_b(): ...\nclass Alone:\n    def lost(self): ...\n\n\nAlone()\n",
    "marks.py": (
        "def pytest_configure(): ...\ndef configured(): ...\ndef _jupyter_labextension_paths(): ...\n"
        "class Sums:\n    def test_sum(self): ...\n"
        "    def _sums(self):\n        '''\n        >>> 1 + 1\n        2\n        '''\n\n\nSums()\n"
    ),
    "pick.py": (
        "class Plugin: ...\nclass Mark: ...\nclass Plain: ...\nMADE = Mark()\nOTHER = Plain()\n"
        "class Found(Plugin): ...\nclass Lost(Plain): ...\n\n\ndef picked(module):\n"
        "    for one in vars(module).values():\n        if issubclass(one, Plugin) or isinstance(one, Mark):\n"
        "            yield one\n\n\npicked(1)\n"
    ),
    "shop/base.py": "LIMIT = 1\ndef loose(): ...\n",
    "shop/settings.py": "from shop.base import *\nOPEN = 1\n",
    "manage.py": "import os\nos.environ['X_MODULE'] = 'shop.settings'\n",
    "shop/rules.py": "def is_paid(): ...\n",
    "shop/load.py": "from importlib import import_module\nRULES = vars(import_module('shop.rules'))\nprint(RULES)\n",
}
"""Code that goes through what modules and classes declare, and what a framework takes by the name of its module."""


def test_what_code_goes_through_is_not_judged(tmp_path):
    reply = asked(tmp_path, SCANNED)
    assert names(reply) == [
        "marks.py#configured:2", "pick.py#OTHER:5", "pick.py#Lost:7", "plain.py#filter_b:1", "plain.py#Alone.lost:3",
        "shop/base.py#loose:2",
    ]  # fmt: skip
    assert reply.left_out["in modules that a string names"] == 3
    found = {name: described(tmp_path, name).elsewhere for name in ("filter_a", "filter_b", "Heir.found")}
    assert {name: one.unused for name, one in found.items()} == {
        "filter_a": False, "filter_b": True, "Heir.found": False,
    }  # fmt: skip


NAMED = {
    "site/manage.py": "import os\nos.environ.setdefault('DJANGO_SETTINGS_MODULE', 'settings')\n",
    "site/settings.py": "CACHES = {}\nMIDDLEWARE = ['shop.middleware.Basket']\n",
    "other/settings.py": "LIMIT = 1\n",
    "run.py": "import shop.middleware, other.settings, board\nshop.middleware.Plain()\n",
    "shop/middleware.py": (
        "class Basket:\n    def process_view(self): ...\n    def _tidy(self): ...\n\n\n"
        "class Plain:\n    def process_all(self): ...\n"
    ),
    "tests/test_plain.py": "NAME = 'shop.middleware.Plain'\n",
    "board.pyi": "def light() -> int: ...\n",
    "api_stubs/motor.py": "def turn():\n    pass\n",
}
"""What a setting names for a framework, and what is only declared for an editor."""


def test_what_settings_name_and_stubs_declare_is_not_judged(tmp_path):
    reply = asked(tmp_path, NAMED)
    assert names(reply) == [
        "other/settings.py#LIMIT:1", "shop/middleware.py#Basket._tidy:3", "shop/middleware.py#Plain.process_all:7",
    ]  # fmt: skip
    assert reply.left_out["in stubs"] == 2


LISTED = {
    "run.py": (
        "import steps as s, tables, spare, proxy\nfrom rpc import Calls, Kept\n\n\n"
        "def migrate(db, module):\n    for name, step in module.__dict__.items():\n        step(db)\n\n\n"
        "migrate(1, s)\nprint(dir(tables))\nprint(spare)\n"
        "proxy.Proxy(\n    1, Calls\n)\nproxy.Plain(1, Kept)\n"
    ),
    "steps.py": "def m001_first(db): ...\n",
    "tables.py": "def rows(): ...\n",
    "spare.py": "def idle(): ...\n",
    "proxy.py": (
        "class Proxy:\n    def __init__(self, api, cls):\n        self.inner = cls(api)\n\n"
        "    def _dispatch(self, method, args):\n        return getattr(self.inner, method)(*args)\n\n\n"
        "class Plain:\n    def __init__(self, api, cls):\n        self.inner = cls(api)\n"
    ),
    "rpc.py": "class Calls:\n    def power(self): ...\n\n\nclass Kept:\n    def lost(self): ...\n",
}
"""A module whose functions another goes through, and classes whose methods are taken by computed names, or not."""


def test_what_code_of_the_project_looks_up_is_not_judged(tmp_path):
    reply = asked(tmp_path, LISTED)
    assert names(reply) == ["proxy.py#Proxy._dispatch:5", "rpc.py#Kept.lost:6", "spare.py#idle:1"]


def test_a_beginning_that_code_compares_with_is_left_out(tmp_path):
    code = (
        "import web\n\n\nclass Bag:\n    def _get_red_price(self): ...\n    def _get_red(self): ...\n"
        "    def _is_red_price(self): ...\n\n\nBag()\n\n\ndef run(one):\n{}\n"
    )
    loop = "    return [name for name in dir(one) if name.startswith('_get_') and name.endswith('_price')]"
    assert names(asked(tmp_path, {"a.py": code.format("    return '_get_', one"), "b.py": "import a\na.run(1)\n"})) == [
        "a.py#Bag._get_red_price:5", "a.py#Bag._get_red:6", "a.py#Bag._is_red_price:7",
    ]  # fmt: skip
    assert names(asked(tmp_path, {"a.py": code.format(loop)})) == []
    assert names(asked(tmp_path, {"a.py": code.format(loop.partition(" and ")[0] + "]")})) == [
        "a.py#Bag._is_red_price:7"
    ]


def test_members_that_outside_code_gets_with_another_class_or_by_a_variable_are_not_judged(tmp_path):
    code = (
        "import lib\n\n\nclass Mixed:\n    def chosen(self): ...\n\n\nclass Web(lib.View): ...\n"
        "class View(Mixed, Web): ...\n\n"
        "class Plain:\n    def lost(self): ...\n\n\nclass Other(Plain): ...\n\n\nprint(View, Other)\n\n\n"
        "class Listener:\n    def heard(self): ...\n\n\nclass Kept:\n    def idle(self): ...\n\n\n"
        "def run():\n    listener, kept = 1, Kept()\n    listener = Listener()\n    lib.browse(\n        1,\n"
        "        listener,\n    )\n    lib.run(kept=kept.x)\n\n\n"
        "class Form:\n    def validate_name(self): ...\n\n\nclass Field:\n    form = Form\n\n\nprint(Field)\n"
    )
    reply = asked(tmp_path, {"a.py": code, "b.py": "import a\na.run()\n"})
    assert names(reply) == ["a.py#Plain.lost:12", "a.py#Kept.idle:26"]


def test_a_program_that_a_build_leaves_out_makes_no_command_of_its_folder(tmp_path):
    files = {
        "go.mod": "module example.org/m\n\ngo 1.22\n",
        "server/gen.go": "//go:build ignore\n\npackage main\n\nfunc main() {}\n",
        "server/server.go": "package server\n\nconst Offered = 1\n\nconst lost = 1\n",
    }
    assert names(asked(tmp_path, files)) == ["server/server.go#lost:5"]


def test_a_value_that_a_key_or_a_constructor_stores_is_not_judged(tmp_path):
    code = (
        "ALL = {}\n\n\ndef made(name):\n    ALL[name] = one = object()\n    return one\n\n\n"
        "class Base:\n    def __init__(self, name):\n        self.name = name\n"
        "        lib.all[name] = self  # found by name\n\n\n"
        "class Told(Base): ...\n\n\n"
        "class Plain:\n    def __init__(self, name):\n        self.name = lib.x(self.y, name)\n\n\n"
        "KEYED = made('a')\nTOLD = Told('b')\nPLAIN = Plain('c')\nprint(ALL)\n"
    )
    reply = asked(tmp_path, {"a.py": "import lib\n" + code, "b.py": "import a\n"})
    assert names(reply) == ["a.py#PLAIN:26"]
    assert reply.left_out == {"values that a call may store": 2}


def test_a_class_that_a_runner_of_tests_finds_is_not_judged(tmp_path):
    code = (
        "import unittest\n\n\nclass Base(unittest.TestCase): ...\nclass Carts(Base): ...\nclass Lost(ValueError): ...\n"
    )
    assert names(asked(tmp_path, {"checks.py": code, "b.py": "import checks\n"})) == ["checks.py#Lost:6"]


def test_what_a_script_declares_for_others_is_not_judged(tmp_path):
    files = {
        "pac.js": "function isInNet() {\n  function inner() {}\n}\nclass Host {\n  lost() {}\n}\n",
        "own.js": "import './more.js'\nfunction lonely() {}\n",
        "more.js": "import './own.js'\n",
    }
    reply = asked(tmp_path, files)
    assert names(reply) == ["own.js#lonely:2", "pac.js#isInNet.inner:2", "pac.js#Host.lost:5"]
    assert reply.loaded_by_path == ["pac.js"]


def test_a_value_that_a_type_counts_is_not_judged(tmp_path):
    code = (
        "package main\n\ntype Colour int\n\nconst (\n\tred Colour = iota + 1\n\tblue\n)\n\n"
        "const (\n\tplain Colour = 3\n\tlone = iota\n\tlast\n)\n\nfunc main() { println(Colour(2)) }\n"
    )
    reply = asked(tmp_path, {"go.mod": "module example.org/m\n\ngo 1.22\n", "main.go": code})
    assert names(reply) == ["main.go#plain:11", "main.go#lone:12", "main.go#last:13"]
    assert reply.left_out == {"values of a type that counts them": 2}


JAVA = {
    "pom.xml": "<project/>\n",
    "src/main/java/shop/Shop.java": """package shop;
import lib.Handler;
import lib.Bean;
public class Shop extends Handler {
    private static final long serialVersionUID = 1;
    private static final int LONELY = 1, READ = 2;
    private static final Apart KEPT = new Apart();
    public static void main(String[] given) { new Shop().run(READ); }
    void run(int count) { }
    void maybeCalledByHandler() { }
    private void dead() { dead(); }
    @Bean Object made() { return null; }
    @Deprecated
    @Bean Object alsoMade() { return null; }
    @Deprecated private void old() { }
    String getName() { return ""; }
    Runnable task() { return new Runnable() { public void finish() { } }; }
}
class Apart { void lone() { } }
class Broken extends Exception { }
@Bean class Found {
    void inside() { }
}
class Started { public static void main(String[] given) { } }
interface Sold { void offered(); }
""",
    "src/main/resources/META-INF/services/lib.Spi": "shop.Named\n",
    "src/main/java/shop/Named.java": "package shop;\nclass Named { }\n",
}


PHP = {
    "composer.json": '{"type": "project"}\n',
    "app/Shop.php": """<?php
namespace App;
use Lib\\Handler;
class Shop extends Handler {
    const LONELY = 1;
    private const DEAD = 1;
    public function maybeCalledByHandler() { }
    private function dead() { $this->dead(); }
    /** @Given a shop */
    private function given() { }
    #[Bean] private function made() { }
    #[\\Override] private function old() { }
}
class Cart {
    const LONELY_TOO = 1;
    public function __get($name) { }
    public function lone() { }
    public function getName() { }
    public function onSold() { }
    public function addLine() { }
}
#[Entity] class Line { public function addPart() { } }
class Looking {
    public function inside() { }
    function run($name) { $this->{'in' . $name}(); }
}
trait Priced { public function mixedIn() { } }
class Priceable extends Handler { use Priced; }
class Gone { function __construct() { } }
class Broken extends \\Exception { }
class ShopPolicy { public function sell() { } }
class Listener { public function handle() { } }
interface Rule { }
class RuleOne implements Rule { }
class Step { }
class StepOne extends Step { }
class StepTwo extends Step { } class StepThree extends StepTwo { }
class Kernel { use Lib\\Routes; private function routed() { } }
class Format { }
class FormatOne extends Format { }
class FormatTwo extends Format { }
function total() { new FormatTwo; }
""",
    "app/Maps/CartMap.php": "<?php\nnamespace App\\Maps;\nclass CartMap { }\n",
    "routes/maps.php": "<?php\nlogin(new ('App\\\\Maps\\\\' . $name . 'Map'));\n",
    "routes/web.php": "<?php\nRoute::get('/', [App\\Shop::class, 'x']);\nlogin(Cart::class, Looking::class);\n",
}


def test_what_nothing_uses_in_php_is_listed(tmp_path: Path) -> None:
    reply = asked(tmp_path, PHP)
    path = "app/Shop.php#"
    assert [name.removeprefix(path) for name in names(reply)] == [
        "Shop.DEAD:6", "Shop.dead:8", "Shop.old:12", "Cart.LONELY_TOO:15", "Cart.lone:17", "Cart.addLine:20",
        "Gone:29", "Broken:30", "FormatOne:40", "total:42",
    ]  # fmt: skip
    assert reply.left_out == {
        "called by convention": 10,
        "of classes below those of libraries, which may use them": 6,
        "annotated, so that a framework may use them": 3,
        "of classes that may be found by what they extend": 3,
        "accessors, which frameworks call by the name of a property": 1,
    }


def test_what_a_library_of_php_offers_is_left_out(tmp_path: Path) -> None:
    files = {"composer.json": "{}\n", "src/Cart.php": "<?php\nclass Cart { private function dead() { } }\n"}
    reply = asked(tmp_path, files)
    assert (names(reply), reply.left_out) == (["src/Cart.php#Cart.dead:2"], {"offered by a package": 1})


def test_what_nothing_uses_in_java_is_listed(tmp_path: Path) -> None:
    reply = asked(tmp_path, JAVA, exports=True)
    path = "src/main/java/shop/Shop.java#"
    assert [name.removeprefix(path) for name in names(reply)] == [
        "Shop.LONELY:6", "Shop.dead:11", "Shop.old:15", "Apart.lone:19", "Broken:20", "Found.inside:22",
        "Sold:25",
    ]  # fmt: skip
    assert reply.left_out == {
        "annotated, so that a framework may use them": 3,
        "called by convention": 4,
        "values that a call may store": 1,
        "accessors, which frameworks call by the name of a property": 1,
        "of classes below those of libraries, which may use them": 2,
    }


CSHARP = {
    "Shop.cs": """namespace Shop;
using Lib;
public partial class Shop : Handler {
    private const int Lonely = 1, Read = 2;
    static void Main() { new Shop().Run(Read); }
    void Run(int count) { Changed += OnChanged; new List<int>().Sorted(); }
    public void MaybeCalledByHandler() { }
    private void Dead() { Dead(); }
    [Route] object Made() => null;
    [Obsolete]
    [Route] object AlsoMade() => null;
    [Obsolete, MethodImpl(1)] private void Old() { }
    public string Name { get; set; }
    protected override void Finish() { }
    void ISold.Offered() { }
    partial void OnLoaded();
    public static Shop operator +(Shop a, Shop b) => a;
    public static int GetWidth(object o) => 1;
    public static readonly object WidthProperty = Register("Width");
}
class Apart { public void Lone() { } }
class Broken : Exception { }
[Route] class Found {
    public void Inside() { }
}
class PricedAttribute : Attribute { public string Text { get; set; } }
[Priced] interface ISold { void Offered(); }
static class Texts { public static int Twice(this int n) => n * 2; public static int Thrice(this int n) => n; }
static class Sorts { static int Sorted(this Shop one) => 1; }
static class Blocks { extension(Shop shop) { public int Blocked() => 1; } }
interface IModule { }
class Carts : IModule { public int Sum() => 1.Thrice(); }
""",
    "Index.cs": "namespace System.Runtime;\nclass Index { public int FromEnd() => 1; }\n",
}


def test_what_nothing_uses_in_csharp_is_listed(tmp_path: Path) -> None:
    reply = asked(tmp_path, CSHARP, exports=True)
    assert [name.removeprefix("Shop.cs#") for name in names(reply)] == [
        "Shop.Lonely:4", "Shop.Dead:8", "Shop.Old:12", "Apart:21", "Apart.Lone:21", "Broken:22", "Found.Inside:24",
        "Texts.Twice:28", "Carts:32", "Carts.Sum:32",
    ]  # fmt: skip
    assert reply.left_out == {
        "called by convention": 7,
        "annotated, so that a framework may use them": 3,
        "of classes below those of libraries, which may use them": 1,
        "accessors, which frameworks call by the name of a property": 1,
        "classes of methods that may be called on values of other types": 1,
    }
    found = {**CSHARP, "Modules.cs": "class Modules { static void Main() { a.GetExportedTypes(); } }\\n"}
    assert "Carts:31" not in {name.removeprefix("Shop.cs#") for name in names(asked(tmp_path, found, exports=True))}
