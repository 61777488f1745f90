"""Sources that take minutes to parse: each is given up and named, and the rest of the project answers."""

import random
from pathlib import Path

import pytest

from bearings.code.engine.native import NativeEngine
from bearings.code.facts.store import NoFacts
from bearings.code.models import Language
from bearings.code.parse import parse_file
from bearings.code.project.skipped import SkipReason
from bearings.code.questions.symbol import Describe
from bearings.code.service import CodeService
from bearings.errors import ElementNotFound
from tests.adversary.conftest import Tally, attempts
from tests.code.asked import scan
from tests.code.in_process import InProcessEngine
from tests.code.trees import write

pytestmark = pytest.mark.anyio

HOSTILE = {
    "operators.ts": b"%-" * 8_000,  # 100 s: error recovery follows six readings of each place
    "statements.ts": b"await;" * 2_700,
    "markup.tsx": b"||=boolean <!-- " * 4_000,
    "comments.go": b"/+ a<b> " + b"/*," * 20_000,  # each `/*` is read to the end of the file
    "letters.js": "./*é".encode() * 12_000,
    "tower.ts": b"[" * 200_000,
    "powers.py": b"a.bdel// **= " * 1_230,  # 9 s in one step, which nothing can end
    "powers_and_junk.py": b"a[b] - # c\n , ** ? = " * 800,
    "calls.py": b"f(" * 5_000 + b")" * 5_000,
}
"""Sources of at most 200 kB, by the name of a file for them."""


def _times(text: str, number: int) -> str:
    return "".join(text.replace("%", str(index)) for index in range(number))


CHAINS = {
    "a union": ("type T =%;\nfunction f() {}", " | 'icon-%'"),
    "a sum": ("const a = ''%;\nfunction f() {}", " + 'x%'"),
    "calls": ("function f(a) { return a%; }", ".set('k%', b => b.c())"),
    "members": ("function f(a) { return a%; }", ".m%"),
    "else if": ("function f(a) { if (a) {}% }", " else if (a === %) { g(a); }"),
    "a ternary": ("function f(a) { return a ? 0% : 0; }", " : a === % ? 0"),
    "alternatives": ("function f(a) { return 0%; }", " || 0 ?? %"),
    "tests of a kind": ("function f(a) { if (a.k === 0%) a.g(); }", " || a.k === '%'"),
    "tests at once": ("function f(a) { return a%; }", " && a.k === '%' && a.m%()"),
}
"""Sources of TypeScript whose trees are as deep as they are long: the text around, and what repeats in it."""

DOCUMENTED = '"Power: x ** y, a * b ** c, 2 ** -1, and *text* - **bold** | **cells**."\n' * 70
"""Stars in plenty, as people write them."""

SOUND = {"sound.py": "def sound(): ...\n"}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.slow
async def test_each_is_given_up_and_the_others_answer(tmp_path: Path, tally: Tally) -> None:
    root = write(tmp_path / "tree", {**HOSTILE, **SOUND})
    engine = NativeEngine(timeout_s=100, cache_dir=tmp_path / "cache", max_file_bytes=2_000_000)
    service = CodeService(engine)
    try:
        reply = await scan(service, root)
        survived = sum(
            left.path in HOSTILE and left.reason == SkipReason.GIVEN_UP and left.path in reply.parse_error_files
            for left in reply.skipped
        )
        tally("source that takes minutes to parse", len(HOSTILE), survived)
        assert [element.name for element in reply.elements if element.file == "sound.py"] == ["sound"]
        assert reply.skipped_by_reason == {SkipReason.GIVEN_UP: len(HOSTILE)}
        with pytest.raises(ElementNotFound, match="given up"):
            await engine.ask(root, Describe(element="operators.ts#f"))
    finally:
        await service.aclose()


def test_stars_that_people_write_are_read() -> None:
    calls = "".join(f"f{number}(*a, **b) ** -c ** d\n" for number in range(300))
    facts = parse_file("a.py", Language.PYTHON, f"{DOCUMENTED}def found(*, a=1, **b): ...\n{calls}".encode())
    assert facts.errors == 0
    assert [symbol.name for symbol in facts.symbols[1:]] == ["found"]


@pytest.mark.slow
@pytest.mark.parametrize("language", [Language.TYPESCRIPT, Language.JAVASCRIPT])
@pytest.mark.parametrize("name", CHAINS)
def test_a_long_chain_is_read(name: str, language: Language) -> None:
    around, link = CHAINS[name]
    facts = parse_file("a.ts", language, around.replace("%", _times(link, 2_000)).encode())
    assert not facts.given_up
    assert "f" in [symbol.name for symbol in facts.symbols]


@pytest.mark.slow
def test_a_long_chain_of_tests_is_read_in_python() -> None:
    tests = "isinstance(a, B) and " * 2_000
    facts = parse_file("a.py", Language.PYTHON, f"def f(a):\n    if {tests} a.b:\n        a.c()\n".encode())
    assert [symbol.name for symbol in facts.symbols[1:]] == ["f"]


async def test_a_file_that_is_mended_is_read(tmp_path: Path) -> None:
    root = write(tmp_path / "tree", {"a.ts": HOSTILE["operators.ts"], **SOUND})
    service = CodeService(InProcessEngine(store=NoFacts(), max_file_bytes=2_000_000))
    try:
        assert [left.path for left in (await scan(service, root)).skipped] == ["a.ts"]
        write(root, {"a.ts": "export function mended() {}\n"})
        reply = await scan(service, root)
        assert reply.skipped == []
        assert {element.name for element in reply.elements} == {"mended", "sound"}
    finally:
        await service.aclose()


TOKENS = (
    "%- += **= ( [ { ) ] } < > <a </a> /> => ` ${ ' \" /* */ // <!-- # @ a b. a<b> f( x= , ; : ? ! ~ -> <- := if for",
    "class def func type let await yield return import lambda new typeof break case",
)
UNITS = [*" ".join(TOKENS).split(), "\n", " ", "\n    ", "\t"]


@pytest.mark.slow
@pytest.mark.parametrize("language", [Language.TYPESCRIPT, Language.TSX, Language.JAVASCRIPT, Language.GO])
def test_repeated_tokens_end_within_their_budget(language: Language, tally: Tally) -> None:
    """A file of 4 kB that took longer than the suite's own deadline would fail it. Python: see docs/security.md."""
    chance = random.Random(15)
    count = attempts(15, 2_000)
    survived = 0
    for _ in range(count):
        unit = "".join(chance.choice(UNITS) + chance.choice(["", " "]) for _ in range(chance.randint(1, 5)))
        begin = "".join(chance.choice(UNITS) for _ in range(chance.randint(0, 4)))
        source = (begin + unit * (4_000 // len(unit))).encode()
        facts = parse_file("a", language, source)
        survived += facts == parse_file("a", language, source)
    tally("repeated tokens", count, survived)
