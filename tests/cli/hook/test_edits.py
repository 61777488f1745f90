"""`bearings hook` after an edit: what it says of the callers that no longer fit, and when it is silent."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bearings.cli.hook.addition import LIMIT
from bearings.cli.hook.edit import Edit, Replacement, edits_of
from tests.cli.conftest import ROOT
from tests.cli.hook import payloads
from tests.cli.hook.test_hook import addition, run, told
from tests.code.test_change_detection import MAX
from tests.code.test_snapshot_lookup import settled
from tests.code.trees import git, repository, write

FILES = {
    "shop/tax.py": "RATE = 1\n\n\ndef with_tax(amount):\n    return amount * RATE\n\n\n"
    "def both(first, second=1):\n    return with_tax(first) + second\n\n\ndef _own(x):\n    return x\n\n\n"
    "class Base:\n    def close(self):\n        pass\n\n\n"
    "class Cart(Base):\n    def __init__(self, size):\n        self.size = size\n\n"
    "    def total(self):\n        return both(self.size, second=_own(2))\n\n    def close(self):\n        pass\n",
    "shop/use.py": "from shop.tax import RATE, Cart, both\nfrom shop.tax import with_tax as taxed\n\n\n"
    "def run():\n    cart = Cart(1)\n    cart.close()\n    return taxed(RATE) + both(1, second=2) + cart.total()\n",
    "shop/spread.py": "from shop.tax import with_tax\n\n\ndef spread(*values):\n    return with_tax(*values)\n",
    "tests/test_use.py": "from shop.use import run\n\n\ndef test_run():\n    assert run()\n",
    "web/load.ts": "export function load(key: string) {\n  return key;\n}\n\n"
    "export class Box {\n  constructor(size: number) {}\n  open(key: string) {}\n}\n",
    "web/use.ts": "import { Box, load } from './load';\n\nexport const loaded = load('a');\n"
    "const box = new Box(1);\nbox.open('k');\n",
    "lib/lib.go": "package lib\n\nfunc Load(key string) string {\n\treturn key\n}\n",
    "lib/use.go": 'package lib\n\nfunc Use() string {\n\treturn Load("a")\n}\n',
    "go.mod": "module example.com/lib\n\ngo 1.22\n",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = Path(os.path.realpath(tmp_path_factory.mktemp("edits")))
    repository(folder / "project", FILES)
    return folder


@pytest.fixture
def kept(made: Path, tmp_path: Path) -> tuple[Path, dict[str, str]]:
    """A project with a stored graph, to be edited, and the variables with its place."""
    root = Path(os.path.realpath(shutil.copytree(made / "project", tmp_path / "project")))
    settled(root, tmp_path / "cache")
    return root, told(tmp_path / "cache")


def replaced(root: Path, path: str, old: str, new: str) -> None:
    text = (root / path).read_text()
    assert text.count(old) == 1
    (root / path).write_text(text.replace(old, new))


BROKEN = [
    (
        "shop/tax.py",
        "def with_tax(amount)",
        "def with_tax(amount, rate)",
        "with_tax: it needs a parameter rate: 2 callers",
    ),
    (
        "shop/tax.py",
        "def both(first, second=1)",
        "def both(first)",
        "both: parameter second is gone: 2 callers no longer",
    ),
    (
        "shop/tax.py",
        "def both(first, second=1)",
        "def joined(first, second=1)",
        "both: it is gone: 2 callers no longer",
    ),
    ("shop/tax.py", "RATE = 1\n", "", "RATE: it is gone: 1 use no longer fits: shop/use.py:8"),
    (
        "shop/tax.py",
        "__init__(self, size)",
        "__init__(self, size, unit)",
        "Cart.__init__: it needs a parameter unit: 1 c",
    ),
    ("shop/tax.py", "def total(self)", "def total(self, rate)", "Cart.total: it needs a parameter rate: 1 caller"),
    (
        "shop/tax.py",
        "def total(self)",
        "def summed(self)",
        "Cart.total: it is gone: 1 caller no longer fits: shop/use.py:8",
    ),
    (
        "web/load.ts",
        "load(key: string)",
        "load(key: string, at: number)",
        "load: it needs a parameter at: 1 caller no lo",
    ),
    (
        "web/load.ts",
        "export function load",
        "function load",
        "load: it is not exported any more: 1 caller no longer fits",
    ),
    (
        "web/load.ts",
        "constructor(size: number)",
        "constructor()",
        "Box.constructor: it takes 0 parameters, not 1: 1 call",
    ),
    ("web/load.ts", "  open(key: string) {}\n", "", "Box.open: it is gone: 1 caller no longer fits: web/use.ts:5"),
    (
        "lib/lib.go",
        "Load(key string)",
        "Load(key string, at int)",
        "Load: it needs a parameter at: 1 caller no longer fits",
    ),
]


@pytest.mark.parametrize(("path", "old", "new", "said"), BROKEN)
def test_callers_that_no_longer_fit_are_named(path: str, old: str, new: str, said: str, kept):
    root, environ = kept
    replaced(root, path, old, new)
    text = addition(payloads.claude_edit(root, path, (old, new)), environ)
    assert said in text
    assert len(text) <= LIMIT


SOUND = [
    ("shop/tax.py", "def with_tax(amount)", "def with_tax(amount, rate=1)"),
    ("shop/tax.py", "    return amount * RATE", "    # checked\n    return RATE * amount"),
    ("shop/tax.py", "def both(first, second=1)", "def more(first):\n    return first\n\n\ndef both(first, second=1)"),
    (
        "shop/tax.py",
        "\n    def close(self):\n        pass\n\n\nclass Cart",
        "\n    def close(self):\n        return\n\n\nclass Cart",
    ),
    ("shop/tax.py", "_own(2))\n\n    def close(self):\n        pass\n", "_own(2))\n"),  # its base has it
    ("shop/tax.py", "def _own(x)", "def _own(x, y)"),  # its file sees it
    ("shop/tax.py", "RATE = 1\n", "from shop.rates import RATE\n"),
    ("shop/tax.py", "def with_tax(amount):\n", "def with_tax(amount:\n"),  # half an edit
    ("web/load.ts", "load(key: string)", "load(key: string, at?: number)"),
    ("tests/test_use.py", "def test_run()", "def test_all()"),
    ("shop/use.py", "def run()", "def run(cart=None)"),
]


@pytest.mark.parametrize(("path", "old", "new"), SOUND)
def test_a_sound_edit_is_passed_over(path: str, old: str, new: str, kept):
    root, environ = kept
    replaced(root, path, old, new)
    assert addition(payloads.claude_edit(root, path, (old, new)), environ) == ""


def test_places_tests_and_calls_that_can_t_be_read(kept):
    root, environ = kept
    edit = ("def with_tax(amount)", "def with_tax(amount, rate)")
    replaced(root, "shop/tax.py", *edit)
    text = addition(payloads.claude_edit(root, "shop/tax.py", edit), environ)
    assert text.endswith("no longer fit: shop/tax.py:9 shop/use.py:8; tests: tests/test_use.py:5.")  # not spread.py


@pytest.mark.parametrize("folder", ["tests", "spec/e2e"])
def test_a_project_below_a_folder_for_tests_is_no_test(folder: str, tmp_path: Path):
    root = Path(os.path.realpath(repository(tmp_path / folder / "project", FILES)))
    settled(root, tmp_path / "cache")
    edit = ("def with_tax(amount)", "def with_tax(amount, rate)")
    replaced(root, "shop/tax.py", *edit)
    assert "2 callers" in addition(payloads.claude_edit(root, "shop/tax.py", edit), told(tmp_path / "cache"))


@pytest.mark.parametrize(
    ("inner", "said"), [("1", "1 caller by name no"), ("self.count_coins(1)", "2 callers (1 by name) no")]
)
def test_callers_whose_type_is_unknown_are_marked(inner: str, said: str, tmp_path: Path):
    till = (
        f"class Till:\n    def count_coins(self, unit):\n        pass\n\n    def all(self):\n        return {inner}\n"
    )
    files = {"shop/till.py": till, "shop/far.py": "def far(till):\n    return till.count_coins(1)\n"}
    root = Path(os.path.realpath(repository(tmp_path / "project", files)))
    settled(root, tmp_path / "cache")
    edit = ("count_coins(self, unit)", "count_coins(self, unit, rate)")
    replaced(root, "shop/till.py", *edit)
    text = addition(payloads.claude_edit(root, "shop/till.py", edit), told(tmp_path / "cache"))
    assert f"it needs a parameter rate: {said} longer fit" in text


def test_types_are_quoted_each_for_itself(tmp_path: Path):
    files = {
        "a.ts": "export function load(key: string): string {\n  return key;\n}\n",
        "b.ts": "import { load } from './a';\n\nexport const x = load('k');\n",
    }
    root = Path(os.path.realpath(repository(tmp_path / "project", files)))
    settled(root, tmp_path / "cache")
    edit = ("string): string", "string): asserts key is string")
    replaced(root, "a.ts", *edit)
    text = addition(payloads.claude_edit(root, "a.ts", edit), told(tmp_path / "cache"))
    assert "load: it gives «asserts key is string», not string: 1 caller no longer fits: b.ts:3" in text


def test_a_breakage_is_told_once(kept):
    root, environ = kept
    first = ("def with_tax(amount)", "def with_tax(amount, rate)")
    replaced(root, "shop/tax.py", *first)
    assert addition(payloads.claude_edit(root, "shop/tax.py", first), environ)
    second = ("    return amount * RATE", "    return amount * rate")
    replaced(root, "shop/tax.py", *second)
    assert addition(payloads.claude_edit(root, "shop/tax.py", second), environ) == ""


def test_callers_that_were_adapted_before_are_passed_over(kept):
    root, environ = kept
    edit = ("def both(first, second=1)", "def both(first, second, third)")
    replaced(root, "shop/use.py", "both(1, second=2)", "both(1, second=2, third=3)")
    replaced(root, "shop/tax.py", *edit)
    text = addition(payloads.claude_edit(root, "shop/tax.py", edit), environ)
    assert "1 caller no longer fits: shop/tax.py:26" in text


def test_a_caller_whose_file_changed_since_is_found_again(kept):
    root, environ = kept
    replaced(root, "shop/use.py", "def run():\n", "def run():\n    print()\n")
    edit = ("def both(first, second=1)", "def both(first)")
    replaced(root, "shop/tax.py", *edit)
    text = addition(payloads.claude_edit(root, "shop/tax.py", edit), environ)
    assert "shop/use.py:9" in text


@pytest.mark.parametrize("changed", [False, True])
def test_a_use_that_another_changed_file_may_redirect_is_left_out(changed: bool, tmp_path: Path):
    more = {
        "shop/__init__.py": "from .tax import both\n",
        "shop/far.py": "from shop import both\n\nboth(1, second=2)\n",
    }
    root = Path(os.path.realpath(repository(tmp_path / "project", FILES | more)))
    settled(root, tmp_path / "cache")
    edit = ("def both(first, second=1)", "def joined(first, second=1)")
    replaced(root, "shop/tax.py", *edit)
    if changed:
        replaced(root, "shop/__init__.py", "import both", "import joined as both")
    said = addition(payloads.claude_edit(root, "shop/tax.py", edit), told(tmp_path / "cache"))
    assert ("shop/far.py:3" in said) == (not changed)


OWN = {
    "web/till.ts": "export class Till {\n  open(key: string) {}\n  twice() {\n    this.open('k');\n  }\n}\n",
    "lib/till.go": "package lib\n\ntype Till struct{}\n\nfunc (t Till) Open(key string) {}\n\n"
    'func Twice(t Till) {\n\tt.Open("k")\n}\n',
    "shop/bag.py": "class Base: ...\n\n\nclass Bag(Base):\n    def __init__(self, size): ...\n\n\n"
    "one = Bag(1)\ntwo = Bag(2)\n",
    "shop/names.py": "def get(key, other=1):\n    return key\n\n\ndef widget(size): ...\n",
    "shop/widgets.py": "from shop.names import get, widget as show\n\nshow(1), get(1, 2)\n",
}


@pytest.mark.parametrize(
    ("path", "edits", "said"),
    [
        ("web/till.ts", [("open(key: string)", "open(key: string, at: number)")], "fits: web/till.ts:4"),
        ("lib/till.go", [("Open(key string)", "Open(key string, at int)")], "fits: lib/till.go:8"),
        ("shop/bag.py", [("one = Bag(1)\ntwo = Bag(2)", "two = Bag(2, 3)"), ("size)", "size, unit)")], ""),
        ("shop/names.py", [("get(key, other=1)", "get(key, other)")], ""),
    ],
)
def test_neither_definitions_nor_other_names_are_calls(
    path: str, edits: list[tuple[str, str]], said: str, tmp_path: Path
):
    root = Path(os.path.realpath(repository(tmp_path / "project", FILES | OWN)))
    settled(root, tmp_path / "cache")
    for edit in edits:
        replaced(root, path, *edit)
    text = addition(payloads.claude_edit(root, path, edits[-1]), told(tmp_path / "cache"))
    assert said in text
    assert bool(said) == bool(text)


@pytest.mark.parametrize("former", [True, False])
def test_a_file_that_was_written_as_a_whole_is_compared_with_its_former_state(former: bool, kept):
    root, environ = kept
    before = (root / "web/load.ts").read_text()
    replaced(root, "web/load.ts", "load(key: string)", "load()")
    text = addition(payloads.claude_write(root, "web/load.ts", before if former else None), environ)
    assert "load: it takes 0 parameters, not 1: 1 caller no longer fits: web/use.ts:3" in text


@pytest.mark.parametrize(("client", "payload"), payloads.EDITORS)
def test_each_client_s_edit_is_understood(client: str, payload, kept):
    root, environ = kept
    edit = ("def with_tax(amount):", "def with_tax(amount, rate):")
    replaced(root, "shop/tax.py", *edit)
    assert "2 callers no longer fit" in addition(payload(root, "shop/tax.py", edit), environ, client)


@pytest.mark.slow
@pytest.mark.parametrize(("client", "payload"), payloads.EDITORS)
def test_a_process_answers_after_an_edit_or_gives_up(client: str, payload, kept):
    root, environ = kept
    edit = ("def with_tax(amount):", "def with_tax(amount, rate):")
    replaced(root, "shop/tax.py", *edit)
    done = run(json.dumps(payload(root, "shop/tax.py", edit)).encode(), environ, client)
    assert (done.returncode, done.stderr) == (0, b"")
    if done.stdout:  # a machine that is too busy gets no answer
        assert "no longer fit" in payloads.context(client, json.loads(done.stdout))


def test_deleted_files_of_a_patch_break_their_users(kept):
    root, environ = kept
    (root / "web/load.ts").unlink()
    patch = "*** Begin Patch\n*** Delete File: web/load.ts\n*** Update File: shop/use.py\n@@\n-x\n+y\n*** End Patch\n"
    payload = {**payloads.codex(root, patch), "tool_name": "apply_patch"}
    text = addition(payload, environ, "codex")
    assert "Box: it is gone: 1 caller no longer fits: web/use.ts:4" in text
    assert "load: it is gone" in text


def test_links_and_files_outside_are_not_read(kept, tmp_path: Path):
    root, environ = kept
    outside = write(tmp_path / "outside", {"tax.py": "def with_tax(amount, rate): ...\n"})
    (root / "shop/tax.py").unlink()
    (root / "shop/tax.py").symlink_to(outside / "tax.py")
    edit = ("def with_tax(amount)", "def with_tax(amount, rate)")
    assert addition(payloads.claude_edit(root, "shop/tax.py", edit), environ) == ""
    assert addition(payloads.claude_edit(root, "../outside/tax.py", edit), environ) == ""
    edit = ("load(key: string)", "load()")
    replaced(root, "web/load.ts", *edit)
    assert addition(payloads.claude_edit(root, "web/load.ts", edit), environ)
    roots = {**environ, "BEARINGS_ROOTS": str(outside)}
    assert addition(payloads.claude_edit(root, "web/load.ts", edit), roots) == ""


def test_a_file_that_can_t_be_read_is_not_taken_for_an_empty_one(kept):
    root, environ = kept
    edit = ("RATE = 1\n", f"RATE = 1\n# {'x' * MAX}\n")
    replaced(root, "shop/tax.py", *edit)
    assert addition(payloads.claude_edit(root, "shop/tax.py", edit), environ) == ""


def test_an_emptied_file_is_read(kept):
    root, environ = kept
    before = (root / "web/load.ts").read_text()
    (root / "web/load.ts").write_text("")
    assert "load: it is gone: 1 caller" in addition(payloads.claude_write(root, "web/load.ts", before), environ)


def test_nothing_is_written(kept):
    root, environ = kept
    git(root, "add", "-A")
    edit = ("def with_tax(amount)", "def with_tax(amount, rate)")
    replaced(root, "shop/tax.py", *edit)
    cache = Path(environ["CODEREF_CACHE_DIR"])
    before = {path: path.stat().st_mtime_ns for path in cache.rglob("*") if not path.name.endswith(("-shm", "-wal"))}
    assert addition(payloads.claude_edit(root, "shop/tax.py", edit), environ)
    after = {path: path.stat().st_mtime_ns for path in cache.rglob("*") if not path.name.endswith(("-shm", "-wal"))}
    assert after == before
    status = subprocess.run(("git", "status", "--short"), cwd=root, capture_output=True, text=True, check=True)
    assert status.stdout == " M shop/tax.py\n"


@pytest.mark.slow
def test_it_imports_neither_click_nor_the_resolver(kept):
    root, environ = kept
    edit = ("def with_tax(amount)", "def with_tax(amount, rate)")
    replaced(root, "shop/tax.py", *edit)
    payload = json.dumps(payloads.claude_edit(root, "shop/tax.py", edit))
    script = (
        "import os, sys; from bearings.cli import main; from bearings.cli.hook.entry import context_of\n"
        f"print(context_of('claude-code', {payload!r}.encode(), os.environ))\n"
        "print({'click', 'pydantic', 'bearings.settings', 'bearings.code.resolve', 'bearings.code.questions', 'rich',\n"
        "'bearings.code.engine', 'asyncio', 'subprocess', 'rapidfuzz'} & set(sys.modules))"
    )
    done = subprocess.run(
        (sys.executable, "-c", script),
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), **environ},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "with_tax" in done.stdout
    assert done.stdout.endswith("set()\n"), done.stdout


PROMPTS = [("claude-code", "UserPromptSubmit"), ("codex", "UserPromptSubmit"), ("gemini", "BeforeAgent")]


@pytest.mark.slow
@pytest.mark.parametrize(("client", "event"), PROMPTS)
def test_a_prompt_is_answered_with_the_likeliest_places(client: str, event: str, kept):
    root, environ = kept
    payload = {"session_id": "s", "cwd": str(root), "hook_event_name": event, "prompt": "why is with_tax wrong in run?"}
    text = addition(payload, environ, client)
    assert "shop/tax.py:4 with_tax" in text
    assert len(text) <= LIMIT
    assert text.count("; ") < 6
    done = run(json.dumps(payload).encode(), environ, client)
    assert (done.returncode, done.stderr) == (0, b"")
    if done.stdout:  # a machine that is too busy gets no answer
        assert payloads.context(client, json.loads(done.stdout), ("BeforeAgent", "UserPromptSubmit")) == text


@pytest.mark.parametrize("prompt", ["", "go on", "/compact"])
def test_a_prompt_without_words_is_passed_over(prompt: str, kept):
    root, environ = kept
    payload = {"cwd": str(root), "hook_event_name": "UserPromptSubmit", "prompt": prompt}
    assert addition(payload, environ) == ""


@pytest.mark.parametrize(
    ("edits", "now", "indexed", "before"),
    [
        ((Replacement("a", "b"),), "b c", "", "a c"),
        ((Replacement("a", "b"), Replacement("c", "d")), "b d", "", "a c"),
        ((Replacement("a", "b"),), "b b", "", None),
        ((Replacement("a", "b", everywhere=True),), "b b", "a a", "a a"),
        ((Replacement("a", "b", everywhere=True),), "b b", "a b", None),
        ((Replacement("a", "b", everywhere=True),), "b c", "", "a c"),
        ((Replacement("a" * 9, "b", everywhere=True),), "b b", "a" * 9 + " " + "a" * 9, None),
        ((Replacement("a", ""),), "b b", "", None),
        ((Replacement("a\nb", "c\nd"),), "c\r\nd\r\n", "", "a\r\nb\r\n"),
        ((), "b", "", None),
    ],
)
def test_replacements_are_undone_where_they_stand_for_sure(edits, now: str, indexed: str, before: str | None):
    assert Edit("a.py", "", edits).before(now, indexed.__eq__, 12) == before


@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"tool_name": "Edit"},
        {"tool_name": "Edit", "tool_input": {"file_path": 3, "old_string": []}},
        {"tool_name": "MultiEdit", "tool_input": {"edits": [1, None, {"old_string": "a"}]}},
        {"tool_name": "Read", "tool_input": {"file_path": "/a.py"}},
        {"tool_name": "apply_patch", "tool_input": {"command": "*** Begin Patch\n*** End Patch"}},
        {"tool_name": "apply_patch", "tool_input": {"command": "*** Begin Patch\n*** Add File: a.py\n+x\n"}},
    ],
)
def test_anything_else_is_no_edit(payload):
    assert edits_of(payload) == []
