"""Several words at once: where terms stand, which files come first, and bounds that nothing gets past."""

from itertools import count
from pathlib import Path

import pytest

from bearings.code.project.fulltext import TextSearch
from bearings.code.project.listing import Lister
from bearings.code.project.words import Budget, WordPresence
from bearings.code.project.working_tree import WorkingTree
from tests.code.trees import write


def search(root: Path, *terms: str, **more: object) -> TextSearch:
    return TextSearch(WorkingTree(root.resolve()), Lister(root).list().paths, terms, **more)  # type: ignore[arg-type]


def lines(found: TextSearch) -> list[tuple[str, int, list[int]]]:
    return [(file.path, line.number, sorted(line.terms)) for file in found.files for line in file.lines]


@pytest.mark.parametrize(
    ("text", "term", "numbers"),
    [
        ("retry\nRETRY\nretries\nporetry\n", "retr", [1, 2, 3]),
        ("retryDelay\nmaxRetry\nmax_retry\nMAX_RETRY\npreRetry2\n", "retry", [1, 2, 3, 4, 5]),
        ("HTTPRetry\nxretry\n2retry\n", "retry", [3]),
        ("it can't connect\nCan't Connect\n", "can't connect", [1, 2]),
        ("größe\nGRÖSSE\nGröße\n", "größe", [1, 3]),
        ("İstanbul retry\nretry\n", "retry", [1, 2]),
        ("日本語のテスト\n", "日本", [1]),
        ("--retry=3\n", "--retry", [1]),
    ],
)
def test_a_word_is_found_where_it_or_a_part_of_one_begins(tmp_path, text: str, term: str, numbers: list[int]):
    write(tmp_path, {"a.py": text})
    assert [line for _, line, _ in lines(search(tmp_path, term))] == numbers


@pytest.mark.parametrize(("text", "files"), [("stage " * 11, 0), ("stage " * 12, 0), ("stage " * 12 + "tag", 1)])
def test_a_file_with_a_term_inside_of_words_alone_is_not_counted(tmp_path, text: str, files: int):
    write(tmp_path, {"a.py": text})
    found = search(tmp_path, "tag")
    assert len(found.files) == found.files_with_term[0] == files


def test_files_with_more_and_with_rarer_terms_come_first(tmp_path):
    write(
        tmp_path,
        {
            "one.py": "common\n" * 5, "two.py": "rare\n", "three.py": "common\nrare\n", "four.py": "common rare\n",
            "five.py": "common\n", "tests/test_six.py": "common rare\n", "seven.bin": b"common rare\0",
        },
    )  # fmt: skip
    found = search(tmp_path, "common", "rare")
    assert [file.path for file in found.files] == [
        "four.py", "three.py", "tests/test_six.py", "two.py", "five.py", "one.py"
    ]  # fmt: skip
    assert found.files_with_term == [5, 4]
    assert found.weights[1] > found.weights[0]


def test_a_phrase_weighs_more_than_its_words(tmp_path):
    write(tmp_path, {"a.py": "refused the connection\n", "b.py": "no connection refused\n"})
    assert [file.path for file in search(tmp_path, "connection refused", "connection").files] == ["b.py", "a.py"]


def test_a_search_that_stops_early_or_could_not_read_a_file_says_so(tmp_path):
    write(tmp_path, {f"f{n}.py": "retry\n" for n in range(20)})
    ticks = count()
    stopped = search(tmp_path, "retry", budget=Budget(seconds=5, clock=lambda: float(next(ticks))))
    assert len(stopped.files) < 20
    assert (stopped.given_up, stopped.complete) == (True, False)
    large = search(tmp_path, "retry", budget=Budget(file_bytes=3))
    assert (large.files, len(large.unsearched)) == ([], 20)


def test_of_a_file_with_very_many_lines_the_best_are_told(tmp_path):
    write(tmp_path, {"a.py": "retry\n" * 5000 + "retry bank\n"})
    file = search(tmp_path, "retry", "bank").files[0]
    assert len(file.lines) == 120
    assert file.lines[-1].number == 5001


def test_presence_tells_the_first_files_of_very_many_words(tmp_path):
    files = {f"f{n}.py": f"only_{n} everywhere $x{n} größe{n}\n" for n in range(9)}
    write(tmp_path, {**files, "notes.txt": "only_3 $x4\n"})
    words = [f"only_{n}" for n in range(9)] + [f"$x{n}" for n in range(9)] + ["größe5", "everywhere", "nowhere"]
    search = WordPresence(WorkingTree(tmp_path.resolve()), Lister(tmp_path).list().paths, words)
    found = search.files()
    assert found["only_1"] == ["f1.py"]
    assert found["only_3"] == ["f3.py", "notes.txt"]
    assert found["$x4"] == ["f4.py", "notes.txt"]
    assert found["größe5"] == ["f5.py"]
    assert found["everywhere"] == ["f0.py", "f1.py"]
    assert "nowhere" not in found
    assert search.complete


def test_words_that_cost_a_search_each_are_bounded(tmp_path):
    write(tmp_path, {"a.py": " ".join(f"$x{n}" for n in range(1000))})
    search = WordPresence(WorkingTree(tmp_path.resolve()), ["a.py"], [f"$x{n}" for n in range(1000)])
    assert len(search.files()) == 300
    assert len(search.not_searched) == 700
