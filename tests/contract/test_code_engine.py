"""The contract of every CodeEngine: the same answers to the same questions, from its own process or not."""

import json
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import anyio
import pytest

from bearings.code.engine.native import NativeEngine
from bearings.code.engine.protocol import CodeEngine
from bearings.code.facts.store import NoFacts
from bearings.code.models import Confidence, EdgeKind, Language, SymbolKind
from bearings.code.questions.export import Export
from bearings.code.questions.impact import AskImpact
from bearings.code.questions.query import Query, QueryReply
from bearings.code.questions.scan import Scan
from bearings.code.questions.symbol import Describe
from bearings.code.replies.element import Element
from bearings.errors import Ambiguous, BearingsError, ElementNotFound, InvalidInput, PathNotAllowed, WriteFailed
from bearings.paging import encode
from tests.code.in_process import InProcessEngine
from tests.code.trees import SHOP, repository, write

pytestmark = pytest.mark.anyio

MAX = 100_000


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module", params=["direct", "worker"])
async def engine(request) -> AsyncIterator[CodeEngine]:
    made: CodeEngine
    if request.param == "direct":
        made = InProcessEngine(store=NoFacts(), max_file_bytes=MAX)
    else:
        made = NativeEngine(timeout_s=60, cache_dir=None, max_file_bytes=MAX)
    try:
        yield made
    finally:
        await made.aclose()


@pytest.fixture(scope="module")
def shop(tmp_path_factory) -> Path:
    """A project that no test changes: an engine starts one worker for it."""
    return repository(tmp_path_factory.mktemp("unchanged").resolve() / "shop", SHOP)


@pytest.fixture
def own_shop(tmp_path) -> Path:
    """The same, of one test."""
    return repository(tmp_path.resolve() / "shop", SHOP)


def counts(page: QueryReply) -> dict[str, int]:
    """The uses outside the project and the unresolved ones, by reason."""
    reasons = ("external", "builtin", "ambiguous", "unresolved")
    return {why: count for why in reasons if (count := getattr(page.unresolved, why))}


def ends(page: QueryReply) -> list[tuple[int, str, str]]:
    return [(hop.depth, hop.from_, hop.to) for hop in page.results]


BASKET, ADD, INIT = "shop/basket.py#Basket:4", "shop/basket.py#Basket.add:10", "shop/basket.py#Basket.__init__:7"
FILL, TAX, TEST = "shop/basket.py#fill:17", "shop/prices.py#with_tax:4", "tests/test_basket.py#test_total:4"


class TestIndex:
    @pytest.mark.slow
    async def test_every_answer_says_what_it_was_drawn_from(self, engine, shop):
        first = (await engine.ask(shop, Scan())).index
        assert (first.files, first.engine, engine.name) == (4, "native", "native")
        assert first.elements > 0
        assert first.took_ms > 0
        second = (await engine.ask(shop, Query(query_type="calls", element="fill"))).index
        assert (second.revision, second.elements) == (first.revision, first.elements)
        assert second.fresh_at > first.fresh_at

    @pytest.mark.slow
    async def test_no_answer_is_stale(self, engine, own_shop):
        for name in ("one", "two", "three"):
            write(own_shop, {"shop/new.py": f"def {name}(): pass\n"})
            page = (await engine.ask(own_shop, Scan(path="shop/new.py"))).value
            assert [symbol.name for symbol in page.elements] == [name]
        (own_shop / "shop/new.py").unlink()
        assert (await engine.ask(own_shop, Scan(path="shop/new.py"))).value.elements_found == 0

    async def test_an_empty_project_is_answered(self, engine, tmp_path):
        answer = await engine.ask(tmp_path.resolve(), Scan())
        assert (answer.value.elements_found, answer.index.files, answer.index.elements) == (0, 0, 0)

    @pytest.mark.slow
    async def test_several_projects_are_open_at_once(self, engine, shop, tmp_path):
        other = write(tmp_path.resolve() / "other", {"o.ts": "export function o() {}\n"})
        totals: dict[Path, set[int]] = {shop: set(), other: set()}

        async def asked(root: Path) -> None:
            totals[root].add((await engine.ask(root, Scan())).index.files)

        async with anyio.create_task_group() as group:
            for _ in range(10):
                group.start_soon(asked, shop)
                group.start_soon(asked, other)
        assert totals == {shop: {4}, other: {1}}

    @pytest.mark.slow
    async def test_progress_is_reported(self, engine, tmp_path):
        heard = []

        class Heard:
            def update(self, done: float, total: float | None, message: str) -> None:
                heard.append(message)

        root = write(tmp_path.resolve(), {f"f{number}.py": "A = 1\n" for number in range(20)})
        await engine.ask(root, Scan(), Heard())
        assert heard
        assert set(heard) <= {"listing files", "reading files", "resolving names"}

    @pytest.mark.slow
    async def test_odd_sources_are_answered(self, engine, tmp_path):
        root = write(
            tmp_path.resolve(),
            {
                "a.py": b"\xff\xfe def x",
                "b.ts": "class {{{",
                "c.py": "(" * 5000,
                "d.js": "\u202e evil\n",
                "e.py": b"\xef\xbb\xbfdef bom(): pass\n",
            },
        )
        answer = await engine.ask(root, Scan(types=[SymbolKind.MODULE]))
        assert [symbol.file for symbol in answer.value.elements] == ["a.py", "b.ts", "c.py", "d.js", "e.py"]
        assert answer.value.parse_errors > 0


def id_of(element: Element) -> str:
    """The id of an element in a reply."""
    return f"{element.file}#{element.qualified_name}:{element.line}"


class TestScan:
    @pytest.mark.slow
    async def test_lists_by_file_and_line_with_counts(self, engine, shop):
        page = (await engine.ask(shop, Scan())).value
        assert [(s.file, s.line) for s in page.elements] == sorted((s.file, s.line) for s in page.elements)
        assert page.elements_found == len(page.elements) == sum(page.by_type.values()) == sum(page.by_language.values())
        assert page.by_language == {Language.PYTHON: page.elements_found}
        assert SymbolKind.MODULE not in page.by_type

    @pytest.mark.slow
    async def test_filters_by_type_language_and_path(self, engine, own_shop):
        write(own_shop, {"web/app.tsx": "export function App() { return <p/> }\n", "web/x.ts": "export enum E { A }\n"})
        kinds = (await engine.ask(own_shop, Scan(types=[SymbolKind.CLASS]))).value
        assert [id_of(one) for one in kinds.elements] == [BASKET]
        languages = (await engine.ask(own_shop, Scan(languages=["tsx"]))).value
        assert [symbol.name for symbol in languages.elements] == ["App"]
        for path in ("web", "web/", "web/*", "/web/**", "*.ts*", "./web"):
            page = (await engine.ask(own_shop, Scan(path=path))).value
            assert {symbol.file for symbol in page.elements} == {"web/app.tsx", "web/x.ts"}, path
        assert (await engine.ask(own_shop, Scan(path="**/*.ts"))).value.by_language == {Language.TYPESCRIPT: 2}

    async def test_a_pattern_that_is_none_is_refused_or_matches_nothing(self, engine, shop):
        for path in ("!#src", "#x", "/", "//", "***/\\"):
            with suppress(InvalidInput):
                assert (await engine.ask(shop, Scan(path=path))).value.elements_found == 0, path

    async def test_pages_hold_everything_once(self, engine, shop):
        whole = (await engine.ask(shop, Scan())).value
        seen: list[Element] = []
        cursor = None
        while len(seen) < whole.elements_found:
            page = (await engine.ask(shop, Scan(most=3, cursor=cursor))).value
            assert page.page.offset == len(seen)
            seen += page.elements
            cursor = encode(page.page.offset + len(page.elements), page.page.identity)
        assert seen == whole.elements

    @pytest.mark.slow
    async def test_a_cursor_of_another_list_is_refused(self, engine, own_shop):
        page = (await engine.ask(own_shop, Scan(most=3))).value
        cursor = encode(3, page.page.identity)
        with pytest.raises(InvalidInput, match="another list"):
            await engine.ask(own_shop, Scan(most=3, cursor=cursor, types=[SymbolKind.CLASS]))
        write(own_shop, {"shop/new.py": "NEW = 1\n"})
        with pytest.raises(InvalidInput, match="another list") as caught:
            await engine.ask(own_shop, Scan(most=3, cursor=cursor))
        assert caught.value.field == "cursor"

    @pytest.mark.slow
    async def test_the_fast_pass_is_another_pass_over_the_same_tree(self, engine, own_shop):
        exact = await engine.ask(own_shop, Scan())
        fast = await engine.ask(own_shop, Scan(use_ast=False))
        assert fast.index.revision == exact.index.revision
        found = {id_of(one) for one in fast.value.elements}
        assert {BASKET, ADD, INIT, FILL, TAX, TEST} <= found
        assert all(symbol.end_line == symbol.line for symbol in fast.value.elements)
        write(own_shop, {"shop/prices.py": "def net(): pass\n"})
        (own_shop / "tests/test_basket.py").unlink()
        again = (await engine.ask(own_shop, Scan(use_ast=False, types=[SymbolKind.FUNCTION]))).value
        assert [symbol.name for symbol in again.elements] == ["fill", "net"]

    @pytest.mark.slow
    async def test_says_what_was_left_out(self, engine, own_shop):
        write(own_shop, {"shop/big.py": "#" * (MAX + 1), "node_modules/x/y.js": ""})
        page = (await engine.ask(own_shop, Scan())).value
        assert [(left.path, left.reason) for left in page.skipped] == [
            ("shop/big.py", "too large"),
            ("node_modules/", "excluded by default (installed or generated)"),
        ]
        assert sum(page.skipped_by_reason.values()) == 2


class TestQuery:
    async def ask(self, engine: CodeEngine, root: Path, *parts: str, **more: object) -> QueryReply:
        query_type, target = parts
        question = Query(query_type=query_type, element=target, **more)  # type: ignore[arg-type]
        return (await engine.ask(root, question)).value

    @pytest.mark.slow
    async def test_calls(self, engine, shop):
        page = await self.ask(engine, shop, "calls", "fill", max_depth=1)
        assert ends(page) == [(1, FILL, INIT), (1, FILL, ADD)] or ends(page) == [(1, FILL, BASKET), (1, FILL, ADD)]
        deep = await self.ask(engine, shop, "calls", "fill", max_depth=2)
        assert (2, ADD, TAX) in ends(deep)
        assert {hop.type for hop in deep.results} <= {EdgeKind.CALL, EdgeKind.NEW}

    async def test_calls_me(self, engine, shop):
        page = await self.ask(engine, shop, "calls-me", "with_tax", max_depth=3)
        assert ends(page) == [(1, ADD, TAX), (2, FILL, ADD), (3, TEST, FILL)]
        assert all(hop.confidence is not Confidence.HEURISTIC for hop in page.results)
        assert ends(await self.ask(engine, shop, "calls-me", "with_tax")) == [(1, ADD, TAX)]

    async def test_a_class_stands_for_what_it_contains(self, engine, shop):
        page = await self.ask(engine, shop, "calls-me", "Basket", max_depth=1)
        assert {source for _, source, _ in ends(page)} == {FILL, TEST}
        assert (1, ADD, TAX) in ends(await self.ask(engine, shop, "calls", "Basket", max_depth=1))

    async def test_imports_go_from_file_to_file(self, engine, shop):
        page = await self.ask(engine, shop, "imports", "tests/test_basket.py", max_depth=3)
        assert [(depth, source) for depth, source, _ in ends(page)] == [
            (1, "tests/test_basket.py"),
            (2, "shop/basket.py"),
        ]
        of_symbol = await self.ask(engine, shop, "imports", "test_total", max_depth=1)
        assert of_symbol.results == [page.results[0]]

    async def test_imports_me(self, engine, shop):
        for target in ("shop/prices.py", "with_tax"):
            page = await self.ask(engine, shop, "imports-me", target, max_depth=3)
            assert [(depth, source) for depth, source, _ in ends(page)] == [
                (1, "shop/basket.py"),
                (2, "tests/test_basket.py"),
            ], target
        assert (await self.ask(engine, shop, "imports-me", "Basket")).results_found == 0

    async def test_depends_on_leaves_out_what_stays_inside(self, engine, shop):
        page = await self.ask(engine, shop, "depends-on", "shop/basket.py", max_depth=1)
        assert {hop.type for hop in page.results} >= {EdgeKind.IMPORT, EdgeKind.CALL}
        assert all(hop.to.startswith("shop/prices.py") for hop in page.results)
        back = await self.ask(engine, shop, "depends-on-me", "shop/basket.py", max_depth=1)
        assert back.results
        assert all(hop.file == "tests/test_basket.py" for hop in back.results)

    async def test_path(self, engine, shop):
        page = await self.ask(engine, shop, "path", "with_tax", source="test_total")
        assert ends(page) == [(1, TEST, FILL), (2, FILL, ADD), (3, ADD, TAX)]
        assert page.source == TEST
        short = await self.ask(engine, shop, "path", "with_tax", source="test_total", max_depth=2)
        assert (short.results_found, "pass max_depth=3" in (short.note or "")) == (0, True)
        back = await self.ask(engine, shop, "path", "test_total", source="with_tax")
        assert (back.results_found, "the other way round there is one" in (back.note or "")) == (0, True)
        same = await self.ask(engine, shop, "path", "Basket", source="Basket.add")
        assert (same.results_found, "contains" in (same.note or "")) == (0, True)

    async def test_source_is_for_path_and_path_needs_it(self, engine, shop):
        with pytest.raises(InvalidInput, match="required"):
            await self.ask(engine, shop, "path", "fill")
        with pytest.raises(InvalidInput, match="path only"):
            await self.ask(engine, shop, "calls", "fill", source="with_tax")

    @pytest.mark.slow
    async def test_an_empty_answer_says_what_it_means(self, engine, own_shop):
        page = await self.ask(engine, own_shop, "calls-me", "test_total")
        assert page.note == "No call of test_total was found in 4 files."
        write(own_shop, {"shop/late.py": "def lonely(): pass\n\n\ndef f(x):\n    return x.lonely()\n"})
        page = await self.ask(engine, own_shop, "calls-me", "lonely")
        assert "1 unresolved call sites are named lonely" in (page.note or "")
        assert [(one.file, one.line, one.why, one.text) for one in page.open_sites] == [
            ("shop/late.py", 5, "unresolved", "return x.lonely()")
        ]

    @pytest.mark.slow
    async def test_uses_that_lead_outside_are_counted(self, engine, own_shop):
        page = await self.ask(engine, own_shop, "calls", "Basket.total")
        assert (page.results_found, counts(page)) in [(0, {"external": 1}), (0, {"builtin": 1}), (0, {"unresolved": 1})]
        assert "no call of anything in the project" in (page.note or "")
        imports = await self.ask(engine, write(own_shop, {"o.py": "import os\n"}), "imports", "o.py")
        assert counts(imports) in ({"external": 1}, {"builtin": 1})

    @pytest.mark.slow
    async def test_what_leads_outside_is_told_by_kind_with_its_sites(self, engine, own_shop):
        source = (
            "import requests\n\n\nclass A:\n    def run(self): ...\n\n\nclass B:\n    def run(self): ...\n\n\n"
            "def outer(flag):\n    one = A()\n    if flag:\n        one = B()\n\n    def inner(given):\n"
            "        one.run()\n        given.run()\n        print(requests.get('x'))\n\n    return inner\n"
        )
        page = await self.ask(engine, write(own_shop, {"four.py": source}), "calls", "outer.inner")
        assert counts(page) == {"ambiguous": 1, "unresolved": 1, "external": 1, "builtin": 1}
        told = {one.name: one.why for one in page.open_sites}
        assert told == {"one.run": "ambiguous", "given.run": "unresolved"}
        assert sorted(one.why for one in page.unresolved.sites) == ["builtin", "external"]
        callers = await self.ask(engine, own_shop, "calls-me", "A.run")
        assert "2 unresolved call sites are named run" in (callers.note or "")

    @pytest.mark.slow
    async def test_pages_hold_everything_once(self, engine, shop):
        whole = await self.ask(engine, shop, "depends-on-me", "with_tax")
        first = await self.ask(engine, shop, "depends-on-me", "with_tax", most=2)
        cursor = encode(2, first.page.identity)
        rest = await self.ask(engine, shop, "depends-on-me", "with_tax", most=100, cursor=cursor)
        assert first.results + rest.results == whole.results
        with pytest.raises(InvalidInput, match="another list"):
            await self.ask(engine, shop, "depends-on-me", "fill", cursor=cursor)


class TestElsewhere:
    """Evidence beside "nobody uses it": the same from every engine that reads the files itself."""

    FILES = {  # noqa: RUF012 - never changed
        **SHOP,
        "shop/cash.py": "class Till:\n    def ring(self):\n        pass\n\n    def _mute(self):\n        pass\n",
        "shop/page.jinja": "{{ till.ring() }}\n",
        "shop/late.py": "def later(till):\n    till.ring()\n",
    }

    @pytest.mark.slow
    async def test_no_user_is_known_but_other_lines_hold_the_word(self, engine, tmp_path):
        root = write(tmp_path.resolve() / "shop", self.FILES)
        page = (await engine.ask(root, Query(query_type="calls-me", element="Till.ring"))).value
        assert page.results_found == 0
        assert "its word on other lines: 2 (elsewhere)" in (page.note or "")
        assert [(one.file, one.line, one.where) for one in page.elsewhere.shown] == [
            ("shop/late.py", 2, "code"),
            ("shop/page.jinja", 1, "text"),
        ]
        detail = (await engine.ask(root, Describe(element="Till.ring"))).value
        assert detail.elsewhere == page.elsewhere
        assert [(site.file, site.line) for site in detail.unresolved_sites] == [("shop/late.py", 2)]
        impact = (await engine.ask(root, AskImpact(element="Till.ring"))).value
        assert impact.elsewhere == page.elsewhere

    @pytest.mark.slow
    async def test_only_a_word_that_stands_nowhere_else_is_unused(self, engine, tmp_path):
        root = write(tmp_path.resolve() / "shop", self.FILES)
        question = Query(query_type="depends-on-me", element="Till._mute")
        page = (await engine.ask(root, question)).value
        assert (page.elsewhere.places, page.elsewhere.unused) == (0, True)
        write(root, {"notes.txt": "call _mute\n"})
        page = (await engine.ask(root, question)).value
        assert (page.elsewhere.places, page.elsewhere.unused) == (1, False)

    async def test_nothing_is_searched_where_users_are_known(self, engine, shop):
        assert (await engine.ask(shop, Query(query_type="calls-me", element="with_tax"))).value.elsewhere is None
        assert (await engine.ask(shop, Query(query_type="calls", element="with_tax"))).value.elsewhere is None
        assert (await engine.ask(shop, Describe(element="with_tax"))).value.elsewhere is None

    async def test_a_scan_names_files_and_frameworks_that_are_not_understood(self, engine, tmp_path):
        files = {
            "package.json": '{"dependencies": {"polka": "2"}}',
            "a.js": "export const x = 1\n",
            "b.hbs": "",
            "c.md": "",
        }
        root = write(tmp_path.resolve() / "web", files)
        page = (await engine.ask(root, Scan(types=[SymbolKind.ENDPOINT]))).value
        assert [(row.extension, row.files) for row in page.unread] == [(".hbs", 1)]
        assert "Endpoints of these frameworks are not understood: «Polka (package.json)»." in (page.note or "")
        assert "Koa" not in ((await engine.ask(root, Scan())).value.note or "")


class TestTargets:
    @pytest.mark.parametrize(
        ("element", "spellings"),
        [
            (
                ADD,
                [
                    "add",
                    "Basket.add",
                    "shop/basket.py#add",
                    "shop/basket.py#Basket.add",
                    ADD,
                    f"@M/{ADD}",
                    f"@M/{ADD}{{a=b}}",
                    "./" + ADD,
                    "basket#add",
                    " add ",
                ],
            ),
            ("shop/basket.py", ["shop/basket.py", "@F/shop/basket.py", "basket.py", "shop/basket"]),
        ],
        ids=["method", "module"],
    )
    async def test_an_element_has_many_spellings(self, engine, shop, element, spellings):
        for spelling in spellings:
            page = (await engine.ask(shop, Query(query_type="calls", element=spelling))).value
            assert page.target == element, spelling

    async def test_an_absolute_path_inside_the_project_will_do(self, engine, shop):
        page = (await engine.ask(shop, Query(query_type="calls", element=f"{shop}/shop/basket.py"))).value
        assert page.target == "shop/basket.py"

    async def test_a_misspelt_element_is_answered_with_the_nearest(self, engine, shop):
        with pytest.raises(ElementNotFound) as caught:
            await engine.ask(shop, Query(query_type="calls", element="with_taxes"))
        assert TAX in caught.value.hint

    async def test_an_element_that_is_like_nothing_is_told_how_to_spell(self, engine, shop):
        with pytest.raises(ElementNotFound, match="qqqq") as caught:
            await engine.ask(shop, Describe(element="qqqqqqqqqq"))
        assert "coderef_scan" in caught.value.hint

    @pytest.mark.slow
    async def test_a_file_that_was_left_out_is_said_to_be(self, engine, own_shop):
        write(own_shop, {"dist/a.js": "", "big.py": "#" * (MAX + 1)})
        for target, reason in (("dist/a.js", "excluded"), ("big.py#x", "too large")):
            with pytest.raises(ElementNotFound, match=reason):
                await engine.ask(own_shop, Describe(element=target))

    @pytest.mark.slow
    async def test_several_matches_are_candidates_each_of_which_works(self, engine, own_shop):
        write(own_shop, {"shop/other.py": "def fill(): pass\n\n\ndef with_tax(): pass\n"})
        with pytest.raises(Ambiguous) as caught:
            await engine.ask(own_shop, Describe(element="fill"))
        assert caught.value.candidates == [FILL, "shop/other.py#fill:1"]
        for candidate in caught.value.candidates:
            found = (await engine.ask(own_shop, Describe(element=candidate))).value.element
            assert f"{found.file}#{found.qualified_name}:{found.line}" == candidate

    async def test_nonsense_names_nothing(self, engine, shop):
        for spelling in (" ", "#", "@F/", "./", "#:3", "x" * 5000, "@@", "{}", "../../etc/passwd", "/etc/passwd"):
            with pytest.raises((InvalidInput, ElementNotFound)):
                await engine.ask(shop, Describe(element=spelling))


class TestDescribe:
    async def test_tells_all_in_one_call(self, engine, shop):
        detail = (await engine.ask(shop, Describe(element="Basket.add"))).value
        assert detail.source == "    def add(self, price):\n        self.items.append(with_tax(price))"
        assert (detail.source_cut, detail.language) == (0, Language.PYTHON)
        assert [use.element for use in detail.callers.items] == [FILL]
        assert [use.element for use in detail.callees.items] == [TAX]
        assert [(test.element, test.depth) for test in detail.tests.items] == [(TEST, 2)]
        assert detail.callers.total == detail.callees.total == detail.tests.total == 1

    async def test_a_class_is_seen_from_outside(self, engine, shop):
        detail = (await engine.ask(shop, Describe(element="Basket"))).value
        assert {use.element for use in detail.callers.items} == {FILL, TEST}
        assert {use.element for use in detail.callees.items} == {TAX}

    @pytest.mark.slow
    async def test_a_function_that_calls_itself_is_its_own_caller(self, engine, own_shop):
        write(own_shop, {"r.py": "def again():\n    return again()\n"})
        detail = (await engine.ask(own_shop, Describe(element="again"))).value
        assert [use.element for use in detail.callers.items] == ["r.py#again:1"]

    @pytest.mark.slow
    async def test_long_texts_and_lists_are_cut_and_counted(self, engine, own_shop):
        lines = [f"    x{number} = {number}" for number in range(100)]
        calls = [f"def c{number}():\n    long()\n" for number in range(9)]
        write(own_shop, {"long.py": "\n".join(["def long():", *lines, "", *calls])})
        detail = (await engine.ask(own_shop, Describe(element="long", max_source=200, limit=4))).value
        assert len(detail.source) <= 200
        assert detail.source.count("\n") + 1 + detail.source_cut == 101
        assert (detail.callers.total, len(detail.callers.items)) == (9, 4)

    @pytest.mark.slow
    async def test_text_is_that_of_the_file_as_it_is(self, engine, own_shop):
        for number in range(5):
            write(own_shop, {"now.py": "\r\n" * number + f"def now():\r\n    return {number}\r\n"})
            detail = (await engine.ask(own_shop, Describe(element="now"))).value
            assert detail.source == f"def now():\n    return {number}"


class TestExport:
    @pytest.mark.slow
    async def test_inline(self, engine, shop):
        exported = (await engine.ask(shop, Export())).value
        document = json.loads(exported.content)
        nodes = {node["id"]: node for node in document["nodes"]}
        assert nodes["shop/basket.py"]["type"] == "module"
        assert nodes[ADD] == {
            "id": ADD, "type": "method", "name": "add", "qualified_name": "Basket.add", "file": "shop/basket.py",
            "line": 10, "end_line": 11, "exported": True,
        }  # fmt: skip
        assert {"source": ADD, "target": TAX, "type": "call", "file": "shop/basket.py", "line": 11}.items() <= next(
            edge for edge in document["edges"] if edge["target"] == TAX and edge["type"] == "call"
        ).items()
        assert (exported.nodes_exported, exported.edges_exported) == (len(document["nodes"]), len(document["edges"]))
        assert exported.omitted == 0

    async def test_max_nodes_keeps_the_most_connected(self, engine, shop):
        exported = (await engine.ask(shop, Export(max_nodes=3))).value
        document = json.loads(exported.content)
        kept = {node["id"] for node in document["nodes"]}
        assert len(kept) == exported.nodes_exported == 3 < 3 + exported.omitted
        assert FILL in kept
        assert all({edge["source"], edge["target"]} <= kept for edge in document["edges"])

    async def test_inline_stays_within_its_room(self, engine, shop):
        for room in (0, 100, 1000, 2000):
            exported = (await engine.ask(shop, Export(max_chars=room))).value
            assert len(exported.content) <= max(room, len('{"nodes":[],"edges":[]}'))
            json.loads(exported.content)

    @pytest.mark.slow
    @pytest.mark.parametrize("absolute", [False, True])
    async def test_to_a_file_again_and_again(self, engine, own_shop, absolute):
        path = str(own_shop / "out.json") if absolute else "out.json"
        for _ in range(2):
            exported = (await engine.ask(own_shop, Export(output_path=path))).value
            assert (exported.path, exported.content) == ("out.json", None)
        assert len(json.loads((own_shop / "out.json").read_text())["nodes"]) == exported.nodes_exported
        assert sorted(path.name for path in own_shop.iterdir()) == [".git", "out.json", "shop", "tests"]

    @pytest.mark.slow
    async def test_never_outside(self, engine, own_shop):
        (own_shop / "link").symlink_to(own_shop.parent, target_is_directory=True)
        (own_shop / "dangling.json").symlink_to(own_shop.parent / "x")
        for path in ("../out.json", "/etc/out.json", "link/out.json", ".git/out.json", "shop/../../x", "dangling.json"):
            with pytest.raises(PathNotAllowed):
                await engine.ask(own_shop, Export(output_path=path))
            assert sorted(path.name for path in own_shop.parent.iterdir()) == ["shop"], path

    @pytest.mark.slow
    async def test_never_over_something_else_and_never_half(self, engine, own_shop):
        long = ("x" * 300, "x" * 20_000)
        for path in ("shop/basket.py", "shop", "nowhere/out.json", "", " ", "dir/", "shop/basket.py/x", *long):
            with pytest.raises((WriteFailed, InvalidInput)) as caught:
                await engine.ask(own_shop, Export(output_path=path))
            assert caught.value.hint
            assert (own_shop / "shop/basket.py").read_text() == SHOP["shop/basket.py"]
            assert sorted(path.name for path in own_shop.iterdir()) == [".git", "shop", "tests"], path


@pytest.mark.slow
async def test_after_any_error_the_next_answer_is_right(engine, own_shop):
    for question in (Query(query_type="calls", element="nobody"), Export(output_path="../x"), Scan(path="#x")):
        with pytest.raises(BearingsError):
            await engine.ask(own_shop, question)
        assert (await engine.ask(own_shop, Query(query_type="calls-me", element="with_tax"))).value.results_found == 1
