"""coderef_tag in a project: a difference first, files whole, nothing but what was asked for."""

import stat
from pathlib import Path
from typing import Any

import pytest

from bearings.code.facts.store import NoFacts
from bearings.code.questions.tag import TagReply
from bearings.code.service import CodeService
from bearings.errors import InvalidInput, PathNotAllowed, Unsupported
from tests.code import asked
from tests.code.in_process import InProcessEngine
from tests.code.trees import SHOP, git, repository, write

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def root(tmp_path) -> Path:
    return repository(tmp_path.resolve() / "shop", {**SHOP, "web/app.ts": "export const App = () => 1\r\n"})


def contents(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".git" not in path.parts
    }


async def tag(path: Path, roots: list[Path] | None = None, **arguments: Any) -> TagReply:
    service = CodeService(InProcessEngine(store=NoFacts(), max_file_bytes=1_000_000), roots)
    try:
        return await asked.tag(service, path, **arguments)
    finally:
        await service.aclose()


async def test_a_dry_run_writes_nothing_and_its_difference_can_be_applied(root):
    before = contents(root)
    reply = await tag(root, lang=["py"])
    assert contents(root) == before
    assert (reply.dry_run, reply.files_changed, reply.tags_added) == (True, 3, 8)
    assert "dry_run false" in str(reply.note)
    write(root.parent, {"diff": f"{reply.diff}\n"})
    git(root, "apply", str(root.parent / "diff"))
    applied = contents(root)
    write(root, before)
    assert (await tag(root, lang=["py"], dry_run=False)).tags_added == 8
    assert contents(root) == applied


@pytest.mark.parametrize("project", [True, False], ids=["project_path", "path alone"])
async def test_a_path_outside_is_answered_alike_whether_it_exists_or_not(root, project):
    outside = write(root.parent / "outside", {"there.py": "", "folder/x.py": ""})
    told = set()
    for path in ("there.py", "none.py", "folder", "none", "folder/x.py"):
        with pytest.raises((InvalidInput, PathNotAllowed)) as refused:
            await tag(outside / path, roots=[root], project_path=str(root) if project else None)
        told.add((refused.value.code, refused.value.error.partition(": ")[2]))
    assert len(told) == 1


async def test_it_tags_once_and_takes_everything_out_again(root):
    before = contents(root)
    first = await tag(root, dry_run=False)
    assert (first.files_scanned, first.files_changed, first.note) == (5, 4, None)
    tagged = contents(root)
    again = await tag(root, dry_run=False)
    assert (again.files_changed, again.files) == (0, [])
    assert contents(root) == tagged
    gone = await tag(root, dry_run=False, remove=True)
    assert gone.tags_removed == first.tags_added
    assert contents(root) == before


async def test_paths_in_tags_start_from_the_repository_or_from_the_project_given(root):
    async def first_of(path: Path, **arguments: Any) -> str:
        return (await tag(path, verbose=True, **arguments)).tags[0].reference

    assert await first_of(root / "shop/prices.py") == "@V/shop/prices.py#RATE:2"
    assert await first_of(root / "shop", lang=["py"], exclude=["basket.py"]) == "@V/shop/prices.py#RATE:2"
    assert await first_of(root / "shop/prices.py", project_path=str(root / "shop")) == "@V/prices.py#RATE:2"
    assert await first_of(root / "shop/prices.py", roots=[root / "shop"]) == "@V/prices.py#RATE:2"
    package = write(root.parent / "plain", {"pkg/pyproject.toml": "", "pkg/src/deep/x.py": "x = 1\n"})
    assert await first_of(package / "pkg/src/deep/x.py") == "@V/src/deep/x.py#x:2"
    write(root.parent / "bare", {"deep/x.py": "x = 1\n"})
    assert await first_of(root.parent / "bare/deep") == "@V/x.py#x:2"


async def test_lang_and_exclude_choose_files(root):
    assert {file.path for file in (await tag(root, lang=["ts"])).files} == {"web/app.ts"}
    assert {file.path for file in (await tag(root, exclude=["shop/*", "web"])).files} == {"tests/test_basket.py"}
    with pytest.raises(Unsupported, match="lang"):
        await tag(root, lang=["cobol"])
    with pytest.raises(InvalidInput, match="exclude"):
        await tag(root, exclude=["!x"])


async def test_verbose_lists_each_tag(root):
    assert (await tag(root / "web")).tags == []
    (only,) = (await tag(root / "web", verbose=True)).tags
    assert (only.file, only.line, only.action) == ("web/app.ts", 1, "added")


async def test_lines_are_corrected_on_request(root):
    await tag(root / "shop/prices.py", dry_run=False)
    path = root / "shop/prices.py"
    path.write_text("import os\n" + path.read_text())
    assert (await tag(path)).files_changed == 0
    reply = await tag(path, update_lineno=True, verbose=True)
    assert (reply.tags_updated, reply.tags_added) == (2, 0)
    assert [one.reference for one in reply.tags] == ["@V/shop/prices.py#RATE:3", "@Fn/shop/prices.py#with_tax:7"]


async def test_modes_stay_and_nothing_is_left_behind(root):
    path = root / "shop/prices.py"
    path.chmod(0o751)
    await tag(path, dry_run=False)
    assert stat.S_IMODE(path.stat().st_mode) == 0o751
    assert sorted(file.name for file in (root / "shop").iterdir()) == ["__init__.py", "basket.py", "prices.py"]


async def test_a_link_is_not_followed(root):
    outside = write(root.parent / "outside", {"x.py": "x = 1\n"})
    (root / "link.py").symlink_to(outside / "x.py")
    await tag(root, dry_run=False)
    assert (outside / "x.py").read_text() == "x = 1\n"
    assert (root / "link.py").is_symlink()


@pytest.mark.parametrize(
    ("path", "arguments", "error", "words"),
    [
        ("nowhere", {}, InvalidInput, "does not exist"),
        ("/nowhere/at/all", {}, InvalidInput, "does not exist"),
        ("{root}/nothing.py", {}, InvalidInput, "does not exist"),
        ("{root}/notes.md", {}, InvalidInput, "is no source file"),
        ("{root}/big.py", {}, InvalidInput, "too large"),
        ("{root}/shop", {"project_path": "{root}/web"}, InvalidInput, "is not inside"),
        ("{root}/shop\0", {}, InvalidInput, "path"),
    ],
)
async def test_a_path_without_sources_is_refused(root, path, arguments, error, words):
    write(root, {"notes.md": "x", "big.py": "x = 1\n" * 200_000})
    given = {name: value.format(root=root) for name, value in arguments.items()}
    with pytest.raises(error, match=words) as caught:
        await tag(Path(path.format(root=root)), **given)
    assert caught.value.hint


async def test_nothing_outside_the_roots_is_touched(root):
    with pytest.raises(PathNotAllowed):
        await tag(root / "shop", roots=[root / "web"])


@pytest.mark.slow
async def test_a_reply_stays_within_its_budget(tmp_path):
    code = "".join(f"def function_number_{n}(): pass\n" for n in range(60))
    many = write(tmp_path.resolve(), {f"m{n}.py": code for n in range(40)})
    reply = await tag(many, verbose=True)
    assert len(reply.to_json()) <= 26_000
    assert (reply.tags_added, len(reply.tags) + reply.omitted_tags) == (2400, 2400)
    assert reply.omitted_diffs > 0
    assert str(reply.diff).count("--- a/") + reply.omitted_diffs == 40
    assert reply.to_text()
