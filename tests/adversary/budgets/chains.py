"""Chains: files and declarations of which each leads to the next, so that a walk takes as many steps as there are."""

from collections.abc import Callable
from typing import NamedTuple


class Chain(NamedTuple):
    """Builds the files of a chain with some links. `end` is the element that its use at the start means, if any."""

    files: Callable[[int], dict[str, str]]
    end: Callable[[int], str] = lambda _: ""


def _modules(ending: str, link: str, last: str, use: str) -> Callable[[int], dict[str, str]]:
    """Modules of which each hands on the next; `{next}` and `{here}` in a link are their numbers."""

    def files(links: int) -> dict[str, str]:
        inner = {f"n{at}.{ending}": link.format(here=at, next=at + 1) for at in range(links)}
        return {**inner, f"n{links}.{ending}": last.format(here=links), f"start.{ending}": use}

    return files


def _circle(ending: str, link: str, use: str, place: str = "n{at}") -> Callable[[int], dict[str, str]]:
    """Modules of which the last hands on the first."""

    def files(links: int) -> dict[str, str]:
        inner = {f"{place.format(at=at)}.{ending}": link.format(next=(at + 1) % links) for at in range(links)}
        return {**inner, f"start.{ending}": use}

    return files


def _declarations(name: str, first: str, link: str, use: str) -> Callable[[int], dict[str, str]]:
    """One file of declarations of which each names the one before; `{last}` in the use is the last one's number."""

    def files(links: int) -> dict[str, str]:
        inner = [link.format(here=at, before=at - 1) for at in range(1, links + 1)]
        return {name: "\n".join([first, *inner, use.format(last=links), ""])}

    return files


def _in(ending: str, name: str = "aim") -> Callable[[int], str]:
    return lambda links: f"n{links}.{ending}#{name}"


_TS = "export function aim() {{ return 1 }}\n"
_TS_USE = "import { aim } from './n0';\nexport function run() { return aim() }\n"
_JS = "exports.aim = function aim() {{}};\n"
_JS_USE = "const { aim } = require('./n0');\nfunction run() { aim(); }\n"
_PY = "def aim(): ...\n"
_PY_USE = "from n0 import aim\naim()\n"

CHAINS = {
    "stars": Chain(_modules("ts", "export * from './n{next}';\n", _TS, _TS_USE), _in("ts")),
    "names": Chain(_modules("ts", "export {{ aim }} from './n{next}';\n", _TS, _TS_USE), _in("ts")),
    "imported, then exported": Chain(
        _modules("ts", "import {{ aim }} from './n{next}';\nexport {{ aim }};\n", _TS, _TS_USE), _in("ts")
    ),
    "defaults": Chain(
        _modules(
            "ts",
            "import one from './n{next}';\nexport default one;\n",
            "export default function aim() {{}}\n",
            "import one from './n0';\nexport function run() { one() }\n",
        ),
        _in("ts"),
    ),
    "CommonJS": Chain(_modules("js", "module.exports = require('./n{next}');\n", _JS, _JS_USE), _in("js")),
    "CommonJS, by a variable": Chain(
        _modules("js", "const all = require('./n{next}');\nmodule.exports = all;\n", _JS, _JS_USE), _in("js")
    ),
    "Python's stars": Chain(_modules("py", "from n{next} import *\n", _PY, _PY_USE), _in("py")),
    "Python's names": Chain(_modules("py", "from n{next} import aim\n", _PY, _PY_USE), _in("py")),
    "Python's other names": Chain(
        _modules(
            "py",
            "from n{next} import aim{next} as aim{here}\n",
            "def aim{here}(): ...\n",
            "from n0 import aim0\naim0()\n",
        ),
        lambda links: f"n{links}.py#aim{links}",
    ),
    "Python's fallbacks": Chain(
        _modules(
            "py", "try:\n    from n{next} import aim\nexcept ImportError:\n    from no import aim\n", _PY, _PY_USE
        ),
        _in("py"),
    ),
    "Python's packages": Chain(
        lambda links: {
            "__init__.py": "",
            **{f"p/n{at}/__init__.py": f"from ..n{at + 1} import aim\n" for at in range(links)},
            f"p/n{links}/__init__.py": _PY,
            "p/__init__.py": "",
            "start.py": "from p.n0 import aim\naim()\n",
        },
        lambda links: f"p/n{links}/__init__.py#aim",
    ),
    "bases": Chain(
        _declarations("a.ts", "class C0 { aim() {} }", "class C{here} extends C{before} {{}}", "new C{last}().aim();"),
        lambda links: "a.ts#C0.aim" if links < 200 else "",
    ),
    "Python's bases": Chain(
        _declarations(
            "a.py",
            "class C0:\n    def aim(self): ...",
            "class C{here}(C{before}):\n    def own{here}(self): self.aim()",
            "C{last}().aim()",
        ),
        lambda links: "a.py#C0.aim" if links < 200 else "",
    ),
    "bases over files": Chain(
        _modules(
            "ts",
            "import {{ C{next} }} from './n{next}';\nexport class C{here} extends C{next} {{}}\n",
            "export class C{here} {{ aim() {{}} }}\n",
            "import { C0 } from './n0';\nexport function run() { new C0().aim() }\n",
        ),
        lambda links: f"n{links}.ts#C{links}.aim" if links < 200 else "",
    ),
    "interfaces": Chain(
        _declarations(
            "a.ts",
            "interface C0 { aim(): void }",
            "interface C{here} extends C{before} {{}}",
            "function run(one: C{last}) {{ one.aim() }}",
        ),
        lambda links: "a.ts#C0.aim" if links < 200 else "",
    ),
    "aliases": Chain(_declarations("a.ts", "function f0() {}", "const f{here} = f{before};", "f{last}();")),
    "Python's aliases": Chain(_declarations("a.py", "def f0(): ...", "f{here} = f{before}", "f{last}()")),
    "types": Chain(
        _declarations(
            "a.ts",
            "class C0 { aim() {} }",
            "type C{here} = C{before};",
            "function run(one: C{last}) {{ one.aim() }}",
        )
    ),
    "unions": Chain(
        _declarations(
            "a.ts",
            "class C0 { aim() {} }",
            "type C{here} = C{before} | string;",
            "function run(some: C{last}) {{ for (const one of some) one.aim() }}",
        )
    ),
    "results": Chain(
        _declarations("a.ts", "function f0() { return 1 }", "function f{here}() {{ return f{before}() }}", "f{last}();")
    ),
    "iterators": Chain(
        lambda links: {
            "a.py": "".join(
                f"class C{at}:\n    def __iter__(self) -> 'C{(at + 1) % links}': ...\n" for at in range(links)
            )
            + "for one in C0(): one.aim()\n"
        }
    ),
    "embedding": Chain(
        _declarations(
            "a.go",
            "package a\ntype C0 struct{}\nfunc (c C0) Aim() {}",
            "type C{here} struct {{ C{before} }}",
            "func run(c C{last}) {{ c.Aim() }}",
        ),
        lambda links: "a.go#C0.Aim" if links < 200 else "",
    ),
    "Go's aliases": Chain(
        _declarations(
            "a.go",
            "package a\ntype C0 struct{}\nfunc (c C0) Aim() {}",
            "type C{here} = C{before}",
            "func run(c C{last}) {{ c.Aim() }}",
        )
    ),
    "Go's interfaces": Chain(
        _declarations(
            "a.go",
            "package a\ntype C0 interface { Aim() }",
            "type C{here} interface {{ C{before} }}",
            "func run(c C{last}) {{ c.Aim() }}",
        ),
        lambda links: "a.go#C0.Aim" if links < 200 else "",
    ),
    "a circle of stars": Chain(_circle("ts", "export * from './n{next}';\n", _TS_USE)),
    "a circle of names": Chain(_circle("ts", "export {{ aim }} from './n{next}';\n", _TS_USE)),
    "a circle of Python's stars": Chain(_circle("py", "from n{next} import *\n", _PY_USE)),
    "a circle of Python's names": Chain(_circle("py", "from n{next} import aim\n", _PY_USE)),
    "a circle of CommonJS": Chain(_circle("js", "module.exports = require('./n{next}');\n", _JS_USE)),
}
"""By the kind of link."""
