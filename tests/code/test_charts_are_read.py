"""Diagrams and exports are read by real consumers: Mermaid's parser, Graphviz, a JSON-LD processor."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot import Snapshot
from bearings.code.questions.diagram import Diagram
from bearings.code.questions.diagram.compute import diagram
from bearings.code.questions.export import Export
from tests.code.questions.snapshots import answered
from tests.code.trees import SHOP, write
from tests.soak import soak

PACKAGES = ("mermaid@11.17.2", "jsdom@26.1.0", "@hpcc-js/wasm-graphviz@1.29.2", "jsonld@9.0.0")
HERE = Path(__file__).parent
ODD = {
    'we\\ird "name" <b>&amp;|;`{}.py': "import end\n\n\ndef graph(): end.subgraph()\n",
    "end.py": "def subgraph(): pass\n",
    "%%{init}%%/klasse ☃ é.ts": "import { x } from './y'\nexport const $a = () => x()\n",
    "%%{init}%%/y.ts": "export function x() { return y() }\nfunction y() {}\nexport type type = string\n",
}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed, so no package can be fetched"),
]


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The readers, from the npm registry by name."""
    folder = tmp_path_factory.mktemp("npm")
    command = ["npm", "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", *PACKAGES]
    subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, check=True, timeout=300)
    return folder


def snapshot_of(root: Path) -> Snapshot:
    return Index(root.resolve(), NoFacts(), 1_000_000).refresh()


def read(packages: Path, folder: Path, charts: dict[str, str]) -> dict[str, dict[str, Any]]:
    """The readers' results for texts, by name."""
    write(folder, charts)
    command = ["node", str(HERE / "charts.mjs"), str(packages), *(str(folder / name) for name in charts)]
    output = subprocess.run(command, stdin=subprocess.DEVNULL, check=True, capture_output=True, text=True, timeout=120)
    return dict(zip(charts, map(json.loads, output.stdout.splitlines()), strict=True))


@pytest.mark.whole
@pytest.mark.parametrize("tree", ["odd", pytest.param("shop", marks=soak), pytest.param("ours", marks=soak)])
def test_every_diagram_and_export_is_read_whole(packages, tmp_path, tree):
    root = Path(__file__).parents[2] if tree == "ours" else write(tmp_path / tree, SHOP if tree == "shop" else ODD)
    snapshot = snapshot_of(root)
    element = {"shop": "fill", "odd": "x", "ours": "parse_file"}[tree]
    charts: dict[str, str] = {}
    counts: dict[str, tuple[int, int]] = {}
    for kind in ("dependencies", "calls", "imports", "all"):
        for about in (None, element):
            for format_, suffix in (("mermaid", "mmd"), ("dot", "dot")):
                question = Diagram(diagram_type=kind, format=format_, element=about)  # type: ignore[arg-type]
                answer = diagram(snapshot, question)
                name = f"{kind}-{about}.{suffix}"
                charts[name], counts[name] = answer.diagram or "", (answer.boxes, answer.arrows)
    for format_, suffix in (("mermaid", "mmd"), ("dot", "dot"), ("jsonld", "jsonld")):
        exported = answered(snapshot, Export(format=format_, max_chars=10**9, max_nodes=150))  # type: ignore[arg-type]
        charts[f"whole.{suffix}"], counts[f"whole.{suffix}"] = (
            str(exported.content),
            (exported.nodes_exported, exported.edges_exported),
        )
    said = read(packages, tmp_path / "charts", charts)
    assert {name: (row.get("boxes"), row.get("arrows"), row.get("error")) for name, row in said.items()} == {
        name: (*count, None) for name, count in counts.items()
    }
