"""Folders that are swapped for links while a project is read: nothing outside it is told."""

import asyncio
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from bearings.code.facts.store import NoFacts
from bearings.code.questions.changes import AskChanges
from bearings.code.questions.export import Export
from bearings.code.service import CodeService
from bearings.errors import BearingsError, InvalidInput, PathNotAllowed, WriteFailed
from tests.adversary.conftest import Tally, attempts
from tests.code.asked import scan, tag
from tests.code.in_process import InProcessEngine
from tests.code.trees import repository, write

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links and rename over them are POSIX")

FOLDERS, FILES = 6, 3
"""Few: each is swapped often, and a scan of all is quick."""

SECRET = "outside_secret"
INSIDE = {
    f"pkg{number}/mod{file}.py": f"def inside_{number}_{file}(): pass\n"
    for number in range(FOLDERS)
    for file in range(FILES)
}
OUTSIDE = {
    **{f"mod{file}.py": f"def {SECRET}_{file}(): pass\n" for file in range(FILES)},
    f"{SECRET}_name.py": f"def {SECRET}_own(): pass\n",
    f"deep/{SECRET}_deep.py": "x = 1\n",
}


@contextmanager
def swapping(root: Path, outside: Path, *, with_root: bool) -> Iterator[None]:
    """Somebody who swaps one folder after the other for a link that leads outside, and back, as fast as they can."""
    over = threading.Event()

    def swap() -> None:
        number = 0
        while not over.is_set():
            folder = root if with_root and number % 5 == 0 else root / f"pkg{number % FOLDERS}"
            kept = folder.with_name(f".{folder.name}.kept")
            number += 1
            folder.rename(kept)
            folder.symlink_to(outside)
            for _ in range(20):
                os.stat(folder)  # noqa: PTH116 - some time passes
            folder.unlink()
            kept.rename(folder)

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@pytest.mark.slow
@pytest.mark.parametrize("make", [repository, write], ids=["git", "walk"])
@pytest.mark.parametrize("with_root", [False, True], ids=["folders", "root too"])
def test_no_scan_tells_of_what_lies_outside(tmp_path, tally: Tally, make, with_root):
    base = tmp_path.resolve()
    outside = write(base / "outside", OUTSIDE)
    root = make(base / "allowed/project", INSIDE)
    tried, survived = attempts(130, 1_500), 0

    async def scans() -> None:
        nonlocal survived
        for number in range(tried):
            service = CodeService(InProcessEngine(store=NoFacts(), max_file_bytes=1_000_000), (base / "allowed",))
            told = ""
            try:
                reply = await scan(service, root, use_ast=number % 2 == 0)
                told = reply.to_json()
                if number % 10 == 0 and make is repository:
                    told += (await service.reply_to(str(root), AskChanges(detail="full"))).to_json()
            except BearingsError as error:
                told += f"{error.error} {error.hint}"
            survived += SECRET not in told
            await service.aclose()

    with swapping(root, outside, with_root=with_root):
        asyncio.run(scans())
    tally("a folder swapped for a link during a scan", tried, survived)


@pytest.mark.slow
def test_no_tag_or_export_is_written_outside(tmp_path, tally: Tally):
    base = tmp_path.resolve()
    outside = write(base / "outside", OUTSIDE)
    before = {path: path.read_bytes() for path in outside.rglob("*") if path.is_file()}
    root = write(base / "project", INSIDE)
    tried = attempts(100, 1_000)

    async def writes() -> None:
        for number in range(tried):
            service = CodeService(InProcessEngine(store=NoFacts(), max_file_bytes=1_000_000), (root,))
            folder = f"pkg{number % FOLDERS}"
            with suppress(PathNotAllowed, InvalidInput, WriteFailed):
                if number % 2:
                    await service.reply_to(str(root), Export(format="json", output_path=f"{folder}/graph.json"))
                else:
                    await tag(service, root, dry_run=False, update_lineno=True)
                    await tag(service, root, dry_run=False, remove=True)
            await service.aclose()

    with swapping(root, outside, with_root=False):
        asyncio.run(writes())
    after = {path: path.read_bytes() for path in outside.rglob("*") if path.is_file()}
    tally("a folder swapped for a link during a write", tried, tried if before == after else 0)
