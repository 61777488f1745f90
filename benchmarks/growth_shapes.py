"""Sources of one shape and of any size: sound code, as a machine writes it, or a person with patience.

Each shape makes the files of a project from a number and a word, with which all names begin. `<word>_end` is a function
that is called once, by `<word>_user`, after all that repeats: an answer that knows the call has read the whole source.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

Files = Mapping[str, str]
Make = Callable[[int, str], Files]

SHAPES: Final[dict[str, "Shape"]] = {}


@dataclass(frozen=True)
class Shape:
    """A kind of source; `size` is the number from which its table starts."""

    name: str
    size: int
    make: Make

    def number_of(self, size: int, word: str) -> int:
        """The number that makes about so many bytes."""
        one, two = (sum(map(len, self.make(number, word).values())) for number in (self.size, 2 * self.size))
        return self.size + (size - one) * self.size // (two - one)


def shape(name: str, size: int) -> Callable[[Make], Make]:
    """Register the function that makes a shape."""

    def register(make: Make) -> Make:
        SHAPES[name] = Shape(name, size, make)
        return make

    return register


def repeated(text: str, number: int) -> str:
    """A text once for each number below, which stands for its `%d`."""
    return "".join(text.replace("%d", str(index)) for index in range(number))


def python(w: str, body: str) -> Files:
    """A Python file with the function that is asked about, and its caller at the end."""
    first = f"class {w}:\n    p = 1\n    def q(self): return self\nclass {w}_b({w}): pass\ndef {w}_g(x): return x\n"
    return {"a.py": f"def {w}_end():\n    return 1\n{first}\n{body}\n\ndef {w}_user():\n    return {w}_end()\n"}


def typescript(w: str, body: str, extension: str = "ts") -> Files:
    """A file of TypeScript, like that of Python."""
    classes = f"class {w} {{ p = 1; q() {{ return this; }} }}\nclass {w}_b extends {w} {{ k = 'b'; }}\n"
    functions = f"export function {w}_end() {{ return 1; }}\nfunction {w}_g(x) {{ return x; }}\n"
    user = f"export function {w}_user() {{ return {w}_end(); }}\n"
    return {f"a.{extension}": f"{classes}{functions}{body}\n{user}", "package.json": '{"name": "a"}\n'}


def javascript(w: str, body: str) -> Files:
    """A file of JavaScript, like that of Python."""
    return typescript(w, body, "js")


def go(w: str, body: str) -> Files:
    """A file of Go, like that of Python."""
    type_ = f"type {w} struct{{ p int }}\nfunc (x {w}) q() {w} {{ return x }}\n"
    functions = f"func {w}_end() int {{ return 1 }}\nfunc {w}_g(x {w}) {w} {{ return x }}\n"
    user = f"func {w}_user() int {{ return {w}_end() }}\n"
    return {"a.go": f"package a\n\n{type_}{functions}{body}\n{user}", "go.mod": "module example.org/a\n\ngo 1.22\n"}


WRITERS: Final = {"Python": python, "TypeScript": typescript, "JavaScript": javascript, "Go": go}

PYTHON_BODY: Final = {
    "if x = g(x)": ("x = $()", "    if c: x = $_g(x)\n    x.q()\n"),
    "if x = g(x), else": ("x = $()", "    if c:\n        x = $_g(x)\n    else:\n        x = $_b()\n    x.q()\n"),
    "x = g(x)": ("x = $()", "    x = $_g(x)\n    x.q()\n"),
    "x = x.q()": ("x = $()", "    x = x.q()\n"),
    "x, y = y, g(x)": ("x = y = $()", "    x, y = y, $_g(x)\n    x.q()\n"),
    "for x = g(x)": ("x = $()", "    for i in c:\n        x = $_g(x)\n        x.q()\n"),
    "while x := g(x)": ("x = $()", "    while (x := $_g(x)):\n        x.q()\n"),
    "with g(x) as x": ("x = $()", "    with $_g(x) as x:\n        x.q()\n"),
    "try x = g(x)": ("x = $()", "    try:\n        x = $_g(x)\n    except E as e:\n        x = $_b()\n    x.q()\n"),
    "match": ("x = $()", "    match c:\n        case %d: x = $_g(x)\n        case $_b(): x.q()\n"),
    "isinstance": ("", "    if isinstance(c, $):\n        c.q()\n    elif isinstance(c, $_b):\n        c.q()\n"),
    "assert isinstance": ("", "    assert isinstance(c, $)\n    c.q()\n"),
    "isinstance x = g(x)": ("x = c", "    if isinstance(x, $):\n        x = $_g(x)\n        x.q()\n"),
    "x is not None": ("x = $() if c else None", "    if x is not None:\n        x = $_g(x)\n        x.q()\n"),
    "ternary": ("x = $()", "    x = $_g(x) if c else x\n    x.q()\n"),
    "lambda": ("x = $()", "    x = (lambda y: $_g(y))(x)\n    x.q()\n"),
    "locals": ("", "    v%d = $()\n    v%d.q()\n"),
    "comprehensions": ("x = [$()]", "    x = [y.q() for y in x]\n"),
    "nested comprehensions": ("x = [$()]", "    z%d = {y.p: w for y in x for w in y.q()}\n"),
    "calls": ("", "    $_g($_g(%d)).q()\n"),
    "keys": ("x = {}", "    x['k%d'] = $()\n    x['k%d'].q()\n"),
    "comments": ("", "    # x.q() was called here once, for %d of them\n"),
    "elif": ("if c == 0: pass", "    elif c == %d: $_g(c)\n"),
    "del": ("x = $()", "    del x\n    x = $_g(%d)\n    x.q()\n"),
    "global": ("global y", "    y = $_g(y)\n    y.q()\n"),
    "imports": ("", "    from m%d import z\n    z.q()\n"),
    "closures": ("x = $()", "    def f%d():\n        return x.q()\n    f%d()\n"),
    "closures of one name": ("x = $()", "    def f():\n        return x.q()\n    f()\n"),
    "returns": ("", "    if c == %d: return $_g(c)\n"),
    "yields": ("", "    yield $_g(%d)\n"),
    "augmented": ("x = $()", "    x += $_g(x)\n    x.q()\n"),
    "self.x": ("c.x = $()", "    c.x = $_g(c.x)\n    c.x.q()\n"),
    "strings": ("x = ''", "    x += 'a string of %d'\n"),
    "calls of unknown": ("", "    c.m%d(c).n(c)\n"),
    "asserts of two": ("", "    assert isinstance(c, $) or isinstance(c, $_b)\n    c.q()\n"),
}
"""Statements in the body of a Python function: those before, and those that repeat."""

PYTHON: Final = {
    "comments": "#     self.assertEqual(foo(%d), 'bar', msg='xxxx')\n",
    "comments and code": "# about $%d, and more\n# and still more\n$%d = 1\n",
    "blank lines": "\n",
    "blank lines and comments": "\n\n   # of %d\n\n",
    "strings": "'one string %d of many'\n",
    "constants": "$_C%d = %d\n",
    "x = g(x)": "x = $_g(x)\nx.q()\n",
    "if x = g(x)": "if c: x = $_g(x)\nx.q()\n",
    "tried imports": "try:\n    import m%d as m\nexcept ImportError:\n    m = None\nm.q()\n",
    "functions of one name": "def f(x):\n    return $_g(x)\n\n\n",
    "functions of one name, called": "def f(x):\n    return f(x)\n\n\n",
    "classes of one name": "class C:\n    def m(self):\n        return self.m()\n\n\n",
    "classes of one name, used": "class C($):\n    x = 1\n\n\nC.x.m(C)\n",
    "methods of one name": "class C%d:\n    def m(self, x):\n        return x.m(x)\n\n\n",
    "functions": "def f%d(x):\n    return $_g(x)\n\n\n",
    "f = f1": "def f%d(x):\n    return f(x)\n\n\nf = f%d\n",
    "classes": "class C%d($):\n    def m(self):\n        return self.q()\n\n\n",
    "imports": "import m%d\n",
    "imports of one name": "from m%d import x\n",
    "imports as": "from m%d import x as y%d\n",
    "imports and uses": "from m%d import x%d\n\nx%d.q(x%d)\n",
    "decorated": "@$_g\n@$_g\ndef f%d(x):\n    return x\n\n\n",
    "overloads": "@overload\ndef f(x: int) -> $: ...\n@overload\ndef f(x: str) -> $: ...\ndef f(x): pass\n\nf(1).q()\n",
    "unions": "T%d = Union[$, $_b]\n\n\ndef f%d(x: T%d) -> T%d:\n    return x.q()\n\n\n",
    "dataclasses": "@dataclass\nclass D%d:\n    x: $\n    y: int\n\n\nD%d(1, 2).x.q()\n",
    "Flask routes": "@app.route('/r%d')\ndef r%d():\n    return $_g(%d)\n\n\n",
    "Django paths": "urlpatterns += [path('p%d', $_g)]\n",
    "if main": "if __name__ == '__main__':\n    $_g(%d)\n",
    "prints": "print('%d', $_g(%d).q())\n",
    "$.a = g()": "$.a%d = $_g(%d)\n$.a%d.q()\n",
    "$.a = g($.a)": "$.a = $_g($.a)\n$.a.q()\n",
    "environment": "E%d = os.environ['E%d']\n",
    "fixtures": "@pytest.fixture\ndef x%d(x):\n    return $_g(x)\n\n\ndef test_%d(x%d):\n    x%d.q()\n\n\n",
    "fixtures of one name": "@pytest.fixture\ndef x(x):\n    return $_g(x)\n\n\ndef test_%d(x):\n    x.q()\n\n\n",
    "properties": "class P%d:\n    @property\n    def x(self) -> $:\n        return $()\n    @x.setter\n"
    "    def x(self, y):\n        pass\n\n\nP%d().x.q()\n",
    "patches": "@patch('a.$_g')\ndef test_%d(x):\n    x.q()\n\n\n",
    "type variables": "T%d = TypeVar('T%d')\n\n\ndef f%d(x: T%d) -> T%d: return x\n\n\nf%d($()).q()\n",
    "a class that grows": "class C(C):\n    def m(self): return super().m()\n\n\nC().m()\n",
    "classes in a chain": "class C%d(C%d_):\n    def m(self): return super().m()\n\n\nC%d_ = C%d\n",
    "dotted": "a.b%d.c.d(a.b%d.c)\n",
}
"""Lines of a Python module that repeat."""

TYPESCRIPT_BODY: Final = {
    "if x = g(x)": ("let x = new $();", "  if (c) x = $_g(x);\n  x.q();\n"),
    "if x = g(x), else": ("let x = new $();", "  if (c) { x = $_g(x); } else { x = new $_b(); }\n  x.q();\n"),
    "x = g(x)": ("let x = new $();", "  x = $_g(x);\n  x.q();\n"),
    "x = x.q()": ("let x = new $();", "  x = x.q();\n"),
    "for x = g(x)": ("let x = new $();", "  for (const i of c) { x = $_g(x); x.q(); }\n"),
    "while x = g(x)": ("let x = new $();", "  while (x = $_g(x)) { x.q(); }\n"),
    "try x = g(x)": ("let x = new $();", "  try { x = $_g(x); } catch (e) { x = new $_b(); }\n  x.q();\n"),
    "switch": ("let x = new $();", "  switch (c) { case %d: x = $_g(x); break; default: x.q(); }\n"),
    "one switch": ("let x = new $(); switch (c) {", "    case %d: x = $_g(x); x.q(); break;\n"),
    "instanceof": ("", "  if (c instanceof $) { c.q(); } else if (c instanceof $_b) { c.q(); }\n"),
    "instanceof x = g(x)": ("let x = c;", "  if (x instanceof $) { x = $_g(x); x.q(); }\n"),
    "early returns": ("", "  if (c instanceof $) { return c.q(); }\n"),
    "discriminated": ("", "  if (c.k === 'k%d') { c.q(); }\n"),
    "typeof": ("", "  if (typeof c === 'string' && c) { c.q(); }\n"),
    "and": ("let x = new $();", "  x && x.q() && $_g(x);\n"),
    "ternaries": ("let x = new $();", "  x = c ? $_g(x) : x;\n  x.q();\n"),
    "arrows": ("let x = new $();", "  x = (y => $_g(y))(x);\n  x.q();\n"),
    "locals": ("", "  const v%d = new $();\n  v%d.q();\n"),
    "destructured": ("let x = new $();", "  const { a%d, b%d: { p%d } } = $_g(x);\n  a%d.q();\n"),
    "maps": ("let x = [new $()];", "  x = x.map(y => y.q());\n"),
    "keys": ("const x = {};", "  x['k%d'] = new $();\n  x.k%d.q();\n"),
    "comments": ("", "  // x.q() was called here once, for %d of them\n"),
    "block comments": ("", "  /* x.q() was called here once, for %d of them */\n"),
    "else if": ("if (c) {}", "  else if (c === %d) { $_g(c); }\n"),
    "closures": ("let x = new $();", "  const f%d = () => x.q();\n  f%d();\n"),
    "functions of one name": ("let x = new $();", "  function f() { return x.q(); }\n  f();\n"),
    "blocks": ("let x = new $();", "  { const x = new $_b(); x.q(); }\n"),
    "returns": ("", "  if (c === %d) return $_g(c);\n"),
    "awaits": ("", "  await $_g(c);\n  (await $_g(c)).q();\n"),
    "this.x": ("this.x = new $();", "  this.x = $_g(this.x);\n  this.x.q();\n"),
    "c.x": ("c.x = new $();", "  c.x = $_g(c.x);\n  c.x.q();\n"),
    "calls of unknown": ("", "  c.m%d(c).n(c);\n"),
    "promises": ("let x = new $();", "  $_g(x).then(y => y.q()).catch(z => z.q());\n"),
    "nullish": ("let x = new $();", "  x ??= $_g(x);\n  x?.q?.();\n"),
    "regexes": ("", "  /a%d[b-c]*/.test(c);\n"),
    "templates": ("", "  `one ${c} two ${$_g(c)} %d`;\n"),
    "var": ("", "  var x = $_g(x);\n  x.q();\n"),
    "if var": ("var x = new $();", "  if (c) { var x = $_g(x); }\n  x.q();\n"),
}
"""Statements in the body of a function of TypeScript and JavaScript."""

SCRIPT: Final = {
    "comments": "// $_g(%d).q() was called here once\n",
    "block comments": "/* $_g(%d).q() was called here once */\n",
    "a block comment of lines": "/**\n * $_g(%d).q() was called here once\n */\n",
    "blank lines": "\n",
    "functions of one name": "function f(x) { return f(x); }\n",
    "functions": "function f%d(x) { return $_g(x); }\n",
    "exports": "export const $_c%d = $_g(%d);\n",
    "export lists": "const $_c%d = $_g(%d);\nexport { $_c%d as d%d };\n",
    "imports": "import { x%d } from './m%d';\nx%d.q(x%d);\n",
    "imports of one module": "import { x%d } from 'm';\nx%d.q(x%d);\n",
    "requires": "const x%d = require('./m%d');\nx%d.q(x%d);\n",
    "re-exports": "export { x%d } from './m';\n",
    "re-exports of all": "export * from './m%d';\n",
    "methods of one name": "class C%d { m(x) { return x.m(x); } }\n",
    "classes of one name": "class C { m(x) { return this.m(x); } }\n",
    "classes": "class C%d extends $ { m() { return this.q(); } }\nnew C%d().m();\n",
    "prototypes": "function P%d() { this.x = 1; }\nP%d.prototype.m = function () { return this.x; };\nnew P%d().m();\n",
    "one prototype": "$_g.prototype.m%d = function () { return this.m%d(); };\n",
    "properties": "$_g.a%d = function () { return $_g.a%d(); };\n",
    "module.exports.a": "module.exports.a%d = function () { return $_g(%d); };\n",
    "Express routes": "app.get('/r%d', (req, res) => res.send($_g(%d)));\n",
    "Express routers": "const r%d = express.Router();\nr%d.get('/r%d', $_g);\napp.use('/u%d', r%d);\n",
    "tests": "describe('d%d', () => { it('does %d', () => { expect($_g(%d)).toBe(%d); }); });\n",
    "environment": "const E%d = process.env.E%d;\n",
    "x = g(x)": "var x = $_g(x);\nx.q();\n",
    "IIFEs": "(function (x) { x.q(); })($_g(%d));\n",
    "dynamic imports": "import('./m%d').then(m => m.x());\n",
    "mocks": "jest.mock('./m%d', () => ({ x: 1 }));\n",
    "events": "emitter.on('e%d', () => $_g(%d));\nemitter.emit('e%d');\n",
    "dotted": "a.b%d.c.d(a.b%d.c);\n",
}
"""Statements of a module of TypeScript and JavaScript."""

TYPES: Final = {
    "interfaces of one name": "interface I { m%d(): $; }\ndeclare const i%d: I;\ni%d.m%d().q();\n",
    "interfaces": "interface I%d extends $ { m(): I%d; }\ndeclare const i%d: I%d;\ni%d.m().q();\n",
    "namespaces of one name": "namespace N { export function m%d() { return new $(); } }\nN.m%d().q();\n",
    "overloads": "function f(x: 'k%d'): $;\n",
    "overloads and calls": "function f(x: 'k%d'): $;\nfunction f(x) { return x; }\nf('k%d').q();\n",
    "aliases": "type T%d = $ | $_b;\nfunction f%d(x: T%d): T%d { return x.q(); }\n",
    "enums of one name": "enum E { A%d = %d }\nE.A%d;\n",
    "generic classes": "class G%d<T extends $> { m(x: T): T { return x; } }\nnew G%d<$_b>().m(new $_b()).q();\n",
    "Nest": "@Controller('c%d')\nclass C%d { @Get('g%d') m() { return $_g(%d); } }\n",
    "decorated": "@dec @dec2() class D%d { @dec m(@inj x: $) { return x.q(); } }\n",
    "class and interface": "class M%d {}\ninterface M%d { m(): $; }\nnew M%d().m().q();\n",
    "type members": "type O%d = { a: { b: $ } };\ndeclare const o%d: O%d;\no%d.a.b.q();\n",
    "declare modules": "declare module 'm%d' { export const x: string; }\n",
    "globals": "declare global { interface Window { w%d: $; } }\nwindow.w%d.q();\n",
}
"""Statements of a module of TypeScript."""

GO_BODY: Final = {
    "if x = g(x)": ("x := $_g(c)", "\tif c.p > %d { x = $_g(x) }\n\tx.q()\n"),
    "if x = g(x), else": ("x := $_g(c)", "\tif c.p > %d { x = $_g(x) } else { x = $_g(c) }\n\tx.q()\n"),
    "x = g(x)": ("x := $_g(c)", "\tx = $_g(x)\n\tx.q()\n"),
    "x = x.q()": ("x := $_g(c)", "\tx = x.q()\n"),
    "var x": ("var x $", "\tx = $_g(x)\n\tx.q()\n"),
    "any x": ("var x any", "\tx = $_g(c)\n\tx.(fmt.Stringer).String()\n"),
    "err": ("", "\tv%d, err := $_two(c)\n\tif err != nil { return c }\n\tv%d.q()\n"),
    "if err := ": ("", "\tif err := $_g(c).q(); err.p > %d { err.q() }\n"),
    "for x = g(x)": ("x := $_g(c)", "\tfor i := range 3 { x = $_g(x); x.q(); _ = i }\n"),
    "switch": ("x := $_g(c)", "\tswitch c.p { case %d: x = $_g(x); default: x.q() }\n"),
    "one switch": ("x := $_g(c); switch c.p {", "\tcase %d: x = $_g(x); x.q()\n"),
    "type switch": ("var y any = c", "\tswitch x := y.(type) { case $: x.q(); case *$: x.q() }\n"),
    "assertions": ("var y any = c", "\tif x, ok := y.($); ok { x.q() }\n"),
    "locals": ("", "\tv%d := $_g(c)\n\tv%d.q()\n"),
    "closures": ("x := $_g(c)", "\tf%d := func() $ { return x.q() }\n\tf%d().q()\n"),
    "closures of one name": ("f := func() $ { return c }", "\tf = func() $ { return f() }\n\tf().q()\n"),
    "goroutines": ("x := $_g(c)", "\tgo func() { x.q() }()\n\tdefer x.q()\n"),
    "comments": ("", "\t// x.q() was called here once, for %d of them\n"),
    "else if": ("if c.p == 0 {", "\t} else if c.p == %d { $_g(c)\n"),
    "returns": ("", "\tif c.p == %d { return $_g(c) }\n"),
    "c.x": ("", "\tc.x = $_g(c.x)\n\tc.x.q()\n"),
    "calls of unknown": ("", "\tc.m%d(c).n(c)\n"),
    "blocks": ("x := $_g(c)", "\t{ x := $_g(x); x.q() }\n"),
    "appends": ("x := []${c}", "\tx = append(x, $_g(c))\n\tx[%d].q()\n"),
    "keys": ("x := map[string]${}", '\tx["k%d"] = c\n\tx["k%d"].q()\n'),
    "selects": ("x := make(chan $)", "\tselect { case y := <-x: y.q(); default: c.q() }\n"),
}
"""Statements in the body of a Go function."""

GO: Final = {
    "comments": "// $_g(c).q() was called here once, for %d of them\n",
    "block comments": "/* $_g(c).q() was called here once, for %d of them */\n",
    "blank lines": "\n",
    "functions": "func f%d(x $) $ { return $_g(x) }\n",
    "functions of one name": "func f(x $) $ { return f(x).q() }\n",
    "init functions": "func init() { $_g($_x) }\n",
    "structs": "type S%d struct { $; x int }\nfunc (s S%d) m() $ { return s.q() }\n",
    "methods of one struct": "func (x $) m%d() $ { return x.m%d().q() }\n",
    "methods of one name": "type M%d struct{}\nfunc (x M%d) m(y any) any { return y.m(x) }\n",
    "interfaces": "type I%d interface { m%d() $; q() $ }\nfunc u%d(x I%d) { x.m%d().q() }\n",
    "interfaces of one method": "type I%d interface { q() $ }\nfunc u%d(x I%d) { x.q().q() }\n",
    "structs of one method": "type K%d struct{}\nfunc (x K%d) q() $ { return $_x }\n",
    "structs and interfaces": "type K%d struct{}\nfunc (x K%d) q() $ { return $_x }\ntype I%d interface { q() $ }\n",
    "constants": "const $_c%d = %d\n",
    "variables": "var v%d = $_g($_x)\nvar w%d = v%d.q()\n",
    "variables of one value": "var v%d, w%d = $_two($_x)\n",
    "generic functions": "func f%d[T any](x T) T { return x }\nvar v%d = f%d[$]($_x).q()\n",
    "generic types": "type G%d[T any] struct{ x T }\nfunc (g G%d[T]) m() T { return g.x }\nvar v%d = G%d[$]{}.m()\n",
    "named types": "type T%d $\ntype U%d = $\nfunc f%d(x U%d) $ { return x.q() }\n",
    "tests": 'func Test%d(t *testing.T) { t.Run("a", func(t *testing.T) { $_g($_x) }) }\n',
    "routes": 'var _ = http.HandleFunc("/r%d", func(w http.ResponseWriter, r *http.Request) { $_g($_x) })\n',
    "environment": 'var e%d = os.Getenv("E%d")\n',
    "composites": "var s%d = struct{ a $ }{ a: $_g($_x) }\nvar t%d = s%d.a.q()\n",
}
"""Declarations of a Go file."""


def _of_lines(writer: Callable[[str, str], Files], each: str) -> Make:
    return lambda n, w: writer(w, repeated(each.replace("$", w), n))


def _of_body(writer: Callable[[str, str], Files], head: str, each: str, last: str) -> Make:
    return lambda n, w: writer(w, f"{head}\n".replace("$", w) + repeated(each.replace("$", w), n) + last)


_SCRIPT_HEAD: Final = "class $_k { async f(c) {\n  "
for _name, (_first, _each) in PYTHON_BODY.items():
    shape(f"Python, in a function: {_name}", 2_000)(
        _of_body(python, f"def $_f(c):\n    {_first}", _each, "    c.q()\n")
    )
for _name, (_first, _each) in TYPESCRIPT_BODY.items():
    _last = "}" * (_first.count("{") - _first.count("}")) + "} }\n"
    for _language in ("TypeScript", "JavaScript"):
        shape(f"{_language}, in a function: {_name}", 2_000)(
            _of_body(WRITERS[_language], _SCRIPT_HEAD + _first, _each, _last)
        )
for _name, (_first, _each) in GO_BODY.items():
    _last = "\t" + "}" * (_first.count("{") - _first.count("}")) + "\n\treturn c\n}\n"
    shape(f"Go, in a function: {_name}", 2_000)(_of_body(go, f"func $_f(c $) $ {{\n\t{_first}", _each, _last))
for _language, _lines in (
    ("Python", PYTHON),
    ("TypeScript", SCRIPT),
    ("JavaScript", SCRIPT),
    ("TypeScript", TYPES),
    ("Go", GO),
):
    for _name, _each in _lines.items():
        shape(f"{_language}: {_name}", 2_000)(_of_lines(WRITERS[_language], _each))


PARTS: Final = {
    "Python: a list": ("x = [", ("$_g(%d)", ", "), "]"),
    "Python: a dict": ("x = {", ("'k%d': $_g", ",\n"), "}\nx['k1'](2)"),
    "Python: a list with comments": ("x = [\n", ("    # about %d\n    %d,\n", ""), "]"),
    "Python: classes of many bases": (("class C%d(%b):\n    def m%d(self): return self.q()\nC%d().m%d()\n", ""),),
    "Python: a ring of classes": (("class C%d(C%n): pass\n", ""), ("C%d().m()\n", "")),
    "Python: an enum": ("class E(Enum):\n", ("    A%d = %d\n", ""), ("E.A%d.value\n", "")),
    "Python: parameters": ("def f(", ("p%d", ", "), "):\n", ("    p%d.q()\n", ""), "f(", ("$_g(%d)", ", "), ")"),
    "Python: keyword arguments": ("f(", ("p%d=$_g(%d)", ", "), ")"),
    "Python: a long string": ('x = """\n', ("# line %d of 'many'\n", ""), '"""'),
    "Python: decorators and comments": (("@$_g\n# of %d\n", ""), "def f(): pass"),
    "Python: methods of a class": (
        "class C:\n",
        ("    def m%d(self):\n        self.a%d = $()\n        return self.a%d.q() or self.m%d()\n", ""),
    ),
    "Python: methods of one name in a class": ("class C:\n", ("    def m(self): return self.m()\n", "")),
    "Python: self.x": (
        "class C:\n    def m(self):\n        self.x = $()\n",
        ("        self.x = $_g(self.x)\n        self.x.q()\n", ""),
    ),
    "TypeScript: a union": ("type U = ", ("'k%d'", " | "), ";\nfunction f(x: U): U {}\n", ("f('k%d');\n", "")),
    "TypeScript: an enum": ("enum E {\n", ("  A%d = %d,\n", ""), "}\n", ("E.A%d;\n", "")),
    "TypeScript: an interface": (
        "interface I {\n",
        ("  m%d(x: $): $;\n", ""),
        "}\ndeclare const i: I;\n",
        ("i.m%d(1).q();\n", ""),
    ),
    "TypeScript: interfaces of many bases": (
        ("interface C%d extends %b { m%d(): $; }\ndeclare const i%d: C%d;\ni%d.m%d().q();\n", ""),
    ),
    "TypeScript: a ring of classes": (("class C%d extends C%n {}\nnew C%d().m();\n", ""),),
    "TSX: elements": ("const X = () => <div>\n", ("  <Y%d a={$_g(%d)}>text</Y%d>\n", ""), "</div>;\n"),
    "TSX: components": (
        ("export const X%d = (p: P%d) => { const [s, t] = useS($_g(%d)); return <X%d a={s} b={() => t()} />; };\n", ""),
    ),
    "Go: a ring of structs": (("type S%d struct{ *S%n }\nfunc f%d(s S%d) { s.q() }\n", ""),),
    "Go: a ring of interfaces": (("type I%d interface{ I%n; m%d() }\nfunc f%d(s I%d) { s.m%d() }\n", ""),),
    "Go: structs of many embedded": (("type C%d struct{ %s }\nfunc (c C%d) m%d() { c.q() }\n", ""),),
    "Go: one struct of many embedded": (
        ("type S%d struct{}\nfunc (s S%d) m%d() {}\n", ""),
        "type All struct {\n",
        ("\tS%d\n", ""),
        "}\nfunc u(a All) {\n",
        ("\ta.m%d()\n", ""),
        "}\n",
    ),
    "Go: a struct": ("type B struct {\n", ("\tF%d $\n", ""), "}\nfunc u(b B) {\n", ("\tb.F%d.q()\n", ""), "}\n"),
    "Go: an interface": (
        "type B interface {\n", ("\tM%d() $\n", ""), "}\nfunc u(b B) {\n", ("\tb.M%d().q()\n", ""), "}\n"
    ),
    "Go: iota": ("const (\n\tz = iota\n", ("\tc%d\n", ""), ")\nfunc u() {\n", ("\t$_p(c%d)\n", ""), "}\n"),
    "Go: a slice": ("var x = []${", ("$_g(y%d)", ", "), "}\n"),
    "Go: parameters": ("func f(", ("p%d $", ", "), ") {\n", ("\tp%d.q()\n", ""), "}\n"),
}  # fmt: skip
"""Parts of a file: a text, or a text for each number with what stands between two of them. `%n` is the next number, the
first again after the last; `%b` and `%s` are names with the twelve numbers before, after commas and after semicolons.
"""

SCRIPT_PARTS: Final = {
    "an object literal": (
        "const o = {\n",
        ("  k%d: $_g(%d),\n  f%d() { return $_g(1); },\n", ""),
        "};\n",
        ("o.f%d();\n", ""),
    ),
    "an array": ("const x = [", ("$_g(%d)", ", "), "];"),
    "parameters": ("function f(", ("p%d", ", "), ") {\n", ("p%d.q();\n", ""), "}\nf(", ("$_g(%d)", ", "), ");"),
    "methods of a class": ("class C {\n", ("  m%d() { this.a%d = 1; return this.a%d.q() || this.m%d(); }\n", ""), "}"),
    "methods of one name in a class": ("class C {\n", ("  m() { return this.m(); }\n", ""), "}\nnew C().m();"),
    "a chain of calls with comments": ("const x = new $()\n", ("  // about %d\n", ""), "  .q();\n"),
    "a long string": ("const x = `\n", ("// line %d of 'many'\n", ""), "`;"),
}  # fmt: skip
"""The same for files of TypeScript and JavaScript."""


def _of_parts(write: Callable[[str, str], Files], parts: tuple[str | tuple[str, str], ...]) -> Make:
    def made(text: str, number: int, count: int, w: str) -> str:
        before = [f"C{one}" for one in range(max(0, number - 12), number)] or [w]
        text = text.replace("%b", ", ".join(before)).replace("%s", "; ".join(before))
        return text.replace("%d", str(number)).replace("%n", str((number + 1) % count)).replace("$", w)

    def body(n: int, w: str) -> str:
        texts = ((part, "") if isinstance(part, str) else part for part in parts)
        return "".join(
            between.join(made(text, number, n, w) for number in range(n)) if "%" in text else text.replace("$", w)
            for text, between in texts
        )

    return lambda n, w: write(w, body(n, w))


def _tsx(w: str, body: str) -> Files:
    return typescript(w, body, "tsx")


for _name, _parts in PARTS.items():
    shape(_name, 500)(_of_parts({**WRITERS, "TSX": _tsx}[_name.partition(":")[0]], _parts))
for _name, _parts in SCRIPT_PARTS.items():
    for _language in ("TypeScript", "JavaScript"):
        shape(f"{_language}: {_name}", 1_000)(_of_parts(WRITERS[_language], _parts))


@shape("Python: __all__", 1_000)
def _(n: int, w: str) -> Files:
    listed = ", ".join(f"'{w}_m{index}'" for index in range(n))
    return {
        **python(w, f"from m import *\n{w}_m1()"),
        "m.py": repeated(f"def {w}_m%d(): pass\n", n) + f"__all__ = [{listed}]\n",
    }


@shape("Python: star imports", 50)
def _(n: int, w: str) -> Files:
    others = {f"m{one}.py": "".join(f"def {w}_{one}_{two}(): pass\n" for two in range(20)) for one in range(n)}
    return {**python(w, repeated("from m%d import *\n", n) + repeated(f"{w}_%d_3()\n{w}_no%d()\n", n)), **others}


@shape("Python: functions of one name in files", 100)
def _(n: int, w: str) -> Files:
    others = {f"m{one}.py": f"def {w}_m(x):\n    x.{w}_m()\n" for one in range(n)}
    return {**python(w, f"def u(x): x.{w}_m()"), **others}


@shape("TypeScript: a barrel", 500)
def _(n: int, w: str) -> Files:
    names = ", ".join(f"x{one}" for one in range(n))
    others = {
        "b.ts": repeated("export { x%d } from './c';\n", n),
        "c.ts": repeated("export function x%d() {}\n", n),
    }
    return {**typescript(w, f"import {{ {names} }} from './b';\n" + repeated("x%d();\n", n)), **others}


@shape("TypeScript: a barrel of files", 50)
def _(n: int, w: str) -> Files:
    names = ", ".join(f"x{one}" for one in range(n))
    others = {f"c{one}.ts": f"export function x{one}() {{}}\n" for one in range(n)}
    barrel = {"b.ts": repeated("export * from './c%d';\n", n)}
    return {**typescript(w, f"import {{ {names} }} from './b';\n" + repeated("x%d();\n", n)), **barrel, **others}


@shape("Go: imports", 200)
def _(n: int, w: str) -> Files:
    imports = "import (\n" + repeated('\t"example.org/a/m%d"\n', n) + ")\n"
    files = go(w, repeated("var v%d = m%d.F()\n", n))
    others = {f"m{one}/m.go": f"package m{one}\n\nfunc F() int {{ return 1 }}\n" for one in range(n)}
    return {**files, "a.go": files["a.go"].replace("package a\n", f"package a\n\n{imports}", 1), **others}


@shape("Go: modules of a workspace", 100)
def _(n: int, w: str) -> Files:
    files = {**go(w, ""), "go.work": "go 1.22\n\nuse (\n\t.\n" + repeated("\t./m%d\n", n) + ")\n"}
    for one in range(n):
        files[f"m{one}/go.mod"] = f"module example.org/m{one}\n\ngo 1.22\n"
        other = f'import m "example.org/m{(one + 1) % n}"'
        files[f"m{one}/m.go"] = f"package m{one}\n\n{other}\n\nfunc F() {{ m.F() }}\n"
    return files


CHOSEN: Final = (
    "Python: comments", "Python: blank lines and comments", "Python, in a function: comments",
    "Python, in a function: if x = g(x)", "Python, in a function: try x = g(x)", "Python, in a function: isinstance",
    "Python, in a function: closures of one name", "Python: functions of one name", "Python: methods of one name",
    "Python: fixtures of one name", "Python: imports and uses", "Python: __all__", "Python: an enum",
    "Python: parameters", "TypeScript, in a function: if x = g(x)", "TypeScript, in a function: one switch",
    "TypeScript: a chain of calls with comments", "TypeScript: interfaces of one name",
    "TypeScript: namespaces of one name", "TypeScript: an enum", "TypeScript: a barrel", "TSX: elements",
    "JavaScript, in a function: if x = g(x)", "JavaScript: functions of one name", "JavaScript: an object literal",
    "JavaScript: Express routes", "Go, in a function: if x = g(x)", "Go: functions of one name", "Go: generic types",
    "Go: imports", "Go: modules of a workspace", "Go: a struct", "Go: structs and interfaces",
    "Python, in a function: x = x.q()", "Python: a ring of classes", "Go: a ring of structs", "Python: star imports",
    "Python: classes of many bases", "TypeScript: interfaces of many bases", "TypeScript: a barrel of files",
    "TypeScript, in a function: instanceof", "Go, in a function: blocks",
)  # fmt: skip
"""The shapes of benchmarks/results/growth.md, and of the tests of every day."""
