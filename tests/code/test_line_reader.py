"""Reads lines of the sources in a snapshot, unless the files have changed since."""

import pytest

from bearings.code.project.source_lines import Changed, Lines
from bearings.code.project.sources import digest_of
from bearings.code.project.working_tree import WorkingTree
from tests.code.trees import write


def test_lines_of_unchanged_sources_and_of_other_text_files_are_read(tmp_path):
    files = {f"f{n}.py": f"a\n  line {n}\r\n" for n in range(200)}
    root = write(
        tmp_path, {**files, "notes.txt": "x\r y \n", "wide.txt": "one\ntwo".encode("utf-16"), "b.bin": b"a\0b"}
    )
    digests = {name: digest_of(text.encode()) for name, text in files.items()}
    lines = Lines(WorkingTree(root.resolve()), lambda path: digests.get(path, b""), 1_000)
    assert [lines.at(f"f{n}.py", 2) for n in range(200)] == [f"line {n}" for n in range(200)]
    assert (lines.at("f0.py", 0), lines.at("f0.py", 9)) == ("", "")
    assert (lines.at("notes.txt", 2), lines.at("wide.txt", 2)) == ("y", "two")
    assert lines.of("b.bin") == lines.of("missing.txt") == [b""]


def test_a_file_that_has_changed_is_not_quoted(tmp_path):
    root = write(tmp_path, {"a.py": "now\n"})
    lines = Lines(WorkingTree(root.resolve()), lambda _: digest_of(b"then\n"), 1_000)
    with pytest.raises(Changed):
        lines.at("a.py", 1)
    with pytest.raises(Changed):
        Lines(WorkingTree(root.resolve()), lambda _: digest_of(b"x"), 1_000).data("gone.py")
