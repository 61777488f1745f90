"""Import lines and re-exports as users of a TypeScript name, and what counts whole files beside them."""

import asyncio
from pathlib import Path

import pytest

from bearings.code.questions.query import Query, QueryReply, QueryType
from tests.code.in_process import InProcessEngine, MemoryFacts
from tests.code.trees import write

TREE = {
    "lib.ts": "export function run() {}\nexport function idle() {}\n",
    "index.ts": "export {\n  run as start,\n  idle,\n} from './lib';\n",
    "use.ts": "import { start } from './index';\n\nexport function go() {\n  start();\n}\n",
    "main.ts": "import './use';\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path, TREE)
    return tmp_path


def asked(root: Path, query_type: QueryType, target: str) -> list[tuple[int, str, str]]:
    async def ask() -> QueryReply:
        engine = InProcessEngine(store=MemoryFacts(), max_file_bytes=1_000_000)
        return (await engine.ask(root, Query(query_type=query_type, element=target, max_depth=3))).value

    uses = asyncio.run(ask()).results
    return [(use.depth, f"{use.file}:{use.line} {use.type}", _short(use.to)) for use in uses]


def _short(symbol_id: str) -> str:
    """An id without its line."""
    return symbol_id.rpartition(":")[0] if "#" in symbol_id else symbol_id


def test_a_name_is_used_by_its_import_lines_and_re_exports(root: Path) -> None:
    assert asked(root, "imports-me", "run") == [
        (1, "index.ts:2 export", "lib.ts#run"),
        (1, "use.ts:1 import", "lib.ts#run"),
        (2, "main.ts:1 import", "use.ts"),
        (2, "use.ts:1 import", "index.ts"),
    ]


def test_what_imports_an_importer_does_not_use_the_name(root: Path) -> None:
    assert asked(root, "depends-on-me", "run") == [
        (1, "index.ts:2 export", "lib.ts#run"),
        (1, "use.ts:1 import", "lib.ts#run"),
        (1, "use.ts:4 call", "lib.ts#run"),
    ]
    assert asked(root, "depends-on-me", "idle") == [(1, "index.ts:3 export", "lib.ts#idle")]


def test_a_file_is_imported_once_a_line(root: Path) -> None:
    assert asked(root, "imports-me", "lib.ts")[:2] == [
        (1, "index.ts:2 export", "lib.ts"),
        (1, "index.ts:3 export", "lib.ts"),
    ]
    assert asked(root, "imports", "use.ts") == [
        (1, "use.ts:1 import", "index.ts"),
        (2, "index.ts:2 export", "lib.ts"),
        (2, "index.ts:3 export", "lib.ts"),
    ]
