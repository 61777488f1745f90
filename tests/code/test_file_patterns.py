"""The files that a `path` means: choices, several patterns, and what is left out."""

import pytest

from bearings.code.project.file_pattern import Pattern
from bearings.errors import InvalidInput

FILES = ("src/a.ts", "src/a.tsx", "src/a.test.ts", "tests/x.py", "lib/y.js", "My Dir/z.ts")


@pytest.mark.parametrize(
    ("pattern", "matched"),
    [
        ("src/**/*.{ts,tsx}", ["src/a.ts", "src/a.tsx", "src/a.test.ts"]),
        ("src/**,!**/*.test.ts", ["src/a.ts", "src/a.tsx"]),
        ("src/** !**/*.test.ts", ["src/a.ts", "src/a.tsx"]),
        ("!tests/**, !src", ["lib/y.js", "My Dir/z.ts"]),
        ("{tests,{lib,none}}/**", ["tests/x.py", "lib/y.js"]),
        ("*.py, *.js", ["tests/x.py", "lib/y.js"]),
        ("My Dir/", ["My Dir/z.ts"]),
        ("./src/{a,}.ts", ["src/a.ts"]),
        ("src/a.{ts}", []),
        (", ".join(f"src/{number}/*.{{ts,tsx}}" for number in range(9)) + ", lib/[x,y].js", ["lib/y.js"]),
    ],
)
def test_the_files_of_a_pattern(pattern: str, matched: list[str]):
    chosen = Pattern(pattern, "path")
    assert [path for path in FILES if chosen.matches(path)] == matched


@pytest.mark.parametrize("pattern", ["", " , ", "!", "#x", "!#x", "src, !!x", "{a,b}" * 7, "src/{a,b"])
def test_what_is_no_pattern_is_refused(pattern: str):
    with pytest.raises(InvalidInput, match="path"):
        Pattern(pattern, "path")


def test_what_is_left_out_or_checked_names_something():
    with pytest.raises(InvalidInput, match="names no files"):
        Pattern("!x", "exclude")
