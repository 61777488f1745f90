"""Writes docs/parameters.md: every parameter of every code tool, changed, and what of the answer that changes.

The project is a real one: the sources and tests of the package `referencing` as they are installed here, beside our
sample in TypeScript, with a history of two commits, an index, references and tags.
"""

import asyncio
import json
import re
import shutil
import tempfile
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bearings.code.catalogue.rows import Contents, UseRow
from bearings.code.catalogue.writing import CatalogueWriter
from bearings.code.questions.export import Export
from bearings.code.service import CodeService
from bearings.code.tools import CodeTools
from bearings.tool import Tool
from tests.code.in_process import InProcessEngine, MemoryFacts
from tests.code.trees import git, write

PATH = Path(__file__).parents[2] / "docs" / "parameters.md"
FERRY = Path(__file__).parents[2] / "examples" / "ferry"

HEAD = """# Every parameter

Each parameter of each code tool, given another value, on a real project: the package `referencing` {version} with its
tests, and a sample in TypeScript. "Changes" names the fields of the reply that differ (`index` aside). Written by
`make docs`; a test runs it, and fails for a parameter that has no row or changes nothing.

| tool | parameter | from | to | changes |
|---|---|---|---|---|
"""

Case = tuple[dict[str, Any], dict[str, Any]]
"""The first arguments, and for each parameter a changed value.

`NEXT` is the cursor that a first page of one row gives; a dict is several parameters that make sense together only.
"""
NEXT = "the next page"
FULL = {"limit": 1, "cursor": NEXT, "detail": "full", "output_mode": "text"}
AT = {"at": "HEAD~1"}
GONE = {"at": {"element": "Registry.remove", "at": "HEAD~1"}}
"""An element that the first commit alone has."""

CASES: dict[str, Case] = {
    "coderef_explore": (
        {"question": "crawl resources"},
        {"project_path": "ferry", "question": "Registry.combine", "budget": 2_000, **AT, "output_mode": "text"},
    ),
    "coderef_unused": (
        {"exports": True},
        {
            "project_path": "ferry", "kinds": ["method"], "path": "ferry/**", "exports": False, "limit": 1,
            "cursor": NEXT, **AT, "output_mode": "text",
        },
    ),
    "coderef_scan": (
        {},
        {
            "project_path": "ferry", "languages": ["ts"], "use_ast": False, "types": ["class"], "path": "ferry",
            **AT, **FULL,
        },
    ),
    "coderef_query": (
        {"query_type": "calls-me", "element": "Registry.with_resource"},
        {
            "project_path": "referencing", "query_type": "depends-on", "element": "Registry.crawl",
            "source": {"query_type": "path", "source": "Resolver.in_subresource"}, "max_depth": 3,
            "kinds": ["new"], "path": "referencing/jsonschema.py",
            "fleet": {"element": "attrs#frozen", "fleet": "../fleet.db"},
            **GONE, **FULL,
        },
    ),
    "coderef_symbol": (
        {"element": "Registry.crawl"},
        {"project_path": "referencing", "element": "Registry.combine", "detail": "full", **GONE, "output_mode": "text"},
    ),
    "coderef_impact": (
        {"element": "Registry.with_resources", "max_depth": 2},
        {
            "project_path": "referencing", "element": "Registry.combine", "operation": "delete", "max_depth": 1,
            **GONE, **FULL,
        },
    ),
    "coderef_complexity": (
        {"element": "Registry.combine"},
        {"project_path": "referencing", "element": "Registry", "detail": "full", **GONE, "output_mode": "text"},
    ),
    "coderef_changes": (
        {"base": "HEAD~1"},
        {
            "project_path": "ferry", "base": "HEAD", "head": "HEAD", "max_depth": 1, "format": "markdown", **FULL,
        },
    ),
    "coderef_context": (
        {},
        {
            "project_path": "ferry", "languages": ["ts"], "output_format": "markdown", "budget": 1_500,
            **AT, "output_mode": "text",
        },
    ),
    "coderef_map": (
        {}, {"project_path": "ferry", "budget": 1_500, "element": "Resolver.lookup", **AT, "output_mode": "text"},
    ),
    "coderef_patterns": (
        {},
        {
            "project_path": "ferry", "pattern_type": "error-handling", "limit": 1, "detail": "full",
            **AT, "output_mode": "text",
        },
    ),
    "coderef_coverage": ({"format": "detailed"}, {"project_path": "ferry", "format": "summary", **AT, **FULL}),
    "coderef_validate": ({}, {"project_path": "ferry", "pattern": "docs/**", **AT, **FULL}),
    "coderef_drift": ({}, {"project_path": "ferry", "index_path": "early.coderef-index.json", **AT, **FULL}),
    "coderef_tag": (
        {"path": "ferry/src"},
        {
            "path": "referencing", "project_path": "ferry", "dry_run": False, "force": True, "verbose": True,
            "update_lineno": True, "include_private": True, "remove": True, "lang": ["tsx"], "exclude": ["fares.ts"],
            "output_mode": "text",
        },
    ),
    "coderef_rename": (
        {"element": "rusty", "new_name": "worn"},
        {
            "project_path": "referencing", "element": "dusty", "new_name": "old", "dry_run": False, "strings": True,
            "comments": True, "leave_unsure": True, "detail": "full",
            "output_mode": "text",
        },
    ),
    "coderef_signature": (
        {"element": "rusty", "parameters": "age, rust"},
        {
            "project_path": "referencing", "element": "dusty", "parameters": "rust=1",
            "renamed": {"parameters": "age", "renamed": {"rust": "age"}},
            "values": {"values": {"age": "1"}}, "dry_run": False, "leave_unsure": True,
            "output_mode": "text",
        },
    ),
    "coderef_move": (
        {"element": "rusty", "target": "referencing/_attic.py"},
        {
            "project_path": {"project_path": "referencing", "target": "_attic.py"}, "element": "dusty",
            "target": "referencing/_attrs.py", "dry_run": False,
            "leave_unsure": True, "output_mode": "text",
        },
    ),
    "coderef_remove": (
        {"element": "rusty"},
        {
            "project_path": "referencing", "element": "_stray", "dry_run": False, "leave_unsure": True,
            "detail": "full",
            "output_mode": "text",
        },
    ),
    "coderef_replace": (
        {"element": "Registry.crawl", "text": "def crawled(self): return rusted(self)"},
        {
            "project_path": "referencing", "element": "Registry.combine", "text": "def crawl(self): return self",
            "where": "after", "dry_run": False, "leave_unsure": True,
            "output_mode": "text",
        },
    ),
    "coderef_diagram": (
        {"element": "Registry.crawl"},
        {
            "project_path": "referencing", "diagram_type": "calls", "format": "dot", "depth": 1,
            "element": "Registry.combine",
            "inside": {"element": None, "inside": "referencing"}, "max_boxes": 4, **GONE, "output_mode": "text",
        },
    ),
    "coderef_export": (
        {"max_nodes": 10},
        {
            "project_path": "ferry", "format": "dot", "output_path": "graph.json", "max_nodes": 5,
            **AT, "output_mode": "text",
        },
    ),
}  # fmt: skip

_EDITS = ("tag", "rename", "signature", "move", "remove", "replace")
WRITING = {(f"coderef_{name}", "dry_run") for name in _EDITS} | {("coderef_export", "output_path")}
_PATHS = ("project_path", "path")
_VARYING = re.compile(r'"(?:timestamp|age_s)": ?[^,}]+')
ATTIC = "import referencing\n\n\n" + "".join(f"def {name}():\n    pass\n\n\n" for name in ("dusty", "_stray", "_web"))
ATTIC += 'def rusty(rust=None):  # rusty\n    pass\n\n\nrusty()\ngetattr(None, "rusty", None)\n'
NOTES = "`@M/referencing/_core.py#Registry.crawl` and @F/referencing/lost.py and @Fn/referencing/_core.py#lost\n"


def project(root: Path) -> Path:
    """The project below `root`, with its history."""
    spec = find_spec("referencing")
    assert spec is not None
    assert spec.origin is not None
    shutil.copytree(Path(spec.origin).parent, root / "referencing", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(FERRY, root / "ferry")
    core = (root / "referencing" / "_core.py").read_text()
    fares = (root / "ferry/src/fares.ts").read_text()
    first_export = next(line for line in fares.splitlines() if line.startswith("export "))
    write(
        root,
        {
            "docs/notes.md": NOTES,
            "pyproject.toml": '[project]\nname = "referencing"\n',
            "referencing/attic.py": ATTIC,
            "ferry/docs/notes.md": "@Fn/src/lost.ts#lost\n",
            "ferry/src/fares.ts": fares.replace(
                first_export, f"// @Fn/src/fares#gone:99{{status=active}}\n{first_export}"
            ),
            "referencing/retrieval.py": (root / "referencing/retrieval.py").read_text() + "# @Fn/no/where#lost:3\n",
        },
    )
    git(root, "init", "-q")
    for folder in ("ferry", "."):
        asyncio.run(_indexed(root / folder))
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    second = (
        core.replace("def remove(", "def drop(").replace("def opaque(", "def muffled(").replace("# TODO", "# LATER")
    )
    write(root, {"referencing/_core.py": second})
    git(root, "commit", "-aqm", "second")
    write(root, {"referencing/retrieval.py": (root / "referencing/retrieval.py").read_text() + "from . import attic\n"})
    third = second.replace("def combine(self,", "def combine(self, *,").replace("len(", "1 + len(")
    write(root, {"referencing/_core.py": third, "docs/later.md": "@Fn/referencing/_core.py#later\n"})
    with CatalogueWriter(root.parent / "fleet.db") as catalogue:
        uses = [UseRow("attrs", "attrs", "frozen", "call", "shop/cart.py", 3, "@frozen", "Cart:4", False)]
        catalogue.put("shop", "/srv/shop", Contents(fingerprint="1", uses=uses), 0.0, 0.0)
    return root


async def _indexed(root: Path) -> None:
    service = CodeService(InProcessEngine(store=MemoryFacts(), max_file_bytes=1_000_000))
    await service.reply_to(str(root), Export(format="index", output_path=".coderef-index.json"))
    await service.reply_to(str(root), Export(format="index", output_path="early.coderef-index.json", max_nodes=20))
    await service.aclose()


class Asking:
    """The tools, asked of a project that every writing call finds as it was."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._store = MemoryFacts()
        self._service = CodeService(InProcessEngine(store=self._store, max_file_bytes=1_000_000))
        self.tools: dict[str, Tool] = {tool.name: tool for tool in CodeTools(self._service).tools()}

    async def aclose(self) -> None:
        """Ends the engine."""
        await self._service.aclose()

    async def answer(self, name: str, arguments: dict[str, Any], *, writes: bool = False) -> dict[str, Any]:
        """The reply without what the clock says, by field; in the mode text the text alone."""
        root = self._root
        if writes:
            root = root.with_name(f"{root.name}-written")
            shutil.copytree(self._root, root, symlinks=True)
        try:
            reply, mode = await self.tools[name].run(self._given(root, name, arguments), None)
        finally:
            if writes:
                shutil.rmtree(root)
        body = reply.sent()
        for key in ("index", "index_timestamp"):
            body.pop(key, None)
        if str(mode) == "text":
            return {"all, as text": reply.to_text()}
        return {key: _VARYING.sub("", json.dumps(value)) for key, value in body.items()}

    def _given(self, root: Path, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """The arguments, with paths below the project's root."""
        given = dict(arguments)
        if name != "coderef_tag":
            given.setdefault("project_path", ".")
        own = _PATHS if name == "coderef_tag" else _PATHS[:1]
        return {**given, **{key: str((root / given[key]).resolve()) for key in own if key in given}}

    async def rows(self, name: str) -> list[tuple[str, str, str, str]]:
        """For each parameter: what it was, what it is, and which fields of the reply that changes."""
        given, changed = CASES[name]
        first = await self.answer(name, given)
        found = []
        for parameter, value in changed.items():
            start, before = given, first
            if value == NEXT:
                start = {**given, "limit": 1}
                before = await self.answer(name, start)
                assert "next_cursor" in before, (name, before)
                other = {**start, "cursor": json.loads(before["next_cursor"])}
            else:
                other = {**given, **(value if isinstance(value, dict) else {parameter: value})}
            after = await self.answer(name, other, writes=(name, parameter) in WRITING)
            keys = after.keys() if parameter == "output_mode" else before.keys() | after.keys()
            fields = sorted(key for key in keys if before.get(key) != after.get(key))
            found.append((parameter, self._shown(name, parameter, start), _shown(value), ", ".join(fields)))
        return found

    def _shown(self, name: str, parameter: str, given: dict[str, Any]) -> str:
        if parameter == "project_path" and name != "coderef_tag":
            return "."
        default = self.tools[name].input_schema["properties"][parameter].get("default")
        return _shown(given.get(parameter, default))


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {each}" for key, each in value.items())
    return "–" if value is None else value if isinstance(value, str) else json.dumps(value)


async def table(root: Path) -> dict[str, list[tuple[str, str, str, str]]]:
    """The rows of each tool."""
    asking = Asking(root)
    try:
        return {name: await asking.rows(name) for name in CASES}
    finally:
        await asking.aclose()


def text(rows: dict[str, list[tuple[str, str, str, str]]]) -> str:
    """The whole page."""
    lines = [f"| `{name}` | `{row[0]}` | {' | '.join(row[1:])} |" for name, each in rows.items() for row in each]
    return HEAD.replace("{version}", version("referencing")) + "\n".join(lines) + "\n"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        PATH.write_text(text(asyncio.run(table(project(Path(folder).resolve() / "project")))), encoding="utf-8")
