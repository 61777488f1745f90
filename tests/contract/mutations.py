"""Random damage to sources of every language, read by the C module: `python -m tests.contract.mutations SECONDS SEED`.

Each damaged source is read by both readers, which must find the same; then everything that a tree and its nodes can say
is asked. Meant for a C module that was built with sanitizers: these end the process where it reads what it must not.
"""

import random
import sys
import time
from collections import Counter, defaultdict
from itertools import chain

from bearings.code.languages import language_of
from bearings.code.languages.shared.trees import FlatReader
from bearings.code.models import Language
from bearings.code.parse import parse_file
from tests.code.cases import cases
from tests.contract.test_trees import SOURCES, UNBOUNDED, compare, nodes, read, shown

LARGEST = 3_000
PIECES = (
    *(b"{", b"}", b"(", b")", b"[", b"<", b'"', b"'", b"`", b"/*", b"${", b"#", b"@", b";", b"\\"),
    *(b"\n", b"\r", b"\t\t", b"\0", b"\xff", b"\xc3", b"\xf0\x9f", b"\xef\xbb\xbf", b" => ", b"a.b("),
)


def main(seconds: float, seed: int) -> None:
    chance, found = random.Random(seed), sources()
    every = list(chain(*found.values()))  # for a language without a source of its own
    ends, done = time.monotonic() + seconds, Counter[str]()
    while time.monotonic() < ends:
        for language in Language:
            source = damaged(chance, found[language] or every)
            sys.stderr.write(f"{language.value} {source!r}\n")  # what is last said is what ended the process
            compare(language, source)
            ask(chance, language, source)
            done[language.value] += 1
    sys.stdout.write(", ".join(f"{count} of {name}" for name, count in done.items()) + "\n")


def sources() -> dict[Language, list[bytes]]:
    found: dict[Language, list[bytes]] = defaultdict(list)
    for language, source in SOURCES.items():
        found[language].append(source)
    for case in cases():
        for path, text in case.files.items():
            if (read_as := language_of(path)) is not None:
                found[read_as].append(text.encode()[:LARGEST])
    return found


def damaged(chance: random.Random, among: list[bytes]) -> bytes:
    source = bytearray(chance.choice(among))
    for _ in range(chance.randrange(1, 12)):
        at, length = chance.randrange(len(source) + 1), chance.choice((0, 1, 4, 40))
        other = chance.choice(among)
        start = chance.randrange(len(other) + 1)
        new = (b"", chance.choice(PIECES) * chance.choice((1, 1, 30)), other[start : start + 60], chance.randbytes(3))
        source[at : at + length] = chance.choice(new)
    return bytes(source[:LARGEST])


def ask(chance: random.Random, language: Language, source: bytes) -> None:
    """Everything that a tree says, a parse that ends early, and the facts."""
    given = FlatReader(language)
    given.parse(source, chance.randrange(8))
    tree = read(given, source)
    assert not tree.is_steep(LARGEST)
    for at in (0, len(source), len(source) + 1, chance.randrange(len(source) + 1)):
        assert tree.row(at) <= tree.rows
        tree.called(at)
        tree.between(at, at + 50)
        tree.one_line(0, at)
    assert tree.captures().of("no such capture") == []
    for node in nodes(tree):
        assert shown(node)
        node.child_by_field_name("name")
        tree.chain(node)
        assert tree.line(node) <= tree.end_line(node)
    assert parse_file("a", language, source).path == "a"
    assert given.parse(source, UNBOUNDED) is not None


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]))
