"""Each rule by which an element is used in files that do not hold its name, and sources to which none applies."""

import pytest

from bearings.code.languages import language_of
from bearings.code.parse import parse_file
from bearings.code.resolve.demand.escapes import NAMELESS, Escapes, Names, escapes


def of(path: str, source: str, *, known: Names | None = None, is_called: bool = True) -> Escapes:
    language = language_of(path)
    assert language is not None
    return escapes(
        parse_file(path, language, source.encode()), known or Names(frozenset({"total"})), is_called=is_called
    )


@pytest.mark.parametrize(
    ("path", "source", "own", "makers", "tables"),
    [
        ("a.ts", "function total() {}\nexport { total as sum }", {"sum"}, set(), set()),
        ("a.ts", "export { total as sum } from './b'", {"sum"}, set(), set()),
        ("a.ts", "import { total as sum } from './b'\nexport { sum as count }", {"count"}, set(), set()),
        ("a.ts", "import { total as sum } from './b'", set(), set(), set()),
        ("a.py", "from b import total as sum", {"sum"}, set(), set()),
        ("a.ts", "const prices = { sum: total }", {"sum"}, set(), {"prices"}),
        ("a.ts", "export const sum = total", {"sum"}, set(), set()),
        ("a.ts", "function Cart() {}\nCart.sum = total", {"sum"}, set(), set()),
        ("a.ts", "class Cart { kind: typeof total }", {"kind"}, set(), set()),
        ("a.py", "class Cart:\n    kind: type[total]", {"kind"}, set(), set()),
        ("a.ts", "customElements.define('my-total', total)", {"MyTotal", "my-total"}, set(), set()),
        ("a.py", "import pytest\n@pytest.fixture(name='sum')\ndef total(): pass", {"sum"}, set(), set()),
        ("a.ts", "function make() { return total }", set(), {"make"}, set()),
        ("a.py", "def make():\n    def total(): pass\n    return total", set(), {"make"}, set()),
        ("a.py", "def make() -> type[total]: ...", set(), {"make"}, set()),
        ("a.py", "HANDLERS = [total, tax]", set(), set(), {"HANDLERS"}),
        ("a.py", "HANDLERS = {'t': total}", set(), set(), {"HANDLERS"}),
        ("a.py", "def run():\n    local = [total]", set(), set(), set()),
        ("a.ts", "total()\nconst x = total(1)\nexport { x as y }", set(), set(), set()),
    ],
)  # fmt: skip
def test_a_file_gives_these_names(path: str, source: str, own: set[str], makers: set[str], tables: set[str]) -> None:
    names = of(path, source).names
    assert (set(names.own), set(names.makers), set(names.tables)) == (own, makers, tables)


@pytest.mark.parametrize(
    ("source", "is_whole"),
    [
        ("export default function total() {}", True),
        ("function total() {}\nexport default memo(total)", True),
        ("module.exports = total", True),
        ("export default [total]", True),
        ("export default other", False),
        ("export { default } from './total'", False),
    ],
)
def test_importers_may_give_any_name_to_what_is_the_whole_export(source: str, is_whole: bool) -> None:
    assert of("a.ts", source).is_whole is is_whole


def test_what_a_maker_returns_is_passed_on() -> None:
    known = Names(frozenset({"total"}), makers=frozenset({"make"}))
    assert of("a.ts", "const prices = { sum: make() }", known=known).names.own == {"sum"}
    assert of("a.ts", "import { make as build } from './b'\nexport { build as b }", known=known).names.makers == {"b"}


def test_only_what_can_be_called_is_used_by_a_call_of_what_gives_it() -> None:
    source = "const prices = [total]\nfunction make() { return total }\nexport { total as count }"
    assert of("a.ts", source, is_called=False).names == Names(frozenset({"count"}))


@pytest.mark.parametrize(
    ("source", "own", "properties", "objects"),
    [
        ("const SIDES = { left: total }", set(), {"left"}, {"SIDES"}),
        ("export const ALL = { sides: { left: total } }", set(), {"left"}, {"sides"}),
        ("const SIDES = { left: total }\nexport const ALL = { ...SIDES, right: 1 }", set(), {"left"}, {"SIDES", "ALL"}),
        ("const SIDES = { left: total }\nexport { SIDES as PAGES }", set(), {"left"}, {"SIDES", "PAGES"}),
        ("const SIDES = { left: total }\nexport default SIDES", {"left"}, {"left"}, {"SIDES"}),
        ("export default { left: total }", {"left"}, {"left"}, set()),
        ("const ROWS = [{ left: total }]", set(), {"left"}, {"ROWS"}),
        ("function sides() { return { left: total } }", set(), {"left"}, {"sides"}),
        ("function sides() { const all = { left: total }; return all }", set(), {"left"}, {"sides"}),
        ("function sides() { const all = { left: total }; draw(all) }", set(), set(), set()),
        ("draw({ left: total })", set(), set(), set()),
    ],
)  # fmt: skip
def test_what_cannot_be_called_is_used_through_objects(
    source: str, own: set[str], properties: set[str], objects: set[str]
) -> None:
    names = of("a.ts", source, is_called=False).names
    assert (set(names.own), set(names.properties), set(names.objects)) == (own, properties, objects)


def test_what_holds_an_object_is_passed_on() -> None:
    known = Names(frozenset({"total"}), properties=frozenset({"left"}), objects=frozenset({"SIDES"}))
    source = "import { SIDES as PAGES } from './b'\nexport const ALL = { pages: PAGES }"
    assert of("a.ts", source, known=known, is_called=False).names.objects == {"pages"}


def test_a_file_may_get_an_element_without_a_name() -> None:
    known = Names(frozenset({"total", NAMELESS}))
    assert of("a.js", "const prices = { sum: require('./total') }", known=known).names.own == {"sum"}
