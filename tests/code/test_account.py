"""Every occurrence of a name in code belongs to one class: none is lost."""

from collections import Counter
from pathlib import Path

import pytest

from bearings.code.file_facts import FileFacts
from bearings.code.graph.project_graph import Graph
from bearings.code.index.demand import FEWEST, UnindexedProject
from bearings.code.languages import SPECS, language_of
from bearings.code.languages.embedded import program_of
from bearings.code.languages.shared.encoding import as_utf8
from bearings.code.languages.shared.regions import region_at
from bearings.code.languages.shared.trees import LibraryReader
from bearings.code.models import SymbolKind
from bearings.code.project.working_tree import WorkingTree
from bearings.code.replies.account import Account
from bearings.code.search.account import FileAccount, Named, account_of
from bearings.code.search.elsewhere import elsewhere, if_short
from bearings.code.syntax_trees import occurrences_of
from tests.code.cases import Case, cases, resolution_of
from tests.code.in_process import MemoryFacts
from tests.code.questions.snapshots import element, snapshot_of
from tests.code.trees import write

MAX = 10_000_000
SOURCES = Path(__file__).parents[2]
OURS = ("src/bearings/code/search", "src/bearings/code/replies", "src/bearings/code/graph", "examples")


def said(root: Path, files: dict[str, str], name: str) -> Account:
    snapshot = snapshot_of(root, files)
    account = elsewhere(snapshot, element(snapshot, name)).account
    assert account is not None
    return account


def counts(account: Account) -> dict[str, int]:
    fields = ("uses", "others", "guesses", "library", "locals", "keys", "declarations")
    plain = {name: getattr(account, name) for name in fields if getattr(account, name)}
    assert account.tokens == sum(plain.values()) + sum(account.unresolved.values())
    return plain | account.unresolved


UNKNOWN, GIVEN = "members of unknown types", "members of what libraries give"
SHOP = "class Shop:\n    def total(self): ...\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from shop import Shop\nShop().total()\n# total\n", {"uses": 1}),
        ("from shop import Shop\nShop().total() - Shop().total()\n# total\n", {"uses": 2}),
        ("class Till:\n    def total(self): ...\n\nTill().total()\n", {"declarations": 1, "others": 1}),
        ("def f(it):\n    it.total()\n    return it.total\n", {UNKNOWN: 2}),
        ("import random\n\ndef f(shops):\n    random.choice(shops).total()\n", {GIVEN: 1}),
        ("import numpy as np\n\nnp.total()\nnp.total\nnp.sums.total\n", {"library": 3}),
        ("def f(total, *, key=lambda total: total):\n    total = total + 1\n    return g(total=total)\n",
         {"locals": 6, "keys": 1}),
        ("from stores import total\n\nprint(total)\n", {"declarations": 1, "library": 1}),
        ("from .nowhere import total\n\nprint(total)\n", {"declarations": 1, "not followed": 1}),
        ("'total'  # total\n", {}),
        ("x = f'{x.total} total'\n", {UNKNOWN: 1}),
        ("print(total)\n", {"library": 1}),
    ],
)  # fmt: skip
def test_python(tmp_path: Path, text: str, expected: dict[str, int]) -> None:
    files = {"shop.py": SHOP, "a.py": text}
    found = counts(said(tmp_path, files, "Shop.total"))
    assert Counter(found) - Counter({"declarations": 1}) == Counter(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('import { Shop } from "./shop";\nexport const f = (\n  a: 1,\n  b: Shop,\n): number =>\n  b.total;\n',
         {"uses": 1}),
        ("export const f = (it: any) => it.total + it.total;\n", {UNKNOWN: 2}),
        ("export const f = ({ total }: any) => total;\n", {UNKNOWN: 1, "locals": 1}),
        ('import { total } from "./sums";\nexport const f = (\n  a = 1,\n  b = total,\n) => total;\n',
         {"declarations": 1, "others": 2}),
        ('export { total } from "./sums";\n', {"declarations": 1}),
        ('import { total as sum } from "./sums";\nsum();\n', {"declarations": 1}),
        ('import { total } from "library";\ntotal(); f<total>(total);\n', {"declarations": 1, "library": 3}),
        ("total: for (;;) { break total; }\n", {"locals": 2}),
        ("export const f = { total: 1, g: <a total={1} /> };\n", {"keys": 1, "declarations": 1}),
        ("/* total */ export const f = `total ${f.total}`;\n", {UNKNOWN: 1}),
    ],
)  # fmt: skip
def test_typescript(tmp_path: Path, text: str, expected: dict[str, int]) -> None:
    files = {
        "shop.ts": "export class Shop {\n  total = 1;\n}\n",
        "sums.ts": "export function total() {}\n",
        "a.tsx": text,
    }
    found = counts(said(tmp_path, files, "Shop.total"))
    assert Counter(found) - Counter({"declarations": 2}) == Counter(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("func f(s *Shop) *Shop { return s }\n// Shop\n", {"uses": 2}),
        ("func (s *Shop) Total() int { return 1 }\n", {"declarations": 1}),
        ("func f(x any) { _ = x.(interface{ M(*Shop) }) }\n", {"not followed": 1}),
        ('import "strings"\n\nvar b = strings.Shop\n', {"library": 1}),
        ("func f() { Shop := 1; _ = Shop }\n", {"locals": 2}),
    ],
)
def test_go(tmp_path: Path, text: str, expected: dict[str, int]) -> None:
    files = {"go.mod": "module m\n", "shop.go": "package m\n\ntype Shop struct{}\n", "a.go": f"package m\n\n{text}"}
    found = counts(said(tmp_path, files, "Shop"))
    assert Counter(found) - Counter({"declarations": 1}) == Counter(expected)


def identifiers(path: str, text: str) -> Counter[str] | None:
    """The identifiers of a source outside of strings and comments; None if it has an error."""
    language = language_of(path)
    assert language is not None
    tree = LibraryReader(language).parse(as_utf8(language, program_of(path, text.encode())), MAX)
    if tree is None or tree.tree.root_node.has_error:
        return None
    found: Counter[str] = Counter()
    waiting = [tree.tree.root_node]
    while waiting:
        node = waiting.pop()
        waiting += node.children
        is_name = not node.child_count and "identifier" in node.type and node.text is not None
        if is_name and region_at(tree.tree, node.start_byte) == "code":
            found[(node.text or b"").decode()] += 1
    return found


def unaccounted(files: dict[str, str]) -> list[str]:
    """The files and names of elements whose occurrences and classes differ in number."""
    facts, resolution = resolution_of(files)
    graph = Graph.build(facts, resolution)
    elements = [one for file in facts.values() for one in file.symbols if one.kind is not SymbolKind.ENDPOINT]
    names = {one.name for one in elements if one.kind is not SymbolKind.MODULE}
    return [line for path in facts for line in _unaccounted_in(path, files[path], facts, graph, names)]


def _unaccounted_in(path: str, text: str, facts: dict[str, FileFacts], graph: Graph, names: set[str]) -> list[str]:
    language = language_of(path)
    if language is None or SPECS[language].name_rules is None or facts[path].given_up:
        return []
    written = identifiers(path, text) or Counter()
    wrong = []
    for name in sorted(names & written.keys()):
        found = occurrences_of(language, as_utf8(language, program_of(path, text.encode())), name)
        account = account_of(name, FileAccount(facts, graph, path, Named(name)).verdicts(found or ()))
        counts(account)
        if account.tokens != written[name]:
            wrong.append(f"{path} {name}: {account.tokens} of {written[name]}")
    return wrong


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_every_identifier_of_a_case_belongs_to_one_class(case: Case) -> None:
    assert unaccounted(case.files) == []


@pytest.mark.slow
def test_every_identifier_of_our_sources_belongs_to_one_class() -> None:
    paths = [path for folder in OURS for path in sorted((SOURCES / folder).rglob("*")) if language_of(path.name)]
    files = {str(path.relative_to(SOURCES)): path.read_text("utf-8") for path in paths}
    assert len(files) > 50
    assert unaccounted(files) == []


def test_a_short_list_says_what_may_be_missing(tmp_path: Path) -> None:
    users = "from shop import Shop\n\ndef near():\n    Shop().total()\n"
    whole = snapshot_of(tmp_path / "whole", {"shop.py": SHOP, "a.py": users})
    assert if_short(whole, element(whole, "Shop.total"), ["a.py"], 0) is None
    more = snapshot_of(tmp_path / "more", {"shop.py": SHOP, "a.py": f"{users}\ndef far(it):\n    return it.total\n"})
    found = if_short(more, element(more, "Shop.total"), ["a.py"], 0)
    assert found is not None
    line = "total stands in code 3 times: 1 of known uses, 1 unresolved (1 members of unknown types), 1 in declarations"
    assert line in found.to_text()


def test_keys_may_be_a_property(tmp_path: Path) -> None:
    shop = "export interface Shop {\n  total: number;\n}\nexport function total() {}\n"
    keyed = "export const f = (s: Shop) => [\n  s.total,\n  total(),\n  { total: 1 },\n];\n"
    user = f'import {{ Shop, total }} from "./shop";\n{keyed}'
    snapshot = snapshot_of(tmp_path, {"shop.ts": shop, "a.ts": user})
    assert if_short(snapshot, element(snapshot, "Shop.total"), ["a.ts"], 0) is not None
    assert if_short(snapshot, element(snapshot, "shop.ts#total"), ["a.ts"], 0) is None


@pytest.mark.slow
def test_a_common_name_is_not_accounted_for_and_the_note_says_so(tmp_path: Path) -> None:
    long = "".join(f"def f{number}(it):\n    return it.total\n" for number in range(12_000))
    snapshot = snapshot_of(tmp_path, {"shop.py": SHOP, "a.py": long})
    found = elsewhere(snapshot, element(snapshot, "Shop.total"))
    assert found.account is None
    assert found.note == "not every occurrence is accounted for: too many files hold the name"


@pytest.mark.slow
def test_the_account_without_an_index_is_that_of_the_index(tmp_path: Path) -> None:
    files = {
        "shop.py": SHOP,
        "a.py": "import random\nfrom shop import Shop as total\n\ntotal().total()\n",
        "b.py": "import sums\nfrom shop import Shop\n\nsums.total(Shop().total, sums.x, total=1)\n",
        "c.py": "import numpy as np  # Shop\n\ndef f(it):\n    return np.total, it.total()\n",
        **{f"rooms/r{number}.py": "x = 1\n" for number in range(FEWEST)},
    }
    root = write(tmp_path.resolve() / "large", files)
    demand = UnindexedProject(WorkingTree(root), MemoryFacts(), MAX).refresh()
    whole = snapshot_of(root, {})
    for name in ("Shop", "Shop.total"):
        account = elsewhere(demand, element(demand, name)).account
        assert account == elsewhere(whole, element(whole, name)).account
        assert account is not None
        assert account.tokens >= 4
