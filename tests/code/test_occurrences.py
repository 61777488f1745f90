"""Every occurrence of a name: what it is in the syntax, and the line of the scope that declares it."""

import pytest

from bearings.code.languages.shared.occurrences import MODULE, Occurrence, Part
from bearings.code.models import Language
from bearings.code.syntax_trees import occurrences_of

# Each line of a source ends in a comment with what its occurrences of `old` are: `name:3` is looked up, and the scope
# that begins on line 3 declares it; `name:0` the module. A part without a number is declared by no scope of the file,
# or is not looked up in one.
LOOKED_UP = (Part.NAME, Part.BINDING, Part.HEAD, Part.EXPORTED, Part.SHORTHAND, Part.PATTERN)
PYTHON = {
    "parameters": """
        def f(old, a=old): return old  # binding:1 name name:1
        def g(*old, b: old = 1): old  # binding:2 name name:2
        def h(**old: int): old  # binding:3 name:3
        def i(old: int = 1, *, c=2): old  # binding:4 name:4
        def j(*old: int, d=(lambda old: old)): old  # binding:5 binding:5 name:5 name:5
        k = lambda old=1, *e: old  # binding:6 name:6
        l = lambda x=old: x  # name
        m(old=old)  # key name
    """,
    "scopes of functions and classes": """
        def f():  #
            old = 1  # binding:1
            def g():  #
                nonlocal old  # binding:1
                old += 1  # binding:1
            class K:  #
                old = old  # binding:6 name:6
                def h(self): return old, self.old, K.old  # name:1 member member
        def e():  #
            global old  # binding:0
            old = 2  # binding:0
    """,
    "patterns": """
        def f(x):  #
            (old, a), [b, *c] = x  # binding:1
            with x as old, x as (old, y): pass  # binding:1 binding:1
            for a, old in old: pass  # binding:1 name:1
            try: pass  #
            except ValueError as old: pass  # binding:1
            if (old := 1): pass  # binding:1
            del old  # name:1
            x.old = x[old] = 1  # member name:1
        def g(x):  #
            match x:  #
                case K(old=1): pass  # key
                case m.old: pass  # member
                case old.m: pass  # name:10
                case [1, old]: pass  # binding:10
                case {'k': old}: pass  # binding:10
                case K(a=[old]) | {'k': [old, *_]} as old: pass  # binding:10 binding:10 binding:10
                case old(old, a=old) | (1 | old): pass  # name:10 binding:10 binding:10 binding:10
                case [*old], {**old}, (old as b): pass  # binding:10 binding:10 binding:10
                case {'k': old.x, m.old: 3}: pass  # name:10 member
                case old if old: pass  # binding:10 name:10
    """,
    "comprehensions": """
        a = [old for old in old]  # name:1 binding:1 name
        b = {x: old for x in old for y in old}  # name name name
        c = (old for a, old in x if old)  # name:3 binding:3 name:3
        class K:  #
            old = 1  # binding:4
            d = [old for x in old]  # name name:4
    """,
    "imports": """
        from m import old  # imported:0
        from m import old as a  # imported
        from m import a as old  # binding:0
        from old import a  # other
        from a.old import b  # other
        import old  # binding:0
        import old.a, b.old  # binding:0 other
        import b.old as c, old as d  # other other
        import a as old  # binding:0
        def f():  #
            from m import old  # imported:10
            return old  # name:10
    """,
    "text": """
        'old'  # comment
        a = 1  # old # comment
        a = 'old', f'{old} old'  # string name string
        __all__ = ['old', 'not old']  # listed string
        __all__ += ['old']  # listed
        é_old = old_ = éold = 1  #
    """,
}

TYPESCRIPT = {
    "parameters": """
        function f(old: number, a = old) { return old; } // binding:1 name:1 name:1
        const g = old => old; // binding:2 name:2
        const h = ({ old, b: { c = old } }, ...d) => old; // pattern:3 name:3 name:3
        const i = ([old]) => old; // binding:4 name:4
        function j(...old) { } // binding:5
        function k({ old: a, b: old = 1 }) { old; } // key binding:6 name:6
        function l(a?: old) { } // name
        const m = function old() { old; }; // binding:8 name:8
    """,
    "blocks": """
        function f(x) { //
          { let old = 1; old; } // binding:2 name:2
          old; // name:1
          if (x) { var old = 2; } // binding:1
          for (const old of old) { old; } // binding:5 name:5 name:5
          for (old in x) { } // name:1
          for (let old = 0; old < 1; old++) { } // binding:7 name:7 name:7
          try { } catch (old) { old; } // binding:8 name:8
          old: for (;;) { break old; } // other other
        } //
        old; // name
    """,
    "types": """
        type A<old> = old | B.old; // binding:1 name:1 member
        type B = { [old in K]: old }; // binding:2 name:2
        interface C<T extends old> { old: T; old(): void } // name declared declared
        class D<old> { a: old; #old = this.#old; } // binding:4 name:4 other other
        function e<old>(a: old) { } // binding:5 name:5
        declare namespace n { type old = 1; type p = old; } // binding:6 name:6
        let q: typeof old.a, r: n.m.old; // name member
        enum F { old, a = old } // declared:8 name:8
    """,
    "modules": """
        import old from 'm'; // binding:0
        import { old as a } from 'm'; // imported
        import { b as old } from 'm'; // binding:0
        import * as old from 'm'; // binding:0
        import old = require('m'); // binding:0
        export { old }; // exported:0
        export { old as c, d as old }; // exported:0 other
        export { old } from 'm'; // reexported
        export * as old from 'm'; // other
    """,
    "an import": """
        import { old } from 'm'; // imported:0
        export default old; // name:0
    """,
    "objects": """
        const a = { old, b: old, old: 1, old() { }, 'old': 2, [old]: 3 }; // shorthand name key key string name
        const { c: { old: d }, ...e } = a.old?.old; // key member member
        ({ old } = a); // shorthand
        [old] = a; // name
    """,
    "declarations": """
        function old(a: number): void; // head:0
        function old(a: any) { } // binding:0
        abstract class K { abstract old(): void; static { const old = 1; } } // declared binding:3
        class old { } // binding:0
        const k = class old { a: old }; // binding:5 name:5
    """,
}

GO = {
    "local names": """
        package old // other
        func f(old int, a old) (b old) { // binding:2 name:0 name:0
            old := old + g(old) // binding:3 name:2 name:2
            a = old // name:3
            if old := f(); old > 1 { // binding:5 name:5
                old.a() // name:5
            } //
            for old := range old { g(old) } // binding:8 name:3 name:8
            for old := 0; old < 1; old++ { g(old) } // binding:9 name:9 name:9 name:9
            switch old := old.(type) { // binding:10 name:3
            case old: g(old) // name:3 name:10
            } //
            select { //
            case old := <-c: g(old) // binding:14 name:14
            } //
            func(old int) { g(old) }(old) // binding:16 name:16 name:3
            var old = old // binding:17 name:3
            old = 1 // name:17
            goto old // other
        } //
        var c = func() { old() } // name:0
    """,
    "names at the top": """
        package m //
        import old "a/old" // binding:0 string
        const ( old = iota; a = old ) // binding:0 name:0
        var old, b = 1, old // binding:0 name:0
        func old[old any](a old) { old() } // binding:0 binding:5 name:5 name:5
        type old struct{ a old } // binding:0 name:0
        type A[old any] struct{ a old } // binding:7 name:7
        type B = old // name:0
    """,
    "members and keys": """
        package m //
        type T struct { old int; old.A; *b.old } // declared name:0 member
        type U struct { c, old old `old:"old"` } // declared name:0 string string
        type I interface { old(old int) old; old } // declared binding:4 name:0 name:0
        func (old *old) old() { old.old.a.old() } // binding:5 name:0 declared name:5 member member
        var a = T{old: old}; var b = map[int]int{old: old}; var c = []int{old: 1} // key name:0 name:0 name:0 name:0
        var d = []T{{old: 1}}; var e = map[T]map[int]int{{old: 1}: {old: 2}} // key key name:0
        var f = []struct{ old int }{{old: 1}} // declared key
        var g old.T // name:0
        var h = x.(*a.old); var i = old.old[0] // member name:0 member
        //go:linkname old b.old // comment comment
    """,
}

TSX = {
    "JSX": """
        const a = <old.b old={old} c="old">old</old.b>; // name key name string string name
    """,
}


@pytest.mark.parametrize(
    ("language", "source"),
    [
        pytest.param(language, source, id=f"{language}: {name}")
        for language, sources in (
            (Language.PYTHON, PYTHON),
            (Language.TYPESCRIPT, TYPESCRIPT),
            (Language.TSX, TSX),
            (Language.GO, GO),
        )
        for name, source in sources.items()
    ],
)
def test_occurrences(language, source):
    sign = "#" if language is Language.PYTHON else "//"
    indent = " " * 8
    lines = [line.removeprefix(indent) for line in source.strip("\n").rstrip().split("\n")]
    told = [line.rpartition(f" {sign}")[::2] for line in lines]
    text = "\n".join(code for code, _ in told).encode()
    found: list[list[str]] = [[] for _ in lines]
    for one in occurrences_of(language, text, "old"):
        found[one.line - 1].append(one.part + _declared_at(text, one))
    assert [" ".join(line) for line in found] == [words.strip() for _, words in told]


def _declared_at(text: bytes, occurrence: Occurrence) -> str:
    if occurrence.scope is None or not (occurrence.binds or occurrence.part in LOOKED_UP):
        return ""
    return ":0" if occurrence.scope == MODULE else ":{}".format(text.count(b"\n", 0, occurrence.scope[0]) + 1)


def test_a_module_of_a_relative_import_is_no_name():
    found = occurrences_of(Language.PYTHON, b"from .util import a\nfrom . import util\n", "util") or []
    assert [(one.line, one.part) for one in found] == [(1, Part.OTHER), (2, Part.IMPORTED)]
