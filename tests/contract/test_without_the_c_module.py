"""Without the C module, files are read by py-tree-sitter, and give the same facts."""

import importlib.machinery
import json
import os
import random
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import bearings
from bearings.code.facts.packing import encoded
from bearings.code.languages import language_of
from bearings.code.languages.shared.trees import FlatReader, reader
from bearings.code.models import Language
from bearings.code.parse import parse_file
from tests.code.cases import cases
from tests.soak import SOAK

EXAMPLES = Path(__file__).parents[2] / "examples"
PIECES = (b"", b"{", b")", b'"', b"`", b"\n", b"\r", b"(", b" => ", b"\xff", b"a.b(", b";", b",", b"<", b":", b"@")


@pytest.fixture
def alone(tmp_path: Path) -> Path:
    """A copy of the package that has no C module."""
    ignored = shutil.ignore_patterns("__pycache__", "syntax.*.so", "syntax.*.pyd", "*.sqlite")
    package = Path(bearings.__file__).parent
    shutil.copytree(package, tmp_path / "bearings", ignore=ignored)
    for library in package.parent.glob("*__mypyc.*"):  # what compiled modules are parts of
        shutil.copy(library, tmp_path)
    return tmp_path


def run_alone(folder: Path, program: str, given: str = "") -> str:
    """What a process prints that imports the package in the folder."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONSAFEPATH": "1"}
    command = (sys.executable, "-c", program)
    return subprocess.run(
        command, env=environment, input=given, stdout=subprocess.PIPE, encoding="utf-8", check=True
    ).stdout


def read_alone(folder: Path) -> str:
    """The reader of such a process, the elements that it finds in a source, and its package."""
    program = """
from bearings.code.languages.shared.trees import reader
from bearings.code.models import Language
from bearings.code.parse import parse_file
names = [one.qualified_name for one in parse_file("a.py", Language.PYTHON, b"def f(): g()\\n").symbols]
print(type(reader(Language.PYTHON)).__name__, *names, __import__("bearings").__path__[0], sep="\\n")
"""
    return run_alone(folder, program)


@pytest.mark.parametrize("content", [None, b"", b"\x7fELF, and no more"], ids=["missing", "empty", "broken"])
def test_the_library_reader_replaces_a_missing_or_broken_c_module(alone: Path, content: bytes | None) -> None:
    if content is not None:
        suffix = importlib.machinery.EXTENSION_SUFFIXES[0]
        (alone / f"bearings/code/languages/syntax{suffix}").write_bytes(content)
    reader_, *names, folder = read_alone(alone).splitlines()
    assert Path(folder).parent == alone.resolve()
    assert (reader_, names) == ("LibraryReader", ["a.py", "f"])


def test_a_c_module_built_from_older_sources_is_not_used(alone: Path) -> None:
    (alone / "bearings/code/languages/syntax.py").write_text("INTERFACE = 1\n")
    assert read_alone(alone).startswith("LibraryReader\n")


def broken(path: str, source: bytes) -> bytes:
    """The source with a few pieces put in or taken out, the same ones in every run."""
    chance, changed = random.Random(path + str(len(source))), bytearray(source)
    for _ in range(4):
        at = chance.randrange(len(changed) + 1)
        changed[at : at + chance.randrange(5)] = chance.choice(PIECES)
    return bytes(changed)


def sources() -> list[tuple[str, Language, bytes]]:
    """The sources of all cases and examples, and each of them broken."""
    inside = [(path, source.encode()) for case in cases() for path, source in case.files.items()]
    inside += [(path.name, path.read_bytes()) for path in sorted(EXAMPLES.rglob("*")) if path.is_file()]
    inside += [(path.replace(".tsx", ".jsx"), source) for path, source in inside if path.endswith(".tsx")]
    sound = [(path, language, source) for path, source in inside if (language := language_of(path)) is not None]
    return sound + [(path, language, broken(path, source)) for path, language, source in sound]


def some(given: list[tuple[str, Language, bytes]]) -> list[tuple[str, Language, bytes]]:
    """The first dozen of each language, and every fourth of the others."""
    count: Counter[Language] = Counter()
    taken = []
    for one in given:
        if count[one[1]] < 12 or count[one[1]] % 4 == 0:
            taken.append(one)
        count[one[1]] += 1
    return taken


@pytest.mark.slow
@pytest.mark.skipif(type(reader(Language.PYTHON)) is not FlatReader, reason="needs the C module")
def test_both_readers_give_the_same_facts(alone: Path) -> None:
    program = """
import json, sys
from bearings.code.facts.packing import encoded
from bearings.code.models import Language
from bearings.code.parse import parse_file
for path, language, source in json.load(sys.stdin):
    print(encoded(parse_file(path, Language(language), bytes.fromhex(source))).hex())
"""
    given = sources() if SOAK else some(sources())
    theirs = run_alone(alone, program, json.dumps([(path, language, text.hex()) for path, language, text in given]))
    ours = [encoded(parse_file(*one)) for one in given]
    assert {language for _, language, _ in given} == set(Language)
    assert [one for one, mine, other in zip(given, ours, theirs.split(), strict=True) if mine.hex() != other] == []
