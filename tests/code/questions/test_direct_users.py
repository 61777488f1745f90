"""Direct users, counted for all elements at once: the same numbers as one search for each element."""

from bearings.code.questions.patterns.gaps import DirectUsers
from bearings.code.search.reach import users
from tests.code.questions.snapshots import snapshot_of

FILES = {
    "a.py": (
        "class Base:\n    def __init__(self): pass\n    def run(self): pass\n\n\n"
        "class Child(Base):\n    def __init__(self): pass\n    def run(self): return self.run()\n\n\n"
        "def outer(one: Base):\n    def inner(): return one.run()\n    return inner\n\n\n"
        "class Grandchild(Child): pass\n\n\ndef make(): return Grandchild()\n\n\n"
        "def again(n): return again(n - 1) + again(n - 2)\n"
    ),
    "b.py": (
        "from a import Base, Child, outer\n\n\ndef use():\n    Child()\n    Base().run()\n    return outer(Child())\n"
    ),
    "go.mod": "module example.com/m\n",
    "m.go": (
        "package m\n\ntype Runner interface{ Run() }\n\ntype Real struct{}\n\nfunc (Real) Run() {}\n\n"
        "func Start(r Runner) { r.Run() }\n"
    ),
    "c.ts": (
        "interface Shape { area(): number }\nclass Square implements Shape { area() { return 1 } }\n"
        "export const size = (shape: Shape) => shape.area()\nexport const made = size(new Square())\n"
    ),
}


def test_the_counts_are_those_of_a_search_for_each_element(tmp_path):
    snapshot = snapshot_of(tmp_path, FILES)
    direct = DirectUsers(snapshot)
    counted = {id_: direct.count(symbol) for id_, symbol in snapshot.graph.symbols.items()}
    assert counted == {id_: len(users(snapshot, [id_], max_depth=1)) for id_ in counted}
    by_name = {id_.rpartition("#")[2].rpartition(":")[0]: count for id_, count in counted.items()}
    assert (by_name["Child.run"], by_name["again"], by_name["outer.inner"]) == (2, 0, 1)
    assert (by_name["Base.__init__"], by_name["Child.__init__"]) == (1, 2)
    assert (by_name["Real.Run"], by_name["Square.area"]) == (1, 1)
