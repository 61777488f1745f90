"""After any sequence of edits and git commands, the graph equals a clean build's; so does what is read on demand."""

import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bearings.code.facts.store import NoFacts, SqliteFacts
from bearings.code.index.demand import UnindexedProject
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot_store import GraphStore
from bearings.code.project.working_tree import WorkingTree
from tests.code.demand import differing
from tests.code.test_change_detection import MAX, clean, content
from tests.code.trees import git, repository, write
from tests.soak import soak

MANY = 100
FOLDERS = ("", "lib/", "src/app/")
NAMES = ("a", "b", "c")
BRANCHES = ("main", "one", "two")
FILES = st.sampled_from(
    [
        *(f"{folder}{name}.{end}" for folder in FOLDERS for name in NAMES for end in ("py", "ts", "tsx", "go", "java")),
        *(f"{folder}{name}.py" for folder in FOLDERS for name in ("conftest", "test_a")),
    ]
)
LINES = st.sampled_from(
    [
        *(f"from {m} import {n}" for m in ("a", "lib.b", "src.app.c", ".") for n in NAMES),
        *(f"import {{ {n} }} from '{m}'" for m in ("./a", "@/b", "../../lib/c", "pkg") for n in NAMES),
        *(f"def {n}(): return {m}()" for n in NAMES for m in NAMES),
        *(f"export function {n}() {{ return {m}() }}" for n in NAMES for m in NAMES),
        "class A(b):\n    def go(self): return self.gone().go()",
        "export class B extends A { c = new B(); go() { this.c.go() } }",
        "export const C = () => <B a={b()} />",
        *(f"export type b = {{ k: '{n}', go: A }}\n  | {{ k: '{m}', go: B }}" for n in NAMES for m in NAMES if n != m),
        "import express from 'express'\nconst r = express.Router()\nr.get('/x', f)\nexport default r",
        *(
            f"import m from '{m}'\nimport express from 'express'\nconst app = express()\napp.use('/{n}', m)"
            for m in ("./a", "@/b", "../../lib/c")
            for n in NAMES
        ),
        *(
            f"import m, {{ PA }} from '{m}'\nimport express from 'express'\nconst app = express()\napp.use(PA, m)"
            for m in ("./a", "@/b", "../../lib/c")
        ),
        *(f"export {{ default }} from '{m}'" for m in ("./a", "@/b", "../../lib/c")),
        "export default (app) => { app.get('/x', f) }",
        "export const PA = '/a'",
        "export const PA = '/b'",
        "fetch('/a/x')",
        "export function t(x: b) { if (x.k === 'a') x.go.go(); else x.go.c; }",
        "export * from '@/a'",
        "from lib import *",
        "from django.conf import settings\nsettings.a()\ngetattr(settings, 'b')",
        *(f"import pytest\n@pytest.fixture\ndef {n}({m}): pass" for n in NAMES for m in NAMES),
        *(f"def test_{n}({n}, {m}): pass" for n in NAMES for m in NAMES),
        "pytest_plugins = ['lib.b']",
        *(f"func {n}() {{ {m}(); lib.{m}() }}" for n in NAMES for m in NAMES),
        'package a\nimport "pkg/lib"',
        'package a\nimport . "pkg/src/app"',
        "type A interface { a(); B() }",
        "type B struct { *C; A }\nfunc (b *B) B() { b.C.a(); C{}.B() }",
        "type C = struct{ B }\nfunc (c lib.C) a() { run := c.B; run() }",
        "class A extends B { void go() { C.a(); this.go(); new B(); } static int b; }",
        "import lib.B;\nclass B { void a() { c(); } }",
        "x: A = a()",
        "x.go()",
    ]
)
TEXTS = st.lists(LINES, max_size=5).map("\n".join)
MANIFESTS = {
    "tsconfig.json": ["{}", '{"compilerOptions": {"paths": {"@/*": ["lib/*"]}}}', '{"extends": "./src/tsconfig.json"}'],
    "src/tsconfig.json": ['{"compilerOptions": {"baseUrl": "..", "paths": {"@/*": ["src/app/*", "lib/*"]}}}', "{"],
    "package.json": ["{}", '{"name": "pkg", "exports": "./lib/a.ts"}', '{"workspaces": ["lib"]}', "]"],
    "go.mod": ["module pkg\n", "module pkg\nreplace pkg/lib => ./src/app\n", ""],
    "lib/package.json": ['{"name": "pkg", "main": "b.ts"}', '{"name": "other"}'],
    "pyproject.toml": ["", '[project]\nname = "a"\n', "[", "[tool.pytest.ini_options]\npythonpath = ['lib']"],
    "src/manage.py": ["", "os.environ['DJANGO_SETTINGS_MODULE'] = 'app.a'", "DJANGO_SETTINGS_MODULE = 'b'"],
}
RULES = st.sampled_from(["", "*.tsx\n", "lib/\n", "a.*\n!a.py\n", "/src\n", "*.json\n"])


class Changes(RuleBasedStateMachine):
    """A repository, and an index that must keep up with it."""

    base = Path()
    count = 0

    @initialize(text=TEXTS)
    def begin(self, text):
        Changes.count += 1
        self.root = repository(Changes.base / str(Changes.count), {"a.py": text, "lib/a.ts": text})
        git(self.root, "branch", "-M", "main")
        for branch in BRANCHES[1:]:
            git(self.root, "branch", branch)
        self.index = self._index()
        self.demand = UnindexedProject(WorkingTree(self.root, None), NoFacts(), MAX, fewest=0, share=1)
        self.fresh = False

    @rule(path=FILES, text=TEXTS)
    def write(self, path, text):
        write(self.root, {path: text})

    @rule(path=FILES, line=LINES)
    def append(self, path, line):
        if (self.root / path).is_file():
            with (self.root / path).open("a") as file:
                file.write(f"\n{line}\n")

    @rule(path=FILES, to=FILES)
    def rename(self, path, to):
        if (self.root / path).is_file():
            (self.root / to).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).replace(self.root / to)

    @rule(path=FILES)
    def delete(self, path):
        (self.root / path).unlink(missing_ok=True)

    @rule(folder=st.sampled_from(["lib", "src", "src/app"]), to=st.sampled_from(["lib", "src", "moved", "lib/in"]))
    def move_folder(self, folder, to):
        if (self.root / folder).is_dir() and not (self.root / to).exists() and not to.startswith(f"{folder}/"):
            (self.root / to).parent.mkdir(parents=True, exist_ok=True)
            (self.root / folder).rename(self.root / to)

    @rule(which=st.data())
    def configure(self, which):
        path = which.draw(st.sampled_from(sorted(MANIFESTS)))
        text = which.draw(st.none() | st.sampled_from(MANIFESTS[path]))
        if text is None:
            (self.root / path).unlink(missing_ok=True)
        else:
            write(self.root, {path: text})

    @rule(text=RULES, folder=st.sampled_from(["", "lib/"]))
    def ignore(self, text, folder):
        write(self.root, {f"{folder}.gitignore": text})

    @rule(path=FILES)
    def touch(self, path):
        if (self.root / path).is_file():
            os.utime(self.root / path)

    @rule(path=FILES)
    def change_without_size_or_time(self, path):
        """Same length, and the time put back: as editors that keep times do, or two saves within one tick."""
        file = self.root / path
        if file.is_file():
            before = file.stat()
            text = file.read_text()
            file.write_text(text.translate(str.maketrans("abc", "bca")))
            os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    @rule(branch=st.sampled_from(BRANCHES), force=st.booleans())
    def switch(self, branch, force):
        """Checks out another branch; nothing changes if git refuses."""
        self._git("checkout", "-q", *(["-f"] if force else []), branch)

    @rule()
    def commit(self):
        self._git("add", "-A")
        self._git("commit", "-q", "--allow-empty", "-m", "more")

    @rule()
    def stash(self):
        self._git("stash", "-q", "-u")

    @rule()
    def unstash(self):
        self._git("stash", "pop", "-q")

    @rule(branch=st.sampled_from(BRANCHES))
    def merge(self, branch):
        """Conflicts leave markers in the files, which is a valid state too."""
        self._git("merge", "-q", branch)

    @rule()
    def reset(self):
        self._git("reset", "-q", "--hard")

    @rule()
    def clean_up(self):
        self._git("clean", "-q", "-fdx")

    @precondition(lambda self: self.root.joinpath(".git").exists())
    @rule()
    def lose_the_repository_and_get_it_back(self):
        (self.root / ".git").rename(self.root / "gone")
        assert content(self.index.refresh()) == content(clean(self.root))
        (self.root / "gone").rename(self.root / ".git")

    @rule(keeps=st.booleans())
    def start_again(self, keeps):
        """Another process continues, from the last snapshot that this one stored."""
        if keeps:
            self.index.keep()
        self.index = self._index()

    @rule()
    def look(self):
        self.fresh = True

    @invariant()
    def the_graph_equals_a_clean_build(self):
        if getattr(self, "fresh", False):
            self.fresh = False
            whole = clean(self.root)
            assert content(self.index.refresh()) == content(whole)
            assert differing(whole, self.demand) == []

    def teardown(self):
        if hasattr(self, "root"):
            assert content(self.index.refresh()) == content(clean(self.root))
            shutil.rmtree(self.root)

    def _index(self) -> Index:
        cache = Changes.base / "cache"
        return Index(self.root, SqliteFacts(cache), MAX, graphs=GraphStore(cache))

    def _git(self, *arguments: str) -> None:
        """Runs git, which may refuse."""
        with suppress(subprocess.CalledProcessError):
            git(self.root, *arguments)


@pytest.mark.slow
@pytest.mark.parametrize("examples", [12, pytest.param(MANY, marks=[pytest.mark.slow, soak])])
def test_after_any_edits_and_switches_the_graph_equals_that_of_a_clean_build(tmp_path_factory, examples):
    Changes.base = tmp_path_factory.mktemp("changes")
    Changes.TestCase.settings = settings(
        max_examples=examples, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
    )
    Changes.TestCase("runTest").runTest()
