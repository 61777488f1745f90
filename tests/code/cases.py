"""How a case file is read: sources in Markdown, and what they should give.

A case is a `## heading`. A line with nothing but a path in backticks names the fenced block after it: a source, or a
manifest.
Blocks fenced as `symbols`, `edges`, `names`, `outside` and `environment` list, one a line, all that the sources give; a
block that isn't there isn't checked. `names` are the edges to what is named in a type, as a value, or in an import
beside its module; `edges` are all others.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

from bearings.code.file_facts import FileFacts
from bearings.code.languages import language_of
from bearings.code.models import Edge, ProjectFiles, Resolution, SymbolKind
from bearings.code.parse import parse_file
from bearings.code.project.names import is_manifest
from bearings.code.resolve.resolver import resolve

FOLDER = Path(__file__).parent / "cases"
_FENCE = re.compile(r"^```", re.MULTILINE)
_BLOCK = re.compile(r"^(?:`([^`\n]+)`\n+)?```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass
class Case:
    """One heading's sources by path, and its expected lists by name."""

    name: str
    files: dict[str, str] = field(default_factory=dict)
    expected: dict[str, list[str]] = field(default_factory=dict)


def cases(folder: Path = FOLDER) -> list[Case]:
    """All cases of all files of a folder, in order."""
    return [case for path in sorted(folder.glob("*.md")) for case in _read(path)]


def _read(path: Path) -> list[Case]:
    found = []
    for section in re.split(r"^## ", path.read_text("utf-8"), flags=re.MULTILINE)[1:]:
        case = Case(f"{path.stem}: {section.partition(chr(10))[0]}")
        assert len(_FENCE.findall(section)) % 2 == 0, f"a block of {case.name} is not closed"
        for name, kind, content in _BLOCK.findall(section):
            if name:
                case.files[name] = content
            else:
                case.expected[kind] = content.splitlines()
        found.append(case)
    return found


def facts_of(files: dict[str, str]) -> dict[str, FileFacts]:
    """The facts of every source among `files`."""
    languages = {path: language_of(path) for path in files}
    return {
        path: parse_file(path, language, files[path].encode())
        for path, language in languages.items()
        if language is not None
    }


def resolution_of(files: dict[str, str]) -> tuple[dict[str, FileFacts], Resolution]:
    """The facts of `files`, and what they resolve to; files of no language are manifests, as configurations are."""
    facts = facts_of(files)
    manifests = {path: text.encode() for path, text in files.items() if path not in facts or is_manifest(path)}
    return facts, resolve(facts, ProjectFiles(frozenset(files), manifests))


def listing(files: dict[str, str]) -> dict[str, list[str]]:
    """The edges of `files`, as case files list them."""
    facts, resolution = resolution_of(files)
    short = {symbol.id: _short(symbol.id) for file in facts.values() for symbol in file.symbols}
    return {
        "symbols": [
            f"{symbol.file}#{symbol.qualified_name} {symbol.type} {symbol.line}-{symbol.end_line}"
            + (" exported" if symbol.exported else "")
            + (f" ({' → '.join(filter(None, (detail.by, detail.handler)))})" if (detail := symbol.detail) else "")
            for file in facts.values()
            for symbol in file.symbols
            if symbol.kind is not SymbolKind.MODULE
        ],
        "edges": sorted(_edge(edge, short) for edge in resolution.edges if not _is_name(edge)),
        "names": sorted(_edge(edge, short) for edge in resolution.edges if _is_name(edge)),
        "outside": sorted(
            f"{short[use.source]}:{use.line} {use.kind} {use.name} {use.why}" for use in resolution.outside
        ),
        "environment": sorted(
            f"{_short(file.symbols[use.symbol].id)}:{use.line} {use.kind} {use.name}"
            for file in facts.values()
            for use in file.environment
        ),
    }


def _is_name(edge: Edge) -> bool:
    return edge.reason.startswith("named") or edge.is_name_of_import


def _edge(edge: Edge, short: dict[str, str]) -> str:
    sure = f" ({edge.confidence})" if edge.confidence != "exact" else ""
    return f"{short[edge.source]}:{edge.line} {edge.kind} {short[edge.target]}{sure}"


def _short(symbol_id: str) -> str:
    """An id without its line."""
    return symbol_id.rpartition(":")[0] if "#" in symbol_id else symbol_id
