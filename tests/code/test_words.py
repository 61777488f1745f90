"""The search for words in a project's files: whole words, every kind of file, and bounds that nothing gets past."""

import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from bearings.code.project.listing import Lister
from bearings.code.project.skipped import SkipReason
from bearings.code.project.unread_languages import extension_of, unread
from bearings.code.project.words import Budget, Search, Word
from bearings.code.project.working_tree import WorkingTree
from tests.code.trees import write


def search(root: Path, *words: str | Word, budget: Budget | None = None) -> Search:
    """A search of all listed files of a tree."""
    wanted = [Word(word) if isinstance(word, str) else word for word in words]
    return Search(WorkingTree(root.resolve()), Lister(root).list().paths, wanted, budget)


def places(root: Path, *words: str | Word) -> list[tuple[str, int, str]]:
    """Every hit: file, line, word."""
    return [(file.path, hit.line, hit.word) for file in search(root, *words).files() for hit in file.hits]


@pytest.mark.parametrize(
    ("name", "text", "word", "lines"),
    [
        ("a.ts", "parse(x)\nreparse()\nparseAll()\nx.parse\n", "parse", [1, 4]),
        ("a.ts", "$parse + parse$\n`${parse}`\n", "parse", [2]),
        ("a.hbs", "<p>{{ $store.parse }}</p>\n$parse\n", "parse", [1, 2]),
        ("a.py", "'parse'  # parse\n", "parse", [1]),
        ("a.rs", "café parse été\n…parse—\nüparse\n", "parse", [1, 2]),
        ("a.py", "größe = 1\nsuper_größe = 2\n", "größe", [1]),
        ("a.ts", "this.#x = 1\nthis.x = 2\nthis.#xy = 3\n", "#x", [1]),
        ("a.html", "<x-y on='a-parse-b'>\n", "parse", [1]),
        ("a.ts", "a\r\nparse\r\rparse", "parse", [2, 4]),
        ("a.md", "get a word, words\n", "a word", [1]),
        ("a.py", b"\xff parse \xfe\n", "parse", [1]),
        ("a.c", "parse\n".encode("utf-16"), "parse", [1]),
        ("a.sql", b"\xef\xbb\xbfparse\n", "parse", [1]),
    ],
)
def test_a_word_is_found_where_it_stands_alone(tmp_path, name: str, text: str | bytes, word: str, lines: list[int]):
    write(tmp_path, {name: text})
    assert places(tmp_path, word) == [(name, line, word) for line in lines]


def test_a_file_is_found_by_its_name_in_paths_alone(tmp_path):
    write(tmp_path, {"a.ts": "import x from './parts/table'\nconst table = 1\nrequire(\"table.js\")\n'table '\n"})
    assert places(tmp_path, Word("table", is_path=True)) == [("a.ts", 1, "table"), ("a.ts", 3, "table")]


def test_many_words_are_found_as_few_are(tmp_path):
    write(
        tmp_path,
        {
            "a.py": "w1 = w2\nxw3\nw3.w40\n",
            "b.txt": "w39 w39\nw1\n",
            "c.ts": "$w1\nw1\n",
            "d.ts": "w1 $w2\nw3 " * 9 + "w4 w5 w6 w7 w8 w9 w10 w11 w12",
        },
    )
    words = [f"w{number}" for number in range(40)]
    together = sorted(places(tmp_path, *words))
    assert together == sorted(place for word in words for place in places(tmp_path, word))
    assert [place for place in together if place[0] != "d.ts"] == [
        ("a.py", 1, "w1"), ("a.py", 1, "w2"), ("a.py", 3, "w3"), ("b.txt", 1, "w39"), ("b.txt", 2, "w1"),
        ("c.ts", 2, "w1"),
    ]  # fmt: skip
    assert len([place for place in together if place[0] == "d.ts"]) == 10 + 8 + 9


def test_sources_come_first_then_other_languages_then_text(tmp_path):
    write(tmp_path, {"a.txt": "w", "b.hbs": "w", "c.py": "w", "d.zig": "w", "e.ts": "w"})
    assert [path for path, _, _ in places(tmp_path, "w")] == ["c.py", "e.ts", "b.hbs", "d.zig", "a.txt"]


def test_an_index_of_elements_is_no_evidence(tmp_path):
    write(
        tmp_path,
        {
            ".coderef-index.json": "parse",
            "old.coderef-index.json": "parse",
            ".coderef/graph.json": "parse",
            "a.py": "parse",
        },
    )
    assert places(tmp_path, "parse") == [("a.py", 1, "parse")]


def test_binary_files_hold_no_words(tmp_path):
    write(tmp_path, {"a.png": b"\x89PNG\0 parse", "b.bin": b"parse" + b"\0" * 100, "c.py": "parse\n"})
    found = search(tmp_path, "parse")
    assert [file.path for file in found.files()] == ["c.py"]
    assert found.complete


def test_a_file_that_is_too_large_is_named_and_the_search_not_complete(tmp_path):
    write(tmp_path, {"a.py": "parse\n"})
    with (tmp_path / "one_line.json").open("wb") as huge:
        huge.write(b"x")
        huge.truncate(100_000_000)
    found = search(tmp_path, "parse")
    assert [file.path for file in found.files()] == ["a.py"]
    assert [(left.path, left.reason) for left in found.unsearched] == [("one_line.json", SkipReason.TOO_LARGE)]
    assert not found.complete


@pytest.mark.slow
def test_a_million_hits_cost_no_more_than_the_budget(tmp_path):
    write(tmp_path, {"a.py": "parse " * 1_000_000, "b.py": "parse\n" * 1_000_000, "c.py": "parse\n"})
    found = search(tmp_path, "parse")
    files = list(found.files())
    assert [file.path for file in files] == ["a.py", "b.py"]
    assert len(files[0].hits) == 1
    assert all(file.cut for file in files)
    assert len(files[1].hits) <= 100_000
    assert (found.given_up, found.complete, found.remaining) == (True, False, 1)


def test_a_search_gives_up_at_its_deadline_and_after_its_bytes(tmp_path):
    write(tmp_path, {f"{name}.py": "parse\n" for name in "abcdef"})
    paths = Lister(tmp_path).list().paths

    def ticking() -> Iterator[float]:
        yield from map(float, count())

    clock = ticking()
    late = Search(WorkingTree(tmp_path.resolve()), paths, [Word("parse")], Budget(seconds=3, clock=lambda: next(clock)))
    assert len(list(late.files())) == 3
    assert (late.given_up, late.remaining) == (True, 3)
    full = search(tmp_path, "parse", budget=Budget(all_bytes=7))
    assert len(list(full.files())) == 2
    assert not full.complete


def test_nothing_outside_the_project_is_read(tmp_path):
    outside = write(tmp_path / "outside", {"secret.py": "parse\n", "folder/more.py": "parse\n"})
    root = write(tmp_path / "project", {"a.py": "parse\n", "folder/b.py": "parse\n"}).resolve()
    paths = (*Lister(root).list().paths, "link.py", "../outside/secret.py", "folder/more.py", "pipe.py", "gone.py")
    (root / "link.py").symlink_to(outside / "secret.py")
    os.mkfifo(root / "pipe.py")
    (root / "folder/b.py").unlink()
    (root / "folder").rmdir()
    (root / "folder").symlink_to(outside / "folder")
    found = Search(WorkingTree(root), paths, [Word("parse")])
    assert [file.path for file in found.files()] == ["a.py"]


def test_languages_that_are_not_read_are_counted_by_extension():
    paths = ["a.hbs", "b.HBS", "c.zig", "d.py", "e.md", "Makefile", ".hbs", "src.zig/f", "g.erb"]
    assert unread(paths) == {".hbs": 2, ".erb": 1, ".zig": 1}
    assert [extension_of(path) for path in paths[:2] + paths[5:8]] == [".hbs", ".hbs", "", "", ""]


def test_words_found_one_by_one_are_those_of_a_search_with_a_path_among_them(tmp_path):
    write(tmp_path.resolve(), {"a.ts": "a ab $a a$ a.ab\na_ _a aa a;ab\n", "b.py": "a ab $a a$ a.ab\n\u00e4a a\n"})
    words = ("a", "ab", "_a")
    assert places(tmp_path, *words) == places(tmp_path, *words, Word("nowhere", is_path=True))
    assert ("b.py", 2, "a") in places(tmp_path, *words)
