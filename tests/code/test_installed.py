"""Installed packages say what they give the project; they are no part of it."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from bearings.code.facts.store import NoFacts
from bearings.code.index.demand import UnindexedProject
from bearings.code.index.installed_packages import InstalledPackages, installed_in
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot import Snapshot
from bearings.code.index.snapshot_store import GraphStore
from bearings.code.index.worker_pool import WorkerPool
from bearings.code.models import EdgeKind
from bearings.code.project.working_tree import WorkingTree
from tests.code.demand import differing
from tests.code.in_process import MemoryFacts
from tests.code.trees import write

MAX = 1_000_000
SHOP = {
    "package.json": '{"name": "shop"}',
    "cart.ts": "export class Cart {\n  total() { return 1 }\n}\n",
    "main.ts": """import { Cart } from "./cart"
import { Store } from "store"

export function main(store: Store<Cart>) {
  store.get("a").total()
  store.each(cart => cart.total())
}
""",
}
STORE = """export declare class Store<T> {
  get(id: string): T
  each(listener: (item: T) => void): this
}
"""
LAYOUTS: Mapping[str, Mapping[str, str]] = {
    "index": {"store/package.json": "{}", "store/index.d.ts": STORE},
    "types": {"store/package.json": '{"types": "dist/store.d.ts"}', "store/dist/store.d.ts": STORE},
    "exports": {
        "store/package.json": '{"exports": {".": {"import": {"types": "./esm/a.d.mts", "default": "./esm/a.mjs"}}}}',
        "store/esm/a.d.mts": STORE,
    },
    "beside its code": {"store/package.json": '{"main": "./lib/a.js"}', "store/lib/a.d.ts": STORE},
    "@types": {"store/package.json": "{}", "@types/store/package.json": "{}", "@types/store/index.d.ts": STORE},
    "re-exported": {
        "store/package.json": '{"types": "a.d.ts"}',
        "store/a.d.ts": "export * from './b.js'\nexport { Store } from 'base'\n",
        "store/b.d.ts": "export declare const version: string\n",
        "store/node_modules/base/package.json": "{}",
        "store/node_modules/base/index.d.ts": STORE,
    },
    "another's default": {
        "store/package.json": '{"types": "a"}',
        "store/a.d.ts": "import Base from '@scope/base/part'\nexport declare class Store<T> extends Base<T> {}\n",
        "@scope/base/package.json": '{"exports": {"./*": "./lib/*.js"}}',
        "@scope/base/lib/part.d.ts": STORE.replace("export declare class Store", "export default class Base"),
    },
}  # fmt: skip
ENVIRONMENT = ".venv/lib/python3.12/site-packages"
PYTHON = {
    "pyproject.toml": "[project]\nname = 'shop'\n",
    "cart.py": """from store import Base, opened


class Cart(Base):
    def total(self):
        return 1


def main():
    Cart.load("a").total()
    for cart in opened(Cart):
        cart.total()
""",
    f"{ENVIRONMENT}/store/__init__.py": "from store.base import Base as Base\nfrom .reading import opened as opened\n",
    f"{ENVIRONMENT}/store/base.py": """class Base:
    @classmethod
    def load(cls, name):
        return cls()
""",
    f"{ENVIRONMENT}/store/reading.py": "def opened(kind): ...\n",
    f"{ENVIRONMENT}/store/reading.pyi": """from typing import Iterator, TypeVar

T = TypeVar("T")

def opened(kind: type[T]) -> Iterator[T]: ...
""",
}


def installed(files: Mapping[str, str]) -> dict[str, str]:
    return {**SHOP, **{f"node_modules/{path}": text for path, text in files.items()}}


def calls(snapshot: Snapshot, name: str = "total") -> list[int]:
    """The lines on which a method is called, surely."""
    (method,) = snapshot.graph.find(name)
    edges = snapshot.graph.edges_to(method.id)
    return sorted(edge.line for edge in edges if edge.kind is EdgeKind.CALL and not edge.is_guess)


def fresh(root: Path) -> Snapshot:
    return Index(root, NoFacts(), MAX).refresh()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_declarations_of_a_package_are_found(tmp_path: Path, layout: str) -> None:
    root = write(tmp_path, installed(LAYOUTS[layout]))
    assert calls(fresh(root)) == [5, 6]


def test_no_element_and_no_edge_is_of_a_package(tmp_path: Path) -> None:
    snapshot = fresh(write(tmp_path, {**installed(LAYOUTS["re-exported"]), **PYTHON}))
    graph = snapshot.graph
    assert {symbol.file for symbol in graph.symbols.values()} == {"cart.ts", "main.ts", "cart.py"}
    edges = [edge for symbol in graph.symbols.values() for edge in graph.edges_from(symbol.id)]
    assert edges
    assert not [edge for edge in edges if edge.target not in graph.symbols]
    outside = [use for uses in graph.outside_by_source.values() for use in uses]
    assert {use.why for use in outside if "store" in use.name} == {"external"}


def test_a_link_is_followed_inside_the_root_alone(tmp_path: Path) -> None:
    files = LAYOUTS["types"]
    root = write(tmp_path / "project", SHOP)
    write(root / "node_modules/.pnpm/store@1/node_modules", files)
    (root / "node_modules/store").symlink_to(".pnpm/store@1/node_modules/store")
    assert calls(fresh(root)) == [5, 6]
    write(tmp_path / "elsewhere", files)
    (root / "node_modules/store").unlink()
    for target in (tmp_path / "elsewhere/store", "../../elsewhere/store", "store", "../node_modules"):
        (root / "node_modules/store").symlink_to(target)
        assert calls(fresh(root)) == []
        (root / "node_modules/store").unlink()


def test_what_is_no_file_or_too_large_is_not_read(tmp_path: Path) -> None:
    root = write(tmp_path, installed(LAYOUTS["index"]))
    declared = root / "node_modules/store/index.d.ts"
    declared.write_text(STORE + "//" + " " * 1_000_000)
    assert calls(fresh(root)) == []
    declared.unlink()
    os.mkfifo(declared)
    assert calls(fresh(root)) == []
    declared.unlink()
    declared.write_bytes(b"\xff\x00" * 100)
    assert calls(fresh(root)) == []


@pytest.mark.slow
def test_a_module_thousands_of_folders_deep_is_not_there(tmp_path: Path) -> None:
    root = write(tmp_path, installed(LAYOUTS["index"]))
    main = root / "main.ts"
    main.write_text(SHOP["main.ts"] + f"import deep from 'store/{'deep/' * 5000}'\n")
    assert calls(fresh(root)) == [5, 6]


def test_a_package_that_is_installed_later_is_found(tmp_path: Path) -> None:
    root = write(tmp_path, SHOP)
    index = Index(root, MemoryFacts(), MAX)
    assert calls(index.refresh()) == []
    write(root, installed(LAYOUTS["index"]))
    assert calls(index.refresh()) == [5, 6]
    write(
        root, {"node_modules/store/index.d.ts": STORE.replace("get(", "take("), "node_modules/.package-lock.json": "{}"}
    )
    assert calls(index.refresh()) == [6]


def test_stubs_that_are_installed_beside_a_package_go_first(tmp_path: Path) -> None:
    stubs, plain = f"{ENVIRONMENT}/store-stubs", PYTHON[f"{ENVIRONMENT}/store/reading.pyi"]
    files = {
        **PYTHON,
        f"{ENVIRONMENT}/store/base.py": "class Base: ...\n",
        f"{ENVIRONMENT}/store/reading.pyi": "def opened(kind): ...\n",
    }
    root = write(tmp_path, files)
    assert calls(fresh(root)) == []
    write(root, {f"{stubs}/reading.pyi": plain, f"{stubs}/base.pyi": PYTHON[f"{ENVIRONMENT}/store/base.py"]})
    write(
        root, {f"{stubs}/__init__.pyi": "from store.base import Base as Base\nfrom .reading import opened as opened\n"}
    )
    snapshot = fresh(root)
    assert calls(snapshot) == [10, 12]
    demand = UnindexedProject(WorkingTree(root), NoFacts(), MAX, fewest=0, share=1)
    assert differing(snapshot, demand) == []


@pytest.mark.parametrize("files", [installed(LAYOUTS["another's default"]), PYTHON], ids=["node", "python"])
def test_an_answer_without_an_index_is_the_same(tmp_path: Path, files: Mapping[str, str]) -> None:
    root = write(tmp_path, files)
    demand = UnindexedProject(WorkingTree(root), NoFacts(), MAX, fewest=0, share=1)
    assert differing(fresh(root), demand) == []


def test_a_resumed_index_goes_on_with_what_is_installed(tmp_path: Path) -> None:
    root = write(tmp_path / "project", installed(LAYOUTS["types"]))
    store, graphs = MemoryFacts(), GraphStore(tmp_path / "cache")
    first = Index(root, store, MAX, graphs=graphs)
    first.refresh()
    first.keep()
    write(root, {"main.ts": SHOP["main.ts"] + "\nexport const more = (s: Store<Cart>) => s.get('b').total()\n"})
    second = Index(root, store, MAX, graphs=graphs)
    assert second.resume()
    assert calls(second.refresh()) == [5, 6, 9]


def test_a_name_that_only_an_installed_file_mentions_is_looked_up_again_after_an_edit(tmp_path: Path) -> None:
    made = "export declare function made<T extends { lid: unknown }>(kind: T): T['lid']\n"
    files = {
        **installed({"store/package.json": "{}", "store/index.d.ts": made}),
        "cart.ts": "import { Lid } from './lid'\nexport class Cart {\n  top: Lid\n}\n",
        "lid.ts": "export class Lid { total() {} }\n",
        "main.ts": "import { made } from 'store'\nimport { Cart } from './cart'\nmade(new Cart()).total()\n",
    }
    root = write(tmp_path, files)
    index = Index(root, NoFacts(), MAX)
    index.refresh()
    write(root, {"cart.ts": files["cart.ts"].replace("top", "lid")})
    assert calls(index.refresh()) == calls(fresh(root)) == [3]


@pytest.mark.slow
def test_workers_do_not_change_the_result(tmp_path: Path) -> None:
    pages = {f"page{number}.ts": SHOP["main.ts"] for number in range(310)}
    root = write(tmp_path, {**installed(LAYOUTS["re-exported"]), **pages})
    alone = Index(root, NoFacts(), MAX, WorkerPool(0)).refresh()
    helped = Index(root, NoFacts(), MAX, WorkerPool(1)).refresh()
    assert len(calls(alone)) == 2 * 311
    (method,) = alone.graph.find("total")
    assert set(alone.graph.edges_to(method.id)) == set(helped.graph.edges_to(method.id))


def test_python_packages_of_an_environment_are_found(tmp_path: Path) -> None:
    assert calls(fresh(write(tmp_path, PYTHON))) == [10, 12]


@pytest.mark.parametrize("module", ["till.py", "till/__init__.py"])
def test_packages_that_are_installed_as_they_are_edited_are_the_projects(tmp_path: Path, module: str) -> None:
    files = {
        "app/pyproject.toml": "",
        "app/main.py": "from till import Till\n\nTill().total()\n",
        f"parts/deep/code/{module}": "class Till:\n    def total(self): ...\n",
        f"other/deep/code/{module}": "class Till:\n    def count(self): ...\n",
    }
    root = write(tmp_path, files)
    assert calls(fresh(root)) == []
    write(root, {f"app/{ENVIRONMENT}/till.pth": f"{root}/parts/deep/code\n/\nimport os\n"})
    assert calls(fresh(root)) == [3]


def test_a_finder_of_setuptools_names_the_folders_of_packages(tmp_path: Path) -> None:
    files = {
        "app/pyproject.toml": "",
        "app/main.py": "from till import Till\n\nTill().total()\n",
        "parts/deep/code/till/__init__.py": "class Till:\n    def total(self): ...\n",
        "other/deep/code/till/__init__.py": "class Till:\n    def count(self): ...\n",
    }
    root = write(tmp_path, files)
    assert calls(fresh(root)) == []
    mapping = f"MAPPING: dict[str, str] = {{'till': '{root}/parts/deep/code/till', 'other': '/other'}}\n"
    write(root, {f"app/{ENVIRONMENT}/__editable___till_1_0_finder.py": f"import sys\n{mapping}"})
    assert calls(fresh(root)) == [3]


def test_thousands_of_lines_that_name_folders_are_a_few(tmp_path: Path) -> None:
    lines = "".join(f"{tmp_path}/part{number % 300}\n" for number in range(9000))
    root = write(tmp_path, {f"{ENVIRONMENT}/a.pth": lines, f"{ENVIRONMENT}/b.pth": f"{tmp_path}\n" * 9000})
    assert len(installed_in(root, {})[1]) < 300


def test_the_budget_of_bytes_ends_reading(tmp_path: Path) -> None:
    root = write(tmp_path, installed({f"store/{number}.d.ts": STORE for number in range(3)}))
    packages = InstalledPackages(root, (), most_bytes=len(STORE) * 2)
    symbols = [len(packages.facts(f"node_modules/store/{number}.d.ts").symbols) for number in range(3)]
    assert symbols[0] == symbols[1] > 1
    assert symbols[2] == 1


def test_a_folder_whose_name_only_ends_like_that_of_packages_is_the_projects(tmp_path: Path) -> None:
    files = {
        "old_node_modules/cart.ts": SHOP["cart.ts"],
        "old_node_modules/main.ts": "import { Cart } from './cart'\nnew Cart().total()\n",
    }
    assert calls(fresh(write(tmp_path, files))) == [2]


def test_a_module_that_the_project_declares_itself_counts_before_the_installed_one(tmp_path: Path) -> None:
    declared = "import { Cart } from './cart'\ndeclare module 'store' {\n  interface Request { cart: Cart }\n}\n"
    main = (
        "import { Request, Store } from 'store'\nimport { Cart } from './cart'\n"
        "export function main(request: Request, store: Store<Cart>) {\n"
        "  request.cart.total()\n  store.get('a').total()\n}\n"
    )
    files = {
        **installed({"store/package.json": "{}", "store/index.d.ts": f"export interface Request {{}}\n{STORE}"}),
        "declared.d.ts": declared,
        "main.ts": main,
    }
    root = write(tmp_path, files)
    assert calls(fresh(root)) == [4, 5]
    demand = UnindexedProject(WorkingTree(root), NoFacts(), MAX, fewest=0, share=1)
    assert differing(fresh(root), demand) == []


def test_a_function_that_a_decorator_makes_an_object_of_a_packages_class_is_called_by_its_framework(
    tmp_path: Path,
) -> None:
    click = """from typing import Any, Callable

class Group:
    def __call__(self, *args: Any) -> Any: ...
    def add_command(self, cmd: "Group", name: str | None = None) -> None: ...
    def group(self, name: str) -> Callable[[Callable[..., Any]], "Group"]: ...

def group() -> Callable[[Callable[..., Any]], Group]: ...
"""
    cli = """import click

@click.group()
def shop(): pass

@shop.group("cart")
def total(): pass

shop.add_command(total)
"""
    files = {"pyproject.toml": "", "cli.py": cli}
    assert calls(fresh(write(tmp_path / "without", files))) == [6, 9]
    files = {**files, f"{ENVIRONMENT}/click/__init__.py": click}
    assert calls(fresh(write(tmp_path / "with", files))) == [6, 9]


def test_a_pattern_matches_the_fields_of_a_class_whose_installed_base_declares_match_args(tmp_path: Path) -> None:
    main = """from store import Struct

class Cart:
    def total(self): ...

class Order(Struct):
    name: str
    cart: Cart

def main(order: Order):
    match order:
        case Order(name, cart):
            cart.total()
"""
    struct = "from typing import ClassVar\nclass Struct:\n    __match_args__: ClassVar[tuple[str, ...]]\n"
    files = {"pyproject.toml": "", "main.py": main, f"{ENVIRONMENT}/store/__init__.pyi": struct}
    assert calls(fresh(write(tmp_path, files))) == [13]
