"""Answers without an index: the uses of one element are those that the whole project's resolution gives."""

from collections.abc import Collection, Mapping

import pytest

from bearings.code.file_facts import FileFacts
from bearings.code.index.demand import SearchedSources
from bearings.code.models import Edge, ProjectFiles
from bearings.code.project.names import is_manifest
from bearings.code.resolve import resolve
from bearings.code.resolve.demand.resolver import DemandResolver, NeedsIndex
from bearings.code.symbol_keys import with_ids
from tests.code.cases import Case, cases, facts_of
from tests.code.demand import elements


def on_demand(facts: Mapping[str, FileFacts], files: Mapping[str, str], project: ProjectFiles) -> DemandResolver:
    sources = {path: files[path].encode() for path in sorted(facts)}
    return DemandResolver(dict(sorted(facts.items())), project, SearchedSources(sources, share=1))


def project_of(files: Mapping[str, str], facts: Collection[str]) -> ProjectFiles:
    manifests = {path: text.encode() for path, text in files.items() if path not in facts or is_manifest(path)}
    return ProjectFiles(frozenset(files), manifests)


def differing(files: Mapping[str, str]) -> tuple[list[tuple[str, list[Edge], list[Edge]]], int, int]:
    """The elements whose uses differ, with both lists; how many were compared, and how many need an index."""
    facts = facts_of(dict(files))
    project = project_of(files, facts)
    whole: dict[str, list[Edge]] = {}
    for edge in sorted(resolve(facts, project).edges, key=lambda edge: edge.file):
        whole.setdefault(edge.target, []).append(edge)
    found, compared, refused = [], 0, 0
    for symbol, key in elements(facts):
        try:
            edges = on_demand(facts, files, project).edges_to(symbol, key)
        except NeedsIndex:
            refused += 1
            continue
        compared += 1
        edges = with_ids(edges, {key: symbol.id})
        expected = whole.get(symbol.id, [])
        if edges != expected:
            found.append((key, edges, expected))
    return found, compared, refused


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_the_uses_of_every_element_are_those_of_the_whole_project(case: Case) -> None:
    found, _, _ = differing(case.files)
    assert found == []


PROJECTS = {
    "a type of a whole module": {
        "old.js": "module.exports = class Old {}",
        "use.js": "/** @param {import('./old')} one */\nexport function use(one) {}",
    },
    "a module without a name": {
        "whole.js": "module.exports = function start() {}",
        "use.js": "module.exports = { begin: require('./whole') }",
        "run.js": "const use = require('./use')\nuse.begin()",
    },
    "the main module of a package": {
        "package.json": '{"workspaces": ["packages/*"]}',
        "packages/ui/package.json": '{"name": "@x/ui", "main": "src/index.ts"}',
        "packages/ui/src/index.ts": "export default function Button() {}",
        "app/main.ts": "import B from '@x/ui'\nB()",
    },
}


@pytest.mark.parametrize("name", PROJECTS)
def test_users_that_do_not_hold_a_name_are_found(name: str) -> None:
    found, compared, _ = differing(PROJECTS[name])
    assert found == []
    assert compared
