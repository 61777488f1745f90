"""Complexity as an answer: a function's own, sums for what holds functions, recursion, rank, what it needs."""

from bearings.code.questions.complexity import AskComplexity
from bearings.code.questions.complexity.compute import complexity
from tests.code.questions.snapshots import answered, element, snapshot_of

FILES = {
    "a.py": (
        "import yaml\n\n\n"
        "class Walker:\n"
        "    def walk(self, node):\n"
        "        for child in node:\n"
        "            if child:\n"
        "                self.walk(child)\n\n"
        "    def size(self):\n"
        "        return 1\n\n\n"
        "def ping(n):\n    return pong(n)\n\n\n"
        "def pong(n):\n    return ping(n) if n else 0\n\n\n"
        "def load(text):\n    return yaml.load(text), Walker()\n\n\n"
        "RATE = 3\n"
    ),
    "test_a.py": "from a import load\n\n\ndef test_load():\n    if load:\n        assert load('1')\n",
}


def test_a_function_has_its_own_figures_and_its_place_among_those_of_the_project(tmp_path):
    snapshot = snapshot_of(tmp_path, FILES)
    walk = complexity(snapshot, element(snapshot, "Walker.walk"))
    assert (walk.cyclomatic_complexity, walk.nesting_depth, walk.parameters, walk.lines_of_code) == (3, 2, 1, 4)
    assert walk.recursive
    assert walk.cognitive_complexity == 3 + 1
    assert (walk.rank.place, walk.rank.of) == (1, 5)
    assert complexity(snapshot, element(snapshot, "Walker.size")).rank.place == 3
    assert complexity(snapshot, element(snapshot, "test_load")).rank is None


def test_functions_that_call_each_other_recur(tmp_path):
    snapshot = snapshot_of(tmp_path, FILES)
    assert complexity(snapshot, element(snapshot, "ping")).recursive
    assert complexity(snapshot, element(snapshot, "pong")).cognitive_complexity == 2
    assert not complexity(snapshot, element(snapshot, "load")).recursive


def test_a_class_and_a_file_are_the_sums_of_their_functions_the_worst_named(tmp_path):
    snapshot = snapshot_of(tmp_path, FILES)
    walker = complexity(snapshot, element(snapshot, "Walker"))
    assert (walker.cyclomatic_complexity, walker.members_total) == (4, 2)
    assert [member.element for member in walker.members] == ["a.py#Walker.walk:5", "a.py#Walker.size:10"]
    file = complexity(snapshot, element(snapshot, "a.py"))
    assert file.cyclomatic_complexity == 3 + 1 + 1 + 2 + 1
    assert (file.lines_of_code, file.rank, "sums" in (file.note or "")) == (26, None, True)


def test_what_it_uses_and_who_tests_it_is_told(tmp_path):
    snapshot = snapshot_of(tmp_path, FILES)
    load = complexity(snapshot, element(snapshot, "load"))
    assert load.dependencies == ("a.py#Walker:4",)
    assert load.external == ("yaml.load",)
    assert [test.tests for test in load.tests] == [("test_a.py#test_load:4",)]


def test_a_variable_decides_nothing_and_says_so(tmp_path):
    snapshot = snapshot_of(tmp_path, FILES)
    rate = complexity(snapshot, element(snapshot, "RATE"))
    assert (rate.cyclomatic_complexity, rate.lines_of_code) == (0, 1)
    assert "decides nothing" in (rate.note or "")


def test_a_folder_lists_its_most_complex_functions(tmp_path):
    files = {f"shop/{path}": text for path, text in FILES.items()} | {"b.py": "def shop_all():\n    return 1\n"}
    snapshot = snapshot_of(tmp_path, files)
    folders = [answered(snapshot, AskComplexity(element=name)) for name in ("shop", "shop/", "./shop")]
    for folder in folders:
        assert (folder.element, folder.members_total, folder.cognitive_complexity) == ("shop/", 5, 3 + 1)
        assert folder.members[0].element == "shop/a.py#Walker.walk:5"
        assert "unknown" not in folder.full_text()
    assert answered(snapshot, AskComplexity(element="shop/a.py")).element == "shop/a.py"
