"""Ignore rules by the texts of simple patterns are those of pathspec."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec

from bearings.code.project.ignore import IgnoreRules
from bearings.code.project.safe_directory import SafeDirectory

ATOMS = st.sampled_from(["*", "**", "a", "b.o", ".", "/", "?", "[ab]", "\\#", "!", "lib", "~", "é", "+", "(", " "])
PATTERNS = st.lists(st.lists(ATOMS, min_size=1, max_size=5).map("".join), min_size=1, max_size=5)
PARTS = st.lists(st.sampled_from(["a", "b", ".o", "lib", "~", "#", "é", "+", "(", " "]), min_size=1, max_size=3)
PATHS = st.tuples(st.lists(PARTS.map("".join), min_size=1, max_size=3).map("/".join), st.sampled_from(["", "/"]))


@given(PATTERNS, st.lists(PATHS.map("".join), min_size=1, max_size=8))
def test_a_path_is_ignored_as_pathspec_says(tmp_path_factory, patterns, paths):
    try:
        spec = GitIgnoreSpec.from_lines(patterns)
    except ValueError:
        return
    folder = tmp_path_factory.mktemp("rules")
    (folder / ".gitignore").write_text("\n".join(patterns), encoding="utf-8")
    with SafeDirectory(folder) as tree:
        rules = IgnoreRules(tree)
        rules.enter("")
        assert [rules.ignores(path) for path in paths] == [bool(spec.check_file(path).include) for path in paths]


@pytest.mark.parametrize(
    ("pattern", "ignored"),
    [
        ("*.o", ["x.o", "d/x.o", "x.o/"]),
        ("build/", ["build/", "d/build/"]),
        ("/lib*", ["lib", "lib64/"]),
        (".*", [".x", "d/.x"]),
        ("a\\#b", ["a#b"]),
    ],
)
def test_simple_patterns(tmp_path: Path, pattern: str, ignored: list[str]) -> None:
    (tmp_path / ".gitignore").write_text(pattern)
    with SafeDirectory(tmp_path) as tree:
        rules = IgnoreRules(tree)
        rules.enter("")
        others = ["x", "d/", "build", "d/lib", "ab", "x.oo", "ax.", "d/x.o.c"]
        assert [path for path in (*ignored, *others) if rules.ignores(path)] == ignored
