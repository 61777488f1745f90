"""Test files that a change concerns without an edge: set-up files, configuration, data, fixtures that run for all."""

from pathlib import Path

import pytest

from tests.code.questions.test_changes import edit, since
from tests.code.trees import repository

JEST = {
    "package.json": ('{"devDependencies": {"jest": "1"}, "jest": {"setupFilesAfterEnv": ["<rootDir>/src/setup.js"]}}'),
    "jest.config.js": "module.exports = { bail: 1 };\n",
    "tsconfig.json": '{"strict": 1}\n',
    "README.md": "version 1\n",
    "src/setup.js": "import { clock } from './clock';\nclock();\n",
    "src/clock.js": "export function clock() {\n  return 1;\n}\n",
    "src/a.js": "export const a = () => 1;\n",
    "src/a.test.js": "import { a } from './a';\ntest('a', () => a());\n",
    "src/__snapshots__/a.test.js.snap": "exports[`a`] = `1`\n",
    "src/b.js": "import table from './table.json';\nexport const b = () => table.x;\n",
    "src/table.json": '{"x": 1}\n',
    "src/__mocks__/b.js": "export const b = () => 1;\n",
    "src/b.test.js": "import { b } from './b';\njest.mock('./b');\ntest('b', () => b());\n",
}

VITEST = {
    "package.json": '{"devDependencies": {"vitest": "1"}}',
    "vitest.config.ts": "export default { test: { setupFiles: ['./test/setup.ts'], globals: true } };\n",
    "test/setup.ts": "import { start } from './server';\nbeforeAll(() => start());\n",
    "test/server.ts": "export function start() {\n  return 1;\n}\n",
    "src/q.sql": "select 1\n",
    "src/a.ts": "import q from './q.sql?raw';\nexport const a = () => q;\n",
    "test/a.test.ts": "import { a } from '../src/a';\ntest('a', () => a());\n",
    "test/b.test.ts": "test('b', () => 2);\n",
}

PYTEST = {
    "pyproject.toml": "[tool.pytest.ini_options]\nusefixtures = 'every'\naddopts = '-q'\n",
    "requirements.txt": "shop==1\n",
    "shop.py": "".join(f"def {name}():\n    return '{name} 1'\n\n\n" for name in ("made", "auto", "every", "loaded")),
    "conftest.py": (
        "import pytest\nfrom shop import auto, every as all_, loaded, made\n\nLIMIT = loaded()\n\n\n"
        "@pytest.fixture\ndef cart():\n    return made()\n\n\n"
        "@pytest.fixture(autouse=True)\ndef clock():\n    return auto()\n\n\n"
        "@pytest.fixture\ndef every():\n    return all_()\n"
    ),
    "tests/test_cart.py": "def test_cart(cart):\n    assert cart\n",
    "tests/test_page.py": (
        "import pathlib\n\n\ndef test_page():\n"
        "    assert (pathlib.Path(__file__).parent / 'pages' / 'home.txt').exists()\n"
    ),
    "tests/pages/home.txt": "page 1\n",
    "tests/pages/other.txt": "page 1\n",
}

GO = {
    "go.mod": "module example.org/shop\n",
    "shop.go": "package shop\n\nfunc start() int {\n\treturn 1\n}\n\nfunc hidden() int {\n\treturn 2\n}\n",
    "main_test.go": 'package shop\n\nimport "testing"\n\nfunc TestMain(m *testing.M) {\n\tstart()\n\tm.Run()\n}\n',
    "export_test.go": "package shop\n\nvar Hidden = hidden\n",
    "a_test.go": (
        'package shop_test\n\nimport (\n\t"testing"\n\t"example.org/shop"\n)\n\n'
        "func TestA(t *testing.T) {\n\tshop.Hidden()\n}\n"
    ),
    "b_test.go": 'package shop\n\nimport "testing"\n\nfunc TestB(t *testing.T) {\n}\n',
    "testdata/a.golden": "1\n",
}

DJANGO = {
    "shop/management/commands/pay.py": "class Command(BaseCommand):\n    def handle(self):\n        return 1\n",
    "tests/test_pay.py": (
        "from django.core.management import call_command\n\n\ndef test_pay():\n    call_command('pay')\n"
    ),
    "tests/test_other.py": "def test_other():\n    assert True\n",
}

PLUGINS = {
    "app/load.py": "import importlib\n\n\ndef load(name):\n    return importlib.import_module(name)\n",
    "app/plugin.py": "def run():\n    return 1\n",
    "tests/test_load.py": "from app.load import load\n\n\ndef test_load():\n    assert load('app.' + 'plugin').run()\n",
    "tests/test_other.py": "def test_other():\n    assert True\n",
}

JS, TS = {"src/a.test.js", "src/b.test.js"}, {"test/a.test.ts", "test/b.test.ts"}
PY, GOS = {"tests/test_cart.py", "tests/test_page.py"}, {"a_test.go", "b_test.go"}


@pytest.mark.parametrize(
    ("files", "changed", "wanted"),
    [
        (JEST, ("src/setup.js", "clock();", "clock(2);"), JS),
        (JEST, ("src/clock.js", "return 1", "return 2"), JS),
        (JEST, ("src/__mocks__/b.js", "1", "2"), {"src/b.test.js"}),
        (JEST, ("src/table.json", "1", "2"), {"src/b.test.js"}),
        (JEST, ("src/__snapshots__/a.test.js.snap", "1", "2"), {"src/a.test.js"}),
        (JEST, ("jest.config.js", "1", "2"), JS),
        (JEST, ("tsconfig.json", "1", "2"), JS),
        (JEST, ("package.json", '"1"', '"2"'), JS),
        (JEST, ("README.md", "1", "2"), set()),
        (VITEST, ("test/server.ts", "1", "2"), TS),
        (VITEST, ("vitest.config.ts", "true", "false"), TS),
        (VITEST, ("src/q.sql", "1", "2"), {"test/a.test.ts"}),
        (PYTEST, ("shop.py", "made 1", "made 2"), {"tests/test_cart.py"}),
        (PYTEST, ("shop.py", "auto 1", "auto 2"), PY),
        (PYTEST, ("shop.py", "every 1", "every 2"), PY),
        (PYTEST, ("shop.py", "loaded 1", "loaded 2"), PY),
        (PYTEST, ("conftest.py", "return made()", "return made() + ''"), {"tests/test_cart.py"}),
        (PYTEST, ("conftest.py", "LIMIT = loaded()", "LIMIT = loaded() + ''"), PY),
        (PYTEST, ("pyproject.toml", "-q", "-v"), PY),
        (PYTEST, ("requirements.txt", "1", "2"), PY),
        (PYTEST, ("tests/pages/home.txt", "1", "2"), {"tests/test_page.py"}),
        (PYTEST, ("tests/pages/other.txt", "1", "2"), PY),
        (GO, ("shop.go", "return 1", "return 3"), GOS),
        (GO, ("shop.go", "return 2", "return 3"), {"a_test.go"}),
        (GO, ("go.mod", "/shop", "/store"), GOS),
        (GO, ("testdata/a.golden", "1", "2"), GOS),
        (DJANGO, ("shop/management/commands/pay.py", "1", "2"), {"tests/test_pay.py"}),
        (PLUGINS, ("app/plugin.py", "1", "2"), {"tests/test_load.py", "tests/test_other.py"}),
    ],
)
def test_a_change_leads_to_the_tests_that_a_runner_or_a_name_ties_to_it(
    tmp_path: Path, files: dict[str, str], changed: tuple[str, str, str], wanted: set[str]
):
    root = repository(tmp_path.resolve() / "project", files)
    edit(root, *changed)
    assert {row.file for row in since(root).tests} == wanted
