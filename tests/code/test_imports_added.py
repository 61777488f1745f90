"""Imports added to sources: joined to one of the same module, or on a line after the last at the top."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.code.models import Language
from bearings.code.parse import parse_file
from bearings.code.refactoring.edits import edited
from bearings.code.refactoring.imports import NewImport, with_imports

PY, TS, JS, GO = Language.PYTHON, Language.TYPESCRIPT, Language.JAVASCRIPT, Language.GO
ANY = NewImport("decimal", "Decimal")
NAMED = NewImport("./m", "b")


def added(language: Language, text: str, *wanted: NewImport) -> str:
    edits = with_imports(language, text.encode(), wanted)
    assert edits is not None
    return edited("f", text.encode(), edits).after.decode()


ADDED = {
    "a file without imports": (PY, "x = 1\n", [ANY], "from decimal import Decimal\n\n\nx = 1\n"),
    "an empty file": (PY, "", [ANY], "from decimal import Decimal\n"),
    "a docstring": (
        PY,
        '#!/usr/bin/env python\n"""Doc."""\n\n\ndef f(): ...\n',
        [ANY],
        '#!/usr/bin/env python\n"""Doc."""\n\nfrom decimal import Decimal\n\n\ndef f(): ...\n',
    ),
    "a docstring alone, without a last newline": (
        PY,
        '"""Doc."""',
        [ANY],
        '"""Doc."""\n\nfrom decimal import Decimal\n',
    ),
    "a licence": (
        PY,
        "# Licence\n# of it.\n\nx = 1\n",
        [ANY],
        "# Licence\n# of it.\n\nfrom decimal import Decimal\n\nx = 1\n",
    ),
    "a comment of the first definition": (
        PY,
        "# What f does.\ndef f(): ...\n",
        [ANY],
        "from decimal import Decimal\n\n\n# What f does.\ndef f(): ...\n",
    ),
    "a future": (
        PY,
        "from __future__ import annotations\nx = 1\n",
        [ANY],
        "from __future__ import annotations\nfrom decimal import Decimal\nx = 1\n",
    ),
    "an import inside a definition": (
        PY,
        "import os\n\n\ndef f():\n    import sys\n\n\nimport late\n",
        [ANY],
        "import os\nfrom decimal import Decimal\n\n\ndef f():\n    import sys\n\n\nimport late\n",
    ),
    "one line": (PY, "from m import a, c\n", [NewImport("m", "b")], "from m import a, b, c\n"),
    "one line, unsorted": (PY, "from m import c, a  # x\n", [NewImport("m", "b")], "from m import c, a, b  # x\n"),
    "lines in brackets": (
        PY,
        "from .m import (\r\n    a,\r\n    c,  # noqa\r\n)\r\n",
        [NewImport(".m", "d"), NewImport(".m", "b", "e")],
        "from .m import (\r\n    a,\r\n    b as e,\r\n    d,\r\n    c,  # noqa\r\n)\r\n",
    ),
    "an alias and modules": (
        PY,
        "import os\n",
        [NewImport("a.b", ""), NewImport("numpy", "*", "np"), NewImport("m", "a", "b"), NewImport("os", "")],
        "import os\nimport a.b\nimport numpy as np\nfrom m import a as b\n",
    ),
    "a name that is imported": (PY, "from m import a as b, c\n", [NewImport("m", "a", "b"), NewImport("m", "c")], None),
    "a star": (PY, "from m import *\n", [NewImport("m", "a")], "from m import *\nfrom m import a\n"),
    "types": (
        PY,
        "import typing\n\nif typing.TYPE_CHECKING:\n    from m import A\n    import x\n",
        [NewImport("m", "B", is_type=True), NewImport("n", "C", is_type=True), NewImport("m", "d")],
        "import typing\n\nfrom m import d\n\n"
        "if typing.TYPE_CHECKING:\n    from m import A, B\n    import x\n    from n import C\n",
    ),
    "types that no program may import": (
        PY,
        '"""Doc."""\n\nimport os\n\nimport m\n',
        [NewImport(".n", "C", is_type=True, is_guarded=True), NewImport("n", "D", is_type=True, is_guarded=True)],
        '"""Doc."""\n\nimport os\nfrom typing import TYPE_CHECKING\n\nimport m\n\n'
        "if TYPE_CHECKING:\n    from n import D\n    from .n import C\n",
    ),
    "groups": (
        PY,
        "# ruff: noqa\nx = 1\n",
        [NewImport(".m", "a"), ANY, NewImport("n", ""), NewImport("__future__", "annotations")],
        "# ruff: noqa\n\nfrom __future__ import annotations\n\nfrom decimal import Decimal\n\nimport n\n\n"
        "from .m import a\n\n\nx = 1\n",
    ),
    "a group before all others": (
        PY,
        '"""Doc."""\n\nfrom . import x\n',
        [ANY],
        '"""Doc."""\n\nfrom decimal import Decimal\n\nfrom . import x\n',
    ),
    "an import beside another": (
        PY,
        "import a\nimport c\n",
        [NewImport("b", "", beside="a")],
        "import a\nimport b\nimport c\n",
    ),
    "a long line": (
        PY,
        f"from m import {'a' * 80}\n",
        [NewImport("m", "b" * 20)],
        f"from m import {'a' * 80}\nfrom m import {'b' * 20}\n",
    ),
    "braces": (TS, "import { a } from './m'\n", [NAMED], "import { a, b } from './m'\n"),
    "braces without spaces": (TS, "import {a} from './m'\n", [NAMED], "import {a, b} from './m'\n"),
    "braces over lines": (
        TS,
        'import {\n  a,\n  c,\n} from "./m";\n',
        [NAMED],
        'import {\n  a,\n  b,\n  c,\n} from "./m";\n',
    ),
    "a default": (TS, "import d from './m'\n", [NAMED], "import d, { b } from './m'\n"),
    "a namespace": (
        TS,
        'import * as n from "./m";\n\nn();\n',
        [NAMED, NewImport("react", "default", "React")],
        'import * as n from "./m";\nimport { b } from "./m";\nimport React from "react";\n\nn();\n',
    ),
    "a directive": (TS, '"use client";\n\nf();\n', [NAMED], '"use client";\n\nimport { b } from "./m";\n\nf();\n'),
    "a directive of a tool": (
        TS,
        "// @ts-nocheck\n/** F. */\nf();\n",
        [NAMED],
        '// @ts-nocheck\n\nimport { b } from "./m";\n\n/** F. */\nf();\n',
    ),
    "no semicolons, single quotes": (
        TS,
        "import x from 'x'\nx()\n",
        [NAMED],
        "import x from 'x'\nimport { b } from './m'\nx()\n",
    ),
    "a type of its own": (
        TS,
        'import { a } from "./m";\nimport type { T } from "./t";\n',
        [NewImport("./m", "B", is_type=True), NewImport("./t", "U", is_type=True)],
        'import { a } from "./m";\nimport type { T, U } from "./t";\nimport type { B } from "./m";\n',
    ),
    "a type among values": (
        TS,
        'import { a, type T } from "./m";\n',
        [NewImport("./m", "B", is_type=True)],
        'import { a, type B, type T } from "./m";\n',
    ),
    "a type in a file that marks none": (
        TS,
        'import { a } from "./m";\n',
        [NewImport("./m", "B", is_type=True)],
        'import { a, B } from "./m";\n',
    ),
    "a value beside types": (
        TS,
        'import type { T } from "./m";\n',
        [NAMED],
        'import type { T } from "./m";\nimport { b } from "./m";\n',
    ),
    "a side effect": (TS, "", [NewImport("./m", "")], 'import "./m";\n'),
    "require": (
        JS,
        "'use strict'\n\nconst { a } = require('./m')\n\na()\n",
        [NAMED, NewImport("fs", "*", "fs"), NewImport("./n", "x", "y")],
        "'use strict'\n\nconst { a, b } = require('./m')\nconst fs = require('fs')\n"
        "const { x: y } = require('./n')\n\na()\n",
    ),
    "packages": (
        GO,
        'package a\n\nimport (\n\t"fmt"\n\tx "y/z"\n)\n',
        [NewImport("os", "*"), NewImport("fmt", "*")],
        'package a\n\nimport (\n\t"fmt"\n\t"os"\n\tx "y/z"\n)\n',
    ),
    "the first package": (
        GO,
        "package a\n\nfunc f() {}\n",
        [NewImport("os", "*", "o")],
        'package a\n\nimport o "os"\n\nfunc f() {}\n',
    ),
}


@pytest.mark.parametrize("case", ADDED)
def test_imports_are_added_in_the_style_of_the_file(case: str) -> None:
    language, text, wanted, expected = ADDED[case]
    assert added(language, text, *wanted) == (text if expected is None else expected)


@pytest.mark.parametrize("case", ADDED)
def test_a_file_imports_what_was_added_and_parses(case: str) -> None:
    language, text, wanted, _ = ADDED[case]
    after = parse_file("f", language, added(language, text, *wanted).encode())
    assert after.errors == 0
    again = {(one.module, one.name, one.local) for one in after.imports}
    names = {(one.module, one.name, one.bound) for one in wanted if language in (PY, TS) and one.name}
    assert names <= again
    assert added(language, added(language, text, *wanted), *wanted) == added(language, text, *wanted)


def test_a_language_without_rules_gets_none() -> None:
    assert with_imports(Language.RUBY, b"x = 1\n", [ANY]) is None


@given(st.lists(st.sampled_from(["import os", "from m import a", "x = 1", "# note", '"""text"""', "", "def f(): ..."])))
def test_any_module_still_parses_and_keeps_its_lines(lines: list[str]) -> None:
    text = "\n".join(lines)
    after = added(PY, text, ANY, NewImport("m", "b"))
    assert parse_file("f", PY, after.encode()).errors == 0
    rest = iter(after.split("\n"))
    assert all(line in rest for line in lines if line not in ("", "from m import a"))
