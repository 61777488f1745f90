"""The uses of packages from outside, by sources of each language."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from bearings.code.catalogue.names import package_of
from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from bearings.code.questions.catalogued.outside_uses import outside_uses
from tests.code.trees import write

PYTHON = {
    "import requests\nrequests.get(u)\n": ["requests  import 1", "requests get call 2"],
    "import requests as r\nr.codes.ok\n": ["requests  import 1", "requests codes.ok read 2"],
    "from requests import get as fetch\nfetch(u)\n": ["requests get import 1", "requests get call 2"],
    "from requests.adapters import HTTPAdapter\nclass A(HTTPAdapter): pass\n": [
        "requests.adapters HTTPAdapter import 1",
        "requests.adapters HTTPAdapter extends 2",
    ],
    "from requests import Session\ns = Session()\ns.get(u)\n": [
        "requests Session import 1",
        "requests Session call 2",
        "requests Session().get call 3 guess",
    ],
    "import requests\ndef f(r: requests.Response) -> None: pass\n": [
        "requests  import 1",
        "requests Response type 2",
    ],
    "import requests\ndef f(requests):\n    requests.get(u)\n": ["requests  import 1"],
    "import os.path\nos.path.join(a)\nos.getcwd()\n": [
        "os.path  import 1",
        "os.path join call 2",
        "os getcwd call 3",
    ],
    "@app.get('/')\ndef f(): pass\nfrom flask import Flask\napp = Flask(n)\n": [
        "flask Flask().get call 1 guess",
        "flask Flask import 3",
        "flask Flask call 4",
    ],
    "from . import own\nown.f()\n": [],
    "import requests\ns = s\nfor one in requests.get(u).history[0].all(): one.close()\n": [
        "requests  import 1",
        "requests get call 3",
        "requests get().history call 3 guess",
        "requests get().history().close call 3 guess",
    ],
    "import requests\na = requests.Session()\nb = a\nc = b\nd = c\ne = d\nf = e\nf.get()\n": [
        "requests  import 1",
        "requests Session call 2",
    ],
    "def f():\n    import numpy as np\n    return np.array([])\n": ["numpy  import 2", "numpy array call 3"],
}

TYPESCRIPT = {
    "import express from 'express'\nconst app = express()\napp.use(x)\n": [
        "express  import 1",
        "express  call 2",
        "express ().use call 3 guess",
    ],
    "import { useState } from 'react'\nuseState(0)\n": ["react useState import 1", "react useState call 2"],
    "import * as fp from 'lodash/fp'\nfp.map(f)\n": ["lodash/fp  import 1", "lodash/fp map call 2"],
    "import type { Request } from 'express'\nfunction f(r: Request) {}\n": [
        "express Request import 1",
        "express Request type 2",
    ],
    "export { map } from 'rxjs'\n": ["rxjs map export 1"],
    "const { join } = require('node:path')\njoin(a)\n": ["node:path join import 1", "node:path join call 2"],
    "import { Component } from 'react'\nclass A extends Component {}\n": [
        "react Component import 1",
        "react Component extends 2",
    ],
    "import { Box } from '@mui/material'\nexport const A = () => <Box />\n": [
        "@mui/material Box import 1",
        "@mui/material Box jsx 2",
    ],
    "import { own } from './own'\nown()\n": [],
    "require('fs').readFileSync(a)\nrequire('./own').f()\n": ["fs  import 1", "fs readFileSync call 1"],
    "let a: import('express').Request\n": ["express  import 1", "express Request type 1"],
    "import { A, B } from 'x'\nclass C implements A {}\ninterface D extends B {}\ninterface E extends D {}\n": [
        "x A import 1",
        "x B import 1",
        "x A implements 2",
        "x B extends 3",
    ],
    "import a from 'x'\na.b.c()\na.b().c()\na?.d\n": [
        "x  import 1",
        "x b.c call 2",
        "x b call 3",
        "x b().c call 3 guess",
        "x d read 4",
    ],
    "export * from 'x'\nexport * as y from 'z'\n": ["x  export 1", "z  export 2"],
}

GO = {
    'package a\nimport "github.com/gorilla/mux"\nfunc f() { mux.NewRouter() }\n': [
        "github.com/gorilla/mux  import 2",
        "github.com/gorilla/mux NewRouter call 3",
    ],
    'package a\nimport y "gopkg.in/yaml.v3"\nfunc f() { y.Marshal(1) }\n': [
        "gopkg.in/yaml.v3  import 2",
        "gopkg.in/yaml.v3 Marshal call 3",
    ],
}


def told(root: Path, files: Mapping[str, str]) -> list[str]:
    snapshot = Index(write(root, files), NoFacts(), 1_000_000).refresh()
    return [
        f"{use.module} {use.name} {use.kind} {use.line}{' guess' if use.is_guess else ''}"
        for path in snapshot.facts
        for use in outside_uses(snapshot, path)
    ]


@pytest.mark.parametrize(
    ("file", "source", "uses"),
    [
        *(("a.py", source, uses) for source, uses in PYTHON.items()),
        *(("a.tsx", source, uses) for source, uses in TYPESCRIPT.items()),
        *(("a.go", source, uses) for source, uses in GO.items()),
    ],
)
def test_uses_are_followed_to_the_import(tmp_path: Path, file: str, source: str, uses: list[str]):
    assert told(tmp_path, {file: source}) == uses


@pytest.mark.parametrize(
    ("module", "separator", "package"),
    [
        ("requests.adapters", ".", "requests"),
        ("os", ".", "os"),
        ("@babel/core/lib/x", "/", "@babel/core"),
        ("lodash/fp", "/", "lodash"),
        ("socket.io", "/", "socket.io"),
        ("node:fs/promises", "/", "fs"),
        ("github.com/gorilla/mux/v2", "/", "github.com/gorilla/mux"),
        ("gopkg.in/yaml.v3", "/", "gopkg.in/yaml.v3"),
        ("serde::de::Error", "::", "serde"),
    ],
)
def test_a_module_belongs_to_a_package(module: str, separator: str, package: str):
    assert package_of(module, separator) == package
