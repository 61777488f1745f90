"""coderef_remove: an element that nothing uses goes with its imports and exports; any other stays."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bearings.code.facts.store import NoFacts
from bearings.code.questions.remove import Remove, RemoveReply
from bearings.code.service import CodeService
from bearings.errors import InvalidInput, Unsupported
from tests.code.in_process import InProcessEngine
from tests.code.trees import git, repository, write

Files = Mapping[str, str]


def remove(root: Path, element: str, **arguments: Any) -> RemoveReply:
    async def ask() -> RemoveReply:
        service = CodeService(InProcessEngine(store=NoFacts(), max_file_bytes=1_000_000), None)
        try:
            return await service.reply_to(str(root), Remove(element=element, **{"dry_run": False, **arguments}))
        finally:
            await service.aclose()

    return asyncio.run(ask())


def contents(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes().decode()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".git" not in path.parts
    }


REMOVED: Mapping[str, tuple[str, Files, Files]] = {
    "a function with its comment, imports and entry in __all__": (
        "pkg/m.py#old",
        {
            "pkg/__init__.py": "from .m import kept, old\n",
            "pkg/m.py": (
                '__all__ = ["kept", "old"]\n\n\ndef kept():\n    return 1\n\n\n'
                "# What old does.\n# More of it.\ndef old(x):\n    return old(x - 1)\n\n\n"
                "def last():\n    return kept()\n"
            ),
            "use.py": "from pkg.m import (\n    kept,\n    old as other,\n)\n\nkept()\n",
            "only.py": "from pkg.m import old\n\nx = 1\n",
        },
        {
            "pkg/__init__.py": "from .m import kept\n",
            "pkg/m.py": (
                '__all__ = ["kept"]\n\n\ndef kept():\n    return 1\n\n\ndef last():\n    return kept()\n'
            ),
            "use.py": "from pkg.m import (\n    kept,\n)\n\nkept()\n",
            "only.py": "x = 1\n",
        },
    ),
    "the only member of a class": (
        "A.old", {"m.py": "class A:\n    def old(self):\n        return 1\n"}, {"m.py": "class A:\n    pass\n"}
    ),
    "the last function of a file": (
        "old", {"m.py": "x = 1\n\n\ndef old(): ...\n"}, {"m.py": "x = 1\n"}
    ),
    "a constant": ("OLD", {"m.py": "OLD = 1\nKEPT = 2\n"}, {"m.py": "KEPT = 2\n"}),
    "the first of several lines": (
        "OLD", {"m.py": "import a\n\nOLD = 1\nKEPT = a\n"}, {"m.py": "import a\n\nKEPT = a\n"}
    ),
    "a function of TypeScript with its overloads, its import and its export": (
        "m.ts#old",
        {
            "m.ts": (
                "const kept = 1;\n\n/** What old does. */\nfunction old(a: number): number;\n"
                "function old(a: any) { return a; }\n\nexport { kept, old };\n"
            ),
            "use.ts": "import { kept, old } from './m';\nkept;\n",
            "index.ts": "export { old } from './m';\nexport { kept } from './m';\n",
        },
        {
            "m.ts": "const kept = 1;\n\nexport { kept };\n",
            "use.ts": "import { kept } from './m';\nkept;\n",
            "index.ts": "export { kept } from './m';\n",
        },
    ),
    "a method and its decorator": (
        "A.old",
        {"m.ts": "export class A {\n  kept() {}\n\n  // Old.\n  old() {\n    return 1;\n  }\n}\n"},
        {"m.ts": "export class A {\n  kept() {}\n}\n"},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("element", "before", "after"), REMOVED.values(), ids=REMOVED)
def test_an_unused_element_goes_with_what_names_it_and_the_difference_undoes_it(tmp_path, element, before, after):
    root = repository(tmp_path / "r", before)
    shown = remove(root, element, dry_run=True)
    reply = remove(root, element)
    assert not reply.refused
    assert reply.written
    assert contents(root) == after
    (tmp_path / "x.diff").write_text(shown.diff or "", encoding="utf-8")
    git(root, "apply", "-R", str(tmp_path / "x.diff"))
    assert contents(root) == before


REFUSED: Mapping[str, tuple[Files, str, int]] = {
    "a use": ({"m.py": "def old(): ...\n\n\nold()\n"}, "old", 4),
    "a use by an alias": (
        {"m.py": "def old(): ...\n", "use.py": "from m import old as x\n\nx()\n"}, "m.py#old", 3
    ),
    "a receiver of unknown type": (
        {"m.py": "class A:\n    def old(self): ...\n\n\ndef f(x):\n    x.old()\n"}, "A.old", 6
    ),
    "a protocol that the class fits": (
        {"m.py": "from typing import Protocol\n\n\nclass P(Protocol):\n    def old(self): ...\n\n\nclass A:\n"
         "    def old(self): ...\n\n\ndef f(p: P):\n    p.old()\n"},
        "A.old", 13
    ),
    "a decorator, whose framework may run it": ({"m.py": "@app.get\ndef old(): ...\n"}, "old", 2),
    "a property with its setter": (
        {"m.py": "class A:\n    @property\n    def old(self): ...\n\n    @old.setter\n    def old(self, x): ...\n"},
        "A.old", 3
    ),
    "a test": ({"tests/test_m.py": "def test_old(): ...\n"}, "test_old", 1),
    "a member that a base calls": (
        {"m.py": "class A:\n    def old(self): ...\n\n\nclass B(A):\n    def old(self): ...\n"}, "B.old", 2
    ),
    "a class that its base may store": (
        {"m.py": "class A:\n    def __init_subclass__(cls): ...\n\n\nclass old(A): ...\n"}, "old", 5
    ),
    "a statement that does more": ({"m.ts": "const old = 1, kept = 2;\nexport { kept };\n"}, "old", 1),
    "a name that is composed": (
        {"m.ts": "class A {\n  do_old() {}\n  f(x: string) { (this as any)['do_' + x](); }\n}\n"}, "A.do_old", 3
    ),
    "a type of an imported module": (
        {"m.ts": "export interface old { a: 1 }\n", "use.ts": "let x: import('./m').old;\n"}, "m.ts#old", 1
    ),
    "an index of an imported module": (
        {"m.ts": "export const old = 1;\n", "use.ts": "import * as ns from './m';\nns['old'];\n"}, "m.ts#old", 2
    ),
    "a default export that another file names": (
        {"m.ts": "export default function old() {}\n", "use.ts": "import other from './m';\n"}, "m.ts#old", 1
    ),
    "a default export that a barrel names": (
        {"m.ts": "export default function old() {}\n", "index.ts": "export { default as old } from './m';\n"},
        "m.ts#old", 1
    ),
    "text that names it": ({"m.py": "def old(): ...\n\n\ngetattr(1, 'old')\n"}, "m.py#old", 4),
}  # fmt: skip


@pytest.mark.parametrize(("files", "element", "line"), REFUSED.values(), ids=REFUSED)
def test_an_element_that_may_be_used_stays_and_the_place_is_shown(tmp_path, files, element, line):
    root = write(tmp_path, files)
    reply = remove(root, element)
    assert not reply.written
    assert line in [place.line for place in reply.refused]
    assert contents(root) == files


def test_a_dry_run_writes_nothing(tmp_path):
    _, before, _ = REMOVED["a constant"]
    root = write(tmp_path, before)
    reply = remove(root, "OLD", dry_run=True)
    assert "-OLD = 1" in (reply.diff or "")
    assert contents(root) == before


def test_the_tag_of_an_element_goes_with_it_and_references_elsewhere_are_shown(tmp_path):
    root = write(
        tmp_path,
        {
            "m.py": "x = 1\n\n\n# @Fn/m.py#old:5\ndef old():  # old\n    return 'old'\n\n\ny = 'old'\n",
            "README.md": "See @Fn/m.py#old.\n",
        },
    )
    reply = remove(root, "old")
    assert reply.written
    assert contents(root)["m.py"] == "x = 1\n\n\ny = 'old'\n"
    assert {(place.file, place.line, place.why) for place in reply.left} == {
        ("m.py", 9, "a string"),
        ("README.md", 1, "a reference to it"),
    }


def test_places_are_lines_or_objects(tmp_path):
    root = write(tmp_path, {"m.py": "def old(): ...\n\n\nold()\n"})
    assert remove(root, "m.py#old").sent()["refused"] == ["m.py:4 [a use (call)] old()"]
    assert remove(root, "m.py#old", detail="full").sent()["refused"] == [
        {"file": "m.py", "line": 4, "why": "a use (call)", "source": "old()"}
    ]


def test_what_is_no_element_of_its_own_is_refused(tmp_path):
    root = write(tmp_path, {"m.py": "x = 1\n", "m.go": "package m\n\nfunc Old() {}\n"})
    with pytest.raises(InvalidInput, match="element"):
        remove(root, "m.py")
    with pytest.raises(Unsupported, match="Go"):
        remove(root, "m.go#Old")
