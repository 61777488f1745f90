"""Calls as models make them, none of which is as a schema says: what each is taken for, or why it is refused."""

from dataclasses import dataclass, field
from typing import Any

SHOP = {
    "shop/__init__.py": "",
    "shop/prices.py": (
        "RATE = 0.2\n\n\n"
        "def with_tax(amount):\n"
        '    """The amount with tax."""\n'
        "    return amount * (1 + RATE)\n"
    ),
    "shop/basket.py": (
        "from shop.prices import with_tax\n\n\n"
        "class Basket:\n"
        "    def __init__(self):\n"
        "        self.items = []\n\n"
        "    def add(self, price):\n"
        "        self.items.append(with_tax(price))\n\n"
        "    def total(self):\n"
        "        return sum(self.items)\n\n\n"
        "class Crate(Basket):\n"
        "    def total(self):\n"
        "        return 0\n"
    ),
    "tests/test_basket.py": (
        "from shop.basket import Basket\n\n\n"
        "class TestBasket:\n"
        "    def test_total(self):\n"
        "        assert Basket().total() == 0\n"
    ),
    "web/cart.ts": (
        'import { format } from "./format";\n\n'
        "export class Cart {\n"
        "  lines: number[] = [];\n\n"
        "  add(price: number): void {\n"
        "    this.lines.push(price);\n"
        "  }\n\n"
        "  label(): string {\n"
        "    return format(this.lines.length);\n"
        "  }\n"
        "}\n"
    ),
    "web/format.ts": "export function format(n: number): string {\n  return `${n}`;\n}\n",
    "depot/store.go": (
        "package depot\n\n"
        "type Store struct{ n int }\n\n"
        "func (s *Store) Put(n int) {\n"
        "\ts.n = Twice(n)\n"
        "}\n\n"
        "func Twice(n int) int {\n"
        "\treturn 2 * n\n"
        "}\n"
    ),
    "go.mod": "module example.org/me/depots\n\ngo 1.22\n",
}  # fmt: skip
"""A project in three languages, small enough to know every line."""

WITH_TAX = "shop/prices.py#with_tax:4"
ADD = "shop/basket.py#Basket.add:8"
TOTAL = "shop/basket.py#Basket.total:11"
BASKET = "shop/basket.py#Basket:4"
LABEL = "web/cart.ts#Cart.label:10"
PUT = "depot/store.go#Store.Put:5"
TWICE = "depot/store.go#Twice:9"
SEVERAL = "'{name}' names 2 elements; 2 are answered, the most used first."
TEST = "tests/test_basket.py#TestBasket.test_total:5"


@dataclass(frozen=True)
class Wrong:
    """One call. `means` is the element that is answered about; `replies` are fields of the reply.

    `notes` is what the reply says of the spelling; `refused` is the code of the error, for a call that means nothing.
    `proposes` are arguments of the call that the refusal proposes; an empty dict: it proposes none.
    """

    tool: str
    arguments: dict[str, Any]
    means: str = ""
    replies: dict[str, Any] = field(default_factory=dict)
    notes: str = ""
    refused: str = ""
    proposes: dict[str, Any] | None = None


def asks(element: Any, means: str, **others: Any) -> Wrong:
    """A question with this spelling of an element."""
    return Wrong("coderef_symbol", {"element": element, **others}, means)


def users(query_type: str, means: str, **others: Any) -> Wrong:
    """A query with this spelling of its type."""
    told = f"{query_type!r} means {means} here"
    return Wrong("coderef_query", {"query_type": query_type, "element": "with_tax", **others}, WITH_TAX,
                 {"query_type": means}, told)  # fmt: skip


CALLS = [
    # Other names of the element.
    Wrong("coderef_query", {"target": "with_tax", "query_type": "calls-me"}, WITH_TAX, {"note": None}),
    Wrong("coderef_symbol", {"symbol": "with_tax"}, WITH_TAX, notes="symbol is called element here"),
    Wrong("coderef_symbol", {"name": "with_tax"}, WITH_TAX, notes="name is called element here"),
    Wrong("coderef_impact", {"target": "with_tax"}, WITH_TAX),
    Wrong("coderef_impact", {"function_name": "with_tax", "operation": "rename"}, WITH_TAX, {"operation": "refactor"}),
    Wrong("coderef_complexity", {"elements": ["with_tax"]}, WITH_TAX),
    Wrong("coderef_complexity", {"file": "shop/prices.py"}, "shop/prices.py"),
    Wrong("coderef_complexity", {"file_path": "shop/basket.py", "line": 9}, ADD),
    Wrong("coderef_symbol", {"file": "shop/basket.py", "name": "add"}, ADD),
    Wrong("coderef_symbol", {"element": {"file": "shop/basket.py", "line": "9"}}, ADD),
    Wrong("coderef_symbol", {"query": "with_tax"}, WITH_TAX),
    Wrong("coderef_map", {"focus": "shop/basket.py:9"}, replies={"focus": ADD}),
    Wrong("coderef_diagram", {"element": "Basket.add", "type": "callGraph"}, ADD, {"diagram_type": "calls"}),
    # Other names of the rest, and other cases.
    Wrong("coderef_query", {"targetElement": "with_tax", "queryType": "calls-me", "maxDepth": 2}, WITH_TAX),
    Wrong("coderef_query", {"element": "with_tax", "query_type": "calls-me", "depth": "2"}, WITH_TAX),
    Wrong("coderef_query", {"element": "with_tax", "query_type": "calls-me", "limit": None, "cursor": ""}, WITH_TAX),
    Wrong("coderef_query", {"query_type": "path", "from": "Basket.add", "to": "with_tax"}, WITH_TAX,
          {"results_found": 1}),
    # Synonyms of query types.
    users("callers", "calls-me"),
    users("called_by", "calls-me"),
    users("usages", "depends-on-me"),
    users("references", "depends-on-me"),
    users("dependents", "depends-on-me"),
    users("imported-by", "imports-me"),
    users("callees", "calls"),
    users("dependencies", "depends-on"),
    Wrong("coderef_query", {"query_type": "calls_me", "element": "with_tax"}, WITH_TAX, {"query_type": "calls-me"}),
    Wrong("coderef_query", {"query_type": "Calls-Me", "element": "with_tax"}, WITH_TAX, {"query_type": "calls-me"}),
    Wrong("coderef_query", {"query_type": ["calls-me"], "element": ["with_tax"]}, WITH_TAX),
    Wrong("coderef_query", {"query_type": "implementations", "element": "Basket"}, BASKET, notes="means depends-on-me"),
    # Kinds, numbers, lists, truths.
    Wrong("coderef_scan", {"types": "Classes,functions"}, replies={"by_type": {"class": 5, "function": 3}}),
    Wrong("coderef_scan", {"types": ["Method"], "path": ["shop"]}, replies={"elements_found": 3}),
    Wrong("coderef_scan", {"kind": "struct", "language": "golang"}, replies={"elements_found": 1},
          notes="'struct' means class here"),
    Wrong("coderef_scan", {"types": "class", "limit": 99999, "use_ast": "True"}, notes="limit is at most 5000"),
    Wrong("coderef_scan", {"types": "const", "lang": ".py"}, replies={"by_type": {"constant": 1}}),
    Wrong("coderef_impact", {"element": "with_tax", "max_depth": "50"}, WITH_TAX, notes="max_depth is at most 10"),
    Wrong("coderef_export", {"format": "graphviz", "max_nodes": "2"}, replies={"format": "dot", "nodes_exported": 2}),
    Wrong("coderef_context", {"languages": "python", "output_format": "md"}, replies={"context": None}),
    Wrong("coderef_coverage", {"format": "full"}),
    Wrong("coderef_patterns", {"type": "error_handling", "top": 500}, notes="limit is at most 100"),
    # Places and names, as programs print them.
    asks("shop/basket.py:9", ADD),
    asks("shop/basket.py:9:14", ADD),
    asks("./shop/basket.py:8", ADD),
    asks("shop\\basket.py:9", ADD),
    asks("`Basket.add`", ADD),
    asks("Basket.add()", ADD),
    asks("basket.add(price)", ADD),
    asks("Basket#add", ADD),
    asks("Basket::add", ADD),
    asks("Basket->add", ADD),
    asks("shop.basket.Basket.add", ADD),
    asks("shop.prices.with_tax", WITH_TAX),
    asks("shop.prices:with_tax", WITH_TAX),
    asks("def with_tax(amount):", WITH_TAX),
    asks("with_tax in shop/prices.py", WITH_TAX),
    asks("shop/prices.py:with_tax", WITH_TAX),
    asks("shop/prices.py::with_tax", WITH_TAX),
    asks('  File "/app/shop/basket.py", line 9, in add', ADD),
    asks('Traceback (most recent call last):\n  File "/app/tests/test_basket.py", line 6, in test_total\n'
         '    assert Basket().total() == 0\n  File "/app/shop/basket.py", line 12, in total\nTypeError: no', TOTAL),
    asks('  File "/home/me/venv/lib/python3.12/site-packages/shop/basket.py", line 9, in add', ADD),
    asks("    at http://localhost:5173/web/cart.ts?t=17:11:12", LABEL),
    asks("shop/basket.py:9:        self.items.append(with_tax(price))", ADD),
    asks("shop/basket.py-9-        self.items.append(with_tax(price))", ADD),
    asks("shop/basket.py:9: error: Argument 1 has incompatible type  [arg-type]", ADD),
    asks("  /app/shop/basket.py:9:14 - error: No such attribute (reportAttributeAccessIssue)", ADD),
    asks("tests/test_basket.py::TestBasket::test_total", TEST),
    asks("FAILED tests/test_basket.py::TestBasket::test_total[1-x] - AssertionError", TEST),
    asks("    at Cart.label (/usr/src/app/web/cart.ts:11:12)", LABEL),
    asks("    at async file:///usr/src/app/web/cart.ts:11:12", LABEL),
    asks("web/cart.ts(11,12): error TS2345: Argument of type 'x'", LABEL),
    asks("web/cart.ts: line 11, col 12, Error - 'x' is not defined. (no-undef)", LABEL),
    asks("Cart.prototype.label", LABEL),
    asks("https://github.com/me/shop/blob/main/web/cart.ts#L10-L12", LABEL),
    asks("+++ b/web/cart.ts", "web/cart.ts"),
    asks("/usr/src/app/web/cart.ts", "web/cart.ts"),
    asks("example.org/me/depots/depot.(*Store).Put(0xc000012345, 0x2)", PUT),
    asks("\t/home/me/go/src/depots/depot/store.go:6 +0x1d", PUT),
    asks("depot.Twice", TWICE),
    asks("(*Store).Put", PUT),
    asks("  --> depot/store.go:10:9", TWICE),
    # Unknown names, and names of several elements.
    Wrong("coderef_symbol", {"element": "with_taxes"}, refused="element_not_found"),
    Wrong("coderef_symbol", {"element": "os.path.join"}, refused="element_not_found", proposes={}),
    Wrong("coderef_symbol", {"element": "zzzzzz"}, refused="element_not_found", proposes={}),
    Wrong("coderef_symbol", {"element": "shop/baskets.py:9"}, refused="element_not_found"),
    Wrong("coderef_symbol", {"element": "shop/basket.py:999"}, refused="element_not_found"),
    Wrong("coderef_symbol", {"element": "lib/basket.py"}, refused="element_not_found"),
    Wrong("coderef_symbol", {"element": "why does the total differ"}, refused="element_not_found", proposes={}),
    Wrong("coderef_symbol", {"element": "at total (/other/place.js:3:4)"}, refused="element_not_found"),
    Wrong("coderef_symbol", {"element": "total"}, replies={"namesakes": SEVERAL.format(name="total")}),
    Wrong("coderef_symbol", {"element": "add"}, replies={"namesakes": SEVERAL.format(name="add")}),
    Wrong("coderef_symbol", {"element": ""}, refused="invalid_input"),
    Wrong("coderef_symbol", {}, refused="invalid_input"),
    Wrong("coderef_symbol", {"element": 7}, refused="invalid_input"),
    Wrong("coderef_query", {"element": "with_tax"}, refused="invalid_input"),
    Wrong("coderef_query", {"element": "with_tax", "query_type": "everything"}, refused="invalid_input"),
    Wrong("coderef_query", {"element": "with_tax", "query_type": "calls", "source": "add"}, refused="invalid_input"),
    Wrong("coderef_query", {"element": "with_tax", "query_type": "calls", "max_depth": -1}, refused="invalid_input"),
    Wrong("coderef_query", {"element": "with_tax", "query_type": "calls", "tests": True}, refused="invalid_input"),
    Wrong("coderef_query", {"element": "with_tax", "target": "fill", "query_type": "calls"}, refused="invalid_input"),
    Wrong("coderef_scan", {"types": ["spoon"]}, refused="invalid_input"),
    Wrong("coderef_scan", {"languages": ["cobol"]}, refused="unsupported"),
    Wrong("coderef_scan", {"limit": 0, "cursor": "2"}, refused="invalid_input"),
    Wrong("coderef_scan", {"path": "[z-a]"}, refused="invalid_input"),
    Wrong("coderef_changes", {"base": "no-such-branch"}, refused="invalid_input"),
    # Calls that a refusal proposes name what the caller named, never a stranger.
    Wrong("coderef_remove", {"element": ["with_tax", "add"]}, refused="invalid_input",
          proposes={"element": "with_tax"}),
    Wrong("coderef_remove", {"element": "with_tax", "dry_run": "perhaps"}, refused="invalid_input",
          proposes={"element": "with_tax"}),
    Wrong("coderef_remove", {"dry_run": False}, refused="invalid_input", proposes={}),
    Wrong("coderef_remove", {"victim": "with_tax"}, refused="invalid_input", proposes={"element": "with_tax"}),
    Wrong("coderef_rename", {"element": "with_tax"}, refused="invalid_input",
          proposes={"element": "with_tax", "new_name": "with_tax_"}),
    Wrong("coderef_rename", {"old_name": "with_tax", "new_name": "class"}, refused="invalid_input",
          proposes={"element": "with_tax", "new_name": "class_"}),
    Wrong("coderef_rename", {"element": "with_tax", "new_name": "with vat"}, refused="invalid_input",
          proposes={"element": "with_tax", "new_name": "with_vat"}),
    Wrong("coderef_rename", {"element": ["with_tax", "add"], "new_name": "taxed"}, refused="invalid_input",
          proposes={"element": "with_tax", "new_name": "taxed"}),
    Wrong("coderef_query", {"element": ["with_tax", *["Basket"] * 10], "query_type": "calls-me"},
          refused="invalid_input", proposes={"element": ["with_tax", *["Basket"] * 9]}),
    Wrong("coderef_symbol", {"thing": "with_tax"}, refused="invalid_input", proposes={"element": "with_tax"}),
    Wrong("coderef_symbol", {"verbose": "yes", "thing": "with_tax", "other": "add"}, refused="invalid_input",
          proposes={}),
    Wrong("coderef_explore", {"question": ["with_tax", "Basket"]}, refused="invalid_input",
          proposes={"question": "with_tax"}),
    Wrong("coderef_explore", {"elements": ["with_tax", "Basket"]}, refused="invalid_input",
          proposes={"question": "with_tax"}),
    # Other names of both names of a rename.
    *(Wrong("coderef_rename", {old: "with_tax", new: "taxed"}, WITH_TAX, {"new_name": "taxed", "places": 3})
      for old, new in (("old_name", "new_name"), ("from", "to"), ("old", "new"), ("symbol", "newName"))),
]  # fmt: skip
