"""coderef_signature: heads, calls, bodies and documentation follow, or the place that forbids it is shown."""

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bearings.code.questions.signature import Signature, SignatureReply
from bearings.errors import InvalidInput, Unsupported
from tests.code.test_rename import ask, contents
from tests.code.trees import write


def change(root: Path, element: str, parameters: str, **arguments: Any) -> SignatureReply:
    given = {"dry_run": False, **arguments}
    reply: SignatureReply = ask(root, Signature(element=element, parameters=parameters, **given))
    return reply


def places(reply: SignatureReply) -> set[str]:
    return {f"{place.file}:{place.line}" for place in reply.refused}


CHANGED: Mapping[str, tuple[str, str, Mapping[str, Any], str, str]] = {
    "an added parameter with a value for calls": (
        "add", "a, b", {"values": {"b": "None"}},
        "def add(a):\n    return a\n\n\nadd(1)\nadd(a=2)\nadd(\n    3,  # three\n)\nadd(add(4))\n",
        "def add(a, b):\n    return a\n\n\nadd(1, None)\nadd(a=2, b=None)\nadd(\n    3,  # three\n    None,\n)\n"
        "add(add(4, None), None)\n",
    ),
    "an added parameter in front": (
        "add", "b, a=1", {"values": {"b": "0"}},
        "def add(a=1): ...\n\n\nadd()\nadd(5)\nadd(a=6)\n",
        "def add(b, a=1): ...\n\n\nadd(0)\nadd(0, 5)\nadd(0, a=6)\n",
    ),
    "an added parameter with a default": (
        "add", "a, b=1", {},
        "def add(a): ...\n\n\nadd(1)\nlist(map(add, [1]))\n",
        "def add(a, b=1): ...\n\n\nadd(1)\nlist(map(add, [1]))\n",
    ),
    "an added parameter before one that calls pass": (
        "add", "a, b=1, c=2", {},
        "def add(a, c=2): ...\n\n\nadd(1, 3)\nadd(1)\n",
        "def add(a, b=1, c=2): ...\n\n\nadd(1, c=3)\nadd(1)\n",
    ),
    "a removed parameter": (
        "add", "a, c", {},
        "def add(\n    a: int,\n    b: int,  # goes\n    c: int,\n) -> int:\n    return a + c\n\n\n"
        "add(1, 2, 3)\nadd(1, c=3, b=2)\nadd(\n    1,\n    2,\n    3,\n)\n",
        "def add(\n    a: int,\n    c: int,\n) -> int:\n    return a + c\n\n\n"
        "add(1, 3)\nadd(1, c=3)\nadd(\n    1,\n    3,\n)\n",
    ),
    "the last parameter, removed": (
        "add", "", {}, "def add(a): ...\n\n\nadd(1)\nadd(\n    a=1\n)\n", "def add(): ...\n\n\nadd()\nadd()\n",
    ),
    "parameters in another order": (
        "add", "b, a", {},
        "def add(a, b): ...\n\n\nadd(1, 2)\nadd(1, b=2)\nadd(b=3, a=1)\n",
        "def add(b, a): ...\n\n\nadd(2, 1)\nadd(a=1, b=2)\nadd(b=3, a=1)\n",
    ),
    "a renamed parameter with its body and documentation": (
        "add", "count: int = 1, *, other", {"renamed": {"n": "count"}},
        'def add(n: int = 1, *, other):\n    """Add.\n\n    :param n: how many n\n    """\n'
        "    def inner(m):\n        return n + m\n\n"
        "    return [n for n in (1,)], inner(n), dict(n=n), f'{n}', lambda n: n\n"
        "\n\nadd(1, other=2)\nadd(n=1, other=2)\n",
        'def add(count: int = 1, *, other):\n    """Add.\n\n    :param count: how many n\n    """\n'
        "    def inner(m):\n        return count + m\n\n"
        "    return [n for n in (1,)], inner(count), dict(n=count), f'{count}', lambda n: n\n"
        "\n\nadd(1, other=2)\nadd(count=1, other=2)\n",
    ),
    "a call in the body that passes a renamed parameter on": (
        "add", "x, b", {"renamed": {"a": "x"}},
        "def add(a, b):\n    return add(b, a) + add(a, b=a)\n",
        "def add(x, b):\n    return add(b, x) + add(x, b=x)\n",
    ),
    "an assignment in an argument": (
        "add", "*, a, b", {}, "def add(a, b): ...\n\n\nadd(c := 1, 2)\n",
        "def add(*, a, b): ...\n\n\nadd(a=(c := 1), b=2)\n",
    ),
    "defaults that stay in another order": (
        "add", "b=1, a", {}, "def add(a=0, b=2): ...\n\n\nadd(1)\n", "def add(b=1, a=0): ...\n\n\nadd(a=1)\n",
    ),
    "a parameter that is passed by name only": (
        "add", "a, *, b", {},
        "def add(a, b): ...\n\n\nadd(1, 2)\nadd(1, (2))\nadd(1, b=3)\n",
        "def add(a, *, b): ...\n\n\nadd(1, b=2)\nadd(1, b=(2))\nadd(1, b=3)\n",
    ),
    "a default that goes": (
        "add", "a, b: int", {}, "def add(a, b: int = 7): ...\n\n\nadd(1)\nadd(1, 2)\n",
        "def add(a, b: int): ...\n\n\nadd(1, 7)\nadd(1, 2)\n",
    ),
    "a type, and a default for calls": (
        "add", "a: int, b: str = ''", {}, "def add(a, b): ...\n\n\nadd(1, 2)\n",
        "def add(a: int, b: str = ''): ...\n\n\nadd(1, 2)\n",
    ),
    "open lists of parameters": (
        "add", "a, *rest, b=1, **more", {},
        "def add(a, *rest, **more): ...\n\n\nadd(1, 2, 3, x=4)\n",
        "def add(a, *rest, b=1, **more): ...\n\n\nadd(1, 2, 3, x=4)\n",
    ),
    "a list that is passed on": (
        "add", "a, b, *, c", {"values": {"c": "3"}},
        "def add(a, b): ...\n\n\ndef go(args, more):\n    add(*args)\n    add(1, **more)\n",
        "def add(a, b, *, c): ...\n\n\ndef go(args, more):\n    add(*args, c=3)\n    add(1, **more, c=3)\n",
    ),
    "a method with its overrides and calls through the class": (
        "Cart.add", "item, note", {"values": {"note": '"x"'}},
        "class Cart:\n    def add(self, item): ...\n\n    @classmethod\n    def of(cls, item):\n"
        "        cart = cls()\n        cart.add(item)\n        Cart.add(cart, item)\n        return cart\n\n\n"
        "class Big(Cart):\n    def add(self, item, size=1):\n        super().add(item)\n",
        "class Cart:\n    def add(self, item, note): ...\n\n    @classmethod\n    def of(cls, item):\n"
        "        cart = cls()\n        cart.add(item, \"x\")\n"
        "        Cart.add(cart, item, \"x\")\n        return cart\n\n\n"
        "class Big(Cart):\n    def add(self, item, note, size=1):\n        super().add(item, \"x\")\n",
    ),
    "an override with names and types of its own": (
        "Cart.add", "count, item: str", {"renamed": {"number": "count"}},
        "class Cart:\n    def add(self, item: str, number: int): ...\n\n\n"
        "class Big(Cart):\n    def add(self, thing: object, number: float) -> None:\n        print(thing, number)\n",
        "class Cart:\n    def add(self, count: int, item: str): ...\n\n\n"
        "class Big(Cart):\n    def add(self, count: float, thing: object) -> None:\n        print(thing, count)\n",
    ),
    "a parameter that goes with what overrides pass on": (
        "Cart.add", "item", {},
        "class Cart:\n    def add(self, item, note):\n        print(item)\n\n\n"
        "class Big(Cart):\n    def add(self, item, note):\n        super().add(item, note)\n",
        "class Cart:\n    def add(self, item):\n        print(item)\n\n\n"
        "class Big(Cart):\n    def add(self, item):\n        super().add(item)\n",
    ),
    "a method that is called through the class of an object": (
        "Cart.add", "b, a", {},
        "class Cart:\n    def add(self, a=1, b=2):\n        type(self).add(self, a, b)\n",
        "class Cart:\n    def add(self, b=2, a=1):\n        type(self).add(self, b, a)\n",
    ),
    "a method that is called through other classes": (
        "Cart.add", "b=2, a=1", {},
        "class Cart:\n    def add(self, a, b=2): ...\n\n\nclass Big(Cart): ...\n\n\ncart = Cart()\nBig.add(Big(), 1)\n"
        "type(cart).add(Cart(), 1)\nCart().__class__.add(Cart(), 1)\nCart().add(1)\n",
        "class Cart:\n    def add(self, b=2, a=1): ...\n\n\nclass Big(Cart): ...\n\n\ncart = Cart()\n"
        "Big.add(Big(), a=1)\ntype(cart).add(Cart(), a=1)\nCart().__class__.add(Cart(), a=1)\nCart().add(a=1)\n",
    ),
    "a constructor that gets an object of another name": (
        "Cart", "b=2, a=1", {},
        "class Cart:\n    def __init__(self, a, b=2): ...\n\n\nclass Big(Cart):\n    def __init__(me, a):\n"
        "        Cart.__init__(me, a)\n",
        "class Cart:\n    def __init__(self, b=2, a=1): ...\n\n\nclass Big(Cart):\n    def __init__(me, a):\n"
        "        Cart.__init__(me, a=a)\n",
    ),
    "comments behind the brackets and around the items": (
        "add", "b, a, c", {"values": {"c": "None"}},
        "def add(  # head\n    # before a\n    a,  # is a\n    # before b\n    b,\n    # end\n): ...\n\n\n"
        "add(  # call\n    # one\n    1,\n    # two\n    2,\n)\n",
        "def add(  # head\n    # before b\n    b,\n    # before a\n    a,  # is a\n    c,\n    # end\n): ...\n\n\n"
        "add(  # call\n    # two\n    2,\n    # one\n    1,\n    None,\n)\n",
    ),
    "arguments over a line that is continued": (
        "add", "b, a", {}, "def add(a, \\\n    b): ...\n\n\nadd(1, \\\n    2)\n",
        "def add(b, \\\n    a): ...\n\n\nadd(2, \\\n    1)\n",
    ),
    "a call in a string": (
        "add", "b, a", {}, "def add(a, b): ...\n\n\nprint(f'{add(1, 2)}')\n",
        "def add(b, a): ...\n\n\nprint(f'{add(2, 1)}')\n",
    ),
    "calls that stay as they are, whatever they call": (
        "Cart.add", "count, size=1", {"renamed": {"item": "count"}},
        "class Cart:\n    def add(self, item, size=1):\n        return vars(item)\n\n\ndef go(cart):\n"
        "    cart.add(1)\n"
        "    cart.add()\n    cart.add(1, 2, 3)\n    cart.add(*cart, 4, by=5)\n    [cart.add(1), Cart().add(2)]\n",
        "class Cart:\n    def add(self, count, size=1):\n        return vars(count)\n\n\ndef go(cart):\n"
        "    cart.add(1)\n"
        "    cart.add()\n    cart.add(1, 2, 3)\n    cart.add(*cart, 4, by=5)\n    [cart.add(1), Cart().add(2)]\n",
    ),
    "a decorator": (
        "add", "b, c=1", {"renamed": {"a": "b"}}, "def add(a, c=1):\n    return a\n\n\n@add\ndef f(): ...\n",
        "def add(b, c=1):\n    return b\n\n\n@add\ndef f(): ...\n",
    ),
    "a mapping or a list that is passed on behind what moves": (
        "add", "b, a, c=1", {},
        "def add(a, b, c=1): ...\n\n\ndef go(args, more):\n    add(1, 2, **more)\n    add(1, 2, *args, **more)\n",
        "def add(b, a, c=1): ...\n\n\ndef go(args, more):\n    add(2, 1, **more)\n    add(2, 1, *args, **more)\n",
    ),
    "overrides that take what stays by a list or a mapping": (
        "Cart.add", "count, size=0, *, by, more=None", {"renamed": {"item": "count"}},
        "class Cart:\n    def add(self, item, size=0, *, by): ...\n\n\nclass Big(Cart):\n"
        "    def add(self, item, *args, **named): ...\n\n\nclass Near(Cart):\n    def add(self, item, **named): ...\n",
        "class Cart:\n    def add(self, count, size=0, *, by, more=None): ...\n\n\nclass Big(Cart):\n"
        "    def add(self, count, *args, more=None, **named): ...\n\n\nclass Near(Cart):\n"
        "    def add(self, count, *, more=None, **named): ...\n",
    ),
    "an override with parameters of its own by name": (
        "Cart.add", "item, note=''", {},
        "class Cart:\n    def add(self, item): ...\n\n\nclass Big(Cart):\n    def add(self, item, *, size=1): ...\n",
        "class Cart:\n    def add(self, item, note=''): ...\n\n\nclass Big(Cart):\n"
        "    def add(self, item, note='', *, size=1): ...\n",
    ),
    "a class that extends one of the standard library": (
        "Cart.add", "b, a", {},
        "from builtins import dict as Table\n\n\nclass Cart(Table):\n"
        "    def add(self, a, b): ...\n\n\nCart().add(1, 2)\n",
        "from builtins import dict as Table\n\n\nclass Cart(Table):\n"
        "    def add(self, b, a): ...\n\n\nCart().add(2, 1)\n",
    ),
    "a static method": (
        "Cart.add", "b, a", {},
        "class Cart:\n    @staticmethod\n    def add(a, b): ...\n\n\nCart.add(1, 2)\n",
        "class Cart:\n    @staticmethod\n    def add(b, a): ...\n\n\nCart.add(2, 1)\n",
    ),
    "a constructor": (
        "Cart", "a, *, b=1", {},
        "class Cart:\n    def __init__(self, a, b=1): ...\n\n    @classmethod\n    def of(cls) -> 'Cart':\n"
        "        return cls(1, 2)\n\n\nclass Big(Cart):\n    def __init__(self):\n        super().__init__(1, 2)\n"
        "        Cart.__init__(self, 1, 3)\n\n\nclass Same(Cart):\n    pass\n\n\nSame(1, 2)\nCart(3, 4)\n"
        "isinstance(Cart(5), (Cart, int))\nprint(Cart.__name__, 'Cart')\n",
        "class Cart:\n    def __init__(self, a, *, b=1): ...\n\n    @classmethod\n    def of(cls) -> 'Cart':\n"
        "        return cls(1, b=2)\n\n\nclass Big(Cart):\n    def __init__(self):\n        super().__init__(1, b=2)\n"
        "        Cart.__init__(self, 1, b=3)\n\n\nclass Same(Cart):\n    pass\n\n\nSame(1, b=2)\nCart(3, b=4)\n"
        "isinstance(Cart(5), (Cart, int))\nprint(Cart.__name__, 'Cart')\n",
    ),
    "a function of TypeScript with overloads": (
        "m.ts#add", "a: number, c?: boolean, b = 1", {},
        "export function add(a: number, b?: number): number;\nexport function add(a: number, b = 1) { return a + b; }\n"
        "add(1);\nadd(1, 2);\n",
        "export function add(a: number, c?: boolean, b?: number): number;\n"
        "export function add(a: number, c?: boolean, b = 1) { return a + b; }\nadd(1);\nadd(1, undefined, 2);\n",
    ),
    "a method of an interface and what implements it": (
        "m.ts#Shop.add", "note: string, item: Item", {"values": {"note": "''"}},
        "type Item = string;\ninterface Shop {\n  add(item: Item): void;\n}\nclass Cart implements Shop {\n"
        "  add(item: Item) { this.add(item); }\n}\nexport const go = (shop: Shop) => shop.add(/* the item */ 'x');\n",
        "type Item = string;\ninterface Shop {\n  add(note: string, item: Item): void;\n}\n"
        "class Cart implements Shop {\n"
        "  add(note: string, item: Item) { this.add('', item); }\n}\n"
        "export const go = (shop: Shop) => shop.add('', /* the item */ 'x');\n",
    ),
    "an implementation with fewer parameters": (
        "m.ts#Shop.add", "item: string, size: number, note?: string", {},
        "interface Shop {\n  add(item: string, size: number): void;\n}\nclass Cart implements Shop {\n"
        "  add() {}\n}\nclass Big implements Shop {\n  add(item: string, size: number) {}\n}\n",
        "interface Shop {\n  add(item: string, size: number, note?: string): void;\n}\nclass Cart implements Shop {\n"
        "  add() {}\n}\nclass Big implements Shop {\n  add(item: string, size: number, note?: string) {}\n}\n",
    ),
    "an arrow function with a renamed parameter": (
        "m.ts#add", "count", {"renamed": {"n": "count"}},
        "/** @param n how many */\n"
        "export const add = (n: number) => ({ n, m: [n].map((n) => n), l: n.toFixed() });\nadd(1);\n",
        "/** @param count how many */\n"
        "export const add = (count: number) => ({ "
        "n: count, m: [count].map((n) => n), l: count.toFixed() });\n"
        "add(1);\n",
    ),
    "a constructor with fields": (
        "m.ts#Cart", "b: string, readonly a: number", {},
        "class Cart {\n  constructor(private readonly a: number, b: string) { console.log(b); }\n"
        "  static of() { return new this(1, 'x'); }\n}\nclass Big extends Cart {\n"
        "  constructor() {\n    super(1, 'y');\n  }\n}\nnew Cart(2, `z`);\n",
        "class Cart {\n  constructor(b: string, readonly a: number) { console.log(b); }\n"
        "  static of() { return new this('x', 1); }\n}\nclass Big extends Cart {\n"
        "  constructor() {\n    super('y', 1);\n  }\n}\nnew Cart(`z`, 2);\n",
    ),
    "a destructured parameter stays": (
        "m.js#draw", "{ a, b }, size", {"values": {"size": "1"}},
        "function draw({ a, b }) { return a + b; }\ndraw({ a: 1, b: 2 });\n",
        "function draw({ a, b }, size) { return a + b; }\ndraw({ a: 1, b: 2 }, 1);\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("element", "parameters", "others", "before", "after"), CHANGED.values(), ids=CHANGED)
def test_a_signature_and_all_that_depends_on_it_change(tmp_path, element, parameters, others, before, after):
    file = element.partition("#")[0] if "#" in element else "m.py"
    write(tmp_path, {file: before})
    element = element if "#" in element else f"m.py#{element}"
    shown = change(tmp_path, element, parameters, dry_run=True, **others)
    reply = change(tmp_path, element, parameters, **others)
    assert (reply.refused, contents(tmp_path)) == ([], {file: after})
    back = subprocess.run(["git", "apply", "-R", "-"], cwd=tmp_path, input=shown.diff, text=True, check=False)
    assert (back.returncode, contents(tmp_path)) == (0, {file: before})


def test_lines_end_as_in_the_file(tmp_path):
    before = b"\xef\xbb\xbfdef add(\r\n    a,  # first\r\n    b,\r\n): ...\r\n\r\n\r\nadd(\r\n    1,\r\n    2)\r\n"
    (tmp_path / "m.py").write_bytes(before)
    assert change(tmp_path, "add", "b, a").written
    after = before.replace(b"    a,  # first\r\n    b,", b"    b,\r\n    a,  # first").replace(
        b"1,\r\n    2", b"2,\r\n    1"
    )
    assert (tmp_path / "m.py").read_bytes() == after
    assert change(tmp_path, "add", "a, b").written
    assert (tmp_path / "m.py").read_bytes() == before


REFUSED: Mapping[str, tuple[str, str, Mapping[str, Any], Mapping[str, str]]] = {
    "a removed parameter that a body uses": (
        "add", "a", {}, {"m.py": "def add(a, b):\n    §return a + b\n"},
    ),
    "a call in code that the program composes, but not in a message": (
        "add", "b, a", {},
        {"m.py": "def add(a, b): ...\n\n\ndef code(x):\n    §return f'cart.add({x}, 1)'\n\n\nprint('add() is slow')\n"},
    ),
    "a new name that means something else in the body": (
        "add", "a, len", {"values": {"len": "1"}}, {"m.py": "def add(a):\n    §return len(a)\n"},
    ),
    "a new name that a body binds": (
        "add", "c", {"renamed": {"a": "c"}}, {"m.py": "def add(a):\n    §for c in a:\n        print(§c)\n"},
    ),
    "a function that sees all its parameters": (
        "add", "c", {"renamed": {"a": "c"}}, {"m.py": "def add(a):\n    §return locals()\n"},
    ),
    "arguments in JavaScript": ("m.js#add", "b, a", {}, {"m.js": "function add(a, b) {\n  §return arguments[0];\n}\n"}),
    "a call that needs an argument": ("add", "a, b", {}, {"m.py": "def add(a): ...\n\n\n§add(1)\n"}),
    "a list that is passed on": (
        "add", "b, a", {}, {"m.py": "def add(a, b): ...\n\n\ndef go(*args):\n    §add(*args)\n    add(1, 2)\n"},
    ),
    "a function that is passed on": (
        "add", "b, a", {},
        {
            "m.py": "def add(a, b): ...\n\n\nif add is None:\n    print(add.__name__)\n",
            "use.py": "from functools import partial\n\nfrom m import add\nfrom m import add as other\n\n"
            "§p = partial(add, 1)\n"
            "§q = map(other, [1], [2])\n\n\n§@add\ndef f(): ...\n",
        },
    ),
    "a callback of JavaScript, which may get more arguments": (
        "m.ts#add", "a: number, b?: number", {},
        {"m.ts": "export const add = (a: number) => a;\nadd(1);\n§[1].map(add);\n"},
    ),
    "a bound function": (
        "m.ts#add", "b: string, a: number", {},
        {"m.ts": "function add(a: number, b: string) {}\n§add.call(null, 1, 'x');\n§let f: typeof add;\n"},
    ),
    "a receiver without a type": (
        "Cart.add", "", {},
        {"m.py": "class Cart:\n    def add(self, item): ...\n\n\ndef go(cart):\n    §cart.add(1)\n"},
    ),
    "an override with other parameters": (
        "Cart.add", "size, item", {"values": {"size": "1"}},
        {
            "m.py": "class Cart:\n    def add(self, item): ...\n\n\nclass Big(Cart):\n"
            "    §def add(self, item, *, size): ...\n\n\nclass Open(Cart):\n    def add(self, *args): ...\n",
        },
    ),
    "a class of another package above": (
        "Cart.add", "", {},
        {"m.py": "from web import View\n\n\n§class Cart(View):\n    def add(self, item): ...\n"},
    ),
    "a class of the standard library that declares the method": (
        "Cart.get", "", {}, {"m.py": "§class Cart(dict):\n    def get(self, item): ...\n"},
    ),
    "an override that takes by a list what moves": (
        "Cart.add", "b, a", {},
        {
            "m.py": "class Cart:\n    def add(self, a, b): ...\n\n\nclass Big(Cart):\n"
            "    §def add(self, *args): ...\n\n\nclass Near(Cart):\n    §def add(self, a, *args): ...\n",
        },
    ),
    "a parameter that calls pass by name, and can't any more": (
        "add", "a, /", {}, {"m.py": "def add(a): ...\n\n\ndef go(more):\n    §add(a=1)\n    §add(**more)\n"},
    ),
    "a function that narrows the type of its argument": (
        "add", "*, a", {},
        {"m.py": "from typing import TypeGuard\n\n\n§def add(a: object) -> TypeGuard[int]:\n    return a == 1\n"},
    ),
    "a protocol that would no longer fit": (
        "Cart.add", "item, size", {"values": {"size": "1"}},
        {
            "m.py": "from typing import Protocol\n\n\nclass Shop(Protocol):\n    §def add(self, item): ...\n\n\n"
            "class Cart:\n    def add(self, item): ...\n",
        },
    ),
    "a decorator that passes arguments by name": (
        "run", "b, a", {}, {"m.py": "import click\n\n\n@click.command()\n§def run(a, b): ...\n"},
    ),
    "an argument with an effect that would go": (
        "add", "", {}, {"m.py": "def add(a): ...\n\n\n§add(input())\n"},
    ),
    "a name in values that a file lacks": (
        "add", "a, b", {"values": {"b": "LIMIT"}},
        {"m.py": "LIMIT = 1\n\n\ndef add(a): ...\n\n\nadd(1)\n", "use.py": "§from m import add\n\nadd(1)\n"},
    ),
    "a name composed at run time": (
        "Cart.add_item", "", {},
        {
            "m.py": "class Cart:\n    def add_item(self, item): ...\n\n    def go(self, kind):\n"
            "        §return getattr(self, 'add_' + kind)(1)\n",
        },
    ),
    "a component": (
        "m.tsx#Box", "p, q", {}, {"m.tsx": "function Box(p: {}) { return null; }\n§export const a = <Box />;\n"},
    ),
    "a test, and a method that the language calls": (
        "test_m.py#test_add", "", {}, {"test_m.py": "§def test_add(a): ...\n"},
    ),
    "an argument for a mapping with the new name of a parameter": (
        "add", "b, **more", {"renamed": {"a": "b"}}, {"m.py": "def add(a, **more): ...\n\n\n§add(1, b=2)\n"},
    ),
    "a quote for a call in a string": (
        "add", "a, b", {"values": {"b": "'x'"}}, {"m.py": "def add(a): ...\n\n\n§print(f'{add(1)}')\n"},
    ),
    "an object that a function of the library hands back": (
        "Cart.add", "b=2, a=1", {},
        {
            "m.py": "import copy\n\n\nclass Cart:\n    def add(self, a, b=2): ...\n\n\ndef go(x):\n    §max(x).add(1)\n"
            "    §copy.copy(x).add(1)\n    §type(x).add(x, 1)\n    §sorted(x)[0].add(1)\n    set(x).add(1)\n",
        },
    ),
    "a class by another name": (
        "Cart.add", "b=2, a=1", {},
        {"m.py": "class Cart:\n    def add(self, a, b=2): ...\n\n\nBox = Cart\n§Box.add(Box(), 1)\n"},
    ),
    "a constructor beside another one": (
        "Cart", "a, b", {"values": {"b": "1"}},
        {
            "m.py": "class Cart:\n    §def __new__(cls, a): ...\n\n    def __init__(self, a): ...\n\n\nCart(1)\n",
        },
    ),
    "the members of an enumeration": (
        "Cart", "a, b", {"values": {"b": "1"}},
        {
            "m.py": "from enum import Enum\n\n\n§class Cart(Enum):\n    ONE = (1,)\n\n"
            "    def __init__(self, a): ...\n",
        },
    ),
    "a class that is inherited from together with another one": (
        "Cart", "a, b", {"values": {"b": "1"}},
        {
            "m.py": "class Cart:\n    def __init__(self, a): ...\n\n\nclass Other:\n    def __init__(self): ...\n\n\n"
            "class Mixin:\n    §def __init__(self, a):\n        super().__init__(a)\n\n\n"
            "class Big(Mixin, Other, Cart): ...\n\n\nBig(1)\n",
        },
    ),
    "a method that is inherited together with another one": (
        "Cart.add", "a, b", {"values": {"b": "1"}},
        {
            "m.py": "class Cart:\n    def add(self, a): ...\n\n\nclass Mixin:\n    §def add(self, a): ...\n\n\n"
            "class Big(Mixin, Cart): ...\n",
        },
    ),
    "a stub": ("m.py#add", "b, a", {}, {"m.py": "def add(a, b): ...\n", "m.pyi": "§def add(a: int, b: int): ...\n"}),
    "a declaration of types": (
        "m.js#add", "b, a", {},
        {"m.js": "export function add(a, b) {}\n", "m.d.ts": "§export function add(a: number, b: number): void;\n"},
    ),
    "a field that a parameter declares": (
        "m.ts#Cart", "", {}, {"m.ts": "class Cart {\n  §constructor(private a: number) {}\n}\n"},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("element", "parameters", "others", "files"), REFUSED.values(), ids=REFUSED)
def test_what_can_not_be_adapted_is_shown_and_nothing_written(tmp_path, element, parameters, others, files):
    plain = {name: text.replace("§", "") for name, text in files.items()}
    write(tmp_path, plain)
    reply = change(tmp_path, element if "#" in element else f"m.py#{element}", parameters, **others)
    marked = {
        f"{name}:{number}"
        for name, text in files.items()
        for number, line in enumerate(text.split("\n"), 1)
        if "§" in line
    }
    assert (places(reply), reply.written, contents(tmp_path)) == (marked, False, plain), reply.refused


def test_a_call_by_an_alias_on_a_line_with_the_name_is_adapted(tmp_path):
    use = "def go(add):\n    from m import add as other\n\n    add = other(add, 2)\n    return add\n"
    write(tmp_path, {"m.py": "def add(a, b): ...\n", "use.py": use})
    assert change(tmp_path, "m.py#add", "b, a").refused == []
    assert contents(tmp_path)["use.py"] == use.replace("(add, 2)", "(2, add)")


def test_places_that_a_change_can_not_harm_are_left(tmp_path):
    write(
        tmp_path,
        {
            "m.py": "class Cart:\n    def add(self, item): ...\n\n\ndef go(cart):\n    cart.add(1)\n"
            "    map(Cart().add, [])\n",
            "test_m.py": "from unittest import mock\n\nfrom m import Cart\n\n\ndef test():\n    cart = Cart()\n"
            "    cart.add(1)\n    with mock.patch('m.Cart.add'):\n        Cart.add.assert_called_with(1)\n",
        },
    )
    reply = change(tmp_path, "Cart.add", "item, size=1")
    assert reply.written
    assert {f"{place.file}:{place.line}" for place in reply.left} >= {"m.py:6", "m.py:7", "test_m.py:10"}


def test_a_command_calls_its_function_without_arguments(tmp_path):
    write(
        tmp_path,
        {
            "m.py": "def main(argv=None):\n    print(argv)\n",
            "pyproject.toml": '[project.scripts]\ngo = "m:main"\n',
            "make.bat": "rem main.\nmain.exe\n",
        },
    )
    assert places(change(tmp_path, "main", "size, argv=None", values={"size": "1"})) == {"pyproject.toml:2"}
    reply = change(tmp_path, "main", "given=None", renamed={"argv": "given"})
    assert (reply.written, {f"{place.file}:{place.line}" for place in reply.left}) == (
        True,
        {"pyproject.toml:2", "make.bat:1", "make.bat:2"},
    )


def test_examples_in_texts_and_unknown_names_are_left(tmp_path):
    text = 'def add(a, b=1):\n    """Add to add.\n\n    >>> add(1, 2)\n    """\n\n\nadd(1, 2)  # add it\n'
    write(tmp_path, {"m.py": text, "README.md": "# add\n\n    add(1, 2)\n"})
    reply = change(tmp_path, "add", "b: Decimal = LIMIT, a=1")
    assert reply.written
    assert {f"{place.file}:{place.line}" for place in reply.left} == {"m.py:1", "m.py:4", "README.md:3"}


@pytest.mark.parametrize(
    ("parameters", "others", "field"),
    [
        ("a b", {}, "parameters"),
        ("a, a", {}, "parameters"),
        ("a=1, b", {}, "parameters"),
        ("a, *", {}, "parameters"),
        ("a, class", {}, "parameters"),
        ("b", {"renamed": {"c": "b"}}, "renamed"),
        ("b", {"renamed": {"a": "c"}}, "renamed"),
        ("a, b", {"values": {"c": "1"}}, "values"),
        ("a, b", {"values": {"b": "1, 2"}}, "values"),
        ("a, b", {"values": {"b": "*[1]"}}, "values"),
        ("a, b", {"values": {"b": ""}}, "values"),
        ("a, b", {"values": {"b": "1) + (2"}}, "values"),
        ("a): ...\ndef other(b", {}, "parameters"),
    ],
)
def test_a_list_that_can_not_be_is_refused(tmp_path, parameters, others, field):
    write(tmp_path, {"m.py": "def add(a): ...\n"})
    with pytest.raises(InvalidInput, match=field):
        change(tmp_path, "add", parameters, **others)


def test_an_element_without_parameters_is_refused(tmp_path):
    write(tmp_path, {"m.py": "LIMIT = 1\n\n\nclass Cart:\n    pass\n", "m.go": "package m\n\nfunc Add(a int) {}\n"})
    for element in ("LIMIT", "Cart"):
        with pytest.raises(InvalidInput):
            change(tmp_path, element, "a")
    with pytest.raises(Unsupported):
        change(tmp_path, "Add", "a int, b int")
