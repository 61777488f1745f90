"""The graph written down: every format holds the same graph, and no name of a project breaks its syntax."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.code.coderefs.fingerprint import alike, print_of, sketch_of
from bearings.code.facts.store import NoFacts
from bearings.code.formats import dot, graph_json, graph_jsonld, index_json, mermaid
from bearings.code.formats.drawing import Arrow, Box, Drawing, Look, Stroke
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot import Snapshot
from bearings.code.models import SymbolKind
from bearings.code.questions.export import Export
from bearings.errors import WriteFailed
from tests.code.questions.snapshots import answered
from tests.code.trees import SHOP, write

FORMATS = ("json", "jsonld", "mermaid", "dot", "index")


def snapshot_of(root) -> Snapshot:
    return Index(root, NoFacts(), 1_000_000).refresh()


@pytest.fixture
def shop(tmp_path) -> Snapshot:
    return snapshot_of(write(tmp_path.resolve() / "shop", SHOP))


def text_of(snapshot: Snapshot, **question) -> str:
    text = answered(snapshot, Export(**{"max_chars": 10**6, **question})).content
    assert text is not None
    return text


def test_json_ld_says_what_json_says(shop):
    plain, linked = (json.loads(text_of(shop, format=name)) for name in ("json", "jsonld"))
    nodes = {node["id"]: node for node in linked["@graph"] if node["type"] != "Use"}
    uses = [node for node in linked["@graph"] if node["type"] == "Use"]
    assert set(nodes) == {graph_jsonld.iri(node["id"]) for node in plain["nodes"]}
    assert [(use["source"], use["target"], use["kind"], use["line"]) for use in uses] == [
        (graph_jsonld.iri(edge["source"]), graph_jsonld.iri(edge["target"]), edge["type"], edge["line"])
        for edge in plain["edges"]
    ]
    property_of = {"type": "uses_type"}  # of a node, `type` is what it is
    assert any(use["kind"] == "type" for use in uses)
    assert all(use["target"] in nodes[use["source"]][property_of.get(use["kind"], use["kind"])] for use in uses)
    assert {node["type"] for node in nodes.values()} <= set(SymbolKind)


def test_charts_hold_every_element_and_every_kind_of_use_between_two(shop):
    plain = json.loads(text_of(shop, format="json"))
    uses = {(edge["source"], edge["target"], edge["type"]) for edge in plain["edges"]}
    chart, graph = text_of(shop, format="mermaid"), text_of(shop, format="dot")
    assert len(re.findall(r"^ +n\d+(?:\[|\()", chart, re.MULTILINE)) == len(plain["nodes"])
    assert len(re.findall(r"^  n\d+ (?:-->|-\.->|==>)", chart, re.MULTILINE)) == len(uses)
    assert len(re.findall(r"^ +n\d+ \[label=", graph, re.MULTILINE)) == len(plain["nodes"])
    assert len(re.findall(r"^  n\d+ -> ", graph, re.MULTILINE)) == len(uses)


def test_the_index_is_what_the_contract_says(shop):
    document = json.loads(text_of(shop, format="index"))
    assert list(document) == ["version", "timestamp", "elements", "metadata"]
    elements = document["elements"]
    assert document["metadata"] == {"totalFiles": 3, "totalElements": len(elements), "languages": ["python"]}
    add = next(element for element in elements if element["name"] == "add")
    assert add.items() >= {
        "type": "method", "qualified_name": "Basket.add", "file": "shop/basket.py", "line": 10, "end_line": 11,
        "exported": True, "ref": "@M/shop/basket.py#Basket.add:10", "signature": "def add(self, price)",
    }.items()  # fmt: skip
    assert len(add["hash"]) == 16
    assert len(elements) == shop.elements


@pytest.mark.parametrize("name", FORMATS)
def test_each_writes_a_file_again_but_none_over_another_s(shop, name):
    for _ in range(2):
        written = answered(shop, Export(format=name, output_path="out"))
        assert (written.path, written.content) == ("out", None)
    (shop.root / "out").write_text('{"name": "mine"}')
    with pytest.raises(WriteFailed, match="no export"):
        answered(shop, Export(format=name, output_path="out"))
    assert (shop.root / "out").read_text() == '{"name": "mine"}'


@pytest.mark.parametrize("name", FORMATS)
def test_inline_stays_within_its_room(shop, name):
    sizes = []
    for room in (0, 700, 1500, 10**6):
        exported = answered(shop, Export(format=name, max_chars=room))
        assert exported.nodes_exported == 0 or len(exported.content.encode()) <= room
        sizes.append(exported.nodes_exported)
    assert sizes == sorted(sizes)
    assert sizes[0] == 0
    assert sizes[-1] == exported.nodes_exported + exported.omitted


@pytest.mark.parametrize("name", FORMATS)
def test_max_nodes_keeps_the_most_connected(shop, name):
    exported = answered(shop, Export(format=name, max_nodes=2))
    assert (exported.nodes_exported, "fill" in str(exported.content), "with_tax" in str(exported.content)) == (
        2,
        True,
        True,
    )


def test_a_mermaid_chart_has_no_more_edges_than_mermaid_renders_unless_asked(tmp_path):
    calls = "".join(f"def f{n}():\n" + "".join(f"    f{m}()\n" for m in range(n)) + "    pass\n\n" for n in range(40))
    many = snapshot_of(write(tmp_path.resolve(), {"many.py": calls}))
    bounded = answered(many, Export(format="mermaid", output_path="bounded"))
    assert bounded.edges_exported <= mermaid.MAX_EDGES
    whole = answered(many, Export(format="mermaid", output_path="whole", max_nodes=99))
    assert whole.edges_exported == 40 * 39 // 2 > mermaid.MAX_EDGES


HOSTILE = 'a"]; b{}()<br>|&#;`%%{init: {}}%%\\n end --> x\\'


def test_no_label_is_syntax():
    boxes = (Box("1", HOSTILE, HOSTILE, Look.FOCUS), Box("2", "", "", Look.TEST), Box("3", "end", "", Look.FOLDER))
    drawing = Drawing(boxes, (Arrow("1", "2", HOSTILE, Stroke.THICK), Arrow("3", "1", "", Stroke.DASHED)))
    chart, graph = mermaid.encode(drawing).decode(), dot.encode(drawing).decode()
    quoted = re.findall(r'"([^"]*)"', chart)
    assert len(quoted) == 5
    assert all(not re.search(r"[<>`\\%]|&(?!#)", text) for text in quoted)
    assert graph.count(HOSTILE.replace("\\", "\\\\").replace('"', '\\"')) == 3


def test_each_knows_its_own_head_alone():
    encoders = (graph_json, graph_jsonld, mermaid, dot, index_json)
    empty = [
        graph_json.encode([], []), graph_jsonld.encode([], []), mermaid.encode(Drawing((), ())),
        dot.encode(Drawing((), ())), index_json.encode([], "2024-01-01T00:00:00Z", []),
    ]  # fmt: skip
    for row, encoder in enumerate(encoders):
        assert [encoder.is_export(text[:64]) for text in empty] == [row == column for column in range(5)]
        assert not encoder.is_export(b'{"name":"mine"}')


ROW = {"type": "method", "name": "Basket.add", "file": "shop/basket.py", "line": 10, "exported": True}
COMPACT = {"t": "method", "n": "Basket.add", "f": "/there/shop/basket.py", "l": 10, "e": True}


class TestReadingAnIndex:
    @pytest.mark.parametrize(
        ("document", "timestamp"),
        [
            ([ROW], ""),
            ({"version": "2.0.0", "generatedAt": "2024-01-31", "elements": [ROW]}, "2024-01-31"),
            (
                {"schemaVersion": "3.0.0", "format": "verbose", "elements": [{**ROW, "file": "/here/shop/basket.py"}]},
                "",
            ),
            ({"schemaVersion": "3.0.0", "format": "compact", "projectPath": "/there", "elements": [COMPACT]}, ""),
            ({"version": "1.0.0", "timestamp": "t", "elements": [{**ROW, "file": ".\\shop\\basket.py"}]}, "t"),
        ],
    )
    def test_of_each_version(self, document, timestamp):
        when, entries = index_json.decode(b"\xef\xbb\xbf" + json.dumps(document).encode(), "/here")
        assert when == timestamp
        (entry,) = entries
        assert (entry.name, entry.qualified_name, entry.type) == ("add", "Basket.add", "method")
        assert (entry.file, entry.line, entry.exported) == ("shop/basket.py", 10, True)

    def test_of_ours(self, shop):
        _, entries = index_json.decode(text_of(shop, format="index").encode(), "/")
        assert len(entries) == shop.elements
        assert all(entry.hash and entry.sketch and entry.ref for entry in entries)

    @pytest.mark.parametrize(
        ("data", "reason"),
        [
            (b"", "no JSON"),
            (b"[" * 100_000, "no JSON"),
            (b"{}", "elements"),
            (b'{"elements": 3}', "elements"),
            (b"[3]", "element 0 is no object"),
            (b'[{"name": "x"}]', "element 0 has no name or no file"),
            (b'[{"name": 3, "file": "x"}]', "element 0 has no name or no file"),
        ],
    )
    def test_what_is_none_is_refused_with_the_reason(self, data, reason):
        with pytest.raises(ValueError, match=reason):
            index_json.decode(data, "/")


class TestFingerprint:
    TEXT = b"def add(self, price):\n    total = price * 2\n    return total + self.rest(total, price)\n"

    def test_survives_a_new_name_new_layout_and_tags(self):
        first = print_of(self.TEXT, "add")
        assert print_of(self.TEXT.replace(b"add", b"append"), "append").hash == first.hash
        assert print_of(self.TEXT.replace(b"\n", b"\r\n").replace(b"    ", b"\t"), "add").hash == first.hash
        tagged = self.TEXT.replace(b"    total", b"    # @V/a.py#total:3\n    total")
        assert print_of(tagged, "add").hash == first.hash

    def test_a_change_changes_it_and_the_sketch_says_how_much(self):
        first = print_of(self.TEXT, "add")
        near = print_of(self.TEXT.replace(b"2", b"3"), "add")
        far = print_of(b"class Other:\n    pass\n", "Other")
        assert near.hash != first.hash
        sketches = [sketch_of(each.tokens) for each in (first, near, far)]
        assert alike(sketches[0], sketches[0]) == 1
        assert 0.4 < alike(sketches[0], sketches[1]) < 1
        assert alike(sketches[0], sketches[2]) == 0

    @given(st.binary(max_size=80), st.binary(max_size=80))
    def test_likeness_is_a_share_and_symmetric(self, one, other):
        sketches = [sketch_of(print_of(text, "x").tokens) for text in (one, other)]
        assert 0 <= alike(*sketches) == alike(*reversed(sketches)) <= 1

    @pytest.mark.parametrize("sketch", ["", "!", "AAAA", "AAAAAA==x"])
    def test_what_is_no_sketch_is_like_nothing(self, sketch):
        assert alike(sketch, sketch_of([b"a"])) == 0
