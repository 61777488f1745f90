"""Diagrams: what they draw, how much of it, and that every parameter says so."""

import re

import pytest

from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot import Snapshot
from bearings.code.questions.diagram import MAX_BOXES, Diagram, DiagramReply
from bearings.code.questions.diagram.compute import diagram
from bearings.errors import ElementNotFound, InvalidInput
from tests.code.trees import SHOP, write

DEEP = {
    "app/main.py": "from app.a.b.c.deep import f\nfrom app.near import g\n\n\ndef main():\n    f()\n    f()\n    g()\n",
    "app/near.py": "def g(): pass\n",
    "app/a/b/c/deep.py": "def f(): pass\n",
    "app/lonely.py": "x = 1\n",
    "tests/test_main.py": "from app.main import main\n\n\ndef test_main():\n    main()\n",
}


def snapshot_of(root) -> Snapshot:
    return Index(root, NoFacts(), 1_000_000).refresh()


@pytest.fixture
def shop(tmp_path) -> Snapshot:
    return snapshot_of(write(tmp_path.resolve() / "shop", SHOP))


@pytest.fixture
def deep(tmp_path) -> Snapshot:
    return snapshot_of(write(tmp_path.resolve() / "deep", DEEP))


def drawn(answer: DiagramReply) -> set[str]:
    """`source style target label`, by the labels of the boxes; the frame's before a slash or a hash."""
    names, frame = {}, ""
    for line in (answer.diagram or "").splitlines():
        if match := re.match(r' +subgraph g\d+\["(.*)"\]', line):
            frame = match[1]
        elif line == "  end":
            frame = ""
        elif match := re.match(r' +(n\d+)[\[(]+"(.*?)"', line):
            between = "" if not frame or frame.endswith("/") else "#"
            names[match[1]] = frame + between + match[2]
    arrows = re.findall(r'^  (n\d+) (-->|-\.->|==>)(?:\|"(.*)"\|)? (n\d+)$', (answer.diagram or ""), re.MULTILINE)
    assert (len(names), len(arrows)) == (answer.boxes, answer.arrows)
    return {" ".join(filter(None, [names[s], style, names[t], label])) for s, style, label, t in arrows}


def test_an_overview_draws_files_and_leaves_tests_out(deep):
    answer = diagram(deep, Diagram(depth=4))
    assert drawn(answer) == {"app/main.py --> app/a/b/c/deep.py ×3", "app/main.py --> app/near.py ×2"}
    assert (answer.boxes, answer.omitted_boxes, answer.note) == (3, 0, None)


def test_depth_folds_folders(deep):
    assert "app/main.py --> app/a/b/ ×3" in drawn(diagram(deep, Diagram(depth=2)))
    assert "app/main.py --> app/a/ ×3" in drawn(diagram(deep, Diagram(depth=1)))


def test_types_draw_what_they_say(deep):
    def of(diagram_type) -> set[str]:
        return {line for line in drawn(diagram(deep, Diagram(diagram_type=diagram_type, depth=4))) if "deep" in line}

    assert of("imports") == {"app/main.py --> app/a/b/c/deep.py"}
    assert of("calls") == {"app/main.py --> app/a/b/c/deep.py ×2"}
    assert of("dependencies") == {"app/main.py --> app/a/b/c/deep.py ×3"}
    assert of("all") == {
        "app/main.py -.-> app/a/b/c/deep.py import",
        "app/main.py --> app/a/b/c/deep.py call ×2",
    }


def test_an_element_has_its_neighbours_around_it(shop):
    near = diagram(shop, Diagram(diagram_type="calls", element="fill", depth=1))
    assert "shop/basket.py#fill --> shop/basket.py#Basket.add" in drawn(near)
    assert "tests/test_basket.py --> shop/basket.py#fill" in drawn(near)
    assert not any("with_tax" in line for line in drawn(near))
    far = diagram(shop, Diagram(diagram_type="calls", element="fill", depth=2))
    assert "shop/basket.py#Basket.add --> shop/prices.py#with_tax" in drawn(far)
    assert far.element == "shop/basket.py#fill:17"
    assert re.search(r'n\d+\(\["fill"\]\)', (far.diagram or ""))


def test_a_file_has_files_around_it_and_so_have_an_element_s_imports(shop):
    imports = {"shop/basket.py --> shop/prices.py", "tests/test_basket.py --> shop/basket.py"}
    assert drawn(diagram(shop, Diagram(diagram_type="imports", element="shop/basket.py", depth=1))) == imports
    assert drawn(diagram(shop, Diagram(diagram_type="imports", element="fill", depth=1))) == imports


def test_dot_draws_the_same(shop):
    chart, graph = (diagram(shop, Diagram(format=name)) for name in ("mermaid", "dot"))
    assert (chart.boxes, chart.arrows) == (graph.boxes, graph.arrows)
    assert (graph.diagram or "").startswith("// bearings code graph\ndigraph code {")
    assert (graph.diagram or "").count(" -> ") == graph.arrows


def test_it_stays_readable_and_counts_the_rest(tmp_path):
    imports = "".join(f"import m{other}\n" for other in range(60))
    big = snapshot_of(write(tmp_path.resolve(), {f"m{number}.py": imports for number in range(60)}))
    answer = diagram(big, Diagram())
    assert (answer.boxes, answer.arrows) == (MAX_BOXES, 36)
    assert (answer.omitted_boxes, answer.omitted_arrows) == (60 - MAX_BOXES, 60 * 59 - 36)


def test_an_empty_one_says_what_that_means(shop):
    alone = diagram(shop, Diagram(diagram_type="calls", element="RATE"))
    assert (alone.boxes, alone.arrows) == (1, 0)
    assert alone.note == "No call was found at shop/prices.py#RATE:1."
    nothing = diagram(snapshot_of(write(shop.root / "none", {})), Diagram())
    assert (nothing.boxes, nothing.note) == (0, "No dependency was found between files of the project.")


def test_tests_are_drawn_where_there_is_nothing_else(tmp_path):
    only = snapshot_of(write(tmp_path.resolve(), {"tests/a.py": "import tests.b\n", "tests/b.py": ""}))
    assert drawn(diagram(only, Diagram())) == {"tests/a.py --> tests/b.py"}


def test_of_several_elements_the_most_used_is_drawn(shop):
    with pytest.raises(ElementNotFound):
        diagram(shop, Diagram(element="nobody"))
    write(shop.root, {"shop/more.py": "def fill(): pass\n"})
    found = diagram(snapshot_of(shop.root), Diagram(element="fill"))
    assert found.element == "shop/basket.py#fill:17"
    assert "shop/basket.py#fill:17 was taken" in (found.note or "")


def test_many_tests_around_an_element_are_one_box(tmp_path):
    tests = {f"tests/test_{n}.py": "from lib import run\n\n\ndef test_it():\n    run()\n" for n in range(6)}
    found = diagram(
        snapshot_of(write(tmp_path.resolve(), {"lib.py": "def run(): pass\n", **tests})), Diagram(element="run")
    )
    assert drawn(found) == {"6 test files --> lib.py#run ×12"}


def test_a_class_of_many_parts_is_one_box(tmp_path):
    methods = "".join(f"    def m{n}(self): return self.m{n - 1}()\n" for n in range(1, 12))
    files = {
        "lib.py": f"class Wide:\n    def m0(self): pass\n{methods}",
        "use.py": "import lib\n\n\ndef use(): lib.Wide().m3()\n",
    }
    found = diagram(snapshot_of(write(tmp_path.resolve(), files)), Diagram(element="Wide", depth=1))
    assert "use.py#use --> lib.py#Wide ×2" in drawn(found)
    assert found.boxes == 2


def test_a_folder_that_holds_most_of_the_project_is_opened(tmp_path):
    files = {f"web/src/app/{part}/{n}.py": "import server.a\n" for part in ("one", "two", "three") for n in range(8)}
    files |= {"server/a.py": "import server.b\n", "server/b.py": ""}
    lines = drawn(diagram(snapshot_of(write(tmp_path.resolve(), files)), Diagram(depth=1)))
    assert "web/src/app/one/ --> server/a.py ×8" in lines


def listed(answer: DiagramReply) -> set[str]:
    """`source -> target kind ×count` of a drawing for programs."""
    assert answer.drawn is not None
    assert answer.diagram is None
    assert (len(answer.drawn.boxes), len(answer.drawn.arrows)) == (answer.boxes, answer.arrows)
    return {line for line in answer.drawn.to_text().splitlines() if " -> " in line}


def ids(answer: DiagramReply) -> list[str]:
    assert answer.drawn is not None
    return [box.id for box in answer.drawn.boxes]


def test_json_lists_what_a_chart_draws(shop):
    for element in ("fill", None):
        chart = diagram(shop, Diagram(diagram_type="all", element=element))
        lists = diagram(shop, Diagram(diagram_type="all", element=element, format="json"))
        assert (lists.boxes, lists.arrows) == (chart.boxes, chart.arrows)
        assert len(listed(lists)) == chart.arrows


def test_an_opened_project_has_every_folder_tests_too(deep):
    answer = diagram(deep, Diagram(inside=".", format="json", depth=1))
    assert listed(answer) == {
        "app/main.py -> app/a/ use ×3", "app/main.py -> app/near.py use ×2", "tests/ -> app/main.py use ×2",
    }  # fmt: skip
    assert "app/lonely.py" in ids(answer)
    sizes = {box.id: (box.files, box.elements, box.look) for box in answer.drawn.boxes}
    assert sizes["app/a/"] == (1, 1, "folder")
    assert sizes["tests/"] == (1, 1, "folder")


def test_an_opened_folder_is_drawn_with_what_is_linked_to_it(deep):
    answer = diagram(deep, Diagram(inside="./app/a/", format="json"))
    assert listed(answer) == {"app/main.py -> app/a/b/c/deep.py use ×3"}
    assert ids(answer) == ["app/main.py", "app/a/b/c/deep.py"]


def test_an_opened_file_is_drawn_as_its_elements(shop):
    answer = diagram(shop, Diagram(inside="shop/basket.py", format="json", diagram_type="calls"))
    assert "shop/basket.py#fill:17 -> shop/basket.py#Basket.add:10 use ×1" in listed(answer)
    assert any(line.startswith("tests/ -> shop/basket.py#fill:17 ") for line in listed(answer))
    types = {box.id: box.type for box in answer.drawn.boxes}
    assert (types["shop/basket.py#fill:17"], types["tests/"]) == ("function", None)


def test_an_opened_folder_is_a_chart_too(deep):
    assert drawn(diagram(deep, Diagram(inside="app/a"))) == {"app/main.py --> app/a/b/c/deep.py ×3"}


def test_no_more_boxes_than_asked_for(deep):
    answer = diagram(deep, Diagram(inside=".", format="json", depth=1, max_boxes=2))
    assert (answer.boxes, answer.omitted_boxes) == (2, 0)
    most = diagram(deep, Diagram(inside="app", format="json", max_boxes=2))
    assert (most.boxes, most.omitted_boxes) == (2, 3)


def test_a_path_without_files_is_refused_with_a_remedy(deep):
    with pytest.raises(InvalidInput, match="inside") as refused:
        diagram(deep, Diagram(inside="nowhere"))
    assert "`.` is the whole" in refused.value.hint
    with pytest.raises(InvalidInput, match="element"):
        diagram(deep, Diagram(inside="app", element="main"))
