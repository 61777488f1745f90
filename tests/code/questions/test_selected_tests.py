"""Which test files a change proposes when calls can't be followed all the way, and which it leaves out."""

from pathlib import Path

import pytest

from bearings.code.languages.shared.test_paths import is_test
from bearings.code.questions.impact.compute import impact
from tests.code.questions.snapshots import element, snapshot_of
from tests.code.questions.test_changes import edit, said, since
from tests.code.trees import git, repository, write


def proposed(root: Path) -> dict[str, str]:
    return {row.file: row.why for row in since(root).tests}


CLI = {
    "cli/parse.py": "def split(args):\n    rest = list(args)\n    return rest\n",
    "cli/core.py": (
        "from cli.parse import split\n\n\nclass Command:\n    def main(self, args):\n        return split(args)\n"
    ),
    "cli/__init__.py": "from cli.core import Command\nfrom cli.parse import split\n",
    "tests/test_first.py": "import cli\n\n\ndef test_first(run):\n    args = run(cli)\n    assert args\n",
    "tests/test_second.py": "import cli\n\n\ndef test_second(run):\n    args = run(cli)\n    assert args\n",
}


def test_a_changed_test_does_not_hide_those_that_load_an_unreached_function(tmp_path):
    root = repository(tmp_path.resolve() / "cli", CLI)
    edit(root, "cli/parse.py", "rest = list(args)", "rest = list(args or ())")
    edit(root, "tests/test_first.py", "assert args", "assert args == []")
    assert proposed(root) == {
        "tests/test_first.py": "changed",
        "tests/test_second.py": "imports a changed file in 2 steps",
    }


def test_of_an_element_that_no_test_is_known_to_run_the_likeliest_that_load_it_are_listed(tmp_path):
    many = {f"tests/test_{n}.py": f"import cli\n\n\ndef test_{n}(run):\n    assert run(cli)\n" for n in range(14)}
    many["tests/test_7.py"] += "\n\ndef test_split(run):\n    assert run(cli)\n"
    snapshot = snapshot_of(tmp_path / "cli", {**CLI, **many})
    found = impact(snapshot, element(snapshot, "split"), "modify", 3)
    assert [row.file for row in found.affected_tests] == ["tests/test_7.py"]
    assert "the likeliest that load it are listed, and 15 more load it: run all to be sure" in (found.note or "")


PAGE = {
    "lib/page.js": (
        "var page = {};\nmodule.exports = page;\n"
        "page.title = function (text) {\n  this.head = text;\n};\n"
        "page.send = function (text) {\n  return page.title(text);\n};\n"
        "page.links = function (all) {\n  this.all = all;\n};\n"
    ),
    "index.js": "module.exports = require('./lib/page');\n",
    "test/links.js": "var app = require('../');\nmake(app, function (res) { res.links([1]); });\n",
    "test/send.js": (
        "// links are none of its business\nvar app = require('../');\nmake(app, function (res) { res.send(1); });\n"
    ),
}


def test_a_function_that_only_tests_use_is_run_by_those_that_hold_its_name(tmp_path):
    root = repository(tmp_path.resolve() / "page", PAGE)
    edit(root, "lib/page.js", "this.all = all", "this.all = all || []")
    assert proposed(root) == {"test/links.js": "names links"}


def test_a_function_with_one_user_is_run_by_tests_that_hold_the_users_name_too(tmp_path):
    root = repository(tmp_path.resolve() / "page", PAGE)
    edit(root, "lib/page.js", "this.head = text", "this.head = text || ''")
    assert proposed(root) == {"test/send.js": "names send"}


def test_instances_do_not_count_where_a_method_is_only_run_by_its_name(tmp_path):
    root = repository(
        tmp_path.resolve() / "go",
        {
            "go.mod": "module example.org/cli\n",
            "command.go": (
                "package cli\n\ntype Command struct{ usage string }\n\n"
                "func (c *Command) SetUsage(s string) {\n\tc.usage = s\n}\n\nfunc (c *Command) Run() string {\n"
                "\treturn c.usage\n}\n"
            ),
            "usage_test.go": 'package cli\n\nfunc TestUsage() {\n\tc := &Command{}\n\tc.SetUsage("x")\n}\n',
            "run_test.go": "package cli\n\n// Usage is set.\nfunc TestRun() {\n\tc := &Command{}\n\tc.Run()\n}\n",
        },
    )
    edit(root, "command.go", "c.usage = s\n", 'if s != "" {\n\t\tc.usage = s\n\t}\n')
    assert list(proposed(root)) == ["usage_test.go"]


GOT = {
    "source/options.ts": (
        "export class Options {\n  private held = '';\n  constructor(url: string) {\n    this.url = url;\n  }\n"
        "  get url(): string {\n    return this.held;\n  }\n"
        "  set url(value: string) {\n    this.held = value;\n  }\n}\n"
    ),
    "source/index.ts": (
        "import { Options } from './options';\nconst make = () => new Options('x');\nexport const got = make();\n"
        "export const other = () => 1;\n"
    ),
    "test/helpers/server.ts": "import { got } from '../../source/index';\nexport default (run: any) => run(got);\n",
    "test/pages.ts": "import server from './helpers/server';\ntest('pages', server, (t: any, got: any) => got('/'));\n",
    "test/own.ts": "test('own', (t: any) => t.pass());\n",
}


@pytest.mark.slow
def test_loading_a_module_whose_top_level_runs_a_change_runs_it(tmp_path):
    root = repository(tmp_path.resolve() / "got", GOT)
    edit(root, "source/options.ts", "this.held = value", "this.held = value.trim()")
    found = since(root)
    assert said(found) == [("modified", "source/options.ts#Options.url")]
    assert proposed(root) == {"test/pages.ts": "loads in 2 steps what runs a change at its top level"}


def test_a_test_that_imports_a_program_that_makes_what_changed_may_run_it(tmp_path):
    root = repository(
        tmp_path.resolve() / "app",
        {
            "web/app.py": (
                "class App:\n    def __call__(self, request):\n        return self.answer(request)\n\n"
                "    def answer(self, request):\n        limit = 3\n        return limit\n"
            ),
            "web/__init__.py": "from web.app import App\n",
            "examples/blog/blog.py": "from web import App\n\napp = App()\n",
            "examples/blog/blog_tests.py": (
                "import blog\n\n\ndef test_blog():\n    limit = client(blog.app)\n    assert limit\n"
            ),
        },
    )
    edit(root, "web/app.py", "limit = 3", "limit = 4")
    assert proposed(root) == {
        "examples/blog/blog_tests.py": "imports examples/blog/blog.py, which constructs App",
    }


def test_a_test_of_the_same_package_that_calls_what_is_gone_is_run(tmp_path):
    root = repository(
        tmp_path.resolve() / "go",
        {
            "go.mod": "module example.org/cli\n",
            "init.go": "package cli\n\nfunc prepare(name string) string {\n\treturn name\n}\n\nfunc Kept() {}\n",
            "add_test.go": 'package cli\n\nfunc TestAdd() {\n\tprepare("x")\n}\n',
        },
    )
    edit(root, "init.go", "func prepare(name string) string {\n\treturn name\n}\n\n", "")
    found = since(root)
    assert [(row.element, row.tests) for row in found.changed] == [("init.go#prepare:3", 1)]
    assert list(proposed(root)) == ["add_test.go"]


def test_what_goes_inside_a_test_concerns_nobody_of_that_name(tmp_path):
    root = repository(
        tmp_path.resolve() / "app",
        {
            "tests/test_a.py": "def test_a():\n    def index():\n        return 1\n\n    assert index()\n",
            "tests/test_b.py": "def test_b(page):\n    assert page.index()\n",
        },
    )
    edit(root, "tests/test_a.py", "    def index():\n        return 1\n\n    assert index()\n", "    assert True\n")
    assert proposed(root) == {"tests/test_a.py": "changed"}


def test_an_untested_function_of_a_test_file_is_not_told_as_untested(tmp_path):
    root = repository(tmp_path.resolve() / "go", {"go.mod": "module m\n", "a.go": "package m\n"})
    write(root, {"a_test.go": "package m\n\nfunc helper() {}\n\nfunc TestA() {}\n"})
    git(root, "add", "-A")
    assert since(root).untested == []


@pytest.mark.parametrize("path", ["blog/tests.py", "examples/blog_tests.py", "blog_test.py", "test_blog.py"])
def test_usual_names_of_test_files_are_known(path):
    assert is_test(path)
    assert not is_test(path.replace("test", "best"))


TWO = """class A:
    @property
    def one(self):
        return 1

    @property
    def two(self):
        return 2
"""


def test_an_element_is_not_modified_by_a_line_that_its_neighbour_begins_with_too(tmp_path):
    root = repository(tmp_path.resolve() / "app", {"a.py": TWO})
    more = "    @property\n    def more(self):\n        return 3\n\n"
    edit(root, "a.py", "    @property\n    def two", f"{more}    @property\n    def two")
    assert said(since(root)) == [("added", "a.py#A.more")]
