"""Configuration of a repository that is read for every question: none of it takes longer than its size allows."""

from pathlib import Path

import pytest

from bearings.code.facts.store import NoFacts
from bearings.code.questions.map import AskMap
from bearings.code.service import CodeService
from tests.adversary.conftest import Tally
from tests.code.asked import query, scan
from tests.code.in_process import InProcessEngine
from tests.code.trees import write

pytestmark = pytest.mark.anyio

TWICE = '{{"extends": ["./tsconfig{0}.json", "./tsconfig{0}.json"]}}'
SOURCE = {"a.ts": "import { b } from './b'\nexport function a() { return b() }\n", "b.ts": "export function b() {}\n"}

HOSTILE: dict[str, dict[str, str]] = {
    "configurations that extend the next one twice": {
        "tsconfig.json": TWICE.format(0),
        **{f"tsconfig{number}.json": TWICE.format(number + 1) for number in range(40)},
    },
    "configurations in a ring": {
        "tsconfig.json": TWICE.format(0), "tsconfig0.json": TWICE.format(1), "tsconfig1.json": TWICE.format(0),
    },
    "a chain of 2,000 configurations": {
        "tsconfig.json": TWICE.format(0),
        **{f"tsconfig{number}.json": TWICE.format(number + 1) for number in range(2_000)},
    },
    "quotes without an end": {"tsconfig.json": '"' + '\\"' * 200_000, "package.json": '"' + '\\"' * 200_000},
    "comments without an end": {"tsconfig.json": "/* " * 200_000, "package.json": "/* " * 200_000},
    "lists in lists": {"tsconfig.json": "[" * 200_000, "package.json": "[" * 200_000},
    "blocks without an end": {
        "go.mod": "module m\n" + "require (\n" * 60_000, "go.work": "use (\n" * 60_000, "c.go": "package c",
    },
    "keys of 20,000 parts": {"pyproject.toml": "a." * 20_000 + "a = 1"},
    "quoted keys of 20,000 parts": {"pyproject.toml": "[" + "'a b' . " * 20_000 + "a]", "Pipfile": '"a b".' * 20_000},
    "a table of a very long name": {
        "pyproject.toml": f"[tool.{'a' * 90_000}]\n" + "".join(f"x{number} = ''\n" for number in range(9_000)),
    },
    "20,000 patterns of folders": {
        "setup.cfg": "[mypy]\nmypy_path = " + ":".join(f"*a{number}*" for number in range(20_000)) + "\n",
    },
    "requirements by 20,000 names": {
        "setup.py": f"x = {['a'] * 20_000}\nsetup(install_requires=[{'x,' * 20_000}])\n", "m.py": "",
    },
    "exports in exports": {"package.json": '{"name": "p", "exports": ' + '{"a":' * 400 + '"./a.js"' + "}" * 401},
    "numbers without an end": {"pyproject.toml": "[project]\nname = 0x" + "f" * 90_000, "package.json": "9" * 90_000},
    "tables in tables": {"pyproject.toml": "a = " + "{a = " * 50_000},
    "rules of many stars": {
        ".gitignore": "*a" * 12 + "b\n" + "**/a/" * 8 + "b\n" + "[a-z]*" * 10 + "1\n", "a" * 200 + ".ts": "",
    },
    "folders in folders": {"d/" * 900 + "deep.ts": "export const c = 1\n"},
}  # fmt: skip


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.slow
async def test_a_project_with_each_of_them_answers(tmp_path: Path, tally: Tally) -> None:
    survived = 0
    for number, (name, files) in enumerate(HOSTILE.items()):
        root = write(tmp_path / str(number), {**SOURCE, **files})
        service = CodeService(InProcessEngine(store=NoFacts(), max_file_bytes=2_000_000))
        try:
            assert "b" in {element.name for element in (await scan(service, root, limit=500)).elements}, name
            survived += (await query(service, root, "calls", "a.ts#a")).results_found == 1
            await service.reply_to(str(root), AskMap())
        finally:
            await service.aclose()
    tally("configuration that is costly to read", len(HOSTILE), survived)
