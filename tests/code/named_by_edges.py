"""What tests of renames and removals do in each language whose names are followed by edges."""

import re
from collections.abc import Mapping
from pathlib import Path

from tests.code.test_remove import remove
from tests.code.test_rename import contents, rename
from tests.code.trees import write


def check_renamed(folder: Path, element: str, files: Mapping[str, str]) -> None:
    """Check that a rename changes the places behind a sign alone, and that the reverse restores them."""
    old = re.split(r"[.#]", element.partition(":")[0])[-1]
    new = "Anew" if old[0].isupper() else "anew"
    before = {path: text.replace("§", "") for path, text in files.items()}
    root = write(folder, before)
    reply = rename(root, element, new)
    assert [(place.file, place.line, place.why) for place in reply.refused] == []
    assert contents(root) == {path: text.replace(f"§{old}", new) for path, text in files.items()}
    head, sign, line = element.partition(":")
    assert rename(root, f"{head.removesuffix(old)}{new}{sign}{line}", old).written
    assert contents(root) == before


def check_refused(folder: Path, path: str, source: str, element: str, line: int) -> None:
    """Check that a rename is refused at a line of a file, and that nothing is written."""
    root = write(folder, {path: source})
    reply = rename(root, element, "anew")
    assert line in [place.line for place in reply.refused]
    assert contents(root) == {path: source}


def check_removed(folder: Path, path: str, element: str, before: str, after: str | None) -> None:
    """Check what is left without an element; None: the removal is refused."""
    root = write(folder, {path: before})
    reply = remove(root, element)
    assert bool(reply.refused) is (after is None)
    assert contents(root) == {path: before if after is None else after}


def check_removed_with_imports(folder: Path, element: str, before: Mapping[str, str], after: Mapping[str, str]) -> None:
    """Check that an element goes from several files."""
    root = write(folder, before)
    assert not remove(root, element).refused
    assert contents(root) == after


def check_in_comment(folder: Path, path: str, source: str, element: str, new: str, reference: str) -> None:
    """Check that the comment in line 2 is listed, and gets the new name if that is asked for."""
    root = write(folder, {path: source})
    left = [(place.line, place.why) for place in rename(root, element, new, dry_run=True).left]
    assert left == [(2, "a comment")]
    assert rename(root, element, new, comments=True).written
    assert reference in contents(root)[path]
